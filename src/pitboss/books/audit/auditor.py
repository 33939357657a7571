"""The auditor: expected books from the raw journal, by code of its own.

Written apart from the ledger and sharing nothing with it: it gets rows as the database has them, hashes
are computed and payloads taken apart here once more, and accounts are kept in another way.
What the ledger says must agree.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class AuditedBook:
    """What the auditor makes of a book: amounts by jackpot and account, counters, terms, and what it objects to."""

    entries: int = 0
    sequence: int = 0
    head: str = "00" * 32
    amounts: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    terms: dict[str, list[Any]] = field(default_factory=dict)
    objections: list[tuple[int, str]] = field(default_factory=list)
    heads_found: set[str] = field(default_factory=set)


def audit_rows(
    rows: Iterable[Sequence[Any]],
    book: AuditedBook,
    heads: frozenset[str] = frozenset(),
    left_out: frozenset[int] = frozenset(),
) -> AuditedBook:
    """Go through rows in order; `wanted` are hashes to look for, `left_out` damaged entries that move nothing."""
    for row in rows:
        try:
            _audit_row(row, book, heads, left_out)
        except (TypeError, ValueError) as error:
            number = row[1] if isinstance(row[1], int) else book.sequence + 1
            book.objections.append((number, f"a row that cannot be read: {error}"))
            book.entries, book.sequence = book.entries + 1, number
    return book


def _audit_row(row: Sequence[Any], book: AuditedBook, heads: frozenset[str], left_out: frozenset[int]) -> None:
    *fields, digest = row
    hasher = hashlib.sha256()
    for value in fields:
        text = bytes(value).hex() if isinstance(value, bytes | memoryview) else str(value)
        hasher.update(text.encode("utf-8", "surrogatepass") + b"\n")
    sequence, kind, payload = fields[1], fields[6], fields[7]
    if hasher.digest() != bytes(digest):
        book.objections.append((sequence, "the hash is not that of the fields"))
    if sequence != book.sequence + 1:
        book.objections.append((book.sequence + 1, f"it is not there: {sequence} comes next"))
    elif bytes(fields[12]).hex() != book.head:
        book.objections.append((sequence, "the entry before has another hash"))
    book.entries, book.sequence, book.head = book.entries + 1, sequence, bytes(digest).hex()
    if book.head in heads:
        book.heads_found.add(book.head)
    if sequence not in left_out:
        _take(book, sequence, kind, payload)


def _take(book: AuditedBook, sequence: int, kind: str, payload: str) -> None:
    try:
        content = json.loads(payload)
        jackpot = content.get("jackpot")
        if jackpot is None:
            return
        if "terms" in content:
            book.terms[jackpot] = content["terms"]
        if jackpot not in book.terms:
            book.objections.append((sequence, f"a {kind} of a jackpot that was never opened"))
            return
        amounts: Counter[tuple[str, str]] = Counter()
        for payer, payee, units, *_ in content.get("transfers", ()):
            amounts[jackpot, payer] -= units
            amounts[jackpot, payee] += units
        counts = {(jackpot, name): more for name, more in content.get("counts", {}).items()}
        for key, units in amounts.items():
            book.amounts[key] += units
        for key, more in counts.items():
            book.counts[key] += more
    except (ValueError, TypeError, AttributeError) as error:
        book.objections.append((sequence, f"a {kind} that cannot be read: {error}"))


def disagreements(
    audited: AuditedBook,
    balances: Mapping[str, Mapping[str, int]],
    counts: Mapping[str, Mapping[str, int]],
    terms: Mapping[str, Sequence[Any]],
) -> list[str]:
    """Return where the ledger's balances, counters and terms differ from what the auditor expects."""
    problems = []
    for words, ours, theirs in (("balance", audited.amounts, balances), ("counter", audited.counts, counts)):
        ledger = {(jackpot, name): value for jackpot, row in theirs.items() for name, value in row.items() if value}
        expected = {key: value for key, value in ours.items() if value}
        for jackpot, name in sorted(expected.keys() | ledger.keys()):
            here, there = expected.get((jackpot, name), 0), ledger.get((jackpot, name), 0)
            if here != there:
                problems.append(f"{words} {name} of {jackpot} is {there} in the ledger, {here} by the auditor")
    if {name: list(values) for name, values in terms.items()} != audited.terms:
        problems.append("the terms of jackpots differ")
    return problems
