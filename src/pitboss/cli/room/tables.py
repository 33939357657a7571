"""Tables at the terminal: what stands there, and what people do there.

Each verb that changes something builds the command that pages and the API build, and has the room carry it out.
"""

import datetime
import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.books import Answer, RefusedError, WriterLockedError, instant_text, plain
from pitboss.cli.arguments import read_file
from pitboss.cli.books.sources import explaining, open_store, state_of, time_of
from pitboss.cli.output import BROKEN_RULE, console, plain_table, show_problems, whole_number
from pitboss.cli.room.served import do_through, served_room, signed_in_here
from pitboss.commands import By, Command, InvalidCommandError, is_same_person, read_fields, write_fields
from pitboss.commands.command import BOOK
from pitboss.games import all_games
from pitboss.jackpot import Offer, with_chances
from pitboss.papers.posting import review_papers, unposted
from pitboss.room.approvals import is_waiting
from pitboss.room.commands import BY_NAME
from pitboss.room.configurations import configuration_at
from pitboss.room.people.people import PEOPLE, People
from pitboss.room.room import Room
from pitboss.room.services import Counted, HitProbabilities, HouseEdges
from pitboss.room.settings import gambling_day_of
from pitboss.rules import parse_dollars
from pitboss.table import Configuration
from pitboss.tabulator import TABLES, RoomTables, TableRecord, models
from pitboss.tabulator.setup import DOWN_STEPS, notices, read_setup, setup_problems
from pitboss.tabulator.table_log import TABLE_LOG

_HOUR = 60 * 60 * 1_000_000


@explaining
def show_tables(path: Path, book: str, table: str | None, *, as_json: bool) -> int:
    """Show the tables of a book; a data directory as of now, a backup as of its last entry."""
    with open_store(path) as store:
        state = state_of(store, book)
    room, now = state.of(TABLES), time_of(path, state)
    if table is not None and table not in room.tables:
        raise RefusedError([f"there is no table {table!r}; there are: {', '.join(room.tables) or 'none'}"])
    if as_json:
        print(json.dumps(_json(room, now), indent=2))
    elif table is not None:
        _show_table(room.tables[table])
    else:
        _show_room(room, book, now)
    return 0


def _json(room: RoomTables, now: int) -> dict[str, Any]:
    return {
        "as_of": now,
        "tables": {
            name: {field: plain(value) for field, value in record._asdict().items() if field != "rounds"}
            | {"rounds": [_named(played) for played in record.rounds]}
            for name, record in room.tables.items()
        },
        "devices": {name: _named(device) for name, device in room.devices.items()},
        "alarms": [_named(alarm) for alarm in room.alarms.values()],
        "malfunctions": [
            _named(malfunction) | {"overdue": malfunction.is_overdue(now)} for malfunction in room.malfunctions.values()
        ],
    }


def _named(value: Any) -> dict[str, Any]:
    return {field: plain(member) for field, member in value._asdict().items()}


def _show_room(room: RoomTables, book: str, now: int) -> None:
    console.print(f"book {book}, as of {instant_text(now)}")
    table = plain_table("table", "game", "equipment", "is", "round>", "on it", "dealer", "rounds>", "wagers>", "device")
    for record in room.tables.values():
        setup, device = record.setup, room.devices.get(record.setup.device)
        line = "" if device is None else f"{device.device}, {'lost' if device.lost else f'message {device.sequence}'}"
        table.add_row(
            record.table,
            setup.game,
            setup.model,
            _life(record),
            str(record.round),
            "tabulated" if record.phase == "tabulated" else "",
            record.dealer,
            f"{record.rounds_counted:,}",
            f"{record.wagers_counted:,}",
            line,
        )
    console.print(table if room.tables else "no tables")
    for alarm in room.alarms.values():
        console.print(f"alarm {alarm.key}, entry {alarm.sequence}: {alarm.words}", markup=False)
    for malfunction in room.malfunctions.values():
        hours = (malfunction.due - now) // _HOUR
        left = f"to be reported within {hours} hours" if not malfunction.is_overdue(now) else "NOT REPORTED IN TIME"
        status = (
            f"reported as {malfunction.reference}"
            if malfunction.reported is not None and not malfunction.is_overdue(now)
            else left
        )
        console.print(
            f"malfunction {malfunction.number} of table {malfunction.table}: {malfunction.words}; {status}",
            markup=False,
        )


def _life(record: TableRecord) -> str:
    if record.down is not None:
        return f"{record.life}, equipment down ({record.down.method})"
    return {"suspended": "open, jackpots suspended"}.get(record.life, record.life)


