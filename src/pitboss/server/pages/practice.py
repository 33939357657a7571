"""Practice: a felt for anybody, with play chips and a coach. Nothing is booked; a session is in memory by a cookie."""

import datetime
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.cards import CardError, card_text, fresh_key, key_text, parse_cards, parse_key
from pitboss.games import all_games
from pitboss.learn.coach import Asked, Verdict, asked_of, verdict
from pitboss.learn.drills import COURSE, Drill, DrillQuestion, focuses, read_answer, shown_in_course
from pitboss.learn.practice import SEATS_MAX, DecisionTaken, PracticeSession, PracticeSessions, read_stakes
from pitboss.randomness import DealingLockedError
from pitboss.room.configurations import configuration_at
from pitboss.room.people.roles import ANYONE
from pitboss.room.room import Room, has_practice, tables_of
from pitboss.rules import Game, MoneyError, parse_dollars
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import Form, number_of, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import cited, dollars, field_dollars, time_of
from pitboss.server.views.paytables import titled
from pitboss.server.views.practice import drill_view, practice_view, replay_query, verdict_view
from pitboss.server.worker.learning import CoachCountsJob, CoachJob, CourseJob, DrillJob, OwnPlayJob, values_of
from pitboss.server.worker.pool import BusyError, Figure, Worker
from pitboss.table import Configuration, OperationRefusedError, default_configuration

Anybody = Annotated[Caller, allow(ANYONE)]
_COOKIE = "pitboss-practice"
_WAIT_SECONDS = 0.25
_FRAGMENT = "x-pitboss-fragment"
_MODES = ("off", "after", "before")


def practice_configuration(room: Room, game: Game) -> Configuration:
    """Return the table that is practised: the room's first one of the game, else one as it usually is."""
    for table in tables_of(room.state):
        configuration = configuration_at(room.state, table)
        if configuration is not None and configuration.game == game.name:
            return replace(configuration, cut_card=None)
    return default_configuration(game, time_of(room.clock()).date())


def _open(room: CurrentRoom) -> None:
    """Refuse where the room has switched practice off."""
    if not has_practice(room.state, room.clock()):
        raise ProblemError(HTTPStatus.NOT_FOUND, ["Practice is switched off in this room."])


def _game(name: str) -> Game:
    game = next((game for game in all_games() if game.name == name), None)
    if game is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"There is no game {name!r}."])
    return game


