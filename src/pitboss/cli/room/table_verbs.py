"""The verbs of `pitboss tables`: what is typed, and which command of the room it asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pitboss.cli.app import AsJson, Book, Data, Person, Reason, Source, deferred, example, group

if TYPE_CHECKING:
    from pitboss.cli.room import papers, tables
else:
    papers, tables = deferred("pitboss.cli.room", "papers", "tables")

tables_group = group("tables", "Equip tables, look at them, and do what dealers and supervisors do there.")

Table = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.")]
SetupFile = Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file with a table's equipment.")]
Round = Annotated[int, typer.Argument(metavar="ROUND", help="The round's number.")]
Role = Annotated[str, typer.Option(help="In which role: dealer, supervisor or manager.")]
Approver = Annotated[str, typer.Option("--approved-by", metavar="NAME", help="The approver; it is logged.")]
Seats = Annotated[
    list[str] | None,
    typer.Option(metavar="WAGER=SEATS", help="Seats with a wager, such as prime=1,3. May be repeated."),
]
_SUE = '--person "Sue Halvorsen"'
_TWO = f'{_SUE} --approved-by "Max Adeyemi"'
_MANAGERS = '--person "Max Adeyemi" --approved-by "Ada King"'


def _verb(usage: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a verb of `pitboss tables` by an example of its use, which stands below its help."""
    return tables_group.command(usage.partition(" ")[0], epilog=example(f"tables {usage}"))