def _show_table(record: TableRecord) -> None:
    setup = record.setup
    console.print(f"table {record.table}: {setup.game}, {setup.equipment.title}, {_life(record)}", markup=False)
    seats = [str(seat) for seat in range(1, setup.seats + 1)]
    for place, step in enumerate(() if record.down is None else DOWN_STEPS[record.down.method], start=1):
        console.print(f"  {place}. {step}", markup=False)
    if setup.counts_nothing:
        console.print("it has no equipment and no jackpot, and counts nothing")
    table = plain_table("wagers", *(f"{seat}>" for seat in seats), "together>")
    for wager in setup.wagers:
        counts, back = record.counts.get(wager, {}), record.reversed.get(wager, {})
        net = [counts.get(seat, 0) - back.get(seat, 0) for seat in seats]
        table.add_row(wager, *(f"{count:,}" if count else "" for count in net), f"{sum(net):,}")
    if setup.wagers:
        console.print(table)
    rounds = plain_table("round>", "pressed", "dealer", "from", "seats", "late", "")
    for played in record.rounds[-5:]:
        counted = "; ".join(f"{wager} {', '.join(map(str, there))}" for wager, there in played.counted.items() if there)
        late = ", ".join(f"{position}.{number}" for position, number in played.late)
        note = "void" if played.voided else (f"last of {played.rounds}" if played.rounds > 1 else "")
        rounds.add_row(
            str(played.round),
            instant_text(played.happened)[:19],
            played.dealer,
            played.source,
            counted,
            late,
            note,
        )
    console.print(rounds)


def show_models(*, as_json: bool) -> int:
    """List the models."""
    games = {name: [game.name for game in all_games() if _may_use(game.approval, name)] for name in models()}
    if as_json:
        print(json.dumps([model.to_json() | {"games": games[name]} for name, model in models().items()], indent=2))
        return 0
    table = plain_table("model", "sensors>", "positions>", "lights", "counts come", "jackpots", "games", "source")
    for name, model in models().items():
        codes = [game.code for game in all_games() if game.name in games[name]]
        table.add_row(
            name,
            str(model.sensors),
            str(model.positions),
            model.lights,
            model.counts,
            ", ".join(model.jackpots),
            ", ".join(codes),
            model.source.id,
        )
    console.print(table)
    return 0


def _may_use(approval: Any, model: str) -> bool:
    return model in approval.equipment or (model == "none" and not approval.equipment_required)


@explaining
def check_setup(file: Path, on: str | None, *, as_json: bool) -> int:
    """Check a table's equipment."""
    try:
        day = datetime.datetime.now(tz=datetime.UTC).date() if on is None else datetime.date.fromisoformat(on)
    except ValueError:
        raise RefusedError([f"--on {on!r} must be a date such as 2026-11-16"]) from None
    setup = read_setup(file.read_text(encoding="utf-8"))
    problems = setup_problems(setup, day)
    confirmations = [] if problems else notices(setup)
    if as_json:
        content = {
            "setup": setup.to_json(),
            "problems": [*map(str, problems)],
            "to_confirm": [*map(str, confirmations)],
        }
        print(json.dumps(content, indent=2))
    elif problems:
        show_problems(problems, f"{file}: this table may not be set up so")
    else:
        console.print(f"{escape(str(file))}: table {escape(setup.table)} may be set up with {setup.equipment.title}")
        for confirmation in confirmations:
            console.print(f"  must be confirmed: {confirmation}", markup=False)
    return BROKEN_RULE if problems else 0


def _by(people: People, cls: type[Command], person: str, role: str, approved_by: str) -> By:
    """Return who acts: in the role that is named, else as a supervisor where one may.

    Who is a person of the room acts and approves in a role of theirs alone (G-31).
    """
    spec = cls.spec
    role = role or _role(people, person, sorted(spec.roles, key=lambda each: each != "supervisor"))
    # Who needs a second person names one here: the terminal asks nobody.
    if not spec.approvers:
        return By(person, role)
    return By(person, role, By(approved_by, _role(people, approved_by, spec.approvers_of(role) or spec.approvers)))


