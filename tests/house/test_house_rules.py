"""The house rules of the source: the direction of imports, game names in their folders, modules one can take in."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pitboss.games import all_games, game_names
from pitboss.odds.compiled import MATHEMATICS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pitboss"
MODULES = sorted(SOURCE.rglob("*.py"))

# DESIGN.md, "The house": a package imports only from those above it.
ORDER = (
    "cards",
    "poker",
    "law",
    "rules",
    "meters",
    "games",
    "table",
    "odds",
    "randomness",
    "simulate",
    "paper",
    "installation",
    "books",
    "commands",
    "jackpot",
    "tabulator",
    "reports",
    "room",
    "papers",
    "learn",
    "gym",
    "server",
    "company",
    "demo",
    "operations",
    "cli",
)
OUTSIDE = {
    "cards": {"cryptography"},
    "odds": {"numpy"},
    "randomness": {"numpy"},
    "simulate": {"numpy", "distributed"},
    "paper": {"typst", "matplotlib"},
    "books": {"cryptography", "sqlalchemy"},
    "tabulator": {"paho"},
    "room": {"argon2"},
    "gym": {"gymnasium", "numpy"},
    "learn": {"fsrs"},
    "server": {
        "babel",
        "fastapi",
        "jinja2",
        "markupsafe",
        "paho",
        "prometheus_client",
        "pydantic",
        "segno",
        "starlette",
        "uvicorn",
    },
    "company": {"argon2", "fastapi", "jinja2", "starlette", "uvicorn"},
    "operations": {"cryptography"},
    "cli": {"typer", "rich"},
}
# Migrations are for commands; nothing that a server imports imports them. One module speaks to PostgreSQL's driver.
ALEMBIC_ALLOWED = ("migrate.py", "env.py", "first.py")
PSYCOPG_ALLOWED = ("postgres.py", "leadership.py", "migrate.py")
# Loops, seen cards and play are imported by `odds` alone; one module imports numba.
NUMPY_ALLOWED = ("loops.py", "after_raise.py", "counting.py", "features.py", "seen.py", "play.py")
NUMBA_ALLOWED = "compiled.py"


def package_of(module: Path) -> str:
    return module.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def statements_of(module: Path) -> tuple[ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, kinds))


def imports_of(module: Path) -> Iterator[str]:
    for node in statements_of(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "pitboss":
                yield from (f"pitboss.{alias.name}" for alias in node.names)
            else:
                yield node.module


IN_PACKAGES = [module for module in MODULES if package_of(module) not in ("__init__", "__main__")]


def test_a_package_imports_only_from_those_above_it() -> None:
    wrong = []
    for module in IN_PACKAGES:
        names = set(imports_of(module))
        package = package_of(module)
        allowed = set(ORDER[: ORDER.index(package) + 1])
        lower = {name.split(".")[1] for name in names if name.startswith("pitboss.")} - allowed
        wrong += [f"{module.relative_to(SOURCE)} imports {name}" for name in sorted(lower)]
    assert [] == wrong


def test_compiled_loops_are_kept_by_the_sources_of_every_package_they_can_reach() -> None:
    assert ORDER[: ORDER.index("simulate") + 1] == MATHEMATICS


def test_nothing_but_the_standard_library_and_what_design_names_is_imported() -> None:
    wrong = []
    for module in IN_PACKAGES:
        names = set(imports_of(module))
        allowed = {"pitboss", "__future__", *sys.stdlib_module_names} | OUTSIDE.get(package_of(module), set())
        allowed |= {"numpy"} if module.name in NUMPY_ALLOWED else set()
        allowed |= {"numba"} if module.name == NUMBA_ALLOWED else set()
        if package_of(module) == "books":
            allowed |= {"alembic"} if module.name in ALEMBIC_ALLOWED else set()
            allowed |= {"psycopg"} if module.name in PSYCOPG_ALLOWED else set()
        foreign = {name.split(".")[0] for name in names} - allowed
        wrong += [f"{module.relative_to(SOURCE)} imports {name}" for name in sorted(foreign)]
    assert [] == wrong


def test_no_game_is_named_outside_its_folder() -> None:
    folders = {name.replace("-", "_"): name for name in game_names()}
    registry = SOURCE / "games" / "__init__.py"
    # `pitboss --help` shows examples, which name games as a user would type them.
    examples = {*(SOURCE / "cli").glob("*/__init__.py"), *(SOURCE / "cli").glob("*/*_verbs.py")}
    found = []
    for module in MODULES:
        if module == registry or module in examples:
            continue
        own = {part for part in module.relative_to(SOURCE).parts if part in folders}
        text = module.read_text(encoding="utf-8")
        found += [
            f"{module.relative_to(SOURCE)} names {name}"
            for folder, name in folders.items()
            if folder not in own and re.search(rf"\b({folder}|{name})\b", text)
        ]
    assert [] == found


def test_r_06_shoes_are_shuffled_behind_one_door() -> None:
    """Who deals asks `randomness`, whose health tests can lock it; `simulate` deals no live round."""
    names = re.compile(r"\b(KeyStream|shuffled|draw_below)\b")
    found = {package_of(module) for module in MODULES if names.search(module.read_text(encoding="utf-8"))}
    assert found - {"simulate"} == {"cards", "randomness"}


def test_no_ruling_of_one_game_is_cited_outside_its_folder_except_by_the_words_of_the_rules() -> None:
    codes = {game.code: game.name.replace("-", "_") for game in all_games()}
    found = []
    for module in MODULES:
        parts = module.relative_to(SOURCE).parts
        if parts[0] not in ("table", "cli", "meters"):
            continue
        text = module.read_text(encoding="utf-8")
        found += [f"{module.relative_to(SOURCE)} cites {code}" for code in codes if re.search(rf"\b{code}-\d+", text)]
    assert [] == found


def test_modules_can_be_taken_in_at_one_sitting() -> None:
    long = {str(m.relative_to(SOURCE)): n for m in MODULES if (n := len(m.read_text().splitlines())) > 600}
    assert {} == long


def test_functions_fit_a_screen() -> None:
    long = [
        f"{module.relative_to(SOURCE)}:{node.lineno} {node.name}"
        for module in MODULES
        for node in statements_of(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= 70
    ]
    # The typed options of `pitboss settle` are declarations, not steps.
    assert [name for name in long if not name.endswith(" settle") or "cli/games/__init__.py" not in name] == []


def test_nothing_is_left_undone_in_the_source() -> None:
    marks = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|NotImplemented" + r"Error)\b")
    assert [] == [str(m.relative_to(SOURCE)) for m in MODULES if marks.search(m.read_text(encoding="utf-8"))]


def test_under_server_nothing_defines_an_entry_a_projection_or_an_invariant() -> None:
    """Whoever opens, audits or reports on books without the server knows every entry and asks every rule."""
    makers = {"Projection", "Invariant", "register_kinds", "register_invariants", "entry_kind"}
    found = []
    for module in (SOURCE / "server").rglob("*.py"):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pitboss.books")
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom | ast.Import):
                names = {alias.name.rpartition(".")[2] for alias in node.names} & makers
            elif isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                fields = {target.id for target in ast.walk(node) if isinstance(target, ast.Name)}
                names = (bases & imported) | (fields & {"KIND"})
            elif isinstance(node, ast.Attribute):
                names = {node.attr} & makers
            else:
                continue
            found += [f"{module.relative_to(SOURCE)}:{node.lineno} {name}" for name in sorted(names)]
    assert [] == found
