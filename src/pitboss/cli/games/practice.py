"""The practice table in the terminal: the same rounds as a real table, with play money and explanations."""

import datetime
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.panel import Panel

from pitboss import table as live
from pitboss.cards import cards_text, fresh_key, key_text, parse_cards, parse_key
from pitboss.cli.arguments import configuration_or_exit
from pitboss.cli.output import BROKEN_RULE, console, fail, game_or_exit, plain_table, show_problems, whole_number
from pitboss.games import all_games
from pitboss.learn.coach import answer_label, asked_of, option_values, verdict
from pitboss.learn.practice import DecisionTaken, asked_wager
from pitboss.randomness import DealingLockedError, LiveDealing, default_lock
from pitboss.rules import Game, MoneyError, Question, dollars, parse_dollars

_SUITS = {"c": "♣", "d": "[red]♦[/]", "h": "[red]♥[/]", "s": "♠"}
_SEAT = 1


class _LeavingError(Exception):
    """The player has had enough, or standard input is at its end."""


def practise(name: str | None, key: str | None, bankroll: str, others: int, config: Path | None) -> int:
    """Play rounds until the player leaves."""
    try:
        stream_key = fresh_key() if key is None else parse_key(key)
        money = parse_dollars(bankroll)
    except (ValueError, TypeError) as error:
        raise fail(str(error)) from None
    console.print(Panel("[bold]Pitboss practice table[/]\nPlay money only. Type q to leave, ? for help.", expand=False))
    try:
        configuration = practice_configuration(name, config)
        if not 0 <= others < configuration.seats:
            raise fail(f"--others must be from 0 to {configuration.seats - 1} at this table")
        dealing = LiveDealing(stream_key, default_lock())
        table = _PracticeTable(configuration, stream_key, dealing, money, others)
        table.welcome()
        while table.money >= table.least_wager:
            table.play_round()
        console.print(f"The bankroll of {dollars(table.money)} no longer covers the smallest wager.")
    except (_LeavingError, EOFError):
        pass
    except DealingLockedError as error:
        show_problems([str(error)], "No card is dealt (R-06).")
        return BROKEN_RULE
    console.print(f"Good-bye. Deal the same shoes again with --key {key_text(stream_key)}")
    return 0


def _ask(prompt: str) -> str:
    answer = console.input(f"{prompt} ").strip()
    if answer.lower() in ("q", "quit", "exit"):
        raise _LeavingError
    return answer


def practice_configuration(name: str | None, config: Path | None) -> live.Configuration:
    """Return the table of a file, or the default one of a game, which is asked for where none is named."""
    if config is not None:
        configuration = configuration_or_exit(config, lambda _: f"{config} may not open:")
        if name not in (None, configuration.game):
            raise fail(f"{config} is a table of {configuration.game}, not of {name}")
        return configuration
    game = _choose_game() if name is None else game_or_exit(name)
    return live.default_configuration(game, datetime.datetime.now(tz=datetime.UTC).date())


def _choose_game() -> Game:
    games = all_games()
    for number, game in enumerate(games, start=1):
        console.print(f"  {number}  {escape(game.title)}")
    while True:
        answer = _ask("Which game?")
        chosen = whole_number(answer)
        if chosen is not None and 1 <= chosen <= len(games):
            return games[chosen - 1]
        console.print(f"Type a number from 1 to {len(games)}, or q to leave.")


def _card(text: str) -> str:
    return f"\\[{text[0]}{_SUITS[text[1]]}]" if len(text) == 2 and text[1] in _SUITS else f"\\[{text}]"


def _cards(texts: tuple[str, ...]) -> str:
    return " ".join(map(_card, texts)) or "-"


