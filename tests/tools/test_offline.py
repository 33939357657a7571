"""The handbook, typed: every command of docs/operations.md in a Debian without a network, under its own systemd.

A root made by debootstrap is booted in namespaces of its own: nothing but a loopback, nothing of this computer. The release
before and the next one are made from this tree, under two versions. It takes minutes, and needs root and a Debian mirror.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.programs import missing, program

ROOT = Path(__file__).parents[2]
NEXT = "98.7.6"
_PACKAGES = "python3,systemd,systemd-sysv,openssl"
_BOOT = """
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t sysfs sysfs "$1/sys"
mount -t tmpfs tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/dev"
mkdir -p "$1/dev/pts" "$1/dev/shm" "$1/old"
mount -t devpts devpts "$1/dev/pts" -o newinstance,ptmxmode=0666
ln -s pts/ptmx "$1/dev/ptmx"
for line in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
    set -- "$1" $line
    mknod -m 666 "$1/dev/$2" c "$3" "$4"
done
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
cd "$1"
pivot_root . old
umount -l /old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
"""


class Computer:
    """A Debian that runs, and a shell on it."""

    def __init__(self, root: Path, process: int) -> None:
        self.root, self.process = root, process

    def type(self, text: str, *, may_fail: bool = False) -> str:
        command = ["nsenter", "--target", str(self.process), "--all", "sh", "-euc", text]
        done = subprocess.run(  # noqa: S603 - a computer of our own
            command, capture_output=True, text=True, check=False, env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        )  # fmt: skip
        assert may_fail or done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


def make_releases(media: Path) -> None:
    """Put two releases and the public key on a stick."""
    (media / "next").mkdir(parents=True)
    key, work = Ed25519PrivateKey.generate(), media / "work"
    work.mkdir()
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (work / "signing.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    public = serialization.PublicFormat.SubjectPublicKeyInfo
    (media / "signing.pub").write_bytes(key.public_key().public_bytes(serialization.Encoding.PEM, public))
    names = ("src", "tools", "requirements", "pyproject.toml", "README.md", "LICENSE")
    for into, version in ((media, ""), (media / "next", NEXT)):
        tree = work / f"tree{version}"
        tree.mkdir()
        for name in names:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tree / name)
        if version:
            text = (tree / "pyproject.toml").read_text(encoding="utf-8")
            (tree / "pyproject.toml").write_text(re.sub(r'(?m)^version = ".*"', f'version = "{version}"', text))
        command = [sys.executable, "-m", "tools.offline", "--key", str(work / "signing.key"), "--into", str(into)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1795000000"}
        command += ["--downloads", str(work / "downloads")]
        subprocess.run(command, cwd=tree, env=environment, check=True, capture_output=True)  # noqa: S603
    shutil.rmtree(work)


def child_of(process: int) -> int:
    """Return the process that one has started, once it has."""
    for _ in range(600):
        text = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        if text:
            return int(text[0])
        time.sleep(0.1)
    raise AssertionError("nothing was started")


@pytest.fixture(scope="module")
def computer() -> Iterator[Computer]:
    if os.geteuid():
        missing("only root makes a computer of its own")
    debootstrap, unshare = program("debootstrap"), program("unshare")
    # On a disk: it is a gigabyte.
    folder = Path(tempfile.mkdtemp(prefix="pitboss-offline-", dir="/var/tmp"))
    root = folder / "debian"
    made = subprocess.run(  # noqa: S603
        [debootstrap, "--variant=minbase", f"--include={_PACKAGES}", "bookworm", str(root)], capture_output=True, text=True, check=False
    )  # fmt: skip
    if made.returncode:
        shutil.rmtree(folder)
        missing(f"debootstrap reaches no mirror: {made.stdout[-200:]}")
    make_releases(root / "media" / "usb")
    command = [unshare, "--pid", "--mount", "--net", "--ipc", "--uts", "--cgroup", "--fork", "--kill-child"]
    process = subprocess.Popen(  # noqa: S603
        [*command, "sh", "-c", _BOOT, "boot", str(root)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        booted = Computer(root, child_of(process.pid))
        for _ in range(600):
            if "running" in booted.type("systemctl is-system-running", may_fail=True):
                break
            time.sleep(0.1)
        yield booted
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def blocks() -> Iterator[tuple[str, str]]:
    """Yield the commands of the handbook as they follow each other, each block with its heading."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").replace("0.3.0", NEXT)
    heading = ""
    for found in re.finditer(r"^## ([^\n]+)$|^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        heading = found[1] or heading
        if found[2]:
            yield heading, found[2]


KEPT = "find /var/lib/pitboss/room -type f ! -name '*-wal' ! -name '*-shm' ! -name server.json | sort; cat /etc/default/pitboss"
"""What is left when the program goes: all but the files that are there while it runs."""


@pytest.mark.slow
def test_every_command_of_the_handbook_does_what_it_says(computer: Computer) -> None:
    printed: dict[str, str] = {}
    assert "no network" in computer.type("getent hosts deb.debian.org || echo no network")
    before = ""
    for heading, block in blocks():
        if heading == "Uninstall":
            before = computer.type(KEPT)
        printed[heading] = printed.get(heading, "") + computer.type(block)
        if heading == "First start":
            assert "active (running)" in printed[heading]
            assert "one-time link" in printed[heading]
        if heading in ("First start", "Upgrade", "Roll back"):
            assert computer.type("systemctl is-active pitboss").strip() == "active"
            assert '"ok"' in computer.type(
                "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:8000/healthz\").read().decode())'"
            )
        if heading == "Upgrade" and "--check" not in block and "upgrade" in block:
            assert computer.type("readlink /opt/pitboss/current").strip() == NEXT
    assert "signed by /media/usb/signing.pub" in printed["Install"]
    assert " checks: " in printed["Is anything wrong?"]
    assert "every check has passed" in printed["Back up and restore"]
    assert f"lies beside" in printed["Upgrade"]  # noqa: F541
    assert "with nothing lost" in printed["Roll back"]
    assert "pitboss-support/doctor.json" in printed["Get help"]
    assert "uninstalled" in printed["Uninstall"]
    assert before == computer.type(KEPT)
    assert computer.type("ls /opt; command -v pitboss || echo gone").split() == ["gone"]


@pytest.mark.slow
def test_the_package_installs_the_same_and_removed_it_keeps_the_books(computer: Computer) -> None:
    # After the handbook has uninstalled the archive, as in a file tests are run in order.
    computer.type("dpkg -i /media/usb/pitboss_*_amd64.deb")
    assert computer.type("pitboss --version; readlink -f /usr/bin/pitboss").split()[0] == "pitboss"
    assert computer.type("systemd-analyze verify /lib/systemd/system/pitboss.service") == ""
    computer.type("systemctl start pitboss; systemctl stop pitboss")
    rooms = computer.type("find /var/lib/pitboss/room -name 'journal.sqlite3'")
    computer.type("dpkg -r pitboss")
    assert rooms == computer.type("find /var/lib/pitboss/room -name 'journal.sqlite3'") != ""
    assert computer.type("command -v pitboss || echo gone").strip() == "gone"


@pytest.mark.slow
def test_under_its_sandbox_the_workers_compile_and_a_server_that_stands_still_is_started_anew(
    computer: Computer,
) -> None:
    computer.type("cd /tmp/pitboss-*-cp3*/ && sh install.sh --key /media/usb/signing.pub")
    computer.type("mkdir -p /etc/systemd/system/pitboss.service.d; printf '[Service]\\nWatchdogSec=5\\n' > /etc/systemd/system/pitboss.service.d/quick.conf; systemctl daemon-reload; systemctl start pitboss")  # fmt: skip
    fetch = "import urllib.request as u,re,time\nfor _ in range(100):\n p=u.urlopen('http://127.0.0.1:8000/odds/three-card-prime/pair-bonus').read().decode()\n f=re.findall(r'\\d+\\.\\d{4}%',p)\n if f: print(f[0]); break\n time.sleep(1)\n"  # fmt: skip
    assert "%" in computer.type(f'python3 -c "{fetch}"')
    first = computer.type("systemctl show pitboss --property MainPID --value").strip()
    assert "Seccomp:\t2" in computer.type(f"cat /proc/{first}/status")
    computer.type(f"kill -STOP {first}")
    for _ in range(60):
        time.sleep(1)
        again = computer.type("systemctl show pitboss --property MainPID --value").strip()
        if again not in ("0", first):
            break
    assert again not in ("0", first)
    assert computer.type("systemctl show pitboss --property NRestarts --value").strip() == "1"