class _Coach:
    """Asks the worker; a figure that is not there yet is nothing, and the page asks again."""

    def __init__(self, request: Request, session: PracticeSession) -> None:
        self._worker: Worker = request.app.state.worker
        caller: Caller = request.state.caller
        self._caller = caller.name or caller.address or "somebody"
        self._session = session
        self.configuration = session.configuration
        self._text = session.configuration.canonical
        self.is_counting = False

    def values(self, taken_or_asked: Any, seconds: float = _WAIT_SECONDS) -> tuple[Fraction | None, ...]:
        """Return the values of the answers to a question, or nothing yet."""
        found = self._counted(CoachJob(configuration=self._text, asked=taken_or_asked.as_json()), seconds)
        return () if found is None else values_of(found)

    def drilled(self, drill: Drill) -> DrillQuestion | None:
        """Return the hand of a drill that is on, or nothing yet."""
        job = DrillJob(configuration=self._text, seed=key_text(drill.key), **drill.hand._asdict())
        if drill.hand.focus == COURSE:
            course = self._counted(CourseJob(configuration=self._text), _WAIT_SECONDS, is_shared=True)
            if course is None:
                return None
            shown = shown_in_course(course["lessons"], drill.key, drill.hand.number)
            player, public = (tuple(map(card_text, cards)) for cards in (shown.player, shown.public))
            job = replace(job, player=player, public=public, lesson=shown.words)
        found = self._counted(job, _WAIT_SECONDS)
        if found is None:
            return None
        return DrillQuestion(Asked.from_json(found["asked"]), tuple(map(Fraction, found["values"])), found["lesson"])

    def _counted(self, job: Any, seconds: float, *, is_shared: bool = False) -> dict[str, Any] | None:
        """Return the result of a job that reads the counts, once they are there."""
        figure = self._figure(CoachCountsJob(configuration=self._text), 0, is_shared=True)
        if figure is not None and figure.status == "ready":
            figure = self._figure(job, seconds, is_shared=is_shared)
        self.is_counting |= figure is None or figure.status == "computing"
        return figure.value if figure is not None and figure.status == "ready" else None

    def _figure(self, job: Any, seconds: float, *, is_shared: bool = False) -> Figure | None:
        """Return a figure; what everybody at a game shares is computed once, and counted for nobody."""
        try:
            if is_shared:
                return self._worker.ask(job)
            return self._worker.wait(job, seconds, self._caller)
        except BusyError:
            return None

    def verdict(self, taken: DecisionTaken) -> Verdict | None:
        """Grade a decision."""
        return verdict(taken.asked, taken.answer, self.values(taken.asked))

    def own_play(self) -> Mapping[str, Any] | None:
        """Return the price of the session's own play, or nothing yet."""
        game_name = self._session.configuration.game
        main = next(game for game in all_games() if game.name == game_name).main
        decisions = []
        for taken in self._session.decisions:
            fields = taken.asked.as_json()
            place = taken.asked.place_of(taken.answer)
            if main.name in taken.asked.wagers:
                decisions.append({"asked": fields, "answer": fields["options"][place]})
        figure = self._figure(OwnPlayJob(configuration=self._text, decisions=decisions), _WAIT_SECONDS)
        if figure is None or figure.status == "computing":
            self.is_counting = True
            return None
        return figure.value if figure.status == "ready" else None


def _linked(request: Request, session: PracticeSession) -> tuple[PracticeSession, Mapping[str, str], int]:
    """Return the session with the key and the hand of a link, the amounts it puts down, and how many seats."""
    query = request.query_params
    seats = min(number_of(query.get("seats")) or len(session.stakes) or 1, SEATS_MAX)
    fields = _as_fields(session.stakes or _usual_stakes(session, seats))
    if "key" in query and session.played is None:
        try:
            key = parse_key(query["key"])
        except ValueError:
            raise ProblemError(HTTPStatus.NOT_FOUND, ["This link to a hand is not whole."]) from None
        stakes = read_stakes(query.get("wagers", ""))
        session = replace(session, key=key, hand=number_of(query.get("hand")) or 1)
        fields, seats = _as_fields(stakes), max(stakes, default=seats)
    return session, fields, min(seats, SEATS_MAX)


def _usual_stakes(session: PracticeSession, seats: int) -> dict[int, dict[str, int]]:
    """Return the least main wager for every seat, so that the first hand is one press away."""
    main = _game(session.configuration.game).main.name
    return {seat: {main: session.configuration.limits(main)[0]} for seat in range(1, seats + 1)}


def _as_fields(stakes: Mapping[int, Mapping[str, int]]) -> dict[str, str]:
    return {f"{seat}:{name}": field_dollars(cents) for seat, wagers in stakes.items() for name, cents in wagers.items()}


def _sessions(request: Request) -> PracticeSessions:
    sessions: PracticeSessions = request.app.state.practice
    return sessions


