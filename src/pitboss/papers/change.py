"""The change notice: two configurations side by side, and what a change touches that was approved."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.commands.description import day_words
from pitboss.law.papers import NEEDED, PAPER_TITLES, SOURCES
from pitboss.paper.words import percent
from pitboss.papers import document
from pitboss.papers.catalogue import PAPERS
from pitboss.papers.document import Block
from pitboss.papers.source import PaperSource
from pitboss.papers.training import training_sheet
from pitboss.reports.render import days_in_words
from pitboss.table import Comparison, ConfigurationChange, compare
from pitboss.table.comparison import TO_CONFIRM, letters_of

MAY_AFFECT = "Any modifications to this game may affect this approval."
"""What every approval letter says of changes."""


class TableChange(NamedTuple):
    """What differs between two tables: settings, pays, odds, approvals touched, and papers that say something else."""

    comparison: Comparison
    approvals: tuple[ConfigurationChange, ...]
    odds: tuple[ConfigurationChange, ...]
    papers: tuple[str, ...]


def _edges(
    before: Mapping[str, Fraction], after: Mapping[str, Fraction], source: PaperSource
) -> list[ConfigurationChange]:
    changes = []
    for name in dict.fromkeys((*before, *after)):
        was, becomes = before.get(name), after.get(name)
        if was != becomes:
            texts = ["not offered" if edge is None else percent(edge, 4) for edge in (was, becomes)]
            changes.append(ConfigurationChange(name, source.game.by_name[name].title, texts[0], texts[1]))
    return changes


def _touched(before: PaperSource, after: PaperSource) -> tuple[str, ...]:
    """The papers that say something else, by comparing what they say."""
    if before.configuration == after.configuration and before.notices == after.notices:
        return ()
    profile = after.configuration.profile
    # Training sheets are dealt from the hash of the configuration: another one has other hands.
    return tuple(
        paper.title
        for paper in PAPERS
        if profile in paper.profiles and (paper.view is training_sheet or paper.view(before) != paper.view(after))
    )


_STANDS = "may be affected"


def _approvals(source: PaperSource) -> dict[str, str]:
    """What a table rests on: the letters of its game, what must be confirmed, and the approvals of its kind of room."""
    profile = source.configuration.profile
    needed = {PAPER_TITLES[kind][:1].upper() + PAPER_TITLES[kind][1:]: SOURCES[profile] for kind in NEEDED[profile]}
    return letters_of(source.configuration) | needed


def _approvals_touched(before: PaperSource, after: PaperSource) -> tuple[ConfigurationChange, ...]:
    """What goes, what comes, and what stays: every letter says that a modification may affect it (W-10)."""
    if before.configuration == after.configuration:
        return ()
    was, becomes = _approvals(before), _approvals(after)
    stand = dict.fromkeys(was.keys() & becomes, _STANDS)
    return tuple(
        ConfigurationChange("approval", title, was.get(title, ""), (becomes | stand).get(title, ""))
        for title in (was | becomes)
        if title not in stand or not title.startswith(TO_CONFIRM)
    )


def change_between(
    before: PaperSource,
    after: PaperSource,
    edges: tuple[Mapping[str, Fraction], Mapping[str, Fraction]] = ({}, {}),
) -> TableChange:
    """Return everything that differs between two tables, with the house edges where they were counted."""
    comparison = compare(before.configuration, after.configuration)
    same_game = before.game is after.game
    odds = _edges(*edges, after) if same_game else []
    return TableChange(comparison, _approvals_touched(before, after), tuple(odds), _touched(before, after))


def _grid(title: str, changes: tuple[ConfigurationChange, ...]) -> list[Block]:
    if not changes:
        return []
    rows = [
        tuple(map(days_in_words, (change.title, change.was or "none", change.becomes or "none"))) for change in changes
    ]
    return [document.heading(title), document.grid(["What", "Before", "After"], rows)]


def change_notice(before: PaperSource, after: PaperSource, change: TableChange) -> dict[str, Any]:
    """Return the view of the change notice."""
    blocks = [
        document.notice(MAY_AFFECT),
        document.fields(
            [
                ("Before, configuration", before.configuration.content_hash),
                ("After, configuration", after.configuration.content_hash),
                ("Rules as of, before", day_words(before.configuration.on)),
                ("Rules as of, after", day_words(after.configuration.on)),
            ]
        ),
        *_grid("Settings and limits", change.comparison.settings),
        *_grid("What rows pay", change.comparison.pays),
        *_grid("House edge", change.odds),
        *_grid("Approvals this touches", change.approvals),
        document.heading("Papers to print anew"),
        document.bullets((title, "") for title in change.papers),
        document.signatures(["Submitted by", "Received by"]),
    ]
    return {"title": "Notice of change", "subtitle": after.game.title, "blocks": blocks}
