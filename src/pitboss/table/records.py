"""Round records: one settled round as one line of JSON (docs/ROUND_FORMAT.md), read and settled."""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pitboss import law, rules
from pitboss.cards import Card, CardError, cards_text, overdealt, parse_cards
from pitboss.games import UnknownGameError, find_game
from pitboss.rules.pays import OfMeter
from pitboss.rules.terms import SHARING
from pitboss.table import checks
from pitboss.table.configuration import Configuration
from pitboss.table.course import Follower, check_course
from pitboss.table.operations import VoidReason, void_reason


def record_terms(configuration: Configuration) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the record fields that a configuration states, and beside them the terms without a field."""
    spec = configuration.terms_spec
    beside = {"fixed_from_meter": spec.fixed_from_meter, "base_multiples_max": spec.base_multiples_max}
    record: dict[str, Any] = {
        "game": configuration.game,
        "paytables": {name: list(ids) for name, ids in spec.paytables.items()},
        "readings": dict(configuration.readings),
        "jackpot_type": configuration.jackpot_type,
        "bonus_sharing": configuration.bonus_sharing,
        **configuration.limit_fields,
        "meters": configuration.meters,
        "jackpot_wager_cents": dict(spec.jackpot_wager_cents),
        "on": configuration.on.isoformat(),
        "profile": configuration.profile,
    }
    if configuration.decks is not None:
        record["decks"] = configuration.decks
    return record, beside


_TERM_FIELDS = (
    "decks",
    "paytables",
    "readings",
    "jackpot_type",
    "jackpot_wager_cents",
    "bonus_sharing",
    "aggregate_limits",
)
_FIELDS = {"game", *_TERM_FIELDS, "meters", "on", "profile", "seats", "void", "cut_card", "dealt_before"}
_SEAT_FIELDS = {"seat", "cards", "wagers", "decisions", "person", "turned"}
_REMEMBERED_TERMS = 4096
_REMEMBERED_LINES = 8192
# More than any room holds; what is longer is a slip or an attack.
_CENTS_MAX = 10**15 - 1
_SHOWN_MAX = 80
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class RefusedRecordError(ValueError):
    """A round that breaks a rule, with every problem found."""

    def __init__(self, problems: list[rules.Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class SettledRecord:
    """A record that was settled: the game, the round as it was read, its settlement, and what made it void."""

    game: rules.Game
    seats: tuple[rules.Seat, ...]
    board: tuple[Card, ...]
    settlement: rules.Settlement
    void: VoidReason | None = None

    def json_text(self, *, paytables: bool = False) -> str:
        """Write the settled round as round records carry it, on one line; with the pay table of each line if asked."""
        line_text = _line_text_with_paytable if paytables else _line_text
        seats = ", ".join(
            f'{{"seat": {seat}, "wagers": {{{", ".join(map(line_text, lines.values()))}}}, '
            f'"net_cents": {self.settlement.net_cents(seat)}}}'
            for seat, lines in self.settlement.lines.items()
        )
        jackpots = ""
        if self.settlement.jackpots:
            paid = {name: dataclasses.asdict(payment) for name, payment in self.settlement.jackpots.items()}
            jackpots = f', "jackpots": {json.dumps(paid)}'
        void = "" if self.void is None else f', "void": "{self.void.cause}"'
        return f'{{"seats": [{seats}]{jackpots}{void}}}'


@lru_cache(maxsize=1024)
def _quoted(text: str | None) -> str:
    return json.dumps(text, ensure_ascii=False)


@lru_cache(maxsize=_REMEMBERED_LINES)
def _because(reasons: tuple[rules.Reason, ...]) -> str:
    return ", ".join([reason.json_text() for reason in reasons])


@lru_cache(maxsize=_REMEMBERED_LINES)
def _line_text(line: rules.SettledLine, paytable: str = "") -> str:
    wager, staked_cents, paid_cents, event, _, reasons, _, envy_cents = line
    envy = f', "envy_cents": {envy_cents}' if envy_cents else ""
    return (
        f'"{wager}": {{"staked_cents": {staked_cents}, "paid_cents": {paid_cents}, '
        f'"net_cents": {paid_cents - staked_cents}{envy}, "event": {_quoted(event)}{paytable}, '
        f'"because": [{_because(reasons)}]}}'
    )


def _line_text_with_paytable(line: rules.SettledLine) -> str:
    return _line_text(line, f', "paytable": {_quoted(line.paytable)}')


def _with_turns(
    settlement: rules.Settlement, turns: Mapping[int, tuple[rules.Reason, ...]], main: str
) -> rules.Settlement:
    """State first on the main wager of a seat that its foul hand was turned round."""
    lines = {seat: dict(by_wager) for seat, by_wager in settlement.lines.items()}
    for seat, reasons in turns.items():
        line = lines[seat][main]
        lines[seat][main] = line._replace(reasons=(*reasons, *line.reasons))
    return dataclasses.replace(settlement, lines=lines)


def settle_line(text: str) -> str:
    """Settle one line of a file into one line; a round that breaks a rule gives its problems under `error`."""
    try:
        record = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return json.dumps({"error": [f"not a JSON object: {error}"]})
    try:
        return settle_record(record).json_text()
    except RefusedRecordError as error:
        return json.dumps({"error": [str(problem) for problem in error.problems]})


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return content


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_key_twice, parse_constant=_no_constant)


def settle_record(
    record: Any, *, fixed_from_meter: frozenset[str] = frozenset(), base_multiples_max: Mapping[str, int] | None = None
) -> SettledRecord:
    """Read, check and settle one round record; every problem comes back at once in a RefusedRecordError.

    Two terms of a table have no field in a record and may be given beside it: jackpots whose fixed prizes come off the
    meter (G-5), and caps of wagers in multiples of the main wager.
    """
    if not isinstance(record, Mapping):
        raise RefusedRecordError([rules.Problem("record", "must be a JSON object")])
    try:
        game = find_game(record.get("game"))
    except UnknownGameError as error:
        raise RefusedRecordError([rules.Problem("game", str(error))]) from None
    beside = {"fixed_from_meter": fixed_from_meter, "base_multiples_max": dict(base_multiples_max or {})}
    try:
        return _Reader(game, record, beside if any(beside.values()) else {}).settle()
    except RecursionError:
        raise RefusedRecordError([rules.Problem("record", "nested too deeply")]) from None


# What was stated, as text, with what came of it: most records state the same as one before.
_SETTLERS: dict[tuple[rules.Game, str], tuple[rules.Settler, tuple[rules.Problem, ...]]] = {}


def _settler(game: rules.Game, term_fields: dict[str, Any]) -> tuple[rules.Settler, tuple[rules.Problem, ...]]:
    """Make the terms of a record once for all records that state the same."""
    key = (game, repr(term_fields))
    settler = _SETTLERS.get(key)
    if settler is None:
        if len(_SETTLERS) >= _REMEMBERED_TERMS:
            forget_terms()
        settler = _SETTLERS[key] = _make_settler(game, term_fields)
    return settler


def _make_settler(game: rules.Game, term_fields: dict[str, Any]) -> tuple[rules.Settler, tuple[rules.Problem, ...]]:
    problems = [
        rules.Problem(key, "must be an object")
        for key in ("paytables", "readings")
        if not isinstance(term_fields[key], dict)
    ]
    if problems:
        term_fields = term_fields | {problem.path: {} for problem in problems}
    terms, term_problems = rules.make_terms(game, rules.TermsInput(**term_fields))
    return rules.Settler(game, terms), (*problems, *term_problems)


def forget_terms() -> None:
    """Forget all remembered terms, as a file that states new ones on every line would have it."""
    _SETTLERS.clear()


@lru_cache(maxsize=1024)
def _date(text: str) -> datetime.date | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _quoted_value(value: Any) -> str:
    """Show a refused value, but not all of it where it is long."""
    if type(value) is int and abs(value) > _CENTS_MAX:
        return "a number of more than fifteen digits"
    text = repr(value)
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"


class _Reader:
    """Reads one record, collecting problems."""

    def __init__(self, game: rules.Game, record: Mapping[str, Any], beside: Mapping[str, Any]) -> None:
        self.game = game
        self.record = record
        self.beside = beside
        self.problems: list[rules.Problem] = []

    def settle(self) -> SettledRecord:
        self._check_fields()
        paytables = self.record.get("paytables")
        self.stated_tables: dict[str, Any] = paytables if isinstance(paytables, dict) else {}
        before, self.problems = self.problems, []
        self.law = self._law()
        self.settler, problems = self._terms()
        self.problems = [*before, *problems, *self.problems]
        if self.law is not None:
            self.problems += checks.check_zero_cells(self.settler.terms)
        self.void = self._void()
        self.persons: dict[int, str] = {}
        self.turned: set[int] = set()
        seats, decisions = self._seats()
        board = self._cards(self.record.get(self.game.board.name), self.game.board.name)
        if self.void is not None:
            return self._settle_void(self.void, seats, decisions, board)
        if self._all_in_deck([*self._dealt_before(), *board, *(card for seat in seats for card in seat.cards)]):
            course = check_course(self.game, seats, decisions, self.settler.terms.readings, self.turned)
            unread = {problem.path for problem in self.problems if problem.path.endswith(" cards")}
            self.problems += [problem for problem in course.problems if problem.path not in unread]
            self._check_board(board, course.board_cards)
        meters = self._meters(seats)
        if self.problems:
            raise RefusedRecordError(self.problems)
        finished = rules.FinishedRound(
            board,
            tuple(
                rules.FinishedSeat(
                    seat.number,
                    seat.wagers,
                    seat.cards,
                    self.game.choices(seat.decisions, seat.cards),
                    self.persons.get(seat.number),
                )
                for seat in course.seats
            ),
        )
        settlement = self.settler.settle(finished, meters)
        if course.turns:
            settlement = _with_turns(settlement, course.turns, self.game.main.name)
        return SettledRecord(self.game, tuple(course.seats), board, settlement)

    def _dealt_before(self) -> tuple[Card, ...]:
        """Read what has left the shoe before this round, which is begun only while the cut card has not come out."""
        if "cut_card" not in self.record:
            if "dealt_before" in self.record:
                self._refuse("dealt_before", "each round has a fresh shuffle: state cut_card where it has none")
            return ()
        cut_card, size = self.record["cut_card"], self.settler.terms.deck.size
        problems = checks.check_cut_card(self.game, cut_card, size)
        self.problems += problems
        before = self._cards(self.record.get("dealt_before", []), "dealt_before")
        rule = self.game.cut_card
        if not problems and rule is not None and len(before) >= cut_card:
            words = f"{len(before)} cards, and the cut card came out after {cut_card}: a fresh shuffle comes first"
            self._refuse("dealt_before", words, rule.clause.id, rule.ruling)
        return before

    def _void(self) -> VoidReason | None:
        if "void" not in self.record:
            return None
        causes = {reason.cause: reason for reason in VoidReason}
        value = self.record["void"]
        if isinstance(value, str) and value in causes:
            return causes[value]
        self._refuse("void", f"{_quoted_value(value)} must be one of {', '.join(causes)}", ruling="G-11")
        return VoidReason.MISDEAL

    def _settle_void(
        self, void: VoidReason, seats: list[rules.Seat], decisions: list[dict[str, Any]], board: tuple[Card, ...]
    ) -> SettledRecord:
        """Return every chip that lay on the layout; what was dealt may be anything, and no meter is needed (G-11)."""
        followers = [Follower(seat, answers) for seat, answers in zip(seats, decisions, strict=True)]
        for follower in followers:
            follower.decide_stated(self.game, self.settler.terms.readings)
            self.problems += follower.problems
        if self.problems:
            raise RefusedRecordError(self.problems)
        staked = {
            follower.number: {
                name: self.game.by_name[name].chips_down(follower.decisions, cents)
                for name, cents in follower.wagers.items()
            }
            for follower in followers
        }
        settlement = rules.void_round(staked, void_reason(self.game, void))
        return SettledRecord(self.game, tuple(follower.seat for follower in followers), board, settlement, void)

    def _refuse(
        self, path: str, words: str, clause: str | None = None, ruling: str | None = None, *, code: str = ""
    ) -> None:
        self.problems.append(rules.Problem(path, words, clause, ruling, code=code))

    def _check_fields(self) -> None:
        board = self.game.board.name
        for key, value in self.record.items():
            if key not in _FIELDS and key != board:
                allowed = ", ".join(sorted({*_FIELDS, board}))
                self._refuse(str(key), f"unknown field; a record of {self.game.name} has: {allowed}")
            elif value is None:
                self._refuse(key, "is null: leave the field out")

    def _terms(self) -> tuple[rules.Settler, tuple[rules.Problem, ...]]:
        term_fields = {"paytables": {}, "readings": {}, **self.beside}
        term_fields |= {key: self.record[key] for key in _TERM_FIELDS if key in self.record}
        stated = self.record.get("bonus_sharing")
        if self.law is not None and (stated is None or (stated in SHARING and self.law.is_on("bonus_prize_in_full"))):
            # Where a day and a kind of room are known, the law decides before what is stated (G-4).
            term_fields["bonus_sharing"] = checks.bonus_sharing_on(self.law)
        return _settler(self.game, term_fields)

    def _law(self) -> law.RuleSet | None:
        on, profile = self.record.get("on"), self.record.get("profile")
        if on is None and profile is None:
            return None
        date = _date(on) if isinstance(on, str) else None
        if date is None:
            words = "is missing beside profile" if on is None else f"{_quoted_value(on)} must be a date"
            self._refuse("on", f"{words}, such as 2024-01-31", ruling="G-25", code="missing" if on is None else "")
        if profile not in law.PROFILES:
            words = "is missing beside on" if profile is None else f"{_quoted_value(profile)} is unknown"
            code = "missing" if profile is None else ""
            self._refuse("profile", f"{words}: expected {' or '.join(law.PROFILES)}", ruling="G-25", code=code)
        if date is None or profile not in law.PROFILES:
            return None
        try:
            rule_set = law.on(date, profile)
        except law.NoRuleSetError as error:
            self._refuse("on", str(error), ruling="G-14")
            return None
        self.problems += checks.check_letter(self.game, date)
        return rule_set

    def _seats(self) -> tuple[list[rules.Seat], list[dict[str, Any]]]:
        entries = self.record.get("seats")
        if not isinstance(entries, list) or not entries:
            self._refuse("seats", "must be a list of at least one seat", code="not-a-list")
            return [], []
        seats: list[rules.Seat] = []
        decisions_by_seat: list[dict[str, Any]] = []
        most = checks.seats_max(self.game, self.law)
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                self._refuse(f"seats[{index}]", "must be an object")
                continue
            number = self._seat_number(entry.get("seat"), index, most)
            seats.append(self._seat(entry, number))
            self._marks(entry, number)
            decisions = entry.get("decisions", {})
            decisions_by_seat.append(decisions if isinstance(decisions, dict) else {})
        numbers = [seat.number for seat in seats]
        for number in sorted({number for number in numbers if numbers.count(number) > 1}):
            self._refuse("seats", f"seat {number} stands twice")
        day = None if self.law is None else self.law.date
        self.problems += checks.check_jackpots_together(
            self.game, [name for seat in seats for name in seat.wagers], day
        )
        if self.persons:
            by_seat = {seat.number: seat.wagers for seat in seats}
            self.problems += checks.check_persons(by_seat, self.persons, self.law)
        return seats, decisions_by_seat

    def _marks(self, entry: dict[str, Any], number: int) -> None:
        """Read who plays a seat, and whether its foul hand was turned round."""
        if "person" in entry:
            if isinstance(entry["person"], str) and entry["person"].strip():
                self.persons[number] = entry["person"].strip()
            else:
                self._refuse(f"seat {number} person", f"{_quoted_value(entry['person'])} must be a name", ruling="G-41")
        if "turned" in entry:
            if entry["turned"] is True:
                self.turned.add(number)
            else:
                words = f"{_quoted_value(entry['turned'])} must be true or left out"
                self._refuse(f"seat {number} turned", words)

    def _seat_number(self, number: Any, index: int, most: int) -> int:
        if type(number) is int and 1 <= number <= most:
            return number
        self._refuse(f"seats[{index}].seat", f"{number!r} must be a seat number from 1 to {most}", ruling="G-16")
        # Read on under a number that is no other seat's, so that the rest of this seat is checked too.
        return number if type(number) is int else -index - 1

    def _seat(self, entry: dict[str, Any], number: int) -> rules.Seat:
        for key in entry:
            if key not in _SEAT_FIELDS:
                self._refuse(f"seat {number}", f"unknown field {key!r}; a seat has: {', '.join(sorted(_SEAT_FIELDS))}")
        if not isinstance(entry.get("decisions", {}), dict):
            self._refuse(f"seat {number} decisions", "must be an object")
        wagers = self._wagers(entry.get("wagers"), number)
        return rules.Seat(number, wagers, self._cards(entry.get("cards"), f"seat {number} cards"))

    def _wagers(self, amounts: Any, number: int) -> dict[str, int]:
        path = f"seat {number} wagers"
        if not isinstance(amounts, dict):
            self._refuse(path, "must be an object, wager to cents")
            return {}
        wagers: dict[str, int] = {}
        for name, cents in amounts.items():
            wager = self.game.by_name.get(name)
            if wager is None:
                self._refuse(
                    f"{path}.{name}", f"{self.game.title} has no such wager; it has: {', '.join(self.game.by_name)}"
                )
            elif type(cents) is not int or not 0 < cents <= _CENTS_MAX:
                self._refuse(
                    f"{path}.{name}", f"{_quoted_value(cents)} must be a positive whole number of cents", ruling="G-3"
                )
            else:
                wagers[name] = cents
                if name not in self.stated_tables:
                    ids = " and one of ".join(", ".join(slot.ids) for slot in wager.slots if not slot.fixed)
                    words = f"no pay table is stated for {wager.title}: state one of {ids}"
                    self._refuse(f"paytables.{name}", words, wager.clause.id, code="missing")
        if len(wagers) == len(amounts):
            terms = self.settler.terms
            self.problems += checks.check_options(self.game, terms, number, wagers, self.law)
            if self.law is not None:
                self.problems += checks.check_money(self.game, number, wagers, self.law)
        return wagers

    def _cards(self, cards: Any, path: str) -> tuple[Card, ...]:
        if cards is None and self.void is not None:
            return ()
        if not isinstance(cards, list):
            code = "missing" if cards is None else "not-a-list"
            self._refuse(path, "is missing" if cards is None else "must be a list of cards", code=code)
            return ()
        try:
            return parse_cards(cards, as_printed=True)
        except CardError as error:
            texts = all(isinstance(text, str) for text in cards)
            self._refuse(path, str(error) if texts else "must be a list of cards", code="" if texts else "not-a-list")
            return ()

    def _all_in_deck(self, cards: list[Card]) -> bool:
        """Refuse cards dealt too often; hands can be read only if every card belongs to the deck at all."""
        deck = self.settler.terms.deck
        excess = overdealt(deck, cards)
        foreign = tuple(card for card in excess if not deck.copies(card))
        twice = tuple(card for card in excess if deck.copies(card))
        if foreign:
            self._refuse("cards", f"{cards_text(foreign)}: not in {deck.words}")
        if twice:
            self._refuse("cards", f"{cards_text(twice)}: more often than {deck.words} holds", ruling="G-11")
        return not foreign

    def _check_board(self, board: tuple[Card, ...], due: int) -> None:
        name, most = self.game.board.name, self.game.board.cards
        is_listed = isinstance(self.record.get(name), list)
        # A round in which everybody folded may end before the last cards are dealt.
        if is_listed and len(board) not in (due, most) and not any(problem.path == name for problem in self.problems):
            self._refuse(name, f"{len(board)} cards, expected {most}", ruling=self.game.board.ruling)

    def _meters(self, seats: list[rules.Seat]) -> dict[str, int]:
        amounts = self.record.get("meters", {})
        if not isinstance(amounts, dict):
            self._refuse("meters", "must be an object, jackpot wager to cents")
            return {}
        meters: dict[str, int] = {}
        for name, cents in amounts.items():
            if name not in self.game.by_name or not self.game.by_name[name].jackpot:
                self._refuse(f"meters.{name}", f"is no jackpot wager of {self.game.title}")
            elif type(cents) is not int or not 0 <= cents <= _CENTS_MAX:
                self._refuse(f"meters.{name}", f"{_quoted_value(cents)} must be a whole number of cents", ruling="G-3")
            else:
                meters[name] = cents
        wagered = {name for seat in seats for name in seat.wagers}
        for wager in self.game.jackpots:
            needs = wager.name in wagered and wager.name not in amounts and self._has_percentage(wager.slots[0].name)
            if needs:
                words = f"the meter of {wager.title} is missing: its table pays a percentage"
                self._refuse(f"meters.{wager.name}", words, wager.clause.id, "G-4", code="missing")
        return meters

    def _has_percentage(self, slot: str) -> bool:
        table = self.settler.terms.tables.get(slot)
        return table is not None and any(isinstance(row.pay, OfMeter) for row in table.rows)
