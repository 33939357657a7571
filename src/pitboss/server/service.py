"""The server as a service of systemd: it reports when it is ready, alive and stopping, and gives up new machine code.

The few lines of `sd_notify` are our own: one datagram to the socket that systemd names. Without it nothing happens.
"""

import asyncio
import ctypes
import os
import socket
from collections.abc import Callable
from contextlib import suppress

_SOCKET, _WATCHDOG, _WATCHDOG_PROCESS = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
_SET_MDWE, _REFUSE_EXEC_GAIN, _NO_INHERIT = 65, 1, 2
_TIMES = 3
"""So often within its time the watchdog is told that the server lives."""


def notify(text: str) -> bool:
    """Send systemd a state such as READY=1; return false where no service manager listens."""
    address = os.environ.get(_SOCKET, "")
    if not address.startswith(("/", "@")):
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
        connection.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        connection.sendall(text.encode())
        return True
    return False


def watchdog_seconds() -> float | None:
    """Return how often the watchdog is to be told; None where there is none, or it is another process's."""
    if os.environ.get(_WATCHDOG_PROCESS, str(os.getpid())) != str(os.getpid()):
        return None
    try:
        seconds = int(os.environ[_WATCHDOG]) / 1_000_000
    except (KeyError, ValueError):
        return None
    return seconds / _TIMES if seconds > 0 else None


async def keep_watchdog(is_alive: Callable[[], bool]) -> None:
    """Notify the watchdog at intervals, from the loop that serves, while the writer of the books works too.

    A loop that stands still runs this no more, and a writer that is gone or stuck ends it: then systemd starts anew.
    """
    seconds = watchdog_seconds()
    while seconds is not None:
        if is_alive():
            notify("WATCHDOG=1")
        await asyncio.sleep(seconds)


def refuse_new_code() -> bool:
    """Forbid new executable memory in this process: of a service alone, and not of its workers.

    The workers compile, so the unit cannot have MemoryDenyWriteExecute; Linux from 6.6 on has it for one process. False
    where it could not be done: then nothing is refused.
    """
    if _SOCKET not in os.environ:
        return False
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        result: int = libc.prctl(_SET_MDWE, ctypes.c_ulong(_REFUSE_EXEC_GAIN | _NO_INHERIT), *[ctypes.c_ulong(0)] * 3)
    except (OSError, AttributeError):
        return False
    return result == 0
