"""Any request that the API describes, and many that it does not: no answer is a server error (schemathesis)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.core.result import Ok

from tests.server.making import House
from tests.server.matrix import stated

ROLES = (
    *("administrator", "manager", "supervisor", "accounting", "surveillance", "dealer", "auditor"),
    *("device", "display", "console", "monitor"),
)
_FEW, _MANY = 1, 20


def operations(house: House) -> Iterator[Any]:
    """Every operation that the API describes; a stream that is found never ends, and `test_stream` follows it."""
    for result in schemathesis.openapi.from_dict(house.app.openapi()).get_all_operations():
        assert isinstance(result, Ok), result
        if result.ok().path != "/api/v1/stream":
            yield result.ok()


def asked(client: TestClient, operation: Any, examples: int) -> None:
    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def ask(data: Any) -> None:
        mode = data.draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        kwargs = case.as_transport_kwargs(base_url=str(client.base_url))
        headers = {**kwargs.pop("headers", {}), **client.headers}
        kwargs.pop("cookies", None)
        if isinstance(kwargs.get("data"), bytes):
            kwargs["content"] = kwargs.pop("data")
        answer = client.request(
            kwargs.pop("method"),
            kwargs.pop("url"),
            headers={name: str(value).encode("latin-1", "replace") for name, value in headers.items()},
            **kwargs,
        )
        assert answer.status_code < 500, (operation.label, answer.status_code, answer.text)

    ask()


def test_no_request_makes_a_server_error_whoever_sends_it(shared: House) -> None:
    """Each operation once, by one whom it lets through: of those, who has had least to do yet."""
    clients = {role: shared.as_(role) for role in ROLES}
    done = Counter(dict.fromkeys(ROLES, 0))
    for operation in operations(shared):
        may = stated()[operation.method.upper(), operation.path]
        role = min((each for each in ROLES if each in may or "anyone" in may), key=lambda each: done[each])
        done[role] += 1
        asked(clients[role], operation, _FEW)

    assert all(done[role] for role in ROLES), done


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_no_request_at_all_makes_a_server_error(house: House, role: str) -> None:
    """Send requests that fit the description and requests that do not, to all there is, and look at every answer."""
    client = house.as_(role)
    for operation in operations(house):
        asked(client, operation, _MANY)
