"""Pay tables as they are posted: what the settlement pays on each row under the terms in force, never the raw cell."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pitboss.rules.facts import codes, decode
from pitboss.rules.outcomes import Outcome, PartResult
from pitboss.rules.pays import EVEN_MONEY, Loss, Pay, Push
from pitboss.rules.terms import Terms
from pitboss.rules.wagers import Slot, Wager, pay_array

_FULL_WORDS = {"SF": "Straight Flush", "AA": "Pair of Aces", "<": "lower than a", "&": "and"}
_SHORT = re.compile(r"\bSF\b|\bAA\b|<|&")
_TABLES_REMEMBERED = 512


class PostedRow(NamedTuple):
    """A row in force: its event, what is paid on each chip of the table, nothing where it loses, and its Envy prize.

    `printed` is the event of the row as the document prints it, which differs where a reading divides the row.
    """

    event: str
    pays: tuple[Pay, ...]
    envy: Pay | None
    printed: str

    @property
    def is_paid(self) -> bool:
        """True if a hand of the row has its chip back, or wins something."""
        return bool(self.pays)

    @property
    def pays_words(self) -> str:
        """What is paid in words; where it is more than one pay, even money and what is added to it."""
        if len(self.pays) < 2:
            return str(self.pays[0] if self.pays else Loss())
        return " + ".join("even money" if pay == EVEN_MONEY else str(pay) for pay in self.pays)


def full_words(event: str) -> str:
    """Write an event without the documents' abbreviations, for wherever there is room."""
    return _SHORT.sub(lambda short: _FULL_WORDS[short[0]], event)


@lru_cache(maxsize=_TABLES_REMEMBERED)
def posted_rows(wager: Wager, slot: Slot, terms: Terms) -> tuple[PostedRow, ...]:
    """Return the rows of a slot's table in printed order, each with what `settle` pays for every hand of it.

    A row whose hands are paid differently under the readings in force is posted as one row for each kind of hand, as
    the wager tells them apart (`made`). A row that no hand can have is not posted. While a table of the wager is not
    chosen or waits for the operator's amounts nothing is settled, and the cells stand as they are.
    """
    table = terms.tables[slot.name]
    tables = [terms.tables.get(other.name) for other in wager.slots]
    if any(other is None or other.operator_set for other in tables):
        return tuple(PostedRow(row.event, (row.pay,), row.envy, row.event) for row in table.rows)
    chips, events = slot.pays or tuple(part.name for part in wager.parts), {row.event for row in table.rows}
    paid: dict[str, dict[tuple[Pay, ...], set[str]]] = {}
    for code in codes(wager.bounds):
        facts = wager.facts(*decode(code, wager.bounds))
        outcome = wager.settle(facts, terms)
        # What a note beside the table pays is no row of it.
        if outcome.event not in events or outcome.paytable != table.id:
            continue
        assert outcome.event is not None
        kinds = paid.setdefault(outcome.event, {}).setdefault(_pays_on(outcome, chips), set())
        kinds.add(outcome.event if wager.made is None else wager.made(facts))
    rows: list[PostedRow] = []
    for row in table.rows:
        by_pays = paid.get(row.event, {})
        if len(by_pays) < 2:
            rows += [PostedRow(row.event, pays, row.envy, row.event) for pays in by_pays]
            continue
        names = [name for kinds in by_pays.values() for name in kinds]
        if len(names) != len(set(names)):
            # One hand is paid more where it wins as well: what it is paid in any case stands there.
            always = tuple(pay for pay in next(iter(by_pays)) if all(pay in pays for pays in by_pays))
            if not always:
                raise ValueError(
                    f"{table.id}: {row.event!r} pays its hands differently, and {wager.name} names no kinds"
                )
            rows.append(PostedRow(row.event, always, row.envy, row.event))
            continue
        paid_first = sorted(by_pays.items(), key=lambda item: not item[0])
        rows += [PostedRow(name, pays, row.envy, row.event) for pays, kinds in paid_first for name in sorted(kinds)]
    return tuple(rows)


def pays_by_row(posted: Sequence[PostedRow]) -> dict[str, str]:
    """Return what is paid on each printed row in words, kind by kind where the readings divide it."""
    kinds: dict[str, list[PostedRow]] = {}
    for row in posted:
        kinds.setdefault(row.printed, []).append(row)
    return {
        event: rows[0].pays_words if len(rows) == 1 else "; ".join(f"{row.event}: {row.pays_words}" for row in rows)
        for event, rows in kinds.items()
    }


@lru_cache(maxsize=_TABLES_REMEMBERED)
def posted_condition(wager: Wager, slot: Slot, terms: Terms) -> str:
    """Return when a slot's table pays, and what becomes of the other chips of the wager where that is always the same.

    The other chips come from the settlement as the rows do: "Ante and Play pay even money".
    """
    stated = slot.condition(terms) if callable(slot.condition) else slot.condition
    results: dict[str, set[str]] = {}
    for outcome in pay_array(wager, terms).outcomes if slot.pays else ():
        for part in outcome.parts:
            if outcome.paytable == terms.tables[slot.name].id and part.part not in slot.pays:
                results.setdefault(part.part, set()).add(_becomes(part))
    always = {name: words.pop() for name, words in results.items() if len(words) == 1}
    by_words: dict[str, list[str]] = {}
    for name, words in always.items():
        by_words.setdefault(words, []).append(name)
    beside = [_together(names, words) for words, names in by_words.items() if words]
    return "; ".join(filter(None, (stated, *beside)))


def _becomes(part: PartResult) -> str:
    """What becomes of a chip that no table pays, in words; nothing where it is neither lost, pushed nor even money."""
    if part.prizes:
        return "pays even money" if part.prizes == (EVEN_MONEY,) else ""
    return "pushes" if part.returned else "loses"


def _together(names: list[str], words: str) -> str:
    if len(names) == 1:
        return f"{names[0]} {words}"
    verb, _, rest = words.partition(" ")
    plural = {"loses": "lose", "pays": "pay", "pushes": "push"}[verb]
    return f"{', '.join(names[:-1])} and {names[-1]} {plural} {rest}".rstrip()


def _pays_on(outcome: Outcome, chips: tuple[str, ...]) -> tuple[Pay, ...]:
    """What is paid on each of these chips; they are settled alike, or the table would not be theirs."""
    results = {(part.returned, part.prizes) for part in outcome.parts if part.part in chips}
    if len(results) != 1:
        raise ValueError(f"{outcome.paytable}: {', '.join(chips)} are settled differently; its slot names what it pays")
    ((returned, prizes),) = results
    return prizes or ((Push(),) if returned else ())
