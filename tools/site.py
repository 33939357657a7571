"""Hooks of the documentation site: files that stand outside of `docs`, and a reference of the Python interface.

The pages in `docs` link to the README, to examples and the like as they stand in the repository. On the site these
files are under `project/`, and the links lead there. The reference is built from docstrings; no module is imported.
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pitboss"
DOCS, PROJECT, REFERENCE = "docs", "project", "api"
PACKAGES = (
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
    "books",
    "commands",
    "jackpot",
    "tabulator",
    "reports",
    "room",
    "gym",
)
"""The packages that other programs build on, in the order of their imports."""
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md", "tests/twin/README.md")
"""The pages outside of `docs` that the site shows; what else is linked to is copied as it is."""
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\[[^\]]*\])\(([^)\s]+)\)")
_DOCTEST = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.MULTILINE | re.DOTALL)


class FencedDoctests(griffe.Extension):
    """Fences the examples of docstrings, which Markdown would else read as quotations."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = _DOCTEST.sub(
                lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", obj.docstring.value
            )


def slug(heading: str, separator: str = "-") -> str:
    """Return the anchor of a heading as repository hosts make it, so that a link works there and on the site."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name anchors as everywhere, and add the pages of the project and the reference to the navigation."""
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    assert config.nav is not None
    developer: list[Any] = config.nav[-1]["Developer"]
    if len(developer) == 1:
        developer += [
            {"Contributing": f"{PROJECT}/CONTRIBUTING.md"},
            {"Security": f"{PROJECT}/SECURITY.md"},
            {"Changes": f"{PROJECT}/CHANGELOG.md"},
            {"README": f"{PROJECT}/README.md"},
            {"Examples": f"{PROJECT}/examples/README.md"},
            {"The twin": f"{PROJECT}/tests/twin/README.md"},
        ]
        places = [{name: f"{REFERENCE}/{name}.md"} for name in PACKAGES]
        config.nav.append({"Python interface": [f"{REFERENCE}/README.md", f"{REFERENCE}/room-commands.md", *places]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the reference, those of the project, and every file that a page links to."""
    for name, text in reference_pages():
        files.append(File.generated(config, f"{REFERENCE}/{name}.md", content=text))
    linked = {path for page in _pages() for path in _outside(page)} - set(PAGES)
    for path in (*PAGES, *sorted(linked)):
        files.append(File.generated(config, f"{PROJECT}/{path}", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links to files outside of `docs` to where the site has them."""
    place = page.file.src_uri
    if place.startswith(f"{REFERENCE}/"):
        return markdown
    parts = _CODE.split(markdown)
    return "".join(part if number % 2 else _LINK.sub(_moved(place), part) for number, part in enumerate(parts))


def reference_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page of the reference: one for each package, commands, and the index."""
    rows = []
    for name in PACKAGES:
        yield name, f"# pitboss.{name}\n\n" + "\n".join(_directives(name))
        rows.append(f"| [pitboss.{name}]({name}.md) | {_summary(f'pitboss.{name}')} |")
    yield "room-commands", _commands_page()
    yield "README", _INDEX + "\n".join(rows) + "\n"


_INDEX = """# Python interface

What other programs build on: the names that the packages of `pitboss` export, from their docstrings. The commands of a
room, which pages, the HTTP interface and the terminal build alike, are listed [by name](room-commands.md).

| package | is for |
|---|---|
"""


def _directives(package: str) -> Iterator[str]:
    """Yield what is shown of a package: its exported names; or all of a module, or of each module of a package."""
    door = f"pitboss.{package}"
    names = exported(door)
    if names:
        hidden = [name for name in names if _is_hidden(door, name)]
        yield _directive(door, sorted(set(names) - set(hidden)), show_root_heading=False)
        yield from (_hidden_text(door, name) for name in hidden)
    else:
        modules = sorted((SOURCE / package).rglob("*.py")) or [SOURCE / f"{package}.py"]
        yield from (_directive(_module_name(file), True) for file in modules if _defines(_module_name(file)))


def _defines(module: str) -> bool:
    """True if a module defines something, and is more than a docstring and imports."""
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    return any(isinstance(node, kinds) for node in _tree(module).body)


def _directive(path: str, members: list[str] | bool, **options: Any) -> str:
    lines = [f"      {name}: {json.dumps(value)}" for name, value in {"members": members, **options}.items()]
    return "\n".join((f"::: {path}", "    options:", *lines, ""))


def exported(module: str) -> list[str]:
    """Return the names in the `__all__` of a module, which may be added to it in parts; none where it has none."""
    names: list[str] = []
    for node in _tree(module).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.AugAssign(target=ast.Name(id="__all__")):
                names += ast.literal_eval(node.value)
    return names


def _origin(module: str, name: str) -> tuple[str, str]:
    """Return the module that defines a name of a module, and what it is called there."""
    body = _tree(module).body
    # What is imported for types alone stands in an `if`.
    guarded = [node for condition in body if isinstance(condition, ast.If) for node in condition.body]
    for node in (*body, *guarded):
        if isinstance(node, ast.ImportFrom) and node.module and node.module != module:
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return _origin(node.module, alias.name)
    return module, name


def _is_hidden(door: str, name: str) -> bool:
    """True if the reader of docstrings misses a name: there is a module called so, or it is one of several assigned."""
    module, own_name = _origin(door, name)
    return _has_module(door, name) or own_name in _tuple_values(module)


def _has_module(package: str, name: str) -> bool:
    folder = SOURCE.parent.joinpath(*package.split("."))
    return (folder / f"{name}.py").is_file() or (folder / name).is_dir()


def _hidden_text(door: str, name: str) -> str:
    module, own_name = _origin(door, name)
    value = _tuple_values(module).get(own_name)
    heading = f'<h3 id="{door}.{name}"><code>{name}</code></h3>'
    if value is not None:
        return f"{heading}\n\nA constant, `{value}`.\n"
    path = f"{module}.{own_name}"
    # A module that is exported itself has its own heading.
    return _directive(path, True) if path == f"{door}.{name}" else f"{heading}\n\n{_directive(path, True)}"


def _tuple_values(module: str) -> dict[str, str]:
    """Return the constants that a module assigns several at once, each with its value as it is written."""
    return {
        target.id: ast.unparse(value)
        for node in _tree(module).body
        if isinstance(node, ast.Assign)
        for several in node.targets
        if isinstance(several, ast.Tuple) and isinstance(node.value, ast.Tuple)
        for target, value in zip(several.elts, node.value.elts, strict=True)
        if isinstance(target, ast.Name)
    }


def commands() -> dict[str, str]:
    """Return the class of each command of a room by the command's name, as `@command` declares them."""
    classes = {}
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for node in ast.parse(text).body if "command(" in text else ():
            match node:
                case ast.ClassDef(
                    decorator_list=[
                        ast.Call(func=ast.Name(id="command") | ast.Attribute(attr="command"), args=[name]),
                        *_,
                    ]
                ):
                    classes[ast.literal_eval(name)] = f"{_module_name(file)}.{node.name}"
    return dict(sorted(classes.items()))


def _commands_page() -> str:
    texts = [
        f"## {name}\n\n{_directive(path, members=False, heading_level=3, show_bases=False)}"
        for name, path in commands().items()
    ]
    return "# Commands of a room\n\nEach is a value; `Room.do` carries it out.\n\n" + "\n".join(texts)


def _module_name(file: Path) -> str:
    return ".".join(("pitboss", *file.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


@cache
def _tree(module: str) -> ast.Module:
    """Parse a module of ours; any other is empty."""
    if not module.startswith("pitboss"):
        return ast.Module([], [])
    path = SOURCE.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def _summary(module: str) -> str:
    return (ast.get_docstring(_tree(module)) or "").partition("\n")[0]


def _pages() -> Iterator[str]:
    yield from (str(path.relative_to(ROOT)) for path in sorted((ROOT / DOCS).rglob("*.md")))
    yield from PAGES


def _outside(page: str) -> Iterator[str]:
    """Yield the files outside of `docs` that a page links to, as paths in the repository."""
    text = _CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    for _, target in _LINK.findall(text):
        path = _in_repository(page, target)
        if path is not None and not path.startswith(f"{DOCS}/") and (ROOT / path).is_file():
            yield path


def _in_repository(page: str, target: str) -> str | None:
    """Return the path in the repository that a link of a page leads to; none where it leads elsewhere."""
    path = target.partition("#")[0]
    if not path or re.match(r"[a-z]+:", target):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def _moved(place: str) -> Any:
    """Return the function that rewrites a link of the page at a place of the site."""
    project = place.startswith(f"{PROJECT}/")
    page = place.removeprefix(f"{PROJECT}/") if project else f"{DOCS}/{place}"

    def rewrite(link: re.Match[str]) -> str:
        label, target = link.groups()
        path = _in_repository(page, target)
        if path is None:
            return link[0]
        if not (ROOT / path).exists():
            # The digest of the regulation cites sections as [WAC-671](2), which is no link.
            return f"{label}\\({target})"
        there = path.removeprefix(f"{DOCS}/") if path.startswith(f"{DOCS}/") else f"{PROJECT}/{path}"
        anchor = target.partition("#")[1:]
        return f"{label}({posixpath.relpath(there, posixpath.dirname(place))}{''.join(anchor)})"

    return rewrite
