"""The queue of the floor: hits with their steps, as one person sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import BookState
from pitboss.commands import By
from pitboss.jackpot import HITS, JACKPOTS, Hit, HitState, Jackpot, PayPrize
from pitboss.jackpot.hits.thresholds import TRAY, Demand
from pitboss.jackpot.hits.workflow import CHECKS, step_problems
from pitboss.room.approvals import APPROVALS, Pending
from pitboss.room.commands import BY_NAME
from pitboss.room.configurations import configuration_at
from pitboss.server.views.formatting import clock_text, dollars
from pitboss.server.views.office.tables import is_configuration_request, requested_configuration, table_address
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_state import room_zone
from pitboss.table import compare

_TITLES = {
    "call": "Called",
    "verify": "Verified",
    "surveil": "Camera",
    "document": "Papers",
    "pay": "Paid",
    "close": "Closed",
}
_ASKS = {
    "verify": "Verify cards and wager light",
    "surveil": "Surveillance confirms",
    "document": "Make the papers",
    "pay": "Hand it over",
    "close": "Close the hit",
    "reject": "Reject the call",
    "correct": "Correct the call",
}
_NEXT: dict[HitState, tuple[str, ...]] = {
    HitState.CALLED: ("verify",),
    HitState.SURVEILLED: ("document",),
    HitState.DOCUMENTED: ("pay",),
    HitState.PAID: ("close",),
}
ROLE_NAMES = {"cashier": "accounting"}
_DEMANDS = {
    Demand.SURVEILLANCE: "surveillance",
    Demand.DECK_CHECK: "deck counted down",
    Demand.CHEQUE: "by cheque",
    Demand.W2G: "Form W-2G",
    Demand.IDENTIFICATION: "two identifications",
    Demand.WITHHOLDING: "withholding",
    Demand.CASH_REPORT: "cash is reported",
}


class Viewer(NamedTuple):
    """Who looks: a name and roles; nobody sees what is the same for all."""

    name: str = ""
    roles: frozenset[str] = frozenset()


NOBODY = Viewer()


class StepDone(NamedTuple):
    """A step of a hit: done, next, later, or spared where the prize does not demand it; who did it and when."""

    step: str
    title: str
    state: str
    who: str = ""
    role: str = ""
    at: str = ""
    words: str = ""


class PrizeCard(NamedTuple):
    """A prize of a hit: what it demands, what is withheld, its papers, and how it may be or was handed over."""

    seat: int
    row: str
    amount: str
    demands: tuple[tuple[str, str], ...] = ()
    needs_deck: bool = False
    needs_identification: bool = False
    winner: str = ""
    slip: int = 0
    withheld: str = ""
    net: str = ""
    methods: tuple[str, ...] = ()
    handed: str = ""


class NextStep(NamedTuple):
    """A step that can be done now: who does it, whether this person may, and else what speaks against it."""

    step: str
    title: str
    by: str
    may: bool
    problems: tuple[str, ...]


class CardsAsked(NamedTuple):
    """How many cards a verification reads: of a seat and of the board; the checks of surveillance, and all rows."""

    seat: int
    board: int
    board_title: str
    has_joker: bool
    rows: tuple[str, ...]


class HitCard(NamedTuple):
    """A hit that is being handled, as one person sees it; `wrong` are the steps that undo it."""

    number: int
    title: str
    table: str
    round: int
    total: str
    meter: str
    late: bool
    state: str
    steps: tuple[StepDone, ...]
    prizes: tuple[PrizeCard, ...]
    next: tuple[NextStep, ...]
    cards: CardsAsked
    checks: tuple[str, ...] = CHECKS
    may_reject: bool = False
    may_correct: bool = False

    @property
    def is_mine(self) -> bool:
        """Whether this person can do the next step."""
        return any(each.may for each in self.next)


def either(words: tuple[str, ...]) -> str:
    """Write a choice: manager, or: supervisor, accounting or manager."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def demand_words(demand: Demand) -> str:
    """What a demand is called on a page."""
    return _DEMANDS[demand]


