"""The wheel works alone: built, installed in an empty environment, and run without anything of the source tree.

What Pitboss depends on is taken from the environment of the tests, by a path that is searched after the wheel; so nothing
is fetched. The installation of the tests, which leads to the source tree, is not on that path.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WAIT = 120


class Installed:
    """An environment that has the wheel and nothing else of ours, and a folder to work in."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.wheel, self.bin, self.work = wheel, folder / "environment" / "bin", folder / "work"
        self.work.mkdir()
        removed = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
        self.environment = {name: value for name, value in os.environ.items() if name not in removed}

    def run(self, program: str, *arguments: str) -> str:
        command = [str(self.bin / program), *arguments]
        done = subprocess.run(  # noqa: S603 - our own program
            command, cwd=self.work, env=self.environment, capture_output=True, text=True, timeout=WAIT, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=WAIT)  # noqa: S603
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    python = environment / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, timeout=WAIT)  # noqa: S603
    # Before the path of dependencies is there, lest pip finds an installation of ours there.
    install = ["--python", str(python), "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, timeout=WAIT)  # noqa: S603
    (site_packages,) = environment.glob("lib/python*/site-packages")
    paths = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (site_packages / "dependencies.pth").write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    return Installed(folder, wheel)


def test_the_wheel_is_what_runs_and_nothing_of_the_source_tree(installed: Installed) -> None:
    program = "import json, sys, pitboss; print(json.dumps([pitboss.__file__, sys.path]))"
    file, path = json.loads(installed.run("python", "-c", program))

    assert Path(file).is_relative_to(installed.bin.parent)
    assert [] == [folder for folder in path if Path(folder or ".").is_relative_to(ROOT / "src")]


def test_t_15_the_wheel_knows_its_own_files_and_names_one_that_was_changed(installed: Installed) -> None:
    report = json.loads(installed.run("pitboss", "verify-install", "--json"))
    assert (True, [], True) == (report["is_built"], report["problems"], report["sound"])
    (file,) = installed.bin.parent.glob("lib/python*/site-packages/pitboss/meters/__init__.py")
    before = file.read_text(encoding="utf-8")
    file.write_text(before + "\n", encoding="utf-8")
    try:
        with pytest.raises(AssertionError, match=r"changed: meters/__init__.py"):
            installed.run("pitboss", "verify-install")
    finally:
        file.write_text(before, encoding="utf-8")
    manifest = file.parents[1] / "manifest.json"
    kept = manifest.read_bytes()
    manifest.unlink()
    try:
        with pytest.raises(AssertionError, match=r"missing: manifest\.json"):
            installed.run("pitboss", "verify-install")
    finally:
        manifest.write_bytes(kept)


def test_the_wheel_has_every_file_of_the_package(installed: Installed) -> None:
    source = ROOT / "src"
    files = {str(path.relative_to(source)) for path in (source / "pitboss").rglob("*") if path.is_file()}
    packed = set(zipfile.ZipFile(installed.wheel).namelist())

    assert set() == {name for name in files if "__pycache__" not in name} - packed


def test_the_wheel_settles(installed: Installed) -> None:
    table = ("settle", "three-card-prime", "--paytable", "PW/BB-1", "--dealer", "9d 9h 9c")
    printed = installed.run("pitboss", *table, "--seat", "7d 7h 7c Ks | ante-play=10 | play", "--json")

    assert json.loads(printed)["seats"][0]["net_cents"] == 9000


def test_the_wheel_computes_odds(installed: Installed, tmp_path: Path) -> None:
    installed.environment["PITBOSS_CACHE_DIR"] = str(tmp_path)
    (result,) = json.loads(installed.run("pitboss", "odds", "three-card-prime", "pair-bonus", "--json"))

    assert result["wager"] == "pair-bonus"
    assert any(tmp_path.iterdir())


def test_the_wheel_serves_a_room(installed: Installed, tmp_path: Path) -> None:
    command = [str(installed.bin / "pitboss"), "serve", "--data", str(tmp_path / "room"), "--port", "0"]
    server = subprocess.Popen(  # noqa: S603 - our own program
        command,
        cwd=installed.work,
        env={**installed.environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        address = re.search(r"http://[\d.]+:\d+", server.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(f"{address[0]}/", timeout=WAIT) as answer:  # noqa: S310 - our own server
            page = answer.read().decode()
        assert answer.status == 200
        assert "<html" in page
        for style in re.findall(r'href="(/static/[^"]+)"', page):
            with urllib.request.urlopen(address[0] + style, timeout=WAIT) as answer:  # noqa: S310
                assert answer.status == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(WAIT) == 0
    finally:
        server.kill()
        server.communicate()
