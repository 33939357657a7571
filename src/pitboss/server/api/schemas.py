"""Schemas and routers that all requests and responses of the API share."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel, ConfigDict, Field

from pitboss.books import Answer

CommandId = Annotated[
    str,
    Field(min_length=1, max_length=120, description="Made by the client; what is sent again under it is done once."),
]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Words = Annotated[str, Field(max_length=500, description="Reason; it is logged.")]


class CommandBody(BaseModel):
    """A command with its id, carried out once."""

    model_config = ConfigDict(extra="forbid", strict=True)
    command: CommandId


class CommandResult(BaseModel):
    """What a command wrote: its entries, and the head of the book after them; `again` if it was run before."""

    entries: list[int]
    again: bool
    head: str


class ProblemDetails(BaseModel):
    """Everything that speaks against a request, in the form of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    problems: list[str]
    request: str


# By reference: six models for each of all routes would be most of the time that a server takes to start.
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }
    for status in (401, 403, 404, 409, 422, 503)
}


class DescribedApp(FastAPI):
    """An application whose description has what its routes refer to."""

    def openapi(self) -> dict[str, Any]:
        """Describe every route of the API."""
        described = super().openapi()
        described["components"]["schemas"]["ProblemDetails"] = ProblemDetails.model_json_schema()
        return described


def api_router(tag: str) -> APIRouter:
    """Return the router of an area; the responses for problems are described once for all its routes."""
    return APIRouter(prefix="/api/v1", tags=[tag], responses=_PROBLEMS)


def result_of(answer: Answer) -> CommandResult:
    """Return the result of a command from the books' answer."""
    return CommandResult(entries=[entry.sequence for entry in answer.entries], again=answer.again, head=answer.head)
