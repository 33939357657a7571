"""Configurations in the audit: every one that was ever approved, by hash, and the differences between any two."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request, Response

from pitboss.books import BookState
from pitboss.games import find_game
from pitboss.room.configurations import POSTED, configuration_by_hash
from pitboss.room.people.roles import READERS
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import day_text
from pitboss.server.views.office.configurations import compared_view, short_hash
from pitboss.server.views.table_state import room_zone
from pitboss.server.worker.figures import figure_or_failure

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
Hash = Annotated[str, Query(max_length=64)]
_LEAST = 6
"""So many figures of a hash name a configuration, where only one begins with them."""


class KnownView(NamedTuple):
    """A configuration that was approved: its hash, game, and where and when it was in force."""

    hash: str
    game: str
    places: tuple[str, ...]


def _known(state: BookState) -> tuple[KnownView, ...]:
    posts, zone = state.of(POSTED), room_zone(state)
    places: dict[str, list[str]] = {each: [] for each in posts.texts}
    for table, found in posts.tables.items():
        for each, after in found.spans():
            until = "" if after is None else f" to {day_text(after.since, zone)}"
            places[each.hash].append(f"table {table} from {day_text(each.since, zone)}{until}")
        for waiting in found.prepared:
            places[waiting.hash].append(f"table {table}, prepared")
    found_all = []
    for content_hash, told in places.items():
        configuration = configuration_by_hash(state, content_hash)
        title = "" if configuration is None else find_game(configuration.game).title
        found_all.append(KnownView(content_hash, title, tuple(told)))
    return tuple(found_all)


def _whole(state: BookState, text: str) -> str:
    """Find the hash that begins as was typed; all that is wrong is told."""
    typed = text.strip().lower()
    found = [each for each in state.of(POSTED).texts if each.startswith(typed)] if len(typed) >= _LEAST else []
    if len(found) != 1:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"no configuration was approved whose hash begins with {text!r}"])
    return found[0]


@router.get("/office/audit/configurations", dependencies=[READER])
def configurations(request: Request, room: CurrentRoom, one: Hash = "", other: Hash = "") -> Response:
    """List every configuration that was approved, and show what differs between two of them."""
    state = room.state
    before = _whole(state, one) if one else ""
    after = _whole(state, other) if other else ""
    chosen = configuration_by_hash(state, after or before)
    first = configuration_by_hash(state, before) if before and after else None
    compared = None if chosen is None else compared_view(first, chosen, figure_or_failure(request))
    given = {
        "known": _known(state),
        "one": before,
        "other": after,
        "compared": compared,
        "text": "" if chosen is None else chosen.canonical,
        "waits": "" if compared is None else compared.waits,
        "short": short_hash,
        "parts": ("compared",),
    }
    return render(request, "office/configurations.html", given)
