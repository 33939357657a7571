"""The workflow of a hit as a table: from which state a step leads, who may do it, and whose work it approves (F-17).

No step is skipped, and nobody approves a step of their own (section 10 no. 9 and 10; T-06). What speaks against a step
comes back all at once; the fold over the journal checks the same, so that an audit finds what a program that does not
would have written. Old journals call the cage's person `cashier`, whom the room calls `accounting`.
"""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pitboss import law
from pitboss.books import EPOCH, Instant
from pitboss.commands import By, is_same_person, roles
from pitboss.commands.command import one_role
from pitboss.jackpot.hits.thresholds import CHEQUE, TRAY, Demand
from pitboss.jackpot.hits.values import Handed, Hit, HitState, Paper, PaperDraft, SmallPaid
from pitboss.rules import dollars

CHECKS = ("hand", "wager", "payout", "winner")
"""What the camera verifies (O-04)."""
IDENTIFICATIONS = 2
"""So many forms of identification, one with a photograph (X-06)."""
ACTS = {"call": "reported it", "correct": "corrected it", "verify": "verified it", "document": "did the paperwork"}
"""What somebody did who did a step, in words that follow their name."""
ACTS |= {"pay": "paid it", "surveil": "reviewed it"}
MUST = {"verify": "verify", "surveil": "review", "document": "do the paperwork of", "pay": "pay", "close": "close"}
"""What a step does to a jackpot, in words that follow *must*."""
MUST |= {"reject": "reject", "correct": "correct"}
STEP_TITLES = {
    "call": "Reported",
    "verify": "Verified",
    "surveil": "Surveillance",
    "document": "Paperwork",
    "pay": "Paid",
    "close": "Closed",
}
"""The steps of a hit in their order, as pages and slips have them."""
METHOD_WORDS = {"tray": "from the tray", "cage": "at the cage", "cheque": "by check"}
"""How a prize is paid, in words that follow *paid*."""
_STATE_WORDS = {
    "called": "reported", "verified": "verified", "surveilled": "reviewed by surveillance",
    "documented": "ready to pay", "paid": "paid", "closed": "closed", "rejected": "rejected",
}  # fmt: skip
_PENDING = (HitState.CALLED, HitState.VERIFIED, HitState.SURVEILLED, HitState.DOCUMENTED)


class StepRule(NamedTuple):
    """From which states a step leads, which roles may do it, and the steps whose doers may not."""

    says: str
    after: tuple[HitState, ...]
    roles: tuple[str, ...]
    not_by: tuple[str, ...] = ()


ROLES = ("dealer", "supervisor", "surveillance", "accounting", "manager")
STEPS: dict[str, StepRule] = {
    "call": StepRule("a jackpot is reported", (), roles.DEALERS),
    "verify": StepRule("hand and wager are verified", (HitState.CALLED,), roles.FLOOR, ("call",)),
    "surveil": StepRule("surveillance confirms", (HitState.VERIFIED,), ("surveillance",), ("call", "verify")),
    "document": StepRule(
        "paperwork is done", (HitState.VERIFIED, HitState.SURVEILLED, HitState.DOCUMENTED), roles.CAGE, ("call",)
    ),
    "pay": StepRule("a prize is paid", (HitState.DOCUMENTED,), roles.CAGE, ("call", "document")),
    "close": StepRule("a jackpot is closed", (HitState.PAID,), roles.FLOOR, ("call", "pay")),
    "reject": StepRule("a report is rejected", _PENDING, roles.FLOOR, ("call",)),
    "correct": StepRule("a report is corrected", _PENDING, roles.FLOOR),
    "tray": StepRule("a small prize is paid from the tray", (), roles.DEALERS),
    "envy": StepRule("Envy prizes are paid from the tray", (), roles.DEALERS),
    "undo": StepRule("a small prize is undone", (), roles.DEALERS),
    "reverse": StepRule("a small prize is reversed", (), roles.FLOOR),
    "reprint": StepRule("a slip is printed again", (), roles.CAGE),
}


def role_problems(step: str, role: str) -> Iterator[str]:
    """Yield what speaks against the role in which somebody does a step."""
    rule, role = STEPS[step], one_role(role)
    if role not in ROLES:
        yield f"{role!r} is no role; there are: {', '.join(ROLES)}"
    elif role not in rule.roles:
        yield f"{rule.says} by {_either(rule.roles)}, not by a {role} (F-17)"


def step_problems(hit: Hit, step: str, by: By) -> Iterator[str]:
    """Yield what speaks against a step of a hit: its state, the role, and that nobody approves a step of their own."""
    rule = STEPS[step]
    yield from role_problems(step, by.role)
    if hit.state not in rule.after:
        states = _either(_STATE_WORDS[state] for state in rule.after)
        yield f"jackpot {hit.number} is {_STATE_WORDS[hit.state]}: {rule.says} when it is {states} (F-17)"
    if step in ("reject", "correct") and hit.handed:
        seats = ", ".join(str(handed.seat) for handed in hit.handed)
        yield f"a prize of jackpot {hit.number} is paid (seat {seats}): nothing of it changes any more"
    own = own_steps(hit, step, by.name)
    if own:
        yield f"someone else must {MUST[step]} jackpot {hit.number}: {by.name} {ACTS[own[0]]} (T-06)"


def own_steps(hit: Hit, step: str, name: str) -> list[str]:
    """Return the steps of a hit that somebody did, and that therefore somebody else goes on from (T-06)."""
    return [done for done in STEPS[step].not_by if any(is_same_person(name, who) for who in hit.did(done))]


