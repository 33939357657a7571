"""What people, devices, time and misfortune do on the floor, each as a move that is chosen by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pitboss.books import ROOM
from pitboss.commands import By, Command
from pitboss.jackpot import HITS
from pitboss.jackpot.escrow import AdjustFund, BookReceipts, ConfirmDeposit, SendDeposit, WithdrawEscrow
from pitboss.jackpot.hits.calls import CallHit, RejectHit
from pitboss.jackpot.hits.handling import CloseHit, DocumentHit, PayPrize, PaySmallPrize, SurveilHit, VerifyHit
from pitboss.jackpot.hits.small import ReverseSmallPrize, UndoSmallPrize
from pitboss.jackpot.hits.values import Claim, Hit, PaperDraft
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.jackpot.lifecycle import CloseJackpot, OpenJackpot
from pitboss.jackpot.state import JACKPOTS
from pitboss.room.approvals import APPROVALS
from pitboss.tabulator import TABLES
from pitboss.tabulator.corrections import CorrectEarlierRound, CorrectRound, VoidRound
from pitboss.tabulator.tables import ChangeDealer, CloseTable, OpenTable, ResumeTable
from pitboss.tabulator.values import TableRecord
from tests.faults import layout
from tests.faults.disk import KilledError
from tests.faults.floor import Floor
from tests.faults.layout import FINAL, ROYAL, by
from tests.faults.layout import JACKPOTS as ALL
from tests.faults.record import DONE, REFUSED
from tests.jackpot.hit_making import hands_of

DEALERS, SUPERVISORS = ("Dan", "Dora"), ("Sue", "Sam")
HOUR, DAY = 3600, 24 * 3600


@dataclass
class People:
    """Everybody on the floor."""

    floor: Floor

    def pick(self, *names: str) -> str:
        """Return one of these people."""
        return self.floor.rng.choice(names)

    def table(self) -> str:
        """Return a table."""
        return self.floor.rng.choice(list(layout.TABLES))

    def record_of(self, table: str) -> TableRecord:
        """Return what the room knows of a table."""
        return self.floor.room.services.state.of(TABLES).tables[table]

    def hits(self) -> list[Hit]:
        """Return the hits that are open."""
        return list(self.floor.room.services.state.of(HITS).open.values())

    # Play.

    def press(self) -> None:
        """A dealer presses, and the device sends; now and then twice within a second."""
        table, rng = self.table(), self.floor.rng
        is_open = self.record_of(table).phase == "open"
        seats = sorted(rng.sample(range(1, layout.SEATS + 1), rng.randint(1, layout.SEATS))) if is_open else []
        self.floor.press(table, seats)
        if rng.random() < 0.08:
            self.floor.clock.add(0.3)
            self.floor.press(table, seats, at_once=True)
            if rng.random() < 0.5:
                self.floor.overtake(table)
        if rng.random() < 0.85:
            self.floor.deliver(table)

    def press_everywhere(self) -> None:
        """All devices have something that waits, and it is committed together with what people ask."""
        for table in layout.TABLES:
            is_open = self.record_of(table).phase == "open"
            self.floor.press(table, [1, 2, 4, 5] if is_open else [])
        asked: list[tuple[str, Command, By]] = []
        for _ in range(2):
            change = ChangeDealer(table=self.table(), dealer=self.pick(*DEALERS))
            asked.append((self.floor.id(), change, by(self.pick(*SUPERVISORS))))
        self.floor.together(asked)

    def change_dealer(self) -> None:
        """Another dealer takes a table over."""
        self.floor.do(ChangeDealer(table=self.table(), dealer=self.pick(*DEALERS)), by(self.pick(*SUPERVISORS)))

    def correct(self) -> None:
        """A dealer or supervisor puts the round on the table right."""
        table = self.table()
        record = self.record_of(table)
        if not record.rounds:
            return
        counted, wager, rng = record.rounds[-1], layout.AT[table].wager, self.floor.rng
        there = counted.counted.get(wager, ())
        missing = sorted(set(range(1, layout.SEATS + 1)) - set(there))
        cause = rng.choice(["missed", "miscounted"])
        seats = missing if cause == "missed" else list(there)
        if not seats:
            return
        fields = {"table": table, "round": counted.round, "wager": wager, "cause": cause, "words": "seen by the dealer"}
        command = CorrectRound(seats=(rng.choice(seats),), **fields)  # type: ignore[arg-type]
        if rng.random() < 0.3:
            command = CorrectEarlierRound(seats=command.seats, **fields)  # type: ignore[arg-type,assignment]
        is_dealer = record.dealer and rng.random() < 0.5 and cause == "missed"
        self.floor.do(command, by(record.dealer if is_dealer else self.pick(*SUPERVISORS)))

    def void(self) -> None:
        """A supervisor makes a round void, which another approves."""
        record = self.record_of(self.table())
        if record.rounds:
            number = self.floor.rng.choice(record.rounds).round
            void = VoidRound(table=record.table, round=number, cause="misdeal", words="cards exposed")
            self.floor.do(void, by(self.pick(*SUPERVISORS), self.pick("Vic", "", "Vera")))

    def close_and_open(self) -> None:
        """A table is closed between rounds, pressed all the same, and opened again."""
        table = self.table()
        record = self.record_of(table)
        if record.life == "closed":
            opened = OpenTable(table=table)
            self.floor.do(opened, by("Sue", "Vic"))
            self.floor.do(ChangeDealer(table=table, dealer=self.pick(*DEALERS)), by("Sam"))
        elif record.phase == "open":
            self.floor.do(CloseTable(table=table), by(self.pick(*SUPERVISORS)))
            if self.floor.rng.random() < 0.5:
                self.floor.clock.add(2)
                self.floor.press(table, [1, 2])
                self.floor.deliver(table)

    # Jackpots.

    def call(self) -> None:
        """A dealer reports a jackpot of the round on the table."""
        table = self.table()
        if (command := self.call_at(table)) is not None:
            self.floor.do(command, by(self.pick(*DEALERS)))

    def call_at(self, table: str) -> CallHit | None:
        """Return a report of prizes of the last round; never a second one of a percentage in one round."""
        record, jackpot, rng = self.record_of(table), layout.AT[table], self.floor.rng
        if not record.rounds or record.rounds[-1].voided:
            return None
        last = record.rounds[-1]
        seats = list(last.counted.get(jackpot.wager, ()))
        rows = list(jackpot.rows)
        wanted = rng.choice([rows[:1], rows[:1] * 2, rows[1:2], rows[2:3], rows[:1], [rows[0], rows[3]]])
        if rng.random() < 0.05:
            wanted, seats = rows[:1], sorted(set(range(1, layout.SEATS + 1)) - set(seats))
        if len(seats) < len(wanted):
            return None
        claims = tuple(Claim(seat, row) for seat, row in zip(rng.sample(seats, len(wanted)), wanted, strict=True))
        taken = [
            claim
            for claim in self.floor.room.services.state.of(HITS).claimed.get(table, ())
            if claim.round == last.round
        ]
        if taken:
            return None
        # The round is named: of one that counted nothing there is no other to fall back on (G-37 is played elsewhere).
        return CallHit(jackpot=jackpot.name, table=table, claims=claims, round=last.round, words="called late")

    def call_on_linked_tables(self) -> None:
        """Both linked tables have a winner in one instant, in one commit."""
        asked: list[tuple[str, Command, By]] = []
        for table in ROYAL.tables:
            command = self.call_at(table)
            asked += [] if command is None else [(self.floor.id(), command, by("Dan" if table == "1" else "Dora"))]
        if asked:
            self.floor.together(asked)

    def go_on_with_hit(self) -> None:
        """Somebody does the next step of a hit, or one that is not theirs, or one that was done."""
        hits, rng = self.hits(), self.floor.rng
        if not hits:
            return
        hit = rng.choice(hits)
        step = {
            "called": self.verify,
            "verified": self.review,
            "surveilled": self.paperwork,
            "documented": self.pay,
            "paid": self.close,
        }
        if hit.state == "called" and (hit.jackpot == FINAL.name or rng.random() < 0.25):
            self.reject(hit)
        elif hit.state in step:
            step[hit.state](hit)

    def verify(self, hit: Hit) -> None:
        """A supervisor verifies by the cards; who reported it may not."""
        seats = [won.seat for won in hit.won]
        cards = hands_of([won.row for won in hit.won], seats)
        self.floor.do(VerifyHit(hit=hit.number, cards=cards, lights=tuple(seats)), by(self.pick(*SUPERVISORS)))

    def review(self, hit: Hit) -> None:
        """Surveillance confirms, or the papers are made where it need not."""
        if any("surveillance" in demands.names for demands in hit.demands.values()):
            self.floor.do(SurveilHit(hit=hit.number, checks=CHECKS), by(self.pick("Vic", "Vera")))
        else:
            self.paperwork(hit)

    def paperwork(self, hit: Hit) -> None:
        """Accounting makes the papers."""
        papers = tuple(
            PaperDraft(won.seat, f"Winner {won.seat}", ("driver's license", "passport"), True, True, True)
            for won in hit.won
        )
        self.floor.do(DocumentHit(hit=hit.number, papers=papers), by(self.pick("Cas", "Ann")))

    def pay(self, hit: Hit) -> None:
        """A prize is handed over by another; and once more, which must be refused."""
        won = self.floor.rng.choice(hit.won)
        demands = hit.demands.get(won.seat)
        if demands is None:
            return
        method = demands.methods[-1]
        pay = PayPrize(hit=hit.number, seat=won.seat, method=method, cheque="1001" if method == "cheque" else "")  # type: ignore[arg-type]
        own = {done.person for done in hit.done if done.step == "document"}
        if own and self.floor.rng.random() < 0.25:
            self.floor.do(pay, by(min(own)), expect=REFUSED)
        answer = self.floor.do(pay, by(self.pick("Max", "Mia")))
        if answer is not None and self.floor.rng.random() < 0.7:
            self.floor.do(pay, by(self.pick("Max", "Mia")), expect=REFUSED)

    def close(self, hit: Hit) -> None:
        """A supervisor closes it."""
        self.floor.do(CloseHit(hit=hit.number), by(self.pick(*SUPERVISORS, "Mia")))

    def reject(self, hit: Hit) -> None:
        """A supervisor asks to reject a report, and another approves, at once or later."""
        self.floor.do(
            RejectHit(hit=hit.number, words="misread"), by(self.pick(*SUPERVISORS), self.pick("", "Max", "Vera"))
        )

    def small_prize(self) -> None:
        """A small prize is paid from the tray; then undone in time, too late, or reversed by another."""
        table, rng = self.table(), self.floor.rng
        record, jackpot = self.record_of(table), layout.AT[table]
        if not record.rounds or record.rounds[-1].voided or not record.dealer:
            return
        seats = record.rounds[-1].counted.get(jackpot.wager, ())
        row = list(jackpot.rows)[-1]
        if not seats:
            return
        dealer = record.dealer
        answer = self.floor.do(
            PaySmallPrize(jackpot=jackpot.name, table=table, seat=rng.choice(seats), row=row), by(dealer)
        )
        if answer is None or rng.random() < 0.3:
            return
        number, paid_at = answer.entries[0].sequence, answer.entries[0].recorded
        wait = rng.choice([3, 8, 12, 30])
        self.floor.clock.add(wait)
        if rng.random() < 0.7 or wait > 10:
            self.undo(table, number, dealer, paid_at, wait)
        else:
            self.floor.do(ReverseSmallPrize(table=table, prize=number, words="wrong seat"), by(self.pick(*SUPERVISORS)))

    def undo(self, table: str, number: int, dealer: str, paid_at: int, wait: int) -> None:
        """Who paid takes it back: within ten seconds alone."""
        calendar = self.floor.room.services.state.of(ROOM)
        assert calendar is not None
        expect = REFUSED if wait > 10 else ""
        if self.floor.clock.now - paid_at < 10_000_000 and not self.floor.is_jumped and self.floor.is_well:
            expect = "" if self.floor.crosses_shift(paid_at) else DONE
        self.floor.do(UndoSmallPrize(table=table, prize=number), by(dealer), expect=expect)

    # Requests and money.

    def request(self) -> None:
        """Somebody asks for what a second person must approve."""
        rng = self.floor.rng
        jackpot = rng.choice(ALL)
        kind = rng.randrange(3)
        command: Command
        if kind == 0:
            command = AdjustFund(name=jackpot.name, units=rng.randint(1, 300) * 10_000, words="a gift of the house")
        elif kind == 1:
            command = BookReceipts(name=jackpot.name, units=rng.randint(1, 5_000), fund="reserve", words="booked")
        else:
            command = WithdrawEscrow(name=jackpot.name, cents=rng.randint(1, 20_000), words="prizes that were paid")
        self.floor.do(command, by(self.pick("Cas", "Max")))

    def approve(self) -> None:
        """A request is given: by another, by two at once, or by who asked, which must be refused."""
        waiting, rng = self.floor.room.services.state.of(APPROVALS), self.floor.rng
        if not waiting:
            return
        pending = waiting[rng.choice(sorted(waiting))]
        givers = [name for name, role in layout.PEOPLE.items() if role in pending.givers and name != pending.by]
        if rng.random() < 0.3 or not givers:
            self.floor.give(pending.number, pending.by, expect=REFUSED)
        answer = self.floor.give(pending.number, rng.choice(givers)) if givers else None
        if answer is not None and rng.random() < 0.5:
            self.floor.give(pending.number, rng.choice(givers), expect=REFUSED)

    def give_at_once(self) -> None:
        """Two people ask for one thing in one instant: whoever is second is refused."""
        hits = [hit for hit in self.hits() if hit.state == "called"]
        if hits:
            hit = self.floor.rng.choice(hits)
            asked: list[tuple[str, Command, By]] = [
                (self.floor.id(), RejectHit(hit=hit.number, words="misread"), by(name, "Max")) for name in SUPERVISORS
            ]
            answers = self.floor.together(asked)
            if sum(answer is not None for answer in answers) > 1:
                self.floor.record.find(f"hit {hit.number} was rejected by two at once")

    def deposit(self) -> None:
        """Money is sent to the bank, and another confirms that it has arrived; some rooms forget it for weeks."""
        if self.floor.seed % 4 == 0:
            return
        record = self.floor.room.services.state.of(JACKPOTS)
        jackpot = self.floor.rng.choice(ALL)
        in_transit = record.jackpots[jackpot.name].in_transit
        if in_transit:
            sent = ConfirmDeposit(name=jackpot.name, sequence=in_transit[0][0], reference="bank")
            entry = self.floor.room.books.store.entry("room", in_transit[0][0])
            sender = "Cas" if entry is None else entry.actor
            if self.floor.rng.random() < 0.2:
                second = "Max" if layout.PEOPLE[sender] == "accounting" else "Ann"
                self.floor.do(sent, by(sender, second), expect=REFUSED)
            other = "Mia" if sender in ("Cas", "Ann") else "Ann"
            self.floor.do(sent, by(other, "Cas" if other == "Mia" else "Max"))
        else:
            cents = self.floor.rng.choice([5_000, 600_000, 1_500_000])
            self.floor.do(SendDeposit(name=jackpot.name, cents=cents), by(self.pick("Cas", "Max")))

    def withdraw_too_much(self) -> None:
        """Somebody would leave less at the bank than is held for the players."""
        command = WithdrawEscrow(name=self.floor.rng.choice(ALL).name, cents=90_000_000, words="all of it")
        self.floor.do(command, by("Cas", "Max"), expect=REFUSED)

    def tend(self) -> None:
        """Supervisors open again what was suspended, and jackpots."""
        for name, record in self.floor.room.services.state.of(JACKPOTS).jackpots.items():
            if record.play != "open":
                self.floor.do(OpenJackpot(name=name, words="open again"), by("Sue", "Cas"))
            elif self.floor.rng.random() < 0.1:
                self.floor.do(CloseJackpot(name=name, words="for an hour"), by("Sam"))
        for table in layout.TABLES:
            if self.record_of(table).life == "suspended":
                self.floor.do(ResumeTable(table=table, words="all is well"), by("Sue", "Vic"))
            elif self.record_of(table).life == "closed":
                self.close_and_open()

    # Again, and time.

    def send_again(self) -> None:
        """Somebody sends what was done before once more, under its id, or the id with something else."""
        rng = self.floor.rng
        if not self.floor.done:
            return
        act, run = rng.choice(self.floor.done[-40:])
        if rng.random() < 0.75:
            self.floor.carry_out(act, run)
            return
        other = ChangeDealer(table="1", dealer="Nobody Else")
        name = act.id
        act = self.floor.record.asked(
            f"{name} with other content", "other content", "Sue", self.floor.clock.now, REFUSED
        )
        self.floor.carry_out(act, lambda room: room.do(other, by("Sue"), id=name))

    def wait(self) -> None:
        """Time passes, mostly little."""
        rng = self.floor.rng
        if self.floor.seed % 4 == 0 and rng.random() < 0.5:
            self.floor.clock.add(rng.choice([DAY, 2 * DAY]))
        self.floor.clock.add(rng.choice([1, 5, 20, 60, HOUR, 3 * HOUR, 8 * HOUR, DAY, 2 * DAY]) * rng.random())
        self.floor.beat()

    def jump(self) -> None:
        """The clock jumps: nothing is written until two people have decided."""
        if self.floor.is_jumped:
            self.floor.right_clock()
            return
        self.floor.is_jumped = self.floor.rng.choice([-1, 1]) * 2 * DAY
        self.floor.clock.jump(self.floor.is_jumped)
        self.floor.record.count("clock jump")

    # Misfortune.

    def kill_soon(self) -> None:
        """The process will be killed at one of its next writes."""
        self.floor.disk.kill_in = self.floor.rng.randint(0, 14)

    def kill_now(self) -> None:
        """The process ends between two requests; another one takes over."""
        self.floor.record.count("failover")
        self.floor.crash(power=self.floor.rng.random() < 0.5)

    def disk_fails(self) -> None:
        """The disk fails or is full for a while; now and then it is slow."""
        if self.floor.disk.is_failing():
            self.floor.heal()
        elif self.floor.rng.random() < 0.3:
            self.floor.disk.slow_seconds = self.floor.rng.choice([0.0, 0.4, 3.0])
        else:
            self.floor.fail_disk()

    def lines_fail(self) -> None:
        """The line of a table is lost, or comes back."""
        line = self.floor.lines[self.table()]
        line.is_down = not line.is_down

    def late_message(self) -> None:
        """A message that was on its way for long arrives."""
        if self.floor.late:
            self.floor.deliver_late()


MOVES: tuple[tuple[Callable[[People], None], int], ...] = (
    (People.press, 60), (People.press_everywhere, 8), (People.change_dealer, 3), (People.correct, 6),
    (People.void, 3), (People.close_and_open, 3), (People.call, 10), (People.call_on_linked_tables, 5),
    (People.go_on_with_hit, 26), (People.small_prize, 8), (People.request, 6), (People.approve, 8),
    (People.give_at_once, 2), (People.deposit, 6), (People.withdraw_too_much, 1), (People.tend, 5),
    (People.send_again, 8), (People.wait, 10), (People.jump, 1), (People.kill_soon, 3), (People.kill_now, 2),
    (People.disk_fails, 3), (People.lines_fail, 3), (People.late_message, 5),
)  # fmt: skip


def play(floor: Floor, steps: int) -> None:
    """Play so many moves."""
    people = People(floor)
    moves, weights = zip(*MOVES, strict=True)
    for step in range(steps):
        floor.clock.add(floor.rng.choice([0.2, 1.2, 2, 4]))
        [move] = floor.rng.choices(moves, weights)
        floor.record.note("step", step, move.__name__, floor.clock.now)
        try:
            move(people)
            if step % 12 == 0:
                floor.watch()
        except KilledError:
            floor.crash()
        if floor.disk.is_failing() and step % 9 == 0:
            floor.heal()
        end_trouble(floor)


def end_trouble(floor: Floor) -> None:
    """Have what is out of order put right after a while, and let those ask again who were told nothing."""
    if floor.is_jumped and floor.rng.random() < 0.2:
        floor.right_clock()
    for line in floor.lines.values():
        line.is_down = line.is_down and floor.rng.random() > 0.1
    if floor.again and floor.rng.random() < 0.3 and not floor.is_jumped:
        floor.ask_again()
