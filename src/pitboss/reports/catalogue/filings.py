"""What was in force in a period: approvals by their letters, configurations by date, and the chain that proves both."""

import datetime
import hashlib
from collections.abc import Mapping
from typing import Any

from pitboss.books import EPOCH, Entry, Payload, folding_of, part_at, read_part, state_at
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, Jackpot, JackpotSet, PlaySet, definitions, descriptions
from pitboss.law.papers import PAPER_TITLES, PARTS, equipment_title
from pitboss.reports.catalogue.play import natural
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, CellKind, ExceptionLine, Report, ReportRow, column
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.rules import dollars
from pitboss.tabulator import TABLES, TableSetup
from pitboss.tabulator.descriptions import DOWN_TITLES
from pitboss.tabulator.entries import TableSetUp

_POSTED, _PREPARED, _WITHDRAWN = "table-posted", "configuration-prepared", "configuration-withdrawn"
"""A configuration in force at a table, one approved for later, and one taken back: the room writes such entries.

Its part of the state is named `posted`: by table what was in force, and by hash every text.
"""
_OWN_APPROVALS = "approval-records"
"""The part of a room's state with its own approvals: the room writes such entries."""
_SHORT = 12


class ApprovalLetters(Collector):
    """The letters under which the games of the jackpots are dealt, and the room's own approvals (W-10, O-16, P-04)."""

    name = "approvals"
    title = "Approvals"
    group = Group.COMMISSION
    packet_place = 1
    says = "Approval letters for every game with a jackpot in the period, and the room's own approvals."

    def report(self) -> Report:
        """List the letters by game, the oldest first."""
        columns = (
            column("game", "Game"),
            column("date", "Letter of"),
            column("about", "About"),
            column("document", "Document"),
            column("held", "Rules on file"),
        )
        rows = []
        names = {offer.game for record in self.scope.records() for offer in record.jackpot.offers}
        for game in sorted((find_game(name) for name in names), key=lambda game: game.title):
            for letter in sorted(game.approval.letters, key=lambda letter: letter.date):
                held = "on file" if letter.rules_held else "not on file: to be confirmed (G-15)"
                rows.append(ReportRow((game.title, letter.date.isoformat(), letter.about, letter.document, held)))
        return self.build(columns, [*rows, *_own_approvals(self.scope)], group=1)


def _own_approvals(scope: Scope) -> list[ReportRow]:
    """Return the room's own approvals by game and table, and its register of makers, as of the end of the period."""
    projection = next((part for part in scope.projections if part.name == _OWN_APPROVALS), None)
    if projection is None:
        return []
    room = part_at(scope.store, scope.book, scope.closing.sequence, projection)
    rows = []
    for record in sorted(room.records, key=lambda record: (find_game(record.game).title, record.table)):
        if scope.request.table not in (None, record.table):
            continue
        subject = f", pay table {record.paytable}" if record.paytable else ""
        for paper in record.papers:
            held, withdrawn = "example" if record.is_example else "on file", room.withdrawal(record, paper)
            held += "" if withdrawn is None else f"; withdrawn from {withdrawn.since} on"
            about = f"table {record.table}{subject}: {PAPER_TITLES[paper.kind]}"
            cells: tuple[Cell, ...] = (find_game(record.game).title, paper.day.isoformat(), about, paper.number, held)
            rows.append(ReportRow(cells))
    for maker in room.makers:
        held = "example" if maker.is_example else "on file"
        rows.append(ReportRow(("every game", "", f"{maker.part}: {maker.maker}", maker.licence, held)))
    registered = {maker.part for maker in room.makers}
    for part in PARTS:
        if part not in registered:
            about = f"{part}: maker and distributor"
            rows.append(ReportRow(("every game", "", about, "", "not on file: to be confirmed (G-15)")))
    return rows


