"""Problems as responses, all at once: RFC 9457 for programs, a page for people."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException

from pitboss.books import ClosedError, HaltedError, NotCommittedError, RefusedError, StoreError, UnknownOutcomeError
from pitboss.commands import InvalidCommandError, NotReadyError
from pitboss.room.people.access import SignInRefusedError
from pitboss.server.pages.layout import render

MEDIA_TYPE = "application/problem+json"


class ProblemError(Exception):
    """Something that speaks against a request, with the status that says which kind of thing."""

    def __init__(self, status: HTTPStatus, problems: Iterable[str]) -> None:
        self.status, self.problems = status, tuple(problems)
        super().__init__("; ".join(self.problems))


class SignInNeededError(ProblemError):
    """Somebody unknown asks for what is not for everybody."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.UNAUTHORIZED, ["sign in first"])


def wants_page(request: Request) -> bool:
    """True if a person reads the response, and not a program."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


def problem(status: HTTPStatus, problems: Sequence[str], headers: dict[str, str] | None = None) -> JSONResponse:
    """Return a response with all problems, in the form of RFC 9457."""
    body = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": "; ".join(problems),
        "problems": list(problems),
    }
    return JSONResponse(body, status.value, headers, media_type=MEDIA_TYPE)


def _answer(request: Request, status: HTTPStatus, problems: Sequence[str]) -> Response:
    if wants_page(request):
        return render(request, "problem.html", {"title": status.phrase, "problems": problems}, status=status.value)
    headers = {"www-authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    return problem(status, problems, headers)


def _sign_in_needed(request: Request, error: Exception) -> Response:
    assert isinstance(error, SignInNeededError)
    if wants_page(request) and request.method == "GET":
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(address, safe='')}", HTTPStatus.SEE_OTHER)
    return _answer(request, error.status, error.problems)


def _problem(request: Request, error: Exception) -> Response:
    if isinstance(error, ProblemError):
        return _answer(request, error.status, error.problems)
    if isinstance(error, RefusedError):
        return _answer(request, HTTPStatus.CONFLICT, error.problems)
    if isinstance(error, InvalidCommandError):
        return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, error.problems)
    is_refused = isinstance(error, SignInRefusedError)
    return _answer(request, HTTPStatus.FORBIDDEN if is_refused else HTTPStatus.SERVICE_UNAVAILABLE, [str(error)])


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, [_words(detail) for detail in error.errors()])


def _words(error: dict[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"] if part != "body")
    return f"{place}: {error['msg']}" if place else str(error["msg"])


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = _answer(request, HTTPStatus(error.status_code), [str(error.detail)])
    answer.headers.update(error.headers or {})
    return answer


def add_handlers(app: FastAPI) -> None:
    """Register the response to every expected failure; anything else is a fault of ours."""
    app.add_exception_handler(SignInNeededError, _sign_in_needed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    unavailable = (NotReadyError, HaltedError, ClosedError, NotCommittedError, UnknownOutcomeError, StoreError)
    for kind in (ProblemError, RefusedError, SignInRefusedError, InvalidCommandError, *unavailable):
        app.add_exception_handler(kind, _problem)
