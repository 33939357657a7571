"""`/parts`: every part in all its states, for who changes one; routed only by `pitboss serve --parts`."""

from types import SimpleNamespace
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response

from pitboss.commands import Change
from pitboss.jackpot.hits.workflow import METHOD_WORDS
from pitboss.meters import UNITS_PER_CENT
from pitboss.room.people.roles import ANYONE
from pitboss.server.auth import Caller, allow
from pitboss.server.pages.displays import THEMES
from pitboss.server.pages.forms import SubmittedForm, with_id
from pitboss.server.pages.layout import MENU, Menu, NavLink, render
from pitboss.server.views import vision
from pitboss.server.views.approvals import ApprovalCard
from pitboss.server.views.charts import step_chart
from pitboss.server.views.console import EnvyView, LightView, PrizeRowView, PrizesView, SeatView, StepView
from pitboss.server.views.hits import CardCounts, HitCard, HitStep, NextStep, PrizeCard
from pitboss.server.views.office.odds import ComparedView, EdgeLine, FanView, fan_view
from pitboss.server.views.paytables import LimitView, PayTableView, PrizeView
from pitboss.table.comparison import ConfigurationChange

GALLERY_PARTS = (
    "age", "approval", "card", "chart", "compared", "conduct", "fan", "limits", "nav", "notices", "odometer",
    "paytable", "pick", "plaque", "prizes", "problem", "promotion", "queue", "seats", "slides", "win",
)  # fmt: skip
"""Every folder of parts; a test compares."""
_HOUR = 3_600_000_000


def _meter(name: str, cents: int | None, text: str, play: str = "open", ribbon: str = "") -> vision.MeterView:
    return vision.MeterView(name, "Final Four Jackpot", "Progressive", "$1", cents, text, play, ribbon)


def _meters() -> tuple[vision.MeterView, ...]:
    return (
        _meter("seven", 23_416_87, "$23,416.87"),
        _meter("small", 500, "$5.00", ribbon="Jackpot pending"),
        _meter("large", 1_234_567_89, "$1,234,567.89"),
        _meter("closed", 10_000_00, "$10,000.00", "closed", "Not open for play"),
        _meter("none", None, ""),
    )


def _tables() -> tuple[PayTableView, ...]:
    shares = (("Royal", "100%", "$23,416.87", True), ("Straight flush", "10%", "$2,341.68", True))
    fixed = (("Full house", "$50", "$50", False), ("Flush", "3 for 1", "", False))
    rows = tuple(PrizeView(event, pays, amount, meter) for event, pays, amount, meter in (*shares, *fixed))
    long = tuple(PrizeView(f"Hand {number}", f"{30 - number} to 1", "", envy="$25") for number in range(1, 12))
    return (
        PayTableView("Final Four Jackpot", "F4P-1", rows, key="final-four"),
        PayTableView("Prime", "PRW-1", rows[2:]),
        PayTableView("A long one with Envy", "PJ-1", long, has_envy=True),
    )


def _wins() -> tuple[vision.WinView, ...]:
    one = (vision.WonView(3, "4-card diamond Royal", "$23,416.87"),)
    now = (
        vision.NowView("final-four", "Final Four Jackpot", "$10,000.00"),
        vision.NowView("quads", "Four Card Jackpot", "$5,000.00"),
    )
    two = (*one, vision.WonView(5, "4-card Royal", "$2,341.68"))
    return (
        vision.WinView(1, "final-four", "Final Four Jackpot", True, "4", True, "$23,416.87", one, now),
        vision.WinView(2, "final-four", "Final Four Jackpot", False, "4", False, "$25,758.55", two, now),
    )


def _seats(phase: str, *, by_hand: bool) -> SimpleNamespace:
    states = ("on", "late", "off")
    seats = tuple(
        SeatView(
            number,
            (LightView("final-four", "Jackpot", states[number % 3], True),),
            "PAID $6" if number == 3 else "",
            number % 3 == 0 and number != 3,
        )
        for number in range(1, 7)
    )
    step, wagers = StepView("press", "Tabulate"), (("final-four", "Jackpot"),)
    return SimpleNamespace(seats=seats, is_by_hand=by_hand, phase=phase, step=step, wagers=wagers)


def _prizes() -> dict[str, Any]:
    rows = (PrizeRowView("Full house", "$50", True, "", 5000), PrizeRowView("Four of a kind", "$300", False, "$25"))
    offered = (
        PrizesView("final-four", "Final Four Jackpot", 12, (1, 3, 6), rows),
        PrizesView("quads", "One seat alone", 12, (2,), rows[:1]),
    )
    seats = _seats("open", by_hand=True).seats
    envy = EnvyView("final-four", "Final Four Jackpot", 3, "Four Aces", (1, 5), "$25", "$50.00", 12, 25_00)
    return {
        "prizes": SimpleNamespace(prizes=offered, prize_round=12, seats=seats),
        "envies": (envy,),
        "all_seats": seats,
    }


def _hit(number: int, state: str, step: str, *, may: bool, **prize: Any) -> HitCard:
    names = {"call": "Reported", "verify": "Verified", "surveil": "Surveillance", "document": "Paperwork"}
    names |= {"pay": "Paid", "close": "Closed"}
    place = list(names).index(step)
    steps = tuple(
        HitStep(name, title, "done" if at < place else "next" if at == place else "later", "Sue", "", "8:05 PM")
        for at, (name, title) in enumerate(names.items())
    )
    why_not = "" if may else "Someone else must verify this: you reported it."
    card = PrizeCard(3, "4-card Royal", "$23,416.87", (("W-2G", "26 CFR 7.6041-1"),), **prize)
    picks = CardCounts(4, 0, "", False, ("4-card Royal", "Straight flush"))
    following = (NextStep(step, names[step], "Waiting for a supervisor or manager to verify", may, why_not),)
    return HitCard(
        number, "Final Four Jackpot", "4", 311, "$23,416.87", "final-four", number == 3, state, steps, (card,),
        following, picks, may_reject=may, may_correct=may,
        hands=(("Seat 3", ("Ad", "Kd", "Qd", "Jd")),) if step != "verify" else (),
    )  # fmt: skip