def _show(
    request: Request,
    game: Game,
    session: PracticeSession,
    problems: Sequence[str] = (),
    fields: Mapping[str, str] | None = None,
) -> Response:
    linked, link_fields, seats = _linked(request, session)
    coach, asked = _Coach(request, linked), None if linked.played is None else asked_of(linked.played)
    values: tuple[Fraction | None, ...] = ()
    if asked is not None and linked.coach != "off":
        # Asked for also where it is only said afterwards: then it is there when the decision comes.
        values = coach.values(asked, _WAIT_SECONDS if linked.coach == "before" else 0)
    graded = [(taken, coach.verdict(taken)) for taken in linked.here] if linked.coach != "off" else []
    view = practice_view(
        linked,
        game,
        fields=fields or link_fields,
        seats=max((number_of(name[0]) for name in fields), default=1) if fields else seats,
        values=values if linked.coach == "before" else (),
        asked=asked,
    )
    context = {
        "view": view,
        "coach": linked.coach,
        "modes": _MODES,
        "is_counting": coach.is_counting,
        "has_no_figure": bool(values) and None in values,
        "verdicts": [verdict_view(taken, word, game) for taken, word in graded if word is not None],
        "seats_max": min(SEATS_MAX, linked.configuration.seats),
        "problems": problems,
        "has_review": bool(linked.hands),
        "games": all_games(),
        "parts": ("card",),
        "body_theme": "pit",
    }
    return render(request, "practice/table.html", context, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


router = APIRouter(include_in_schema=False, dependencies=[Depends(_open)])


@router.get("/practice", dependencies=[allow(ANYONE)])
def games_page(request: Request, room: CurrentRoom) -> Response:
    """Show the games that can be practised, those of the room first."""
    configured = {
        configuration.game
        for table in tables_of(room.state)
        if (configuration := configuration_at(room.state, table)) is not None
    }
    games = sorted(all_games(), key=lambda game: game.name not in configured)
    return render(request, "practice/games.html", {"games": games, "body_theme": "pit", "configured": configured})


def _fresh(room: Room, game: Game) -> PracticeSession:
    return PracticeSession(configuration=practice_configuration(room, game), key=fresh_key())


@router.get("/practice/{game}", dependencies=[allow(ANYONE)])
def table_page(request: Request, room: CurrentRoom, game: str) -> Response:
    """Show the felt: somebody's own session, or a fresh one."""
    practised = _game(game)
    session = _sessions(request).find(request.cookies.get(_COOKIE, ""), practised.name)
    if session is None:
        session = _fresh(room, practised)
    elif "key" in request.query_params:
        # Who opens a link to a hand wants that hand, whatever is on the felt.
        session = replace(session, played=None, before=None)
    return _show(request, practised, session)


def _amounts(form: FormData) -> dict[str, str]:
    return {name: text_of(value) for name, value in form.multi_items() if ":" in name and text_of(value)}


def _stakes(fields: Mapping[str, str]) -> dict[int, dict[str, int]]:
    stakes: dict[int, dict[str, int]] = {}
    for name, text in fields.items():
        seat, _, wager = name.partition(":")
        try:
            cents = parse_dollars(text.removeprefix("$"))
        except MoneyError as error:
            raise ValueError(f"{wager}: {error}") from None
        if cents:
            stakes.setdefault(number_of(seat), {})[wager] = cents
    return stakes


def _deal(form: FormData, session: PracticeSession) -> PracticeSession:
    try:
        key = parse_key(text_of(form.get("key")))
    except (ValueError, TypeError):
        key = session.key
    hand = number_of(form.get("hand")) or session.hand
    ready = replace(session, key=key, hand=hand, played=None, before=None)
    return ready.deal(_stakes(_amounts(form)))


def _decide(form: FormData, session: PracticeSession) -> PracticeSession:
    if session.played is None or (turn := session.played.question()) is None:
        return session
    seat, question = turn
    if question.takes_cards:
        text = " ".join(text_of(value) for value in form.getlist("card")) or text_of(form.get("answer"))
        try:
            return session.decide(seat, question.key, parse_cards(text.split()))
        except CardError as error:
            raise ValueError(str(error)) from None
    answers: dict[str, Any] = {"yes": True, "no": False}
    text = text_of(form.get("answer"))
    return session.decide(seat, question.key, answers.get(text, number_of(text)))


def _coach(form: FormData, session: PracticeSession) -> PracticeSession:
    mode = text_of(form.get("coach"))
    return replace(session, coach=mode if mode in _MODES else "off")  # type: ignore[arg-type]


def _again(_form: FormData, session: PracticeSession) -> PracticeSession:
    return session.next_hand().deal(session.stakes) if session.is_over else session


_DO: dict[str, Callable[[FormData, PracticeSession], PracticeSession]] = {
    "deal": _deal,
    "decide": _decide,
    "again": _again,
    "next": lambda _, session: session.next_hand() if session.is_over else session,
    "coach": _coach,
}


def _problem_texts(game: Game, error: Exception) -> list[str]:
    """Return what speaks against something in sentences, each with the wager that it is about."""
    if not isinstance(error, OperationRefusedError):
        return [cited(str(error))[0]]
    texts = []
    for problem in error.problems:
        wager = game.by_name.get(problem.path.rpartition(".")[2])
        before = "" if wager is None else f"{titled(wager.title)}: "
        texts.append(before + cited(problem.words)[0].rstrip(".") + ".")
    return list(dict.fromkeys(texts))


@router.post("/practice/{game}/{do}")
def act(request: Request, game: str, do: str, _: Anybody, room: CurrentRoom, form: Form) -> Response:
    """Run one action of the session, once; return the felt, with the problems where it is refused."""
    practised = _game(game)
    if do not in _DO:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"Nothing in practice is {do!r}."])
    owner = request.cookies.get(_COOKIE) or secrets.token_urlsafe(18)
    step = number_of(form.get("step"))

    def change(session: PracticeSession) -> PracticeSession:
        return session if step != session.step and do != "coach" else _DO[do](form, session)

    fresh = _fresh(room, practised)
    try:
        session = _sessions(request).change(owner, practised.name, fresh, change)
    except (ValueError, DealingLockedError) as error:
        session = _sessions(request).find(owner, practised.name) or fresh
        return _show(request, practised, session, _problem_texts(practised, error), _amounts(form))
    if _FRAGMENT in request.headers:
        return _with_cookie(request, _show(request, practised, session), owner)
    return _with_cookie(request, RedirectResponse(f"/practice/{practised.name}", HTTPStatus.SEE_OTHER), owner)


