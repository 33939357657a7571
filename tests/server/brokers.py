"""A real MQTT broker on a free port of this computer, by the configuration and the ACL that the documentation has."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.docs.console import ROOT
from tests.programs import program

EXAMPLES = ROOT / "examples" / "mosquitto"
SERVER, SERVER_PASSWORD = "pitboss", "the server's own"
_SECONDS = 20


def free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


class Broker:
    """Mosquitto in a process of its own; it can be killed, and started again with what it has saved."""

    def __init__(
        self,
        folder: Path,
        passwords: Mapping[str, str],
        *,
        has_acl: bool = True,
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        self.port, self.folder, self._scheme = free_port(), folder, "mqtt" if certificate is None else "mqtts"
        folder.mkdir(exist_ok=True)
        self._program = program("mosquitto", "/usr/sbin/mosquitto")
        people = {SERVER: SERVER_PASSWORD, **passwords}
        for number, (user, password) in enumerate(people.items()):
            new = ["-c"] if not number else []
            subprocess.run(  # noqa: S603 - a program of the system
                [program("mosquitto_passwd"), *new, "-b", str(folder / "passwords"), user, password], check=True
            )
        text = (EXAMPLES / "mosquitto.conf").read_text(encoding="utf-8")
        text = text.replace("listener 1883", f"listener {self.port}")
        text = text.replace("/etc/mosquitto/pitboss.passwords", str(folder / "passwords"))
        text = text.replace("/etc/mosquitto/pitboss.acl", str(EXAMPLES / "pitboss.acl"))
        text = text.replace("/var/lib/mosquitto/", f"{folder}/")
        lines = [line for line in text.splitlines() if has_acl or not line.startswith("acl_file")]
        if certificate is not None:
            lines += [f"{what} {file}" for what, file in zip(("certfile", "keyfile"), certificate, strict=True)]
        # As root it would become somebody else, who may not read this folder.
        lines += ["user root"] if os.geteuid() == 0 else []
        (folder / "conf").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "password").write_text(SERVER_PASSWORD, encoding="utf-8")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}"

    @property
    def of_server(self) -> str:
        return f"{self._scheme}://{SERVER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(  # noqa: S603 - a program of the system
            [self._program, "-c", str(self.folder / "conf")], stdout=log, stderr=log
        )
        log.close()
        until = time.monotonic() + _SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert time.monotonic() < until, (self.folder / "log").read_text(encoding="utf-8")
                time.sleep(0.02)
            else:
                return

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(_SECONDS)
            self.process = None


@contextmanager
def broker(folder: Path, passwords: Mapping[str, str], **options: Any) -> Iterator[Broker]:
    found = Broker(folder, passwords, **options)
    found.start()
    try:
        yield found
    finally:
        found.end(signal.SIGKILL)
