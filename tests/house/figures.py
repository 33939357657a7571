"""Figures of the source tree that the house holds down: `python -m tests.house.figures` prints them."""

from __future__ import annotations

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[2] / "src" / "pitboss"
VAGUE_WORDS = frozenset(
    ["each", "found", "said", "made", "asked", "told", "given", "kept", "known", "wanted", "stated", "taken", "shown"]
)
"""Words that say nothing of what a thing is (HOUSE.md, section 2)."""


class Binding(NamedTuple):
    """A name that a module binds, and where."""

    name: str
    path: Path
    line: int

    @property
    def is_vague(self) -> bool:
        """True if the name is one of the vague words, whatever underscores or capitals it has."""
        return self.name.strip("_").lower() in VAGUE_WORDS


class Figures(NamedTuple):
    """The size of the tree and what is wrong with it."""

    lines: int
    modules: int
    import_lines: int
    bindings: int
    vague: tuple[Binding, ...]
    repeated_classes: dict[str, list[str]]


def module_paths(under: Path = SOURCE) -> list[Path]:
    """Return every module of the tree."""
    return sorted(under.rglob("*.py"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return every node of a module's syntax tree; the module itself is the first."""
    return list(ast.walk(ast.parse(path.read_text())))


def bindings_of(path: Path) -> Iterator[Binding]:
    """Yield every name that a module binds: variables, parameters, fields, functions and classes."""
    for node in nodes_of(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield Binding(node.id, path, node.lineno)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield Binding(node.name, path, node.lineno)
        elif isinstance(node, ast.arg):
            yield Binding(node.arg, path, node.lineno)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield Binding(node.attr, path, node.lineno)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield Binding(node.name, path, node.lineno)
        elif isinstance(node, ast.alias) and node.asname:
            yield Binding(node.asname, path, node.lineno)


def import_lines_of(path: Path) -> int:
    """Count the lines that import statements and `__all__` take."""
    count = 0
    for node in nodes_of(path):
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        is_door = isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        )
        if is_import or is_door:
            assert isinstance(node, ast.stmt)
            count += (node.end_lineno or node.lineno) - node.lineno + 1
    return count


def repeated_classes(paths: list[Path]) -> dict[str, list[str]]:
    """Return the public class names that stand in several modules, with those modules."""
    modules: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        module = nodes_of(path)[0]
        assert isinstance(module, ast.Module)
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(SOURCE)))
    return {name: where for name, where in sorted(modules.items()) if len(where) > 1}


def measure(under: Path = SOURCE) -> Figures:
    """Measure the tree, or a part of it."""
    paths = module_paths(under)
    bindings = [binding for path in paths for binding in bindings_of(path)]
    return Figures(
        lines=sum(len(path.read_text().splitlines()) for path in paths),
        modules=len(paths),
        import_lines=sum(map(import_lines_of, paths)),
        bindings=len(bindings),
        vague=tuple(binding for binding in bindings if binding.is_vague),
        repeated_classes=repeated_classes(paths),
    )


def main() -> None:
    """Print the figures of the tree, or of a package; `--vague` lists every vague binding."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("package", nargs="?", default="", help="such as books or server/pages")
    parser.add_argument("--vague", action="store_true")
    options = parser.parse_args()
    figures = measure(SOURCE / options.package)
    if options.vague:
        for binding in figures.vague:
            print(f"{binding.path.relative_to(SOURCE)}:{binding.line} {binding.name}")
    print(f"lines {figures.lines:,}  modules {figures.modules}")
    print(f"import and __all__ lines {figures.import_lines:,} = {figures.import_lines / figures.lines:.1%}")
    share = len(figures.vague) / figures.bindings
    print(f"vague bindings {len(figures.vague):,} of {figures.bindings:,} = {share:.1%}", end=" ")
    print(dict(Counter(binding.name for binding in figures.vague).most_common(13)))
    print(f"public class names in several modules {len(figures.repeated_classes)}")
    for name, where in figures.repeated_classes.items():
        print(f"  {name}: {', '.join(where)}")


if __name__ == "__main__":
    main()
