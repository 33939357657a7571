"""What the store sends is what SQLAlchemy compiles its statements to."""

from __future__ import annotations

import json
import os

from pitboss.books.statements import DIALECTS, KEPT, statements_for


def test_the_kept_statements_are_those_that_sqlalchemy_compiles() -> None:
    from pitboss.books.sql import compiled  # noqa: PLC0415

    found = {dialect: compiled(dialect) for dialect in DIALECTS}
    if os.environ.get("PITBOSS_RECORD"):
        plain = {dialect: statements._asdict() for dialect, statements in found.items()}
        KEPT.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
        statements_for.cache_clear()

    assert {dialect: statements_for(dialect) for dialect in DIALECTS} == found
