"""The practice felt: spots with chips, cards as they may be seen, the question, the settlement and the coach's word."""

import datetime
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.cards import card_text, key_text
from pitboss.learn.coach import Asked, Verdict, answer_label
from pitboss.learn.drills import Drill, DrillQuestion
from pitboss.learn.practice import SEATS_MAX, DecisionTaken, PracticeSession, Stakes, stakes_text
from pitboss.papers.layout import spot_rows
from pitboss.rules import Game, Question, SettledLine, full_words
from pitboss.server.views.formatting import dollars, field_dollars, signed_dollars
from pitboss.server.views.hits import board_title
from pitboss.server.views.paytables import titled
from pitboss.table import Phase, Round, View, view
from pitboss.table.round import HIDDEN

_CHIPS = (100, 500, 2_500, 10_000)
_DOUBLE = " double"


class CardOnFelt(NamedTuple):
    """A card: its text, empty where it lies face down, and whether it has just been dealt or turned."""

    text: str
    is_new: bool


class SpotView(NamedTuple):
    """A spot: its wager, what is printed on it, its limits, what lies there, and what became of it.

    `field` is its name in the form, where chips can be put on it; `fixed` is the one amount of a jackpot wager.
    """

    wager: str
    text: str
    title: str
    hint: str
    field: str
    fixed: str
    amount: str
    chip: int
    result: str = ""
    paid: str = ""


class LineView(NamedTuple):
    """A wager that is settled: what it won or lost, and why."""

    title: str
    event: str
    staked: str
    paid: str
    net: str
    result: str
    because: tuple[tuple[str, str], ...]


class SeatOnFelt(NamedTuple):
    """A seat: its cards, its spots in rows, whether it decides now, and when it is settled its lines and its net."""

    number: int
    cards: tuple[CardOnFelt, ...]
    rows: tuple[tuple[SpotView, ...], ...]
    is_turn: bool
    decided: str
    words: tuple[str, ...]
    lines: tuple[LineView, ...]
    net: str
    result: str


class AnswerView(NamedTuple):
    """An answer: its value in the form, its label, what it is worth, and whether it is the best one."""

    value: str
    label: str
    worth: str
    is_best: bool


class QuestionView(NamedTuple):
    """What a seat must decide: buttons, or cards to choose from, `least` to `most` of them."""

    seat: int
    key: str
    words: str
    answers: tuple[AnswerView, ...]
    cards: tuple[str, ...]
    least: int
    most: int
    button: str


class VerdictView(NamedTuple):
    """The coach's word on a decision: its grade, what was better, and what it costs."""

    grade: str
    label: str
    words: str
    cost: str


class PracticeView(NamedTuple):
    """The felt of a session."""

    game: str
    title: str
    phase: str
    hand: int
    step: int
    key: str
    link: str
    bank: str
    board_title: str
    board: tuple[CardOnFelt, ...]
    board_cards: int
    seats: tuple[SeatOnFelt, ...]
    question: QuestionView | None
    chips: tuple[tuple[int, str], ...]
    is_over: bool
    can_repeat: bool
    net: str
    net_result: str


def _answer_value(option: Any) -> str:
    if isinstance(option, bool):
        return "yes" if option else "no"
    return " ".join(map(card_text, option)) if isinstance(option, tuple) else str(option)


def _chip_of(cents: int) -> int:
    """Return the largest chip that goes into an amount, in dollars: it gives the pile its color."""
    return max((chip for chip in _CHIPS if chip <= cents), default=_CHIPS[0]) // 100


def _result(net_cents: int) -> str:
    return "win" if net_cents > 0 else "loss" if net_cents < 0 else "push"


def _cards(now: Sequence[str], before: Sequence[str]) -> tuple[CardOnFelt, ...]:
    return tuple(
        CardOnFelt("" if text == HIDDEN else text, place >= len(before) or before[place] != text)
        for place, text in enumerate(now)
    )


