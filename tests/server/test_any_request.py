"""Any request that the API describes, and many that it does not: no answer is a server error (schemathesis)."""

from __future__ import annotations

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

ROLES = ("administrator", "manager", "supervisor", "accounting", "surveillance", "dealer", "device", "console")
_FEW, _MANY = 1, 20


def tried(house: House, role: str, examples: int, *, only_his: bool = False) -> None:
    """Send requests that fit the description and requests that do not, and look at every answer."""
    client = house.as_(role)
    schema = schemathesis.openapi.from_dict(house.app.openapi())
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        if result.ok().path == "/api/v1/stream":
            # A stream that is found never ends; `test_stream` follows it.
            continue
        operation = result.ok()
        if only_his and not stated()[operation.method.upper(), operation.path] & {role, "anyone"}:
            continue
        asked(client, operation, examples)


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


def test_no_request_of_a_manager_makes_a_server_error(shared: House) -> None:
    """Of every operation that a manager gets through to; `test_roles` shows that he is turned away from the others."""
    tried(shared, "manager", _FEW, only_his=True)


@pytest.mark.prove
@pytest.mark.parametrize("role", ROLES)
def test_no_request_at_all_makes_a_server_error(house: House, role: str) -> None:
    tried(house, role, _MANY)
