"""A device in a process of its own that presses until it is killed; what it was shown as pressed is written down."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from pitboss.tabulator.devices.client import DeviceBuffer, DeviceClient, HttpLine

DEVICE = "A3-0017"


def main(url: str, token: str, folder: Path, rounds: int) -> None:
    notes = os.open(folder / "pressed", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    began = folder / "began"
    if not began.exists():
        began.write_text(str(time.time_ns() // 1_000))
    start = int(began.read_text())

    with DeviceBuffer(folder / "buffer") as buffer:

        def clock() -> int:
            # Two seconds go by from press to press, however fast the test is and however often the device dies: two
            # presses within a second would be one.
            return start + buffer.next * 2_000_000

        device = DeviceClient(DEVICE, "4", buffer, HttpLine(url, token), clock=clock)
        device.hello()
        device.deliver()
        for number in range(rounds * 2):
            seen = [(1 + number % 7, 1)] if device.phase == "open" else []
            kept = device.press(seen)
            os.write(notes, f"{kept['sequence']} {len(seen)}\n".encode())
            device.deliver()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
