"""From a call to the closed hit: verified, surveilled, documented, handed over, closed; small prizes, reprints."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pitboss import law
from pitboss.books import LEDGER, BookState, Draft, LedgerTransfer, Movement, RefusedError, movement_of
from pitboss.commands import Bounds, By, Command, Count, Name, Now, Seat, Seats, Words, command, refuse
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hits import amounts, values
from pitboss.jackpot.hits.calls import added_problems, round_of, screen_problems, seat_problems
from pitboss.jackpot.hits.state import HITS, Claimed, drafts_about, event_prizes, open_hit
from pitboss.jackpot.hits.thresholds import TRAY, Demand, OtherPrize, PrizeDemands, prize_demands
from pitboss.jackpot.hits.workflow import STEPS, check_problems, handing_problems, paper_problems, step_problems
from pitboss.jackpot.state import JACKPOTS, TabulatedRound, local_day, profile_at, record_of
from pitboss.meters import hit as meter_hit
from pitboss.meters import units_of
from pitboss.rules import JackpotPayment, dollars


def _demands(now: Now, table: str, cents: int, wager_cents: int, others: Sequence[OtherPrize] = ()) -> PrizeDemands:
    profile = profile_at(now.state, table)
    try:
        return prize_demands(cents, wager_cents, local_day(now.state, now.at), profile, others)
    except law.NoRuleSetError as error:
        raise RefusedError([str(error)]) from None


def _hit_demands(now: Now, hit: values.Hit) -> dict[int, PrizeDemands]:
    """Return what each prize of a hit demands; for the tax with the person's other prizes of the round (G-38)."""
    demands = {
        won.seat: _demands(now, hit.table, won.cents, hit.wager_cents, _same_event(now.state, hit, won.seat))
        for won in hit.won
    }
    for seat in demands.keys() & hit.added.keys():
        # Whatever its amount: who put the wager there is not who says that it lay there.
        added = {Demand.SURVEILLANCE: f"G-39: {hit.added[seat]} added the wager"}
        demands[seat] = replace(demands[seat], sources={**demands[seat].sources, **added})
    return demands


def _same_event(state: BookState, hit: values.Hit, seat: int) -> list[OtherPrize]:
    """Return the other prizes of the person at a seat in the round of a hit, of any jackpot, paid or not."""
    recent, hits = state.of(JACKPOTS).rounds.get(hit.table, ()), state.of(HITS)
    counted = next((counted for counted in recent if counted.round == hit.round), None)
    prizes = [prize for other in hits.open.values() if other.table == hit.table for prize in event_prizes(other)]
    return [
        OtherPrize(prize.cents, prize.wager_cents, prize.withheld_cents)
        for prize in (*prizes, *hits.finished.get(hit.table, ()))
        if prize.round == hit.round
        and (prize.hit, prize.seat) != (hit.number, seat)
        and (prize.seat == seat or (counted is not None and counted.one_person(prize.seat, seat)))
    ]


@command("hits/verify", roles=STEPS["verify"].roles, pin=True)
class VerifyHit(Command):
    """Verify a report by the cards and by the wager lights of these seats."""

    hit: Count
    cards: Mapping[Seat, values.Text]
    board: values.Text = ""
    lights: Seats

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the verification: the cards are evaluated by the settlement, and the wager lights confirmed."""
        hit = open_hit(now.state, self.hit)
        refuse(step_problems(hit, "verify", by))
        recent = now.state.of(JACKPOTS).rounds.get(hit.table, ())
        persons = next((counted.persons for counted in recent if counted.round == hit.round), ())
        cards = amounts.RoundCards(seats=self.cards, board=self.board)
        verified = amounts.verified_by_cards(
            record_of(now.state, hit.jackpot).jackpot, hit, cards, self.lights, persons
        )
        return drafts_about(
            hit,
            values.HitVerified(
                hit=hit.number,
                role=by.role,
                cards=cards.to_json(),
                lights=tuple(sorted(self.lights)),
                because=verified.because,
                demands=_hit_demands(now, hit),
                envy=verified.envy,
                added=tuple((won.seat, hit.added[won.seat]) for won in hit.won if won.seat in hit.added),
            ),
        )


@command("hits/surveil", roles=STEPS["surveil"].roles)
class SurveilHit(Command):
    """Confirm hand, wager, payout and winner from surveillance video."""

    hit: Count
    checks: Annotated[tuple[Name, ...], Bounds(most=10)]

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return what was confirmed (O-04)."""
        hit = open_hit(now.state, self.hit)
        refuse([*step_problems(hit, "surveil", by), *check_problems(self.checks)])
        return drafts_about(hit, values.HitSurveilled(hit=hit.number, role=by.role, checks=self.checks))


