"""Figures that take long: a worker computes them, and the stream publishes them."""

from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from pydantic import BaseModel

from pitboss.games import UnknownGameError, find_game
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.api.schemas import Name, api_router
from pitboss.server.auth import allow
from pitboss.server.problems import ProblemError
from pitboss.server.worker.figures import figure_of
from pitboss.server.worker.jobs import OddsJob

router = api_router("figures")
PERSON = allow(*PEOPLE_ROLES)


class FigureStatus(BaseModel):
    """A figure: being computed, ready, or failed with the reason; `topic` is where the stream publishes it."""

    key: str
    status: Literal["computing", "ready", "failed"]
    figure: dict[str, Any] | None
    words: str
    topic: str


@router.get("/odds", dependencies=[PERSON])
def odds(
    request: Request,
    response: Response,
    game: Name,
    wager: Name,
    paytable: Annotated[list[Name], Query(max_length=8, description="One for each slot of the wager.")],
    decks: Annotated[int | None, Query(ge=1, le=8)] = None,
    jackpot_type: Literal["progressive", "bonus"] = "progressive",
) -> FigureStatus:
    """The exact odds of a wager: at once where they were asked for before, else 202 and later by the stream."""
    try:
        wagers = find_game(game).by_name
    except UnknownGameError as error:
        raise ProblemError(HTTPStatus.NOT_FOUND, [str(error)]) from None
    if wager not in wagers:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{game} has no wager {wager!r}; it has: {', '.join(wagers)}"])
    job = OddsJob(game=game, wager=wager, paytables=paytable, decks=decks, jackpot_type=jackpot_type)
    figure = figure_of(request, job)
    if figure.status == "computing":
        response.status_code = HTTPStatus.ACCEPTED
    return FigureStatus(**figure.view(), topic=f"figure:{figure.key}")
