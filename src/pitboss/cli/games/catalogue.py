"""What games there are: their wagers, rules and pay tables, and the configurations of their tables."""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from rich.markup import escape

from pitboss import law, odds
from pitboss.cli.arguments import percent, read_file
from pitboss.cli.output import BROKEN_RULE, MUST_BE_CONFIRMED, console, errors, fail, game_or_exit, plain_table
from pitboss.games import all_games
from pitboss.law.papers import NEEDED, PAPER_TITLES, SOURCES
from pitboss.papers.findings import CheckFinding, findings_of
from pitboss.rules import Game, PayTable, Problem, dollars
from pitboss.rules.conduct import Audience
from pitboss.table import Configuration, ReadConfiguration, default_configuration, differences, read_configuration
from pitboss.table.costs import cost_of, edge_problems


def show_games(*, as_json: bool) -> None:
    """Print the games."""
    games = all_games()
    if as_json:
        print(json.dumps([_game_json(game) for game in games], indent=2))
        return
    table = plain_table("game", "played with", "seats>", "wagers", "approved")
    for game in games:
        wagers = ", ".join(f"{wager.name}*" if wager.jackpot else wager.name for wager in game.wagers)
        table.add_row(game.name, _deck_words(game), str(min(game.seats_max, 7)), wagers, str(game.approval.since))
    console.print(table)
    console.print("\n* jackpot wager. Game names belong to their owners; Pitboss is not affiliated with them.")


def _deck_words(game: Game) -> str:
    if game.decks_allowed:
        return " or ".join(map(str, game.decks_allowed)) + " decks"
    return game.deck.words


def _game_json(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "decks": list(game.decks_allowed) or [game.deck.decks],
        "joker": game.deck.joker,
        "approved": str(game.approval.since),
        "wagers": [
            {
                "name": wager.name,
                "title": wager.title,
                "words": wager.words,
                "clause": wager.clause.id,
                "jackpot": wager.jackpot,
                "paytables": [table_id for slot in wager.slots for table_id in slot.ids],
            }
            for wager in game.wagers
        ],
        "switches": {switch.name: dict(switch.readings) for switch in game.switches},
    }


def show_rules(name: str, *, as_json: bool) -> None:
    """Print a game's rules in our own words."""
    game = game_or_exit(name)
    applicable = [ruling for ruling in law.rulings().values() if ruling.game_code in (game.code, "G")]
    if as_json:
        stages = [{"kind": s.kind.value, "words": s.words, "clause": s.clause.id} for s in game.stages]
        rulings = [{"id": ruling.id, "title": ruling.title, "text": ruling.text} for ruling in applicable]
        conduct = [{"audience": c.audience, "words": c.words, "clause": c.clause.id} for c in game.conduct]
        content = {**_game_json(game), "words": game.words, "stages": stages, "conduct": conduct, "rulings": rulings}
        print(json.dumps(content, indent=2))
        return
    console.print(f"[bold]{escape(game.title)}[/]\n")
    for paragraph in game.words.strip().split("\n\n"):
        # One line each: the terminal knows how wide it is.
        console.print(escape(" ".join(paragraph.split())) + "\n")
    _show_wagers(game)
    console.print("\n[bold]The round[/]")
    for number, stage in enumerate(game.stages, start=1):
        console.print(f"{number:3}. {escape(stage.words)} [dim]({escape(stage.clause.id)})[/]")
    _show_conduct(game)
    for switch in game.switches:
        console.print(f"\n[bold]Disputed: {switch.name}[/] [dim]({escape(switch.clause.id)}; {switch.ruling})[/]")
        for reading, words in switch.readings.items():
            default = " (default)" if reading == switch.default else ""
            console.print(f"  {reading}{default}: {escape(words)}")
    console.print("\n[bold]Rulings[/]")
    for ruling in applicable:
        if ruling.game_code == game.code:
            words = ". ".join(part for part in (ruling.title, ruling.text.replace("**", "")) if part)
            console.print(f"  [bold]{ruling.id}[/] {escape(words)}")
    console.print("\nThe rulings whose id begins with G hold for all games; see docs/RULINGS.md.")


_CONDUCT_TITLES: dict[Audience, str] = {
    "players": "Rules of conduct",
    "dealer": "The dealer's hands",
    "layout": "Layout and equipment",
}


def _show_conduct(game: Game) -> None:
    for audience, title in _CONDUCT_TITLES.items():
        rules = game.conduct_of(audience)
        if rules:
            console.print(f"\n[bold]{title}[/]")
        for rule in rules:
            console.print(f"  {escape(rule.words)} [dim]({escape(rule.clause.id)})[/]")


def _show_wagers(game: Game) -> None:
    table = plain_table("wager", "chips", "pay tables", "what it is", "clause")
    for wager in game.wagers:
        ids = " + ".join(", ".join(slot.ids) for slot in wager.slots)
        parts = ", ".join(part.name for part in wager.parts)
        table.add_row(wager.name, parts, ids, wager.words, wager.clause.id)
    console.print(table)