class Configurations(Collector):
    """The definitions in force when the period began, and every change of one in it (M-04, T-16, T-18)."""

    name = "configurations"
    title = "Active setups"
    group = Group.COMMISSION
    packet_place = 2
    says = "Each jackpot and table as set up when the period began, and every change, with requester and approver."
    kinds = frozenset(
        {"jackpot-defined", "jackpot-changed", "play-opened", "play-closed", "play-suspended", "table-set-up"}
        | {_POSTED, _PREPARED, _WITHDRAWN}
    )

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        for name, record in sorted(scope.opening.of(JACKPOTS).jackpots.items()):
            entry = scope.store.entry(scope.book, record.sets[-1])
            if entry is not None and scope.wants(name):
                what = f"active, {record.play}: {defined_words(record.jackpot)}"
                self.rows.append(ReportRow((name, entry.recorded, entry.sequence, "", entry.actor, "", what)))

        for name, table in sorted(scope.opening.of(TABLES).tables.items()):
            if scope.request.jackpot is None and scope.request.table in (None, name):
                what = f"active, {table.life}: {equipped_words(table.setup)}"
                self.rows.append(ReportRow((f"table {name}", None, None, "", "", "", what)))

        posts = _posted_at(scope)
        for name, history in sorted(() if posts is None else posts.tables.items()):
            now = history.now
            if now is not None and scope.request.jackpot is None and scope.request.table in (None, name):
                what = f"active: {_one_line(posts.texts[now.hash])}"
                place = (f"table {name}", now.since, now.sequence, now.words, now.by, now.approved_by)
                self.rows.append(ReportRow((*place, f"setup {now.hash[:_SHORT]} {what}")))

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect each definition, each opening and closing, and the equipment of tables."""
        match value:
            case JackpotSet() if self.scope.wants(value.jackpot.name):
                what = f"{'defined' if value.first else 'changed'}: {defined_words(value.jackpot)}"
                self._keep(value.jackpot.name, entry, what, value.words, value.approved_by)
            case PlaySet() if self.scope.wants(value.name):
                why = "" if value.reason == "business" else f" ({value.reason})"
                self._keep(value.name, entry, f"{value.play}{why}", value.words, value.approved_by)
            case TableSetUp() if self.scope.request.jackpot is None and self.scope.request.table in (None, entry.table):
                since = f" from {value.since} on" if value.since else ""
                what = f"set up{since}: {equipped_words(value.setup)}"
                self._keep(f"table {value.setup.table}", entry, what, value.words, value.approved_by)
            case _ if entry.kind in (_POSTED, _PREPARED, _WITHDRAWN) and self.scope.request.jackpot is None:
                payload = value.to_json()
                if self.scope.request.table in (None, payload["table"]):
                    approved_by = payload.get("approved_by", "")
                    self._keep(
                        f"table {payload['table']}",
                        entry,
                        _posted_words(payload),
                        payload.get("words", ""),
                        approved_by,
                    )
            case _:
                pass

    def _keep(self, name: str, entry: Entry, what: str, words: str, approved_by: str) -> None:
        self.rows.append(ReportRow((name, entry.recorded, entry.sequence, words, entry.actor, approved_by, what)))

    def report(self) -> Report:
        """List them, jackpot by jackpot."""
        columns = (
            column("what_of", "Jackpot or table"),
            column("recorded", "Since", CellKind.INSTANT),
            column("entry", "Entry", CellKind.COUNT),
            column("words", "Reason"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("what", "What", CellKind.DETAIL),
        )
        rows = sorted(self.rows, key=lambda row: (str(row.cells[0]), row.cells[2] or 0))
        return self.build(columns, rows, group=1)


def _posted_words(payload: Mapping[str, Any]) -> str:
    """Describe an entry about a configuration of a table, by the hash of its text."""
    if "configuration" not in payload:
        return f"withdrawn: setup {payload['prepared']}"
    done = f"scheduled as number {payload['number']}" if "number" in payload else "now active"
    text = payload["configuration"]
    return f"setup {hashlib.sha256(text.encode()).hexdigest()[:_SHORT]} {done}: {_one_line(text)}"


def _one_line(text: str) -> str:
    """A configuration as one line, for a row of a report."""
    return "; ".join(line.strip() for line in text.splitlines() if line.strip())


def _posted_at(scope: Scope) -> Any:
    """Return the configurations of tables where the period begins, of a room that has such a part."""
    configurations = next((projection for projection in scope.projections if projection.name == "posted"), None)
    if configurations is None:
        return None
    return part_at(scope.store, scope.book, scope.opening.sequence, configurations)


def defined_words(jackpot: Jackpot) -> str:
    """Describe a definition in one text: type, wager, pay tables, meter and tables."""
    meter = jackpot.meter
    parts = [f"{meter.jackpot_type} on a {dollars(meter.wager_cents)} wager"]
    parts += [
        f"{definitions.wager_title(offer.game, offer.wager)} of {find_game(offer.game).title} by {offer.paytable}"
        for offer in jackpot.offers
    ]
    parts.append(f"starts at {dollars(meter.seed_cents)}, resets to {dollars(meter.reseed_cents)}")
    if jackpot.is_progressive:
        parts.append(f"{units_words(meter.display_units)} of a wager to the meter")
        parts.append(f"{units_words(meter.reserve_units)} to the reserve")
        parts.append("no cap" if meter.cap_cents is None else f"cap {dollars(meter.cap_cents)}")
    parts.append(f"display updates {descriptions.DISPLAY_TITLES.get(jackpot.display, jackpot.display)}")
    parts.append(f"dealer pays below {dollars(jackpot.small_prize_cents)}")
    parts.append(f"fixed prizes paid by the {jackpot.fixed_prizes}")
    tables = definitions.tables_text([linked.table for linked in jackpot.tables])
    return "; ".join([*parts, tables] if tables else parts)


def equipped_words(setup: TableSetup) -> str:
    """Describe the equipment of a table in one text."""
    parts = [find_game(setup.game).title, equipment_title(setup.model), f"{setup.seats} seats"]
    parts.append(f"counts {', '.join(map(setup.title, setup.wagers))}" if setup.wagers else "counts nothing")
    parts.append(f"if equipment fails: {DOWN_TITLES.get(setup.down_method, setup.down_method)}")
    return "; ".join([*parts, f"device {setup.device}"] if setup.device else parts)


_PROMOTION_SET, _PROMOTION_ENDED = "promotion-set", "promotion-ended"
"""A slide or promotion of the operator, and its end before its last day: the room writes such entries."""


class GamblingPromotions(Collector):
    """The gambling promotions of the period: wager, tables, days, prize, who pays and whose consent (W-12)."""

    name = "promotions"
    title = "Gambling promotions"
    group = Group.COMMISSION
    says = "What was won beside the pay tables: at which wager and tables, on which days, paid by whom."
    kinds = frozenset({_PROMOTION_SET, _PROMOTION_ENDED})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        part = next((projection for projection in scope.projections if projection.name == "promotions"), None)
        before = {} if part is None else part_at(scope.store, scope.book, scope.opening.sequence, part)
        for slide in before.values():
            self._add(slide.name, slide, None, "active")

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect each promotion that was made or ended."""
        if entry.kind == _PROMOTION_SET:
            slide: Any = value
            self._add(slide.promotion.name, slide.promotion, entry, "saved")
        else:
            name = str(value.to_json()["name"])
            if any(row.cells[0] == name for row in self.rows):
                self.rows.append(ReportRow((name, "ended", *[None] * 7, entry.actor, entry.sequence)))

    def _add(self, name: str, slide: Any, entry: Entry | None, what: str) -> None:
        wants = self.scope.request.table
        overlaps = slide.first_day <= self.scope.period.last_day and slide.last_day >= self.scope.period.first_day
        if not slide.is_gambling or not overlaps or (wants is not None and wants not in slide.tables):
            return
        days = (slide.first_day.isoformat(), slide.last_day.isoformat())
        place = ("", None) if entry is None else (entry.actor, entry.sequence)
        cells = (name, what, slide.wager, ", ".join(slide.tables), *days, slide.prize, slide.paid_by, slide.consent)
        self.rows.append(ReportRow((*cells, *place)))

    def report(self) -> Report:
        """List the promotions by name."""
        columns = (
            column("name", "Promotion"),
            column("what", "What"),
            column("wager", "Wager"),
            column("tables", "Tables"),
            column("first_day", "From"),
            column("last_day", "To"),
            column("prize", "Prize"),
            column("paid_by", "Paid by"),
            column("consent", "Consent"),
            column("by", "By"),
            column("entry", "Entry", CellKind.COUNT),
        )
        notes = ("A promotion changes no settlement and no meter; its prizes are not in the other reports.",)
        return self.build(
            columns, sorted(self.rows, key=lambda row: (str(row.cells[0]), row.cells[-1] or 0)), notes=notes
        )


