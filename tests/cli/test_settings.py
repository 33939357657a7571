"""The settings of a server: typed, in the environment, in a file, or usual; all that is wrong at once (issue 21)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import one_line, run


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOST", "PORT", "DATA", "TWO_STEP", "BEHIND_PROXY", "LOG"):
        monkeypatch.delenv(f"PITBOSS_{name}", raising=False)
    return tmp_path / "pitboss.toml"


def shown(typed: str) -> dict[str, Any]:
    result = run(f"serve --show-settings --json {typed}")
    assert result.exit_code == 0, result.output
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def test_typed_wins_over_the_environment_over_the_file_over_what_is_usual(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('port = 1001\nhost = "192.0.2.1"\nlog = "json"\ntwo-step = ["manager", "accounting"]\n')
    monkeypatch.setenv("PITBOSS_PORT", "1002")
    monkeypatch.setenv("PITBOSS_HOST", "192.0.2.2")
    settings = shown(f"--settings {file} --host 192.0.2.3")["settings"]
    assert settings["host"] == {"value": "192.0.2.3", "from": "typed"}
    assert settings["port"] == {"value": 1002, "from": "environment"}
    assert settings["log"] == {"value": "json", "from": "settings file"}
    assert settings["two-step"] == {"value": ["manager", "accounting"], "from": "settings file"}
    assert settings["behind-proxy"] == {"value": False, "from": "default"}


def test_the_file_itself_may_be_named_in_the_environment(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("port = 1001\n")
    monkeypatch.setenv("PITBOSS_SETTINGS", str(file))
    monkeypatch.setenv("PITBOSS_PROT", "1002")
    content = shown("")
    assert content["settings"]["port"] == {"value": 1001, "from": "settings file"}
    assert content["unread"] == ["PITBOSS_PROT"]


def test_all_that_is_wrong_in_file_and_environment_is_one_refusal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('prot = 80\nport = "eighty"\nproxy = "192.0.2.1"\nbehind-proxy = "yes"\nhost = 7\n')
    monkeypatch.setenv("PITBOSS_DISK_FLOOR", "much")
    result = run(f"serve --settings {file} --data nowhere")
    text = one_line(result.output)
    assert result.exit_code == 2
    for part in (
        "there is no setting prot",
        "port: must be a whole number",
        "proxy: must be a list of texts",
        "behind-proxy: must be true or false",
        "host: must be a text in quotes",
        "PITBOSS_DISK_FLOOR: Input should be a valid integer",
    ):
        assert part in text, text


@pytest.mark.parametrize(
    ("content", "words"), [(None, "No such file"), ("port = ", "Invalid value"), ("\udcff", "decode")]
)
def test_a_file_that_cannot_be_read_is_one_clear_refusal(file: Path, content: str | None, words: str) -> None:
    if content is not None:
        file.write_bytes(content.encode(errors="surrogateescape"))
    result = run(f"serve --settings {file} --show-settings")
    assert result.exit_code == 2
    assert words in result.output
    assert result.output.count(str(file)) == 1


def test_no_password_of_an_address_is_printed(file: Path) -> None:
    file.write_text('public = "https://ada:geheim@pitboss.example"\nport = "postgres://ada:geheim@db"\n')
    assert "geheim" not in run(f"serve --settings {file} --show-settings").output
    file.write_text('public = "https://ada:geheim@pitboss.example"\n')
    plain = run(f"serve --settings {file} --show-settings")
    assert "geheim" not in plain.output
    assert "https://…@pitboss.example" in plain.output


def test_wrong_values_of_one_setting_beside_another_are_refused_when_serving(file: Path, tmp_path: Path) -> None:
    file.write_text(f'data = "{tmp_path / "room"}"\nlog = "xml"\nport = 70000\ntwo-step = ["king"]\n')
    text = one_line(run(f"serve --settings {file}").output)
    for part in ("log: 'xml'", "port: 70000", "'king' is no role"):
        assert part in text
    assert not (tmp_path / "room").exists()