@command("hits/document", roles=STEPS["document"].roles)
class DocumentHit(Command):
    """Do the paperwork of every prize: its jackpot slip; each gets the next slip."""

    hit: Count
    papers: Annotated[tuple[values.PaperDraft, ...], Bounds(most=20)]

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the papers, each with the next slip of the room (M-08)."""
        hit = open_hit(now.state, self.hit)
        demands = _hit_demands(now, hit)
        refuse([*step_problems(hit, "document", by), *paper_problems(replace(hit, demands=demands), self.papers)])
        slips = enumerate(self.papers, start=now.state.of(HITS).slips + 1)
        papers = tuple(
            values.Paper(*paper, slip=slip)._replace(
                identification=tuple(map(values.kept_identification, paper.identification))
            )
            for slip, paper in slips
        )
        return drafts_about(hit, values.HitDocumented(hit=hit.number, role=by.role, papers=papers, demands=demands))


@command("hits/pay", roles=STEPS["pay"].roles)
class PayPrize(Command):
    """Pay the prize of a seat."""

    hit: Count
    seat: Seat
    method: Literal["tray", "cage", "cheque"]
    cheque: values.Text = ""

    def role_order(self) -> Sequence[str]:
        """Return the roles by method: at the cage and with cheques accounting and managers come first (F-17)."""
        roles = self.spec.roles
        return roles if self.method == TRAY else sorted(roles, key=lambda role: role == "supervisor")

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the payment, in a way that its amount allows, less what is withheld."""
        hit, seat = open_hit(now.state, self.hit), self.seat
        paper, demands = hit.paper(seat), hit.demands.get(seat)
        withheld = 0
        if paper is not None and demands is not None:
            withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
        handed = values.Handed(seat, self.method, withheld, self.cheque, 0 if paper is None else paper.slip, 0)
        problems = [*step_problems(hit, "pay", by), *handing_problems(hit, handed, by)]
        if demands is not None and _hit_demands(now, hit).get(seat) != demands:
            problems.append(
                f"seat {seat}: today's thresholds are others than those of the papers: make them anew (X-02)"
            )
        refuse(problems)
        won = hit.prize(seat)
        assert won is not None
        details: dict[str, Any] = {"step": "pay", "hit": hit.number, "role": by.role, "handed": list(handed[:5])}
        transfers = (LedgerTransfer("winners", "paid", units_of(won.cents)),)
        return drafts_about(hit, Movement("prize-paid", hit.jackpot, transfers, details=details))


