"""Item 10, STC-8: a table that Pitboss deals goes on from one shoe until its cut card comes out; its key stays hidden."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pitboss.books import RefusedError
from pitboss.books.audit import check_books
from pitboss.commands import By
from pitboss.games import find_game
from pitboss.room.dealing import entries as records
from pitboss.room.dealing.dealing import EndDealtRound, ShuffleShoe
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.server.pages.play import play_view, told_view
from pitboss.table import default_configuration, round_record, settle_record
from tests.doors import doors_of
from tests.server.making import House
from tests.server.test_api import ask, both, problems
from tests.server.test_dealing import DEALING_SET, Training

CUT = 40
DAY = datetime.date(2026, 10, 1)
ONE_SHOE = replace(default_configuration(find_game("super-three-card"), DAY), dealt="shoe", cut_card=CUT, jackpots={})
WAGER = {"do": "wager", "seat": 1, "wagers": {"ante-odds-play": 500}}


class ShoeTraining(Training):
    """Table 9: Super Three Card, dealt on from a shoe until 40 cards have left it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.by = {role: house.as_(role) for role in ("manager", "accounting", "supervisor", "dealer", "auditor")}
        self.post(ONE_SHOE.canonical)
        both(self.by["manager"], self.by["accounting"], "tables/dealing", **DEALING_SET)

    def post(self, text: str) -> None:
        both(self.by["manager"], self.by["accounting"], "tables/post", table="9", configuration=text)

    def do(self, **operation: Any) -> dict[str, Any]:
        return super().do(**(WAGER if operation.get("do") == "wager" else operation))

    @property
    def dealt(self) -> records.TableDealing:
        return self.house.room.state.of(records.DEALING)["9"]

    def kinds(self) -> list[str]:
        told = ("shoe-bound", "shoe-revealed", "dealt-round-ended", "shoe-closed", "shoe-lost")
        return [entry.kind for entry in self.house.entries() if entry.kind in told]

    def payloads(self, kind: str) -> list[dict[str, Any]]:
        return [json.loads(entry.payload) for entry in self.house.entries(kind)]

    def key(self) -> str:
        return str(json.loads(self.house.room.vault.secret("9", "shoe") or "")["key"])

    def is_sound(self) -> bool:
        directory = self.house.room.books.directory
        return check_books(directory, projections=PROJECTIONS, invariants=INVARIANTS).is_sound


@pytest.fixture
def training(house: House) -> ShoeTraining:
    return ShoeTraining(house)


def rounds_of(training: ShoeTraining) -> Iterator[records.RevealedRound]:
    entries = [entry for entry in training.house.entries() if entry.kind in ("shoe-bound", "dealt-round-ended")]
    entries += training.house.entries("shoe-revealed")
    entries.sort(key=lambda entry: entry.sequence)
    store = training.house.room.books.store
    for begun, over in zip(entries[::2], entries[1::2], strict=True):
        found = records.revealed_round(store, "9", begun.sequence, over.sequence)
        assert found is not None
        yield found


def test_stc_8_rounds_come_from_one_shoe_until_the_cut_card_and_then_its_key_is_told(training: ShoeTraining) -> None:
    """Seen: every round was shuffled anew, whatever cut card the table had."""
    training.play()
    assert ["shoe-bound", "dealt-round-ended"] == training.kinds()
    key, (ended,) = training.key(), training.payloads("dealt-round-ended")
    assert key not in training.text()
    assert training.dealt.cards_gone == len(ended["cards"].split()) in (4, 6)
    while "shoe-revealed" not in training.kinds():
        training.play()
    (told,) = training.payloads("shoe-revealed")
    assert told["key"] == key

    rounds = list(rounds_of(training))
    shoe = records.shoe_of(ONE_SHOE.canonical, bytes.fromhex(key))
    dealt = [card for found in rounds for card in found.played.shoe[: found.played.state.used]]
    assert shoe[: len(dealt)] == tuple(dealt)
    assert CUT <= len(dealt) < CUT + 6
    assert all(len(found.played.dealt_before) < CUT for found in rounds)
    for found in rounds:
        assert found.is_bound
        assert settle_record(round_record(found.played)).settlement == found.played.settlement

    training.play()
    assert training.payloads("shoe-bound")[-1]["key_hash"] != rounds[0].bound.key_hash
    assert training.is_sound()


