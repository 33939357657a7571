"""The hits of a room as a fold over its journal: those not finished, slips given, and what each round has paid.

A finished hit leaves the state and stays in the journal, where `history` reads it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from pitboss.books import (
    OMIT_DEFAULT,
    BookState,
    Draft,
    Entry,
    Movement,
    Payload,
    Projection,
    RefusedError,
    json_object,
)
from pitboss.commands import By
from pitboss.jackpot.hits import values, workflow
from pitboss.jackpot.hits.values import Claim, Done, Handed, Hit, HitState, SmallPaid, Won
from pitboss.meters import units_of

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_ROUNDS_REMEMBERED = 4
_CALLS_REMEMBERED = 16
_SMALL_REMEMBERED = 26 * 3_600 * 1_000_000
"""No shift is longer; small prizes can be taken back in theirs (G-66). In microseconds."""


class Claimed(NamedTuple):
    """A prize of a round that is called or paid: `of_seat` is 0 for the seat's own, else whose hand gave the Envy."""

    round: int
    jackpot: str
    seat: int
    of_seat: int = 0


@json_object
class EventPrize(NamedTuple):
    """A prize of a round: of which hit, its seat, amount and wager, and what was withheld where it is paid (G-38)."""

    round: int
    hit: int
    seat: int
    cents: int
    wager_cents: int
    withheld_cents: int | None = None


_NO_PRIZES: Mapping[str, tuple[EventPrize, ...]] = MappingProxyType({})
_NO_SMALL: Mapping[str, tuple[SmallPaid, ...]] = MappingProxyType({})


@json_object
class RoomHits(NamedTuple):
    """Hits not finished by number, the last slip, copies by slip, prizes of recent rounds by table, and recent calls.

    `in_hand` has by jackpot the cents of small prizes that are called and, until the next entry, not paid. `fund_calls`
    has by jackpot the entries that took a prize from the fund and were not rejected; before G-36 was revised, late
    calls were paid by them. `confirmed` has by table the wagers of added seats that surveillance has seen (G-39), and
    `finished` the prizes of closed hits of recent rounds, which count for the tax on another prize of the same event
    (G-38). `small` has by table the small and Envy prizes of the last day that were not taken back (G-66), and
    `printed` the slips whose original was printed (F-15).
    """

    open: Mapping[int, Hit]
    slips: int
    copies: Mapping[str, int]
    claimed: Mapping[str, tuple[Claimed, ...]]
    fund_calls: Mapping[str, tuple[int, ...]]
    in_hand: Mapping[str, int]
    confirmed: Annotated[Mapping[str, tuple[Claimed, ...]], OMIT_DEFAULT] = _NOTHING
    finished: Mapping[str, tuple[EventPrize, ...]] = _NO_PRIZES
    small: Mapping[str, tuple[SmallPaid, ...]] = _NO_SMALL
    printed: Annotated[tuple[int, ...], OMIT_DEFAULT] = ()

    def small_prize(self, table: str, number: int) -> SmallPaid | None:
        """Return a small prize of a table that can still be taken back, if there is one of this number."""
        return next((paid for paid in self.small.get(table, ()) if paid.number == number), None)

    def payable_cents(self, jackpot: str) -> int:
        """Return the cents of a jackpot's prizes that are called and neither paid nor rejected."""
        hits = sum(won.cents for hit in self.open.values() if hit.jackpot == jackpot for won in hit.unpaid)
        return hits + self.in_hand.get(jackpot, 0)


EMPTY = RoomHits({}, 0, {}, {}, {}, {})
MOVED_KINDS = ("prize-called", "prize-rejected", "prize-paid", "prize-reversed")
HIT_KINDS = frozenset(
    (
        *MOVED_KINDS,
        "wager-confirmed",
        "hit-verified",
        "hit-surveilled",
        "hit-documented",
        "hit-corrected",
        "hit-closed",
        "slip-printed",
        "slip-reprinted",
    )
)


