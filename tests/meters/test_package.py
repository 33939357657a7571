"""Tests of the package as a whole: its example, its doors, and what it may import."""

import ast
import doctest
from pathlib import Path

import pitboss.meters

SOURCES = sorted(Path(pitboss.meters.__file__).parent.glob("*.py"))


def test_the_example_at_the_front_door_runs() -> None:
    assert 0 == doctest.testmod(pitboss.meters).failed


def test_every_public_name_exists_and_is_explained() -> None:
    for name in pitboss.meters.__all__:
        value = getattr(pitboss.meters, name)
        assert not callable(value) or value.__doc__, name


def test_the_package_imports_only_law_and_rules_and_no_clock_or_store() -> None:
    allowed = {
        "__future__",
        "collections",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "operator",
        "typing",
        "pitboss.law",
        "pitboss.rules",
        "pitboss.meters",
    }
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                parts = name.split(".")
                assert ".".join(parts[:2] if parts[0] == "pitboss" else parts[:1]) in allowed, (source.name, name)


def test_modules_are_read_at_one_sitting() -> None:
    for source in SOURCES:
        assert len(source.read_text(encoding="utf-8").splitlines()) < 300, source.name