def steps_of(hit: Hit, zone: ZoneInfo, *, with_day: bool = False) -> tuple[StepDone, ...]:
    """Set the steps of a hit side by side: the last time each was done, which is next, and what is spared."""
    done = {each.step: each for each in hit.done[hit.since :]}
    done.setdefault("call", hit.done[0])
    undone = list(_next(hit))
    found = []
    for name, title in _TITLES.items():
        each = done.get(name)
        if each is not None and not (name == "pay" and hit.unpaid):
            role = ROLE_NAMES.get(each.role, each.role)
            at = clock_text(each.happened, zone, with_day=with_day)
            found.append(StepDone(name, title, "done", each.person, role, at, each.words))
        else:
            found.append(StepDone(name, title, _undone(hit, name, undone)))
    return tuple(found)


def _undone(hit: Hit, name: str, following: list[str]) -> str:
    if hit.is_finished or (name == "surveil" and hit.state is not HitState.CALLED and not _needs_camera(hit)):
        return "spared"
    return "next" if name in following else "later"


def _needs_camera(hit: Hit) -> bool:
    return any(Demand.SURVEILLANCE in each for each in hit.demands.values())


def _next(hit: Hit) -> tuple[str, ...]:
    if hit.state is HitState.VERIFIED:
        return ("surveil",) if _needs_camera(hit) else ("document",)
    return _NEXT.get(hit.state, ())


def _next_step(hit: Hit, step: str, viewer: Viewer) -> NextStep:
    roles = BY_NAME[f"hits/{step}"].spec.roles
    problems: tuple[str, ...] = ()
    role = next((role for role in roles if role in viewer.roles), None)
    if role is not None:
        problems = tuple(step_problems(hit, step, By(viewer.name, role)))
    return NextStep(step, _ASKS[step], either(roles), role is not None and not problems, problems)


def _prize(hit: Hit, seat: int, viewer: Viewer) -> PrizeCard:
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    assert won is not None
    card = PrizeCard(seat, won.row, dollars(won.cents))
    if demands is None:
        return card
    methods = demands.methods
    # Who is a supervisor and nothing else that pays hands out from the tray alone (F-17).
    if viewer.roles & set(PayPrize.spec.roles) == {"supervisor"}:
        methods = tuple(each for each in methods if each == TRAY)
    card = card._replace(
        demands=tuple((_DEMANDS[each], demands.sources[each]) for each in Demand if each in demands),
        needs_deck=Demand.DECK_CHECK in demands,
        needs_identification=Demand.IDENTIFICATION in demands,
        methods=methods,
    )
    if paper is None:
        return card
    withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    handed = next((each for each in hit.handed if each.seat == seat), None)
    return card._replace(
        winner=paper.winner,
        slip=paper.slip,
        withheld=dollars(withheld) if withheld else "",
        net=dollars(won.cents - withheld),
        handed="" if handed is None else _handed(handed.method, handed.cheque),
    )


def _handed(method: str, cheque: str) -> str:
    return f"cheque {cheque}" if cheque else f"at the {method}" if method == "cage" else "from the tray"


def _cards(jackpot: Jackpot, table: str) -> CardsAsked:
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    holds = wager.holds
    return CardsAsked(
        seat=0 if holds is None else holds.seat,
        board=0 if holds is None else holds.board,
        board_title=f"Cards of the {game.board.name}",
        has_joker=jackpot.terms_of(offer).deck.joker,
        rows=tuple(prize.event for prize in offer.prizes),
    )


def hit_card(state: BookState, hit: Hit, viewer: Viewer = NOBODY) -> HitCard:
    """Show a hit that is being handled."""
    jackpot = state.of(JACKPOTS).jackpots[hit.jackpot].jackpot
    wager = jackpot.game_and_wager(jackpot.offer_at(hit.table))[1]
    return HitCard(
        number=hit.number,
        title=titled(wager.title),
        table=hit.table,
        round=hit.round,
        total=dollars(hit.cents),
        meter=dollars(hit.meter_cents),
        late=hit.late,
        state=hit.state.value,
        steps=steps_of(hit, room_zone(state)),
        prizes=tuple(_prize(hit, won.seat, viewer) for won in hit.won),
        next=tuple(_next_step(hit, step, viewer) for step in _next(hit)),
        cards=_cards(jackpot, hit.table),
        may_reject=_next_step(hit, "reject", viewer).may,
        may_correct=_next_step(hit, "correct", viewer).may,
    )


