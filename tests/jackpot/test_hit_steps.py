"""Every step from every state by every role: what is allowed is allowed, everything else is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitboss.books import BookState, Draft, LedgerTransfer, Movement, Payload, RefusedError, Submission
from pitboss.commands import By
from pitboss.jackpot import ROLES, HitState
from pitboss.jackpot.hits.values import HitClosed, HitDocumented, HitSurveilled, SlipReprinted
from pitboss.jackpot.hits.workflow import CHECKS, STEPS
from pitboss.meters import units_of
from tests.books.making import BOOK
from tests.jackpot.hit_making import (
    CASHIER,
    DEALER,
    MANAGER,
    QUADS,
    ROYAL,
    SECOND,
    SUPERVISOR,
    Floor,
    paper,
    refused,
)

# What the rules say, written down once more by hand: state, step and the roles that may do it.
ALLOWED = """
called      verify    supervisor manager
called      reject    supervisor manager
called      correct   supervisor manager
verified    surveil   surveillance
verified    reject    supervisor manager
verified    correct   supervisor manager
surveilled  document  supervisor accounting manager
surveilled  reject    supervisor manager
surveilled  correct   supervisor manager
documented  document  supervisor accounting manager
documented  pay       accounting manager
documented  reject    supervisor manager
documented  correct   supervisor manager
paid        close     supervisor manager
"""
TABLE = {(state, step): set(roles) for state, step, *roles in (line.split() for line in ALLOWED.strip().splitlines())}
STATES = ("called", "verified", "surveilled", "documented", "paid", "closed", "rejected")
ACTS = ("verify", "surveil", "document", "pay", "close", "reject", "correct")


def brought_to(at: Floor, state: str) -> int:
    """A hit of more than $5,000 in this state, by people who do nothing else."""
    at.press()
    hit = at.call((3, ROYAL), by=By("Caller", "dealer"))
    steps: list[Callable[[], object]] = [
        lambda: at.verify(hit, By("Verifier", "supervisor")),
        lambda: at.surveil(hit, By("Watcher", "surveillance")),
        lambda: at.document(hit, By("Clerk", "accounting")),
        lambda: at.pay(hit, 3, by=By("Payer", "accounting")),
        lambda: at.close(hit, By("Closer", "manager")),
    ]
    if state == "rejected":
        at.reject(hit, By("Rejecter", "supervisor"), By("Approver", "manager"))
        return hit
    for step in steps[: STATES.index(state)]:
        step()
    return hit


def act(at: Floor, hit: int, step: str, person: By) -> None:
    approver = By("Second", "surveillance")
    {
        "verify": lambda: at.verify(hit, person),
        "surveil": lambda: at.surveil(hit, person),
        "document": lambda: at.document(hit, person),
        "pay": lambda: at.pay(hit, 3, "cheque", by=person),
        "close": lambda: at.close(hit, person),
        "reject": lambda: at.reject(hit, person, approver),
        "correct": lambda: at.correct(hit, (4, ROYAL), by=person, approved_by=approver),
    }[step]()


@pytest.mark.parametrize("step", ACTS)
@pytest.mark.parametrize("state", STATES)
def test_f_17_each_step_from_each_state_by_each_role(at: Floor, state: str, step: str) -> None:
    """Those that may not are refused; everybody who may does it, each to a hit of their own."""
    hit = brought_to(at, state)
    allowed = TABLE.get((state, step), set())
    for role in (*ROLES, "owner"):
        if role not in allowed:
            assert refused(lambda role=role: act(at, hit, step, By("Fresh", role)), at)  # type: ignore[misc]
    for role in sorted(allowed):
        act(at, brought_to(at, state), step, By("Fresh", role))


@pytest.mark.parametrize(
    ("state", "step", "name", "role"),
    [
        ("called", "verify", "Caller", "supervisor"),
        ("called", "verify", "caller", "supervisor"),
        ("called", "reject", "Caller", "supervisor"),
        ("verified", "surveil", "Caller", "surveillance"),
        ("verified", "surveil", "Verifier", "surveillance"),
        ("surveilled", "document", "Caller", "accounting"),
        ("documented", "pay", "Clerk", "accounting"),
        ("documented", "pay", "Caller", "accounting"),
        ("paid", "close", "Payer", "manager"),
        ("paid", "close", "Caller", "supervisor"),
    ],
)
def test_t_06_nobody_approves_his_own_step(at: Floor, state: str, step: str, name: str, role: str) -> None:
    hit = brought_to(at, state)
    (problem,) = refused(lambda: act(at, hit, step, By(name, role)), at)
    assert "T-06" in problem


@pytest.mark.parametrize("approver", [SUPERVISOR, DEALER, By("Caller", "manager"), By("", "manager"), CASHIER])
@pytest.mark.parametrize("step", ["reject", "correct"])
def test_t_06_a_second_person_approves_a_rejection_and_a_correction(at: Floor, step: str, approver: By) -> None:
    hit = brought_to(at, "called")
    if step == "reject":
        problems = refused(lambda: at.reject(hit, SUPERVISOR, approver, words=" "), at)
    else:
        problems = refused(lambda: at.correct(hit, (4, ROYAL), approved_by=approver, words=" "), at)
    assert any("T-06" in each for each in problems)
    assert any("reason must be stated" in each for each in problems)


def test_every_problem_of_a_step_comes_at_once(at: Floor) -> None:
    hit = brought_to(at, "verified")
    problems = refused(lambda: at.pay(hit, 3, "cheque", by=By("Caller", "dealer")), at)
    assert 3 <= len(problems)
    assert all(any(part in each for each in problems) for part in ("not by a dealer", "is verified", "T-06"))


def test_what_demands_no_surveillance_is_documented_after_the_verification(at: Floor) -> None:
    at.press()
    hit = at.call((3, QUADS))
    at.verify(hit)
    at.document(hit)
    at.pay(hit, 3, "tray", by=SUPERVISOR)
    at.close(hit, MANAGER)


def test_a_supervisor_pays_from_the_tray_alone(at: Floor) -> None:
    at.press()
    hit = at.call((3, QUADS))
    at.verify(hit)
    at.document(hit)
    assert any("accounting or a manager" in each for each in refused(lambda: at.pay(hit, 3, "cage", by=SECOND), at))
    assert any("is paid from the tray" in each for each in refused(lambda: at.pay(hit, 3, "gold", by=MANAGER), at))


def test_small_prizes_are_paid_by_dealers_and_supervisors(at: Floor) -> None:
    at.press()
    for role in set(ROLES) - {"dealer", "supervisor"}:
        assert refused(lambda role=role: at.small(1, "Full House", by=By("X", role)), at)  # type: ignore[misc]
    at.small(1, "Full House", by=SUPERVISOR)


def test_the_table_of_steps_says_what_this_table_says() -> None:
    said = {
        (state.value, name): set(rule.roles) - ({"supervisor"} if name == "pay" else set())
        for name, rule in STEPS.items()
        for state in rule.after
        if name in ACTS
    }
    # From verified papers are made where nothing demands surveillance, which a hit of this size does.
    said.pop((HitState.VERIFIED.value, "document"))
    assert TABLE == said


# The fold asks the same: an entry that a program without these commands would write is refused at the door.


def forged(at: Floor, *values: Payload, actor: str = "Forger") -> tuple[str, ...]:
    def decide(_: BookState) -> list[Draft]:
        return [Draft(value) for value in values]

    command = Submission(book=BOOK, id=at.id(), actor=actor, content=None, decide=decide, table="4")
    before = at.books.state(BOOK)
    with pytest.raises(RefusedError) as caught:
        at.books.submit(command)
    assert before == at.books.state(BOOK)
    return caught.value.problems


def test_entries_that_skip_a_step_are_refused_by_the_fold(at: Floor) -> None:
    hit = brought_to(at, "called")
    cents = at.hits.open[hit].cents
    handed = {"step": "pay", "hit": hit, "role": "accounting", "handed": [3, "cheque", 0, "1", 1]}
    moved = (LedgerTransfer("winners", "paid", units_of(cents)),)
    assert forged(at, Movement("prize-paid", "main", moved, details=handed))
    assert forged(at, HitClosed(hit=hit, role="manager"))
    assert forged(at, HitSurveilled(hit=hit, role="surveillance", checks=CHECKS))
    assert forged(at, HitDocumented(hit=hit, role="accounting", papers=(paper(3)._replace(slip=1),), demands={}))
    assert forged(at, SlipReprinted(slip=1, copy=1, role="accounting", words="x"))
    back = {"step": "reject", "hit": hit, "role": "supervisor", "approved_role": "manager"}
    assert forged(
        at, Movement("prize-rejected", "main", (), words="x", approved_by="Max", details=back), actor="Caller"
    )


def test_m_08_a_slip_number_that_leaves_a_gap_is_refused_by_the_fold(at: Floor) -> None:
    hit = brought_to(at, "surveilled")
    demands = at.hits.open[hit].demands
    for number in (0, 2):
        papers = (paper(3)._replace(slip=number),)
        (problem,) = forged(at, HitDocumented(hit=hit, role="accounting", papers=papers, demands=demands))
        assert "M-08" in problem
    at.document(hit)


def test_money_that_does_not_agree_with_the_prizes_is_refused_by_the_fold(at: Floor) -> None:
    hit = brought_to(at, "documented")
    found = at.hits.open[hit]
    handed = [3, "cheque", found.demands[3].withheld_cents, "1", found.papers[0].slip]
    details = {"step": "pay", "hit": hit, "role": "manager", "handed": handed}
    for units in (units_of(found.cents) - 1, 1):
        moved = (LedgerTransfer("winners", "paid", units),)
        assert forged(at, Movement("prize-paid", "main", moved, details=details))
    called = {"step": "tray", "role": "dealer", "round": 1, "won": [[1, "Five-card Flush", 25_00]]}
    assert forged(at, Movement("prize-called", "main", (LedgerTransfer("house", "winners", 1),), details=called))
    taken = (LedgerTransfer("winners", "paid", units_of(25_00)),)
    (problem,) = forged(at, Movement("prize-paid", "main", taken, details=called | {"won": []}))
    assert "come to the winners" in problem
