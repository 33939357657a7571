"""Jobs of the worker that typeset papers: what a table is goes in as JSON, a PDF or a picture comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pitboss.books import RefusedError
from pitboss.papers import catalogue
from pitboss.papers.source import PaperSource
from pitboss.rules import Problem
from pitboss.server.worker.jobs import Job, as_base64, configuration_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperJob(Job):
    """A paper of a table as it is configured; one that may not open gives a draft."""

    configuration: str
    room: str
    table: str
    notices: dict[str, list[str]]
    makers: dict[str, list[str]]
    problems: list[str]
    paper: str
    size: str

    @property
    def needs_worker(self) -> bool:
        """True: typesetting takes a processor for a second."""
        return True

    def source(self) -> PaperSource:
        """Return what the paper is made from."""
        return PaperSource(
            configuration=configuration_of(self.configuration),
            room=self.room,
            table=self.table,
            notices={name: tuple(sentences) for name, sentences in self.notices.items()},
            makers={part: (maker, licence) for part, (maker, licence) in self.makers.items()},
            problems=tuple(Problem("", text) for text in self.problems),
        )

    def run(self) -> dict[str, Any]:
        """Typeset the paper as a PDF."""
        source = self.source()
        kind = catalogue.BY_NAME[self.paper]
        try:
            content = catalogue.make_pdf(kind, source, self.size, draft=bool(source.problems))
        except catalogue.DraftNeededError as error:
            raise RefusedError([str(problem) for problem in error.problems]) from None
        return {"pdf": as_base64(content)}


_PREVIEW_PPI = 42


class PaperPictureJob(PaperJob):
    """The first page of a paper as a small picture."""

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
    }
