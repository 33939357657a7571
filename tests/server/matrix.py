"""Who may use which route, typed a second time: a letter for each role and kind of device, `*` for everybody.

D dealer, S supervisor, V surveillance, A accounting, M manager, U auditor, X administrator;
d device, y display, c console, m monitor.
"""

from __future__ import annotations

LETTERS = {
    "D": "dealer",
    "S": "supervisor",
    "V": "surveillance",
    "A": "accounting",
    "M": "manager",
    "U": "auditor",
    "X": "administrator",
    "d": "device",
    "y": "display",
    "c": "console",
    "m": "monitor",
    "*": "anyone",
}

MATRIX = """
GET  /                                *
GET  /healthz                         *
GET  /metrics                         UXm
GET  /sign-in                         *
POST /sign-in                         *
GET  /links/{code}                    *
POST /links/{code}                    *
GET  /tap                             c
POST /tap                             c
GET  /account                         DSVAMUX
POST /account/password                DSVAMUX
POST /account/pin                     DSVAMUX
GET  /api/v1/openapi.json             DSVAMUXdycm
GET  /api/v1/me                       DSVAMUXdycm
GET  /api/v1/people                   MUX
POST /api/v1/people                   X
PUT  /api/v1/people/{login}           X
POST /api/v1/people/{login}/links     X
GET  /api/v1/devices                  SMUX
POST /api/v1/devices                  X
PUT  /api/v1/devices/{name}           X
POST /api/v1/devices/{name}/links     X
POST /api/v1/devices/{name}/tokens    X
POST /sign-out                        DSVAMUX
"""


def stated() -> dict[tuple[str, str], frozenset[str]]:
    """By method and path, the roles."""
    found = {}
    for line in MATRIX.strip().splitlines():
        method, path, letters = line.split()
        found[method, path] = frozenset(LETTERS[letter] for letter in letters)
    return found