def test_stc_8_nobody_reads_a_card_that_is_still_in_the_shoe(training: ShoeTraining) -> None:
    training.play()
    (found,) = rounds_of(training)
    assert ("", None, False) == (found.key, found.told, found.is_bound)
    told = told_view("9", found, ZoneInfo("UTC"))
    assert (told.key, told.computed_hash) == ("", "")
    view = play_view("9", training.dealt, ONE_SHOE, None)
    assert view.step == (
        "shuffle",
        "Next round",
        f"from the same shoe; {training.dealt.cards_gone} of its cards are out",
    )
    assert "the same shoe" in training.dealer.get("/tables/9/play", headers={"accept": "text/html"}).text
    page = training.dealer.get(told.address, headers={"accept": "text/html"}).text
    assert "is shown when the shoe is over" in page


def test_stc_8_a_void_round_ends_the_shoe(training: ShoeTraining) -> None:
    training.play()
    ask(training.dealer, "dealt/shuffle", table="9")
    assert training.payloads("shoe-bound")[-1]["drawn"] == training.dealt.cards_gone > 0
    training.do(do="void", reason="misdeal")
    assert ["shoe-bound", "dealt-round-ended", "shoe-bound", "shoe-revealed"] == training.kinds()
    assert not training.dealt.goes_on


def test_stc_8_other_terms_end_the_shoe_and_its_key_is_told(training: ShoeTraining) -> None:
    training.play()
    key = training.key()
    training.post(replace(ONE_SHOE, cut_card=60).canonical)
    training.play()
    assert ["shoe-bound", "dealt-round-ended", "shoe-closed", "shoe-bound", "dealt-round-ended"] == training.kinds()
    assert [{"key": key}] == training.payloads("shoe-closed")
    both(training.by["manager"], training.by["accounting"], "tables/dealing", **{**DEALING_SET, "cards": "physical"})
    assert len(training.payloads("shoe-closed")) == 2
    assert not training.dealt.goes_on
    assert training.is_sound()


def test_stc_8_a_shoe_whose_key_is_lost_is_given_up_by_two_people(training: ShoeTraining) -> None:
    training.play()
    give_up: dict[str, Any] = {"table": "9", "words": "restored from a copy"}
    assert "deal the next round" in problems(training.by["supervisor"], "tables/give-up-dealt", **give_up)
    training.house.room.vault.drop_secret("9", "shoe")
    assert "give the shoe up" in problems(training.dealer, "dealt/shuffle", table="9")
    physical = {**DEALING_SET, "cards": "physical"}
    assert "give the shoe up" in problems(training.by["manager"], "tables/dealing", **physical)
    both(training.by["supervisor"], training.by["manager"], "tables/give-up-dealt", **give_up)
    training.play()
    assert training.kinds()[-2:] == ["shoe-bound", "dealt-round-ended"]


def test_stc_8_after_a_crash_the_next_round_does_not_begin_with_the_operations_of_the_last(
    training: ShoeTraining,
) -> None:
    vault = training.house.room.vault
    training.play()
    (ended,) = training.payloads("dealt-round-ended")
    stale = json.dumps({"round": 1, "key": training.key(), "done": [["x", each] for each in ended["operations"]]})
    ask(training.dealer, "dealt/shuffle", table="9")
    vault.put_secret("9", "shoe", stale)
    assert training.dealer.get("/api/v1/dealt/9").json()["phase"] == "wagers"


def test_r_04_a_false_end_of_a_round_is_refused_by_the_books(training: ShoeTraining) -> None:
    executor = doors_of(training.house.room).dealing._executor
    training.play()
    by, gone = By("Mallory", "dealer"), training.dealt.gone
    with pytest.raises(RefusedError, match="give the shoe up"):
        executor.do(ShuffleShoe(table="9", key_hash="0" * 64), by, id="another")
    closed = records.ShoeClosed(key="00" * 32)
    with pytest.raises(RefusedError, match="not the key that was bound"):
        executor.do(ShuffleShoe(table="9", key_hash="0" * 64, closed=closed), by, id="closed")
    ask(training.dealer, "dealt/shuffle", table="9")
    for number, (cards, match) in enumerate(
        [
            (" ".join(reversed(gone.split())), "other cards before it"),
            (gone, "is not over"),
        ]
    ):
        false = records.DealtRoundEnded(round=2, cards=cards, operations=())
        with pytest.raises(RefusedError, match=match):
            executor.do(EndDealtRound(table="9", operation={}, revealed=false), by, id=f"false-{number}")
