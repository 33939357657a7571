"""The forms of a page as a browser has them: found by where they are sent, filled by name, submitted whole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any


@dataclass(slots=True)
class PageForm:
    """A form: where it is sent, and by name what its fields hold and what they may hold."""

    action: str
    values: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    options: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    disabled: list[str] = field(default_factory=list)

    def filled(self, typed: Mapping[str, Any], button: tuple[str, str] | None = None) -> dict[str, list[str]]:
        """What is sent when these fields are typed and that button is pressed; a field that is not there is an error."""
        strange = set(typed) - self.names
        assert not strange, f"{self.action} has no field {sorted(strange)}; it has {sorted(self.names)}"
        sent: dict[str, list[str]] = {}
        for name, value in self.values:
            if name not in typed:
                sent.setdefault(name, []).append(value)
        for name, value in typed.items():
            sent[name] = value if isinstance(value, list) else [str(value)]
        if button is not None:
            assert button in self.buttons, (button, self.buttons)
            sent.setdefault(button[0], []).append(button[1])
        return sent


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self._form: PageForm | None = None
        self._select, self._option = "", False
        self._area: tuple[str, list[str]] | None = None
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag in ("script", "style"):
            self._hidden += 1
        if tag == "form":
            self._form = PageForm(own.get("action", ""))
            self.forms.append(self._form)
        if self._form is None:
            return
        name = own.get("name", "")
        if tag == "input" and name:
            self._form.names.add(name)
            kind = own.get("type", "text")
            if kind in ("checkbox", "radio"):
                self._form.options.setdefault(name, []).append(own.get("value", "on"))
            if kind not in ("checkbox", "radio") or "checked" in own:
                self._form.values.append((name, own.get("value", "on" if kind in ("checkbox", "radio") else "")))
        elif tag == "select":
            self._select = name
            self._form.names.add(name)
            self._form.options[name] = []
        elif tag == "option" and self._select:
            options = self._form.options[self._select]
            options.append(own.get("value", "\0"))
            self._option = "value" not in own
            chosen = [value for key, value in self._form.values if key == self._select]
            if "selected" in own or not chosen:
                self._form.values = [pair for pair in self._form.values if pair[0] != self._select]
                self._form.values.append((self._select, options[-1]))
        elif tag == "textarea":
            self._form.names.add(name)
            self._area = (name, [])
        elif tag == "button":
            if "disabled" in own or own.get("aria-disabled") == "true":
                self._form.disabled.append(own.get("value", ""))
            if name:
                self._form.buttons.append((name, own.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._hidden -= 1
        if self._form is None:
            return
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea" and self._area is not None:
            self._form.values.append((self._area[0], "".join(self._area[1])))
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area[1].append(data)
        elif self._form is not None and self._select and self._option:
            options = self._form.options[self._select]
            options[-1] = data.strip()
            self._form.values = [(name, data.strip() if value == "\0" else value) for name, value in self._form.values]
            self._option = False
        if not self._hidden:
            self.words.append(data)


_FORM = re.compile(r"<form\b([^>]*)>.*?</form>", re.DOTALL)
_ACTION = re.compile(r'\baction="([^"]*)"')


def forms_of(page: str, ending: str = "") -> list[PageForm]:
    """Return the forms of a page, or those that are sent to an address that ends so; nothing else of it is read."""
    reader = _Reader()
    for match in _FORM.finditer(page):
        action = _ACTION.search(match[1])
        if unescape(action[1] if action else "").partition("?")[0].endswith(ending):
            reader.feed(match[0])
    return reader.forms


def form_to(page: str, ending: str) -> PageForm:
    """Return the one form of a page that is sent to an address that ends so."""
    found = forms_of(page, ending)
    assert len(found) == 1, (ending, [form.action for form in forms_of(page)])
    return found[0]


def words_of(page: str) -> str:
    """Return all that a page says, in one line."""
    reader = _Reader()
    reader.feed(page)
    return " ".join(" ".join(reader.words).split())
