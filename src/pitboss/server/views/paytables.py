"""Pay tables as they are posted: what each row pays in words, and in money where the wager is a fixed amount."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.games import find_game
from pitboss.jackpot import Jackpot
from pitboss.rules import PostedRow, Slot, Terms, Wager, full_words, posted_condition, posted_rows, prize_cents
from pitboss.rules.money import times
from pitboss.rules.pays import Dollars, Loss, NotApplicable, OfMeter, OperatorSet, Pay, cell_text
from pitboss.rules.paytables import PayTable, Row
from pitboss.server.views.formatting import dollars, whole_dollars
from pitboss.table import Configuration
from pitboss.table.checks import limit_sentence

_WAGER = " wager"
_TO = "\N{EN DASH}"
_OF_JACKPOT = " of the jackpot"
_TOP_ROWS = 3


class PrizeView(NamedTuple):
    """A row: the event as printed, what it pays in words and in money, whether of the meter, and its Envy prize."""

    event: str
    pays: str
    amount: str
    of_meter: bool = False
    envy: str = ""

    @property
    def words(self) -> str:
        """The event without abbreviations, as it is shown."""
        return titled(full_words(self.event))

    @property
    def share(self) -> str:
        """What part of the jackpot a row pays, as it stands beside the event: 100%; a posted amount is no part."""
        return self.pays.removesuffix(_OF_JACKPOT) if self.pays.endswith(_OF_JACKPOT) else ""


class PayTableView(NamedTuple):
    """A pay table headed by the chip it pays; `key` names the jackpot whose meter moves its amounts, if one does.

    `condition` says when it pays, and what becomes of the chips beside it.
    """

    title: str
    subtitle: str
    rows: tuple[PrizeView, ...]
    has_envy: bool = False
    key: str = ""
    condition: str = ""

    @property
    def kind(self) -> str:
        """Which part lays it out."""
        return "paytable"


class LimitView(NamedTuple):
    """What may be wagered on one option: its title, and the amount or the range."""

    title: str
    amount: str


def money(cents: int) -> str:
    """Format an amount as a sign has it: whole dollars without cents, anything else to the cent."""
    return whole_dollars(cents)


def titled(title: str) -> str:
    """Return a title with a capital; the rest stays as the rules print it."""
    return title[:1].upper() + title[1:]


def money_range(least_cents: int, most_cents: int) -> str:
    """Format the least and the most, or the one amount there is."""
    return money(least_cents) if least_cents == most_cents else f"{money(least_cents)} {_TO} {money(most_cents)}"


def paytable_words(table: PayTable, edge: str = "") -> str:
    """Return what a pay table is known by where one is chosen: its top pays, the others in short, and its edge."""
    rows = [row for row in table.rows if not isinstance(row.pay, (Loss, NotApplicable)) and row.pay != Dollars(0)]
    unit = f" {table.odds} 1"

    def cell(row: Row) -> str:
        return cell_text(row.pay) if isinstance(row.pay, OfMeter) else str(row.pay)

    def is_set(row: Row) -> bool:
        return not isinstance(row.pay, OperatorSet)

    top = ", ".join(titled(full_words(row.event)) + f" {cell(row)}" * is_set(row) for row in rows[:_TOP_ROWS])
    rest = ", ".join(cell(row).removesuffix(unit) for row in rows[_TOP_ROWS:] if is_set(row))
    yours = (
        "" if all(map(is_set, rows)) else "you set the top prize" if all(map(is_set, rows[1:])) else "you set prizes"
    )
    return " \N{MIDDLE DOT} ".join(part for part in (top, f"then {rest}" if rest else "", yours, edge) if part)


def _amount(wager: Wager, pay: Pay, stake_cents: int, shown_cents: int) -> str:
    """The money of a cell for one winner, rounded down to the cent as the settlement does (G-3, G-4)."""
    if isinstance(pay, OfMeter):
        return dollars(times(pay.share, shown_cents))
    return money(prize_cents(wager, pay, stake_cents))


def _jackpot_row(wager: Wager, row: PostedRow, stake_cents: int, shown_cents: int | None) -> PrizeView:
    (pay,) = row.pays or (Dollars(0),)
    of_meter = isinstance(pay, OfMeter)
    amount = "" if of_meter and shown_cents is None else _amount(wager, pay, stake_cents, shown_cents or 0)
    envy = "" if row.envy is None else _amount(wager, row.envy, stake_cents, shown_cents or 0)
    return PrizeView(row.event, str(pay).replace(" of the meter", _OF_JACKPOT), amount, of_meter, envy)


def jackpot_paytable(jackpot: Jackpot, table: str, shown_cents: int | None) -> PayTableView:
    """The pay table of a jackpot at a table as it is settled, every row in money; shares are of what is shown."""
    offer = jackpot.offer_at(table)
    _, wager = jackpot.game_and_wager(offer)
    stake = jackpot.meter.wager_cents
    rows = tuple(_jackpot_row(wager, prize, stake, shown_cents) for prize in jackpot.posted_prizes(offer))
    return PayTableView(
        title=titled(wager.title),
        subtitle=f"{money(stake)}{_WAGER}",
        rows=rows,
        has_envy=any(row.envy for row in rows),
        key=jackpot.name,
    )


def _rows(wager: Wager, slot: Slot, terms: Terms) -> tuple[PrizeView, ...]:
    """The rows that pay, with what the settlement pays on them under the readings in force."""
    posted = (row for row in posted_rows(wager, slot, terms) if row.is_paid)
    return tuple(PrizeView(row.event, titled(row.pays_words), "") for row in posted)


def wager_paytables(configuration: Configuration) -> tuple[PayTableView, ...]:
    """The pay tables of every wager on offer that is no jackpot, slot by slot, as they are paid."""
    game, terms = find_game(configuration.game), configuration.terms
    views = []
    for name in configuration.wagers:
        wager = game.by_name[name]
        for slot in wager.slots:
            rows = _rows(wager, slot, terms) if slot.name in terms.tables else ()
            if rows:
                limits = limit_sentence(configuration, name, money, _TO)
                condition = titled(posted_condition(wager, slot, terms))
                views.append(PayTableView(wager.heading(slot), limits, rows, condition=condition))
    return tuple(views)


def limit_views(configuration: Configuration | None, jackpots: Sequence[PayTableView]) -> tuple[LimitView, ...]:
    """The posted limits: what may be wagered on each option, and the one amount of each jackpot."""
    limits = []
    if configuration is not None:
        by_name = find_game(configuration.game).by_name
        ranges = {name: limit_sentence(configuration, name, money, _TO) for name in configuration.wagers}
        limits = [LimitView(by_name[name].title, amount) for name, amount in ranges.items()]
    return (*limits, *(LimitView(table.title, table.subtitle.removesuffix(_WAGER)) for table in jackpots))
