"""Cards dealt by Pitboss: play money unless approved (W-04); the key bound before the round and told after it (R-04)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RefusedError
from pitboss.books.audit import check_books
from pitboss.commands import By
from pitboss.randomness import Failure, FileLock, MemoryLock
from pitboss.room.dealing.dealing import EndDealtRound
from pitboss.room.dealing.entries import DEALING, ShoeRevealed, key_hash, replayed
from pitboss.room.dealing.lock import RoomLock
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.table import settle_record
from pitboss.table.round import round_record
from tests.doors import doors_of
from tests.server.making import House, command, served
from tests.server.test_api import JACKPOT, ask, both, problems

EXAMPLE = (Path(__file__).parents[2] / "examples" / "three-card-prime.toml").read_text(encoding="utf-8")
WAGER = {"do": "wager", "seat": 1, "wagers": {"ante-play": 1000}}
DEALING_SET: dict[str, Any] = {"table": "9", "cards": "dealt", "words": "training"}

MALLORY = By("Mallory", "dealer")


class Training:
    """Table 9, dealt for play money."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.by = {role: house.as_(role) for role in ("manager", "accounting", "supervisor", "dealer", "auditor")}
        both(self.by["manager"], self.by["accounting"], "tables/post", table="9", configuration=EXAMPLE)
        both(self.by["manager"], self.by["accounting"], "tables/dealing", **DEALING_SET)

    @property
    def dealer(self) -> TestClient:
        return self.by["dealer"]

    def do(self, **operation: Any) -> dict[str, Any]:
        return ask(self.dealer, "dealt/operate", table="9", operation=operation)

    def play(self) -> dict[str, Any]:
        """Play a round to its end; give the last answer."""
        ask(self.dealer, "dealt/shuffle", table="9")
        went = self.do(**WAGER)
        went = self.do(do="deal")
        while went["over"] is None:
            phase = went["seen"]["phase"]
            if phase == "decisions":
                asked = self.dealer.get("/api/v1/dealt/9", params={"seat": 1}).json()["question"]
                went = self.do(do="decide", seat=1, key=asked["key"], value=True)
            else:
                went = self.do(do=phase)
        return went

    def text(self) -> str:
        return "\n".join(each.payload for each in self.house.entries())


@pytest.fixture
def training(house: House) -> Training:
    return Training(house)


def test_r_04_the_hash_is_journalled_at_the_shuffle_and_the_key_when_the_round_is_over(training: Training) -> None:
    ask(training.dealer, "dealt/shuffle", table="9")
    (entry,) = training.house.entries("shoe-bound")
    held = json.loads(training.house.room.vault.secret("9", "shoe") or "")
    key = bytes.fromhex(held["key"])
    assert json.loads(entry.payload)["key_hash"] == key_hash(key)
    seen = [training.do(**WAGER), training.do(do="deal"), training.dealer.get("/api/v1/dealt/9").json()]
    told = json.dumps(seen) + training.text() + training.by["auditor"].get("/api/v1/entries?most=1000").text

    # Nobody is told the key or a card that lies face down while the round is on.
    assert key.hex() not in told
    assert seen[-1]["hands"]["1"] == ["??"] * 4
    went = seen[1]
    while went["over"] is None:
        phase = went["seen"]["phase"]
        went = (
            training.do(do="decide", seat=1, key="play", value=True) if phase == "decisions" else training.do(do=phase)
        )
    (entry,) = training.house.entries("shoe-revealed")
    assert json.loads(entry.payload)["key"] == key.hex()
    assert training.house.room.vault.secret("9", "shoe") is None


