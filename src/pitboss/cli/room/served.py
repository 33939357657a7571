"""A room whose server runs: what is typed goes through the server, in the name of the owner of a token."""

import json
import os
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping
from getpass import getpass, getuser
from http import HTTPStatus
from pathlib import Path
from typing import Any

from pitboss.books import RefusedError, StoreError
from pitboss.cli.books.sources import explaining
from pitboss.cli.output import console
from pitboss.cli.room.approval_listings import show_request
from pitboss.commands import is_same_person
from pitboss.commands.description import role_phrase
from pitboss.room.people.people import Person
from pitboss.room.room import Room
from pitboss.server.settings import Announcement, announced

_SECONDS = 30
_OTHERS_MAY = 0o077


def token_file() -> Path:
    """Return where the token of who sits at this terminal is kept."""
    named = os.environ.get("PITBOSS_TOKEN_FILE")
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(named) if named else Path(base) / "pitboss" / "token"


def read_token() -> str:
    """Read the token; refuse where there is none, or where others on this computer can read it."""
    file = token_file()
    try:
        mode, token = file.stat().st_mode, file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        text = "sign in first: create a token in the browser, under your account, then type `pitboss token`"
        raise RefusedError([text]) from None
    if mode & _OTHERS_MAY:
        raise RefusedError([f"others can read {file}: type `chmod 600 {file}`, or create a new token"])
    return token


@explaining
def keep_token() -> int:
    """Ask for a token and write it to a file that only its owner reads."""
    token = (getpass("Token: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
    if not token or not token.isascii() or not token.isprintable():
        raise RefusedError(["this is no token: copy it from your account page in the browser"])
    file = token_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as stream:
        stream.write(f"{token}\n")
    console.print(f"The token is saved in {file}; only you can read it.", markup=False)
    return 0


class ServedRoom:
    """The API of a running server, used by one person."""

    def __init__(self, server: Announcement, token: str) -> None:
        self._server, self._token = server, token
        self._context = _trusting(server.certificate) if server.certificate else None

    def get(self, path: str) -> Any:
        """Return what the API answers."""
        return self._ask(path, None)[1]

    def post(self, path: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        """Send a body under an id of its own; return the status and the answer."""
        return self._ask(path, {"command": f"terminal-{uuid.uuid4()}", **body})

    def put(self, path: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        """Replace something, under an id of its own; return the status and the answer."""
        return self._ask(path, {"command": f"terminal-{uuid.uuid4()}", **body}, "PUT")

    def _ask(self, path: str, body: Mapping[str, Any] | None, method: str | None = None) -> tuple[int, Any]:
        request = urllib.request.Request(  # noqa: S310 - the address that our own server has written
            f"{self._server.address}/api/v1/{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={
                "Authorization": f"Bearer {self._token}",
                "Content-Type": "application/json",
                "X-Pitboss-User": urllib.parse.quote(getuser()),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS, context=self._context) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            raise RefusedError(_problems(error)) from None
        except (OSError, ValueError) as error:
            cause = getattr(error, "reason", error)
            raise StoreError(f"the server at {self._server.address} does not answer: {cause}") from None


def _trusting(certificate: str) -> ssl.SSLContext:
    """Trust the certificate that the server of this very data directory has, whatever name it is for."""
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _problems(error: urllib.error.HTTPError) -> list[str]:
    try:
        return [str(problem) for problem in json.load(error)["problems"]]
    except (ValueError, KeyError, TypeError):
        return [f"the server answers {error.code} {error.reason}"]


def served_room(path: Path) -> ServedRoom | None:
    """Return the room of a running server, or nothing where none has announced itself in the data directory."""
    server = announced(path)
    return None if server is None else ServedRoom(server, read_token())


def do_through(served: ServedRoom, name: str, fields: Mapping[str, Any], person: str, *, as_json: bool) -> int:
    """Send a command to the server, which carries it out or submits it for approval."""
    me = served.get("me")
    if person and not is_same_person(person, me["name"]):
        raise RefusedError([f"the token at this terminal is that of {me['name']}, not of {person}"])
    status, answer = served.post(name, fields)
    if as_json:
        print(json.dumps(answer, indent=2))
    elif status == HTTPStatus.ACCEPTED:
        _show_waiting(answer)
    else:
        entries = ", ".join(map(str, answer["entries"]))
        console.print(f"Done by {me['name']}: entry {entries}\nhead {answer['head']}", markup=False)
    return 0


def _show_waiting(answer: Mapping[str, Any]) -> None:
    # Whoever was named at the terminal: only the server knows who may.
    console.print(
        f"Submitted for approval: request {answer['approval']}. It needs {role_phrase(answer['approvers'])}, and not "
        f"you: in the browser, or with their own token by `pitboss approve DIR {answer['approval']}`.",
        markup=False,
    )


@explaining
def decide(path: Path, number: int, reason: str | None, *, as_json: bool) -> int:
    """Approve a request, or decline it with a reason, in the name of who has the token at this terminal.

    What is approved is shown first, as on every page; at a terminal it is asked for once more.
    """
    served = served_room(path)
    if reason is None and not as_json and show_request(path, number) and sys.stdin.isatty():
        print("Approve this request? [y/N] ", end="", flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            console.print("Not approved: the request still waits.")
            return 1
    if served is not None:
        verb, body = ("give", {}) if reason is None else ("refuse", {"words": reason})
        _status, answer = served.post(f"approvals/{number}/{verb}", body)
        entries, head = answer["entries"], answer["head"]
    else:
        entries, head = _decide_here(path, number, reason)
    if as_json:
        print(json.dumps({"entries": entries, "head": head}, indent=2))
    else:
        text = "Approved" if reason is None else "Declined"
        console.print(f"{text}: entry {', '.join(map(str, entries))}\nhead {head}", markup=False)
    return 0


def signed_in_here(room: Room) -> Person:
    """Return who has the token at this terminal, and journal them with the user of the operating system (G-71)."""
    signed = room.access.at_terminal(read_token())
    if signed is None:
        raise RefusedError(["this token is nobody's, or has ended: make a new one"])
    room.access.note_terminal(signed[1], getuser())
    return signed[1]


def _decide_here(path: Path, number: int, reason: str | None) -> tuple[list[int], str]:
    with Room(path) as room:
        person = signed_in_here(room)
        roles, command_id = frozenset(person.roles), f"terminal-{uuid.uuid4()}"
        if reason is None:
            answer = room.approvals.give(number, name=person.name, roles=roles, id=command_id)
        else:
            answer = room.approvals.refuse(number, name=person.name, roles=roles, words=reason, id=command_id)
    return [entry.sequence for entry in answer.entries], answer.head