@contextmanager
def room_at_hand(path: Path, person: str, approved_by: str) -> Iterator[tuple[Room, Callable[[Command], Answer]]]:
    """Open a room, and return it with how a command is carried out in it, by who sits at this terminal.

    Until the room has people, whoever types is taken at their word. Where nobody approves, it is asked for.
    """
    with Room(path) as room:
        room.services.edges, room.services.probabilities = counters()
        is_trusted = not room.state.of(PEOPLE).people

        def carry(command: Command) -> Answer:
            if not is_trusted:
                by = _signed_in(room, type(command), person, "")
            elif person.strip():
                by = _by(room.state.of(PEOPLE), type(command), person, "", approved_by)
            else:
                raise RefusedError(["--person: say who does it"])
            asked = by if approved_by or not is_trusted else By(by.name, by.role)
            return room.do(command, asked, id=f"terminal-{uuid.uuid4()}")

        yield room, carry
        if not is_trusted:
            room.access.forget_removed()


def _role(people: People, name: str, roles: Sequence[str]) -> str:
    """Return the first of the roles that somebody has; who is no person of the room is taken at their word."""
    person = people.named(name)
    if person is None:
        return roles[0]
    return next((role for role in roles if role in person.roles), person.roles[0])


def show_waiting(answer: Answer) -> bool:
    """Print that a command waits for a second person, and return True, where it does."""
    if not is_waiting(answer):
        return False
    number = answer.entries[0].sequence
    console.print(
        f"Submitted for approval: request {number}. Another person approves it in the browser, or with their own "
        f"token by `pitboss approve DIR {number}`.",
        markup=False,
    )
    return True


def _show_answer(answer: Answer, *, as_json: bool) -> int:
    if not as_json and show_waiting(answer):
        return 0
    if as_json:
        entries = [
            {"sequence": entry.sequence, "kind": entry.kind, "payload": json.loads(entry.payload)}
            for entry in answer.entries
        ]
        print(json.dumps({"entries": entries, "head": answer.head}, indent=2))
        return 0
    for entry in answer.entries:
        console.print(f"entry {entry.sequence}: {entry.kind} {escape(entry.payload)}")
    console.print(f"head {answer.head}")
    return 0


def carry_out(
    room: Room, name: str, fields: Mapping[str, Any], person: str, role: str = "", approved_by: str = ""
) -> Answer:
    """Build a registered command from its fields and have the room carry it out."""
    cls = BY_NAME[name]
    try:
        command = read_fields(cls, dict(fields))
    except InvalidCommandError as error:
        raise RefusedError(error.problems) from None
    people = room.state.of(PEOPLE)
    by = _signed_in(room, cls, person, role) if people.people else _by(people, cls, person, role, approved_by)
    return room.do(command, by, id=f"terminal-{uuid.uuid4()}")


def _signed_in(room: Room, cls: type[Command], typed: str, role: str) -> By:
    """Return who has signed in at this terminal, in a role of theirs; a second person approves by their own sign-in."""
    person = signed_in_here(room)
    if typed and not is_same_person(typed, person.name):
        raise RefusedError([f"the token at this terminal is that of {person.name}, not of {typed} (G-71)"])
    wanted = [role] if role else sorted(cls.spec.roles, key=lambda each: each != "supervisor")
    own = [each for each in wanted if each in person.roles]
    if not own:
        raise RefusedError([f"{person.name} is no {' and no '.join(wanted)} (T-06, G-71)"])
    return By(person.name, own[0])


@explaining
def do_command(
    path: Path,
    name: str,
    fields: Mapping[str, Any],
    person: str,
    *,
    role: str = "",
    approved_by: str = "",
    as_json: bool,
) -> int:
    """Open the room, carry one command out, and print its entries; through its server where one runs."""
    try:
        with Room(path) as room:
            room.services.edges, room.services.probabilities = counters()
            answer = carry_out(room, name, fields, person, role, approved_by)
    except WriterLockedError:
        if (served := served_room(path)) is None:
            raise
        return do_through(served, name, fields, person, as_json=as_json)
    return _show_answer(answer, as_json=as_json)


def counters() -> tuple[HouseEdges, HitProbabilities]:
    """Return how commands have odds counted in this process, as a server has its worker count them."""

    def count_edges(_: float, configuration: Configuration) -> Counted:
        from pitboss import odds  # noqa: PLC0415

        return Counted("ready", odds.house_edges(configuration), "")

    def count_offer(_: float, offer: dict[str, Any], jackpot_type: str) -> Counted:
        from pitboss import odds  # noqa: PLC0415

        counted = with_chances(Offer.from_json(offer), jackpot_type=jackpot_type, store=odds.default_store())
        return Counted("ready", {"chances": [[event, str(chance)] for event, chance in counted.chances]}, "")

    edges, probabilities = HouseEdges(), HitProbabilities()
    edges.count, probabilities.count = count_edges, count_offer
    return edges, probabilities


