"""One person on two seats is paid no Envy for their own hand: marked at the table, kept with the round, refused at payment."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.jackpot import Claim, RoundCards
from tests.books.making import Room
from tests.facades import Hits
from tests.jackpot.hit_making import DEALER as CALLER
from tests.jackpot.hit_making import SUPERVISOR, four_card
from tests.jackpot.making import FCP, refused
from tests.tabulator.making import DEALER, floor, make_setup

ENVY = "four-card-jackpot"


def test_fcp_5_seats_of_one_person_pay_no_envy_to_each_other(sqlite_room: Room) -> None:
    setup = make_setup("andromeda-3d", [ENVY], game=FCP)
    with floor(sqlite_room, setup, jackpots=[four_card()]) as at:
        at.tables.mark_seats("4", [[2, 3]], command=at.id(), by=DEALER)
        at.press((1, 1), (2, 1), (3, 1))
        hits = Hits(at.books)
        event = Claim(2, "Quads")

        def pay(*seats: int) -> Any:
            return hits.pay_envy("envy", "4", event, seats, command=at.id(), by=CALLER)

        assert (
            refused(lambda: pay(1, 3)) == "seats 3 and 2 are one person, who is paid no Envy for their own hand (FCP-5)"
        )
        pay(1)
        assert at.is_sound()


@pytest.mark.parametrize(("persons", "paid"), [([], [1, 3]), ([[2, 3]], [1])])
def test_fcp_5_a_verification_lists_no_envy_to_the_winner_himself(
    persons: list[list[int]], paid: list[int], sqlite_room: Room
) -> None:
    setup = make_setup("andromeda-3d", [ENVY], game=FCP)
    with floor(sqlite_room, setup, jackpots=[four_card()]) as at:
        at.tables.mark_seats("4", persons, command=at.id(), by=DEALER)
        at.press((1, 1), (2, 1), (3, 1))
        hits = Hits(at.books)
        number = hits.call("envy", "4", [Claim(2, "Four Aces")], command=at.id(), by=CALLER).entries[0].sequence
        cards = RoundCards(seats={1: "2s 3s 5h 7d 9c", 2: "As Ah Ad Ac Kd", 3: "2h 3h 5d 7c 9d"})
        (entry,) = hits.verify(number, cards, [1, 2, 3], command=at.id(), by=SUPERVISOR).entries
        assert [seat for seat, _, _ in json.loads(entry.payload)["envy"]] == paid
