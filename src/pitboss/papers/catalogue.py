"""The papers there are: what each is for, in which sizes, and how it is made from a table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pitboss import law
from pitboss.cards import card_words, parse_cards
from pitboss.law.papers import POSTED
from pitboss.odds.par import Sheet
from pitboss.odds.par.sheet import Progress
from pitboss.paper.cards import back_svg, card_svg
from pitboss.paper.par import par_pdf
from pitboss.paper.typesetting import pictures, typeset
from pitboss.papers.forms import forms
from pitboss.papers.layout import layout
from pitboss.papers.placards import placards
from pitboss.papers.procedure import pit_card, procedure
from pitboss.papers.rack_card import rack_card
from pitboss.papers.source import PaperSource
from pitboss.papers.submission import submission, tribal_submission
from pitboss.papers.training import training_sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperKind:
    """One kind of paper: its name in files and commands, its title, whom it is for, its sizes with the usual first."""

    name: str
    title: str
    audience: str
    template: str
    view: Callable[[PaperSource], dict[str, Any]]
    sizes: tuple[str, ...] = ("letter",)
    profiles: tuple[str, ...] = law.PROFILES
    has_sheet: bool = False
    """True if the PAR sheet belongs to it."""

    @property
    def is_posted(self) -> bool:
        """True if it hangs or lies at the table, so that one that is out of date misleads players."""
        return any(self.name in papers for papers in POSTED.values())


PAPERS: tuple[PaperKind, ...] = (
    PaperKind(
        name="rack-card",
        title="Rack card",
        audience="players",
        template="rack_card.typ",
        view=rack_card,
        sizes=("letter", "4x6", "5x7", "11x17"),
    ),
    PaperKind(
        name="placards",
        title="Placards",
        audience="the table",
        template="placard.typ",
        view=placards,
        sizes=("5x7", "4x6", "letter", "11x17"),
    ),
    PaperKind(
        name="layout",
        title="Layout",
        audience="the felt's printer, the commission",
        template="layout.typ",
        view=layout,
        sizes=("letter", "11x17", "full"),
    ),
    PaperKind(
        name="procedure",
        title="Dealer's procedure",
        audience="dealers, internal controls",
        template="document.typ",
        view=procedure,
    ),
    PaperKind(
        name="pit-card",
        title="Pit card",
        audience="dealers, in the pit stand",
        template="document.typ",
        view=pit_card,
    ),
    PaperKind(
        name="submission",
        title="Internal-controls submission",
        audience="the commission",
        template="document.typ",
        view=submission,
        profiles=("wa-commercial",),
        has_sheet=True,
    ),
    PaperKind(
        name="tribal-submission",
        title="Tribal submission",
        audience="the Tribal Gaming Agency and the state",
        template="document.typ",
        view=tribal_submission,
        profiles=("wa-tribal",),
        has_sheet=True,
    ),
    PaperKind(name="forms", title="Forms", audience="floor and cage", template="document.typ", view=forms),
    PaperKind(
        name="training-sheet", title="Training sheet", audience="dealers", template="document.typ", view=training_sheet
    ),
)
BY_NAME: Mapping[str, PaperKind] = {paper.name: paper for paper in PAPERS}
"""Every paper by its name."""


class DraftNeededError(ValueError):
    """A table that may not open has no papers but drafts; carries everything that is missing."""

    def __init__(self, source: PaperSource) -> None:
        super().__init__("; ".join(map(str, source.problems)))
        self.problems = source.problems


@cache
def _drawn(text: str) -> dict[str, str]:
    if text == "??":
        return {"svg": back_svg(), "words": "a card face down"}
    [card] = parse_cards([text], as_printed=True)
    return {"svg": card_svg(card), "words": card_words(card)}


_CARD_LISTS = ("cards", "dealer", "fan")


def _with_cards(value: Any) -> Any:
    """Return a view with every list of cards as drawings."""
    if isinstance(value, dict):
        return {
            key: [_drawn(card) for card in inner] if key in _CARD_LISTS else _with_cards(inner)
            for key, inner in value.items()
        }
    return [_with_cards(inner) for inner in value] if isinstance(value, list) else value


def _framed(content: dict[str, Any], source: PaperSource, size: str, *, draft: bool) -> dict[str, Any]:
    """Return what a paper says with its size, and the foot that every page carries."""
    configuration = source.configuration
    since = f"{configuration.on:%B} {configuration.on.day}, {configuration.on.year}"
    foot = f"{'DRAFT, not to be posted. ' if draft else ''}{source.game.title}, rules as of {since}"
    framed = _page(content, foot, f"Configuration {configuration.content_hash}", place=source.place)
    return framed | {"size": size, "draft": draft, "responsible": source.words.responsible}


def _page(content: dict[str, Any], foot: str, mark: str, place: str) -> dict[str, Any]:
    drawn: dict[str, Any] = _with_cards(content)
    frame = {"size": "letter", "draft": False, "place": place, "foot": foot, "hash": mark}
    return {"is_one_page": False, "attached": None} | drawn | frame


def kind_problem(paper: PaperKind, source: PaperSource) -> str:
    """Return why a paper is none of this table: it is for another kind of room, as a submission is."""
    profile = source.configuration.profile
    if profile in paper.profiles:
        return ""
    instead = next(each.name for each in PAPERS if each.has_sheet and profile in each.profiles)
    return f"{paper.title}: this table is in another kind of room; print {instead}"


def paper_view(paper: PaperKind, source: PaperSource, size: str = "", *, draft: bool = False) -> dict[str, Any]:
    """Return the view of a paper; a table that may not open has no papers but drafts."""
    _, unsettled = source.configuration.terms_and_problems
    if unsettled or (source.problems and not draft):
        raise DraftNeededError(source)
    wrong = kind_problem(paper, source)
    if wrong:
        raise ValueError(wrong)
    size = size or paper.sizes[0]
    if size not in paper.sizes:
        raise ValueError(f"{paper.title}: no size is {size!r}; expected {', '.join(paper.sizes)}")
    return _framed(paper.view(source), source, size, draft=draft)


def make_pdf(paper: PaperKind, source: PaperSource, size: str = "", *, draft: bool = False) -> bytes:
    """Typeset a paper; the same source gives the same bytes, anywhere and on any day.

    A submission has the PAR sheet attached to its file, where that was counted.
    """
    view = paper_view(paper, source, size, draft=draft)
    if paper.has_sheet and source.sheet is not None:
        view["attached"] = {"name": SHEET_FILE, "bytes": list(par_pdf(source.sheet))}
    return typeset(paper.template, view)


def make_sheet_of(source: PaperSource, tell: Progress | None = None) -> Sheet:
    """Count the PAR sheet of a table, each jackpot at the amount it starts with."""
    from pitboss import odds  # noqa: PLC0415 - counting brings numba, which only a worker loads

    configuration = source.configuration
    return odds.make_sheet(
        source.game,
        configuration.terms,
        wagers=list(configuration.offered),
        meters={name: [cents] for name, cents in configuration.meters.items()},
        configuration=configuration,
        store=odds.default_store(),
        **({} if tell is None else {"tell": tell}),
    )


def make_case(view: dict[str, Any], room: str, mark: str) -> bytes:
    """Typeset the forms of a jackpot or a malfunction."""
    return typeset("document.typ", _page(view, room, mark, room))


def make_set(source: PaperSource, *, draft: bool = False) -> Iterator[tuple[str, bytes]]:
    """Typeset every paper of a table in its usual size, with the PAR sheet where it was counted: names and contents."""
    for paper in PAPERS:
        if source.configuration.profile in paper.profiles:
            yield f"{paper.name}.pdf", make_pdf(paper, source, draft=draft)
    if source.sheet is not None:
        yield SHEET_FILE, par_pdf(source.sheet)


SHEET_FILE = "par-sheet.pdf"
"""The file of a PAR sheet in a set, and attached to a submission."""


def make_pictures(
    paper: PaperKind, source: PaperSource, size: str = "", *, draft: bool = False, ppi: float = 100
) -> list[bytes]:
    """Typeset a paper as pictures of its pages."""
    return pictures(paper.template, paper_view(paper, source, size, draft=draft), ppi)


def make_notice(content: dict[str, Any], source: PaperSource) -> bytes:
    """Typeset a notice of change, which is about two tables: the foot is of the one that comes."""
    return typeset("document.typ", _framed(content, source, "letter", draft=bool(source.problems)))
