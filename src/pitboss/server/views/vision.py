"""TableVision: what the display at a table shows, worked out whole; the page only lays it out (T-04, T-05, T-17)."""

import hashlib
import json
from typing import Any, NamedTuple

from pitboss import law
from pitboss.books import Instant
from pitboss.games import find_game
from pitboss.jackpot import Hit, HitState
from pitboss.room.slides import Promotion
from pitboss.rules import Game, full_words
from pitboss.rules.pays import OfMeter
from pitboss.server.views import paytables
from pitboss.server.views.formatting import clock, current_locale, dollars, local, short_day
from pitboss.server.views.table_state import JackpotAtTable, TableState
from pitboss.table.checks import options_sentence

_LINES_MAX = 4
_ROWS_MAX = 6
_RIBBONS = {"closed": "Not open for play", "suspended": "Not available"}
NOT_HERE = "Jackpot wager not available at this table"
_HOLD_MICROSECONDS = 120_000_000
"""So long a hit has the stage for itself after it is called, and again after it is verified; then it takes turns."""


class MeterView(NamedTuple):
    """A meter: its title, its type in words, what it shows in cents and in words, and a ribbon where one is due.

    `play` is that of its wager at this table: open, closed, suspended or, where the table takes none, blocked.
    `cents` is what the ledger has, rounded down (G-3): a display may show less on its way there and never more (T-05).
    """

    name: str
    title: str
    kind: str
    wager: str
    cents: int | None
    text: str
    play: str
    ribbon: str = ""

    @property
    def is_progressive(self) -> bool:
        """True if its amount grows with wagers: only such a one has an odometer (J-02)."""
        return self.kind == "Progressive"


class NoticeView(NamedTuple):
    """A required posting: what it is about, and its words to the byte."""

    kind: str
    about: str
    words: str


class WonView(NamedTuple):
    """A prize of a hit: seat, row of the pay table, amount."""

    seat: int
    row: str
    amount: str


class NowView(NamedTuple):
    """What a jackpot of the table shows now, said beside a win, which covers its meter (J-08)."""

    name: str
    title: str
    text: str


class WinView(NamedTuple):
    """A hit as the room sees it: pending until it is verified, then won; table, amount, and the new amount (T-17).

    `now` are the jackpots of the table that shows it, the one that was hit first.
    """

    number: int
    jackpot: str
    title: str
    is_pending: bool
    table: str
    is_here: bool
    total: str
    won: tuple[WonView, ...]
    now: tuple[NowView, ...] = ()

    @property
    def kind(self) -> str:
        """Which part lays it out."""
        return "win"


class PromotionView(NamedTuple):
    """A slide of the operator; one with a picture shows it, and its words are read aloud."""

    title: str
    words: str
    small_print: str
    picture: str = ""

    @property
    def kind(self) -> str:
        """Which part lays it out."""
        return "promotion"


class ConductView(NamedTuple):
    """Rules of conduct of the game, in our words."""

    title: str
    lines: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Which part lays it out."""
        return "conduct"


Panel = paytables.PayTableView | PromotionView | WinView | ConductView


class SlideView(NamedTuple):
    """One or two panels that are shown together, in turn with the other slides.

    One that is urgent stays until an instant, and then has every second turn.
    """

    panels: tuple[Panel, ...]
    is_urgent: bool = False
    until: Instant = 0


class VisionView(NamedTuple):
    """Everything a table's display shows after the entry of this sequence, and when that was looked at."""

    room: str
    table: str
    game: str
    sequence: int
    meters: tuple[MeterView, ...]
    fixed: paytables.PayTableView | None
    slides: tuple[SlideView, ...]
    limits: tuple[paytables.LimitView, ...]
    notices: tuple[NoticeView, ...]
    at: Instant = 0
    as_of: str = ""


def _is_pending(hit: Hit) -> bool:
    return hit.state is HitState.CALLED


def _meter_text(cents: int | None) -> str:
    return "" if cents is None else dollars(cents)


def meter_view(seen: JackpotAtTable, table: str) -> MeterView:
    """Build a meter as the displays of a table show it."""
    record, jackpot = seen.record, seen.record.jackpot
    _, wager = jackpot.game_and_wager(jackpot.offer_at(table))
    ribbon = _RIBBONS.get(record.play, "") or (NOT_HERE if seen.block else "")
    if not ribbon and any(_is_pending(hit) for hit in seen.hits):
        ribbon = "Jackpot pending"
    elif not ribbon and seen.hits:
        ribbon = "Winner!"
    return MeterView(
        name=jackpot.name,
        title=paytables.titled(wager.title),
        kind="Progressive" if jackpot.is_progressive else "Bonus",
        wager=paytables.money(jackpot.meter.wager_cents),
        cents=seen.cents,
        text=_meter_text(seen.cents),
        play="blocked" if record.play == "open" and seen.block else record.play,
        ribbon=ribbon,
    )


