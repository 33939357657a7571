"""`pitboss company`: the page of many rooms, and its password."""

import sys
from getpass import getpass
from pathlib import Path

from pitboss.books import RefusedError
from pitboss.cli.books.sources import explaining
from pitboss.cli.output import survive_lost_peers
from pitboss.company.password import save_password
from pitboss.company.settings import read_company
from pitboss.server.run import load_web
from pitboss.server.settings import Listening


@explaining
def serve(file: Path, host: str, port: int, certificate: Path | None, key: Path | None) -> int:
    """Serve the page of a company until it is ended."""
    company = read_company(file)
    survive_lost_peers()
    load_web()
    from pitboss.company.pages import serve_company  # noqa: PLC0415 - loads the web

    listening = Listening(host=host, port=port, certificate=certificate, key=key)
    serve_company(company, listening, lambda line: print(line, flush=True))
    return 0


@explaining
def password(file: Path) -> int:
    """Ask for the password, twice at a terminal, and keep its hash."""
    company = read_company(file)
    if company.password_file is None:
        raise RefusedError([f'{file} names no file for it: write password = "company.password"'])
    typed = getpass("New password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if sys.stdin.isatty() and typed != getpass("Again: "):
        raise RefusedError(["the two passwords differ: nothing was changed"])
    save_password(company.password_file, typed, company.name)
    print(f"The password is set. It holds when the page is started again: pitboss company serve {file}")
    return 0
