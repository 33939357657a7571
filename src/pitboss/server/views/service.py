"""Table service: everything that is done at a table besides dealing, each as a form with its button and its fields."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.books import LEDGER, BookState
from pitboss.commands import Command
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, escrow, jackpot_title
from pitboss.meters import units_of, units_text
from pitboss.room.dealing import dealing, lock
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.room.people.roles import READERS
from pitboss.room.room import room_zone
from pitboss.server.views.formatting import clock_text, iso_day, sentence
from pitboss.server.views.hits import either
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.server.views.paytables import titled
from pitboss.server.views.viewer import SOME_TEXT, Button, Viewer
from pitboss.tabulator import TABLES, TableRecord, outages, tables
from pitboss.tabulator.values import Malfunction

_PERSONS = ("A", "B", "C")
_STATUS = {"open": "Open", "closed": "Closed", "suspended": "Jackpots suspended"}
_METHODS = {"on-the-spot": "play manually", "suspend": "jackpots suspended"}


class ServiceField(NamedTuple):
    """A field of a form: its kind is text, number, check, choice or date."""

    name: str
    label: str
    kind: str = "text"
    choices: tuple[tuple[str, str], ...] = ()
    value: str = ""
    hint: str = ""
    is_required: bool = True


class ServiceForm(NamedTuple):
    """A form of one command: its address, title, fields and button, what it is for, and who approves it."""

    do: str
    title: str
    label: str
    button: Button
    fields: tuple[ServiceField, ...] = ()
    hint: str = ""
    approvers: str = ""
    hidden: tuple[tuple[str, str], ...] = ()
    grid: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = ()

    @property
    def key(self) -> str:
        """The name of the form on its page."""
        return "-".join((self.do, *(value for _, value in self.hidden)))


class ServiceGroup(NamedTuple):
    """Forms about the same thing, under a heading, with how it stands now."""

    key: str
    title: str
    facts: tuple[str, ...]
    forms: tuple[ServiceForm, ...]
    is_bad: bool = False


class ServiceView(NamedTuple):
    """A page of forms about one thing, as one person sees it: its title, how it stands, and links to other pages."""

    title: str
    subtitle: str
    status: str
    state: str
    address: str
    groups: tuple[ServiceGroup, ...]
    links: tuple[tuple[str, str], ...] = ()


def service_address(table: str) -> str:
    """Return the address of a table's service page."""
    return f"/floor/tables/{quote(table, safe='')}"


