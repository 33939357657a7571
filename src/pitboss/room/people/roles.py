"""The roles of people, and the kinds of devices; every route names those it is for."""

from typing import Final

from pitboss.commands.roles import TABLE

PEOPLE_ROLES: Final = ("dealer", "supervisor", "surveillance", "accounting", "manager", "auditor", "administrator")
DEVICE_KINDS: Final = ("device", "display", "console", "monitor")
"""A tabulator at a table, a screen that players see, the dealer's touch screen, and a program that reads metrics."""
ANYONE: Final = "anyone"
"""Also somebody who has not signed in: for what hangs on the wall of the room anyway, and for signing in."""
PIN_ROLES: Final = frozenset({"dealer", "supervisor"})
"""What a PIN is enough for: four digits at a table are no password."""
READERS: Final = ("supervisor", "surveillance", "accounting", "manager", "auditor")
"""Who reads the books: everybody but dealers, devices and the administrator of the computers."""
PAPER_READERS: Final = ("supervisor", "accounting", "manager", "auditor")
"""Who reads winners' papers: names and identification (G-70)."""
AT_TABLES: Final = TABLE
"""Who acts at tables, and reads the pages of the floor."""
HANDLING_MONEY: Final = (*TABLE, "surveillance", "accounting")
"""The roles that move, count, watch or approve money: two people give one, and an administrator has none (G-68)."""
VOUCHING: Final = ("manager", "accounting", "surveillance")
"""Who approves what an administrator asks for about people (G-68)."""
_ALONE: Final = "auditor"
_COMPUTERS: Final = "administrator"


def roles_problems(roles: tuple[str, ...]) -> list[str]:
    """Return everything that is wrong with the roles of a person."""
    names = ", ".join(PEOPLE_ROLES)
    problems = [f"roles: {role!r} is none; there are: {names}" for role in roles if role not in PEOPLE_ROLES]
    if not roles:
        problems.append("roles: a person has one at least")
    if len(set(roles)) != len(roles):
        problems.append("roles: each is named once")
    if _ALONE in roles and len(roles) > 1:
        problems.append("roles: an auditor reads all and changes nothing, and so has no other role (T-06)")
    if _COMPUTERS in roles and set(roles) & set(HANDLING_MONEY):
        problems.append("roles: an administrator runs the computers and has no role that handles money (T-06, G-68)")
    return problems
