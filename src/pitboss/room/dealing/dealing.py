"""Dealing: shuffle with a fresh key, do what is asked of the round, and tell the key when it is over.

A round that is on the table lies in the vault, so that a restart goes on with it: nobody reads it there, and no role,
page or stream is given its key.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pitboss.books import Answer, Books, BookState, Command, Draft, RefusedError
from pitboss.jackpot import JACKPOTS
from pitboss.randomness import DealingLockedError, LiveDealing, default_lock
from pitboss.randomness.locks import DealingLock
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.entries import (
    DEALING,
    Cards,
    DealingSet,
    Dealt,
    Money,
    ShoeBound,
    ShoeLost,
    ShoeRevealed,
    ended,
    key_hash,
    replayed,
)
from pitboss.room.people.access import BOOK
from pitboss.room.people.vault import Vault
from pitboss.rules import Question
from pitboss.table import Configuration, Round, View, view
from pitboss.table.operations import Operation, from_json, to_json

_SHOE = "shoe"


def fresh() -> bytes:
    """A key that nobody has seen."""
    from pitboss.cards import fresh_key  # noqa: PLC0415

    return fresh_key()


def _no_round(table: str) -> Callable[[BookState], list[Draft]]:
    def decide(_: BookState) -> list[Draft]:
        raise RefusedError([f"no dealt round is on table {table}"])

    return decide


class Watched(NamedTuple):
    """A round on the table as a seat may see it, what it is played under, and whose turn it is; never its shoe."""

    dealt: Dealt
    view: View
    configuration: Configuration
    turn: tuple[int, Question] | None


class _Held(NamedTuple):
    """A round on the table, as the vault has it: each operation with the command that asked for it."""

    round: int
    key: bytes
    done: tuple[tuple[str, str], ...]

    @property
    def operations(self) -> tuple[str, ...]:
        return tuple(each for _, each in self.done)

    def text(self) -> str:
        return json.dumps({"round": self.round, "key": self.key.hex(), "done": list(self.done)})


class Dealing:
    """The tables that Pitboss deals at."""

    def __init__(
        self,
        books: Books,
        vault: Vault | None,
        *,
        lock: Callable[[], DealingLock] = default_lock,
        new_key: Callable[[], bytes] = fresh,
    ) -> None:
        self._books, self._vault, self._lock_of, self._new_key = books, vault, lock, new_key
        self._one_at_a_time = threading.Lock()

    def table(self, table: str) -> Dealt:
        """How a table deals."""
        return self._books.state(BOOK).of(DEALING).get(table, Dealt())

    def set(
        self,
        table: str,
        cards: Cards,
        money: Money,
        *,
        approval: str,
        words: str,
        command: str,
        actor: str,
        approved_by: str,
    ) -> Answer:
        """Say how a table deals from now on; between rounds."""
        value = DealingSet(cards=cards, money=money, approval=approval, words=words, approved_by=approved_by)

        def decide(state: BookState) -> list[Draft]:
            problems = []
            if state.of(DEALING).get(table, Dealt()).is_on:
                problems.append(f"a round is on table {table}: it ends first")
            linked = [each.jackpot.name for each in state.of(JACKPOTS).at(table)]
            if cards == "dealt" and linked:
                problems.append(f"table {table} is linked to {', '.join(linked)}: no meter moves by dealt cards (W-04)")
            if cards == "dealt" and money == "real" and not approval.strip():
                problems.append("electronic card facsimiles for money need the director's approval (W-04)")
            if problems:
                raise RefusedError(problems)
            return [Draft(value)]

        content = ["dealing", value.to_json()]
        return self._submit(command, actor, content, decide, table)

    def shuffle(self, table: str, *, command: str, actor: str) -> Answer:
        """Shuffle a shoe with a fresh key for the next round; the hash of the key is journalled, the key is not."""
        with self._one_at_a_time:
            key = self._new_key()
            bound = key_hash(key)

            def decide(state: BookState) -> list[Draft]:
                before = state.of(DEALING).get(table, Dealt())
                posted = configuration_at(state, table)
                problems = [f"table {table} deals physical cards (W-04)"] if before.cards != "dealt" else []
                problems += [f"round {before.round} is on table {table}: it ends first"] if before.is_on else []
                if posted is None:
                    raise RefusedError([*problems, f"no configuration is posted at table {table}"])
                if problems:
                    raise RefusedError(problems)
                self._try_shoe(key, posted.terms.deck)
                made = ShoeBound(round=before.round + 1, key_hash=bound, configuration=posted.canonical)
                return [Draft(made)]

            # The key is kept before its hash is: a hash without its key would be a round that cannot end.
            waiting = f"{_SHOE} {bound}"
            self._kept.put_secret(table, waiting, key.hex())
            try:
                answer = self._submit(command, actor, ["shuffle"], decide, table)
            except RefusedError:
                self._kept.drop_secret(table, waiting)
                raise
            if not answer.again:
                self._kept.put_secret(table, _SHOE, _Held(self.table(table).round, key, ()).text())
            self._kept.drop_secret(table, waiting)
            return answer

    def _try_shoe(self, key: bytes, deck: Any) -> None:
        """Deal once under health tests: where they fail, dealing is locked and no hash is written (R-06)."""
        try:
            LiveDealing(key, self._lock_of()).next_shoe(deck)
        except DealingLockedError as error:
            raise RefusedError([str(error)]) from None

    def operate(self, table: str, said: dict[str, Any], *, command: str, actor: str) -> Answer | None:
        """Do an operation of the round on the table; the one that ends it tells the key, and is journalled."""
        try:
            operation = from_json(json.dumps(said))
        except (ValueError, TypeError, KeyError) as error:
            raise RefusedError([str(error)]) from None
        with self._one_at_a_time:
            if not self.table(table).is_on:
                # What has ended the round is answered again; anything else finds no round.
                return self._submit(command, actor, ["operate", said], _no_round(table), table)
            held = self._held(table)
            known = dict(held.done)
            if command in known:
                self._verify_again(known[command], operation, command)
                return None
            after = self._applied(table, held, operation)
            held = held._replace(done=(*held.done, (command, to_json(operation))))
            if not ended(after):
                self._kept.put_secret(table, _SHOE, held.text())
                return None
            value = ShoeRevealed(round=held.round, key=held.key.hex(), operations=held.operations)
            answer = self._submit(command, actor, ["operate", said], lambda _: [Draft(value)], table)
            self._kept.drop_secret(table, _SHOE)
            return answer

    def _verify_again(self, done: str, operation: Operation, command: str) -> None:
        if done != to_json(operation):
            raise RefusedError([f"command {command} was used for something else: a new command needs a new id"])

    def _applied(self, table: str, held: _Held, operation: Operation) -> Round:
        played = replayed(self.table(table).configuration, held.key, held.operations)
        problems = [*map(str, played.verify(operation))]
        if problems:
            raise RefusedError(problems)
        return played.apply(operation)

    def give_up(self, table: str, *, words: str, command: str, actor: str, approved_by: str) -> Answer:
        """Give a round up whose key is lost."""

        def decide(state: BookState) -> list[Draft]:
            before = state.of(DEALING).get(table, Dealt())
            if not before.is_on:
                raise RefusedError([f"no dealt round is on table {table}"])
            if self._vault is not None and self._find(table, before) is not None:
                raise RefusedError([f"the key of round {before.round} is there: end the round, or make it void (G-11)"])
            return [Draft(ShoeLost(round=before.round, words=words, approved_by=approved_by))]

        return self._submit(command, actor, ["give-up", words, approved_by], decide, table)

    def watched(self, table: str, seat: int | None = None) -> Watched:
        """The round on a table with the question that is asked; for play money as the seat sees it whose turn it is."""
        dealt, held = self.table(table), self._held(table)
        played = replayed(dealt.configuration, held.key, held.operations)
        turn = played.question()
        if dealt.money != "play":
            seat = None
        elif seat is None and turn is not None:
            seat = turn[0]
        return Watched(dealt, view(played, seat), played.configuration, turn)

    def seen(self, table: str, seat: int | None = None) -> dict[str, Any]:
        """The round on a table as everybody may see it; for play money also as a seat sees it."""
        dealt = self.table(table)
        if seat is not None and dealt.money != "play":
            raise RefusedError(["the cards of a seat are shown at the seat alone"])
        held = self._held(table)
        found = view(replayed(dealt.configuration, held.key, held.operations), seat)
        question = found.question
        return {
            "round": held.round,
            "key_hash": dealt.key_hash,
            "phase": found.phase.value,
            "board": list(found.board),
            "hands": {str(number): list(hand) for number, hand in found.hands.items()},
            "wagers": {str(number): dict(each) for number, each in found.wagers.items()},
            "question": None if question is None else {"key": question.key, "words": question.words},
        }

    @property
    def _kept(self) -> Vault:
        assert self._vault is not None, "dealing needs a vault"
        return self._vault

    def _find(self, table: str, dealt: Dealt) -> _Held | None:
        """The round on the table, if the vault has the one that the journal speaks of."""
        text = self._kept.secret(table, _SHOE)
        if text is None:
            key = self._kept.secret(table, f"{_SHOE} {dealt.key_hash}")
            return None if key is None else _Held(dealt.round, bytes.fromhex(key), ())
        said = json.loads(text)
        held = _Held(said["round"], bytes.fromhex(said["key"]), tuple((each[0], each[1]) for each in said["done"]))
        return held if key_hash(held.key) == dealt.key_hash else None

    def _held(self, table: str) -> _Held:
        dealt = self.table(table)
        if not dealt.is_on:
            raise RefusedError([f"no dealt round is on table {table}"])
        found = self._find(table, dealt)
        if found is None:
            raise RefusedError([f"the key of round {dealt.round} is lost: two people give the round up"])
        return found

    def _submit(
        self, command: str, actor: str, content: Any, decide: Callable[[BookState], Sequence[Draft]], table: str
    ) -> Answer:
        made = Command(book=BOOK, id=command, actor=actor, content=content, decide=decide, table=table)
        return self._books.submit(made)
