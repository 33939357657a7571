"""Approvals by a second person (T-06, T-18, P-05): requested by one, given by another, then carried out.

The command is kept in the journal by name and fields. It is tried when it is requested, so that nothing waits that
could not be done, and carried out in the same transaction as the approval.
"""

import datetime
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from pitboss import books, law
from pitboss.commands import (
    By,
    Command,
    CommandSpec,
    Description,
    Executor,
    is_same_person,
    read_fields,
    refuse,
    write_fields,
)
from pitboss.commands.command import BOOK, SOMEBODY, SYSTEM_ACTOR, id_problems, one_role
from pitboss.commands.description import fact
from pitboss.commands.fields import InvalidCommandError
from pitboss.room.commands import BY_NAME
from pitboss.room.people.people import PEOPLE, Person, second_problems
from pitboss.rules import dollars


@books.entry_kind("approval-asked")
class ApprovalAsked(books.EntryPayload):
    """A request for approval: the command, its fields as JSON, and who may approve it."""

    what: str
    said: str
    role: str
    approvers: tuple[str, ...]
    prize_cents: Annotated[int, books.OMIT_DEFAULT] = 0
    """What winners get by it, as it was worked out when it was asked for."""


@books.entry_kind("approval-given")
class ApprovalGiven(books.EntryPayload):
    """An approval given by a second person; what was asked is done by the entries after this one."""

    approval: int
    by: str
    role: str


@books.entry_kind("approval-refused")
class ApprovalRefused(books.EntryPayload):
    """An approval refused by somebody who could have given it, or taken back by who asked."""

    approval: int
    by: str
    words: str


@books.json_object
class Pending(NamedTuple):
    """A request that waits for a second person; its number is that of its entry."""

    number: int
    what: str
    said: Mapping[str, Any]
    by: str
    role: str
    approvers: tuple[str, ...]
    asked: books.Instant
    prize_cents: Annotated[int, books.OMIT_DEFAULT] = 0

    def problems(self, name: str, roles: frozenset[str]) -> list[str]:
        """Return what speaks against somebody giving it: they have asked for it themselves, or their role."""
        problems = []
        if self.is_of(name):
            problems.append(f"{name} has asked for it: another person approves (T-06)")
        if not self.givers & roles:
            givers = [role for role in self.approvers if role in self.givers]
            text = f"approval {self.number} is given by {' or '.join(givers) or 'nobody'}"
            problems.append(f"{text}: another role than the one that asks (G-31)")
        return problems

    def is_of(self, name: str) -> bool:
        """True if somebody has asked for it."""
        return is_same_person(name, self.by)

    @property
    def givers(self) -> frozenset[str]:
        """The roles that can give it: another than the one it was asked for in, also of requests of before (G-31)."""
        return frozenset(self.approvers) - {one_role(self.role)}


Waiting = Mapping[int, Pending]


def _fold(waiting: Waiting, entry: books.Entry, value: books.Payload) -> Waiting:
    if isinstance(value, ApprovalAsked):
        pending = Pending(
            number=entry.sequence,
            what=value.what,
            said=json.loads(value.said),
            by=entry.actor,
            role=value.role,
            approvers=value.approvers,
            asked=entry.happened,
            prize_cents=value.prize_cents,
        )
        return {**waiting, entry.sequence: pending}
    if isinstance(value, ApprovalGiven | ApprovalRefused):
        if value.approval not in waiting:
            raise ValueError(f"approval {value.approval} does not wait")
        return {number: pending for number, pending in waiting.items() if number != value.approval}
    return waiting


APPROVALS: books.Projection[Waiting] = books.Projection(
    name="approvals",
    shape=Annotated[Waiting, books.KeyedBy("number")],
    empty={},
    fold=_fold,
    kinds=books.kinds_of(ApprovalAsked, ApprovalGiven, ApprovalRefused),
)


def approvals_view(state: books.BookState, _name: str, _now: Any) -> dict[str, Any]:
    """Return everything that waits for a second person."""
    return {"approvals": APPROVALS.write(state.of(APPROVALS))}


def described(state: books.BookState, what: str, fields: Mapping[str, Any], prize_cents: int = 0) -> Description:
    """Return what a command of the journal does, by its name and fields; it never fails.

    A request of before whose fields are read no more is described by what its command is for.
    """
    cls = BY_NAME.get(what)
    if cls is None:
        return Description(what.replace("/", ": ").replace("-", " "), (), str(fields.get("words", "")))
    try:
        description = read_fields(cls, dict(fields)).describe(state)
    except (InvalidCommandError, books.RefusedError, LookupError):
        return Description(cls.spec.summary.rstrip("."), (), str(fields.get("words", "")))
    if not prize_cents:
        return description
    amount = fact("Prizes in all", dollars(prize_cents))
    title = f"{description.title}, {dollars(prize_cents)}"
    return description._replace(title=title, changes=(*description.changes, amount))


