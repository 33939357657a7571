"""The devices and screens of the demo as processes of their own, which end with the one that started them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from pitboss.demo.places import folder_of
from pitboss.demo.room import DemoTable
from pitboss.demo.screens import TOKENS

_SPEED, _ROUNDS = 4, 1_000_000
"""Rounds go by four times as fast as people deal, so that somebody who looks in sees meters move."""
_SECONDS_TO_END = 5
_DEVICE_TOKEN = "PITBOSS_DEVICE_TOKEN"  # noqa: S105 - the name of a variable


class Children:
    """Processes that were started, ended together."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, log: Path, given: Mapping[str, str], *arguments: str) -> None:
        """Start a module, tied to this process; what it has to say goes to a file."""
        with log.open("ab") as file:
            process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "pitboss.demo.tied", *arguments],
                stdin=subprocess.PIPE,
                stdout=file,
                stderr=file,
                env={**os.environ, **given},
                # Ctrl-C is for the server, which then ends its children.
                start_new_session=True,
            )
        self.processes.append(process)

    def start_device(self, path: Path, table: DemoTable, address: str, token: str) -> None:
        """Start the device of a table: `pitboss device`, as any maker of devices would try a server."""
        folder, setup = folder_of(path), table.setup
        said = {"--device": table.device, "--table": table.name, "--seats": setup.seats, "--rounds": _ROUNDS}
        said |= {"--sensors": len(setup.wagers), "--speed": _SPEED, "--buffer": folder / f"{table.device}.buffer"}
        options = [str(each) for option in said.items() for each in option]
        url = f"{address}/api/v1/devices/messages"
        log = folder / f"{table.device}.log"
        self.start(log, {_DEVICE_TOKEN: token}, "pitboss", "device", url, *options)

    def start_screens(self, path: Path, address: str, tokens: Mapping[str, str]) -> None:
        """Start the screens: by table the token of each."""
        log = folder_of(path) / "screens.log"
        self.start(log, {TOKENS: json.dumps(dict(tokens))}, "pitboss.demo.screens", address)

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
