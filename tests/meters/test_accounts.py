"""Tests of accounts and transfers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.meters import FUNDS, HOUSE_ACCOUNTS, Account, DecreaseReason, MeterTransfer, balances
from pitboss.meters.state import move


def test_j_03_the_players_funds_are_no_accounts_of_the_house() -> None:
    assert not set(FUNDS) & set(HOUSE_ACCOUNTS)
    assert ["displayed", "reserve", "overflow"] == [*FUNDS]
    assert ["seed", "house-share", "house", "receipts"] == [*HOUSE_ACCOUNTS]


def test_j_14_there_are_five_reasons_and_no_other() -> None:
    assert [
        "prize-won",
        "equipment-malfunction",
        "above-cap",
        "booked-as-receipts",
        "seed-recovered",
    ] == [*DecreaseReason]


@pytest.mark.parametrize(
    "wrong", [{"units": 0}, {"units": -1}, {"units": 1.0}, {"units": True}, {"words": " "}, {"payee": Account.HOUSE}]
)
def test_a_transfer_moves_something_somewhere_for_a_reason(wrong: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"payer": Account.HOUSE, "payee": Account.WINNERS, "units": 1, "words": "prize"}
    MeterTransfer(**usual)
    with pytest.raises(AssertionError, match="no transfer is written like this"):
        MeterTransfer(**usual | wrong)


def test_nothing_that_moves_is_no_transfer() -> None:
    assert () == move(Account.HOUSE, Account.WINNERS, 0, "prize")


pairs = st.tuples(st.sampled_from(Account), st.sampled_from(Account), st.integers(1, 10**12)).filter(
    lambda each: each[0] is not each[1]
)


@given(st.lists(pairs))
def test_j_03_balances_sum_to_zero(moves: list[tuple[Account, Account, int]]) -> None:
    transfers = [MeterTransfer(payer=payer, payee=payee, units=units, words="test") for payer, payee, units in moves]
    found = balances(transfers)
    assert set(Account) == set(found)
    assert 0 == sum(found.values())
    for account in Account:
        came = sum(units for _, payee, units in moves if payee is account)
        left = sum(units for payer, _, units in moves if payer is account)
        assert came - left == found[account]
