"""The odds room: every figure of a wager with its fraction and its method, what each row adds, and tables designed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.games import find_game
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.paper.words import decimal, percent, signed
from pitboss.rules import CardPlace, Face, Game, MoneyError, Slot, StageKind, Wager, parse_dollars
from pitboss.server.views.paytables import titled

_STAKE, _PACE, _PACE_MAX = 500, 40, 1_000
_CELL_MAX = 12
_TEXTS_MAX = 60
_WIDE, _BAR, _LABEL = 720, 22, 330
_PICTURE = (640, 300, 60, 30)
Query = Mapping[str, str]


class RowField(NamedTuple):
    """A row that can be changed: its field, its event, what is printed and what is typed."""

    name: str
    event: str
    printed: str
    value: str

    @property
    def is_changed(self) -> bool:
        """True if it does not pay as printed."""
        return self.value != self.printed


class TableChoice(NamedTuple):
    """A pay table that can be chosen, and its rows."""

    name: str
    title: str
    ids: tuple[str, ...]
    chosen: str
    rows: tuple[RowField, ...]
    other: str


class ReadingChoice(NamedTuple):
    """A clause with several readings."""

    name: str
    title: str
    readings: tuple[tuple[str, str], ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What somebody wants to see of a wager, as a page's address states it; what cannot be read is as if left out."""

    game: Game
    wager: Wager
    query: Query

    @property
    def slots(self) -> tuple[TableChoice, ...]:
        """The pay tables and their rows."""
        return tuple(self._slot(slot) for slot in self.wager.slots if not slot.fixed)

    def _slot(self, slot: Slot) -> TableChoice:
        chosen = self.query.get(f"table.{slot.name}", "")
        chosen = chosen if chosen in slot.ids else self._first(slot)
        table = self.game.paytables[chosen]
        is_shown = self.query.get(f"shown.{slot.name}", chosen) == chosen
        rows = []
        for place, row in enumerate(table.rows):
            name = f"pay.{slot.name}.{place}"
            typed = self.query.get(name, "").strip()[:_CELL_MAX] if is_shown else ""
            rows.append(RowField(name, row.event, row.printed, typed or row.printed))
        other = self.query.get(f"beside.{slot.name}", "")
        title = titled(slot.title or self.wager.title)
        return TableChoice(slot.name, title, slot.ids, chosen, tuple(rows), other if other in slot.ids else "")

    def _first(self, slot: Slot) -> str:
        return next((name for name in slot.ids if not self.game.paytables[name].operator_set), slot.ids[0])

    @property
    def readings(self) -> tuple[ReadingChoice, ...]:
        """The readings that concern the wager."""
        fields = []
        for switch in self.game.switches:
            if switch.name in self.wager.switches:
                chosen = self.query.get(f"reading.{switch.name}", "")
                name = chosen if chosen in switch.readings else switch.default
                words = switch.title
                fields.append(ReadingChoice(switch.name, words, tuple(switch.readings.items()), name))
        return tuple(fields)

    @property
    def decks(self) -> int | None:
        """How many decks, where there is a choice."""
        text = self.query.get("decks", "")
        allowed = self.game.decks_allowed
        return int(text) if text.isdecimal() and int(text) in allowed else (allowed[0] if allowed else None)

    @property
    def stake_cents(self) -> int:
        """The base stake."""
        return _cents(self.query.get("stake", "")) or _STAKE

    @property
    def meter_cents(self) -> int:
        """The meter of a jackpot; nothing where none is typed."""
        return _cents(self.query.get("meter", "")) if self.wager.jackpot else 0

    @property
    def pace(self) -> int:
        """Rounds an hour."""
        text = self.query.get("pace", "")
        return min(int(text), _PACE_MAX) if text.isdecimal() and len(text) < _CELL_MAX and int(text) else _PACE

    def tables(self, *, beside: bool = False) -> list[Any]:
        """Return the tables as a job takes them: an id, or an id with the rows that are changed; or those beside."""
        entries: list[Any] = []
        for slot in self.slots:
            changed = {row.event: row.value for row in slot.rows if row.is_changed}
            if beside:
                entries.append(slot.other or slot.chosen)
            else:
                entries.append({"id": slot.chosen, "pays": changed} if changed else slot.chosen)
        return entries

    @property
    def is_compared(self) -> bool:
        """True if another table stands beside."""
        return any(slot.other for slot in self.slots)

    def job_fields(self, *, beside: bool = False) -> dict[str, Any]:
        """Return the fields of a job of the worker."""
        return {
            "game": self.game.name,
            "wager": self.wager.name,
            "tables": self.tables(beside=beside),
            "readings": {field.name: field.chosen for field in self.readings},
            "decks": self.decks,
        }

    @property
    def own_table(self) -> str:
        """The changed tables as a configuration states tables of a room's own; nothing where none is changed."""
        entries = []
        for slot in self.slots:
            changed = [row for row in slot.rows if row.is_changed]
            if changed:
                pays = ", ".join(f'"{row.event}" = "{row.value}"' for row in changed)
                entries.append(f'{{ id = "OWN-1", like = "{slot.chosen}", pays = {{ {pays} }} }}')
            else:
                entries.append(f'"{slot.chosen}"')
        has_own = any(row.is_changed for slot in self.slots for row in slot.rows)
        return f"[wagers.{self.wager.name}]\npaytables = [{', '.join(entries)}]" if has_own else ""

    @property
    def own_cards(self) -> int:
        """How many cards the first decision is made with, of the player's own."""
        return self._seen(CardPlace.SEATS)

    @property
    def cards_up(self) -> int:
        """How many cards of the dealer lie open then."""
        return self._seen(CardPlace.BOARD)

    def _seen(self, who: CardPlace) -> int:
        dealt = seen = 0
        for stage in self.game.stages:
            if stage.kind is StageKind.DECIDE:
                break
            if stage.kind is StageKind.DEAL and stage.who is who:
                dealt += len(stage.faces)
                seen += sum(face is not Face.UNSEEN for face in stage.faces)
            elif stage.kind is StageKind.LOOK and stage.who is who:
                seen = dealt
        return seen

    @property
    def address(self) -> str:
        """The address of the wager's page."""
        return f"/odds/{self.game.name}/{self.wager.name}"