@explaining
def post_configuration(
    path: Path, table: str, file: Path, person: str, approved_by: str, more: dict[str, str], *, as_json: bool
) -> int:
    """Post a configuration at a table: at once between rounds, or from a time on."""
    fields = {"table": table, "configuration": read_file(file), **more}
    return do_command(path, "tables/post", fields, person, approved_by=approved_by, as_json=as_json)


@explaining
def post_papers(path: Path, table: str, person: str, *, as_json: bool) -> int:
    """Mark every paper of a table that does not hang there as it is now as posted."""
    with open_store(path) as store:
        state = state_of(store, BOOK)
        papers = unposted(state, table, gambling_day_of(state, time_of(path, state)))
    # A server looks every few seconds what papers say; where none runs nobody has.
    with suppress(WriterLockedError), Room(path) as room:
        review_papers(room)
    return do_command(path, "papers/post", {"table": table, "papers": papers}, person, as_json=as_json)


@explaining
def do_any(path: Path, name: str, fields: str, person: str, role: str, approved_by: str, *, as_json: bool) -> int:
    """Carry out any command of the room by its name, with its fields as the API takes them."""
    command = BY_NAME.get(name)
    if command is None or not command.spec.is_exposed:
        names = ", ".join(sorted(known for known, cls in BY_NAME.items() if cls.spec.is_exposed))
        raise RefusedError([f"there is no command {name!r}; there are: {names}"])
    text = read_file(Path(fields[1:])) if fields.startswith("@") else fields
    try:
        content = json.loads(text)
    except ValueError as error:
        raise RefusedError([f"the fields are no JSON: {error}"]) from None
    if not isinstance(content, dict):
        raise RefusedError(["the fields must be a JSON object"])
    return do_command(path, name, content, person, role=role, approved_by=approved_by, as_json=as_json)


def _numbers(text: str) -> list[int]:
    numbers = [whole_number(part.strip()) for part in text.split(",") if part.strip()]
    if None in numbers:
        raise RefusedError([f"{text!r} must be seats such as 1,3,6"])
    return [number for number in numbers if number is not None]


def _wager(text: str) -> tuple[str, str]:
    wager, equals, rest = text.partition("=")
    if not equals or not wager:
        raise RefusedError([f"{text!r} must be a wager and its seats, such as prime=1,3"])
    return wager, rest


@explaining
def set_up(
    path: Path, file: Path, person: str, approved_by: str, reason: str, since: str | None, *, as_json: bool
) -> int:
    """Set a table up from a file."""
    fields = {"setup": write_fields(read_setup(file.read_text(encoding="utf-8"))), "words": reason, "since": since}
    return do_command(path, "tables/set-up", fields, person, approved_by=approved_by, as_json=as_json)


def _paper(text: str) -> dict[str, str]:
    kind, equals, rest = text.partition("=")
    number, colon, day = rest.rpartition(":")
    if not (equals and colon):
        raise RefusedError([f"{text!r} must be a paper such as internal-controls=IC-26-014:2026-10-01"])
    return {"kind": kind, "number": number, "day": day}