def _until(hit: Hit) -> Instant:
    """Until when a hit has the stage: two minutes after the step by which it is what it is now."""
    steps = ("call", "correct") if _is_pending(hit) else ("verify",)
    return max((done.happened for done in hit.done if done.step in steps), default=0) + _HOLD_MICROSECONDS


def _win(seen: JackpotAtTable, hit: Hit, table: str, meters: tuple[MeterView, ...]) -> WinView:
    jackpot = seen.record.jackpot
    _, wager = jackpot.game_and_wager(jackpot.offer_at(table))
    own = [meter for meter in meters if meter.name == jackpot.name]
    others = [meter for meter in meters if meter.name != jackpot.name]
    return WinView(
        number=hit.number,
        jackpot=jackpot.name,
        title=paytables.titled(wager.title),
        is_pending=_is_pending(hit),
        table=hit.table,
        is_here=hit.table == table,
        total=dollars(hit.cents),
        won=tuple(WonView(prize.seat, full_words(prize.row), dollars(prize.cents)) for prize in hit.won),
        now=tuple(NowView(meter.name, meter.title, meter.text) for meter in (*own, *others) if meter.text),
    )


def four_wager_notice(state: TableState) -> NoticeView | None:
    """The notice of how many of the options a player may use, and of the small one among four (G-12)."""
    configuration = state.configuration
    if configuration is None:
        return None
    words = options_sentence(law.on(configuration.on, configuration.profile), paytables.money)
    return NoticeView("wagers", "", words)


def _limit_notices(state: TableState) -> list[NoticeView]:
    """The aggregate payout limits, which stand at the table in plain view (DW step 16, REGULATION W-12)."""
    sentences = () if state.configuration is None else state.configuration.limit_sentences
    return [NoticeView("limit", "", words) for words in sentences]


def _notices(state: TableState, meters: tuple[MeterView, ...]) -> tuple[NoticeView, ...]:
    notices = [four_wager_notice(state), *_limit_notices(state)]
    sentences: set[str] = set()
    for seen, meter in zip(state.jackpots, meters, strict=True):
        jackpot = seen.record.jackpot
        kind = "progressive" if jackpot.is_progressive else "bonus"
        # The sentences of a Bonus stand alone, to the byte, and once for all (J-06); a cap is each one's own.
        words = " ".join((*jackpot.notices, *([seen.removal] if seen.removal else ())))
        if words and (kind == "progressive" or words not in sentences):
            about = meter.title if kind == "progressive" and len(meters) > 1 else ""
            notices.append(NoticeView(kind, about, words))
        sentences.add(words)
    return tuple(notice for notice in notices if notice is not None)


def _promotion(promotion: Promotion) -> PromotionView:
    address = f"/slides/{promotion.picture}" if promotion.picture else ""
    return PromotionView(promotion.title, promotion.words, promotion.fine_print, address)


