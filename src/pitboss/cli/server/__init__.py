"""The command that serves a room in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.server import run
else:
    (run,) = deferred(__name__, "run")


@app.command(epilog=example("serve --data room"))
def serve(
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The room's data directory; a new or empty one becomes a new room, set up in the browser.",
        ),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="A demo room that plays by itself; made in DIR, or in the user's data folder."),
    ] = False,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes one that is free.")] = 8000,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate, to be reached from elsewhere by HTTPS.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy in front speaks HTTPS with the browsers.")
    ] = False,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy that is believed about whom it asks for. May be repeated."),
    ] = None,
    public: Annotated[
        str,
        typer.Option(metavar="URL", help="The address people type; behind a proxy its host alone is answered."),
    ] = "",
    second_factor: Annotated[
        list[str] | None,
        typer.Option("--two-step", metavar="ROLE", help="A role whose people sign in in two steps. May be repeated."),
    ] = None,
    mqtt: Annotated[
        str,
        typer.Option(
            metavar="URL", help="A broker by which devices speak too, such as mqtts://pitboss@broker.example."
        ),
    ] = "",
    mqtt_password: Annotated[
        Path | None, typer.Option("--mqtt-password", metavar="FILE", help="The server's password at the broker.")
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser when the server is ready.")] = False,
    parts: Annotated[
        bool, typer.Option("--parts", help="Also show each part of the pages in all its states, at /parts.")
    ] = False,
) -> None:
    """Serve a room in a browser: pages, the live stream and the HTTP API."""
    raise typer.Exit(
        run.serve_room(
            data, host, port, certificate, key, proxy, behind_proxy=behind_proxy, demo=demo, parts=parts,
            open_browser=open_browser, public=public, second_factor=second_factor, mqtt=mqtt,
            mqtt_password=mqtt_password,
        )
    )  # fmt: skip