def _queue() -> dict[str, Any]:
    changes = (
        Change("Final Four Jackpot meter", "$10,026.20", "$10,014.20"),
        Change("Allowed reason", "", "equipment malfunction"),
    )
    asked = changes, "Counted twice while seat 3 was stuck", "Lee Sato", "accounting", "Nov 16, 8:01 PM", "a manager"
    title, facts = "Lower Final Four Jackpot meter by $12.00", (Change("State", "", "Open"),)
    return {
        "hits": (
            _hit(1, "called", "verify", may=True),
            _hit(2, "called", "verify", may=False),
            _hit(3, "surveilled", "document", may=True, needs_identification=True, needs_deck=True),
            _hit(4, "documented", "pay", may=True, winner="W. Inner", slip=7, net="$17,796.82", withheld="$5,620.05",
                 methods=("cage", "cheque")),
        ),
        "approvals": (
            ApprovalCard(11, title, *asked, True, False, as_of="8:04 PM"),
            ApprovalCard(12, title, *asked, False, True, as_of="8:04 PM"),
            ApprovalCard(13, "Open table 4", facts, "", *asked[2:], False, False),
        ),
    }  # fmt: skip


def _promotions() -> tuple[vision.PromotionView, ...]:
    words = "The high hand of every hour from noon to midnight wins a $50 dinner voucher."
    return (
        vision.PromotionView("High Hand Saturday", words, "No purchase necessary. Ask the floor for the rules."),
        vision.PromotionView("Welcome", "Sit down.", ""),
        vision.PromotionView("A picture", "Read aloud.", "Its small print.", "/static/icon.svg"),
    )


def _compared() -> tuple[ComparedView, ...]:
    changes = (
        ConfigurationChange("limits", "Ante and Play: maximum", "$300.00", "$350.00"),
        ConfigurationChange("seats", "Seats", "6", ""),
    )
    edges = (
        EdgeLine("Ante and Play", "2.8957%", "3.0341%", "PW/BB-3"),
        EdgeLine("Prime", "3.6206%", "3.6206%", "PRW-1"),
        EdgeLine("All Seven Jackpot", "", "47.9677%", "A7P-2", now="39.2970%"),
        EdgeLine("Pair Bonus", "", "", "PB-2", waits="figure"),
        EdgeLine("All-Six Bonus", "", "", "A6-4", failed="no pay table is chosen"),
    )
    letters = (("Three Card Prime", "approved 2019-05-01"),)
    return (
        ComparedView("aa", "bb", changes, changes[:1], changes[:1], edges, letters),
        ComparedView("aa", "aa", (), (), (), edges[1:2], letters),
        ComparedView("", "bb", (), (), (), edges[:1], letters),
    )


def _fans() -> tuple[FanView, ...]:
    grows = [[10_000_00 + day * step * 100_00 for step in (0, 3, 5, 6, 8)] for day in range(31)]
    return (fan_view(grows, (5, 25, 50, 75, 95)), fan_view(grows[:2], (5, 25, 50, 75, 95)))


def gallery() -> dict[str, Any]:
    """Return every part's states, by the name of the part."""
    points = [(hour * _HOUR, (10_000_00 + (hour % 30) * 700_00) * UNITS_PER_CENT) for hour in range(72)]
    tables, promotions, wins, zone = _tables(), _promotions(), _wins(), ZoneInfo("UTC")
    notices = (
        vision.NoticeView("wagers", "", "Maximum four wagers per player."),
        vision.NoticeView("progressive", "Final Four Jackpot", "Jackpot maximum $100,000."),
    )
    return {
        "meters": _meters(),
        "tables": tables,
        "wins": wins,
        "promotions": promotions,
        "conduct": (
            vision.ConductView("At this table", ("Please do not exchange information on your hands.", "English only.")),
        ),
        "slides": (vision.SlideView(tables[:2]), vision.SlideView(promotions[:1])),
        "limits": (LimitView("Ante and Play", "$10 to $300"), LimitView("Prime", "$5 to $50")),
        "notices": notices,
        "seats": (_seats("open", by_hand=True), _seats("tabulated", by_hand=False)),
        **_prizes(),
        **_queue(),
        "charts": (step_chart(points, 0, 72 * _HOUR, zone), step_chart(points[:1], 0, _HOUR, zone)),
        "compared": _compared(),
        "fans": _fans(),
        "menu": Menu(
            tuple(
                NavLink(place.path, place.title, place.path == "/floor", group, place.icon)
                for group, places in MENU
                for place in places
            )
        ),
    }


router = APIRouter(include_in_schema=False)


@router.get("/parts")
def parts(request: Request, _caller: Annotated[Caller, allow(ANYONE)], theme: str = "") -> Response:
    """Show the parts; they hold nothing of the room."""
    sent = SubmittedForm()
    context = {
        "given": gallery(),
        "parts": GALLERY_PARTS,
        "typed": sent.value,
        "checked": sent.checked,
        "how_paid": METHOD_WORDS,
        "command": lambda: with_id("parts"),
        "theme": theme if theme in THEMES else THEMES[0],
        "themes": THEMES,
    }
    return render(request, "gallery.html", context)