def _require(problems: Iterable[str]) -> None:
    """Stop the fold at an entry that could not have been written by these rules."""
    if texts := list(problems):
        raise ValueError("; ".join(texts))


def _done(step: str, entry: Entry, role: str, reason: str = "") -> Done:
    return Done(step, entry.actor, role, entry.sequence, entry.happened, reason)


def _put(room: RoomHits, hit: Hit) -> RoomHits:
    return room._replace(open={**room.open, hit.number: hit})


def _stepped(hit: Hit, step: str, entry: Entry, role: str) -> Done:
    """Check that a step may be done, and return it as done."""
    _require(workflow.step_problems(hit, step, By(entry.actor, role)))
    return _done(step, entry, role)


def _claim(room: RoomHits, table: str, claims: Iterable[Claimed]) -> RoomHits:
    new = tuple(claims)
    before = room.claimed.get(table, ())
    twice = sorted({claim for claim in new if claim in before or new.count(claim) > 1})
    if twice:
        raise ValueError(
            f"seat {', '.join(str(claim.seat) for claim in twice)} has a prize of this round already (G-2)"
        )
    oldest = max((claim.round for claim in (*before, *new)), default=0) - _ROUNDS_REMEMBERED
    recent = (claim for claim in before if claim.round > oldest)
    return room._replace(claimed={**room.claimed, table: (*recent, *new)})


def _unclaim(room: RoomHits, table: str, claims: Iterable[Claimed]) -> RoomHits:
    gone = set(claims)
    left = tuple(claim for claim in room.claimed.get(table, ()) if claim not in gone)
    return room._replace(claimed={**room.claimed, table: left})


def _claims(hit: Hit) -> list[Claimed]:
    return [Claimed(hit.round, hit.jackpot, won.seat) for won in hit.won]


def _called(room: RoomHits, entry: Entry, movement: Movement) -> RoomHits:
    details = movement.details
    step, won = details["step"], tuple(Won(*prize) for prize in details["won"])
    _require(workflow.role_problems("correct" if step == "recall" else step, details["role"]))
    cents = sum(prize.cents for prize in won)
    if sum(units for _, payee, units, _, _ in movement.transfers if payee == "winners") != units_of(cents):
        raise ValueError("the prizes do not come to what is moved")
    room = _from_fund(room, entry, movement)
    if step in ("call", "recall"):
        hit = (_new_hit if step == "call" else _recalled)(room, entry, movement, won)
        return _claim(_put(room, hit), entry.table, _claims(hit))
    paid = SmallPaid(
        entry.sequence,
        entry.recorded,
        details["round"],
        movement.jackpot,
        entry.actor,
        won,
        sum(units for payer, _, units, _, _ in movement.transfers if payer == "displayed"),
        details.get("of_seat", 0),
    )
    room = _with_small(_hold(room, movement.jackpot, cents), entry.table, paid)
    return _claim(room, entry.table, _small_claims(paid))


def _small_claims(paid: SmallPaid) -> list[Claimed]:
    return [Claimed(paid.round, paid.jackpot, won.seat, paid.of_seat) for won in paid.won]


def _with_small(room: RoomHits, table: str, paid: SmallPaid) -> RoomHits:
    oldest = paid.at - _SMALL_REMEMBERED
    recent = (before for before in room.small.get(table, ()) if before.at > oldest)
    return room._replace(small={**room.small, table: (*recent, paid)})


def _new_hit(_: RoomHits, entry: Entry, movement: Movement, won: tuple[Won, ...]) -> Hit:
    details = movement.details
    return Hit(
        number=entry.sequence,
        jackpot=movement.jackpot,
        table=entry.table,
        round=details["round"],
        wager_cents=details["wager_cents"],
        meter_cents=details["meter_cents"],
        late=details["late"],
        state=HitState.CALLED,
        won=won,
        transfers=movement.transfers,
        called_at=entry.sequence,
        done=(_done("call", entry, details["role"], movement.words),),
        added=dict(details.get("added", ())),
        beside=tuple(Claim(*claim) for claim in details.get("beside", ())),
    )