def _with_cookie(request: Request, answer: Response, owner: str) -> Response:
    answer.set_cookie(
        _COOKIE, owner, path="/practice", httponly=True, samesite="lax", secure=request.app.state.cookies.is_secure
    )
    return answer


def _show_drill(request: Request, game: Game, session: PracticeSession, problems: Sequence[str] = ()) -> Response:
    coach, drill = _Coach(request, session), session.drill
    drilled = coach.drilled(drill)
    context = {
        "game": game,
        "drill": drill,
        "key": key_text(drill.key),
        "view": None if drilled is None else drill_view(drill, game, drilled, _now(request)),
        "focuses": focuses(session.configuration),
        "is_counting": coach.is_counting,
        "problems": problems,
        "parts": ("card",),
        "body_theme": "pit",
    }
    status = HTTPStatus.CONFLICT if problems else HTTPStatus.OK
    return render(request, "practice/drill.html", context, status=status)


def _now(request: Request) -> datetime.datetime:
    room: Room = request.app.state.room
    return time_of(room.clock())


def _drilling(session: PracticeSession, key: str = "") -> PracticeSession:
    """Return the session with its drill; a fresh one has the key of the form or link, so that looking keeps nothing."""
    if session.drill is not None:
        return session
    try:
        return replace(session, drill=Drill(key=parse_key(key)))
    except ValueError:
        return replace(session, drill=Drill(key=fresh_key()))


@router.get("/practice/{game}/drill", dependencies=[allow(ANYONE)])
def drill_page(request: Request, room: CurrentRoom, game: str) -> Response:
    """Show the hand of the drill that is on, or the first of a fresh one."""
    practised = _game(game)
    session = _sessions(request).find(request.cookies.get(_COOKIE, ""), practised.name)
    key = request.query_params.get("key", "")
    return _show_drill(request, practised, _drilling(session or _fresh(room, practised), key))


