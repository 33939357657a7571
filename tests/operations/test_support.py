"""`pitboss support-bundle`: what support needs, and nothing that was planted as a secret anywhere (issue 21)."""

from __future__ import annotations

import json
import shutil
import stat
import tarfile
from pathlib import Path

import pytest

from pitboss.operations.support import redact
from pitboss.room.hit_index import WINNERS
from pitboss.room.people.people import PEOPLE
from pitboss.room.people.vault import Vault
from pitboss.room.room import Room
from tests.cli.running import run

# The same rooms as those of the doctor.
pytestmark = pytest.mark.xdist_group("operations")
TOKEN = "kV3xQ9_bT7-pLm2RzY8wNc4HsJd6FgA0uEiOv1KtXqM"  # noqa: S105 - planted
SECRETS = (TOKEN, "a-horse-a-kingdom", "4711", "JBSWY3DPEHPK3PXP", "dbpassword", "db.internal.example", "078-05-1120")
LOG = f"""2026-11-18T20:40:46 pitboss[1]: Set the administrator password (one-time link): http://127.0.0.1:8000/links/{TOKEN}
2026-11-18T20:40:47 pitboss[1]: sign-in of {{login}} refused: password a-horse-a-kingdom
2026-11-18T20:40:47 pitboss[1]: Authorization: Bearer {TOKEN}
2026-11-18T20:40:48 pitboss[1]: PIN 4711 of {{name}} at table 4
2026-11-18T20:40:48 pitboss[1]: {{winner}} was paid, SSN 078-05-1120; {{lastname}} was content
2026-11-18T20:40:48 pitboss[1]: cannot reach postgresql://pit:dbpassword@db
2026-11-18T20:40:49 pitboss[1]: cookie={TOKEN}; token {TOKEN}
2026-11-18T20:40:50 pitboss[1]: sqlite3.OperationalError: disk I/O error in books/store/base.py line 412
"""


def test_planted_secrets_names_of_winners_and_tokens_are_in_no_bundle(worked: Path, tmp_path: Path) -> None:
    path = shutil.copytree(worked, tmp_path / "room")
    vault = Vault(path)
    vault.seal_secret("ada", "totp", "JBSWY3DPEHPK3PXP")
    vault.put_secret("ada", "token", TOKEN)
    vault.close()
    (path / "signs.toml").write_text(f'[[sign]]\nname = "{TOKEN}"\ncommand = ["/no/{TOKEN}", "a-horse-a-kingdom"]\n')
    (path / "signs.toml").chmod(0o600)
    (path / f"{TOKEN}.key").write_text("a-horse-a-kingdom")
    (path / "heads.toml").write_text(f'keys = ["{TOKEN}.key"]\ndirectory = "/mnt/{TOKEN}"\n')
    with Room(path) as room:
        winner = next(name for names in room.state.of(WINNERS).values() for name in names)
        people = list(room.state.of(PEOPLE).people.values())
    last = winner.split()[-1]
    log = tmp_path / "pitboss.log"
    text = LOG.format(login=people[0].login, name=people[1].name, winner=winner, lastname=last)
    log.write_text(text, encoding="utf-8")
    assert winner in text

    result = run(f"support-bundle {path} -o {tmp_path / 'bundle.tar.gz'} --log {log} --port 0")

    assert result.exit_code == 0, result.output
    with tarfile.open(tmp_path / "bundle.tar.gz") as archive:
        contents = {Path(member.name).name: archive.extractfile(member).read().decode() for member in archive}  # type: ignore[union-attr]
    whole = "\n".join(contents.values())
    names = [part for person in people for part in person.name.split()]
    assert [] == [secret for secret in (*SECRETS, winner, last, *names) if secret in whole]
    assert "sqlite3.OperationalError: disk I/O error in books/store/base.py line 412" in contents["log.txt"]
    assert {"doctor.json", "entries.json", "files.json", "log.txt", "settings.json", "versions.json"} == set(contents)
    entries = json.loads(contents["entries.json"])
    assert entries["schema"] == "0001"
    assert entries["books"]["room"]["sequence"] == sum(entries["books"]["room"]["kinds"].values()) > 800
    assert json.loads(contents["settings.json"])["signs"] == 1
    assert json.loads(contents["versions.json"])["packages"]["numba"]
    assert json.loads(contents["doctor.json"])["checks"] > 30
    assert stat.S_IMODE((tmp_path / "bundle.tar.gz").stat().st_mode) == 0o600


