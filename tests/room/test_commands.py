"""Every command: who may ask for it and who approves it, typed a second time; how it is read, written and described.

D dealer, S supervisor, V surveillance, A accounting, M manager, X administrator; d device, p Pitboss itself.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from pathlib import Path

import pytest

from pitboss.commands import Command, InvalidCommandError, read_fields, schema_of
from pitboss.room.commands import BY_NAME, COMMANDS, EXPOSED
from pitboss.server.api.commands import command_routers

LETTERS = {
    "D": "dealer",
    "S": "supervisor",
    "V": "surveillance",
    "A": "accounting",
    "M": "manager",
    "U": "auditor",
    "X": "administrator",
    "d": "device",
    "p": "system",
}
# Command, who asks, who approves; a dash where one person is enough.
MATRIX = """
jackpots/define           M      AV
jackpots/change           M      AV
jackpots/open             SM     SMVA
jackpots/close            SM     -
jackpots/suspend          SMAV   -
jackpots/adjust           MA     MA
jackpots/receipts         MA     MA
jackpots/seed-other       MA     MA
jackpots/confirm-amount   MA     MA
jackpots/notice           M      AV
jackpots/remove           M      A
jackpots/document-removal MA     MA
jackpots/post             MA     MA
jackpots/withdraw-posting MA     MA
jackpots/post-due         p      -
jackpots/deposit          MA     -
jackpots/deposit-arrived  MA     MA
jackpots/withdraw         MA     MA
jackpots/review-escrow    p      -
hits/call                 DS     -
hits/call-found           S      VM
hits/verify               SM     -
hits/surveil              V      -
hits/document             SAM    -
hits/pay                  SAM    -
hits/close                SM     -
hits/reject               SM     VM
hits/correct              SM     VM
hits/small                DS     -
hits/envy                 DS     -
hits/undo-small           DS     -
hits/reverse-small        SM     -
hits/confirm-wager        V      -
hits/print                SAM    -
hits/reprint              SAM    -
tables/set-up             M      AV
tables/post               M      AV
tables/add                M      AV
tables/open-day           SM     SVM
tables/withdraw           M      AV
tables/open-due           p      -
tables/record-approval    M      AV
tables/withdraw-approval  M      AV
tables/dealing            M      AV
tables/give-up-dealt      SM     VM
tables/unlock-dealing     M      AV
tables/open               SM     SVM
tables/close              SM     -
tables/suspend            SM     -
tables/resume             SM     SVM
tables/press              DS     -
displays/set-sign         p      -
tables/log-deck           DSM    -
tables/set-shuffler       M      AV
tables/name-seats         SM     VM
tables/state-lights       DS     -
tables/mark-seats         DSM    -
tables/correct            DSM    -
tables/correct-earlier    SM     VM
tables/void               SM     VM
tables/down               SM     -
tables/by-hand            SM     -
tables/enter-counts       SM     VM
tables/restore            SM     SVM
tables/read-counter       DSM    -
tables/malfunction        SM     -
tables/report             SM     -
tables/mend               SM     -
tables/clear-alarm        SM     -
tables/give-up            SM     SVM
tables/dealer             DSMd   -
tables/lose-link          p      -
dealt/shuffle             DS     -
dealt/operate             DS     -
room/set                  MX     AV
room/rename               M      AV
room/add-key              M      AV
room/record-software      p      -
backups/plan              MX     AV
backups/stop              MX     AV
backups/record            p      -
room/register-maker       M      AV
promotions/set            M      -
promotions/end            M      -
displays/register         MX     -
displays/confirm          SM     -
displays/turn             p      -
papers/review             p      -
papers/post               SM     -
papers/remove             SM     -
floor/take-alarm          SVM    -
floor/dispute             SM     -
desk/collect              AM     AMSV
desk/count                AM     AMSV
desk/raise                AMSV   -
desk/raise-found          AMSV   -
desk/raise-all            p      -
desk/take                 AMSV   -
desk/resolve              AMSV   -
desk/share                AM     AM
training/record           DSM    -
people/set                Xp     MAV
people/link               X      MAV
devices/set               Xp     -
people/secret             DSVAMUXdp -
people/session            DSVAMUXp  -
"""


def typed() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    rows = [line.split() for line in MATRIX.strip().splitlines()]
    return {
        name: (
            frozenset(LETTERS[letter] for letter in asks),
            frozenset(LETTERS[letter] for letter in gives if letter != "-"),
        )
        for name, asks, gives in rows
    }


def test_t_06_who_asks_and_who_approves_is_as_typed_here() -> None:
    declared = {cls.spec.name: (frozenset(cls.spec.roles), frozenset(cls.spec.approvers)) for cls in COMMANDS}
    people = frozenset(LETTERS.values())

    devices = {name for name in declared if name.startswith("devices/") and name not in typed()}
    assert typed() == {name: (asks & people, gives) for name, (asks, gives) in declared.items() if name not in devices}


def test_g_31_whoever_asks_somebody_of_another_role_can_approve() -> None:
    for cls in COMMANDS:
        for role in cls.spec.roles if cls.spec.approvers else ():
            seconds = cls.spec.approvers_of(role)
            assert seconds, (cls.spec.name, role)
            assert role not in seconds


def test_every_command_people_ask_for_has_a_route_and_no_other_has() -> None:
    routes = {
        str(vars(route)["path"]).removeprefix("/api/v1/") for router in command_routers() for route in router.routes
    }

    assert {cls.spec.name for cls in EXPOSED} == routes


def test_every_verb_of_the_terminal_that_changes_the_room_is_a_registered_command() -> None:
    names = set()
    for module in Path("src/pitboss/cli/room").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                names |= (
                    {node.value}
                    if re.fullmatch(r"(tables|jackpots|hits|floor|desk|room)/[a-z-]+", node.value)
                    else set()
                )

    assert len(names) > 15
    assert set() == names - BY_NAME.keys()


def test_nothing_but_the_executor_and_approvals_writes_to_a_rooms_books() -> None:
    """A verb that went to the books by itself would be asked nothing of who may and who approves."""
    allowed = {"commands/command.py", "room/approvals.py"}
    source = Path("src/pitboss")
    found = [
        str(module.relative_to(source))
        for package in ("jackpot", "tabulator", "reports", "room", "server", "demo", "cli")
        for module in (source / package).rglob("*.py")
        if re.search(r"books\.submit(_later)?\(", module.read_text(encoding="utf-8"))
    ]

    # A message of a device may be sent again over an upgrade and is answered as before.
    assert {"demo/past.py", "tabulator/devices/receive.py"} >= set(found) - allowed


@pytest.mark.parametrize("cls", COMMANDS, ids=lambda cls: cls.spec.name)
def test_a_command_is_a_frozen_value_with_a_summary(cls: type[Command]) -> None:
    assert dataclasses.is_dataclass(cls)
    assert cls.__dataclass_params__.frozen
    assert cls.spec.summary.endswith(".") or len(cls.spec.summary) > 20
    assert cls.__doc__


@pytest.mark.parametrize("cls", EXPOSED, ids=lambda cls: cls.spec.name)
def test_an_empty_body_is_refused_with_every_field_that_is_missing(cls: type[Command]) -> None:
    schema = schema_of(cls)
    with pytest.raises(InvalidCommandError) as refused:
        read_fields(cls, {"no-such-field": 1})

    missing = {f"{name}: is required" for name in schema["required"]}
    assert {"no-such-field: is not a field of this command", *missing} == set(refused.value.problems)