def _drilled(coach: _Coach, drill: Drill, form: FormData, now: datetime.datetime) -> Drill:
    """Run a form's action in a drill: answer, go on, or change what it is about and how it is answered."""
    if (focus := text_of(form.get("focus"))) in focuses(coach.configuration):
        return drill.about(focus)
    if "is_spaced" in form:
        return replace(drill, is_spaced=text_of(form.get("is_spaced")) == "yes")
    if "is_typed" in form:
        return replace(drill, is_typed=text_of(form.get("is_typed")) == "yes")
    if number_of(form.get("step")) != drill.step:
        return drill
    if drill.verdict is not None:
        return drill.go_on(now)
    question = coach.drilled(drill)
    if question is None:
        return drill
    text = " ".join(text_of(value) for value in form.getlist("card")) or text_of(form.get("answer"))
    return drill.answered(question, read_answer(question.asked, text), now)


@router.post("/practice/{game}/drill/do")
def act_in_drill(request: Request, game: str, _: Anybody, room: CurrentRoom, form: Form) -> Response:
    """Run one action of a drill; return the drill, with the problems where it is refused."""
    practised = _game(game)
    owner = request.cookies.get(_COOKIE) or secrets.token_urlsafe(18)
    session = _sessions(request).find(owner, practised.name) or _fresh(room, practised)
    session = _drilling(session, text_of(form.get("key")))
    try:
        drill = _drilled(_Coach(request, session), session.drill, form, _now(request))
    except ValueError as error:
        return _show_drill(request, practised, session, [str(error)])
    changed = _sessions(request).change(owner, practised.name, session, lambda now: replace(now, drill=drill))
    if _FRAGMENT in request.headers:
        return _with_cookie(request, _show_drill(request, practised, changed), owner)
    return _with_cookie(request, RedirectResponse(f"/practice/{game}/drill", HTTPStatus.SEE_OTHER), owner)


@router.get("/practice/{game}/review", dependencies=[allow(ANYONE)])
def review_page(request: Request, game: str) -> Response:
    """Show the session's hands by what their decisions cost, and the price of its own play as a whole."""
    practised = _game(game)
    session = _sessions(request).find(request.cookies.get(_COOKIE, ""), practised.name)
    if session is None or not session.hands:
        return RedirectResponse(f"/practice/{practised.name}", HTTPStatus.SEE_OTHER)
    coach = _Coach(request, session)
    rows = []
    over = {played.dealt: played for played in session.hands}
    for taken in session.decisions:
        word = coach.verdict(taken) if taken.dealt in over else None
        if word is not None:
            rows.append((word.cost * taken.stake_cents, taken, verdict_view(taken, word, practised)))
    rows.sort(key=lambda row: -row[0])
    total = sum((row[0] for row in rows), Fraction(0))
    own = coach.own_play()
    context = {
        "game": practised,
        "rows": [
            (taken, words, f"/practice/{practised.name}?{replay_query(again.key, again.hand, again.stakes)}")
            for _, taken, words in rows
            for again in [over[taken.dealt]]
        ],
        # While decisions wait for the coach, nobody knows what they cost.
        "cost": "" if coach.is_counting else f"${float(total) / 100:,.2f}",
        "net": dollars(sum(hand.net_cents for hand in session.hands)),
        "hands": len(session.hands),
        "is_counting": coach.is_counting,
        "own": None if own is None else _own_words(own),
        "parts": ("card",),
        "body_theme": "pit",
    }
    return render(request, "practice/review.html", context)


def _own_words(own: Mapping[str, Any]) -> dict[str, str]:
    edges = {name: f"{float(-100 * Fraction(own[name])):.4f}%" for name in ("own", "optimal", "lines")}
    fractions = {f"{name}_exact": str(-Fraction(own[name])) for name in ("own", "optimal", "lines")}
    share = f"{float(100 * Fraction(own['share'])):.1f}%"
    return {**edges, **fractions, "share": share, "how_many": str(own["how_many"])}
