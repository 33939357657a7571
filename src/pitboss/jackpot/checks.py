"""What is wrong with a jackpot as it is defined: with itself, with its games' approvals, beside other jackpots."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.books import RefusedError
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot.definitions import (
    DISPLAYS,
    Jackpot,
    JackpotDraft,
    Offer,
    ProbabilitySource,
    link_problems,
    stated_of,
)
from pitboss.jackpot.state import RoomJackpots
from pitboss.meters.terms import integer_problems
from pitboss.rules import Game, Problem, make_terms
from pitboss.rules.pays import OfMeter, OperatorSet


def jackpot_of(draft: JackpotDraft, probabilities: ProbabilitySource | None, room: RoomJackpots) -> Jackpot:
    """Build the jackpot of a draft, or refuse it with everything that is wrong with it here."""
    jackpot, problems = draft.build(probabilities)
    if problems:
        is_whole = len(jackpot.offers) == len(draft.offers)
        others = (jackpot_problems(jackpot) or room_problems(jackpot, room)) if is_whole else []
        raise RefusedError(dict.fromkeys([*problems, *map(str, others)]))
    return jackpot


def jackpot_problems(jackpot: Jackpot) -> list[Problem]:
    """Return everything that is wrong with a jackpot by itself."""
    problems = []
    if not jackpot.name.strip() or not jackpot.name.isprintable() or jackpot.name != jackpot.name.strip():
        problems.append(Problem("name", f"{jackpot.name!r} must be a name in one line", "REGULATION J-09"))
    if not jackpot.offers:
        problems.append(Problem("offers", "a jackpot is won on a wager: name one", "REGULATION J-01"))
    problems += _display_problems(jackpot)
    problems += integer_problems("small_prize_cents", jackpot.small_prize_cents, 0, "REGULATION F-17", "G-3")
    for offer in jackpot.offers:
        problems += _offer_problems(jackpot, offer)
    if len(jackpot.offers) > 1:
        problems += _shared_problems(jackpot)
    return problems + list(_table_problems(jackpot))


def _display_problems(jackpot: Jackpot) -> list[Problem]:
    if jackpot.display not in DISPLAYS:
        return [Problem("display", f"{jackpot.display!r} must be one of {', '.join(DISPLAYS)}", "REGULATION E-07")]
    if jackpot.is_progressive and jackpot.display != "real-time":
        return [Problem("display", "a progressive's display grows with each wager: real-time", "REGULATION J-02")]
    if not jackpot.is_progressive and jackpot.display == "real-time":
        return [Problem("display", "a Bonus display does not move with wagers", "REGULATION J-02")]
    return []


def _offer_problems(jackpot: Jackpot, offer: Offer) -> Iterator[Problem]:
    path = f"offers.{offer.game}"
    try:
        game = find_game(offer.game)
    except UnknownGameError as error:
        yield Problem(path, str(error))
        return
    wager = game.by_name.get(offer.wager)
    if wager is None or not wager.jackpot:
        yield Problem(path, f"{game.title} has no jackpot wager {offer.wager!r}", "REGULATION J-25")
        return
    _, problems = make_terms(game, stated_of(jackpot, offer))
    yield from problems
    if any(isinstance(prize.pay, OperatorSet) for prize in offer.prizes):
        yield Problem(path, f"{offer.paytable} waits for amounts of the operator", ruling="G-6")
    yield from _payer_problems(jackpot, game, path)
    if jackpot.is_progressive and not any(isinstance(prize.pay, OfMeter) for prize in offer.prizes):
        yield Problem(path, f"{offer.paytable} pays no share of a meter: nobody could win it", "REGULATION J-23")


def _payer_problems(jackpot: Jackpot, game: Game, path: str) -> Iterator[Problem]:
    if jackpot.fixed_prizes not in ("house", "meter"):
        yield Problem("fixed_prizes", f"{jackpot.fixed_prizes!r} must be house or meter", "REGULATION J-24", "G-5")
    elif jackpot.fixed_prizes == "meter":
        if not game.approval.fixed_prizes_from_meter_allowed:
            words = "only percentage prizes are deducted from the meter in this game"
            yield Problem(path, words, "REGULATION J-24", "G-5")
        if not jackpot.is_progressive:
            yield Problem("fixed_prizes", "a Bonus jackpot has no fund: the house pays", "REGULATION J-01", "G-5")


def _shared_problems(jackpot: Jackpot) -> list[Problem]:
    if not jackpot.is_progressive:
        return [Problem("offers", "only a progressive is shared by games", "REGULATION J-12")]
    return link_problems(jackpot.offers)


def _table_problems(jackpot: Jackpot) -> Iterator[Problem]:
    games = {offer.game for offer in jackpot.offers}
    names = [link.table for link in jackpot.tables]
    if not names:
        yield Problem("tables", "a jackpot is played at a table: name one", "REGULATION J-08")
    if len(set(names)) != len(names):
        yield Problem("tables", f"{', '.join(names)}: a table is linked once", "REGULATION T-09")
    locations = sorted({link.location for link in jackpot.tables})
    if len(locations) > 1:
        words = f"a link stays inside one licensed location, not {' and '.join(locations)}"
        yield Problem("tables", words, "REGULATION J-11")
    for link in jackpot.tables:
        path = f"tables.{link.table}"
        if not link.table.strip() or not link.location.strip():
            yield Problem(path, "a table has a name and stands in a location", "REGULATION T-09")
        if link.game not in games:
            words = f"{link.game} is dealt there, and the jackpot is offered on: {', '.join(sorted(games))}"
            yield Problem(path, words, "REGULATION J-12")


def room_problems(jackpot: Jackpot, room: RoomJackpots) -> list[Problem]:
    """Return everything that is wrong with a jackpot beside the others of the room."""
    problems = []
    for link in jackpot.tables:
        path = f"tables.{link.table}"
        others = [record.jackpot for record in room.at(link.table) if record.jackpot.name != jackpot.name]
        for other in others:
            there = other.linked(link.table)
            assert there is not None
            if other.meter.jackpot_type != jackpot.meter.jackpot_type:
                words = f"{other.name} is a {other.meter.jackpot_type}: all jackpots of a table are of one type"
                problems.append(Problem(path, words, "REGULATION J-25", "G-13"))
            if (there.game, there.location) != (link.game, link.location):
                words = f"{there.game} is dealt there at {there.location}, by {other.name}"
                problems.append(Problem(path, words, "REGULATION J-25"))
            elif other.offer_at(link.table).wager == jackpot.offer_at(link.table).wager:
                words = f"{other.name} is won on the same wager: each jackpot has a sensor of its own"
                problems.append(Problem(path, words, "REGULATION J-25", "G-13"))
        most = find_game(link.game).approval.jackpots_max
        if len(others) + 1 > most:
            words = f"{len(others) + 1} jackpots on one layout: {most} is approved for this game"
            problems.append(Problem(path, words, "REGULATION J-25", "G-13"))
    return problems
