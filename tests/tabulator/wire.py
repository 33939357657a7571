"""A tiny HTTP server around the door of devices: what a server's endpoint does, with tokens, for the tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Receive = Callable[..., dict[str, Any]]


def _handler(receive: Receive, tokens: Mapping[str, str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            device = tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
            if device is None:
                self.send_error(401)
                return
            reply = json.dumps(receive(body, device=device)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has there
            """Say nothing."""

    return Handler


@contextmanager
def served(receive: Receive, tokens: Mapping[str, str]) -> Iterator[str]:
    """Serve the door on a port of its own; give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(receive, tokens))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/devices"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
