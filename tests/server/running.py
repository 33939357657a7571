"""A real server in a process of its own, on a free port."""

from __future__ import annotations

import datetime
import ipaddress
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.making import PASSWORD

# At its end the process tells which of these it has loaded, after whatever was asked of it.
FORBIDDEN = ("numba", "matplotlib", "alembic", "sqlalchemy", "llvmlite", "typst")
_PROGRAM = f"""
import atexit, sys
atexit.register(lambda: print("loaded:", *(name for name in {FORBIDDEN!r} if name in sys.modules), flush=True))
import pitboss.room.room
from tests.clocks import watch_of_tests
pitboss.room.room._clock_watch = watch_of_tests
from pitboss.cli.main import main
main()
"""
_WAIT = 60


class Running:
    """A server that runs, and what it has printed so far."""

    def __init__(self, path: Path, *options: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", _PROGRAM, "serve", "--data", str(path), "--port", "0", *options],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        self.clients: list[httpx2.Client] = []
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        found = re.findall(r"https?://[^/\s]+", self.first)
        assert found, self.first
        self.address = found[-1]

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def client(self, login: str | None = None) -> httpx2.Client:
        client = httpx2.Client(base_url=self.address, timeout=_WAIT)
        self.clients.append(client)
        if login is not None:
            answer = client.post("/sign-in", data={"login": login, "password": PASSWORD})
            assert answer.status_code == 303, answer.text
            client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
        return client

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it, and give its exit code and what it printed besides where its data is and that it has stopped."""
        self.process.send_signal(how)
        self.rest, _ = self.process.communicate(timeout=_WAIT)
        lines = self.rest.splitlines(keepends=True)
        # A line that was read in part before leaves its end, an empty one.
        rest = [line for line in lines if line.strip() and not line.startswith(("Data: ", "Stopped. "))]
        return self.process.returncode, "".join(rest)


@contextmanager
def running(path: Path, *options: str) -> Iterator[Running]:
    found = Running(path, *options)
    try:
        yield found
    finally:
        for client in found.clients:
            client.close()
        # Its worker too, which may be computing and holds what is printed open.
        with suppress(ProcessLookupError):
            os.killpg(found.process.pid, signal.SIGKILL)
        found.process.communicate()


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate that signs itself, for this computer, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    key_file.touch(mode=0o600)
    key_file.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return certificate_file, key_file
