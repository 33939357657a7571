"""A room from files at the terminal: what would be done, done, and the files of a room that is there."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from pitboss.books import BookState, RefusedError, WriterLockedError, microseconds_now
from pitboss.books.store.migrate import create_store
from pitboss.cli.books.sources import explaining, open_store, state_of
from pitboss.cli.output import BROKEN_RULE, console, fail, show_problems
from pitboss.cli.room.served import ServedRoom, served_room
from pitboss.cli.room.tables import counters, room_at_hand
from pitboss.commands import Command, write_fields
from pitboss.commands.command import BOOK
from pitboss.room.approvals import is_waiting
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.room.provisioning.files import Item, write_folder
from pitboss.room.provisioning.plan import FOLDING, Plan, Planner, Step

Do = Callable[[Command], bool]
"""Carry a command out; true where it waits for a second person."""


def _is_new(path: Path) -> bool:
    return not path.exists() or (path.is_dir() and not any(path.iterdir()))


def _state(path: Path) -> BookState:
    if _is_new(path):
        return FOLDING.empty()
    with open_store(path) as store:
        return state_of(store, BOOK) if BOOK in store.books() else FOLDING.empty()


def _planner(path: Path, state: BookState, at: int) -> Planner:
    edges, probabilities = counters()
    return Planner(path, state, at, edges, probabilities)


def require_one(**options: bool) -> None:
    """Refuse more than one of several options."""
    if sum(options.values()) > 1:
        raise fail(f"{', '.join(f'--{name}' for name in options)}: one of them")


@explaining
def show_plan(folder: Path, path: Path, *, as_json: bool) -> int:
    """Show what files would change; nothing is written."""
    plan = _checked(_planner(path, _state(path), microseconds_now()).plan(folder))
    _show(plan.steps, as_json=as_json)
    return BROKEN_RULE if plan.pending or plan.waiting else 0


def _checked(plan: Plan) -> Plan:
    if plan.problems:
        raise RefusedError(plan.problems)
    return plan


def _show(steps: tuple[Step, ...], *, as_json: bool) -> None:
    if as_json:
        content = [
            {
                "kind": step.item.kind.name,
                "name": step.item.name,
                "file": step.item.file,
                "line": step.item.line,
                "does": step.verdict,
                "approvers": list(step.approvers),
                "request": step.request,
                "problems": list(step.problems),
            }
            for step in steps
        ]
        print(json.dumps(content, indent=2))
        return
    for step in steps:
        if step.verdict != "nothing":
            console.print(step.text, markup=False)
            for problem in step.problems:
                console.print(f"         {problem}", markup=False)
    counts = {verdict: sum(step.verdict == verdict for step in steps) for verdict in ("create", "change", "waits")}
    same = sum(step.verdict == "nothing" for step in steps)
    if same == len(steps):
        console.print(f"nothing to do: {same} as the files say")
        return
    listed = ", ".join(f"{count} to {verdict}" for verdict, count in counts.items() if count and verdict != "waits")
    waits = f"{counts['waits']} waiting for approval" if counts["waits"] else ""
    console.print(", ".join(filter(None, (listed, waits, f"{same} as the files say"))))


@explaining
def export_files(folder: Path, path: Path, *, as_json: bool) -> int:
    """Write the files of a room."""
    with open_store(path) as store:
        names = write_folder(folder, state_of(store, BOOK))
    if as_json:
        print(json.dumps(names, indent=2))
        return 0
    for name in names:
        console.print(f"{folder / name}", markup=False)
    return 0


@explaining
def apply_files(folder: Path, path: Path, person: str, approved_by: str, *, as_json: bool) -> int:
    """Bring a room to what files say; what cannot be done because of what waits is left for the next time."""
    plan = _checked(_planner(path, _state(path), microseconds_now()).plan(folder))
    if plan.pending and _is_new(path):
        create_store(path)
    if not plan.pending:
        _show(plan.steps, as_json=as_json)
        return BROKEN_RULE if plan.waiting else 0
    with _doing(path, person, approved_by) as (state, do):
        steps = tuple(_applied(path, step.item, state, do) for step in plan.steps)
    if as_json:
        _show(steps, as_json=True)
    else:
        _show_applied(steps)
    return BROKEN_RULE if any(step.verdict in ("cannot", "waits") for step in steps) else 0


def _show_applied(steps: tuple[Step, ...]) -> None:
    words = {"create": "created", "change": "changed", "waits": "waits", "cannot": "left"}
    for step in steps:
        if step.verdict == "nothing":
            continue
        title = step.item.title
        more = f": request {step.request}, approved by {' or '.join(step.approvers)}" if step.request else ""
        console.print(f"{words[step.verdict]:<8} {title}{more}", markup=False)
    if left := [f"{step.item.title}: {problem}" for step in steps for problem in step.problems]:
        show_problems(left, "Not all is done yet. Apply again when what waits was approved.")
    done = sum(step.verdict in ("create", "change") for step in steps)
    same = sum(step.verdict == "nothing" for step in steps)
    console.print(f"{done} done, {sum(step.verdict == 'waits' for step in steps)} waiting, {same} as the files say")


def _applied(path: Path, item: Item, state: Callable[[], tuple[BookState, int]], do: Do) -> Step:
    """Carry out one step, and return its result."""
    step = _planner(path, *state()).step(item)
    if step.verdict not in ("create", "change") or step.command is None:
        return step
    try:
        is_asked = do(step.command)
    except RefusedError as error:
        return step._replace(verdict="cannot", problems=error.problems)
    return _planner(path, *state()).step(item) if is_asked else step


@contextmanager
def _doing(path: Path, person: str, approved_by: str) -> Iterator[tuple[Callable[[], tuple[BookState, int]], Do]]:
    """Return how the state is read and a command is done: in the room itself, or through its server."""
    with ExitStack() as stack:
        try:
            room, carry = stack.enter_context(room_at_hand(path, person, approved_by))
        except WriterLockedError:
            served = served_room(path)
            if served is None:
                raise
            yield lambda: (_state(path), microseconds_now()), partial(_send, served)
        else:
            yield lambda: (room.state, room.clock()), lambda command: is_waiting(carry(command))


def _send(served: ServedRoom, command: Command) -> bool:
    """Send a command to a server, by its address there."""
    fields = write_fields(command)
    if isinstance(command, SetPerson | SetDevice):
        name = command.login if isinstance(command, SetPerson) else command.name
        area = "people" if isinstance(command, SetPerson) else "devices"
        dropped = {"first", "active"} if command.first else {"first", "login", "name", "what"}
        body = {key: value for key, value in fields.items() if key not in dropped}
        status, _ = served.post(area, body) if command.first else served.put(f"{area}/{quote(name, safe='')}", body)
    else:
        status, _ = served.post(command.spec.name, fields)
    return status == HTTPStatus.ACCEPTED
