"""The plan: what is done to a room so that it is as files want it, step by step; nothing is written by planning."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple, TypeAlias

from pitboss.books import BookState, RefusedError, folding_of
from pitboss.books.journal.writer import drafted
from pitboss.commands import By, Command, Executor, InvalidCommandError, NotReadyError, Now, read_fields, write_fields
from pitboss.commands.command import SOMEBODY
from pitboss.room.approvals import APPROVALS
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.provisioning.files import Item, problem_line, read_folder
from pitboss.room.services import HitProbabilities, HouseEdges, RoomServices

Verdict: TypeAlias = Literal["create", "change", "nothing", "waits", "cannot"]
FOLDING = folding_of(PROJECTIONS, INVARIANTS)


class Step(NamedTuple):
    """What is to be done about one thing that files want."""

    item: Item
    verdict: Verdict
    command: Command | None = None
    request: int = 0
    """The request that waits for a second person."""
    roles: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()
    """Who approves it; empty where one person is enough."""
    problems: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is done, in words."""
        title = self.item.title
        if self.verdict == "waits":
            return f"waits    {title}: request {self.request}, approved by {' or '.join(self.approvers)}"
        more = f", needs approval by {' or '.join(self.approvers)}" if self.approvers else ""
        return f"{self.verdict:<8} {title}{more}"


class Plan(NamedTuple):
    """Every step, in the order in which they are done, and everything that speaks against them."""

    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()

    @property
    def pending(self) -> tuple[Step, ...]:
        """The steps that are to be done."""
        return tuple(step for step in self.steps if step.verdict in ("create", "change"))

    @property
    def waiting(self) -> tuple[Step, ...]:
        """The steps that a second person decides on."""
        return tuple(step for step in self.steps if step.verdict == "waits")


@dataclass(slots=True)
class _ImaginedServices(RoomServices):
    """A room as it would be after the steps before; nothing is written to it."""

    imagined: BookState | None = None

    @property
    def state(self) -> BookState:
        """The state as it would be."""
        assert self.imagined is not None
        return self.imagined


class Planner:
    """Plans against the state of a room in a data directory; who counts odds does it as a server's worker does."""

    def __init__(
        self, path: Path, state: BookState, at: int, edges: HouseEdges, probabilities: HitProbabilities
    ) -> None:
        place: Any = SimpleNamespace(directory=SimpleNamespace(path=path))
        self._services = _ImaginedServices(
            books=place, clock=lambda: at, edges=edges, probabilities=probabilities, imagined=state
        )
        self._executor, self._at = Executor(self._services), at

    def plan(self, folder: Path) -> Plan:
        """Plan what a folder wants; each step as if those before had been done and approved."""
        reading = read_folder(folder)
        steps = [self.step(item) for item in reading.items]
        problems = [*reading.problems, *(text for step in steps for text in _placed(folder, step))]
        return Plan(tuple(steps), tuple(problems))

    def step(self, item: Item) -> Step:
        """Plan one thing, and go on as if it had been done."""
        state, kind = self._services.state, item.kind
        current, now = kind.current(state).get(item.name), Now(state, self._at)
        try:
            cls, fields = kind.wanted(now, item.fields, current is None)
            command = read_fields(cls, fields)
        except InvalidCommandError as error:
            return Step(item, "cannot", problems=error.problems)
        if current is not None and _is_same(command, *kind.wanted(now, dict(current), False)):
            return Step(item, "nothing")
        by = By("provisioning", _role(command))
        second = command.needs_second(state, by)
        approvers = command.spec.approvers_of(by.role) if second else ()
        step = Step(item, "create" if current is None else "change", command, 0, command.spec.roles, approvers)
        if second:
            by = replace(by, approver=By(SOMEBODY, command.spec.second_role(by.role)))
        try:
            submission = self._executor.submission(command, by, id="plan")
            _, after = drafted(submission, b"", state, FOLDING, self._at)
        except RefusedError as error:
            return step._replace(verdict="cannot", problems=error.problems)
        except NotReadyError as error:
            return step._replace(verdict="cannot", problems=(str(error),))
        request = waiting_request(state, command)
        self._services.imagined = after
        return step._replace(verdict="waits", request=request) if request else step


def waiting_request(state: BookState, command: Command) -> int:
    """Return the request by which a command waits for a second person; 0 where it does not."""
    fields = write_fields(command)
    for number, pending in state.of(APPROVALS).items():
        if pending.what == command.spec.name and dict(pending.said) == fields:
            return number
    return 0


def _role(command: Command) -> str:
    """Return the first role of people that asks for a command."""
    roles = [role for role in command.spec.roles if role != "system"]
    return roles[0]


def _is_same(command: Command, cls: type[Command], fields: dict[str, Any]) -> bool:
    try:
        there = read_fields(cls, fields)
    except InvalidCommandError:
        return False
    return write_fields(there) == write_fields(command) and type(there) is type(command)


def _placed(folder: Path, step: Step) -> Iterator[str]:
    for problem in step.problems:
        text = problem.replace("is not a field of this command", "is not known here")
        yield f"{step.item.file}, line {problem_line(folder, step.item, problem)}: {step.item.title}: {text}"