@command("hits/close", roles=STEPS["close"].roles, pin=True)
class CloseHit(Command):
    """Close a jackpot whose prizes are all paid."""

    hit: Count
    words: Words = ""

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return that the hit is closed."""
        hit = open_hit(now.state, self.hit)
        refuse(step_problems(hit, "close", by))
        return drafts_about(hit, values.HitClosed(hit=hit.number, role=by.role, words=self.words))


@command("hits/print", roles=STEPS["reprint"].roles)
class PrintSlip(Command):
    """Print the original of a slip, once; what is printed after it is a reprint."""

    slip: Count

    def entries(self, now: Now, by: By) -> list[values.SlipPrinted]:
        """Return that the original was printed (F-15)."""
        room, problems = now.state.of(HITS), []
        if type(self.slip) is not int or not 1 <= self.slip <= room.slips:
            problems.append(f"there is no slip {self.slip!r}: the last is {room.slips} (M-08)")
        elif self.slip in room.printed or str(self.slip) in room.copies:
            problems.append(f"slip {self.slip:06d} was printed already: reprint it, and say why (F-15)")
        refuse(problems)
        return [values.SlipPrinted(slip=self.slip, role=by.role)]


@command("hits/reprint", roles=STEPS["reprint"].roles)
class ReprintSlip(Command):
    """Reprint a slip, with the reason."""

    slip: Count
    words: Words

    def entries(self, now: Now, by: By) -> list[values.SlipReprinted]:
        """Return which copy it is, and why (F-15)."""
        room, problems = now.state.of(HITS), []
        if type(self.slip) is not int or not 1 <= self.slip <= room.slips:
            problems.append(f"there is no slip {self.slip!r}: the last is {room.slips} (M-08)")
        if not self.words.strip():
            problems.append("the reason must be stated in words (F-15)")
        refuse(problems)
        copy = room.copies.get(str(self.slip), 0) + 1
        return [values.SlipReprinted(slip=self.slip, copy=copy, role=by.role, words=self.words)]


@command("hits/small", roles=STEPS["tray"].roles, pin=True)
class PaySmallPrize(Command):
    """Pay a small fixed prize from the tray.

    It is refused where a screen showed another round or another amount (`shown_round`, `shown_cents`; G-67).
    """

    jackpot: Name
    table: Name
    seat: Seat
    row: Name
    round: Count | None = None
    shown_round: Count | None = None
    shown_cents: Count | None = None

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the call and the payment: a prize below the amount the operator set."""
        refuse(screen_problems(now.state, self.table, self.shown_round))
        jackpot, claim = record_of(now.state, self.jackpot).jackpot, values.Claim(self.seat, self.row)
        problems = amounts.claim_problems(jackpot, self.table, [claim])
        counted = round_of(now.state, self.table, self.round, problems)
        if counted is not None:
            problems += seat_problems(now.state, self.table, counted, self.jackpot, [self.seat])
            problems += added_problems(now.state, self.table, counted, self.jackpot, [self.seat], by)
        refuse(problems)
        assert counted is not None
        prize = jackpot.offer_at(self.table).prize(self.row)
        if prize is not None and prize.share is not None:
            refuse([f"{self.row} is a percentage of the meter: call it (G-4)"])
        displayed = now.state.of(LEDGER)[self.jackpot].meter_state.displayed_cents
        called = amounts.called_prizes(jackpot, self.table, [claim], displayed, displayed)
        refuse(_shown_problems(self.shown_cents, called.won[0]))
        refuse(_too_large(now, jackpot, self.table, called.won[0]))
        details = {"step": "tray", "role": by.role, "round": counted.round}
        return _paid_at_once(now.state, jackpot, called.won, called.payment, details)


def _shown_problems(shown_cents: int | None, won: values.Won) -> list[str]:
    if shown_cents in (None, won.cents):
        return []
    return [f"{won.row} pays {dollars(won.cents)}, and {dollars(shown_cents or 0)} was shown: nothing was paid (G-67)"]


def _too_large(now: Now, jackpot: Jackpot, table: str, won: values.Won) -> list[str]:
    """Return why a prize is not paid from the tray: it is not below the operator's amount, or demands something."""
    problems = []
    if won.cents <= 0:
        problems.append(f"seat {won.seat}: {won.row} pays nothing")
    if won.cents >= jackpot.small_prize_cents:
        limit = dollars(jackpot.small_prize_cents)
        problems.append(f"{won.row} pays {dollars(won.cents)}: only prizes below {limit} are paid so, call it (F-17)")
    return problems + _demand_problems(now, jackpot, table, won)


def _demand_problems(now: Now, jackpot: Jackpot, table: str, won: values.Won) -> list[str]:
    sources = _demands(now, table, won.cents, jackpot.meter.wager_cents).sources
    return [f"{dollars(won.cents)} demands {demand}: call it ({source})" for demand, source in sources.items()]


