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
from pitboss.commands import By, roles
from pitboss.commands.command import one_role
from pitboss.jackpot.hits.thresholds import CHEQUE, TRAY, Demand
from pitboss.jackpot.hits.values import Handed, Hit, HitState, Paper, PaperDraft, SmallPaid
from pitboss.rules import dollars

CHECKS = ("hand", "wager", "payout", "winner")
"""What the camera verifies (O-04)."""
IDENTIFICATIONS = 2
"""So many forms of identification, one with a photograph (X-06)."""
_PENDING = (HitState.CALLED, HitState.VERIFIED, HitState.SURVEILLED, HitState.DOCUMENTED)


class StepRule(NamedTuple):
    """From which states a step leads, which roles may do it, and the steps whose doers may not."""

    says: str
    after: tuple[HitState, ...]
    roles: tuple[str, ...]
    not_by: tuple[str, ...] = ()


ROLES = ("dealer", "supervisor", "surveillance", "accounting", "manager")
STEPS: dict[str, StepRule] = {
    "call": StepRule("a hit is called", (), roles.DEALERS),
    "verify": StepRule("cards and lights are verified", (HitState.CALLED,), roles.FLOOR, ("call",)),
    "surveil": StepRule("surveillance confirms", (HitState.VERIFIED,), ("surveillance",), ("call", "verify")),
    "document": StepRule(
        "papers are made", (HitState.VERIFIED, HitState.SURVEILLED, HitState.DOCUMENTED), roles.CAGE, ("call",)
    ),
    "pay": StepRule("a prize is handed over", (HitState.DOCUMENTED,), roles.CAGE, ("call", "document")),
    "close": StepRule("a hit is closed", (HitState.PAID,), roles.FLOOR, ("call", "pay")),
    "reject": StepRule("a call is rejected", _PENDING, roles.FLOOR, ("call",)),
    "correct": StepRule("a call is corrected", _PENDING, roles.FLOOR),
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
        yield f"hit {hit.number} is {hit.state}: {rule.says} when it is {_either(rule.after)} (F-17)"
    if step in ("reject", "correct") and hit.handed:
        seats = ", ".join(str(handed.seat) for handed in hit.handed)
        yield f"a prize of hit {hit.number} has been handed over (seat {seats}): nothing of it changes any more"
    own = {name.casefold() for name in hit.did(*rule.not_by)} if rule.not_by else set()
    if by.name.casefold() in own:
        yield f"{by.name} has done a step of hit {hit.number} that this one approves ({_either(rule.not_by)}; T-06)"


def approval_problems(by: By, reason: str, hit: Hit) -> Iterator[str]:
    """Yield what speaks against an approval: a second person in a role that may, not the caller, and a reason."""
    approver = by.approver or By("", "")
    if approver.role not in roles.APPROVERS:
        yield f"approval is given by {_either(roles.APPROVERS)}, not by a {approver.role!r} (T-06)"
    own = {by.name.casefold(), *(name.casefold() for name in hit.did("call"))}
    if not approver.name.strip() or approver.name.casefold() in own:
        yield f"{approver.name!r} cannot approve: a second person does, who has not called it (T-06)"
    if not reason.strip():
        yield "the reason must be stated in words (J-09)"


def undo_seconds(at: Instant) -> int:
    """Return for how many seconds who paid a small prize may undo it alone, on the day of an instant (G-66)."""
    return law.value_on("small_prize_undo_seconds", (EPOCH + datetime.timedelta(microseconds=at)).date())


def reversal_problems(paid: SmallPaid, step: str, by: By, reason: str, at: Instant) -> Iterator[str]:
    """Yield what speaks against taking a small prize back: who paid it undoes it at once, later another does (G-66)."""
    yield from role_problems(step, by.role)
    is_payer = by.name.casefold() == paid.person.casefold()
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
            yield f"surveillance has not confirmed the {name} (O-04)"
    for name in checks:
        if name not in CHECKS:
            yield f"{name!r} is none of the checks: {', '.join(CHECKS)}"


def paper_problems(hit: Hit, papers: Iterable[Paper | PaperDraft]) -> Iterator[str]:
    """Yield what is missing in the papers, by what each prize demands (P-03, O-04, X-06)."""
    by_seat: dict[int, Paper | PaperDraft] = {}
    for paper in papers:
        if hit.prize(paper.seat) is None or paper.seat in by_seat:
            yield f"papers of seat {paper.seat}: no prize of hit {hit.number} waits for them"
        by_seat[paper.seat] = paper
    if hit.handed:
        yield f"a prize of hit {hit.number} has been handed over: its papers stay"
    for won in hit.won:
        place = f"seat {won.seat}"
        demands = hit.demands.get(won.seat)
        if demands is not None and Demand.SURVEILLANCE in demands and not hit.did("surveil"):
            yield f"{place}: {dollars(won.cents)} needs surveillance first ({demands.sources[Demand.SURVEILLANCE]})"
        if won.seat not in by_seat:
            yield f"{place}: papers are missing"
            continue
        paper = by_seat[won.seat]
        if not paper.winner.strip() or not paper.winner.isprintable():
            yield f"{place}: {paper.winner!r} is no name of a winner"
        if demands is None:
            continue
        if Demand.DECK_CHECK in demands and not paper.deck_checked:
            yield f"{place}: the deck was not counted down ({demands.sources[Demand.DECK_CHECK]})"
        if Demand.IDENTIFICATION in demands and (
            len(set(paper.identification)) < IDENTIFICATIONS or not paper.photograph
        ):
            yield f"{place}: two forms of identification are needed, one with a photograph (X-06)"


def handing_problems(hit: Hit, handed: Handed, by: By) -> Iterator[str]:
    """Yield what speaks against handing a prize over so (P-03, X-04; section 10 no. 8: none is paid twice)."""
    won, paper, demands = hit.prize(handed.seat), hit.paper(handed.seat), hit.demands.get(handed.seat)
    if won is None:
        yield f"seat {handed.seat} has no prize of hit {hit.number}"
        return
    if hit.added.get(handed.seat, "").casefold() == by.name.casefold():
        yield f"{by.name} added seat {handed.seat} to the round: another person pays its prize (G-39)"
    if any(before.seat == handed.seat for before in hit.handed):
        yield f"the prize of seat {handed.seat} has been handed over already (T-12)"
    if demands is not None and handed.method not in demands.methods:
        yield f"{dollars(won.cents)} is paid by {_either(demands.methods)}, not by {handed.method!r} (P-03)"
    if (handed.method == CHEQUE) != bool(handed.cheque.strip()):
        yield "a cheque has a number, and nothing else has" + (" (P-03)" if handed.method == CHEQUE else "")
    if handed.method != TRAY and by.role == "supervisor":
        yield f"{handed.method} payments are made by accounting or a manager (F-17)"
    if paper is not None and demands is not None:
        withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
        if handed.withheld_cents != withheld or handed.slip != paper.slip:
            yield f"slip {paper.slip} says that {dollars(withheld)} is withheld (X-04)"


def _either(names: Iterable[str]) -> str:
    *first, last = [str(name) for name in names] or ["nobody"]
    return f"{', '.join(first)} or {last}" if first else last
