"""Jobs of the worker that typeset papers: what a table is goes in as JSON, a PDF or a picture comes out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from pitboss.books import RefusedError
from pitboss.paper.typesetting import dispute_pdf, slip_pdf
from pitboss.papers import catalogue
from pitboss.papers.forms import table_log_form
from pitboss.papers.source import PaperSource, RoomWords
from pitboss.rules import Problem
from pitboss.server.worker.jobs import Job, ReportJob, as_base64, configuration_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperJob(Job):
    """A paper of a table as it is configured; one that may not open gives a draft."""

    configuration: str
    room: str
    table: str
    notices: dict[str, list[str]]
    makers: dict[str, list[str]]
    problems: list[str]
    words: dict[str, str]
    down_method: str
    small_prizes: dict[str, int]
    configured: dict[str, dict[str, str]]
    paper: str
    size: str

    @property
    def needs_worker(self) -> bool:
        """True: typesetting takes a processor for a second."""
        return True

    @property
    def is_slow(self) -> bool:
        """True where the PAR sheet is counted for it."""
        return not self.paper or catalogue.BY_NAME[self.paper].has_sheet

    def source(self) -> PaperSource:
        """Return what the paper is made from."""
        return PaperSource(
            words=RoomWords(**self.words),
            down_method=self.down_method,
            small_prizes=self.small_prizes,
            configured=self.configured,
            configuration=configuration_of(self.configuration),
            room=self.room,
            table=self.table,
            notices={name: tuple(sentences) for name, sentences in self.notices.items()},
            makers={part: (maker, licence) for part, (maker, licence) in self.makers.items()},
            problems=tuple(Problem("", text) for text in self.problems),
        )

    def run(self) -> dict[str, Any]:
        """Typeset the paper as a PDF."""
        kind = catalogue.BY_NAME[self.paper]
        source = _counted(self.source()) if kind.has_sheet else self.source()
        try:
            content = catalogue.make_pdf(kind, source, self.size, draft=bool(source.problems))
        except catalogue.DraftNeededError as error:
            raise RefusedError([str(problem) for problem in error.problems]) from None
        return {"pdf": as_base64(content)}


def _counted(source: PaperSource) -> PaperSource:
    """Return a table with its PAR sheet; one that may not open has none."""
    return source if source.problems else replace(source, sheet=catalogue.make_sheet_of(source))


class PaperSetJob(PaperJob):
    """Every paper of a table in its usual size, with the PAR sheet: files by name."""

    def run(self) -> dict[str, Any]:
        """Typeset them all."""
        source = _counted(self.source())
        try:
            files = dict(catalogue.make_set(source, draft=bool(source.problems)))
        except catalogue.DraftNeededError as error:
            raise RefusedError([str(problem) for problem in error.problems]) from None
        return {name: as_base64(content) for name, content in files.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFormsJob(Job):
    """The forms of a jackpot or of a malfunction, with what the books know."""

    view: dict[str, Any]
    room: str
    mark: str

    @property
    def needs_worker(self) -> bool:
        """True: typesetting takes a processor for a second."""
        return True

    def run(self) -> dict[str, Any]:
        """Typeset the forms."""
        return {"pdf": as_base64(catalogue.make_case(self.view, self.room, self.mark))}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLogJob(ReportJob):
    """The log of a table on a gambling day as a form, filled with what the books know."""

    @property
    def needs_worker(self) -> bool:
        """True: typesetting takes a processor for a second."""
        return True

    def run(self) -> dict[str, Any]:
        """Read the day, and typeset the form."""
        with self.scope() as scope:
            view, head = table_log_form(scope), scope.head
            mark = f"Entry {head.sequence}, {head.digest.hex()}"
            return {"pdf": as_base64(catalogue.make_case(view, scope.room, mark))}


_PREVIEW_PPI = 42


class PaperPictureJob(PaperJob):
    """The first page of a paper as a small picture."""

    @property
    def is_slow(self) -> bool:
        """Never: nothing is counted for a picture."""
        return False

    def run(self) -> dict[str, Any]:
        """Typeset the paper and draw its first page."""
        source = self.source()
        kind = catalogue.BY_NAME[self.paper]
        ppi = _PREVIEW_PPI if self.size != "full" else 8
        pages = catalogue.make_pictures(kind, source, self.size, draft=bool(source.problems), ppi=ppi)
        return {"png": as_base64(pages[0])}


def paper_fields(source: PaperSource) -> dict[str, Any]:
    """Return a table as the fields of a job."""
    return {
        "configuration": source.configuration.canonical,
        "room": source.room,
        "table": source.table,
        "notices": {name: list(sentences) for name, sentences in source.notices.items()},
        "makers": {part: list(maker) for part, maker in source.makers.items()},
        "problems": [str(problem) for problem in source.problems],
        "words": asdict(source.words),
        "down_method": source.down_method,
        "small_prizes": dict(source.small_prizes),
        "configured": {name: dict(texts) for name, texts in source.configured.items()},
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputePdfJob(Job):
    """The record of a dispute, to be printed and signed."""

    view: dict[str, Any]

    def run(self) -> dict[str, Any]:
        """Print the record."""
        return {"pdf": as_base64(dispute_pdf(self.view))}


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipPdfJob(Job):
    """A jackpot slip, to be printed and signed."""

    view: dict[str, Any]
    paper: str

    def run(self) -> dict[str, Any]:
        """Print the slip."""
        return {"pdf": as_base64(slip_pdf(self.view, self.paper))}
