"""What requests and answers of the API have in common."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

from pitboss.books import Answer


class Done(BaseModel):
    """What was done: the entries it wrote, and the head of the book after them; `again` where it was done before."""

    entries: list[int]
    again: bool
    head: str


class ProblemTold(BaseModel):
    """Everything that speaks against a request, in the form of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    problems: list[str]


# By reference: six models for each of all routes would be most of the time that a server takes to start.
_TOLD: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemTold"}}},
    }
    for status in (401, 403, 404, 409, 422, 503)
}


class DescribedApp(FastAPI):
    """An application whose description has what its routes refer to."""

    def openapi(self) -> dict[str, Any]:
        """Describe every route of the API."""
        described = super().openapi()
        described["components"]["schemas"]["ProblemTold"] = ProblemTold.model_json_schema()
        return described


def api_router(tag: str) -> APIRouter:
    """Make the router of an area; what may go wrong is described once for all its routes."""
    return APIRouter(prefix="/api/v1", tags=[tag], responses=_TOLD)


def done(answer: Answer) -> Done:
    """Tell what a command came to."""
    return Done(entries=[each.sequence for each in answer.entries], again=answer.again, head=answer.head)
