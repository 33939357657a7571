"""What commands about jackpots do, in the words of who approves them: funds, definitions, prizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from pitboss.books import LEDGER, BookState
from pitboss.commands.description import Change, changes, fact, listed, seats_text
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot.state import jackpots_of
from pitboss.jackpot.titles import jackpot_title, tables_text, wager_title
from pitboss.meters import DecreaseReason, cents_shown, units_text
from pitboss.rules import dollars, full_words
from pitboss.rules.pays import cell_text

if TYPE_CHECKING:
    from pitboss.jackpot.definitions import Jackpot, JackpotDraft, MeterDraft, OfferDraft
    from pitboss.jackpot.hits.values import Claim, Hit, Won
    from pitboss.meters import MeterState

FUND_TITLES = {"displayed": "meter", "reserve": "reserve", "overflow": "overflow fund"}
DECREASE_TITLES = {
    DecreaseReason.PRIZE_WON: "prize won",
    DecreaseReason.EQUIPMENT_MALFUNCTION: "equipment malfunction",
    DecreaseReason.ABOVE_CAP: "amount above the cap",
    DecreaseReason.BOOKED_AS_RECEIPTS: "booked as gross receipts",
    DecreaseReason.SEED_RECOVERED: "starting amount recovered",
}
DISPLAY_TITLES = {
    "real-time": "with each wager",
    "updatable": "when a new amount is posted",
    "static": "only when closed",
}
SHARING_TITLES = {"full": "each paid in full", "split": "split"}


def fund_title(state: BookState, name: str, fund: str) -> str:
    """Return a fund of a jackpot by name: `Final Four Jackpot meter`."""
    title, text = jackpot_title(state, name), FUND_TITLES.get(fund, fund)
    return f"the {text} of {title}," if "," in title else f"{title} {text}"


def fund_units(state: BookState, name: str, fund: str = "displayed") -> int | None:
    """Return what a fund of a jackpot holds; nothing where the jackpot was never opened."""
    accounts = state.of(LEDGER).get(name)
    return None if accounts is None else accounts.balances[fund]


def amount_change(label: str, before: int | None, units: int) -> Change:
    """Return how an amount changes by units, in the whole cents that are shown."""
    was = 0 if before is None else before
    return Change(label, "" if before is None else dollars(cents_shown(was)), dollars(cents_shown(was + units)))


def fund_change(state: BookState, name: str, fund: str, units: int) -> Change:
    """Return how a fund changes by units; the label names the jackpot."""
    title = fund_title(state, name, fund).removesuffix(",")
    return amount_change(title[:1].upper() + title[1:], fund_units(state, name, fund), units)


def meter_text(state: BookState, name: str) -> str:
    """Return what the meter of a jackpot shows, or that it has none yet."""
    units = fund_units(state, name)
    return "not opened yet" if units is None else dollars(cents_shown(units))


def percent(rate: Fraction) -> str:
    """Return a rate as a percentage with the digits it has: `17.3%`."""
    text = f"{Decimal((rate * 100).numerator) / Decimal((rate * 100).denominator):.6f}"
    return f"{text.rstrip('0').rstrip('.')}%"


def _rate(text: str) -> str:
    try:
        return percent(Fraction(text))
    except (ValueError, ZeroDivisionError):
        return text


def _pays(draft: OfferDraft, meter: MeterDraft) -> str:
    """Return what a pay table pays, row by row; only its id where it cannot be read."""
    from pitboss.jackpot.definitions import offer_of  # noqa: PLC0415

    paytable = draft.paytable if isinstance(draft.paytable, str) else str(draft.paytable.get("id", ""))
    try:
        offer = offer_of(
            draft.game,
            draft.wager,
            draft.paytable,
            jackpot_type=meter.jackpot_type,
            wager_cents=max(meter.wager_cents, 1),
            readings=draft.readings,
            decks=draft.decks,
            posted_cents=meter.seed_cents,
        )
    except (UnknownGameError, ValueError, TypeError, KeyError, AttributeError):
        return paytable
    rows = "; ".join(
        f"{prize.event} {cell_text(prize.pay)}{'' if prize.envy is None else f' (Envy {cell_text(prize.envy)})'}"
        for prize in offer.prizes
    )
    return f"{paytable}: {rows}"


def game_title(game: str) -> str:
    """Return the title of a game; an unknown one keeps its name."""
    try:
        return find_game(game).title
    except UnknownGameError:
        return game


def definition_texts(draft: JackpotDraft) -> dict[str, str]:
    """Return the terms of a jackpot by the labels of its form."""
    meter = draft.meter
    is_progressive = meter.jackpot_type == "progressive"
    texts = {
        "Type": "Progressive" if is_progressive else "Bonus",
        "Tables": tables_text([link.table for link in draft.tables]),
        "Games": listed(dict.fromkeys(game_title(offer.game) for offer in draft.offers)),
        "Wager": dollars(meter.wager_cents),
        "Starting amount" if is_progressive else "Amount": dollars(meter.seed_cents),
    }
    if is_progressive:
        texts |= {
            "Reset amount after a full win": dollars(meter.reseed_cents),
            "Meter contribution": f"{_rate(meter.display_rate)} of each wager",
            "Reserve contribution": f"{_rate(meter.reserve_rate)} of each wager",
            "Cap": "no cap" if meter.cap_cents is None else dollars(meter.cap_cents),
        }
    texts |= {
        "Dealer pays prizes under": dollars(draft.small_prize_cents),
        "Max wagers per count": "no limit" if meter.batch_wagers_max is None else f"{meter.batch_wagers_max:,}",
        "Display updates": DISPLAY_TITLES.get(draft.display, draft.display),
        "Fixed prizes paid by": draft.fixed_prizes,
    }
    if not is_progressive:
        texts["If several players win"] = SHARING_TITLES.get(draft.bonus_sharing, draft.bonus_sharing)
    return texts | {f"Pay table, {wager_title(offer.game, offer.wager)}": _pays(offer, meter) for offer in draft.offers}


def definition_title(draft: JackpotDraft) -> str:
    """Return a jackpot that is not defined yet by its title, place and amounts."""
    offer, meter = draft.offers[0], draft.meter
    kind = "progressive" if meter.jackpot_type == "progressive" else "bonus"
    amounts = [f"{kind}, starting at {dollars(meter.seed_cents)}" if kind == "progressive" else kind]
    amounts += [f"{dollars(meter.seed_cents)}"] if kind == "bonus" else []
    amounts += [] if meter.cap_cents is None else [f"cap {dollars(meter.cap_cents)}"]
    place = tables_text([link.table for link in draft.tables])
    return f"{wager_title(offer.game, offer.wager)}{f' at {place}' if place else ''} ({', '.join(amounts)})"


def definition_changes(draft: JackpotDraft, before: Jackpot | None) -> tuple[Change, ...]:
    """Return the terms of a new jackpot, or of a changed one what differs."""
    from pitboss.jackpot.definitions import JackpotDraft  # noqa: PLC0415

    after = definition_texts(draft)
    if before is None:
        return (*changes(None, after), fact("Short name", draft.name))
    return changes(definition_texts(JackpotDraft.of(before)), after)


def before_of(state: BookState, name: str) -> Jackpot | None:
    """Return a jackpot as it is defined now, if it is."""
    room = jackpots_of(state)
    record = None if room is None else room.jackpots.get(name)
    return None if record is None else record.jackpot


def hit_title(state: BookState, hit: Hit) -> str:
    """Return a hit by its number, jackpot, place and amount."""
    seats = seats_text(won.seat for won in hit.won)
    title = jackpot_title(state, hit.jackpot)
    return f"jackpot {hit.number}: {title}, table {hit.table}, {seats}, {dollars(hit.cents)}"


def _won_texts(won: Iterable[Won]) -> dict[str, str]:
    return {f"Seat {prize.seat}": f"{full_words(prize.row)}, {dollars(prize.cents)}" for prize in won}


def prize_changes(before: Sequence[Won], after: Sequence[Won] | None, claims: Sequence[Claim] = ()) -> list[Change]:
    """Return the prizes of a hit seat by seat, before and after; without amounts where they are not known yet."""
    new = {f"Seat {claim.seat}": full_words(claim.row) for claim in claims} if after is None else _won_texts(after)
    return list(changes(_won_texts(before), new, "no prize"))


def meter_change(state: BookState, name: str, after: MeterState | None) -> list[Change]:
    """Return how the meter of a jackpot changes to a state; nothing where that is not known or it stays."""
    before = fund_units(state, name)
    if after is None or before is None or cents_shown(before) == after.displayed_cents:
        return []
    return [Change("Meter", dollars(cents_shown(before)), dollars(after.displayed_cents))]


def exact(units: int) -> str:
    """Return an amount of units in dollars, with a fraction of a cent where it has one."""
    return units_text(abs(units))