_PAPER_POSTED, _PAPER_REMOVED = "paper-posted", "paper-removed"
"""A paper that hangs at a table, or hangs there no more: the room writes such entries.

Its part of the state is named `posted-papers`: by table and paper what it says, what hangs, and since when it is wrong.
"""


class PaperPostings(Collector):
    """The papers that hung at tables, and those that an open table lacked until its gambling day was over (W-12)."""

    name = "papers"
    title = "Posted papers"
    group = Group.COMMISSION
    says = "Which papers hang at each table, since when and by whom, and which were not put right on the same day."
    kinds = frozenset({"paper-changed", _PAPER_POSTED, _PAPER_REMOVED, "table-opened", "table-closed"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.part = next((part for part in scope.projections if part.name == "posted-papers"), None)
        self.papers: Any = None
        if self.part is not None:
            self.papers = part_at(scope.store, scope.book, scope.opening.sequence, self.part)
        self.lines: list[ExceptionLine] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow the papers of a table; one that is put right is judged by how long that took."""
        if self.part is None:
            return
        before = self.papers.at(entry.table)
        self.papers = self.part.fold(self.papers, entry, value)
        if self.scope.request.table not in (None, entry.table):
            return
        after = self.papers.at(entry.table)
        if entry.kind in (_PAPER_POSTED, _PAPER_REMOVED):
            payload = value.to_json()
            what = "posted" if entry.kind == _PAPER_POSTED else f"removed: {payload['words']}"
            self._add(entry.table, payload["paper"], what, (entry.recorded, entry.actor, entry.sequence))
        for name, paper in before.items():
            if paper.wrong and not after[name].wrong:
                self._judge(entry.table, name, paper, entry.recorded)

    def _add(self, table: str, name: str, what: str, act: tuple[Cell, ...], *, is_wrong: bool = False) -> None:
        self.rows.append(ReportRow((table, name.replace("-", " "), what, *act), "alarm" if is_wrong else "line"))

    def _judge(self, table: str, name: str, paper: Any, until: int) -> None:
        """Raise what was wrong at an open table when its gambling day ended."""
        day, last = (self.scope.calendar.gambling_day(EPOCH + _at(instant)) for instant in (paper.wrong, until))
        if day < last:
            words = f"table {table}, {name.replace('-', ' ')}: {paper.trouble} at the end of {day} (W-12)"
            key = f"papers/{paper.wrong_entry}/{name}"
            self.lines.append(self.scope.line(key, words, about=paper.wrong_entry))

    def report(self) -> Report:
        """List what was done in the period, and what hangs at its end."""
        columns = (
            column("table", "Table"),
            column("paper", "Paper"),
            column("what", "What"),
            column("since", "Since", CellKind.INSTANT),
            column("by", "By"),
            column("entry", "Entry", CellKind.COUNT),
        )
        for table, papers in {} if self.papers is None else self.papers.tables.items():
            if self.scope.request.table not in (None, table):
                continue
            for name, paper in papers.items():
                what = f"at the end: {paper.trouble or 'up to date'}"
                self._add(table, name, what, (paper.since or None, paper.by, None), is_wrong=bool(paper.wrong))
                if paper.wrong:
                    self._judge(table, name, paper, self.scope.as_of)
        rows = sorted(self.rows, key=lambda row: (natural(str(row.cells[0])), str(row.cells[1])))
        return self.build(columns, rows, exceptions=tuple(self.lines), group=2)


def _at(instant: int) -> datetime.timedelta:
    return datetime.timedelta(microseconds=instant)


class AccessList(Collector):
    """Who came in, what was refused to whom, and who took files away; the room writes such entries (M-05, M-10)."""

    name = "access"
    title = "Access"
    group = Group.COMMISSION
    says = "Sign-ins, lock-outs, what was refused and what was downloaded: by whom, and from where."
    kinds = frozenset({"signed-in", "sign-ins-refused", "locked-out", "access-traced"})

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect what happened at the door."""
        fields = value.to_json()
        who = fields.get("who") or fields.get("login") or ", ".join(fields.get("logins", ())) or "unknown"
        what = {"signed-in": "Signed in", "sign-ins-refused": "Sign-in refused", "locked-out": "Locked out"}.get(
            entry.kind, "Downloaded" if fields.get("what") == "download" else "Refused"
        )
        where = fields.get("page") or fields.get("device") or ""
        count = fields.get("count") or fields.get("failures") or 1
        self.rows.append(ReportRow((entry.sequence, entry.recorded, who, what, where, fields["address"], count)))

    def report(self) -> Report:
        """List them."""
        columns = (
            column("entry", "Entry", CellKind.COUNT),
            column("recorded", "Recorded", CellKind.INSTANT),
            column("who", "Who"),
            column("what", "What"),
            column("where", "Where"),
            column("address", "From"),
            column("times", "Times", CellKind.COUNT),
        )
        return self.build(columns, self.rows)


class ChainVerified(Collector):
    """The chain of the period's entries, verified one by one, with every invariant asked (M-02, T-19)."""

    name = "chain"
    title = "Audit log verification"
    group = Group.COMMISSION
    packet_place = 11
    says = "Re-checks every record in the period."

    def report(self) -> Report:
        """Read the period once more, as an audit does."""
        scope = self.scope
        folding = folding_of(scope.projections, scope.invariants)
        last = scope.closing.sequence == scope.head.sequence
        upto = scope.closing.sequence
        # Invariants are asked about parts of the state that no report is made of.
        opening = state_at(scope.store, scope.book, scope.opening.sequence, scope.projections).state
        reading = read_part(scope.store, folding, scope.book, opening, upto, rules=True, last=last)
        columns = (
            column("check", "Check"),
            column("says", "Contains"),
            column("from", "Source"),
            column("result", "Result"),
        )
        wrong = [str(damage) for damage in reading.damages]
        ends: list[tuple[Cell, ...]] = [
            ("chain", f"{reading.entries:,} entries hashed and linked", "M-02, T-19", "BROKEN" if wrong else "Passed"),
            ("begins after", scope.opening.digest.hex(), f"entry {scope.opening.sequence}", ""),
            ("ends with", scope.closing.digest.hex(), f"entry {scope.closing.sequence}", ""),
        ]
        rows = [ReportRow(cells, "alarm" if cells[3] == "BROKEN" else "line") for cells in ends]
        for invariant in folding.invariants:
            findings = [finding for finding in reading.findings if finding.invariant == invariant.name]
            result = f"BROKEN in entry {findings[0].sequence}" if findings else "Passed"
            cells = (invariant.name, invariant.says, ", ".join(invariant.sources), result)
            rows.append(ReportRow(cells, "alarm" if findings else "line"))
            wrong += [f"{finding.invariant}, entry {finding.sequence}: {finding.words}" for finding in findings]
        lines = tuple(scope.line(f"chain/{text.partition(':')[0]}", text[:120]) for text in wrong)
        return self.build(columns, rows, exceptions=lines, broken=bool(wrong))
