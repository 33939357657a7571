"""The command that serves a room in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.app import app, deferred, example

if TYPE_CHECKING:
    from pitboss.cli.server import run, settings
else:
    run, settings = deferred(__name__, "run", "settings")


def _variable(name: str) -> str:
    """The environment variable that sets an option where neither it nor a file does."""
    return f"PITBOSS_{name}"


def _read_settings(context: typer.Context, file: Path | None) -> Path | None:
    """Take the file's settings as defaults, before the other options are read."""
    if not context.resilient_parsing:
        context.default_map = settings.defaults_of(file, context)
    return file


Certificate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", envvar=_variable("CERTIFICATE"), help="A certificate, to be reached from elsewhere by HTTPS."
    ),
]
BehindProxy = Annotated[
    bool,
    typer.Option(
        "--behind-proxy", envvar=_variable("BEHIND_PROXY"), help="A proxy in front speaks HTTPS with the browsers."
    ),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        envvar=_variable("PROXY"),
        help="A proxy that is believed about whom it asks for. May be repeated.",
    ),
]
Public = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar=_variable("PUBLIC"),
        help="The address people type; behind a proxy its host alone is answered.",
    ),
]
TwoStep = Annotated[
    list[str] | None,
    typer.Option(
        "--two-step",
        metavar="ROLE",
        envvar=_variable("TWO_STEP"),
        help="A role whose people sign in in two steps. May be repeated.",
    ),
]
DiskFloor = Annotated[
    int,
    typer.Option(
        metavar="MB", envvar=_variable("DISK_FLOOR"), help="With less free disk than this /readyz answers 503."
    ),
]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        envvar=_variable("SETTINGS"),
        is_eager=True,
        callback=_read_settings,
        help="A TOML file with these options by name; what is typed or in the environment wins.",
    ),
]


@app.command(epilog=example("serve --data room"))
def serve(
    context: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            envvar=_variable("DATA"),
            help="The room's data directory; a new or empty one becomes a new room, set up in the browser.",
        ),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="A demo room that plays by itself; made in DIR, or in the user's data folder."),
    ] = False,
    host: Annotated[str, typer.Option(envvar=_variable("HOST"), help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar=_variable("PORT"), help="The port to listen on; 0 takes one that is free.")
    ] = 8000,
    certificate: Certificate = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", envvar=_variable("KEY"), help="The key of the certificate.")
    ] = None,
    behind_proxy: BehindProxy = False,
    proxy: Proxies = None,
    public: Public = "",
    second_factor: TwoStep = None,
    disk_floor: DiskFloor = 500,
    log: Annotated[
        str, typer.Option(metavar="text|json", envvar=_variable("LOG"), help="json writes a line for each request.")
    ] = "text",
    mqtt: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar=_variable("MQTT"),
            help="A broker by which devices speak too, such as mqtts://pitboss@broker.example.",
        ),
    ] = "",
    mqtt_password: Annotated[
        Path | None,
        typer.Option(metavar="FILE", envvar=_variable("MQTT_PASSWORD"), help="The server's password at the broker."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser when the server is ready.")] = False,
    parts: Annotated[
        bool, typer.Option("--parts", help="Also show each part of the pages in all its states, at /parts.")
    ] = False,
    settings_file: SettingsFile = None,  # noqa: ARG001 - read before the others, by its callback
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print every setting and where it comes from, and serve nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --show-settings: print JSON.")] = False,
) -> None:
    """Serve a room in a browser: pages, the live stream and the HTTP API."""
    if show_settings:
        settings.show_settings(context, as_json=as_json)
        return
    raise typer.Exit(
        run.serve_room(
            data, host, port, certificate, key, proxy, behind_proxy=behind_proxy, demo=demo, parts=parts,
            open_browser=open_browser, public=public, second_factor=second_factor, disk_floor=disk_floor, log=log,
            mqtt=mqtt, mqtt_password=mqtt_password,
        )
    )  # fmt: skip


@app.command(epilog=example("monitoring --list"))
def monitoring(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="Where the files are written.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the files there are.")] = False,
) -> None:
    """Write the alert rules for Prometheus and the dashboard for Grafana into a folder."""
    raise typer.Exit(settings.write_monitoring(None if list_all else folder))