def description_of(state: books.BookState, pending: Pending) -> Description:
    """Return what a request that waits does, with the amount that was worked out for it where the state has none."""
    return described(state, pending.what, pending.said, pending.prize_cents)


def ended_because(state: books.BookState, pending: Pending, at: int) -> str:
    """Return why a request has ended: its shift is over, or its asker is off the list or has lost the role (G-69).

    Before the room is in operation no shift ends a request. It is empty where the request waits.
    """
    people, calendar = state.of(PEOPLE), state.of(books.ROOM)
    asker = people.named(pending.by)
    if asker is not None and not asker.active:
        return f"{asker.name} no longer works here."
    if asker is not None and one_role(pending.role) not in asker.roles:
        return f"{asker.name} is no longer {one_role(pending.role)}."
    if calendar is not None and people.in_operation:
        asked = calendar.shift(books.EPOCH + datetime.timedelta(microseconds=pending.asked))
        if books.EPOCH + datetime.timedelta(microseconds=at) >= asked.ends:
            return f"The {asked.name} shift is over."
    return ""


def approval_problems(
    state: books.BookState, pending: Pending, name: str, roles: frozenset[str], at: int | None = None
) -> list[str]:
    """Return everything that speaks against somebody giving a request now, beside what it does."""
    problems, instant = pending.problems(name, roles), state.recorded if at is None else at
    cls = BY_NAME.get(pending.what)
    try:
        login = "" if cls is None else read_fields(cls, dict(pending.said)).concerns()
    except InvalidCommandError:
        login = ""
    problems += second_problems(state.of(PEOPLE), login, By(pending.by, pending.role, By(name, "")), instant)
    if reason := ended_because(state, pending, instant):
        problems.append(f"request {pending.number} has ended: {reason} Submit it again (G-69)")
    return problems


def is_waiting(answer: books.Answer) -> bool:
    """True if a command was not carried out, but waits for a second person."""
    return any(entry.kind == ApprovalAsked.KIND for entry in answer.entries)


class Approvals:
    """The requests of a room that wait for a second person."""

    def __init__(
        self,
        executor: Executor,
        commands: Mapping[str, type[Command]],
        after: Callable[[Command], None] = lambda _: None,
    ) -> None:
        self._executor, self._commands, self._after = executor, commands, after

    @property
    def waiting(self) -> Waiting:
        """The requests that wait now."""
        return self._executor.services.state.of(APPROVALS)

    def ask(self, command: Command, by: By, *, id: str, happened: int | None = None) -> books.Answer:  # noqa: A002
        """Request approval; what could not be done now is refused at once."""
        spec = command.spec
        tried = self._executor.submission(
            command, replace(by, approver=By(SOMEBODY, spec.second_role(by.role))), id=id, happened=happened
        )
        payload = write_fields(command)
        value = ApprovalAsked(
            what=spec.name, said=books.canonical(payload), role=by.role, approvers=spec.approvers_of(by.role)
        )

        def decide(state: books.BookState) -> list[books.Draft]:
            refuse(_number_problems(state, by, self._executor.services.clock()))
            self._executor.services.books.check(tried, state)
            return [books.Draft(replace(value, prize_cents=_prize_cents(tried.decide(state))))]

        return self._submit(id, by.name, ["ask", spec.name, payload, by.role], decide, tried.table)

    def give(
        self,
        number: int,
        *,
        name: str,
        roles: frozenset[str],
        id: str,  # noqa: A002
        console: str | None = None,
    ) -> books.Answer:
        """Approve a request and carry it out, both or neither; `console` is the table where a PIN approves it."""
        content = ["give", number, name]
        pending = self.waiting.get(number)
        if pending is None:
            return self._given_before(number, id, content)
        clock = self._executor.services.clock
        refuse(approval_problems(self._executor.services.state, pending, name, roles, clock()))
        command = read_fields(self._commands[pending.what], pending.said)
        givers = [role for role in pending.approvers if role in pending.givers & roles]
        # Of a request of before, a role that may still give it goes first.
        giver = By(name, min(givers, key=lambda role: role not in command.spec.approvers), console=console)
        inner = self._executor.submission(command, By(pending.by, one_role(pending.role), giver), id=id)
        value = ApprovalGiven(approval=number, by=name, role=giver.role)

        def decide(state: books.BookState) -> list[books.Draft]:
            if number not in state.of(APPROVALS):
                raise books.RefusedError([f"approval {number} does not wait"])
            refuse(approval_problems(state, pending, name, roles, clock()))
            return [books.Draft(value), *inner.decide(state)]

        answer = self._submit(id, inner.actor, content, decide, inner.table)
        self._after(command)
        return answer

    def _given_before(self, number: int, id: str, content: Any) -> books.Answer:  # noqa: A002
        """Return the answer of the first time to what was sent again; else there is nothing to approve."""
        request = self._executor.services.books.store.entry(BOOK, number)
        if request is None or request.kind != ApprovalAsked.KIND:
            raise books.RefusedError([f"approval {number} does not wait"])
        return self._submit(id, request.actor, content, _nothing_waits(number), request.table)

    def refuse(
        self,
        number: int,
        *,
        name: str,
        roles: frozenset[str],
        words: str,
        id: str,  # noqa: A002
        console: str | None = None,
    ) -> books.Answer:
        """Refuse an approval, or take back what one has asked for; `console` is the table where a PIN does it."""

        def decide(state: books.BookState) -> list[books.Draft]:
            pending = state.of(APPROVALS).get(number)
            if pending is None:
                raise books.RefusedError([f"approval {number} does not wait"])
            problems = [] if pending.is_of(name) else pending.problems(name, roles)
            refuse([*problems, *self._console_problems(pending, By(name, "", console=console))])
            return [books.Draft(ApprovalRefused(approval=number, by=name, words=words))]

        return self._submit(id, name, ["refuse", number, words], decide)

    def _console_problems(self, pending: Pending, by: By) -> list[str]:
        """Return what speaks against declining a request by PIN: what a PIN may not do, it does not decline."""
        try:
            command = read_fields(self._commands[pending.what], pending.said)
        except (InvalidCommandError, LookupError):
            return [] if by.console is None else ["sign in with your password to decline this request (G-49)"]
        return self._executor.services.actor_problems(command, by)

    def end_over(self, *, id: str) -> None:  # noqa: A002
        """Write down which requests have ended with their shift or their asker."""
        at = self._executor.services.clock()
        for number, pending in self.waiting.items():
            if reason := ended_because(self._executor.services.state, pending, at):
                ended = ApprovalRefused(approval=number, by=SYSTEM_ACTOR.name, words=reason)
                self._submit(f"{id}-{number}", SYSTEM_ACTOR.name, ["end", number], _once(number, ended))

    def _submit(
        self,
        id: str,  # noqa: A002
        actor: str,
        content: Any,
        decide: Callable[[books.BookState], list[books.Draft]],
        table: str = "",
    ) -> books.Answer:
        refuse(id_problems(id, By(actor, "")))
        submission = books.Submission(book=BOOK, id=id, actor=actor, content=content, decide=decide, table=table)
        return self._executor.services.books.submit(submission)


