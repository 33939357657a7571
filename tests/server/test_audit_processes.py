"""An audit by several processes: each finds the parts of the state by their names, and knows every kind and rule."""

from __future__ import annotations

import json
import subprocess
import sys

from pitboss.books import folding_of, invariants, known_kinds
from pitboss.books.check import stated_in
from pitboss.room.projections import PROJECTIONS

_ASKED = """
import json, sys
from importlib import import_module
for module, _ in json.loads(sys.argv[1]):
    import_module(module)
from pitboss.books import invariants, known_kinds
print(json.dumps([sorted(known_kinds()), sorted(each.name for each in invariants())]))
"""


def test_t_19_a_process_that_has_only_the_names_of_the_parts_knows_every_kind_and_every_invariant() -> None:
    places = [each.__reduce__()[1] for each in folding_of(PROJECTIONS).projections]
    words = [sys.executable, "-c", _ASKED, json.dumps([*places, *((module, "") for module in stated_in())])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter
    kinds, rules = json.loads(done.stdout)
    # Tests may have made kinds of their own known in this process.
    used = {kind for each in PROJECTIONS for kind in each.kinds or ()}
    assert used <= set(kinds) <= known_kinds()
    assert set(rules) == {each.name for each in invariants()}
    assert len(rules) > 10
