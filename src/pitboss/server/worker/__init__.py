"""The worker processes beside the server, and the jobs they run."""

import signal


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the server, which ends its workers: a worker would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
