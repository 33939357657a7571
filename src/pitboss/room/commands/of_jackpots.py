"""Commands about jackpots: their life, and what people do to their money."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from pitboss.books import Answer, RefusedError
from pitboss.games import UnknownGameError
from pitboss.jackpot import (
    Jackpot,
    Jackpots,
    LinkedTable,
    Offer,
    PlayReason,
    RemovalNoticed,
    RoomJackpots,
    jackpot_problems,
    offer_of,
)
from pitboss.jackpot.checks import room_problems
from pitboss.meters import Account, DecreaseReason, MeterRefusedError, MeterTerms
from pitboss.room.agreement import guarded, open_jackpot_problems
from pitboss.room.commands.kinds import CommandKind, Count, Doors, Name, Number, Said, Who, Words, kind
from pitboss.room.hit_probabilities import HitProbabilities

_MANAGERS, _MONEY = ("manager",), ("manager", "accounting")
_CONFIGURERS = ("manager", "accounting", "surveillance")
_FLOOR = ("supervisor", "manager")
Rate = Annotated[str, Field(max_length=40, pattern=r"^[0-9]{1,12}([./][0-9]{1,12})?$", description="0.173 or 173/1000")]
Fund = Literal["displayed", "reserve", "overflow"]
Reason = Literal["equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered", "prize-won"]


class OfferSaid(Said):
    """A wager on which a jackpot is won, and its pay table: an id, or an id with the operator's amounts."""

    game: Name
    wager: Name
    paytable: Name | dict[str, Any]
    readings: Annotated[dict[str, str], Field(default_factory=dict)]
    decks: Count | None = None


class MeterSaid(Said):
    """The terms of a meter."""

    jackpot_type: Literal["progressive", "bonus"]
    wager_cents: Count = 100
    seed_cents: Count
    reseed_cents: Count
    display_rate: Rate = "0"
    reserve_rate: Rate = "0"
    cap_cents: Count | None = None
    batch_wagers_max: Count | None = None


class TableSaid(Said):
    """A table on a jackpot."""

    table: Name
    game: Name
    location: Name


class JackpotSaid(Said):
    """A jackpot as people define it; what its pay tables say is read from the games."""

    name: Name
    offers: Annotated[list[OfferSaid], Field(min_length=1, max_length=8)]
    meter: MeterSaid
    tables: Annotated[list[TableSaid], Field(max_length=100)]
    display: Literal["static", "updatable", "real-time"]
    fixed_prizes: Literal["house", "meter"] = "house"
    small_prize_cents: Count = 0
    bonus_sharing: Literal["full", "split"] = "full"


_STAND_IN = {
    "progressive": {"seed_cents": 0, "reseed_cents": 0, "display_rate": Fraction(1, 10), "reserve_rate": Fraction(0)},
    "bonus": {"seed_cents": 0, "reseed_cents": 0, "display_rate": Fraction(0), "reserve_rate": Fraction(0)},
}
"""Terms by which the rest of a jackpot is looked at where its own cannot be."""


def _meter(said: MeterSaid) -> tuple[MeterTerms, list[str]]:
    """Make the terms of the meter, or terms that stand in for them with everything that is wrong."""
    given = said.model_dump(exclude={"display_rate", "reserve_rate"})
    try:
        rates: dict[str, Any] = {each: Fraction(getattr(said, each)) for each in ("display_rate", "reserve_rate")}
        return MeterTerms(**given, **rates), []
    except (MeterRefusedError, ZeroDivisionError) as error:
        stand_in: dict[str, Any] = {**_STAND_IN[said.jackpot_type], "cap_cents": None, "batch_wagers_max": None}
        terms = MeterTerms(jackpot_type=said.jackpot_type, wager_cents=max(said.wager_cents, 1), **stand_in)
        found = error.problems if isinstance(error, MeterRefusedError) else ["a rate over 0 is none (J-07)"]
        return terms, list(map(str, found))


def _offer(said: OfferSaid, meter: MeterSaid, problems: list[str]) -> Offer | None:
    kept = {"jackpot_type": meter.jackpot_type, "wager_cents": meter.wager_cents}
    try:
        return offer_of(said.game, said.wager, said.paytable, readings=said.readings, decks=said.decks, **kept)  # type: ignore[arg-type]
    except (UnknownGameError, ValueError, TypeError, KeyError, AttributeError) as error:
        problems.append(str(error))
        return None


def jackpot_of(said: JackpotSaid, chances: HitProbabilities, beside: RoomJackpots) -> Jackpot:
    """Make the jackpot, or refuse it with everything that is wrong; linked games come with their chances (J-12)."""
    terms, problems = _meter(said.meter)
    made = [_offer(each, said.meter, problems) for each in said.offers]
    offers = [each for each in made if each is not None]
    tables = tuple(LinkedTable(each.table, each.game, each.location) for each in said.tables)
    plain = said.model_dump(include={"name", "display", "fixed_prizes", "small_prize_cents", "bonus_sharing"})
    if len(offers) == len(made) > 1 and terms.is_progressive:
        offers = [chances.add_to(each, said.meter.jackpot_type) for each in offers]
    jackpot = Jackpot(**plain, offers=tuple(offers), meter=terms, tables=tables)
    if problems:
        rest = jackpot_problems(jackpot) if len(offers) == len(made) else []
        rest = rest or (room_problems(jackpot, beside) if len(offers) == len(made) else [])
        raise RefusedError(dict.fromkeys([*problems, *map(str, rest)]))
    return jackpot


def _open_jackpot(doors: Doors, asked: Any, who: Who) -> Answer:
    """Open a jackpot that is what the configurations of its tables state."""
    books = guarded(doors.books, lambda state: open_jackpot_problems(state, asked.name))
    return Jackpots(books, clock=doors.clock).open(asked.name, words=asked.words, **who.two)


