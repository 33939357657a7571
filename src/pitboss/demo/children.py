"""The devices and screens of the demo as processes of their own, which end with the one that started them.

A process that is killed cannot end its children; but its end of their pipe is closed then, and they end themselves.
This module runs in each of them, and so imports nothing that takes long.
"""

import json
import os
import runpy
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SPEED, _ROUNDS = 4, 1_000_000
"""Rounds go by four times as fast as people deal, so that somebody who looks in sees meters move."""
_SECONDS_TO_END = 5
_DEVICE_TOKEN = "PITBOSS_DEVICE_TOKEN"  # noqa: S105 - the name of a variable
_SCREENS = "screens"
_SCREEN_TOKENS = "PITBOSS_DEMO_SCREENS"
"""The name of the variable with the tokens, as JSON: by table that of its screen."""
_BEAT_SECONDS, _TIMEOUT_SECONDS = 5, 10


class Children:
    """Processes that were started, ended together; each writes to a log in the folder of the demo."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, variables: Mapping[str, str], *arguments: str) -> None:
        """Start this module, tied to this process; its output goes to a file."""
        with (self.folder / f"{name}.log").open("ab") as file:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "pitboss.demo.children", *arguments],
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=file,
                env={**os.environ, **variables},
                # Ctrl-C is for the server, which then ends its children.
                start_new_session=True,
            )
        self.processes.append(process)

    def start_device(self, device: str, address: str, token: str, options: Mapping[str, object]) -> None:
        """Start a device: `pitboss device`, as any maker of devices would try a server."""
        fixed = {"--rounds": _ROUNDS, "--speed": _SPEED, "--buffer": self.folder / f"{device}.buffer"}
        arguments = [str(part) for option in {"--device": device, **options, **fixed}.items() for part in option]
        url = f"{address}/api/v1/devices/messages"
        self.start(device, {_DEVICE_TOKEN: token}, "pitboss", "device", url, *arguments)

    def start_screens(self, address: str, tokens: Mapping[str, str]) -> None:
        """Start the screens: by table the token of each."""
        self.start(_SCREENS, {_SCREEN_TOKENS: json.dumps(dict(tokens))}, _SCREENS, address)

    def end(self) -> None:
        """End all of them, and wait until they have."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in self.processes:
            try:
                process.wait(_SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _request(address: str, path: str, token: str = "", payload: Any = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    body = None if payload is None else json.dumps(payload).encode()
    request = urllib.request.Request(f"{address}/api/v1{path}", body, headers)  # noqa: S310 - our own server
    with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
        return json.loads(answer.read())


def _beat_once(address: str, tokens: Mapping[str, str]) -> None:
    """Send for every screen the amounts that it shows, as the server has them."""
    jackpots = _request(address, "/room")["jackpots"]
    for table, token in tokens.items():
        amounts = {row["name"]: row["displayed_cents"] for row in jackpots if table in row["tables"]}
        _request(address, "/displays/beat", token, {"amounts": amounts})


def _run_screens(address: str) -> None:
    """Stand for the monitors over the tables: a jackpot whose displays are silent is suspended (T-04, T-05)."""
    tokens = json.loads(os.environ[_SCREEN_TOKENS])
    wait = threading.Event().wait
    while True:
        try:
            _beat_once(address, tokens)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{error}\n")
            sys.stderr.flush()
        wait(_BEAT_SECONDS)


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)


def main() -> None:
    """Run the screens, or the module that is named first with the arguments after it, until standard input ends."""
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.argv = sys.argv[1:]
    if sys.argv[0] == _SCREENS:
        _run_screens(sys.argv[1])
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