class _Felt:
    """Builds the seats of a session's felt."""

    def __init__(self, session: PracticeSession, game: Game, fields: Mapping[str, str], seats: int) -> None:
        self.session, self.game, self.fields = session, game, fields
        self.configuration = session.configuration
        self.numbers = tuple(session.stakes) if session.played is not None else tuple(range(1, seats + 1))
        self.seen = {number: self._view(session.played, number) for number in self.numbers}
        self.seen_before = {number: self._view(session.before, number) for number in self.numbers}

    @staticmethod
    def _view(played: Round | None, number: int) -> View | None:
        return None if played is None or number not in played.state.seats else view(played, number)

    def seats(self) -> tuple[SeatOnFelt, ...]:
        """Return every seat that is played."""
        turn = None if self.session.played is None else self.session.played.question()
        return tuple(self._seat(number, is_turn=turn is not None and turn[0] == number) for number in self.numbers)

    def _seat(self, number: int, *, is_turn: bool) -> SeatOnFelt:
        seen, before = self.seen[number], self.seen_before[number]
        lines = {} if seen is None else seen.lines.get(number, {})
        cards = () if seen is None else _cards(seen.hands[number], () if before is None else before.hands[number])
        decided = {} if seen is None else seen.decisions[number]
        net = sum(line.net_cents for line in lines.values())
        words: tuple[str, ...] = ()
        if self.session.is_over and self.session.played is not None:
            state = self.session.played.state
            words = self.game.describe(state.seats[number].seat, state.board.seat.cards)
        return SeatOnFelt(
            number=number,
            cards=cards,
            rows=self._rows(number, decided, lines),
            is_turn=is_turn,
            decided=", ".join(
                answer_label(taken.asked.key, taken.asked.words, taken.answer)
                for taken in self.session.here
                if taken.seat == number and taken.asked.key in decided
            ),
            words=words,
            lines=tuple(_line(self.game, line) for line in lines.values()) if self.session.is_over else (),
            net=signed_dollars(net) if self.session.is_over else "",
            result=_result(net) if self.session.is_over else "",
        )

    def _rows(
        self, number: int, decided: Mapping[str, Any], lines: Mapping[str, SettledLine]
    ) -> tuple[tuple[SpotView, ...], ...]:
        return tuple(
            tuple(self._spot(number, wager, text, decided, lines.get(wager)) for wager, text, _, _ in row)
            for row in spot_rows(self.configuration)
        )

    def _spot(
        self, number: int, name: str, text: str, decided: Mapping[str, Any], line: SettledLine | None
    ) -> SpotView:
        wager, (least, most) = self.game.by_name[name], self.configuration.limits(name)
        is_input = text == wager.parts[0].name
        is_jackpot = name in self.configuration.jackpots
        spot = SpotView(
            wager=name,
            text=text,
            title=titled(wager.title),
            hint=dollars(least) if is_jackpot else f"{dollars(least)} to {dollars(most)}",
            field=f"{number}:{name}" if is_input and self.session.played is None else "",
            fixed=field_dollars(least) if is_jackpot else "",
            amount=self.fields.get(f"{number}:{name}", "") if is_input and self.session.played is None else "",
            chip=0,
        )
        stake = self.session.stakes.get(number, {}).get(name) if self.session.played is not None else None
        if stake is None:
            return spot
        if line is not None:
            chips = [chip for chip in line.chips if chip.part.removesuffix(_DOUBLE) == text]
            cents, back = sum(chip.staked_cents for chip in chips), sum(chip.paid_cents for chip in chips)
            if not cents:
                return spot
            paid = signed_dollars(back - cents) if back != cents else "Push"
            return spot._replace(amount=dollars(cents), chip=_chip_of(cents), result=_result(back - cents), paid=paid)
        down = wager.chips_down(decided, stake)
        cents = sum(amount for part, amount in down.items() if part.removesuffix(_DOUBLE) == text)
        return spot._replace(amount=dollars(cents), chip=_chip_of(cents)) if cents else spot


def _line(game: Game, line: SettledLine) -> LineView:
    because = tuple(
        (reason.words, "; ".join(filter(None, (reason.clause.id, reason.ruling)))) for reason in line.reasons
    )
    return LineView(
        title=titled(game.by_name[line.wager].title),
        event=full_words(line.event or ""),
        staked=dollars(line.staked_cents),
        paid=dollars(line.paid_cents),
        net=signed_dollars(line.net_cents) if line.net_cents else "Push",
        result=_result(line.net_cents),
        because=because,
    )


def percent(value: Fraction) -> str:
    """Write a share of the base wager: +12.34%."""
    return f"{float(100 * value):+.2f}%"


def _question(
    seat: int, question: Question, hand: Sequence[str], asked: Asked, values: Sequence[Fraction | None]
) -> QuestionView:
    exact = [value for value in values if value is not None]
    top = max(exact) if exact else None
    answers = tuple(
        AnswerView(
            _answer_value(option),
            answer_label(question.key, question.words, option),
            percent(value) if value is not None else "",
            value is not None and value == top,
        )
        for option, value in zip(asked.options, values or [None] * len(asked.options), strict=True)
    )
    sizes = [len(option) for option in asked.options] if question.takes_cards else [0]
    # Who folds or surrenders means to: that button is never the first.
    shown = tuple(sorted(answers, key=lambda answer: answer.value in ("no", "0")))
    if question.takes_cards:
        best_first = sorted(zip(values, answers, strict=False), key=lambda each: (each[0] is None, -(each[0] or 0)))
        shown = tuple(answer for _, answer in best_first[:5])
    return QuestionView(
        seat=seat,
        key=question.key,
        words=question.words,
        answers=shown if not question.takes_cards or exact else (),
        cards=tuple(card for card in hand if card != HIDDEN) if question.takes_cards else (),
        least=min(sizes),
        most=max(sizes),
        button="Set hands" if min(sizes) > 1 else "Select",
    )