def approval_problems(by: By, reason: str, hit: Hit) -> Iterator[str]:
    """Yield what speaks against an approval: a second person in a role that may, not the caller, and a reason."""
    approver = by.approver or By("", "")
    if approver.role not in roles.APPROVERS:
        yield f"approval is given by {_either(roles.APPROVERS)}, not by a {approver.role!r} (T-06)"
    own = (by.name, *hit.did("call"))
    if not approver.name.strip() or any(is_same_person(approver.name, name) for name in own):
        yield f"{approver.name!r} cannot approve: a second person does, who has not called it (T-06)"
    if not reason.strip():
        yield "the reason must be stated in words (J-09)"


def undo_seconds(at: Instant) -> int:
    """Return for how many seconds who paid a small prize may undo it alone, on the day of an instant (G-66)."""
    return law.value_on("small_prize_undo_seconds", (EPOCH + datetime.timedelta(microseconds=at)).date())


def reversal_problems(paid: SmallPaid, step: str, by: By, reason: str, at: Instant) -> Iterator[str]:
    """Yield what speaks against taking a small prize back: who paid it undoes it at once, later another does (G-66)."""
    yield from role_problems(step, by.role)
    is_payer = is_same_person(by.name, paid.person)
    if step == "undo":
        if not is_payer:
            yield f"{paid.person} paid this prize and may undo it; a supervisor reverses it with a reason (G-66)"
        if at - paid.at > undo_seconds(at) * 1_000_000:
            yield "It is too late to undo this prize: a supervisor reverses it with a reason (G-66)"
        return
    if is_payer:
        yield f"{by.name} paid this prize: another supervisor or manager reverses it (G-66)"
    if not reason.strip():
        yield "State the reason for the reversal (G-66)"


def check_problems(checks: Sequence[str]) -> Iterator[str]:
    """Yield which of the four checks of surveillance is missing, or is none (O-04)."""
    for name in CHECKS:
        if name not in checks:
            yield f"check the box: {name} confirmed on camera (O-04)"
    for name in checks:
        if name not in CHECKS:
            yield f"{name!r} is none of the checks: {', '.join(CHECKS)}"


def paper_problems(hit: Hit, papers: Iterable[Paper | PaperDraft]) -> Iterator[str]:
    """Yield what is missing in the papers, by what each prize demands (P-03, O-04, X-06)."""
    by_seat: dict[int, Paper | PaperDraft] = {}
    for paper in papers:
        if hit.prize(paper.seat) is None or paper.seat in by_seat:
            yield f"seat {paper.seat}: no prize of jackpot {hit.number} waits for its paperwork"
        by_seat[paper.seat] = paper
    if hit.handed:
        yield f"a prize of jackpot {hit.number} is paid: its paperwork stays"
    for won in hit.won:
        place = f"seat {won.seat}"
        demands = hit.demands.get(won.seat)
        if demands is not None and Demand.SURVEILLANCE in demands and not hit.did("surveil"):
            yield f"{place}: {dollars(won.cents)} needs surveillance first ({demands.sources[Demand.SURVEILLANCE]})"
        if won.seat not in by_seat:
            yield f"{place}: paperwork is missing"
            continue
        paper = by_seat[won.seat]
        if not paper.winner.strip() or not paper.winner.isprintable():
            yield f"{place}: enter the winner's name"
        if demands is None:
            continue
        if Demand.DECK_CHECK in demands and not paper.deck_checked:
            yield f"{place}: count down the deck and check the box ({demands.sources[Demand.DECK_CHECK]})"
        if Demand.IDENTIFICATION in demands and (
            len(set(paper.identification)) < IDENTIFICATIONS or not paper.photograph
        ):
            yield f"{place}: two IDs are required; one must have a photo (X-06)"


def handing_problems(hit: Hit, handed: Handed, by: By) -> Iterator[str]:
    """Yield what speaks against handing a prize over so (P-03, X-04; section 10 no. 8: none is paid twice)."""
    won, paper, demands = hit.prize(handed.seat), hit.paper(handed.seat), hit.demands.get(handed.seat)
    if won is None:
        yield f"seat {handed.seat} has no prize of jackpot {hit.number}"
        return
    if is_same_person(hit.added.get(handed.seat, ""), by.name):
        yield f"{by.name} added seat {handed.seat} to the round: another person pays its prize (G-39)"
    if any(before.seat == handed.seat for before in hit.handed):
        yield f"the prize of seat {handed.seat} is already paid (T-12)"
    if demands is not None and handed.method not in demands.methods:
        methods = _either(METHOD_WORDS[method] for method in demands.methods)
        yield f"{dollars(won.cents)} is paid {methods}, not {METHOD_WORDS.get(handed.method, handed.method)} (P-03)"
    if handed.method == CHEQUE and not handed.cheque.strip():
        yield "enter the check number (P-03)"
    elif handed.method != CHEQUE and handed.cheque.strip():
        yield "a check number belongs to a payment by check"
    if handed.method != TRAY and by.role == "supervisor":
        yield f"payments {METHOD_WORDS.get(handed.method, handed.method)} are made by accounting or a manager (F-17)"
    if paper is not None and demands is not None:
        withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
        if handed.withheld_cents != withheld or handed.slip != paper.slip:
            yield f"slip {paper.slip} says that {dollars(withheld)} is withheld (X-04)"


def _either(names: Iterable[str]) -> str:
    *first, last = [str(name) for name in names] or ["nobody"]
    return f"{', '.join(first)} or {last}" if first else last
