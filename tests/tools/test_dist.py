"""`make dist`: the same bytes twice, a bill of materials, hashes and a signature that the installer verifies; the unit.

`test_offline.py` makes and installs a whole release in a Debian without a network; here are its parts, of small wheels.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tools.offline.__main__ import lay_out
from tools.offline.archive import build_package, pack
from tools.offline.wheels import needed, part_of_lock, read_wheel

from tests.programs import program

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "tools" / "offline" / "pitboss.service"
EPOCH = 1_795_000_000


def make_wheel(folder: Path, name: str, version: str, *lines: str) -> Path:
    file = folder / f"{name}-{version}-py3-none-any.whl"
    metadata = "\n".join(["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}", *lines, "", ""])
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/METADATA"), metadata)
    return file


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "signing.key"
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file.write_bytes(Ed25519PrivateKey.generate().private_bytes(serialization.Encoding.PEM, form, plain))
    return file


@pytest.fixture
def release(tmp_path: Path, key: Path) -> Path:
    store = tmp_path / "store"
    store.mkdir()
    files = [
        make_wheel(store, "pitboss", "1.2.3", "License-Expression: Apache-2.0", "Requires-Dist: alpha>=1"),
        make_wheel(store, "alpha", "1.0", "Classifier: License :: OSI Approved :: MIT License", 'Requires-Dist: beta; extra == "more"'),
        make_wheel(store, "beta", "2.0", "License: BSD\n  and more"),
        make_wheel(store, "pip", "3.0"),
    ]  # fmt: skip
    wheels = {wheel.name: wheel for wheel in map(read_wheel, files)}
    folder = tmp_path / "pitboss-1.2.3-linux"
    lay_out(needed(wheels, "pitboss"), wheels["pip"], folder, "1.2.3", key, EPOCH)
    return folder


def verify(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(folder / "install.sh"), "--verify", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own script


def test_a_release_holds_what_is_needed_and_says_so_in_its_bill_of_materials(release: Path) -> None:
    names = sorted(file.name for file in (release / "wheels").iterdir())
    assert ["alpha-1.0-py3-none-any.whl", "pip-3.0-py3-none-any.whl", "pitboss-1.2.3-py3-none-any.whl"] == names
    bill = json.loads((release / "sbom.cdx.json").read_text())
    assert ("CycloneDX", "1.5", "pitboss", "1.2.3") == (
        bill["bomFormat"],
        bill["specVersion"],
        bill["metadata"]["component"]["name"],
        bill["metadata"]["component"]["version"],
    )
    alpha = next(component for component in bill["components"] if component["name"] == "alpha")
    hashed = sha256((release / "wheels" / "alpha-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    assert alpha["hashes"] == [{"alg": "SHA-256", "content": hashed}]
    assert alpha["licenses"] == [{"license": {"name": "MIT License"}}]
    assert f"alpha==1.0 --hash=sha256:{hashed}\n" in (release / "requirements.txt").read_text()
    assert "@" not in (release / "install.sh").read_text().replace('"$@"', "").partition("set -eu")[2]


def test_what_postgresql_and_mqtt_need_is_in_a_release_and_what_other_extras_need_is_not(tmp_path: Path) -> None:
    """A computer without a network can't fetch an extra later."""
    files = [
        make_wheel(tmp_path, "pitboss", "1.2.3", 'Requires-Dist: base[fast]; extra == "postgres"', 'Requires-Dist: line; extra == "mqtt"', 'Requires-Dist: many; extra == "cluster"'),
        make_wheel(tmp_path, "base", "1.0", 'Requires-Dist: base-fast; extra == "fast"', 'Requires-Dist: base-slow; extra == "slow"'),
        make_wheel(tmp_path, "base_fast", "1.0"),
        make_wheel(tmp_path, "line", "1.0"),
    ]  # fmt: skip
    wheels = {wheel.name: wheel for wheel in map(read_wheel, files)}

    assert ["base", "base-fast", "line", "pitboss"] == [wheel.name for wheel in needed(wheels, "pitboss")]


def test_the_lock_has_what_the_extras_of_a_release_need_by_their_hashes() -> None:
    text = part_of_lock(ROOT)

    assert {"psycopg", "psycopg-binary", "paho-mqtt"} == {
        line.partition("==")[0] for line in text.splitlines() if "==" in line
    }
    assert text.count("==") <= text.count("--hash=sha256:")


def test_made_twice_archive_and_package_are_the_same_bytes(release: Path, tmp_path: Path) -> None:
    again = tmp_path / "again" / release.name
    shutil.copytree(release, again, copy_function=shutil.copyfile)
    for folder, name in ((release, "one"), (again, "two")):
        pack(folder, tmp_path / f"{name}.tar.gz", EPOCH)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        members = archive.getmembers()
        assert {("", 0, EPOCH)} == {(member.uname, member.uid, member.mtime) for member in members}
    program("dpkg-deb")
    for folder, name in ((release, "one"), (again, "two")):
        work = tmp_path / name
        work.mkdir()
        assert build_package(folder, tmp_path / f"{name}.deb", "1.2.3", "python3.11", EPOCH, work)
    assert (tmp_path / "one.deb").read_bytes() == (tmp_path / "two.deb").read_bytes()


def test_the_installer_verifies_hashes_and_signature_and_installs_nothing_else(release: Path, tmp_path: Path) -> None:
    program("openssl")
    assert verify(release).returncode == 0
    public = tmp_path / "paper.pub"
    shutil.copy(release / "signing.pub", public)
    assert verify(release, "--key", str(public)).returncode == 0

    other = Ed25519PrivateKey.generate().public_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    public.write_bytes(other.public_bytes(serialization.Encoding.PEM, form))
    refused = verify(release, "--key", str(public))
    assert (1, True) == (refused.returncode, "is not signed by" in refused.stderr)


@pytest.mark.parametrize("part", ["wheels/alpha-1.0-py3-none-any.whl", "requirements.txt", "install.sh", "manifest.json", "SHA256SUMS"])  # fmt: skip
def test_one_byte_more_in_any_file_is_refused(part: str, release: Path) -> None:
    program("openssl")
    with (release / part).open("a") as stream:
        stream.write("\n")

    assert verify(release).returncode == 1


def test_a_wheel_that_is_not_of_the_release_is_refused(release: Path) -> None:
    make_wheel(release / "wheels", "alpha", "9.0")

    refused = verify(release)

    assert (1, True) == (refused.returncode, "wheels that are not of the release" in refused.stderr)


def test_the_unit_is_sandboxed(tmp_path: Path) -> None:
    """Issue 21: `systemd-analyze security` at most 2.0, `systemd-analyze verify` clean."""
    analyze = program("systemd-analyze")
    unit = tmp_path / "pitboss.service"
    # The command of the unit is not installed here.
    text = UNIT.read_text(encoding="utf-8").replace("/opt/pitboss/current/bin/pitboss", sys.executable)
    unit.write_text(text.replace("User=pitboss\nGroup=pitboss", "User=daemon\nGroup=daemon"), encoding="utf-8")
    verified = subprocess.run([analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)  # noqa: S603
    assert (0, "") == (verified.returncode, verified.stderr)

    rated = subprocess.run([analyze, "security", "--offline=true", "--threshold=20", str(unit)], capture_output=True, text=True, check=False)  # noqa: S603  # fmt: skip
    assert rated.returncode == 0, rated.stdout[-200:]
    assert {"Type=notify", "WatchdogSec=60", "StateDirectory=pitboss", "NoNewPrivileges=yes"} <= set(text.splitlines())
