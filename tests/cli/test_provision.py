"""A room from files: planned, applied by the room's commands and approvals, and written from a room (issue 21)."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.room import read_room, set_up
from pitboss.jackpot import JACKPOTS
from pitboss.room.configurations import PostConfiguration
from pitboss.room.people.people import people_of
from pitboss.room.provisioning.files import read_folder
from pitboss.room.room import Room
from tests.cli.running import one_line, run
from tests.server.attacks.bad import TOMLS
from tests.server.making import cheap

EXAMPLE = Path(__file__).parents[2] / "examples" / "provision"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "files"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo room on its first day."""
    path = tmp_path_factory.mktemp("demo") / "room"
    data = read_room(datetime.datetime.now(tz=datetime.UTC).date())
    create_books(path, data.settings, person="Ada King")
    with Room(path, hashing=cheap()) as room:
        set_up(data, room)
    return path


def steps(folder: Path, room: Path, more: str = "") -> dict[str, str]:
    """What is done or would be, by kind and name."""
    result = run(f"provision {folder} {room} --json {more}")
    assert result.exit_code in (0, 1), result.output
    return {f"{step['kind']} {step['name']}": step["does"] for step in json.loads(result.stdout)}


def replace(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def test_what_is_exported_of_the_demo_room_is_what_stands_there(demo: Path, tmp_path: Path) -> None:
    assert run(f"provision {tmp_path / 'files'} {demo} --export").exit_code == 0
    result = run(f"provision {tmp_path / 'files'} {demo} --plan")
    assert result.exit_code == 0, result.output
    assert one_line(result.output).startswith("nothing to do: 59 as the files say")
    with Room(demo) as room:
        names = set(people_of(room.state).people)
    assert set(steps(tmp_path / "files", demo).values()) == {"nothing"}
    text = (tmp_path / "files" / "people.toml").read_text()
    assert all(f'login = "{name}"' in text for name in names)
    assert run(f"provision {tmp_path / 'files'} {demo} --export").exit_code == 2


def test_the_example_makes_a_room_and_the_second_time_there_is_nothing_to_do(tmp_path: Path) -> None:
    room = tmp_path / "room"
    assert set(steps(EXAMPLE, room).values()) == {"create"}
    assert not room.exists()
    made = run(f'provision {EXAMPLE} {room} --apply --person "Max Orr" --approved-by "Lee Sato"')
    assert made.exit_code == 0, made.output
    again = run(f"provision {EXAMPLE} {room} --plan")
    assert (again.exit_code, one_line(again.output)[:13]) == (0, "nothing to do")
    with Room(room) as opened:
        last = opened.state.sequence
        assert set(opened.state.of(JACKPOTS).jackpots) == {"final-four"}
        assert opened.name == "Example Room"
    assert run(f"provision {EXAMPLE} {room} --apply").exit_code == 0
    with Room(room) as opened:
        assert opened.state.sequence == last
    assert run(f"audit {room}").exit_code == 0
    # What is written of it makes the same room again.
    assert run(f"provision {tmp_path / 'files'} {room} --export").exit_code == 0
    other = tmp_path / "other"
    assert run(f"provision {tmp_path / 'files'} {other} --apply --person A --approved-by B").exit_code == 0
    assert set(steps(EXAMPLE, other).values()) == {"nothing"}


def test_t_06_what_needs_a_second_person_waits_and_the_next_time_it_goes_on(files: Path, tmp_path: Path) -> None:
    room = tmp_path / "room"
    replace(files / "makers.toml", "Example layout maker", "Example felt maker")
    first = run(f'provision {files} {room} --apply --person "Max Adeyemi" --json')
    does = {f"{step['kind']} {step['name']}": step for step in json.loads(first.stdout)}
    assert first.exit_code == 1
    assert does["jackpots final-four"]["does"] == "waits"
    assert does["jackpots final-four"]["approvers"] == ["accounting", "surveillance"]
    assert does["people max"]["does"] == "create"
    with Room(room) as opened:
        assert not opened.state.of(JACKPOTS).jackpots
        waiting = sorted(opened.approvals.waiting)
        assert waiting
        # Who has asked does not approve; accounting does.
        for number in waiting:
            roles = frozenset({"accounting"})
            opened.approvals.give(number, name="Lee Sato", roles=roles, id=f"give-{number}")
        last = opened.state.sequence
    planned = steps(files, room)
    assert planned["jackpots final-four"] == "nothing"
    assert planned["makers layout"] == "nothing"
    assert set(planned.values()) == {"nothing"}
    with Room(room) as opened:
        assert opened.state.sequence == last
    # A plan of a room in which something waits says so, and asks for nothing twice.
    replace(files / "makers.toml", "Example felt maker", "Another felt maker")
    with Room(room) as opened:
        from pitboss.room.approval_records import RegisterMaker  # noqa: PLC0415
        from pitboss.room.provisioning.kinds import WORDS  # noqa: PLC0415

        maker = RegisterMaker(
            part="layout", maker="Another felt maker", licence="EXAMPLE-1", is_example=True, words=WORDS
        )
        opened.do(maker, By("Max Adeyemi", "manager"), id="maker")
    assert steps(files, room)["makers layout"] == "waits"


def test_a_change_is_a_change_and_what_may_not_be_changed_is_said(files: Path, tmp_path: Path) -> None:
    room = tmp_path / "room"
    run(f"provision {files} {room} --apply --person A --approved-by B")
    replace(files / "room.toml", "Know your limit.", "Know your limits.")
    replace(files / "people.toml", 'roles = ["dealer"]', 'roles = ["dealer", "supervisor"]')
    with (files / "devices.toml").open("a") as stream:
        stream.write('\n[[devices]]\nname = "Prometheus"\nwhat = "monitor"\ntable = ""\n')
    planned = steps(files, room)
    changed = {name: verdict for name, verdict in planned.items() if verdict != "nothing"}
    assert changed == {"room room": "change", "people dan": "change", "devices Prometheus": "create"}
    replace(files / "room.toml", "America/Los_Angeles", "America/New_York")
    result = run(f"provision {files} {room}")
    assert result.exit_code == 2
    assert "room.toml, line 3" in one_line(result.output)
    assert "stays for good" in one_line(result.output)


def test_every_problem_of_all_files_is_one_refusal_and_nothing_changes(files: Path, tmp_path: Path) -> None:
    replace(files / "people.toml", 'roles = ["dealer"]', 'roles = ["king"]')
    (files / "people.toml").write_text(
        (files / "people.toml").read_text() + '\n[[people]]\nlogin = "eve"\npassword = "x"\n'
    )
    replace(files / "jackpots.toml", '"F4P-1"', '"F4P-99"')
    (files / "devices.toml").write_text("[[devices]\n")
    replace(files / "configurations" / "1.toml", "seats = 6", "seats = 60")
    (files / "equipments.toml").write_text("")
    (files / "makers.toml").write_text('[[makers]]\nmaker = "x"\n\n[[maker]]\npart = "layout"\n')
    (files / "displays.toml").write_text((files / "displays.toml").read_text() * 2)
    for verb in ("--plan", "--apply --person A --approved-by B"):
        result = run(f"provision {files} {tmp_path / 'room'} {verb}")
        text = one_line(result.output)
        assert result.exit_code == 2
        for part in (
            "equipments.toml: nothing is read from this file",
            "devices.toml, line 1:",
            "configurations/1.toml, line 5: seats:",
            "makers.toml, line 1: part is missing",
            "makers.toml, line 4: maker is none of it",
            "displays.toml, line 7: TableVision 1 is in line 1",
            "people.toml, line 40: person eve: password: is not known here",
            "person dan: ",
            "F4P-99",
        ):
            assert part in text, (part, text)
        assert not (tmp_path / "room").exists()


def test_what_is_exported_lies_in_its_folder_whatever_a_table_is_called(tmp_path: Path) -> None:
    """Seen: a table "../../evil", which a manager can configure, was written beside the folder."""
    configuration = (EXAMPLE / "configurations" / "1.toml").read_text()
    names = {"../../evil", "..", ".hidden", "a/b", "50%", "1"}
    create_books(tmp_path / "room", read_room(datetime.date(2026, 1, 2)).settings, person="Ada King")
    with Room(tmp_path / "room", hashing=cheap()) as room:
        for name in names:
            post = PostConfiguration(table=name, configuration=configuration, words="x")
            room.do(post, By("Max", "manager", By("Lee", "accounting")), id=f"post {name}")
    before = set(tmp_path.rglob("*"))
    folder = tmp_path / "files" / "deep"
    assert run(f"provision {folder} {tmp_path / 'room'} --export").exit_code == 0
    new = {path for path in set(tmp_path.rglob("*")) - before if path.is_file() and "room" not in path.parts[-2:]}
    assert {path for path in new if folder not in path.parents} == set()
    planned = steps(folder, tmp_path / "room")
    assert {name: planned[f"configurations {name}"] for name in names} == dict.fromkeys(names, "nothing")


@pytest.mark.parametrize("text", TOMLS.values(), ids=TOMLS)
def test_a_file_that_is_deep_or_huge_is_refused_in_milliseconds(text: str, tmp_path: Path) -> None:
    """Seen: 98 kB of dotted keys took three gigabytes and more; deep ones ended in a traceback."""
    (tmp_path / "people.toml").write_text(text)
    begun = time.process_time()
    assert read_folder(tmp_path).problems
    assert time.process_time() - begun < 1


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "people.toml").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "devices.toml")
    problems = read_folder(tmp_path).problems
    assert [problem.partition(":")[0] for problem in problems[:2]] == ["devices.toml", "people.toml"]