def replay_query(key: bytes, hand: int, stakes: Stakes) -> str:
    """Return the query of an address that deals a hand again."""
    return urlencode({"key": key_text(key), "hand": hand, "wagers": stakes_text(stakes)}, safe=":=,!")


def practice_view(
    session: PracticeSession,
    game: Game,
    *,
    fields: Mapping[str, str],
    seats: int,
    values: Sequence[Fraction | None] = (),
    asked: Asked | None = None,
) -> PracticeView:
    """Build the felt; `fields` are the amounts in the form, `values` what each answer is worth where that is shown."""
    played = session.played
    turn = None if played is None else played.question()
    question = None
    if played is not None and turn is not None and asked is not None:
        question = _question(*turn, view(played, turn[0]).hands[turn[0]], asked, values)
    seen = None if played is None else view(played)
    before = None if session.before is None else view(session.before)
    over = session.hands[-1] if session.is_over and session.hands else None
    smallest, largest = session.configuration.smallest_chip_cents, session.configuration.limits(game.main.name)[1]
    return PracticeView(
        game=game.name,
        title=game.title,
        phase="wagers" if played is None else "over" if played.phase is Phase.FINISHED else "decide",
        hand=session.hand,
        step=session.step,
        key=key_text(session.key),
        link=f"/practice/{game.name}?{replay_query(session.key, session.hand, session.stakes)}",
        bank=dollars(session.bank_cents),
        board_title=board_title(game),
        board=() if seen is None else _cards(seen.board, () if before is None else before.board),
        board_cards=game.board.cards,
        seats=_Felt(session, game, fields, min(max(seats, 1), SEATS_MAX, session.configuration.seats)).seats(),
        question=question,
        chips=tuple((chip // 100, f"${chip // 100}") for chip in _CHIPS if smallest <= chip <= max(largest, smallest)),
        is_over=session.is_over,
        can_repeat=session.is_over,
        net="" if over is None else signed_dollars(over.net_cents),
        net_result="" if over is None else _result(over.net_cents),
    )


class DrillView(NamedTuple):
    """A drill: the hand, the question, counts of right answers, and after an answer the coach's word and the values."""

    board_title: str
    board: tuple[str, ...]
    player: tuple[str, ...]
    question: QuestionView
    counts: tuple[tuple[str, str], ...]
    back: str
    verdict: VerdictView | None
    gap: str
    lesson: str
    comes_back: str


def drill_view(drill: Drill, game: Game, drilled: DrillQuestion, now: datetime.datetime) -> DrillView:
    """Build a drill; the values of the answers are shown once one is given."""
    asked, missed = drilled.asked, drill.missed
    question = Question(
        asked.key, asked.words, game.main.clause, lambda: asked.options, lambda _: None,
        takes_cards=isinstance(asked.options[0], tuple),
    )  # fmt: skip
    word, ago = None, 0 if missed is None else drill.exercise - missed.missed
    if drill.verdict is not None:
        word = _verdict_words(asked, drill.answer, drill.verdict, "the base wager")
    done = drill.exercise - (drill.verdict is None)
    return DrillView(
        board_title=board_title(game),
        board=asked.public,
        player=asked.player,
        question=_question(1, question, asked.player, asked, drilled.values if drill.verdict is not None else ()),
        counts=(
            ("Exercise", str(drill.exercise)),
            ("Right", f"{drill.right} of {done}"),
            ("In a row", f"{drill.streak}, best {drill.longest}"),
            ("Cost of mistakes", f"{float(100 * drill.cost):.2f}% of a wager"),
        ),
        back=f"This hand is back: you missed it {ago} exercise{'s' if ago > 1 else ''} ago." if ago else "",
        verdict=word,
        gap=percent(drilled.gap).removeprefix("+") if drilled.gap else "",
        lesson=drilled.lesson if word is not None else "",
        comes_back="" if missed is None or word is None else missed.back_words(drill.exercise, now),
    )


def verdict_view(taken: DecisionTaken, verdict: Verdict, game: Game) -> VerdictView:
    """Build the coach's word on a decision."""
    here = float(verdict.cost * taken.stake_cents) / 100
    wager = "the base wager" if taken.wager == game.main.name else titled(game.by_name[taken.wager].title)
    return _verdict_words(taken.asked, taken.answer, verdict, f"{wager}, ${here:.2f} here")


def _verdict_words(asked: Asked, answer: Any, verdict: Verdict, wager: str) -> VerdictView:
    best, chosen = (answer_label(asked.key, asked.words, each) for each in (verdict.best, answer))
    better = f"Best was {best}." if verdict.cost else "No answer is better."
    cost = f"{float(100 * verdict.cost):.2f}% of {wager}" if verdict.cost else ""
    return VerdictView(verdict.grade.name, verdict.grade.words, f"{chosen}. {better}", cost)
