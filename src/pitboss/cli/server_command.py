"""`pitboss serve`: the card room in a browser."""

from __future__ import annotations

from pathlib import Path

from pitboss.cli.books_source import explaining
from pitboss.server.serving import serve
from pitboss.server.settings import Listening

__all__ = ["serve_room"]

_HERE = ("127.0.0.1", "::1")


@explaining
def serve_room(
    data: Path,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    proxies: list[str] | None,
    *,
    behind_proxy: bool,
) -> int:
    """Serve the room of a data directory until it is ended."""
    listening = Listening(
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        behind_proxy=behind_proxy,
        proxies=tuple(proxies or _HERE),
    )
    serve(data, listening, lambda line: print(line, flush=True))
    return 0