def hit_cards(state: BookState, viewer: Viewer = NOBODY) -> tuple[HitCard, ...]:
    """Show every hit that is being handled, those first whose next step is this person's."""
    cards = [hit_card(state, hit, viewer) for hit in state.of(HITS).open.values() if not hit.is_finished]
    return tuple(sorted(cards, key=lambda card: (not card.is_mine, card.number)))


_SAID_MOST = 160


class ApprovalView(NamedTuple):
    """Something that waits for a second person: what, asked by whom and when, who gives it; what speaks against it."""

    number: int
    title: str
    said: tuple[tuple[str, str], ...]
    by: str
    role: str
    asked: str
    approvers: str
    problems: tuple[str, ...]
    is_own: bool
    link: str = ""


def _plain(name: str, value: Any) -> str:
    if name.endswith("_cents") and isinstance(value, int):
        return dollars(value)
    if isinstance(value, str):
        return value.split("\n", 1)[0] + (" …" if "\n" in value else "")
    return json.dumps(value, ensure_ascii=False)


def _said(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was asked for, field by field, as far as it says something."""
    for name, value in said.items():
        if value in (None, "", [], {}):
            continue
        if name == "claims":
            text = ", ".join(f"seat {each['seat']}: {each['row']}" for each in value)
        elif isinstance(value, list):
            text = ", ".join(_plain(name, each) for each in value)
        else:
            text = _plain(name, value)
        label = name.removesuffix("_cents").replace("_", " ")
        yield label, text if len(text) <= _SAID_MOST else f"{text[:_SAID_MOST]} …"


_CHANGES_MOST = 6


def _configuration_said(state: BookState, pending: Pending) -> Iterator[tuple[str, str]]:
    """What a configuration that waits would change at its table, the first changes of many."""
    table, configuration = str(pending.said.get("table")), requested_configuration(pending)
    yield from _said({name: value for name, value in pending.said.items() if name != "configuration"})
    if configuration is None:
        return
    yield "configuration", configuration.content_hash[:12]
    found = compare(configuration_at(state, table), configuration)
    changes = [*found.settings, *found.pays, *found.approvals]
    if configuration_at(state, table) is not None:
        for each in changes[:_CHANGES_MOST]:
            yield each.title, f"{each.was or 'nothing'} → {each.becomes or 'nothing'}"
        if len(changes) > _CHANGES_MOST:
            yield "and", f"{len(changes) - _CHANGES_MOST} changes more"


def _configuration(state: BookState, pending: Pending, view: ApprovalView) -> ApprovalView:
    if not is_configuration_request(pending):
        return view
    link = f"{table_address(str(pending.said.get('table')))}/asked/{pending.number}"
    return view._replace(said=tuple(_configuration_said(state, pending)), link=link)


def _approval(pending: Pending, viewer: Viewer, zone: ZoneInfo) -> ApprovalView:
    return ApprovalView(
        number=pending.number,
        title=BY_NAME[pending.what].spec.summary.rstrip("."),
        said=tuple(_said(pending.said)),
        by=pending.by,
        role=ROLE_NAMES.get(pending.role, pending.role),
        asked=clock_text(pending.asked, zone),
        approvers=either(pending.approvers),
        problems=tuple(pending.problems(viewer.name, viewer.roles)),
        is_own=pending.by.casefold() == viewer.name.casefold(),
    )


def approval_views(state: BookState, viewer: Viewer = NOBODY, *, everything: bool = False) -> tuple[ApprovalView, ...]:
    """Show what waits: what this person can give, has asked for, or, as an auditor does, all of it."""
    zone = room_zone(state)
    views = [_configuration(state, each, _approval(each, viewer, zone)) for each in state.of(APPROVALS).values()]
    sees_all = everything or "auditor" in viewer.roles
    return tuple(each for each in views if sees_all or each.is_own or not each.problems)
