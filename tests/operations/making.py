"""Rooms and computers for the tests of the doctor: healthy ones, and what can be planted in them."""

from __future__ import annotations

import datetime
import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pitboss.books import EPOCH, Projection
from pitboss.books.audit.backup import restore
from pitboss.books.store.migrate import create_books
from pitboss.installation import Installation
from pitboss.operations.doctor import DoctorContext
from pitboss.operations.system import DiskSpace, Memory, System
from pitboss.papers.posting import review_papers
from pitboss.room.room import Room
from pitboss.server.settings import make_private
from tests.books.making import settings

ROOT = Path(__file__).parents[2]
SECOND, HOUR = 1_000_000, 3_600_000_000


class HealthySystem(System):
    """A computer that is as it should be, whatever the one is like that the tests run on."""

    def is_clock_synchronized(self) -> bool | None:
        return True

    def disk(self, folder: Path) -> DiskSpace:
        return DiskSpace(1 << 40, 2 << 40, 1 << 20, 2 << 20, is_read_only=False, kind="ext4")

    def zone(self) -> str:
        return "America/Los_Angeles"

    def encoding(self) -> str:
        return "UTF-8"

    def file_limit(self) -> int:
        return 1 << 20

    def memory(self) -> Memory | None:
        return Memory(8 << 30, 1 << 30, 1 << 30)

    def program(self, *names: str) -> str | None:
        return "/usr/bin/chromium"

    def port_problem(self, host: str, port: int) -> str:
        return ""

    def resolves(self, host: str) -> bool:
        return True

    def connects(self, host: str, port: int) -> bool:
        return True

    def installation(self) -> Installation:
        return Installation("0.0.0", "00", 1, is_built=True)


def computer(**answers: Any) -> System:
    """A healthy computer but for what is named."""

    def answering(value: Any) -> Any:
        return lambda _self, *_: value

    kind = type("PlantedSystem", (HealthySystem,), {name: answering(value) for name, value in answers.items()})
    system: System = kind()
    return system


def fresh_room(path: Path) -> Path:
    """A room that was made today."""
    create_books(path, settings(), person="Ada")
    make_private(path)
    return path


def worked_room(path: Path) -> Path:
    """A room with tables, jackpots, people and a day of play, whose displays and devices have since been silent."""
    backup = path.with_name("worked.backup")
    backup.write_bytes(gzip.decompress((ROOT / "tests" / "room" / "before-0.2.backup.gz").read_bytes()))
    restore(backup, path, person="Ada King", reason="a test of the doctor", without_head="it is a test")
    now = [0]
    with Room(path, clock=lambda: now[0]) as room:
        now[0] = room.state.recorded + SECOND
        for _ in range(2):
            now[0] += 40 * SECOND
            room.look_after()
            review_papers(room)
    make_private(path)
    return path


def with_part(context: DoctorContext, projection: Projection[Any], value: Any) -> None:
    """Give the room of a context another part of its state, such as no command makes."""
    state = context.state
    vars(context)["state"] = replace(state, parts={**state.parts, projection.name: value})


def certify(
    folder: Path, *, host: str = "pitboss.example", days: int = 365, since: int = 1, key: Path | None = None
) -> tuple[Path, Path]:
    """Make a certificate that begins some days ago and ends in some days, and its key."""
    private, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(tz=datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    builder = x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(days=since))
    builder = builder.not_valid_after(now + datetime.timedelta(days=days))
    names = x509.SubjectAlternativeName([x509.DNSName(host)])
    made = builder.add_extension(names, critical=False).sign(private, hashes.SHA256())
    certificate, file = folder / "room.crt", key or folder / "room.key"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    file.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    file.chmod(0o600)
    return certificate, file


def days_after(instant: int, days: float) -> int:
    """An instant some days later."""
    later = EPOCH + datetime.timedelta(microseconds=instant) + datetime.timedelta(days=days)
    return (later - EPOCH) // datetime.timedelta(microseconds=1)