@explaining
def record_approval(
    path: Path, fields: Mapping[str, Any], papers: Sequence[str], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Record the papers of the game that a table is set up for, or configured with."""
    with open_store(path) as store:
        state = state_of(store, BOOK)
    table = fields["table"]
    record, configuration = state.of(TABLES).tables.get(table), configuration_at(state, table)
    if record is None and configuration is None:
        raise RefusedError([f"there is no table {table!r}: set it up first (T-09)"])
    game = record.setup.game if record is not None else configuration.game  # type: ignore[union-attr]
    content = {**fields, "game": game, "papers": [_paper(paper) for paper in papers]}
    return do_command(path, "tables/record-approval", content, person, approved_by=approved_by, as_json=as_json)


@explaining
def show_log(path: Path, book: str, table: str | None, *, as_json: bool) -> int:
    """Show the decks and the shufflers of tables as they stand."""
    with open_store(path) as store:
        log = state_of(store, book).of(TABLE_LOG)
    decks = [deck for deck in log.decks.values() if table in (None, deck.table)]
    shufflers = {name: record for name, record in log.shufflers.items() if table in (None, name)}
    if as_json:
        content = {
            "decks": [*map(_named, decks)],
            "shufflers": {name: _named(each) for name, each in shufflers.items()},
        }
        print(json.dumps(content, indent=2))
        return 0
    listing = plain_table("deck", "maker", "in play at", "since", "inspected by", "washed by")
    for deck in decks:
        since = instant_text(deck.since)[:19] if deck.table else ""
        listing.add_row(deck.deck, deck.maker, deck.table, since, deck.inspected_by, deck.washed_by)
    console.print(listing if decks else "no decks")
    listing = plain_table("table", "shuffler", "maker", "approval", "of", "recorded by", "approved by")
    for name, each in shufflers.items():
        listing.add_row(name, each.model, each.maker, each.approval, each.day, each.by, each.approved_by)
    console.print(listing if shufflers else "no shufflers")
    return 0


@explaining
def set_shuffler(
    path: Path, fields: dict[str, Any], approval: str, person: str, approved_by: str, *, as_json: bool
) -> int:
    """Record the shuffler of a table."""
    if approval:
        number, colon, day = approval.rpartition(":")
        if not colon:
            raise RefusedError([f"{approval!r} must be an approval and its day, such as WS-17:2026-01-05"])
        fields |= {"approval": number, "day": day}
    return do_command(path, "tables/set-shuffler", fields, person, approved_by=approved_by, as_json=as_json)


@explaining
def name_seats(
    path: Path, fields: dict[str, Any], seats: Sequence[str], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Name the seats of a round of which only totals were entered."""
    fields |= {"seats": {wager: _numbers(rest) for wager, rest in map(_wager, seats)}}
    return do_command(path, "tables/name-seats", fields, person, approved_by=approved_by, as_json=as_json)


@explaining
def confirm_display(path: Path, name: str, amounts: Sequence[str], person: str, *, as_json: bool) -> int:
    """Confirm the amounts that a sign shows."""
    shown: dict[str, int] = {}
    for text in amounts:
        jackpot, equals, rest = text.rpartition("=")
        try:
            shown[jackpot] = parse_dollars(rest)
        except ValueError:
            equals = ""
        if not equals:
            raise RefusedError([f"{text!r} must be a jackpot and what it shows, such as main=10000.00"])
    return do_command(path, "displays/confirm", {"name": name, "amounts": shown}, person, as_json=as_json)


@explaining
def press(path: Path, name: str, table: str, person: str, seats: Sequence[str], *, as_json: bool) -> int:
    """Press at the console, or state the lights of a panel whose logger speaks later."""
    wagers = {wager: _numbers(rest) for wager, rest in map(_wager, seats)}
    return do_command(path, name, {"table": table, "seats": wagers}, person, role="dealer", as_json=as_json)


@explaining
def correct(
    path: Path,
    fields: dict[str, Any],
    causes: Mapping[str, str],
    person: str,
    role: str,
    approved_by: str,
    *,
    as_json: bool,
) -> int:
    """Correct a counted round; after the next press by two people."""
    chosen = [(cause, text) for cause, text in causes.items() if text]
    if len(chosen) != 1:
        raise RefusedError(["name one of --missed, --miscounted and --refunded (G-11)"])
    cause, (wager, rest) = chosen[0][0], _wager(chosen[0][1])
    fields |= {"wager": wager, "cause": cause, "seats": _numbers(rest)}
    name = "tables/correct-earlier" if approved_by else "tables/correct"
    return do_command(path, name, fields, person, role=role, approved_by=approved_by, as_json=as_json)


@explaining
def call_found(
    path: Path, fields: dict[str, Any], prizes: Sequence[str], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Call prizes of an earlier round."""
    claims = []
    for text in prizes:
        seat, equals, row = text.partition("=")
        number = whole_number(seat.strip())
        if number is None or not equals:
            raise RefusedError([f"{text!r} must be a seat and a row, such as '5=4-card Royal'"])
        claims.append({"seat": number, "row": row.strip()})
    fields |= {"claims": claims}
    return do_command(path, "hits/call-found", fields, person, approved_by=approved_by, as_json=as_json)


@explaining
def enter_counts(
    path: Path, fields: dict[str, Any], seats: Sequence[str], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Enter counts of rounds that were played by hand."""
    wagers: dict[str, dict[str, int]] = {}
    for wager, rest in map(_wager, seats):
        pairs = [pair.split(":") for pair in rest.split(",") if pair.strip()]
        numbers = [[whole_number(part.strip()) for part in pair] for pair in pairs]
        if any(len(pair) != 2 or None in pair for pair in numbers):
            raise RefusedError([f"{rest!r} must be seats and counts such as 1:3,4:2"])
        wagers[wager] = {str(seat): int(count or 0) for seat, count in numbers}
    fields |= {"wagers": wagers}
    return do_command(path, "tables/enter-counts", fields, person, approved_by=approved_by, as_json=as_json)
