"""Problems as responses, all at once: RFC 9457 for programs, a page for people."""

import json
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match

from pitboss.books import ClosedError, HaltedError, NotCommittedError, RefusedError, StoreError, UnknownOutcomeError
from pitboss.commands import InvalidCommandError, NotReadyError
from pitboss.room.people.access import SignInRefusedError
from pitboss.room.people.passwords import LineFullError
from pitboss.server.logs import REQUEST_ID
from pitboss.server.pages.layout import render

MEDIA_TYPE = "application/problem+json"


class ProblemError(Exception):
    """A refusal of a request, with its status and its problems."""

    def __init__(self, status: HTTPStatus, problems: Iterable[str]) -> None:
        self.status, self.problems = status, tuple(problems)
        super().__init__("; ".join(self.problems))


class NoTableError(ProblemError):
    """A table is asked for that is not set up."""

    def __init__(self, table: str) -> None:
        super().__init__(HTTPStatus.NOT_FOUND, [f"Table {table} isn't set up."])


class SignInNeededError(ProblemError):
    """Somebody unknown asks for what is not for everybody."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.UNAUTHORIZED, ["sign in first"])


class FactorNeededError(ProblemError):
    """Somebody whose role needs a second factor has not set it up."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.FORBIDDEN, ["Set up two-step sign-in on your account page first."])


def wants_page(request: Request) -> bool:
    """True if a person reads the response, and not a program."""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


class _ProblemResponse(JSONResponse):
    """A problem document; it quotes names of the request, whose letters are escaped where they are no Unicode."""

    media_type = MEDIA_TYPE

    def render(self, content: Any) -> bytes:
        """Return the document in UTF-8."""
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def problem(
    status: HTTPStatus, problems: Sequence[str], headers: dict[str, str] | None = None, *, code: str = ""
) -> JSONResponse:
    """Return a response with all problems, in the form of RFC 9457; a code tells programs what to do about them."""
    body = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": "; ".join(problems),
        "problems": list(problems),
        "request": REQUEST_ID.get(),
        **({"code": code} if code else {}),
    }
    return _ProblemResponse(body, status.value, headers)


_TITLES = {
    HTTPStatus.NOT_FOUND: "Page not found",
    HTTPStatus.METHOD_NOT_ALLOWED: "This page can't be opened directly",
    HTTPStatus.FORBIDDEN: "You don't have access",
    HTTPStatus.UNAUTHORIZED: "Sign in first",
    HTTPStatus.SERVICE_UNAVAILABLE: "Not available right now",
}
_LATER_SECONDS = "2"
_LATER_TEXT = (
    "The server can't save anything right now. Wait a moment, then check whether this was done before you try it again."
)
_OTHER_TITLE = "That didn't go through"
_PLAIN = {
    HTTPStatus.NOT_FOUND: "There is nothing at this address. Check it, or go back.",
    HTTPStatus.METHOD_NOT_ALLOWED: "Open the page it belongs to, and use its buttons.",
}


def page_title(status: HTTPStatus) -> str:
    """Return what a page calls a failure; programs get the phrase of the status."""
    return _TITLES.get(status, _OTHER_TITLE)


def _answer(request: Request, status: HTTPStatus, problems: Sequence[str]) -> Response:
    if wants_page(request):
        texts = [_PLAIN.get(status, text) if text == status.phrase else text for text in problems]
        context = {"title": page_title(status), "problems": texts, "back": _back(request)}
        return render(request, "problem.html", context, status=status.value)
    headers = {"www-authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    return problem(status, problems, headers)


def _back(request: Request) -> str:
    """Return the page from which somebody came, where it is one of ours and another than this."""
    parts = urlsplit(request.headers.get("referer", ""))
    is_ours = parts.netloc.lower() == request.headers.get("host", "").lower() and parts.path != request.url.path
    return parts.path + (f"?{parts.query}" if parts.query else "") if is_ours and parts.path.startswith("/") else ""


def _page_above(request: Request, *, steps: int = 1) -> str:
    """Return the page to which the address of a form belongs: the nearest one above it that can be opened."""
    parts = request.url.path.strip("/").split("/")
    for count in range(len(parts) - steps, 0, -1):
        path = "/" + "/".join(parts[:count])
        scope = {**request.scope, "path": path, "method": "GET"}
        if any(isinstance(route, APIRoute) and route.matches(scope)[0] is Match.FULL for route in request.app.routes):
            return path
    return "/"


def _sign_in_needed(request: Request, error: Exception) -> Response:
    assert isinstance(error, SignInNeededError)
    if wants_page(request) and request.method == "GET":
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(address, safe='')}", HTTPStatus.SEE_OTHER)
    return _answer(request, error.status, error.problems)


