"""The door of devices: messages are done once and in order, and answered so that nothing waits for ever (M-10)."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pitboss.tabulator.devices.receive import UnreadableMessageError, read_message
from tests.books.making import Room
from tests.examples import examples
from tests.tabulator.making import DEVICE, floor, make_setup


def test_m_10_a_message_that_comes_again_is_answered_as_the_first_time(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        message = at.message(sensors=[[1, 1]])
        first = at.send(message)
        at.press()
        at.press((2, 1))
        again = at.send({**message, "sent": at.clock.now})
        assert again.pop("again")
        same = ("status", "sequence", "round", "lights", "notices")
        assert [again[name] for name in same] == [first[name] for name in same]
        assert (again["acknowledged"], at.wagers()) == (3, 2)
        assert at.is_sound()


def test_m_10_another_message_under_a_number_that_was_used_changes_nothing(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        message = at.message(sensors=[[1, 1]])
        at.send(message)
        reply = at.send({**message, "sensors": [[2, 1]]})
        assert (reply["status"], at.wagers()) == ("refused", 1)
        assert "came twice with different content" in reply["problems"][0]


def test_g_40_m_10_messages_out_of_order_wait_for_those_before_them(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        made = [at.message(sensors=[[1, 1]] if number % 2 == 0 else []) for number in range(6)]
        rng = random.Random(6)
        left = list(made)
        while left:
            message = rng.choice(left)
            reply = at.send({**message, "sent": at.clock.now})
            if reply["acknowledged"] >= message["sequence"]:
                left.remove(message)
            else:
                assert reply["status"] == "waiting"
                assert reply["problems"] == [
                    f"message {reply['acknowledged'] + 1} of {DEVICE} comes first (M-10, G-40)"
                ]
        assert (at.wagers(), at.four.round) == (3, 3)
        assert [each.happened for each in at.four.rounds] == [made[0]["at"], made[2]["at"], made[4]["at"]]
        assert at.is_sound()


def test_t_09_only_the_device_of_a_table_is_heard_there(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        before = at.books.state("room").sequence
        message = at.message(sensors=[])
        for wrong in ({"device": "A3-0018"}, {"table": "5"}):
            reply = at.send({**message, **wrong})
            assert reply["status"] == "refused"
            assert "is not the device of table" in reply["problems"][0]
        reply = at.tables.receive(json.dumps(message), device="A3-0018")
        assert reply["problems"] == ["device A3-0018 speaks as A3-0017 (T-09)"]
        assert at.books.state("room").sequence == before
        assert at.tables.receive(json.dumps(message), device=DEVICE)["status"] == "counted"


GOOD: dict[str, Any] = {
    "device": DEVICE,
    "table": "4",
    "type": "press",
    "sequence": 1,
    "at": 5,
    "sent": 5,
    "sensors": [[1, 1]],
}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"type": "wish"}, "type: 'wish' is none of press"),
        ({"sequence": 0}, "sequence: 0 must be a whole number from 1 on"),
        ({"sequence": 1.5}, "sequence: 1.5 must be"),
        ({"sequence": True}, "sequence: True must be"),
        ({"at": -1}, "at: -1 must be"),
        ({"at": 6}, "at: it was not sent before it happened"),
        ({"sensors": [[1]]}, "must be pairs of position and sensor"),
        ({"sensors": [[0, 1]]}, "must be pairs"),
        ({"sensors": [[1, 1], [1, 1]]}, "names a sensor twice"),
        ({"sensors": [[1, 1, 500]]}, "must be pairs"),
        ({"value": 500}, "'value' is nothing that a press says"),
        ({"device": "two\nlines"}, "device: 'two\\nlines' must be printable text"),
        ({"sensors": None}, "must be pairs"),
        ({"type": "batch"}, "rounds is missing"),
    ],
)
def test_e_01_a_message_is_what_it_must_be_and_has_no_value(change: dict[str, Any], told: str) -> None:
    with pytest.raises(UnreadableMessageError) as caught:
        read_message(json.dumps(GOOD | change))
    assert told in str(caught.value)


def test_everything_that_is_wrong_with_a_message_is_told_at_once() -> None:
    with pytest.raises(UnreadableMessageError) as caught:
        read_message(json.dumps({"type": "press", "sequence": -1, "sensors": 3, "odd": 1}))
    assert len(caught.value.problems) == 7


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff\xfe", "null", '{"type": NaN}', "[" * 100_000])
def test_what_is_no_message_is_answered_and_raises_nothing(text: bytes | str, sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        assert at.tables.receive(text)["status"] == "unreadable"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**60) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*GOOD, "rounds", "dealer", "x"]), json_values, max_size=4))
def test_no_message_raises_and_a_message_is_read_or_explained(change: dict[str, Any]) -> None:
    try:
        message = read_message(json.dumps(GOOD | change))
    except UnreadableMessageError as error:
        problems = error.problems
    else:
        problems = ("read",) if message.sent >= message.at else ()
    assert problems