def _conduct(state: TableState) -> tuple[ConductView, ...]:
    """The rules of conduct for players, so many to a panel that they can be read from a seat."""
    game = _game(state)
    words = [] if game is None else [rule.words for rule in game.conduct_of("players")]
    count = -(-len(words) // _LINES_MAX)
    share = -(-len(words) // count) if count else 1
    return tuple(
        ConductView("At this table", tuple(words[place : place + share])) for place in range(0, len(words), share)
    )


def _is_long(panel: Panel, count: int) -> bool:
    return count > 1 and isinstance(panel, paytables.PayTableView) and not panel.key and len(panel.rows) > _ROWS_MAX


def _pages(panels: list[Panel], count: int) -> tuple[SlideView, ...]:
    """The panels on slides, by how many jackpots share the stage.

    Beside one jackpot each stands alone. Under two, and where there is none, two stand side by side; a long table
    under two jackpots has a slide for itself, so that it can be read.
    """
    if count == 1:
        return tuple(SlideView((panel,)) for panel in panels)
    slides: list[tuple[Panel, ...]] = []
    for panel in panels:
        last = slides[-1] if slides else ()
        if len(last) == 1 and not any(_is_long(each, count) for each in (*last, panel)):
            slides[-1] = (*last, panel)
        else:
            slides.append((panel,))
    return tuple(map(SlideView, slides))


def vision_view(state: TableState) -> VisionView:
    """Build the display of a table.

    With one jackpot its pay table always stands beside the meter, and the other wagers' tables come in turn; with two
    jackpots each has half of the screen, and so has each panel of a slide.
    """
    game = _game(state)
    meters = tuple(meter_view(seen, state.table) for seen in state.jackpots)
    tables = [paytables.jackpot_paytable(seen.record.jackpot, state.table, seen.cents) for seen in state.jackpots]
    others: list[Panel] = [] if state.configuration is None else [*paytables.wager_paytables(state.configuration)]
    others += [*_conduct(state), *(_promotion(promotion) for promotion in state.promotions)]
    wins = tuple(
        SlideView((_win(seen, hit, state.table, meters),), is_urgent=True, until=_until(hit))
        for seen in state.jackpots
        for hit in seen.hits
    )
    one = len(tables) == 1
    return VisionView(
        room=state.room,
        table=state.table,
        game="" if game is None else game.title,
        sequence=state.sequence,
        meters=meters,
        fixed=tables[0] if one else None,
        slides=(*wins, *_pages(others if one else [*tables, *others], len(tables))),
        limits=paytables.limit_views(state.configuration, tables),
        notices=_notices(state, meters),
        at=state.at,
        as_of=_as_of(state),
    )


def _as_of(state: TableState) -> str:
    """When the amounts were looked at, for a picture that does not follow them: As of Nov 16, 2026, 6:44 AM."""
    time = local(state.at, state.zone)
    return f"As of {short_day(time)}, {time.year}, {clock(time)}"


def _game(state: TableState) -> Game | None:
    if state.configuration is not None:
        return find_game(state.configuration.game)
    for seen in state.jackpots:
        return find_game(seen.record.jackpot.offer_at(state.table).game)
    return None


def live_of(view: VisionView) -> dict[str, Any]:
    """Return what an open page follows: its shape, and the amounts that move while the shape stays.

    A page whose shape is another one asks for itself again; so what it lays out is always what the server would.
    """
    texts = {f"meter:{meter.name}": meter.text for meter in view.meters}
    tables = (view.fixed, *(panel for slide in view.slides for panel in slide.panels))
    for panel in tables:
        if isinstance(panel, paytables.PayTableView) and panel.key:
            texts |= {f"prize:{panel.key}:{place}": row.amount for place, row in enumerate(panel.rows) if row.of_meter}
        if isinstance(panel, WinView):
            texts |= {f"now:{now.name}": now.text for now in panel.now}
    return {
        "sequence": view.sequence,
        "shape": _shape(view),
        "texts": texts,
        "cents": {meter.name: meter.cents for meter in view.meters},
    }


class LiveDisplays:
    """Computes what the open displays of a room follow; of what is unchanged since the last time nothing is built anew.

    It returns what `live_of` makes of the whole view. Most entries move amounts alone, and a jackpot that is linked to
    many tables has the same amounts at all of them.
    """

    def __init__(self) -> None:
        self._shapes: dict[str, tuple[tuple[Any, ...], str]] = {}
        self._prizes: dict[tuple[str, str], tuple[tuple[Any, ...], dict[str, str]]] = {}

    def live(self, state: TableState) -> dict[str, Any]:
        """Return what the display of a table follows."""
        key = _still_key(state)
        before = self._shapes.get(state.table)
        if before is None or before[0] != key:
            whole = live_of(vision_view(state))
            if not any(_has_moving_envy(seen, state.table) for seen in state.jackpots):
                self._shapes[state.table] = key, whole["shape"]
            return whole
        return {
            "sequence": state.sequence,
            "shape": before[1],
            "texts": self._texts(state),
            "cents": {seen.record.jackpot.name: seen.cents for seen in state.jackpots},
        }

    def _texts(self, state: TableState) -> dict[str, str]:
        """Return the amounts that move, in the order of `live_of`."""
        amounts = {seen.record.jackpot.name: _meter_text(seen.cents) for seen in state.jackpots}
        texts = {f"meter:{name}": text for name, text in amounts.items()}
        prizes: dict[str, str] = {}
        for seen in state.jackpots:
            prizes |= self._prizes_of(seen, state.table)
        has_win = any(seen.hits for seen in state.jackpots)
        now = {f"now:{name}": text for name, text in amounts.items() if text and has_win}
        return texts | (prizes | now if len(state.jackpots) == 1 else now | prizes)

    def _prizes_of(self, seen: JackpotAtTable, table: str) -> dict[str, str]:
        """Return the prizes of a jackpot that move with its meter, computed once for all tables of a game."""
        jackpot = seen.record.jackpot
        place, key = (jackpot.name, jackpot.offer_at(table).game), (jackpot, seen.cents, current_locale())
        before = self._prizes.get(place)
        if before is None or before[0] != key:
            rows = enumerate(paytables.jackpot_paytable(jackpot, table, seen.cents).rows)
            texts = {f"prize:{jackpot.name}:{number}": row.amount for number, row in rows if row.of_meter}
            self._prizes[place] = before = key, texts
        return before[1]


def _has_moving_envy(seen: JackpotAtTable, table: str) -> bool:
    """True if an Envy prize is a share of the meter: then the shape moves with it."""
    jackpot = seen.record.jackpot
    return any(isinstance(row.envy, OfMeter) for row in jackpot.posted_prizes(jackpot.offer_at(table)))


def _still_key(state: TableState) -> tuple[Any, ...]:
    """Return everything that the shape of a display comes from: all of the table but the amounts that move."""
    jackpots = tuple(
        (
            seen.record.jackpot,
            seen.record.play,
            seen.hits,
            seen.removal,
            seen.block,
            # A Bonus is a plaque, which is made anew with another amount (J-02).
            seen.cents is None if seen.record.jackpot.is_progressive else seen.cents,
        )
        for seen in state.jackpots
    )
    return (state.room, state.configuration, jackpots, state.promotions, current_locale())


def _still(panel: Any) -> Any:
    """A panel without the amounts that move."""
    if isinstance(panel, paytables.PayTableView):
        return panel._replace(rows=tuple(row._replace(amount="") if row.of_meter else row for row in panel.rows))
    if isinstance(panel, WinView):
        return panel._replace(now=tuple(now._replace(text="") for now in panel.now))
    return panel


def _still_meter(meter: MeterView) -> MeterView:
    """A meter without its amount if that moves; a Bonus is a plaque, which is made anew with another amount (J-02)."""
    return meter._replace(cents=None, text="") if meter.is_progressive else meter


def _shape(view: VisionView) -> str:
    still = view._replace(
        sequence=0,
        at=0,
        as_of="",
        meters=tuple(map(_still_meter, view.meters)),
        fixed=None if view.fixed is None else _still(view.fixed),
        slides=tuple(slide._replace(panels=tuple(map(_still, slide.panels))) for slide in view.slides),
    )
    return hashlib.sha256(json.dumps(still, ensure_ascii=False).encode()).hexdigest()[:16]


def _table(table: paytables.PayTableView) -> dict[str, Any]:
    return {
        **table._asdict(),
        "rows": [{**row._asdict(), "words": row.words, "share": row.share} for row in table.rows],
    }


def _tables(view: VisionView) -> tuple[list[paytables.PayTableView], list[paytables.PayTableView]]:
    """The pay tables of the jackpots, and those of the other wagers."""
    panels = [panel for slide in view.slides for panel in slide.panels if isinstance(panel, paytables.PayTableView)]
    tables = panels if view.fixed is None else [view.fixed, *panels]
    return [table for table in tables if table.key], [table for table in tables if not table.key]


def frame_of(view: VisionView) -> dict[str, Any]:
    """Return the display as JSON, which `paper` lays out for a photo frame."""
    prizes, others = _tables(view)
    panels = [panel for slide in view.slides for panel in slide.panels]
    return {
        "room": view.room,
        "table": view.table,
        "game": view.game,
        "as_of": view.as_of,
        "meters": [meter._asdict() for meter in view.meters],
        "prizes": list(map(_table, prizes)),
        "others": list(map(_table, others)),
        "conduct": [panel._asdict() for panel in panels if isinstance(panel, ConductView)],
        "slides": [slide._asdict() for slide in panels if isinstance(slide, PromotionView)],
        "limits": [limit._asdict() for limit in view.limits],
        "notices": [notice._asdict() for notice in view.notices],
    }


def _prize_line(row: paytables.PrizeView) -> str:
    envy = f", Envy {row.envy}" if row.envy else ""
    return f"{row.words} {row.amount or row.pays}{envy}"


def sign_lines(view: VisionView) -> tuple[str, ...]:
    """Return the display as lines for a sign: each meter, its prizes, then everything that must be posted (J-06).

    A sign has figures and letters and nothing else: what no sign could show is written in its nearest letters.
    """
    prizes, _ = _tables(view)
    lines = []
    for meter in view.meters:
        ribbon = f" ({meter.ribbon})" if meter.ribbon else ""
        lines.append(f"{meter.title.upper()} {meter.text or 'NOT OPENED YET'}{ribbon}")
        lines += [_prize_line(row) for table in prizes if table.key == meter.name for row in table.rows]
    lines += [f"{limit.title}: {limit.amount}" for limit in view.limits]
    lines += [f"{notice.about}: {notice.words}" if notice.about else notice.words for notice in view.notices]
    return tuple(line.replace("\N{EN DASH}", "to") for line in lines)
