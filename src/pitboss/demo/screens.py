"""The screens of the demo room: read what they must show off the server, and say every few seconds that they do.

A jackpot whose displays are silent is suspended (T-04, T-05); these stand for the monitors over the tables.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import urllib.request
from collections.abc import Mapping
from typing import Any

TOKENS = "PITBOSS_DEMO_SCREENS"
"""The name of the variable with the tokens, as JSON: by table that of its screen."""
_SECONDS = 5
_TIMEOUT_SECONDS = 10


def _asked(address: str, path: str, token: str = "", said: Any = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = None if said is None else json.dumps(said).encode()
    asked = urllib.request.Request(f"{address}/api/v1{path}", body, headers)  # noqa: S310 - our own server
    with urllib.request.urlopen(asked, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
        return json.loads(answer.read())


def beat_once(address: str, tokens: Mapping[str, str]) -> None:
    """Let every screen say what it shows."""
    jackpots = _asked(address, "/room")["jackpots"]
    for table, token in tokens.items():
        amounts = {each["name"]: each["displayed_cents"] for each in jackpots if table in each["tables"]}
        _asked(address, "/displays/beat", token, {"amounts": amounts})


def main() -> None:
    """Go on until the process is ended; a server that does not answer is asked again."""
    address, tokens = sys.argv[1], json.loads(os.environ[TOKENS])
    wait = threading.Event().wait
    while True:
        try:
            beat_once(address, tokens)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{error}\n")
            sys.stderr.flush()
        wait(_SECONDS)


if __name__ == "__main__":
    main()