def paytable_json(game: Game, table: PayTable) -> dict[str, Any]:
    """Return a pay table as `pitboss paytables --json` prints it."""
    rows = [
        {"event": row.event, "printed": row.printed} | ({} if row.envy_printed is None else {"envy": row.envy_printed})
        for row in table.rows
    ]
    return {
        "id": table.id,
        "game": game.name,
        "wager": table.wager,
        "odds": table.odds,
        "rows": rows,
        "source": {"document": table.source.document, "place": table.source.id},
    }


def show_paytables(game_name: str | None, wager_name: str | None, *, as_json: bool) -> None:
    """Print pay tables."""
    games = all_games() if game_name is None else (game_or_exit(game_name),)
    chosen = [(game, table) for game in games for table in game.paytables.values() if wager_name in (None, table.wager)]
    if not chosen:
        wagers = sorted({table.wager for game in games for table in game.paytables.values()})
        raise fail(f"no pay tables of wager {wager_name!r}: expected one of {', '.join(wagers)}")
    if as_json:
        print(json.dumps([paytable_json(game, table) for game, table in chosen], indent=2, ensure_ascii=False))
        return
    groups: dict[tuple[str, str, tuple[str, ...]], list[PayTable]] = {}
    for game, table in chosen:
        groups.setdefault((game.title, table.wager, tuple(row.event for row in table.rows)), []).append(table)
    for (title, wager, events), tables in groups.items():
        _show_grid(f"{title}: {wager} (odds {tables[0].odds} 1; {tables[0].source.id})", events, tables)
    console.print(f"{len(chosen)} pay tables")


def _show_grid(title: str, events: tuple[str, ...], tables: list[PayTable]) -> None:
    console.print(f"[bold]{escape(title)}[/]", soft_wrap=True)
    grid = plain_table("event", *(f"{table.id}>" for table in tables))
    for index, event in enumerate(events):
        cells = []
        for table in tables:
            row = table.rows[index]
            cells.append(row.printed if row.envy_printed is None else f"{row.printed} (Envy {row.envy_printed})")
        grid.add_row(event, *cells)
    console.print(grid)
    console.print()


def _room_check(read: ReadConfiguration, room: Path | None, table: str) -> ReadConfiguration:
    """Add what a room has on record for a table; of a file alone the room's own approvals must be confirmed."""
    if read.configuration is None:
        return read
    if room is None:
        profile = read.configuration.profile
        words = " and ".join(PAPER_TITLES[kind] for kind in NEEDED[profile])
        notice = Problem("approvals", f"{words} for this table: must be confirmed", SOURCES[profile], "G-15")
        return replace(read, notices=(*read.notices, notice))
    from pitboss.books import StoreError  # noqa: PLC0415
    from pitboss.cli.books.sources import check_book, open_store, state_of  # noqa: PLC0415
    from pitboss.room.agreement import disagreements  # noqa: PLC0415
    from pitboss.room.approval_records import maker_notices, record_problems  # noqa: PLC0415
    from pitboss.room.configurations import own_table_problems  # noqa: PLC0415

    try:
        with open_store(room) as store:
            check_book(store, "room")
            state = state_of(store, "room")
    except (StoreError, OSError) as error:
        raise fail(str(error)) from None
    game, profile = read.configuration.game, read.configuration.profile
    texts = record_problems(state, table, game, profile, on=read.configuration.on)
    texts += own_table_problems(state, table, read.configuration, read.configuration.on)
    problems = [_of_room(text) for text in texts]
    problems += disagreements(state, table, read.configuration)
    notices = (Problem("makers", text) for text in maker_notices(state))
    return replace(read, problems=(*read.problems, *problems), notices=(*read.notices, *notices))


def _of_room(text: str) -> Problem:
    path, _, words = text.partition(": ")
    return Problem(path, words)


def _edge_check(read: ReadConfiguration, counted: Mapping[str, Fraction]) -> ReadConfiguration:
    """Add the wagers that players win in the long run."""
    below = () if read.configuration is None else edge_problems(read.configuration, counted)
    return replace(read, problems=(*read.problems, *below))


def _costs_json(configuration: Configuration, counted: Mapping[str, Fraction]) -> dict[str, Any]:
    costs = cost_of(configuration)
    wagers = {
        cost.wager: {key: value for key, value in cost._asdict().items() if key != "wager"} for cost in costs.wagers
    }
    for name, edge in counted.items():
        wagers[name]["house_edge"] = str(edge)
    return {"wagers": wagers, "round_cents": costs.round_cents}


def _show_costs(configuration: Configuration, counted: Mapping[str, Fraction]) -> None:
    costs = cost_of(configuration)
    table = plain_table("wager", "at most>", "largest prize>", "for", *(["edge>"] if counted else []))
    for cost in costs.wagers:
        edge = [percent(counted[cost.wager])] if counted else []
        table.add_row(cost.wager, dollars(cost.stake_cents), dollars(cost.largest_cents), cost.event, *edge)
    console.print(table)
    console.print(f"One seat that wins all it may wager on in one round: {dollars(costs.round_cents)}")