def _number_problems(state: books.BookState, by: By, at: int) -> list[str]:
    """Return that somebody has as many requests waiting as one person may (G-69)."""
    most = law.value_on("requests_waiting_max", (books.EPOCH + datetime.timedelta(microseconds=at)).date())
    waiting = [pending for pending in state.of(APPROVALS).values() if pending.is_of(by.name)]
    live = [pending for pending in waiting if not ended_because(state, pending, at)]
    text = f"{by.name} has {len(live)} requests waiting, and no one has more: withdraw one first"
    return [f"{text} (G-69)"] if len(live) >= most else []


def _once(number: int, value: books.Payload) -> Callable[[books.BookState], list[books.Draft]]:
    return lambda state: [books.Draft(value)] if number in state.of(APPROVALS) else []


def _prize_cents(drafts: Iterable[books.Draft]) -> int:
    """Return what entries would call for winners: of an earlier round the journal alone knows the amount (G-58)."""
    movements = [draft.value for draft in drafts if isinstance(draft.value, books.Movement)]
    called = [movement.details for movement in movements if movement.kind == "prize-called"]
    return sum(cents for details in called if details.get("step") == "call" for _, _, cents in details["won"])


def undoable_acts(commands: Iterable[type[Command]], people: Iterable[Person]) -> dict[str, tuple[CommandSpec, ...]]:
    """Return what these people cannot do because it needs two of different roles, by the pairs that could (G-31)."""
    roles_by_login = {person.login: frozenset(person.roles) for person in people if person.active}
    acts: dict[str, tuple[CommandSpec, ...]] = {}
    always = [cls for cls in commands if cls.needs_second is Command.needs_second]
    for spec in (cls.spec for cls in always):
        if spec.approvers and not _is_doable(spec, roles_by_login):
            pairs = " or ".join(f"{role} with {'/'.join(spec.approvers_of(role))}" for role in spec.roles)
            acts[pairs] = (*acts.get(pairs, ()), spec)
    return acts


def _is_doable(spec: CommandSpec, roles_by_login: Mapping[str, frozenset[str]]) -> bool:
    return any(
        set(spec.approvers_of(role)) & giver
        for login, asker in roles_by_login.items()
        for role in asker & set(spec.roles)
        for other, giver in roles_by_login.items()
        if other != login
    )


def _nothing_waits(number: int) -> Callable[[books.BookState], list[books.Draft]]:
    def decide(_: books.BookState) -> list[books.Draft]:
        raise books.RefusedError([f"approval {number} does not wait"])

    return decide