def _recalled(room: RoomHits, entry: Entry, movement: Movement, won: tuple[Won, ...]) -> Hit:
    """A hit called anew by a correction, which has taken the money back in the entry before."""
    hit = room.open[movement.details["hit"]]
    if hit.won:
        raise ValueError(f"hit {hit.number} was not taken back before it is called anew")
    added = dict(movement.details.get("added", ()))
    return replace(
        hit, won=won, transfers=movement.transfers, called_at=entry.sequence, since=len(hit.done), added=added
    )


def _hold(room: RoomHits, jackpot: str, cents: int) -> RoomHits:
    return room._replace(in_hand={**room.in_hand, jackpot: room.in_hand.get(jackpot, 0) + cents})


def _from_fund(room: RoomHits, entry: Entry, movement: Movement) -> RoomHits:
    if not any(payer == "displayed" for payer, _, _, _, _ in movement.transfers):
        return room
    calls = (*room.fund_calls.get(movement.jackpot, ()), entry.sequence)[-_CALLS_REMEMBERED:]
    return room._replace(fund_calls={**room.fund_calls, movement.jackpot: calls})


def _rejected(room: RoomHits, entry: Entry, movement: Movement) -> RoomHits:
    details = movement.details
    hit, step = room.open[details["hit"]], details["step"]
    by = By(entry.actor, details["role"], By(movement.approved_by, details["approved_role"]))
    _require([*workflow.step_problems(hit, step, by), *workflow.approval_problems(by, movement.words, hit)])
    done = _done(step, entry, by.role, movement.words)
    calls = tuple(call for call in room.fund_calls.get(hit.jackpot, ()) if call != hit.called_at)
    room = _unclaim(room._replace(fund_calls={**room.fund_calls, hit.jackpot: calls}), hit.table, _claims(hit))
    if step == "reject":
        return _put(room, hit.after(done, HitState.REJECTED))
    # The money is back, and the entry that calls it anew is part of the same command.
    return _put(room, hit.after(done, HitState.CALLED, won=(), transfers=(), papers=(), demands={}))


def _paid(room: RoomHits, entry: Entry, movement: Movement) -> RoomHits:
    details = movement.details
    if details["step"] != "pay":
        return _hold(room, movement.jackpot, -sum(cents for _, _, cents in details["won"]))
    hit = room.open[details["hit"]]
    done = _stepped(hit, "pay", entry, details["role"])
    seat, method, withheld, cheque, slip = details["handed"]
    handed = Handed(seat, method, withheld, cheque, slip, entry.sequence)
    _require(workflow.handing_problems(hit, handed, By(entry.actor, details["role"])))
    won = hit.prize(seat)
    moved = sum(units for _, payee, units, _, _ in movement.transfers if payee == "paid")
    if won is None or moved != units_of(won.cents):
        raise ValueError(f"{moved} units are not the prize of seat {seat}")
    left = [prize for prize in hit.unpaid if prize.seat != seat]
    state = HitState.DOCUMENTED if left else HitState.PAID
    return _put(room, hit.after(done, state, handed=(*hit.handed, handed)))