def test_a_round_is_dealt_again_from_its_key_and_settles_the_same(training: Training) -> None:
    training.play()
    (entry,) = training.house.entries("shoe-revealed")
    (bound,) = training.house.entries("shoe-bound")
    said = json.loads(entry.payload)
    played = replayed(json.loads(bound.payload)["configuration"], bytes.fromhex(said["key"]), tuple(said["operations"]))

    assert played.settlement is not None
    assert settle_record(round_record(played)).settlement == played.settlement
    assert check_books(training.house.room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_each_round_has_a_key_of_its_own(training: Training) -> None:
    training.play()
    training.play()
    keys = [json.loads(each.payload)["key"] for each in training.house.entries("shoe-revealed")]

    assert len(set(keys)) == 2
    assert training.house.room.state.of(DEALING)["9"].round == 2


def test_a_restart_in_mid_round_goes_on_with_it(training: Training) -> None:
    ask(training.dealer, "dealt/shuffle", table="9")
    training.do(**WAGER)
    before = training.do(do="deal")["seen"]
    training.house.room.close()
    with served(training.house.room.path, None, training.house.tokens) as again:
        dealer = again.as_("dealer")
        assert dealer.get("/api/v1/dealt/9").json() == before
        void = {"do": "void", "reason": "misdeal"}
        assert ask(dealer, "dealt/operate", table="9", operation=void)["over"] is not None


def test_an_operation_sent_twice_is_done_once(training: Training) -> None:
    ask(training.dealer, "dealt/shuffle", table="9")
    body = {"command": command(), "table": "9", "operation": WAGER}
    first, second = (training.dealer.post("/api/v1/dealt/operate", json=body).json() for _ in range(2))
    assert first == second
    assert training.dealer.post("/api/v1/dealt/operate", json={**body, "operation": {"do": "deal"}}).status_code == 409
    void = {"command": command(), "table": "9", "operation": {"do": "void", "reason": "misdeal"}}
    first, second = (training.dealer.post("/api/v1/dealt/operate", json=void).json() for _ in range(2))
    assert (first["over"]["again"], second["over"]["again"]) == (False, True)
    assert "no dealt round" in problems(training.dealer, "dealt/operate", table="9", operation={"do": "deal"})


def test_what_the_round_does_not_allow_is_refused_and_nothing_changes(training: Training) -> None:
    assert "no dealt round" in problems(training.dealer, "dealt/operate", table="9", operation=WAGER)
    ask(training.dealer, "dealt/shuffle", table="9")

    assert "ends first" in problems(training.dealer, "dealt/shuffle", table="9")
    assert "no seat has made a wager" in problems(training.dealer, "dealt/operate", table="9", operation={"do": "deal"})
    for nonsense in ({}, {"do": "king"}, {"do": "wager", "seat": "x"}, {"do": "void", "reason": "luck"}):
        problems(training.dealer, "dealt/operate", table="9", operation=nonsense)
    assert training.dealer.get("/api/v1/dealt/9").json()["phase"] == "wagers"


def test_w_04_a_table_deals_physical_cards_unless_two_people_say_otherwise(training: Training) -> None:
    assert "physical cards" in problems(training.dealer, "dealt/shuffle", table="8")
    assert "no dealt round" in problems(training.dealer, "dealt/operate", table="8", operation=WAGER)


def test_g_50_w_04_dealt_cards_for_money_need_an_approval_record(training: Training) -> None:
    by, real = training.by, DEALING_SET | {"money": "real"}
    assert "director's approval" in problems(by["manager"], "tables/dealing", **real)
    for none in ("yes", "2026-01-01", "no. 7"):
        told = problems(by["manager"], "tables/dealing", **real, approval=none)
        assert f"approval: {none!r} must have a number and a date" in told
    both(by["manager"], by["accounting"], "tables/dealing", **real, approval="WSGC 2026-01-01, no. 7")
    ask(training.dealer, "dealt/shuffle", table="9")

    answer = training.dealer.get("/api/v1/dealt/9", params={"seat": 1})
    assert "at the seat alone" in answer.json()["detail"]


def test_g_50_a_table_of_a_jackpot_is_not_dealt_for_play_money(house: House) -> None:
    from tests.server.test_api import Evening  # noqa: PLC0415

    evening = Evening(house)
    said = DEALING_SET | {"table": "4"}
    assert "linked to main" in problems(evening.by["manager"], "tables/dealing", **said)


def test_a_key_that_is_lost_is_given_up_by_two_people_and_one_that_is_there_is_not(training: Training) -> None:
    ask(training.dealer, "dealt/shuffle", table="9")
    assert "end the round" in problems(training.by["supervisor"], "tables/give-up-dealt", table="9", words="lost")
    training.house.room.vault.drop_secret("9", "shoe")

    assert "is lost" in problems(training.dealer, "dealt/operate", table="9", operation=WAGER)
    both(training.by["supervisor"], training.by["manager"], "tables/give-up-dealt", table="9", words="restored")
    ask(training.dealer, "dealt/shuffle", table="9")
    assert training.house.room.state.of(DEALING)["9"].round == 2


def test_another_key_than_the_one_that_was_bound_is_refused_by_the_books(training: Training) -> None:
    ask(training.dealer, "dealt/shuffle", table="9")
    dealing = doors_of(training.house.room).dealing
    false = ShoeRevealed(round=1, key="00" * 32, operations=())
    with pytest.raises(RefusedError, match="not the key that was bound"):
        dealing._executor.do(EndDealtRound(table="9", operation={}, revealed=false), MALLORY, id="false")
    held = dealing._held("9")
    early = ShoeRevealed(round=1, key=held.key.hex(), operations=())
    with pytest.raises(RefusedError, match="is not over"):
        dealing._executor.do(EndDealtRound(table="9", operation={}, revealed=early), MALLORY, id="early")


def test_g_27_a_lock_on_the_dealing_of_a_room_is_lifted_by_two_people(training: Training) -> None:
    """Seen: one person at the terminal opened it, by any name, for cards that are dealt for money."""
    by, path = training.by, training.house.room.path
    assert "not locked" in problems(by["manager"], "tables/unlock-dealing", words="looked at")
    FileLock(path).close(Failure("repetition", "found by a test", "2026-11-18"))
    with pytest.raises(ValueError, match="two people open the lock of a room, not Ada alone"):
        RoomLock(path, training.house.room.state).open("Ada", "memory replaced")
    assert "repetition: found by a test" in problems(training.dealer, "dealt/shuffle", table="9")
    both(by["manager"], by["accounting"], "tables/unlock-dealing", words="memory replaced")
    ask(training.dealer, "dealt/shuffle", table="9")
    # Another failure locks it again.
    training.do(do="void", reason="misdeal")
    FileLock(path).close(Failure("repetition", "found again", "2026-11-19"))
    assert "found again" in problems(training.dealer, "dealt/shuffle", table="9")


def test_g_27_a_table_that_pitboss_deals_is_linked_to_no_jackpot_in_either_order(training: Training) -> None:
    tables = [{**linked, "table": "9"} for linked in JACKPOT["tables"]]
    said = {"jackpot": {**JACKPOT, "tables": tables}, "words": "approved 2015-09-25"}
    assert "table 9 is dealt by Pitboss and cannot be linked to Five Card Jackpot (W-04, G-27)" in problems(
        training.by["manager"], "jackpots/define", **said
    )


def test_r_06_while_dealing_is_locked_no_shoe_is_made(training: Training) -> None:
    lock = MemoryLock()
    lock.close(Failure("repetition", "found by a test", "now"))
    training.house.room.dealing._lock_of = lambda: lock

    assert "dealing is locked" in problems(training.dealer, "dealt/shuffle", table="9")
    assert training.house.entries("shoe-bound") == []
    assert training.house.room.vault.secret("9", "shoe") is None
