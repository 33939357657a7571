"""Item 12, G-63: a sign with remote access is set by an adapter of the room's own, and is true when its answer confirms it."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books import RefusedError
from pitboss.room.alarms import active_alarms
from pitboss.room.displays import DISPLAYS, Display
from pitboss.room.room import Room
from pitboss.room.signs import FILE_NAME, Sign, SignLine, UnconfirmedError, read_signs, set_sign
from tests.doors import doors_of
from tests.pages.room import card_room
from tests.server.making import command

LINE = SignLine("sign 6", 7, {"quads": 500_000}, ["FOUR CARD JACKPOT $5,000.00"])
ECHO = """import json, sys
told = json.loads(sys.stdin.readline())
print(json.dumps({"number": told["number"], "amounts": told["amounts"]}))
"""
OTHER = ECHO.replace('told["amounts"]', '{"quads": 1}')


def program(path: Path, text: str) -> tuple[str, ...]:
    path.write_text(text)
    return (sys.executable, str(path))


def written(path: Path, **fields: object) -> None:
    """Write `signs.toml` with one sign."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in fields.items()]
    (path / FILE_NAME).write_text("[[sign]]\n" + "\n".join(lines) + "\n")
    (path / FILE_NAME).chmod(0o600)


def test_item_12_a_program_is_told_one_line_and_its_answer_confirms(tmp_path: Path) -> None:
    set_sign(Sign("sign 6", command=program(tmp_path / "echo.py", ECHO)), LINE)
    assert json.loads(LINE.to_json()) == {
        "sign": "sign 6",
        "number": 7,
        "amounts": {"quads": 500_000},
        "lines": ["FOUR CARD JACKPOT $5,000.00"],
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OTHER, "it shows {'quads': 1}, and was told {'quads': 500000}"),
        (ECHO.replace('told["number"]', "6"), "its answer is not about setting 7"),
        ("print('ok')", "its answer is no JSON"),
        ("raise SystemExit(3)", "its program ended with 3"),
        ("import time; time.sleep(30)", "no answer within 1 seconds"),
    ],
)
def test_item_12_any_other_answer_or_none_is_no_confirmation(tmp_path: Path, text: str, words: str) -> None:
    sign = Sign("sign 6", command=program(tmp_path / "program.py", text), timeout_seconds=1 if "sleep" in text else 10)
    with pytest.raises(UnconfirmedError) as told:
        set_sign(sign, LINE)
    assert words in str(told.value)


def test_item_12_a_program_that_is_not_there_is_no_confirmation() -> None:
    with pytest.raises(UnconfirmedError, match="could not be run"):
        set_sign(Sign("sign 6", command=("/nowhere/set-sign",)), LINE)


def test_item_12_no_shell_reads_what_is_told_or_configured(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = "import json, sys\nprint(json.dumps({'number': 7, 'amounts': {sys.argv[1]: 1}}))\n"
    sign = Sign("sign 6", command=(*program(tmp_path / "args.py", text), f"$(touch {mark}); touch {mark}"))
    with pytest.raises(UnconfirmedError, match="touch"):
        set_sign(sign, LINE)
    assert not mark.exists()


def test_item_12_a_file_is_written_whole_and_the_file_of_the_answer_confirms(tmp_path: Path) -> None:
    sign = Sign("sign 6", file=str(tmp_path / "told.json"), answer=str(tmp_path / "shows.json"), timeout_seconds=5)

    def show() -> None:
        while not (tmp_path / "told.json").exists():
            time.sleep(0.01)
        told = json.loads((tmp_path / "told.json").read_text())
        (tmp_path / "shows.json").write_text(json.dumps({"number": told["number"], "amounts": told["amounts"]}))

    other = threading.Thread(target=show)
    other.start()
    set_sign(sign, LINE)
    other.join()
    with pytest.raises(UnconfirmedError, match="no answer within 1 seconds"):
        set_sign(sign._replace(timeout_seconds=1), LINE._replace(number=8))
    with pytest.raises(UnconfirmedError, match="its file could not be written"):
        set_sign(sign._replace(file=str(tmp_path / "no" / "told.json")), LINE)


def test_item_12_everything_that_is_wrong_with_the_file_is_told_at_once(tmp_path: Path) -> None:
    assert read_signs(tmp_path) == {}
    written(tmp_path, name="", command=["set-sign"], file="x", timeout_seconds=0, port=1)
    with pytest.raises(RefusedError) as told:
        read_signs(tmp_path)
    assert len(told.value.problems) == 5
    assert "no shell looks for it" in str(told.value)
    written(tmp_path, name="sign 6", command="/bin/set-sign 6")
    with pytest.raises(RefusedError, match="the program and each of its arguments"):
        read_signs(tmp_path)
    written(tmp_path, name="sign 6", command=["/bin/set-sign", "6"])
    assert read_signs(tmp_path) == {"sign 6": Sign("sign 6", command=("/bin/set-sign", "6"))}
    (tmp_path / FILE_NAME).chmod(0o622)
    with pytest.raises(RefusedError, match="nobody but its owner may write to it"):
        read_signs(tmp_path)
    (tmp_path / FILE_NAME).write_text("sign = [")
    (tmp_path / FILE_NAME).chmod(0o600)
    with pytest.raises(RefusedError, match="is no TOML"):
        read_signs(tmp_path)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with card_room(tmp_path / "room") as found:
        register = doors_of(found.room).displays.register
        register(Display("sign 6", "6", "sign"), command=command(), actor="Max")
        yield found.room


def review(room: Room) -> None:
    room.signs.review(command=command(), wait=True)
    room.displays.review(command=command())


def alarms(room: Room) -> list[str]:
    """What is raised about signs; the other tables of this room have no displays, which is an alarm too (G-51)."""
    displays = [alarm.words for alarm in active_alarms(room.state) if alarm.kind == "display"]
    return [words for words in displays if words.startswith("sign")]


def test_item_12_a_sign_that_answers_is_true_and_one_that_does_not_is_an_alarm(room: Room, tmp_path: Path) -> None:
    written(room.path, name="sign 6", command=list(program(tmp_path / "sign.py", ECHO)))
    review(room)
    assert room.state.of(DISPLAYS)["sign 6"].is_true
    assert alarms(room) == []
    before = room.state.sequence
    review(room)
    assert room.state.sequence == before
    program(tmp_path / "sign.py", OTHER)
    room.signs._checked.clear()
    review(room)
    assert not room.state.of(DISPLAYS)["sign 6"].is_true
    assert alarms(room) == ["sign 6 is unconfirmed: Four Card Jackpot shows nothing, not $5,000.00"]
    entry = next(iter(room.books.store.entries("room", before, room.state.sequence, kinds=["sign-unconfirmed"])))
    assert "it shows {'quads': 1}, and was told {'quads': 500000}" in entry.payload
    program(tmp_path / "sign.py", ECHO)
    room.signs._checked.clear()
    review(room)
    assert room.state.of(DISPLAYS)["sign 6"].is_true
    assert alarms(room) == []


def test_item_12_a_sign_without_a_word_of_its_adapter_is_not_true(room: Room, tmp_path: Path) -> None:
    written(room.path, name="sign 6", command=list(program(tmp_path / "sign.py", "raise SystemExit(1)")))
    review(room)
    assert not room.state.of(DISPLAYS)["sign 6"].is_true
    assert alarms(room) == ["sign 6 is unconfirmed: Four Card Jackpot shows nothing, not $5,000.00"]