def _reversed(room: RoomHits, entry: Entry, movement: Movement) -> RoomHits:
    """A small prize is taken back once, whole, by who may (G-66); its seats can be paid again."""
    details, table = movement.details, entry.table
    paid = room.small_prize(table, details["prize"])
    if paid is None:
        raise ValueError(f"small prize {details['prize']} of table {table} cannot be taken back, or was already (G-66)")
    by = By(entry.actor, details["role"])
    _require(workflow.reversal_problems(paid, details["step"], by, movement.words, entry.recorded))
    moved = {(payer, payee): units for payer, payee, units, _, _ in movement.transfers}
    back = moved.get(("paid", "winners"), 0), moved.get(("winners", "displayed"), 0)
    if movement.jackpot != paid.jackpot or back != (units_of(paid.cents), paid.fund_units):
        raise ValueError(f"what is taken back is not small prize {paid.number}")
    calls = tuple(call for call in room.fund_calls.get(paid.jackpot, ()) if call != paid.number)
    left = tuple(other for other in room.small[table] if other is not paid)
    room = room._replace(fund_calls={**room.fund_calls, paid.jackpot: calls}, small={**room.small, table: left})
    return _unclaim(room, table, _small_claims(paid))


def _documented(room: RoomHits, entry: Entry, value: values.HitDocumented) -> RoomHits:
    hit = room.open[value.hit]
    done = _stepped(hit, "document", entry, value.role)
    if set(value.demands) != set(hit.demands):
        raise ValueError("papers speak of every prize")
    hit = replace(hit, demands=value.demands)
    _require(workflow.paper_problems(hit, value.papers))
    numbers = [paper.slip for paper in value.papers]
    if numbers != list(range(room.slips + 1, room.slips + 1 + len(numbers))):
        raise ValueError(f"slips {numbers} do not follow slip {room.slips} (M-08)")
    room = room._replace(slips=room.slips + len(numbers))
    return _put(room, hit.after(done, HitState.DOCUMENTED, papers=value.papers))


def _verified(room: RoomHits, entry: Entry, value: values.HitVerified) -> RoomHits:
    hit = room.open[value.hit]
    done = _stepped(hit, "verify", entry, value.role)
    if (
        not hit.won
        or {won.seat for won in hit.won} != set(value.demands)
        or not set(value.demands) <= set(value.lights)
    ):
        raise ValueError("a verification speaks of every prize, and of the light of every seat that has one")
    return _put(room, hit.after(done, HitState.VERIFIED, demands=value.demands))


def _surveilled(room: RoomHits, entry: Entry, value: values.HitSurveilled) -> RoomHits:
    hit = room.open[value.hit]
    done = _stepped(hit, "surveil", entry, value.role)
    _require(workflow.check_problems(value.checks))
    return _put(room, hit.after(done, HitState.SURVEILLED))


def _corrected(room: RoomHits, entry: Entry, value: values.HitCorrected) -> RoomHits:
    hit = room.open[value.hit]
    by = By(entry.actor, value.role, By(value.approved_by, value.approved_role))
    _require([*workflow.step_problems(hit, "correct", by), *workflow.approval_problems(by, value.words, hit)])
    if [claim.row for claim in value.claims] != [won.row for won in hit.won]:
        raise ValueError("a correction without money changes seats only")
    moved = tuple(Won(claim.seat, won.row, won.cents) for claim, won in zip(value.claims, hit.won, strict=True))
    done = _done("correct", entry, value.role, value.words)
    after = hit.after(done, HitState.CALLED, won=moved, papers=(), demands={}, since=len(hit.done))
    after = replace(after, added=dict(value.added))
    return _claim(_put(_unclaim(room, hit.table, _claims(hit)), after), hit.table, _claims(after))


def _closed(room: RoomHits, entry: Entry, value: values.HitClosed) -> RoomHits:
    hit = room.open[value.hit]
    done = _stepped(hit, "close", entry, value.role)
    return _put(room, hit.after(done._replace(words=value.words), HitState.CLOSED))


def _reprinted(room: RoomHits, value: values.SlipReprinted) -> RoomHits:
    _require(workflow.role_problems("reprint", value.role))
    copies = room.copies.get(str(value.slip), 0) + 1
    if not 1 <= value.slip <= room.slips or value.copy != copies or not value.words.strip():
        raise ValueError(f"copy {value.copy} of slip {value.slip} cannot be: there are {room.slips} slips")
    return room._replace(copies={**room.copies, str(value.slip): copies})


