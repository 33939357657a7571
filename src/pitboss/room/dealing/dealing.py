"""Dealing: shuffle with a fresh key, apply operations to the round, and reveal the key when the shoe is over.

A table with a cut card is dealt on from one shoe until that comes out (STC-8); every other shoe is for one round.

A round that is on the table lies in the vault, so that a restart goes on with it: nobody reads it there, and no role,
page or stream gets its key.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pitboss.books import Answer, BookState, Payload, RefusedError
from pitboss.commands import By, Change, Command, Description, Executor, Name, Now, Prepared, Words, command, refuse
from pitboss.commands.description import fact
from pitboss.commands.roles import APPROVERS, CONFIGURERS, DEALERS, FLOOR, MANAGERS
from pitboss.jackpot import JACKPOTS
from pitboss.randomness import DealingLockedError, LiveDealing, default_lock
from pitboss.randomness.live import DealingLock
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing import entries as records
from pitboss.room.people.vault import Vault
from pitboss.room.services import RoomServices
from pitboss.rules import Question
from pitboss.table import Configuration, Round, View, view
from pitboss.table.operations import Operation, from_json, to_json

_SHOE = "shoe"


def fresh() -> bytes:
    """Return a key that nobody has seen."""
    from pitboss.cards import fresh_key  # noqa: PLC0415

    return fresh_key()


# A date, and a number before or after it.
_APPROVAL = re.compile(r"(?=.*\b\d{4}-\d{2}-\d{2}\b)(?=.*(?<![-\d])\d+(?![-\d])).*", re.DOTALL)


def _dealing_text(cards: records.Cards, money: records.Money) -> str:
    if cards == "physical":
        return "physical cards"
    return f"cards dealt by Pitboss, for {'play money' if money == 'play' else 'real money'}"


@command("tables/dealing", roles=MANAGERS, approvers=CONFIGURERS)
class SetDealing(Command):
    """Set how a table deals: physical cards, or cards that Pitboss deals, and for which money."""

    table: Name
    cards: records.Cards
    money: records.Money = "play"
    approval: Words = ""
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return how the table deals now and then."""
        before = state.of(records.DEALING).get(self.table, records.TableDealing())
        after = _dealing_text(self.cards, self.money)
        rows = [Change("Cards", _dealing_text(before.cards, before.money), after)]
        rows += [fact("Approval", self.approval)] if self.approval.strip() else []
        return Description(f"Table {self.table} is dealt with {after}", tuple(rows), self.words)

    def prepare(self, services: Any) -> Prepared:
        """Look for the key of a shoe that goes on: it ends here, and its key is told."""
        dealt = services.state.of(records.DEALING).get(self.table, records.TableDealing())
        return _DealingChange(self, _closing(getattr(services, "vault", None), self.table, dealt))

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return how the table deals from now on; between rounds."""
        problems = []
        if now.state.of(records.DEALING).get(self.table, records.TableDealing()).is_on:
            problems.append(f"a round is on table {self.table}: it ends first")
        linked = [record.jackpot.name for record in now.state.of(JACKPOTS).at(self.table)]
        if self.cards == "dealt" and linked:
            names = ", ".join(linked)
            problems.append(f"table {self.table} is linked to {names}: no meter moves by dealt cards (W-04)")
        if self.cards == "dealt" and self.money == "real" and not self.approval.strip():
            problems.append("electronic card facsimiles for money need the director's approval (W-04)")
        elif self.cards == "dealt" and self.money == "real" and not _APPROVAL.fullmatch(self.approval):
            problems.append(
                f"approval: {self.approval!r} must have a number and a date such as no. 7 of 2026-01-01 (G-50)"
            )
        refuse(problems)
        return [
            records.DealingSet(
                cards=self.cards,
                money=self.money,
                approval=self.approval,
                words=self.words,
                approved_by=by.approved_by,
            )
        ]


@dataclass(frozen=True, slots=True)
class _DealingChange:
    """A change of how a table deals, and the key of the shoe that ends with it."""

    change: SetDealing
    closed: records.ShoeClosed | None

    def entries(self, now: Now, by: By) -> list[Payload]:
        dealt = now.state.of(records.DEALING).get(self.change.table, records.TableDealing())
        if dealt.goes_on and self.closed is None:
            raise RefusedError([_lost_shoe(dealt)])
        payloads = self.change.entries(now, by)
        return payloads if self.closed is None else [self.closed, *payloads]


def _lost_shoe(dealt: records.TableDealing) -> str:
    return f"the key of the shoe after round {dealt.round} is not here: two people give the shoe up first (R-04)"


@command("tables/give-up-dealt", roles=FLOOR, approvers=APPROVERS, pin=True)
class GiveUpDealt(Command):
    """Abandon a dealt round whose key is lost, or a shoe between two of its rounds."""

    table: Name
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the round that is given up."""
        dealt = state.of(records.DEALING).get(self.table, records.TableDealing())
        rows = (fact("Its cards", "are lost; it is not settled"),)
        return Description(f"Give up dealt round {dealt.round} at table {self.table}", rows, self.words)

    def prepare(self, services: RoomServices) -> Prepared:
        """Look for the key: a round whose key is there is ended, or made void."""
        dealt = services.state.of(records.DEALING).get(self.table, records.TableDealing())
        on_table = dealt.is_on or dealt.goes_on
        if on_table and services.vault is not None and _find(services.vault, self.table, dealt) is not None:
            then = "end the round, or make it void (G-11)" if dealt.is_on else "deal the next round"
            raise RefusedError([f"the key of round {dealt.round} is there: {then}"])
        return self

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the loss of the round."""
        dealt = now.state.of(records.DEALING).get(self.table, records.TableDealing())
        if not dealt.is_on and not dealt.goes_on:
            raise RefusedError([f"no dealt round is on table {self.table}"])
        return [records.ShoeLost(round=dealt.round, words=self.words, approved_by=by.approved_by)]


@command("dealt/shuffle", roles=DEALERS, is_exposed=False, pin=True)
class ShuffleShoe(Command):
    """Shuffle a shoe with a fresh key, or deal on from a shoe whose cut card has not come out (STC-8).

    The hash of the key is journalled now, the key when the shoe is over.
    """

    table: Name
    key_hash: str
    closed: records.ShoeClosed | None = None

    def content(self) -> Any:
        """Return the table alone: each try has a key of its own, and requests the same."""
        return {"table": self.table}

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the hash of the key, with the terms of the round."""
        dealt = now.state.of(records.DEALING).get(self.table, records.TableDealing())
        posted = configuration_at(now.state, self.table)
        problems = [f"table {self.table} deals physical cards (W-04)"] if dealt.cards != "dealt" else []
        problems += [f"round {dealt.round} is on table {self.table}: it ends first"] if dealt.is_on else []
        problems += [f"no configuration is posted at table {self.table}"] if posted is None else []
        if dealt.goes_on and self.closed is None and self.key_hash != dealt.shoe_hash:
            problems.append(_lost_shoe(dealt))
        refuse(problems)
        assert posted is not None
        drawn = dealt.cards_gone if self.key_hash == dealt.shoe_hash else 0
        bound = records.ShoeBound(
            round=dealt.round + 1, key_hash=self.key_hash, configuration=posted.canonical, drawn=drawn
        )
        return [bound] if self.closed is None else [self.closed, bound]


