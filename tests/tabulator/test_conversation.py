"""The messages and replies of docs/devices.md are what a device and the door say today, word for word."""

from __future__ import annotations

import json
import re

from tests.books.making import Room
from tests.docs.console import RECORD, ROOT
from tests.tabulator.making import floor, make_setup

PAGE = ROOT / "docs" / "devices.md"
_BLOCK = re.compile(r"^```json\n(?P<body>.*?)\n```$", re.MULTILINE | re.DOTALL)


def test_m_10_the_conversation_of_the_page_is_answered_as_it_says(sqlite_room: Room) -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = [match["body"] for match in _BLOCK.finditer(text)]
    assert len(blocks) >= 18
    answered = []
    with floor(sqlite_room, make_setup()) as at:
        for message in blocks[::2]:
            at.clock.now = json.loads(message)["sent"]
            answered += [message, json.dumps(at.tables.receive(message))]
        assert at.is_sound()
    if RECORD:
        left = iter(answered)
        PAGE.write_text(_BLOCK.sub(lambda _: f"```json\n{next(left)}\n```", text), encoding="utf-8")
    else:
        assert blocks == answered