def _printed(room: RoomHits, value: values.SlipPrinted) -> RoomHits:
    _require(workflow.role_problems("reprint", value.role))
    if not 1 <= value.slip <= room.slips or value.slip in room.printed:
        raise ValueError(f"the original of slip {value.slip} cannot be printed: it was, or is not made (F-15)")
    return room._replace(printed=(*room.printed, value.slip))


def _confirmed(room: RoomHits, entry: Entry, value: values.WagerConfirmed) -> RoomHits:
    _require(workflow.role_problems("surveil", value.role))
    before = room.confirmed.get(entry.table, ())
    recent = (claim for claim in before if claim.round > value.round - _ROUNDS_REMEMBERED)
    claim = Claimed(value.round, value.jackpot, value.seat)
    return room._replace(confirmed={**room.confirmed, entry.table: (*recent, claim)})


_FOLDS: dict[str, Callable[[RoomHits, Entry, Movement], RoomHits]] = {
    "prize-called": _called,
    "prize-rejected": _rejected,
    "prize-paid": _paid,
    "prize-reversed": _reversed,
}


def folded(room: RoomHits, entry: Entry, value: Payload) -> RoomHits:
    """Fold an entry; a hit that it finishes is still there."""
    match value:
        case Movement():
            if value.kind not in MOVED_KINDS or "step" not in value.details:
                return room
            return _FOLDS[value.kind](room, entry, value)
        case values.HitVerified():
            return _verified(room, entry, value)
        case values.HitSurveilled():
            return _surveilled(room, entry, value)
        case values.HitDocumented():
            return _documented(room, entry, value)
        case values.HitCorrected():
            return _corrected(room, entry, value)
        case values.HitClosed():
            return _closed(room, entry, value)
        case values.SlipPrinted():
            return _printed(room, value)
        case values.SlipReprinted():
            return _reprinted(room, value)
        case values.WagerConfirmed():
            return _confirmed(room, entry, value)
        case _:
            return room


def _fold(room: RoomHits, entry: Entry, value: Payload) -> RoomHits:
    after = folded(room, entry, value)
    finished = [hit for hit in after.open.values() if hit.is_finished]
    if not finished:
        return after
    for hit in finished:
        after = _remembered(after, hit)
    return after._replace(open={number: hit for number, hit in after.open.items() if not hit.is_finished})


def event_prizes(hit: Hit) -> list[EventPrize]:
    """Return the prizes of a hit that was not rejected."""
    withheld = {handed.seat: handed.withheld_cents for handed in hit.handed}
    prizes = () if hit.state is HitState.REJECTED else hit.won
    return [
        EventPrize(hit.round, hit.number, won.seat, won.cents, hit.wager_cents, withheld.get(won.seat))
        for won in prizes
    ]


def _remembered(room: RoomHits, hit: Hit) -> RoomHits:
    prizes = (*room.finished.get(hit.table, ()), *event_prizes(hit))
    last = max((prize.round for prize in prizes), default=0)
    recent = tuple(prize for prize in prizes if prize.round > last - _ROUNDS_REMEMBERED)
    return room._replace(finished={**room.finished, hit.table: recent})


HITS: Projection[RoomHits] = Projection(
    name="hits", shape=RoomHits, empty=EMPTY, fold=_fold, kinds=HIT_KINDS, version=3
)


def open_hit(state: BookState, number: int) -> Hit:
    """Return a hit that is not finished, or refuse."""
    hits = state.of(HITS).open
    if number not in hits:
        raise RefusedError([f"there is no open hit {number!r}; open are: {', '.join(map(str, hits)) or 'none'}"])
    return hits[number]


def drafts_about(hit: Hit, *values: Payload) -> list[Draft]:
    """Return entries about a hit; they name its table."""
    return [Draft(value, table=hit.table) for value in values]