@command("dealt/operate", roles=DEALERS, is_exposed=False, pin=True)
class EndDealtRound(Command):
    """End a dealt round by its last operation; the key is told with it, unless the shoe goes on."""

    table: Name
    operation: Mapping[str, Any]
    revealed: records.ShoeRevealed | records.DealtRoundEnded | None

    def content(self) -> Any:
        """Return the operation that was requested."""
        return {"table": self.table, "operation": dict(self.operation)}

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the key and the operations of the round."""
        if self.revealed is None:
            raise RefusedError([f"no dealt round is on table {self.table}"])
        return [self.revealed]


class RoundInPlay(NamedTuple):
    """A round on the table as a seat may see it, what it is played under, and whose turn it is; never its shoe."""

    dealt: records.TableDealing
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
        return tuple(operation for _, operation in self.done)

    def text(self) -> str:
        return json.dumps({"round": self.round, "key": self.key.hex(), "done": list(self.done)})


def _find(vault: Vault, table: str, dealt: records.TableDealing) -> _Held | None:
    """Return the round on the table, or the last of a shoe that goes on, if the vault has the one of the journal."""
    bound, text = dealt.key_hash or dealt.shoe_hash, vault.secret(table, _SHOE)
    if text is None:
        key = vault.secret(table, f"{_SHOE} {bound}")
        return None if key is None else _Held(dealt.round, bytes.fromhex(key), ())
    fields = json.loads(text)
    held = _Held(fields["round"], bytes.fromhex(fields["key"]), tuple((item[0], item[1]) for item in fields["done"]))
    if records.key_hash(held.key) != bound:
        return None
    # What was done in the round before of the same shoe may still be there after a crash.
    return held if held.round == dealt.round else _Held(dealt.round, held.key, ())


def _closing(vault: Vault | None, table: str, dealt: records.TableDealing) -> records.ShoeClosed | None:
    """Return the end of a shoe between two of its rounds; nothing where none goes on, or its key is not here."""
    held = _find(vault, table, dealt) if dealt.goes_on and vault is not None else None
    return None if held is None else records.ShoeClosed(key=held.key.hex())


class Dealing:
    """The tables that Pitboss deals at."""

    def __init__(
        self,
        executor: Executor,
        vault: Vault | None,
        *,
        lock: Callable[[], DealingLock] = default_lock,
        new_key: Callable[[], bytes] = fresh,
    ) -> None:
        self._executor, self._vault, self._lock_of, self._new_key = executor, vault, lock, new_key
        self._one_at_a_time = threading.Lock()

    def table(self, table: str) -> records.TableDealing:
        """Return how a table deals."""
        return self._executor.services.state.of(records.DEALING).get(table, records.TableDealing())

    def shuffle(self, table: str, by: By, *, id: str) -> Answer:  # noqa: A002
        """Shuffle for the next round, or deal on from the shoe; the hash of the key is journalled, the key is not.

        A shoe whose cut card has not come out goes on, unless another configuration was posted since.
        """
        with self._one_at_a_time:
            dealt, posted = self.table(table), configuration_at(self._executor.services.state, table)
            if dealt.goes_on and posted is not None and posted.canonical == dealt.shoe_configuration:
                return self._deal_on(table, dealt, by, id=id)
            key = self._new_key()
            bound = records.key_hash(key)
            if posted is not None and dealt.cards == "dealt":
                self._try_shoe(key, posted.terms.deck)
            closed = _closing(self._vault, table, dealt)
            # The key is kept before its hash is: a hash without its key would be a round that cannot end.
            waiting = f"{_SHOE} {bound}"
            self._open_vault.put_secret(table, waiting, key.hex())
            try:
                answer = self._executor.do(ShuffleShoe(table=table, key_hash=bound, closed=closed), by, id=id)
            except RefusedError:
                self._open_vault.drop_secret(table, waiting)
                raise
            if not answer.again:
                self._open_vault.put_secret(table, _SHOE, _Held(self.table(table).round, key, ()).text())
            self._open_vault.drop_secret(table, waiting)
            return answer

    def _deal_on(self, table: str, dealt: records.TableDealing, by: By, *, id: str) -> Answer:  # noqa: A002
        held = _find(self._open_vault, table, dealt)
        if held is None:
            raise RefusedError([_lost_shoe(dealt)])
        answer = self._executor.do(ShuffleShoe(table=table, key_hash=dealt.shoe_hash), by, id=id)
        if not answer.again:
            self._open_vault.put_secret(table, _SHOE, _Held(self.table(table).round, held.key, ()).text())
        return answer

    def _try_shoe(self, key: bytes, deck: Any) -> None:
        """Deal once under health tests: where they fail, dealing is locked and no hash is written (R-06)."""
        try:
            LiveDealing(key, self._lock_of()).next_shoe(deck)
        except DealingLockedError as error:
            raise RefusedError([str(error)]) from None

    def operate(self, table: str, payload: dict[str, Any], by: By, *, id: str) -> Answer | None:  # noqa: A002
        """Apply an operation to the round on the table; the one that ends it reveals the key, and is journalled."""
        try:
            operation = from_json(json.dumps(payload))
        except (ValueError, TypeError, KeyError) as error:
            raise RefusedError([str(error)]) from None
        with self._one_at_a_time:
            if not self.table(table).is_on:
                # What has ended the round is answered again; anything else finds no round.
                return self._executor.do(EndDealtRound(table=table, operation=payload, revealed=None), by, id=id)
            held = self._held(table)
            done = dict(held.done)
            if id in done:
                self._verify_again(done[id], operation, id)
                return None
            after = self._applied(table, held, operation)
            held = held._replace(done=(*held.done, (id, to_json(operation))))
            if not records.ended(after):
                self._open_vault.put_secret(table, _SHOE, held.text())
                return None
            return self._end(
                table, held, after, EndDealtRound(table=table, operation=payload, revealed=None), by, id=id
            )

    def _end(
        self,
        table: str,
        held: _Held,
        played: Round,
        command: EndDealtRound,
        by: By,
        *,
        id: str,  # noqa: A002
    ) -> Answer:
        """Journal the end of a round: with its key, or with its cards where the shoe goes on (STC-8)."""
        if played.following() is not None:
            ended = records.DealtRoundEnded(
                round=held.round, cards=records.left_shoe(played), operations=held.operations
            )
            answer = self._executor.do(replace(command, revealed=ended), by, id=id)
            self._open_vault.put_secret(table, _SHOE, held._replace(done=()).text())
            return answer
        revealed = records.ShoeRevealed(round=held.round, key=held.key.hex(), operations=held.operations)
        answer = self._executor.do(replace(command, revealed=revealed), by, id=id)
        self._open_vault.drop_secret(table, _SHOE)
        return answer

    def _verify_again(self, done: str, operation: Operation, command: str) -> None:
        if done != to_json(operation):
            raise RefusedError([f"command {command} was used for something else: a new command needs a new id"])

    def _applied(self, table: str, held: _Held, operation: Operation) -> Round:
        dealt = self.table(table)
        played = records.replayed(dealt.configuration, held.key, held.operations, dealt.cards_gone)
        problems = [*map(str, played.verify(operation))]
        if problems:
            raise RefusedError(problems)
        return played.apply(operation)

    def round_in_play(self, table: str, seat: int | None = None) -> RoundInPlay:
        """Return the round on a table with its question; for play money as the seat sees it whose turn it is."""
        dealt, held = self.table(table), self._held(table)
        played = records.replayed(dealt.configuration, held.key, held.operations, dealt.cards_gone)
        turn = played.question()
        if dealt.money != "play":
            seat = None
        elif seat is None and turn is not None:
            seat = turn[0]
        return RoundInPlay(dealt, view(played, seat), played.configuration, turn)

    def seen(self, table: str, seat: int | None = None) -> dict[str, Any]:
        """Return the round on a table as everybody may see it; for play money also as a seat sees it."""
        dealt = self.table(table)
        if seat is not None and dealt.money != "play":
            raise RefusedError(["the cards of a seat are shown at the seat alone"])
        held = self._held(table)
        seat_view = view(records.replayed(dealt.configuration, held.key, held.operations, dealt.cards_gone), seat)
        question = seat_view.question
        return {
            "round": held.round,
            "key_hash": dealt.key_hash,
            "phase": seat_view.phase.value,
            "board": list(seat_view.board),
            "hands": {str(number): list(hand) for number, hand in seat_view.hands.items()},
            "wagers": {str(number): dict(wagers) for number, wagers in seat_view.wagers.items()},
            "question": None if question is None else {"key": question.key, "words": question.words},
        }

    @property
    def _open_vault(self) -> Vault:
        assert self._vault is not None, "dealing needs a vault"
        return self._vault

    def _held(self, table: str) -> _Held:
        dealt = self.table(table)
        if not dealt.is_on:
            raise RefusedError([f"no dealt round is on table {table}"])
        held = _find(self._open_vault, table, dealt)
        if held is None:
            raise RefusedError([f"the key of round {dealt.round} is lost: two people give the round up"])
        return held