@dataclass
class _PracticeTable:
    """One player's session: the configuration, the key of all shoes, the bankroll."""

    configuration: live.Configuration
    key: bytes
    dealing: LiveDealing
    money: int
    others: int
    rounds: int = 0
    last_wagers: tuple[tuple[str, int], ...] = ()
    last_shown: tuple[Any, ...] = ()
    decisions: tuple[DecisionTaken, ...] = ()
    """The decisions of the last hand."""
    next_round: live.Round | None = None

    @property
    def least_wager(self) -> int:
        required = [self.game.base.name] if self.game.base else self.configuration.offered
        return min(self.configuration.limits(name)[0] for name in required)

    @property
    def game(self) -> Game:
        return game_or_exit(self.configuration.game)

    def welcome(self) -> None:
        console.print(f"\n[bold]{escape(self.game.title)}[/]  key {key_text(self.key)}\n")
        console.print(escape(self.game.words.strip()) + "\n")
        table = plain_table("wager", "from>", "to>", "pay tables", "what it is")
        for name in self.configuration.offered:
            least, most = self.configuration.limits(name)
            ids = ", ".join(_table_id(entry) for entry in self.configuration.terms_spec.paytables[name])
            table.add_row(name, dollars(least), dollars(most), ids, self.game.by_name[name].words)
        console.print(table)
        for name, cents in self.configuration.meters.items():
            console.print(f"meter of {name}: [bold]{dollars(cents)}[/]")

    def play_round(self) -> None:
        self.rounds += 1
        played = self.next_round
        if played is None:
            shoe = self.dealing.next_shoe(self.configuration.terms.deck)
            played = live.Round(configuration=self.configuration, shoe=shoe.cards, meters=self.configuration.meters)
        console.rule(f"round {self.rounds}, bankroll {dollars(self.money)}")
        played = self._wager(self._others_wager(played))
        self.decisions = ()
        while played.phase is not live.Phase.FINISHED:
            played = self._step(played)
        self.next_round = played.following()
        self._settled(played)

    def _step(self, played: live.Round) -> live.Round:
        if played.phase is live.Phase.DECISIONS:
            return self._decide(played)
        if played.phase is live.Phase.REVEAL:
            played = played.apply(live.Reveal())
            self._show(played)
            return played
        if played.phase is live.Phase.SETTLE:
            return played.apply(live.Settle())
        played = played.apply(live.Deal())
        self._show(played)
        return played

    def _others_wager(self, played: live.Round) -> live.Round:
        """Seat the others with the main wager and the jackpots, so that sharing and Envy can happen."""
        for seat in range(_SEAT + 1, _SEAT + 1 + self.others):
            wagers = {
                name: self.configuration.limits(name)[0] for name in (self.game.main.name, *self.configuration.jackpots)
            }
            played = played.apply(live.PlaceWagers(seat, tuple(wagers.items())))
        return played

    def _wager(self, played: live.Round) -> live.Round:
        while True:
            again = " (Enter for the same again, b for the best play)" if self.last_wagers else ""
            answer = _ask(f"Your wagers, such as '{self._wager_example()}'{again}:")
            if answer == "?":
                self.welcome()
                continue
            if answer.lower() == "b" and self.last_wagers:
                self._name_best()
                continue
            wagers = self.last_wagers if not answer else self._read_wagers(answer)
            if wagers is None:
                continue
            if sum(cents for _, cents in wagers) > self.money:
                console.print(f"That is more than your bankroll of {dollars(self.money)}.")
                continue
            try:
                after = played.apply(live.PlaceWagers(_SEAT, wagers))
            except live.OperationRefusedError as error:
                show_problems(error.problems, "Not allowed here:")
                continue
            self.last_wagers = wagers
            return after

    def _wager_example(self) -> str:
        names = [self.game.main.name, *(name for name in self.configuration.offered if name != self.game.main.name)]
        return " ".join(f"{name}={self.configuration.limits(name)[0] // 100}" for name in names[:2])

    def _read_wagers(self, text: str) -> tuple[tuple[str, int], ...] | None:
        wagers = []
        for piece in text.split():
            name, equals, amount = piece.strip(",").partition("=")
            if not equals:
                # A bare amount is the main wager.
                name, amount = self.game.main.name, name
            try:
                wagers.append((name, parse_dollars(amount)))
            except MoneyError as error:
                console.print(f"{escape(piece)}: {escape(str(error))}")
                return None
        return tuple(wagers)

    def _show(self, played: live.Round) -> None:
        seen = live.view(played, _SEAT)
        picture = (self.rounds, seen.board, seen.hands)
        if picture == self.last_shown:
            return
        self.last_shown = picture
        console.print(f"{self.game.board.name}: {_cards(seen.board)}")
        for seat, hand in seen.hands.items():
            name = "you" if seat == _SEAT else f"seat {seat}"
            console.print(f"{name}: {_cards(hand)}")

    def _decide(self, played: live.Round) -> live.Round:
        open_question = played.question()
        assert open_question is not None
        seat, question = open_question
        if seat != _SEAT:
            return played.apply(live.Decide(seat, question.key, question.options()[0]))
        as_seen = asked_of(played)
        assert as_seen is not None
        while True:
            answer = _ask(f"{escape(question.words)} {_hint(question)}")
            if answer == "?":
                console.print(f"{escape(question.clause.quote)} [dim]({escape(question.clause.id)})[/]")
                continue
            try:
                value = _read_answer(question, answer)
                after = played.apply(live.Decide(seat, question.key, value))
                if self._at_risk(after) <= self.money:
                    wager = asked_wager(played, seat)
                    self.decisions += (
                        DecisionTaken(
                            dealt=self.rounds,
                            hand=self.rounds,
                            seat=seat,
                            wager=wager,
                            asked=as_seen,
                            answer=value,
                            stake_cents=played.state.seats[seat].seat.wagers[wager],
                        ),
                    )
                    return after
                console.print(f"That takes more than your bankroll of {dollars(self.money)}.")
            except live.OperationRefusedError as error:
                show_problems(error.problems, "Try again:")
            except ValueError as error:
                console.print(escape(str(error)))

    def _name_best(self) -> None:
        """Print the best answer to each question of the last hand, and what the player's own answer costs."""
        from pitboss import odds  # noqa: PLC0415 - it loads what counts, which a hand does without

        best = partial(odds.best, store=odds.default_store())
        for decision in self.decisions:
            with console.status("Counting the odds of this table, once ..."):
                values = option_values(self.configuration, self.game, decision.asked, best)
            word = verdict(decision.asked, decision.answer, values)
            if word is None:
                console.print("The best play of this hand is not counted.")
                continue
            labels = (decision.answer, word.best)
            chosen, top = (answer_label(decision.asked.key, decision.asked.words, value) for value in labels)
            cost = float(word.cost * decision.stake_cents) / 100
            text = f"best was {top}; it costs ${cost:,.2f} on average" if word.cost else "no answer is better"
            console.print(f"{chosen}: {escape(text)}.")
        if not self.decisions:
            console.print("The last hand asked for no decision.")

    def _at_risk(self, played: live.Round) -> int:
        """Count every chip of the player's on the layout."""
        seat = played.state.seats[_SEAT].seat
        chips = [self.game.by_name[name].chips_down(seat.decisions, cents) for name, cents in seat.wagers.items()]
        return sum(cents for by_part in chips for cents in by_part.values())

    def _settled(self, played: live.Round) -> None:
        settlement = played.settlement
        assert settlement is not None
        seat = played.state.seats[_SEAT].seat
        for words in self.game.describe(seat, played.state.board.seat.cards):
            console.print(f"[dim]{escape(words)}[/]")
        table = plain_table("wager", "event", "staked>", "paid>", "net>")
        for line in settlement.lines[_SEAT].values():
            table.add_row(
                line.wager, line.event or "-", *map(dollars, (line.staked_cents, line.paid_cents, line.net_cents))
            )
        console.print(table)
        for line in settlement.lines[_SEAT].values():
            for reason in line.reasons:
                ruling = f"; {reason.ruling}" if reason.ruling else ""
                console.print(
                    f"  {line.wager}: {escape(reason.words)} [dim]({escape(reason.clause.id)}{ruling})[/]",
                    soft_wrap=True,
                )
        net = settlement.net_cents(_SEAT)
        self.money += net
        colour = "green" if net >= 0 else "red"
        console.print(f"[bold {colour}]{'+' if net >= 0 else ''}{dollars(net)}[/]")


def _table_id(entry: Any) -> str:
    return entry if isinstance(entry, str) else f"{entry['id']} (set here)"


def _hint(question: Question) -> str:
    if question.takes_cards:
        return f"[dim]such as {cards_text(question.options()[0])}[/]"
    options = question.options()
    return "[dim](y/n)[/]" if options == (True, False) else f"[dim]({'/'.join(map(str, options))})[/]"


_NO = ("n", "no", "f", "fold")


def _read_yes_or_no(key: str, answer: str) -> bool:
    """Read a yes-or-no answer, also by the decision's own name and its first letter: play or p, fold or f."""
    if answer in ("y", "yes", key, key[0]):
        return True
    if answer in _NO:
        return False
    raise ValueError(f"Type y or {key} for yes, n or fold for no.")


def _read_answer(question: Question, answer: str) -> Any:
    if question.takes_cards:
        return parse_cards(answer)
    if question.options() == (True, False):
        return _read_yes_or_no(question.key, answer.lower())
    number = whole_number(answer)
    if number is None:
        raise ValueError(f"Type one of {', '.join(map(str, question.options()))}.")
    return number