class _Forms:
    """Builds the forms that a viewer sees of a table."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer

    def form(
        self,
        command: Command,
        title: str,
        label: str,
        *fields: ServiceField,
        hint: str = "",
        hidden: tuple[tuple[str, str], ...] = (),
        grid: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = (),
    ) -> Iterator[ServiceForm]:
        """Yield the form of a command, where the viewer may ask for it."""
        button, spec = self._viewer.button(command), type(command).spec
        if button.is_shown:
            role = next(role for role in command.role_order() if role in self._viewer.roles)
            approvers = spec.approvers_of(role)
            yield ServiceForm(
                do=spec.name.rpartition("/")[2],
                title=title,
                label=f"{label}: submit for approval" if approvers else label,
                button=button,
                fields=fields,
                hint=hint,
                approvers=either(approvers) if approvers else "",
                hidden=hidden,
                grid=grid,
            )


def _reason(label: str = "Reason", hint: str = "") -> ServiceField:
    return ServiceField("words", label, hint=hint)


def _play(forms: _Forms, table: str) -> Iterator[ServiceForm]:
    note = ServiceField("words", "Note (optional)", is_required=False)
    yield from forms.form(tables.OpenTable(table=table), "Open table", "Open table", note)
    yield from forms.form(tables.CloseTable(table=table), "Close table", "Close table", note)
    suspend = tables.SuspendTable(table=table, words=SOME_TEXT)
    hint = "The game is dealt on; no jackpot wagers are taken at this table."
    yield from forms.form(suspend, "Suspend jackpots", "Suspend jackpots", _reason(), hint=hint)
    resume = tables.ResumeTable(table=table, words=SOME_TEXT)
    yield from forms.form(resume, "Resume jackpots", "Resume jackpots", _reason())


def _equipment(forms: _Forms, record: TableRecord) -> Iterator[ServiceForm]:
    table, method = record.table, _METHODS[record.setup.down_method]
    restore = outages.RestoreEquipment(table=table, rounds_played=0, words=SOME_TEXT)
    played = ServiceField("rounds_played", "Rounds dealt meanwhile", "number", hint="0 if none")
    entered = "" if record.down is None else f"{record.down.rounds_entered} entered so far."
    yield from forms.form(
        restore, "Return to service", "Return to service", played, _reason("What was done?"), hint=entered
    )
    down = outages.TakeDown(table=table, words=SOME_TEXT)
    hint = f"Meanwhile: {method}. The problem is logged, and its report to the Commission is due."
    yield from forms.form(down, "Take out of service", "Take out of service", _reason("What's wrong?"), hint=hint)
    by_hand = outages.GoByHand(table=table, words=SOME_TEXT)
    hint = f"For a table whose link is lost: {method}."
    yield from forms.form(by_hand, "Go on without the link", "Go on without the link", _reason(), hint=hint)
    grid = tuple(
        (f"{wager}|{_wager_title(record, wager)}", tuple((seat, f"Seat {seat}") for seat in _seats(record)))
        for wager in record.setup.wagers
    )
    counts = outages.EnterCounts(table=table, rounds=1, wagers={}, words=SOME_TEXT)
    rounds = ServiceField("rounds", "Rounds played manually", "number")
    yield from forms.form(
        counts,
        "Enter manual counts",
        "Enter counts",
        rounds,
        _reason("Source", "e.g. the dealer's tally sheet"),
        grid=grid,
    )


def _seats(record: TableRecord) -> range:
    return range(1, record.setup.seats + 1)


def _wager_title(record: TableRecord, wager: str) -> str:
    known = find_game(record.setup.game).by_name.get(wager)
    return wager if known is None else titled(known.title)


def _problem_forms(forms: _Forms, record: TableRecord) -> Iterator[ServiceForm]:
    table, one_wager = record.table, len(record.setup.wagers) == 1
    places = tuple(
        (
            f"{sensor.position}.{sensor.number}",
            f"Seat {sensor.position}" + ("" if one_wager else f", {_wager_title(record, sensor.wager)}"),
        )
        for sensor in record.setup.sensors
    )
    sensor = ServiceField("place", "Sensor (optional)", "choice", (("", "not one sensor"), *places), is_required=False)
    hint = "Logs the problem and starts the Commission's clock; the equipment stays in service."
    malfunction = outages.RecordMalfunction(table=table, words=SOME_TEXT)
    yield from forms.form(
        malfunction, "Log a problem", "Log problem", _reason("What's wrong?"), *((sensor,) if places else ()), hint=hint
    )


def _follow_up(forms: _Forms, malfunction: Malfunction) -> Iterator[ServiceForm]:
    hidden = (("malfunction", str(malfunction.number)),)
    text = malfunction.words
    if malfunction.reported is None:
        report = outages.ReportMalfunction(malfunction=malfunction.number, reference=SOME_TEXT)
        reference = ServiceField("reference", "Commission reference no.")
        yield from forms.form(report, f"Reported: {text}", "Mark as reported", reference, hidden=hidden)
    if not malfunction.mended:
        mend = outages.EndMalfunction(malfunction=malfunction.number, words=SOME_TEXT)
        yield from forms.form(mend, f"Repaired: {text}", "Mark as repaired", _reason("What was done?"), hidden=hidden)


def _malfunction_text(malfunction: Malfunction, zone: ZoneInfo) -> str:
    due = clock_text(malfunction.due, zone, with_day=True)
    if malfunction.reported is None:
        reported = f"Report to the Gambling Commission by {due}."
    else:
        reported = f"Reported: {malfunction.reference}."
    repaired = " Repaired." if malfunction.mended else ""
    since = clock_text(malfunction.known, zone, with_day=True)
    return f"{sentence(malfunction.words)} Since {since}. {reported}{repaired}"


def _problems(state: BookState, forms: _Forms, record: TableRecord, zone: ZoneInfo) -> ServiceGroup:
    known = [item for item in state.of(TABLES).malfunctions.values() if item.table == record.table]
    follow = [form for malfunction in known for form in _follow_up(forms, malfunction)]
    facts = tuple(_malfunction_text(malfunction, zone) for malfunction in known) or ("No open problems.",)
    return ServiceGroup("problems", "Problems", facts, (*follow, *_problem_forms(forms, record)), bool(known))


def _counter(forms: _Forms, record: TableRecord) -> ServiceGroup | None:
    if not record.setup.equipment.counter:
        return None
    last = record.reading
    fact = "Never read."
    if last is not None:
        fact = f"Last reading {last.reading}: {iso_day(last.day)}, {last.shift.capitalize()} shift, {last.by}."
    read = outages.ReadCounter(table=record.table, reading=0 if last is None else last.reading)
    fields = (
        ServiceField("reading", "Counter shows", "number"),
        ServiceField("rolled_over", "The counter rolled over to zero", "check", is_required=False),
        ServiceField("replaced", "The counter was replaced", "check", is_required=False),
        ServiceField("words", "Note (required if rolled over or replaced)", is_required=False),
    )
    form = forms.form(read, "Record counter reading", "Save reading", *fields)
    return ServiceGroup("counter", "Counter", (fact,), tuple(form))


def _same_player(forms: _Forms, record: TableRecord) -> ServiceGroup:
    persons = [("", "on their own"), *((name, f"Player {name}") for name in _PERSONS)]
    marked = {seat: _PERSONS[place] for place, seats in enumerate(record.persons[: len(_PERSONS)]) for seat in seats}
    fields = tuple(
        ServiceField(f"person:{seat}", f"Seat {seat}", "choice", tuple(persons), marked.get(seat, ""), "", False)
        for seat in _seats(record)
    )
    texts = [" and ".join(map(str, seats)) for seats in record.persons]
    facts = tuple(f"One player at seats {text}." for text in texts) or ("Every seat has its own player.",)
    mark = tables.MarkSeats(table=record.table, persons=record.persons)
    hint = "Choose the same player for every seat that one person plays."
    form = forms.form(mark, "One player at several seats", "Save seats", *fields, hint=hint)
    return ServiceGroup("seats", "Seats", facts, tuple(form))


def _link(state: BookState, forms: _Forms, record: TableRecord, zone: ZoneInfo) -> ServiceGroup | None:
    device = state.of(TABLES).devices.get(record.setup.device)
    if device is None:
        return None
    lost = f" Link lost since {clock_text(device.since, zone, with_day=True)}." if device.lost else ""
    facts = (f"{device.device}: last message processed no. {device.sequence}.{lost}",)
    give_up = outages.GiveUpMessages(device=device.device, last=device.sequence + 1, words=SOME_TEXT)
    last = ServiceField("last", "Write off up to message no.", "number")
    hint = "Only for messages that will never arrive. The messages after them are then processed."
    form = forms.form(
        give_up,
        "Write off lost messages",
        "Write off",
        last,
        _reason(),
        hint=hint,
        hidden=(("device", device.device),),
    )
    return ServiceGroup("link", "Table link", facts, tuple(form), device.lost)


def _dealing(state: BookState, forms: _Forms, table: str) -> ServiceGroup:
    current = state.of(DEALING).get(table, TableDealing())
    money = " for play money" if current.money == "play" else " for real money"
    fact = "Physical cards." if current.cards == "physical" else f"Pitboss deals the cards{money}."
    fields = (
        ServiceField(
            "cards", "Cards", "choice", (("physical", "Physical cards"), ("dealt", "Dealt by Pitboss")), current.cards
        ),
        ServiceField("money", "Money", "choice", (("play", "Play money"), ("real", "Real money")), current.money),
        ServiceField("approval", "Approval no. and date (real money)", value=current.approval, is_required=False),
        _reason(),
    )
    change = dealing.SetDealing(table=table, cards="physical", words=SOME_TEXT)
    give_up = dealing.GiveUpDealt(table=table, words=SOME_TEXT)
    made = [*forms.form(change, "Change how cards are dealt", "Save", *fields)]
    if current.is_on:
        made += forms.form(give_up, f"Abandon dealt round {current.round}", "Abandon round", _reason())
    made += forms.form(lock.UnlockDealing(words=SOME_TEXT), "Unlock dealing", "Unlock dealing", _reason())
    return ServiceGroup("dealing", "Dealing", (fact,), tuple(made))


def _equipment_group(forms: _Forms, record: TableRecord, zone: ZoneInfo) -> ServiceGroup:
    title = record.setup.equipment.title
    facts = [f"{title}, {record.setup.seats} seats."]
    if record.down is not None:
        since = clock_text(record.down.since, zone, with_day=True)
        facts = [
            f"{title} out of service since {since}: {record.down.words}.",
            f"Meanwhile: {_METHODS[record.down.method]}.",
        ]
    return ServiceGroup(
        "equipment", "Equipment", tuple(facts), tuple(_equipment(forms, record)), record.down is not None
    )


def service_view(state: BookState, table: str, viewer: Viewer) -> ServiceView | None:
    """Return the service page of a table that is set up, without the forms that the viewer may not ask for."""
    record, zone = state.of(TABLES).tables.get(table), room_zone(state)
    if record is None:
        return None
    forms = _Forms(viewer)
    dealer = f"Dealer: {record.dealer}." if record.dealer else "No dealer is tapped in."
    status = _STATUS[record.life]
    groups = (
        ServiceGroup("table", "Table", (f"{status}, round {record.round}. {dealer}",), tuple(_play(forms, table))),
        _equipment_group(forms, record, zone),
        _problems(state, forms, record, zone),
        _counter(forms, record),
        _same_player(forms, record),
        _link(state, forms, record, zone),
        _dealing(state, forms, table),
    )
    shown = tuple(_ordered(group) for group in groups if group is not None and group.forms)
    address, game = service_address(table), find_game(record.setup.game).title
    links: tuple[tuple[str, str], ...] = ((f"/tables/{quote(table, safe='')}/console", "Console"),)
    if viewer.roles & set(READERS):
        links = (("/floor", "Floor"), (f"/office/tables/{quote(table, safe='')}", "Table setup"), *links)
    return ServiceView(f"Table {table}", game, status, record.life, address, shown, links)


def _ordered(group: ServiceGroup) -> ServiceGroup:
    """Return a group with what can be done now before what cannot."""
    return group._replace(forms=tuple(sorted(group.forms, key=lambda form: bool(form.button.problems))))


def reserve_address(name: str) -> str:
    """Return the address of the page for a jackpot's nondisplayed funds."""
    return f"{jackpot_address(name)}/reserve"


