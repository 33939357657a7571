"""An audit by several processes: each finds the parts of the state by their names, and knows every kind and rule."""

from __future__ import annotations

import importlib
import json
import pickle
import pkgutil
import subprocess
import sys

import pitboss
from pitboss.books import INVARIANTS as OWN_INVARIANTS
from pitboss.books import Invariant, Projection, folding_of, known_kinds
from pitboss.room.projections import INVARIANTS, PROJECTIONS

_ASKED = """
import json, pickle, sys
folding = pickle.loads(bytes.fromhex(sys.argv[1]))
from pitboss.books import known_kinds
print(json.dumps([sorted(known_kinds()), [each.name for each in folding.projections], [each.name for each in folding.invariants]]))
"""


def test_t_19_a_process_that_has_only_the_names_of_the_parts_knows_every_kind_and_every_invariant() -> None:
    folding = folding_of(PROJECTIONS, INVARIANTS)
    words = [sys.executable, "-c", _ASKED, pickle.dumps(folding).hex()]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter
    kinds, parts, rules = json.loads(done.stdout)
    # Tests may have made kinds of their own known in this process.
    used = {kind for projection in folding.projections for kind in projection.kinds or ()}
    used |= {kind for invariant in folding.invariants for kind in invariant.kinds}
    assert {kind for kind in used if not kind.startswith("test-")} <= set(kinds) <= known_kinds()
    assert parts == [projection.name for projection in folding.projections]
    assert rules == [invariant.name for invariant in folding.invariants]
    assert len(rules) > 20


def test_every_invariant_and_part_of_a_package_is_in_the_tuples_of_a_room() -> None:
    """An audit once left out invariants that no import had loaded: now none is missing from the one tuple."""
    parts = {id(each) for each in folding_of(PROJECTIONS).projections}
    rules = {id(each) for each in (*INVARIANTS, *OWN_INVARIANTS)}
    for module in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
        if (
            module.name.split(".")[1] in ("books", "jackpot", "tabulator", "reports", "room")
            and ".migrations" not in module.name
        ):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Projection):
                    assert id(value) in parts, (module.name, value.name)
                for each in value if isinstance(value, tuple) else (value,):
                    if isinstance(each, Invariant):
                        assert id(each) in rules, (module.name, each.name)
