"""What others build on stays: paths, operations, fields of bodies and of answers as version 0.1 had them.

`api-of-0.1.json` was written by the tree of that version, not by this one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.making import House

BEFORE: dict[str, Any] = json.loads((Path(__file__).parent / "api-of-0.1.json").read_text())


class Document:
    """An OpenAPI document whose references are followed."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.paths, self._schemas = document["paths"], document["components"]["schemas"]

    def fields(self, content: dict[str, Any]) -> set[str]:
        """Return the names of the fields of a JSON body, or of the items of a list."""
        schema = self._follow(content.get("application/json", {}).get("schema", {}))
        if schema.get("type") == "array":
            schema = self._follow(schema["items"])
        if "anyOf" in schema:
            schema = self._follow(schema["anyOf"][0])
        return set(schema.get("properties", {}))

    def _follow(self, schema: dict[str, Any]) -> dict[str, Any]:
        reference = schema.get("$ref")
        if reference is None:
            return schema
        followed: dict[str, Any] = self._schemas[reference.rpartition("/")[2]]
        return followed


WAITS_NOW = {
    "post /api/v1/desk/collect",
    "post /api/v1/jackpots/deposit-arrived",
    "post /api/v1/tables/open",
    "post /api/v1/tables/withdraw",
}
"""What one person did before, and two do now (G-31): the answer is that it waits."""


@pytest.fixture
def document(house: House) -> Document:
    return Document(house.app.openapi())


TWO_PEOPLE_SINCE = {"post /api/v1/jackpots/post"}
"""Routes that answer 202 now, because a ruling asks for a second person (G-31, G-49)."""


def test_every_route_of_before_is_there_with_its_fields(document: Document) -> None:
    lost = []
    for name, before in BEFORE.items():
        method, _, path = name.partition(" ")
        operation = document.paths.get(path, {}).get(method)
        if operation is None or operation["operationId"] != before["operation"]:
            lost.append(name)
            continue
        body = document.fields(operation.get("requestBody", {}).get("content", {}))
        lost += [f"{name}: {field} of the body" for field in before["body"] if field not in body]
        if name in TWO_PEOPLE_SINCE:
            assert "202" in operation["responses"]
            continue
        for status, fields in before["answers"].items():
            if name in WAITS_NOW and status == "200":
                assert "202" in operation["responses"]
                continue
            answer = document.fields(operation["responses"][status].get("content", {}))
            lost += [f"{name}: {field} of answer {status}" for field in fields if field not in answer]
    assert [] == lost
