"""The worker processes beside the server, and the jobs they run."""

import signal


def ignore_interrupts() -> None:
    """Ignore Ctrl-C, which the server handles by ending its workers: a worker would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
