"""The `pitboss rng` commands; each loads what it needs when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pitboss.cli.app import AsJson, Decks, deferred, example, group

if TYPE_CHECKING:
    from pitboss.cli.rng import reports, streams
else:
    reports, streams = deferred(__name__, "reports", "streams")

rng_group = group("rng", "Test the random number generator: collect and test numbers, see or reset the dealing lock.")

Key = Annotated[str | None, typer.Option(metavar="HEX", help="64 hex digits; a fresh key, which is told, if left out.")]
Output = Annotated[str, typer.Option("--output", "-o", metavar="FILE|-", help="Where to write; - for standard output.")]


@rng_group.command(epilog=example("rng raw --bytes 1000000 -o /dev/null"))
def raw(
    output: Output,
    length: Annotated[int, typer.Option("--bytes", metavar="N", help="How many bytes.")] = 1 << 20,
    key: Key = None,
    block: Annotated[int, typer.Option(metavar="N", help="The block of the key.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write the raw words of the stream that deals live rounds, and tell their SHA-256."""
    raise typer.Exit(streams.write_raw(output, length, key, block, as_json=as_json))


@rng_group.command(epilog=example("rng deal --game deuces-wild --rounds 3 -o -"))
def deal(
    output: Output,
    game: Annotated[str, typer.Option(metavar="GAME", help="A game's name, as `pitboss games` lists it.")],
    rounds: Annotated[int, typer.Option(metavar="N", help="How many rounds, a shoe each.")] = 1000,
    decks: Decks = None,
    key: Key = None,
    block: Annotated[int, typer.Option(metavar="N", help="The block of the first round.")] = 1,
    form: Annotated[
        Literal["cards", "bytes"],
        typer.Option("--format", help="A line of cards for each shoe, or a byte for each card."),
    ] = "cards",
    as_json: AsJson = False,
) -> None:
    """Write the shoes of rounds as the live door deals them, and tell their SHA-256."""
    raise typer.Exit(streams.write_deals(output, game, rounds, decks, key, block, form == "bytes", as_json=as_json))


@rng_group.command(
    epilog=example(
        "rng report --rounds 10000 --bytes 4194304 --no-programs "
        "--key 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    )
)
def report(
    key: Key = None,
    block: Annotated[int, typer.Option(metavar="N", help="The block of raw words; rounds take those after it.")] = 0,
    rounds: Annotated[int, typer.Option(metavar="N", help="How many rounds of each deck.")] = 1_000_000,
    length: Annotated[int, typer.Option("--bytes", metavar="N", help="How many bytes of raw words.")] = 1 << 24,
    programs: Annotated[
        bool, typer.Option("--programs/--no-programs", help="Also run ent and dieharder where installed.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Run the battery on raw words, shuffles and hands of all games, with 99 % confidence for all tests together."""
    raise typer.Exit(reports.show_report(key, block, rounds, length, programs, as_json=as_json))


@rng_group.command(epilog=example("rng health --json"))
def health(as_json: AsJson = False) -> None:
    """Try the known answers of the generator, and say whether dealing is locked."""
    raise typer.Exit(streams.show_health(as_json=as_json))


@rng_group.command(epilog=example("rng reset --by 'Ada Byron' --reason 'memory replaced'"))
def reset(
    by: Annotated[str, typer.Option(metavar="NAME", help="Who opens the lock.")],
    reason: Annotated[str, typer.Option(metavar="WHY", help="What was found and done.")],
) -> None:
    """Open the lock on dealing, in a person's name; it stays closed while the known answers fail."""
    raise typer.Exit(streams.reset_lock(by, reason))