def reserve_view(state: BookState, name: str, viewer: Viewer) -> ServiceView | None:
    """Return the page for the nondisplayed funds of a progressive that was opened, as the viewer sees it."""
    record, accounts = state.of(JACKPOTS).jackpots.get(name), state.of(LEDGER).get(name)
    if record is None or accounts is None:
        return None
    meter, funds = accounts.meter_state, (("reserve", "Reserve"), ("overflow", "Overflow"))
    held = (f"Reserve: {units_text(meter.reserve_units)}.", f"Overflow: {units_text(meter.overflow_units)}.")
    others = tuple(
        (other, jackpot_title(state, other))
        for other, item in sorted(state.of(JACKPOTS).jackpots.items())
        if other != name and item.jackpot.is_progressive
    )
    fund, amount = ServiceField("fund", "From", "choice", funds), ServiceField("amount", "Amount", hint="e.g. $250.00")
    forms = _Forms(viewer)
    receipts = escrow.BookReceipts(name=name, units=units_of(1), fund="reserve", words=SOME_TEXT)
    made = [*forms.form(receipts, "Book as gross receipts", "Book as receipts", fund, amount, _reason())]
    if others:
        seed = escrow.SeedOtherJackpot(
            name=name,
            other=others[0][0],
            units=units_of(1),
            fund="reserve",
            permitted_by=SOME_TEXT,
            words=SOME_TEXT,
        )
        to, rule = ServiceField("other", "To", "choice", others), ServiceField("permitted_by", "Permitted by (rule)")
        made += forms.form(seed, "Seed another progressive", "Seed progressive", to, fund, amount, rule, _reason())
    group = ServiceGroup("funds", "Reserve and overflow", held, tuple(made))
    links = ((jackpot_address(name), "Back to the jackpot"),)
    return ServiceView(
        jackpot_title(state, name), "Reserve and overflow", "", "", reserve_address(name), (_ordered(group),), links
    )