def test_an_override_of_an_edge_below_zero_is_stated_beside_the_configurations(files: Path, tmp_path: Path) -> None:
    (files / "configurations.toml").write_text('[[configurations]]\ntable = "2"\noverride = "why"\nodds = 3\n')
    text = one_line(run(f"provision {files} {tmp_path / 'room'}").output)
    assert "configurations.toml, line 1: there is no configurations/2.toml" in text
    assert "odds is not known here" in text


@pytest.fixture
def served(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Any]]:
    from tests.server.running import running  # noqa: PLC0415

    room = tmp_path / "room"
    run(f"provision {files} {room} --apply --person A --approved-by B")
    with Room(room, hashing=cheap()) as opened:
        for login in ("ada", "max"):
            token = opened.access.make_terminal_token(login, SYSTEM_ACTOR)
            (tmp_path / login).write_text(f"{token}\n")
            (tmp_path / login).chmod(0o600)
    with running(room) as server:
        yield room, server
    monkeypatch.undo()


def test_a_running_server_is_provisioned_with_a_token(
    served: tuple[Path, Any], files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _ = served
    monkeypatch.setenv("PITBOSS_TOKEN_FILE", str(tmp_path / "ada"))
    replace(files / "people.toml", 'roles = ["dealer"]', 'roles = ["dealer", "supervisor"]')
    with (files / "devices.toml").open("a") as stream:
        stream.write('\n[[devices]]\nname = "Prometheus"\nwhat = "monitor"\ntable = ""\n')
    replace(files / "makers.toml", "Example layout maker", "Example felt maker")
    done = steps(files, room, "--apply")
    assert {name: verdict for name, verdict in done.items() if verdict != "nothing"} == {
        "people dan": "change",
        "devices Prometheus": "create",
        "makers layout": "cannot",
    }
    monkeypatch.setenv("PITBOSS_TOKEN_FILE", str(tmp_path / "max"))
    assert steps(files, room, "--apply")["makers layout"] == "waits"
    assert steps(files, room, "--apply")["makers layout"] == "waits"
    assert set(steps(files, room).values()) == {"nothing", "waits"}