def _notice(doors: Doors, asked: Any, who: Who) -> Answer:
    """Give notice of a removal."""
    try:
        day = datetime.date.fromisoformat(asked.day)
    except ValueError:
        raise RefusedError([f"day: {asked.day!r} is no day such as 2026-11-16 (J-17)"]) from None
    said = {"name": asked.name, "destination": asked.destination, "to": asked.to, "words": asked.words}
    notice = RemovalNoticed(**said, day=day, approved_by=who.two["approved_by"])
    return doors.jackpots.notice_removal(notice, **who.one)


JACKPOT_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "jackpots/define",
        "Define a jackpot, which is closed.",
        lambda d, a, w: d.jackpots.define(jackpot_of(a.jackpot, d.chances, d.jackpots.room), words=a.words, **w.two),
        roles=_MANAGERS,
        approvers=_CONFIGURERS,
        fields={"jackpot": JackpotSaid, "words": Words},
    ),
    kind(
        "jackpots/change",
        "Change a jackpot while it is closed.",
        lambda d, a, w: d.jackpots.change(jackpot_of(a.jackpot, d.chances, d.jackpots.room), words=a.words, **w.two),
        roles=_MANAGERS,
        approvers=_CONFIGURERS,
        fields={"jackpot": JackpotSaid, "words": Words},
    ),
    kind(
        "jackpots/open",
        "Open play; the first time the meter gets its seed.",
        _open_jackpot,
        roles=_FLOOR,
        approvers=("supervisor", "manager", "surveillance", "accounting"),
        fields={"name": Name, "words": Words},
    ),
    kind(
        "jackpots/close",
        "Close play; what stands on the meter stays.",
        lambda d, a, w: d.jackpots.close(a.name, words=a.words, **w.one),
        roles=_FLOOR,
        fields={"name": Name, "words": Words},
    ),
    kind(
        "jackpots/suspend",
        "Suspend play because of something that was found.",
        lambda d, a, w: d.jackpots.suspend(a.name, words=a.words, reason=PlayReason(a.reason), **w.one),
        roles=(*_FLOOR, "accounting", "surveillance"),
        fields={
            "name": Name,
            "words": Words,
            "reason": (Literal[tuple(each.value for each in PlayReason)], "business"),
        },
    ),
    kind(
        "jackpots/adjust",
        "Raise a fund by hand, or lower it for a permitted reason; in units of a hundredth of a cent.",
        lambda d, a, w: d.jackpots.adjust(
            a.name,
            a.units,
            None if a.reason is None else DecreaseReason(a.reason),
            fund=Account(a.fund),
            words=a.words,
            **w.two,
        ),
        roles=_MONEY,
        approvers=_MONEY,
        fields={
            "name": Name,
            "units": Number,
            "reason": (Reason | None, None),
            "fund": (Fund, "displayed"),
            "words": Words,
        },
    ),
    kind(
        "jackpots/receipts",
        "Book nondisplayed funds as gross receipts.",
        lambda d, a, w: d.jackpots.book_receipts(a.name, a.units, fund=Account(a.fund), words=a.words, **w.two),
        roles=_MONEY,
        approvers=_MONEY,
        fields={"name": Name, "units": Number, "fund": Fund, "words": Words},
    ),
    kind(
        "jackpots/seed-other",
        "Seed another progressive with nondisplayed funds, naming the rule that permits it.",
        lambda d, a, w: d.jackpots.seed_other(
            a.name, a.other, a.units, fund=Account(a.fund), permitted_by=a.permitted_by, words=a.words, **w.two
        ),
        roles=_MONEY,
        approvers=_MONEY,
        fields={
            "name": Name,
            "other": Name,
            "units": Number,
            "fund": Fund,
            "permitted_by": Words,
            "words": Words,
        },
    ),
    kind(
        "jackpots/notice",
        "Give notice that a progressive is removed on a later day, and where its money goes.",
        _notice,
        roles=_MANAGERS,
        approvers=_CONFIGURERS,
        fields={
            "name": Name,
            "day": Annotated[str, Field(max_length=10, description="Such as 2026-11-16.")],
            "destination": Literal["progressive", "players", "charity"],
            "to": Words,
            "words": Words,
        },
    ),
    kind(
        "jackpots/remove",
        "Remove a jackpot for good; its money goes where the notice says.",
        lambda d, a, w: d.jackpots.remove(a.name, words=a.words, **w.two),
        roles=_MANAGERS,
        approvers=_MONEY,
        fields={"name": Name, "words": Words},
    ),
    kind(
        "jackpots/post",
        "Post another amount of a Bonus.",
        lambda d, a, w: d.jackpots.post_bonus(a.name, a.cents, words=a.words, **w.one),
        roles=_MANAGERS,
        fields={"name": Name, "cents": Number, "words": Words},
    ),
    kind(
        "jackpots/deposit",
        "Send money to the escrow bank.",
        lambda d, a, w: d.jackpots.send_deposit(a.name, a.cents, **w.one),
        roles=_MONEY,
        fields={"name": Name, "cents": Number},
    ),
    kind(
        "jackpots/deposit-arrived",
        "Note that a deposit has come to the bank; `sequence` is the entry that sent it.",
        lambda d, a, w: d.jackpots.deposit_arrived(a.name, a.sequence, **w.one),
        roles=_MONEY,
        fields={"name": Name, "sequence": Number},
    ),
    kind(
        "jackpots/withdraw",
        "Take money from the escrow bank.",
        lambda d, a, w: d.jackpots.withdraw(a.name, a.cents, words=a.words, **w.two),
        roles=_MONEY,
        approvers=_MONEY,
        fields={"name": Name, "cents": Number, "words": Words},
    ),
)
