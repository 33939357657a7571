"""`pitboss serve`: the card room in a browser."""

import os
import sys
from pathlib import Path
from typing import cast

from pitboss.books import RefusedError
from pitboss.cli.books.sources import explaining
from pitboss.cli.output import survive_lost_peers
from pitboss.server.logs import LogFormat
from pitboss.server.run import load_web, without_collecting
from pitboss.server.settings import Listening

_MEGABYTE = 1_000_000
_HERE = ("127.0.0.1", "::1")


@explaining
def serve_room(
    data: Path | None,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    proxies: list[str] | None,
    *,
    behind_proxy: bool,
    demo: bool = False,
    parts: bool = False,
    open_browser: bool = False,
    public: str = "",
    second_factor: list[str] | None = None,
    disk_floor: int = 500,
    log: str = "text",
    mqtt: str = "",
    mqtt_password: Path | None = None,
) -> int:
    """Serve the room of a data directory, or the demo room, until it is ended."""
    listening = Listening(
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        behind_proxy=behind_proxy,
        proxies=tuple(proxies or _HERE),
        parts=parts,
        demo=demo,
        open=open_browser,
        public=public,
        second_factor=tuple(second_factor or ()),
        disk_floor=disk_floor * _MEGABYTE,
        log=cast("LogFormat", log),
        mqtt=mqtt,
        mqtt_password=mqtt_password,
    )
    if data is None and not demo:
        raise RefusedError(["--data: name the room's data directory"])
    survive_lost_peers()
    with without_collecting():
        _serve(data, listening, demo=demo)
    return 0


def _serve(data: Path | None, listening: Listening, *, demo: bool) -> None:
    load_web()
    if demo:
        from pitboss.demo.running import run_demo  # noqa: PLC0415

        run_demo(data, listening, _print)
    elif data is not None:
        from pitboss.server.run import serve  # noqa: PLC0415

        serve(data, listening, _print)


def _print(line: str) -> None:
    """Print a line; where nobody reads any more, print into nothing from now on: a server does not end for it."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