def _cents(text: str) -> int:
    try:
        return parse_dollars(text[:_CELL_MAX]) if text else 0
    except MoneyError:
        return 0


class FigureLine(NamedTuple):
    """A figure: about, and exactly; beside it the same of the other table."""

    name: str
    about: str
    exact: str
    other: str = ""
    other_exact: str = ""


class OddsBar(NamedTuple):
    """What a row adds, as a bar: where it lies and how long it is, in the units of the drawing."""

    event: str
    pays: str
    one_in: str
    exact: str
    adds: str
    x: int
    y: int
    width: int
    is_loss: bool


class FiguresView(NamedTuple):
    """All figures of a wager, or that they are being computed, or what is wrong."""

    waits: str = ""
    failed: tuple[str, ...] = ()
    lines: tuple[FigureLine, ...] = ()
    bars: tuple[OddsBar, ...] = ()
    decisions: tuple[tuple[str, str, str], ...] = ()
    method: str = ""
    deals: str = ""
    terms: str = ""
    open_cells: tuple[tuple[str, str], ...] = ()
    height: int = 0
    width: int = _WIDE
    zero: int = 0
    words: str = ""


def _fraction(value: Fraction) -> str:
    return f"{value.numerator:,}/{value.denominator:,}" if value.denominator > 1 else f"{value.numerator:,}"


def figure_lines(result: OddsResult, wish: WhatIf) -> list[tuple[str, str, str]]:
    """Return name, rounded and exact text of every figure."""
    stake = Fraction(wish.stake_cents, 100)
    meter = wish.meter_cents
    edge = result.edge_at(meter_cents=meter) if wish.wager.jackpot else result.house_edge
    cost = edge * result.initial_stake * stake * wish.pace
    lines = [
        ("House edge", percent(edge), _fraction(edge)),
        ("Element of risk", percent(result.element_of_risk), _fraction(result.element_of_risk)),
        ("Standard deviation", result.std_dev(4), f"√({_fraction(result.variance)})"),
        ("Hit rate", percent(result.hit_frequency), _fraction(result.hit_frequency)),
        ("Average total wager", decimal(result.average_wager, 4), _fraction(result.average_wager)),
        (f"Cost per hour at {wish.pace} rounds", f"${decimal(cost, 2)}", f"${_fraction(cost)}"),
    ]
    if result.meter_coefficient:
        even = result.break_even_meter or Fraction(0)
        lines.append(("Break-even meter", f"${decimal(even, 2)}", f"${_fraction(even)}"))
    return lines


def figures_view(figure: Any, wish: WhatIf, other: Any = None) -> FiguresView:
    """Return the view of the worker's figure, and that of the table beside it."""
    for pending in (figure, *(() if other is None else (other,))):
        if pending.status == "computing":
            return FiguresView(waits=pending.key)
        if pending.status == "failed":
            return FiguresView(failed=tuple(pending.words.split("; ")))
    result = result_from_json(figure.value)
    lines = figure_lines(result, wish)
    beside = [("", "", "")] * len(lines) if other is None else figure_lines(result_from_json(other.value), wish)
    largest = max((abs(event.contribution) for event in result.events), default=Fraction(1)) or Fraction(1)
    room = (_WIDE - _LABEL) // 2
    bars = []
    for place, event in enumerate(result.events):
        width = int(abs(event.contribution) / largest * (room - 70))
        is_loss = event.contribution < 0
        at = _LABEL + room
        bars.append(
            OddsBar(
                event.event, event.pays, decimal(1 / event.probability, 1), f"{event.count:,}/{event.of:,}",
                signed(event.contribution, 6), at - width if is_loss else at, place * _BAR, max(width, 1), is_loss,
            )
        )  # fmt: skip
    decisions = tuple(
        (name, percent(share), _fraction(share)) for level in result.decisions for name, share in level.items()
    )
    return FiguresView(
        lines=tuple(FigureLine(*line, *more[1:]) for line, more in zip(lines, beside, strict=True)),
        bars=tuple(bars),
        decisions=decisions if len(decisions) > 1 else (),
        method=result.method,
        deals=f"{result.events[0].of:,}" if result.events else "",
        terms=result.terms_hash[:12],
        open_cells=tuple((event, _fraction(share)) for event, share in result.open_cells.items()),
        height=len(bars) * _BAR,
        zero=_LABEL + room,
        words=", ".join(f"{bar.event} {bar.adds}" for bar in bars),
    )