def _factor_needed(request: Request, error: Exception) -> Response:
    assert isinstance(error, FactorNeededError)
    if wants_page(request) and request.method == "GET":
        return RedirectResponse("/account", HTTPStatus.SEE_OTHER)
    return _answer(request, error.status, error.problems)


def _busy(request: Request, error: Exception) -> Response:
    answer = _answer(request, HTTPStatus.TOO_MANY_REQUESTS, [str(error)])
    answer.headers["retry-after"] = _LATER_SECONDS
    return answer


def _problem(request: Request, error: Exception) -> Response:
    if isinstance(error, ProblemError):
        return _answer(request, error.status, error.problems)
    if isinstance(error, RefusedError):
        return _answer(request, HTTPStatus.CONFLICT, error.problems)
    if isinstance(error, InvalidCommandError):
        return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, error.problems)
    if isinstance(error, SignInRefusedError):
        return _answer(request, HTTPStatus.FORBIDDEN, [str(error)])
    if isinstance(error, StoreError):
        return _later(request, error)
    return _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, [str(error)])


def _later(request: Request, error: StoreError) -> Response:
    """Answer what the store could not do, or cannot say whether it did: the same command may be sent again."""
    if wants_page(request):
        answer = _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, [_LATER_TEXT])
    else:
        answer = problem(HTTPStatus.SERVICE_UNAVAILABLE, [str(error)], code="later")
    answer.headers["retry-after"] = _LATER_SECONDS
    return answer


async def _not_ready(request: Request, error: Exception) -> Response:
    """Answer what has to be counted first: a person's form is sent again by its page, a program asks again."""
    if not wants_page(request) or request.method != "POST":
        return _problem(request, error)
    fields = [(name, value) for name, value in (await request.form()).multi_items() if isinstance(value, str)]
    context = {"fields": fields, "back": _back(request) or _page_above(request, steps=0), "address": request.url.path}
    return render(request, "again.html", context, status=HTTPStatus.ACCEPTED)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    words = _words_for_people if wants_page(request) else _words
    texts = dict.fromkeys(words(detail) for detail in error.errors())
    return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, list(texts))


def _beyond(request: Request, _error: Exception) -> Response:
    """Answer what nests too deep, or a number or a day beyond what can be reckoned with."""
    text = "A number, a date or a nesting in this request is out of range."
    return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, [text])


def _words(error: dict[str, Any]) -> str:
    place = ".".join(str(part) for part in error["loc"] if part != "body")
    return f"{place}: {error['msg']}" if place else str(error["msg"])


def _words_for_people(error: dict[str, Any]) -> str:
    """Return what is wrong with a field; of an address, which nobody fills in, how its page is opened."""
    where, name = error["loc"][0], str(error["loc"][-1])
    if where in ("path", "query"):
        return "This address is incomplete, or something in it is wrong. Open the page from the menu or by its button."
    return f"{name}: Fill this in." if error["type"] == "missing" else f"{name}: {error['msg']}"


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET" and wants_page(request):
        # Somebody has reloaded or kept the address of a form that was sent.
        return RedirectResponse(_page_above(request), HTTPStatus.SEE_OTHER)
    answer = _answer(request, HTTPStatus(error.status_code), [str(error.detail)])
    answer.headers.update(error.headers or {})
    return answer


def add_handlers(app: FastAPI) -> None:
    """Register the response to every expected failure; anything else is a fault of ours."""
    app.add_exception_handler(SignInNeededError, _sign_in_needed)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(NotReadyError, _not_ready)
    app.add_exception_handler(RecursionError, _beyond)
    app.add_exception_handler(OverflowError, _beyond)
    app.add_exception_handler(FactorNeededError, _factor_needed)
    app.add_exception_handler(LineFullError, _busy)
    unavailable = (HaltedError, ClosedError, NotCommittedError, UnknownOutcomeError, StoreError)
    for kind in (ProblemError, RefusedError, SignInRefusedError, InvalidCommandError, *unavailable):
        app.add_exception_handler(kind, _problem)