@_verb("show examples/tables.backup")
def show(
    path: Source,
    table: Annotated[str | None, typer.Option(help="One table, with its seats and last rounds.")] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Show the tables of a room, their devices, alarms, and malfunctions with the time left to report them."""
    raise typer.Exit(tables.show_tables(path, book, table, as_json=as_json))


@_verb("papers examples/tables.backup")
def list_papers(
    path: Source,
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """List the papers that must hang at tables: which do, since when and by whom, and which are out of date."""
    raise typer.Exit(papers.list_papers(path, book, table, as_json=as_json))


@_verb(f"post-papers room 4 {_SUE}")
def post_papers(path: Data, table: Table, person: Person, as_json: AsJson = False) -> None:
    """Mark the papers of a table as posted, after they were printed (`pitboss print`) and hung."""
    raise typer.Exit(tables.post_papers(path, table, person, as_json=as_json))


@_verb(f'remove-paper room 4 placards {_SUE} --reason "torn"')
def remove_paper(
    path: Data,
    table: Table,
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="The paper's name, such as placards.")],
    person: Person,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Mark a paper of a table as removed."""
    _do(path, "papers/remove", {"table": table, "paper": paper, "words": reason}, person, as_json=as_json)


@_verb("models")
def models(as_json: AsJson = False) -> None:
    """List the models of equipment, what each can, and which games may use it."""
    raise typer.Exit(tables.show_models(as_json=as_json))


@_verb("check examples/equipment/table-4.toml")
def check(
    file: SetupFile,
    on: Annotated[
        str | None, typer.Option(metavar="DATE", help="The day whose limits hold; today if left out.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a table's equipment against the approvals; everything that is wrong is told at once."""
    raise typer.Exit(tables.check_setup(file, on, as_json=as_json))


def _do(
    path: Path, name: str, fields: dict[str, Any], person: str, role: str = "", second: str = "", *, as_json: bool
) -> NoReturn:
    """Carry a command of the room out by its name, and exit as it went."""
    raise typer.Exit(tables.do_command(path, name, fields, person, role=role, approved_by=second, as_json=as_json))


@_verb(f'set-up room examples/equipment/table-4.toml {_TWO} --reason "new table"')
def set_up(
    path: Data,
    file: SetupFile,
    person: Person,
    approved_by: Approver,
    reason: Reason,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Prepare it for this later gaming day.")] = None,
    as_json: AsJson = False,
) -> None:
    """Set a closed table up, or prepare a change for the opening of a later day."""
    raise typer.Exit(tables.set_up(path, file, person, approved_by, reason, since, as_json=as_json))


@_verb(f"post room 4 examples/three-card-prime.toml {_MANAGERS}")
def post(
    path: Data,
    table: Table,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file with a table's configuration.")],
    person: Person,
    approved_by: Approver,
    opens: Annotated[str, typer.Option(metavar="TIME", help="From when on, such as 2026-11-19T06:00.")] = "",
    words: Annotated[str, typer.Option(help="Reason.")] = "",
    override: Annotated[
        str, typer.Option(metavar="WHY", help="Why a wager whose house edge is below zero is offered all the same.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Post a configuration at a table; house edges are counted, and one below zero is refused."""
    more = {"opens": opens, "words": words, "override": override}
    raise typer.Exit(tables.post_configuration(path, table, file, person, approved_by, more, as_json=as_json))


@_verb(f"record-approval room 2 --paper internal-controls=IC-26-014:2026-10-01 {_TWO}")
def record_approval(
    path: Data,
    table: Table,
    paper: Annotated[
        list[str],
        typer.Option(metavar="KIND=NUMBER:DATE", help="internal-controls, tga, state-concurrence or appendix-a-18."),
    ],
    person: Person,
    approved_by: Approver,
    paytable: Annotated[str, typer.Option(metavar="ID", help="A pay table of the room's own that is approved.")] = "",
    example_only: Annotated[bool, typer.Option("--example", help="Mark it as an example.")] = False,
    as_json: AsJson = False,
) -> None:
    """Record the approval of a table's game, or of a pay table of the room's own, with number and date."""
    fields = {"table": table, "paytable": paytable, "is_example": example_only}
    raise typer.Exit(tables.record_approval(path, fields, paper, person, approved_by, as_json=as_json))


@_verb(f'register-maker room layout "Galaxy Gaming" --license 20-00123 {_TWO}')
def register_maker(
    path: Data,
    part: Annotated[str, typer.Argument(metavar="PART", help="layout, shuffler, tabulator or display.")],
    maker: Annotated[str, typer.Argument(metavar="MAKER", help="The maker or distributor.")],
    licence: Annotated[
        str, typer.Option("--license", "--licence", metavar="NUMBER", help="The number of its license.")
    ],
    person: Person,
    approved_by: Approver,
    as_json: AsJson = False,
) -> None:
    """Register who makes or distributes a part of the equipment, and the license for it."""
    fields = {"part": part, "maker": maker, "licence": licence}
    _do(path, "room/register-maker", fields, person, second=approved_by, as_json=as_json)


@_verb('register-display room "sign 2" 2 --make sign --person "Max Adeyemi"')
def register_display(
    path: Data,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The display's name.")],
    table: Table,
    person: Person,
    make: Annotated[str, typer.Option(help="screen, monitor (a bare one) or sign (set by hand).")],
    driven_by: Annotated[str, typer.Option(help="Of a bare monitor: the table's or the server's computer.")] = "",
    gone: Annotated[bool, typer.Option("--gone", help="It is taken away.")] = False,
    as_json: AsJson = False,
) -> None:
    """Register a display at a table, or remove it; a jackpot is played where players see a display that is true."""
    fields = {"name": name, "table": table, "make": make, "driven_by": driven_by, "active": not gone}
    _do(path, "displays/register", fields, person, as_json=as_json)


@_verb(f'confirm-display room "sign 2" --amount main=2000.00 {_SUE}')
def confirm_display(
    path: Data,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a sign that is set by hand.")],
    person: Person,
    amount: Annotated[
        list[str] | None,
        typer.Option(metavar="JACKPOT=DOLLARS", help="What it shows of a jackpot. May be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Confirm what a sign shows that is set by hand."""
    raise typer.Exit(tables.confirm_display(path, name, amount or [], person, as_json=as_json))


@_verb(f"open room 2 {_TWO}")
def open_table(path: Data, table: Table, person: Person, approved_by: Approver = "", as_json: AsJson = False) -> None:
    """Open a table, by two people; what was prepared for today is in force."""
    _do(path, "tables/open", {"table": table}, person, "", approved_by, as_json=as_json)


@_verb(f"close room 3 {_SUE}")
def close_table(path: Data, table: Table, person: Person, as_json: AsJson = False) -> None:
    """Close a table between rounds."""
    _do(path, "tables/close", {"table": table}, person, as_json=as_json)


@_verb(f'suspend room 3 {_SUE} --reason "display dark"')
def suspend(path: Data, table: Table, person: Person, reason: Reason, as_json: AsJson = False) -> None:
    """Suspend the jackpots of a table between rounds."""
    _do(path, "tables/suspend", {"table": table, "words": reason}, person, as_json=as_json)


@_verb(f'resume room 3 {_TWO} --reason "display is back"')
def resume(
    path: Data, table: Table, person: Person, approved_by: Approver, reason: Reason, as_json: AsJson = False
) -> None:
    """Play the jackpots of a table again, by two people."""
    _do(path, "tables/resume", {"table": table, "words": reason}, person, "", approved_by, as_json=as_json)


@_verb(f'dealer room 3 "Dora Vane" {_SUE}')
def dealer(
    path: Data,
    table: Table,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The dealer in charge from now on.")],
    person: Person,
    as_json: AsJson = False,
) -> None:
    """Change the dealer in charge; a round goes on meanwhile."""
    _do(path, "tables/dealer", {"table": table, "dealer": name}, person, "supervisor", as_json=as_json)


@_verb('press room 3 --seats final-four=1,3,6 --person "Dan Ortiz"')
def press(path: Data, table: Table, person: Person, seats: Seats = None, as_json: AsJson = False) -> None:
    """Press at a table that is counted by hand: the first press counts these seats, the next ends the round."""
    raise typer.Exit(tables.press(path, "tables/press", table, person, seats or [], as_json=as_json))


@_verb("log examples/tables.backup")
def table_log(
    path: Source,
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    book: Book = "room",
    as_json: AsJson = False,
) -> None:
    """Show the decks in play and the shufflers of tables; what was done when is `pitboss report table-log`."""
    raise typer.Exit(tables.show_log(path, book, table, as_json=as_json))


@_verb('deck room 3 "red 12" inspected --person "Dan Ortiz"')
def log_deck(
    path: Data,
    table: Table,
    deck: Annotated[str, typer.Argument(metavar="DECK", help="The deck's name.")],
    act: Annotated[str, typer.Argument(metavar="ACT", help="inspected, washed, in or out.")],
    person: Person,
    maker: Annotated[str, typer.Option(metavar="NAME", help="Its maker, where it is new.")] = "",
    reason: Annotated[str, typer.Option(metavar="WORDS", help="Anything to be said about it.")] = "",
    role: Role = "dealer",
    as_json: AsJson = False,
) -> None:
    """Log that a deck was inspected, washed, put into play or taken out."""
    fields = {"table": table, "deck": deck, "act": act, "maker": maker, "words": reason}
    _do(path, "tables/log-deck", fields, person, role, as_json=as_json)


@_verb(f'shuffler room 3 "Model 1" --maker "Maker" --approval WS-17:2026-01-05 {_TWO} --reason "new"')
def set_shuffler(
    path: Data,
    table: Table,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="Its model; '' where it is taken away.")],
    person: Person,
    approved_by: Approver,
    reason: Reason,
    maker: Annotated[str, typer.Option(metavar="NAME", help="Its licensed manufacturer.")] = "",
    approval: Annotated[str, typer.Option(metavar="NUMBER:DATE", help="The paper that approves the model.")] = "",
    as_json: AsJson = False,
) -> None:
    """Record the shuffler of a table with its approval, by two people."""
    fields = {"table": table, "model": model, "maker": maker, "words": reason}
    raise typer.Exit(tables.set_shuffler(path, fields, approval, person, approved_by, as_json=as_json))


@_verb(f'name-seats room 5 2 --seats final-four=1,4 {_TWO} --reason "camera 4 and the sheet"')
def name_seats(
    path: Data,
    table: Table,
    round_number: Round,
    person: Person,
    approved_by: Approver,
    reason: Reason,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Name the seats of a round of which only totals were entered by hand, by two people."""
    fields = {"table": table, "round": round_number, "words": reason}
    raise typer.Exit(tables.name_seats(path, fields, seats or [], person, approved_by, as_json=as_json))


@_verb('lights room 3 --seats final-four=1,3,6 --person "Dan Ortiz"')
def state_lights(path: Data, table: Table, person: Person, seats: Seats = None, as_json: AsJson = False) -> None:
    """State which lights of an Andromeda-1's panel are on, so that a prize can be called before its logger speaks."""
    raise typer.Exit(tables.press(path, "tables/state-lights", table, person, seats or [], as_json=as_json))


@_verb('correct room 1 6 --missed final-four=3 --person "Dan Ortiz" --role dealer --reason "chip under the light"')
def correct(
    path: Data,
    table: Table,
    round_number: Round,
    person: Person,
    reason: Reason,
    missed: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers that lay there and were not seen.")] = "",
    miscounted: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers counted that were not there.")] = "",
    refunded: Annotated[str, typer.Option(metavar="WAGER=SEATS", help="Wagers that are given back.")] = "",
    role: Role = "supervisor",
    approved_by: Approver = "",
    as_json: AsJson = False,
) -> None:
    """Correct a counted round: the dealer before the next press, afterwards a supervisor with a second person."""
    causes = {"missed": missed, "miscounted": miscounted, "refunded": refunded}
    fields = {"table": table, "round": round_number, "words": reason}
    raise typer.Exit(tables.correct(path, fields, causes, person, role, approved_by, as_json=as_json))


Jackpot = Annotated[str, typer.Option(metavar="NAME", help="The jackpot's name.")]


@_verb('confirm-wager room 1 5 5 --jackpot main --person "Vic Tran" --reason "camera 4: chip before the first card"')
def confirm_wager(
    path: Data,
    table: Table,
    round_number: Round,
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The seat that one person added to the round.")],
    jackpot: Jackpot,
    person: Person,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Let surveillance confirm that the wager of an added seat lay there before the first card."""
    fields = {"table": table, "round": round_number, "seat": seat, "jackpot": jackpot, "words": reason}
    _do(path, "hits/confirm-wager", fields, person, as_json=as_json)


@_verb(f'call-found room 1 2 --jackpot main --prize "5=4-card Royal" {_TWO} --reason "camera 4, 20:14: not paid"')
def call_found(
    path: Data,
    table: Table,
    round_number: Round,
    jackpot: Jackpot,
    prize: Annotated[
        list[str], typer.Option(metavar="SEAT=ROW", help="A seat and the row of the pay table. May be repeated.")
    ],
    person: Person,
    approved_by: Approver,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Report a jackpot of an earlier round that video or the books prove, by two people."""
    fields = {"table": table, "round": round_number, "jackpot": jackpot, "words": reason}
    raise typer.Exit(tables.call_found(path, fields, prize, person, approved_by, as_json=as_json))


@_verb(f'void room 1 6 --cause exposed-card {_TWO} --reason "card turned over"')
def void(
    path: Data,
    table: Table,
    round_number: Round,
    cause: Annotated[str, typer.Option(metavar="CAUSE", help="shuffler-malfunction, misdeal, exposed-card, ...")],
    person: Person,
    approved_by: Approver,
    reason: Reason,
    open_hits: Annotated[
        str, typer.Option(metavar="CHOICE", help="A hit of the round that is open: refuse the void, or reject the hit.")
    ] = "refuse",
    as_json: AsJson = False,
) -> None:
    """Void a round, by two people; the house refunds its jackpot wagers and no meter falls."""
    fields = {"table": table, "round": round_number, "cause": cause, "words": reason, "open_hits": open_hits}
    _do(path, "tables/void", fields, person, "", approved_by, as_json=as_json)


@_verb(f'down room 1 {_SUE} --reason "panel dark"')
def down(path: Data, table: Table, person: Person, reason: Reason, as_json: AsJson = False) -> None:
    """Take equipment out of service by its configured method, and start the clock of its malfunction."""
    _do(path, "tables/down", {"table": table, "words": reason}, person, as_json=as_json)


Rounds = Annotated[int, typer.Argument(metavar="ROUNDS", help="How many rounds were played by hand.")]


@_verb(f'counts room 5 3 --seats final-four=1:3,4:2 {_TWO} --reason "sheet of the dealer"')
def counts(
    path: Data,
    table: Table,
    rounds: Rounds,
    person: Person,
    approved_by: Approver,
    reason: Reason,
    seats: Annotated[
        list[str] | None, typer.Option(metavar="WAGER=SEAT:COUNT", help="Wagers by seat, such as prime=1:3,4:2.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Enter the counts of rounds that were played by hand."""
    fields = {"table": table, "rounds": rounds, "words": reason}
    raise typer.Exit(tables.enter_counts(path, fields, seats or [], person, approved_by, as_json=as_json))


@_verb(f'restore room 5 0 {_TWO} --reason "panel replaced"')
def restore(
    path: Data,
    table: Table,
    rounds: Rounds,
    person: Person,
    approved_by: Approver,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Return equipment to play; the rounds played by hand are compared with those entered."""
    fields = {"table": table, "rounds_played": rounds, "words": reason}
    _do(path, "tables/restore", fields, person, "", approved_by, as_json=as_json)


@_verb('read room 3 1250 --person "Dan Ortiz" --role dealer')
def read(
    path: Data,
    table: Table,
    reading: Annotated[int, typer.Argument(metavar="NUMBER", help="What the counter shows.")],
    person: Person,
    rolled_over: Annotated[bool, typer.Option(help="The counter went over its last digit.")] = False,
    replaced: Annotated[bool, typer.Option(help="The counter is another one.")] = False,
    reason: Reason = "",
    role: Role = "supervisor",
    as_json: AsJson = False,
) -> None:
    """Record what a non-resettable counter shows, for the shift."""
    fields = {"table": table, "reading": reading, "rolled_over": rolled_over, "replaced": replaced, "words": reason}
    _do(path, "tables/read-counter", fields, person, role, as_json=as_json)


@_verb(f'malfunction room 1 {_SUE} --reason "sensor of seat 3 dead"')
def malfunction(path: Data, table: Table, person: Person, reason: Reason, as_json: AsJson = False) -> None:
    """Record a malfunction; it must be reported within 72 hours."""
    _do(path, "tables/malfunction", {"table": table, "words": reason}, person, as_json=as_json)


Malfunction = Annotated[int, typer.Argument(metavar="NUMBER", help="The malfunction's number.")]


@_verb(f'report room 59 --reference "WSGC 26-114" {_SUE}')
def report_malfunction(
    path: Data,
    number: Malfunction,
    reference: Annotated[str, typer.Option(metavar="TEXT", help="Under which the commission has it.")],
    person: Person,
    as_json: AsJson = False,
) -> None:
    """Record that a malfunction was reported to the commission."""
    _do(path, "tables/report", {"malfunction": number, "reference": reference}, person, as_json=as_json)


@_verb(f'mend room 59 {_SUE} --reason "cable replaced"')
def mend(path: Data, number: Malfunction, person: Person, reason: Reason, as_json: AsJson = False) -> None:
    """Mark a malfunction as repaired."""
    _do(path, "tables/mend", {"malfunction": number, "words": reason}, person, as_json=as_json)


@_verb(f'clear room "disagreeing 1 5.1" {_SUE} --reason "cleaned"')
def clear(
    path: Data,
    alarm: Annotated[str, typer.Argument(metavar="ALARM", help="As `pitboss tables show` names it.")],
    person: Person,
    reason: Reason,
    as_json: AsJson = False,
) -> None:
    """Write down what was found about an alarm, and clear it."""
    _do(path, "tables/clear-alarm", {"alarm": alarm, "words": reason}, person, as_json=as_json)