def _paid_at_once(
    state: BookState, jackpot: Jackpot, won: Sequence[values.Won], payment: JackpotPayment, details: dict[str, Any]
) -> list[Movement]:
    before = state.of(LEDGER)[jackpot.name].meter_state
    change = meter_hit(before, jackpot.meter, payment, top=False)
    details = {**details, "won": list(map(list, won))}
    units = units_of(sum(prize.cents for prize in won))
    return [
        movement_of("prize-called", jackpot.name, before, change, details=details),
        Movement("prize-paid", jackpot.name, (LedgerTransfer("winners", "paid", units),), details=details),
    ]


@command("hits/confirm-wager", roles=STEPS["surveil"].roles)
class ConfirmWager(Command):
    """Confirm from video that the wager of an added seat lay there before the first card."""

    jackpot: Name
    table: Name
    seat: Seat
    round: Count | None = None
    words: Words

    def entries(self, now: Now, by: By) -> list[values.WagerConfirmed]:
        """Return the confirmation: prizes of the seat may be paid at the table then, by another (G-39)."""
        problems: list[str] = [] if self.words.strip() else ["state in words what the camera shows (G-39)"]
        counted = round_of(now.state, self.table, self.round, problems)
        if counted is not None:
            claim = Claimed(counted.round, self.jackpot, self.seat)
            if self.seat not in counted.added_to(self.jackpot):
                problems.append(f"seat {self.seat} was not added to round {counted.round} by one person (G-39)")
            elif claim in now.state.of(HITS).confirmed.get(self.table, ()):
                problems.append(f"seat {self.seat} of round {counted.round} is confirmed already (G-39)")
        refuse(problems)
        assert counted is not None
        confirmed = values.WagerConfirmed(
            jackpot=self.jackpot, round=counted.round, seat=self.seat, role=by.role, words=self.words
        )
        return [confirmed]


@command("hits/envy", roles=STEPS["envy"].roles, pin=True)
class PayEnvy(Command):
    """Pay these seats their Envy prizes for another seat's event, from the tray.

    It is refused where a screen showed another round, or another amount for each (`shown_round`, `shown_cents`; G-67).
    """

    jackpot: Name
    table: Name
    event: values.Claim
    seats: Seats
    round: Count | None = None
    shown_round: Count | None = None
    shown_cents: Count | None = None

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the call and the payment of the Envy list."""
        refuse(screen_problems(now.state, self.table, self.shown_round))
        jackpot, event = record_of(now.state, self.jackpot).jackpot, self.event
        problems = amounts.claim_problems(jackpot, self.table, [event])
        counted = round_of(now.state, self.table, self.round, problems)
        if counted is not None:
            problems += self._round_problems(now.state, jackpot, counted)
            problems += added_problems(now.state, self.table, counted, self.jackpot, self.seats, by)
        if not self.seats or event.seat in self.seats or len(set(self.seats)) != len(self.seats):
            problems.append(f"seats {list(self.seats)!r} must be others than seat {event.seat}, each once")
        refuse(problems)
        assert counted is not None
        cents = amounts.envy_cents(jackpot, self.table, event.row)
        if not cents:
            raise RefusedError([f"{event.row} gives no Envy prize"])
        won = tuple(values.Won(seat, event.row, cents) for seat in self.seats)
        refuse(_shown_problems(self.shown_cents, won[0]))
        refuse(_demand_problems(now, jackpot, self.table, won[0]))
        details = {"step": "envy", "role": by.role, "round": counted.round, "of_seat": event.seat}
        return _paid_at_once(now.state, jackpot, won, JackpotPayment(0, cents * len(won), 0), details)

    def _round_problems(self, state: BookState, jackpot: Jackpot, counted: TabulatedRound) -> list[str]:
        seat = self.event.seat
        problems = seat_problems(state, self.table, counted, self.jackpot, self.seats, seat)
        if amounts.needs_wager(jackpot, self.table) and seat not in counted.seats.get(self.jackpot, ()):
            problems.append(f"seat {seat} had no wager, and only a hand that carries it gives Envy")
        own = [other for other in self.seats if counted.one_person(other, seat)]
        return problems + [
            f"seats {other} and {seat} are one person, who is paid no Envy for their own hand (FCP-5)" for other in own
        ]