class Checking(NamedTuple):
    """How a file is checked: for a table of a room, by another day or kind of room, with edges, and how it ends."""

    room: Path | None = None
    table: str = ""
    on: str | None = None
    profile: str | None = None
    edges: bool = False
    is_strict: bool = False

    def stated(self) -> dict[str, Any]:
        """Return what stands in place of the file's own keys."""
        if self.profile not in (None, *law.PROFILES):
            raise fail(f"--profile {self.profile!r} must be {' or '.join(law.PROFILES)}")
        keys: dict[str, Any] = {} if self.profile is None else {"profile": self.profile}
        try:
            return keys if self.on is None else {**keys, "on": datetime.date.fromisoformat(self.on)}
        except ValueError:
            raise fail(f"--on {self.on!r} must be a date such as 2024-01-31") from None


def check_file(file: Path, checking: Checking, *, as_json: bool) -> int:
    """Check a configuration file, by itself or for a table of a room, and say what it is and what it can cost."""
    if (checking.room is None) != (not checking.table):
        raise fail("--room and --table go together")
    read = read_configuration(read_file(file), **checking.stated())
    read = _room_check(read, checking.room, checking.table)
    wants_edges = checking.edges and read.configuration is not None and not read.problems
    counted = odds.house_edges(read.configuration) if wants_edges and read.configuration else {}
    read = _edge_check(read, counted)
    findings = findings_of(read)
    if as_json:
        print(json.dumps(_check_json(read, findings, counted), indent=2))
    else:
        _show_check(file, read, findings, counted)
    if read.problems:
        return BROKEN_RULE
    return MUST_BE_CONFIRMED if checking.is_strict and read.notices else 0


def _check_json(
    read: ReadConfiguration, findings: Sequence[CheckFinding], counted: Mapping[str, Fraction]
) -> dict[str, Any]:
    groups = {"problems": "refused", "notices": "confirm"}
    content: dict[str, Any] = {
        name: [_finding_json(finding) for finding in findings if finding.level == level]
        for name, level in groups.items()
    }
    if read.configuration is not None and not read.problems:
        content["hash"] = read.configuration.content_hash
        content["differences"] = list(differences(read.configuration))
        content["costs"] = _costs_json(read.configuration, counted)
        content["advice"] = [_finding_json(finding) for finding in findings if finding.level == "advice"]
    return content


def _show_check(
    file: Path, read: ReadConfiguration, findings: Sequence[CheckFinding], counted: Mapping[str, Fraction]
) -> None:
    if read.problems or read.configuration is None:
        refused = [finding for finding in findings if finding.level == "refused"]
        errors.print(f"[bold red]{escape(f'{file}: {len(refused)} problem')}{'s' if len(refused) != 1 else ''}[/]")
        for finding in refused:
            errors.print(f"  • {escape(str(finding.problem))}")
            errors.print(f"    Fix: {escape(finding.fix)}{escape(_confirm_text(finding))}")
    else:
        _show_configuration(file, read.configuration)
        _show_costs(read.configuration, counted)
    for finding in findings:
        if finding.level != "refused":
            label = "Must be confirmed" if finding.level == "confirm" else "Advice"
            console.print(f"[yellow]{label}[/] {escape(str(finding.problem))}")
            console.print(f"  Fix: {escape(finding.fix)}{escape(_confirm_text(finding))}")


def _confirm_text(finding: CheckFinding) -> str:
    return f" To be confirmed: {', '.join(finding.to_confirm)}." if finding.to_confirm else ""


def _show_configuration(file: Path, configuration: Configuration) -> None:
    console.print(
        f"[bold green]{escape(str(file))} may open[/]: {configuration.game}, hash {configuration.content_hash}"
    )
    lines = differences(configuration)
    console.print("Differs from the default table:" if lines else "It is the default table.")
    for line in lines:
        console.print(f"  {escape(line)}", soft_wrap=True)


def _finding_json(finding: CheckFinding) -> dict[str, Any]:
    problem = finding.problem
    return {
        "level": finding.level,
        "path": problem.path,
        "line": problem.line,
        "words": problem.words,
        "clause": problem.clause,
        "ruling": problem.ruling,
        "fix": finding.fix,
        "to_confirm": list(finding.to_confirm),
    }


def print_default(name: str, on: str | None, profile: str) -> int:
    """Print the default configuration of a game."""
    game = game_or_exit(name)
    try:
        date = datetime.datetime.now(tz=datetime.UTC).date() if on is None else datetime.date.fromisoformat(on)
        configuration = default_configuration(game, date, profile)
    except law.NoRuleSetError as error:
        raise fail(str(error)) from None
    except ValueError as error:
        words = str(error) if profile not in law.PROFILES else f"--on {on!r} must be a date such as 2024-01-31"
        raise fail(words) from None
    if date < game.approval.since:
        raise fail(f"{date}: {game.title} was approved on {game.approval.since}")
    print(configuration.canonical, end="")
    return 0
