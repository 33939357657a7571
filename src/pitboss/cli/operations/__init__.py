"""The commands that look after an installation, declared; each loads what it needs when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import AsJson, Data, app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.operations import care
else:
    (care,) = deferred(__name__, "care")

Host = Annotated[str, typer.Option(help="The address that the server listens on.")]
Port = Annotated[int, typer.Option(help="Its port.")]
Certificate = Annotated[Path | None, typer.Option(metavar="FILE", help="Its certificate.")]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help="The key of its certificate.")]
BehindProxy = Annotated[bool, typer.Option("--behind-proxy", help="A proxy in front speaks HTTPS.")]
Proxy = Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="That proxy. May be repeated.")]
Public = Annotated[str, typer.Option(metavar="URL", help="The address that people type.")]
Backups = Annotated[Path | None, typer.Option(metavar="DIR", help="Where backups go: the newest must be of today.")]
Service = Annotated[str, typer.Option(metavar="UNIT", help="The service that is stopped and started; '' for none.")]
NewBackup = Annotated[
    Path | None, typer.Option("--backup", metavar="FILE", help="The backup of before; beside DIR if left out.")
]


@app.command(epilog=example("doctor room"))
def doctor(
    path: Data,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    certificate: Certificate = None,
    key: Key = None,
    behind_proxy: BehindProxy = False,
    proxy: Proxy = None,
    public: Public = "",
    backups: Backups = None,
    as_json: AsJson = False,
) -> None:
    """Look for what is wrong with a room, its service and this computer, and name what fixes it; changes nothing."""
    context = care.context_of(path, host, port, certificate, key, proxy, public, backups, behind_proxy=behind_proxy)
    raise typer.Exit(care.run_doctor(context, as_json=as_json))


@app.command("support-bundle", epilog=example("support-bundle room -o bundle.tar.gz"))
def support_bundle(
    path: Data,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A file that does not exist yet.")],
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="A log; the service's own if left out.")] = None,
    service: Service = "pitboss",
    host: Host = "127.0.0.1",
    port: Port = 8000,
    certificate: Certificate = None,
    key: Key = None,
    behind_proxy: BehindProxy = False,
    proxy: Proxy = None,
    public: Public = "",
    backups: Backups = None,
) -> None:
    """Pack what support needs: versions, settings, the doctor's report, counts, the log; no secrets, no names."""
    context = care.context_of(path, host, port, certificate, key, proxy, public, backups, behind_proxy=behind_proxy)
    raise typer.Exit(care.write_bundle(context, output, log, service))


@app.command(epilog=example("upgrade room --check"))
def upgrade(
    path: Data,
    check: Annotated[
        bool, typer.Option("--check", help="Say what would change and how long it takes; no more.")
    ] = False,
    backup: NewBackup = None,
    service: Service = "pitboss",
    as_json: AsJson = False,
) -> None:
    """Bring a room to this version: backup, migrations, a new checkpoint; then this version is the one in use."""
    raise typer.Exit(care.upgrade(path, backup, service, check=check, as_json=as_json))


@app.command(epilog=example("rollback room --check"))
def rollback(
    path: Data,
    check: Annotated[bool, typer.Option("--check", help="Ask the version before whether it could; no more.")] = False,
    program: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The command of the version before, where no installer put it.")
    ] = None,
    backup: NewBackup = None,
    service: Service = "pitboss",
    as_json: AsJson = False,
) -> None:
    """Go back to the version before, if it reads everything that was written since; else nothing is changed."""
    raise typer.Exit(care.rollback(path, program, backup, service, check=check, as_json=as_json))