def test_a_bundle_is_never_written_over_a_file(worked: Path, tmp_path: Path) -> None:
    file = tmp_path / "bundle.tar.gz"
    file.write_text("mine")

    result = run(f"support-bundle {worked} -o {file} --port 0")

    assert (2, "mine") == (result.exit_code, file.read_text())


@pytest.mark.parametrize("what", ["nothing", "a file"])
def test_of_a_directory_that_is_not_there_no_bundle_is_made(what: str, tmp_path: Path) -> None:
    path, bundle = tmp_path / "room", tmp_path / "bundle.tar.gz"
    if what == "a file":
        path.touch()

    result = run(f"support-bundle {path} -o {bundle} --port 0")

    assert (2, False) == (result.exit_code, bundle.exists())
    assert f"there is no directory {path}" == " ".join(result.output.split())


def test_where_the_books_cannot_be_read_the_log_stays_out(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("Maria Lopez was paid")
    (tmp_path / "room").mkdir()

    result = run(f"support-bundle {tmp_path / 'room'} -o {tmp_path / 'b.tar.gz'} --log {tmp_path / 'log'} --port 0")

    assert result.exit_code == 0, result.output
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        log = archive.extractfile("pitboss-support/log.txt")
        assert log is not None
        assert b"Maria" not in log.read()


@pytest.mark.parametrize(
    "connection",
    [
        "host=db.north.example port=5432 user=northuser dbname=northbooks",
        "hostaddr=127.0.0.9 port=1 user=northuser dbname=northbooks connect_timeout=2",
        "postgresql://northuser@db.north.example/northbooks",
    ],
)
def test_where_the_database_of_a_room_is_stands_in_no_bundle(connection: str, tmp_path: Path) -> None:
    """Seen: of a database that did not answer its address stood in the doctor's report and beside the entries."""
    pytest.importorskip("psycopg")
    room = tmp_path / "room"
    room.mkdir(mode=0o700)
    (room / "store.toml").write_text(f'store = "postgresql"\nconnection = "{connection}"\n')

    result = run(f"support-bundle {room} -o {tmp_path / 'b.tar.gz'} --port 0")

    assert result.exit_code == 0, result.output
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        texts = [archive.extractfile(member).read().decode() for member in archive]  # type: ignore[union-attr]
    assert [] == [word for word in ("northuser", "northbooks", "north.example", "127.0.0.9") if word in "".join(texts)]
    assert "cannot open the books" in "".join(texts)


@pytest.mark.parametrize(
    ("text", "names", "redacted"),
    [
        ("paid to Li Wu at table 4", ["Li Wu"], "paid to [removed] at table 4"),
        ("MARIA was paid, marias too", ["Maria Lopez"], "[removed] was paid, marias too"),
        ("mail to a.b@example.com now", [], "mail to [removed] now"),
        ("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nrest", [], "[removed]\nrest"),
        ("entry 12345 of book room", [], "entry 12345 of book room"),
        (
            r'"message": "Jos\u00e9 N\u00fa\u00f1ez was paid"',
            ["José Núñez"],
            '"message": "[removed] [removed] was paid"',
        ),
        (
            'connection to server at "db.house" (10.1.2.3), port 5432 failed',
            [],
            "connection to [removed], port 5432 failed",
        ),
        (
            'no entry for host "10.1.2.3", user "pit", database "north"',
            [],
            "no entry for [removed], [removed], [removed]",
        ),
    ],
)
def test_what_is_left_out_of_a_log(text: str, names: list[str], redacted: str) -> None:
    assert redacted == redact(text, names)
