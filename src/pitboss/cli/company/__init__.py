"""The commands of a company with many rooms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import ListedCommands, app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.company import run
else:
    (run,) = deferred(__name__, "run")

company = typer.Typer(
    cls=ListedCommands, help="Many rooms on one page, which reads them and changes nothing.", no_args_is_help=True
)
app.add_typer(company, name="company")


@company.command(epilog=example("company serve company.toml"))
def serve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The company's rooms; see docs/company.md.")],
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes one that is free.")] = 8100,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate, to be reached from elsewhere by HTTPS.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
) -> None:
    """Serve the page of a company: meters, hits, exposure, exceptions, health, and hits against exact theory."""
    raise typer.Exit(run.serve(file, host, port, certificate, key))


@company.command(epilog=example("company password company.toml"))
def password(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The company's file, which names that of the password.")],
) -> None:
    """Set the password of the company's page; it is asked for, and only its hash is kept."""
    raise typer.Exit(run.password(file))