class GameLine(NamedTuple):
    """A game and the addresses of its wagers."""

    name: str
    title: str
    wagers: tuple[tuple[str, str], ...]


def games_view(games: Sequence[Game]) -> tuple[GameLine, ...]:
    """List every game with its wagers."""
    return tuple(
        GameLine(
            game.name,
            game.title,
            tuple((f"/odds/{game.name}/{wager.name}", titled(wager.title)) for wager in game.wagers),
        )
        for game in games
    )


class Dot(NamedTuple):
    """A designed table: where it lies on the picture, what it is, and the page that shows it."""

    x: int
    y: int
    words: str
    address: str
    pays: tuple[int, ...]
    edge: str
    deviation: str
    hits: str


class DesignView(NamedTuple):
    """A search: its dots, and how it went."""

    dots: tuple[Dot, ...]
    events: tuple[str, ...]
    summary: str
    method: str
    width: int = _PICTURE[0]
    height: int = _PICTURE[1]
    low: str = ""
    high: str = ""
    calm: str = ""
    wild: str = ""


def design_view(content: Mapping[str, Any], wish: WhatIf) -> DesignView:
    """Return the view of a search as a picture of edge against deviation, each dot a link to its table."""
    tables = content["frontier"]
    slot = next(choice for choice in wish.slots if choice.name == content["slot"])
    places = {row.event: row.name for row in slot.rows}
    edges = [Fraction(table["house_edge"]) for table in tables]
    deviations = [Fraction(table["std_dev"]) for table in tables]
    wide, tall, left, bottom = _PICTURE
    dots = []
    for table, edge, deviation in zip(tables, edges, deviations, strict=True):
        x = left + _share(edge, edges, wide - left - 20)
        y = tall - bottom - _share(deviation, deviations, tall - bottom - 20)
        pays = {places[event]: pay for event, pay in zip(content["events"], table["pays"], strict=True)}
        address = f"{wish.address}?{urlencode({f'table.{slot.name}': slot.chosen, **pays})}"
        texts = percent(edge), decimal(deviation, 4), percent(Fraction(table["hit_frequency"]))
        words = f"pays {', '.join(map(str, table['pays']))}: house edge {texts[0]}, standard deviation {texts[1]}"
        dots.append(Dot(x, y, words, address, tuple(table["pays"]), *texts))
    summary = f"{content['tried']:,} tables tried, {content['rate']:,} a second; {content['fitting']:,} fit."
    if not tables:
        return DesignView((), tuple(content["events"]), summary, content["method"])
    return DesignView(
        tuple(dots), tuple(content["events"]), summary, content["method"], low=percent(min(edges)),
        high=percent(max(edges)), calm=decimal(min(deviations), 3), wild=decimal(max(deviations), 3),
    )  # fmt: skip


def _share(value: Fraction, values: Sequence[Fraction], wide: int) -> int:
    low, high = min(values), max(values)
    return int((value - low) / (high - low) * wide) if high > low else wide // 2


class PartView(NamedTuple):
    """A part of a game's vulnerability: its findings, or that it is being computed, or why it cannot be."""

    title: str
    waits: str
    failed: str
    rows: tuple[tuple[str, str, str, str, str], ...]
    methods: tuple[str, ...]
    unit: str


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def part_view(title: str, figure: Any) -> PartView:
    """Return the view of one part."""
    if figure.status != "ready":
        waits = figure.key if figure.status == "computing" else ""
        return PartView(title, waits or ("waiting" if figure.status == "computing" else ""), figure.words, (), (), "")
    rows = []
    findings = figure.value["findings"]
    for finding in findings:
        is_share = finding["unit"].startswith("expectation")

        def text(value: float, *, is_share: bool = is_share) -> str:
            return f"{value:+.4%}" if is_share else f"{value:,.2f}"

        error = "exact" if finding["error"] is None else f"± {text(finding['error']).removeprefix('+')}"
        against = "" if finding["against"] is None else text(float(Fraction(finding["against"])))
        fraction = finding["value"] if finding["error"] is None else ""
        rows.append((_sentence(finding["words"]), text(finding["about"]), error, against, fraction))
    methods = tuple(dict.fromkeys(_sentence(finding["method"]) for finding in findings))
    return PartView(title, "", "", tuple(rows), methods, findings[0]["unit"] if findings else "")


def wanted_of(game: str, wager: str, query: Query) -> WhatIf | None:
    """Read what somebody wants to see; nothing where there is no such wager."""
    try:
        chosen = find_game(game)
    except ValueError:
        return None
    if wager not in chosen.by_name:
        return None
    return WhatIf(
        chosen, chosen.by_name[wager], {name: text for name, text in query.items() if len(name) <= _TEXTS_MAX}
    )
