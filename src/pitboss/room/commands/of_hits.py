"""Commands about hits: called, verified, surveilled, documented, paid, closed; and small prizes from the tray."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pitboss.jackpot import Claim, Paper, RoundCards
from pitboss.room.commands.kinds import CommandKind, Count, Name, Said, Seat, Seats, Words, kind

_TABLE, _FLOOR, _CAGE = ("dealer", "supervisor"), ("supervisor", "manager"), ("supervisor", "accounting", "manager")
_PAYS_OUT = ("accounting", "manager", "supervisor")
_APPROVERS = ("supervisor", "surveillance", "manager")
Text = Annotated[str, Field(max_length=200)]


class ClaimSaid(Said):
    """What is called: a seat, and the row of the pay table as printed."""

    seat: Seat
    row: Name


class PaperSaid(Said):
    """The paperwork of one prize; the taxpayer number itself never comes into the books."""

    seat: Seat
    winner: Text
    identification: Annotated[list[Text], Field(max_length=10, default_factory=list)]
    photograph: bool = False
    taxpayer_number: bool = False
    deck_checked: bool = False


Claims = Annotated[list[ClaimSaid], Field(max_length=20)]


def _claims(said: list[ClaimSaid]) -> list[Claim]:
    return [Claim(each.seat, each.row) for each in said]


def _cards(said: dict[str, str], board: str) -> RoundCards:
    return RoundCards(seats={int(seat): text for seat, text in said.items()}, board=board)


def _papers(said: list[PaperSaid]) -> list[Paper]:
    return [Paper(**{**each.model_dump(), "identification": tuple(each.identification)}) for each in said]


HIT_COMMANDS: tuple[CommandKind, ...] = (
    kind(
        "hits/call",
        "Call prizes of a round, the last one where none is named.",
        lambda d, a, w: d.hits.call(
            a.jackpot, a.table, _claims(a.claims), round_number=a.round, words=a.words, **w.acting
        ),
        roles=_TABLE,
        fields={
            "jackpot": Name,
            "table": Name,
            "claims": Claims,
            "round": (Count | None, None),
            "words": (Words, ""),
        },
    ),
    kind(
        "hits/verify",
        "Verify a call by the cards and by the wager lights of these seats.",
        lambda d, a, w: d.hits.verify(a.hit, _cards(a.cards, a.board), a.lights, **w.acting),
        roles=_FLOOR,
        fields={
            "hit": Count,
            "cards": dict[Annotated[str, Field(pattern=r"^[1-9][0-9]?$")], Text],
            "board": (Text, ""),
            "lights": Seats,
        },
    ),
    kind(
        "hits/surveil",
        "Let surveillance confirm hand, wager, payout and winner.",
        lambda d, a, w: d.hits.surveil(a.hit, a.checks, **w.acting),
        roles=("surveillance",),
        fields={"hit": Count, "checks": Annotated[list[Name], Field(max_length=10)]},
    ),
    kind(
        "hits/document",
        "Make the papers of every prize; each gets the next slip.",
        lambda d, a, w: d.hits.document(a.hit, _papers(a.papers), **w.acting),
        roles=_CAGE,
        fields={"hit": Count, "papers": Annotated[list[PaperSaid], Field(max_length=20)]},
    ),
    kind(
        "hits/pay",
        "Hand the prize of a seat over.",
        lambda d, a, w: d.hits.pay(a.hit, a.seat, a.method, cheque=a.cheque, **w.acting),
        roles=_CAGE,
        # The cage and cheques are for cashiers and managers: who is a supervisor besides pays there as one (F-17).
        acts_as=lambda a: _CAGE if a.method == "tray" else _PAYS_OUT,
        fields={"hit": Count, "seat": Seat, "method": Literal["tray", "cage", "cheque"], "cheque": (Text, "")},
    ),
    kind(
        "hits/close",
        "Close a hit whose prizes are all handed over.",
        lambda d, a, w: d.hits.close(a.hit, words=a.words, **w.acting),
        roles=_FLOOR,
        fields={"hit": Count, "words": (Words, "")},
    ),
    kind(
        "hits/reject",
        "Reject a call.",
        lambda d, a, w: d.hits.reject(a.hit, words=a.words, approved_by=w.second, **w.acting),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"hit": Count, "words": Words},
    ),
    kind(
        "hits/correct",
        "Correct a call before it is paid: the seats and rows that it should have named.",
        lambda d, a, w: d.hits.correct(a.hit, _claims(a.claims), words=a.words, approved_by=w.second, **w.acting),
        roles=_FLOOR,
        approvers=_APPROVERS,
        fields={"hit": Count, "claims": Claims, "words": Words},
    ),
    kind(
        "hits/small",
        "Pay a small fixed prize from the tray.",
        lambda d, a, w: d.hits.pay_small(a.jackpot, a.table, a.seat, a.row, round_number=a.round, **w.acting),
        roles=_TABLE,
        fields={"jackpot": Name, "table": Name, "seat": Seat, "row": Name, "round": (Count | None, None)},
    ),
    kind(
        "hits/envy",
        "Pay these seats their Envy prizes for another seat's event, from the tray.",
        lambda d, a, w: d.hits.pay_envy(
            a.jackpot, a.table, Claim(a.event.seat, a.event.row), a.seats, round_number=a.round, **w.acting
        ),
        roles=_TABLE,
        fields={
            "jackpot": Name,
            "table": Name,
            "event": ClaimSaid,
            "seats": Seats,
            "round": (Count | None, None),
        },
    ),
    kind(
        "hits/reprint",
        "Journal that a slip is printed once more.",
        lambda d, a, w: d.hits.reprint(a.slip, words=a.words, **w.acting),
        roles=_CAGE,
        fields={"slip": Count, "words": Words},
    ),
)
