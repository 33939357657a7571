"""What a table posts, in words: pay tables as they are paid, limits, and the sentences that the rules demand."""

from typing import NamedTuple

from pitboss.paper.words import money
from pitboss.papers.document import Block
from pitboss.papers.source import PaperSource
from pitboss.rules import PostedRow, Slot, Wager, full_words, posted_condition, posted_rows, prize_cents
from pitboss.rules.conduct import Conduct
from pitboss.rules.pays import OfMeter


class PaperRow(NamedTuple):
    """A row of a pay table: the hand, what it pays, and its Envy prize where there is one."""

    hand: str
    pays: str
    envy: str = ""


class PaperTable(NamedTuple):
    """A pay table as it is paid, headed by the chip it pays, with when it pays and its printed id behind it."""

    wager: str
    title: str
    condition: str
    rows: tuple[PaperRow, ...]
    id: str

    @property
    def has_envy(self) -> bool:
        """True if a row has an Envy prize."""
        return any(row.envy for row in self.rows)


def capital(text: str) -> str:
    """Return a text with a capital letter; the rest stays as the rules print it."""
    return text[:1].upper() + text[1:]


def _jackpot_pays(wager: Wager, row: PostedRow, stake_cents: int) -> tuple[str, str]:
    """What a row of a jackpot pays for its fixed wager: a share of the amount shown, or dollars."""
    cells = [row.pays[0] if row.pays else None, row.envy]
    texts = [
        ""
        if pay is None
        else str(pay).replace(" of the meter", " of the jackpot")
        if isinstance(pay, OfMeter)
        else money(prize_cents(wager, pay, stake_cents))
        for pay in cells
    ]
    return texts[0], texts[1]


def _rows(source: PaperSource, wager: Wager, slot: Slot) -> tuple[PaperRow, ...]:
    rows = []
    for row in posted_rows(wager, slot, source.configuration.terms):
        stake, _ = source.configuration.limits(wager.name)
        pays, envy = _jackpot_pays(wager, row, stake) if wager.jackpot else (capital(row.pays_words), "")
        if not row.is_paid or pays == money(0):
            continue
        rows.append(PaperRow(capital(full_words(row.event)), pays, envy))
    return tuple(rows)


def paper_tables(source: PaperSource) -> tuple[PaperTable, ...]:
    """Return the pay tables of every wager on offer, slot by slot, each row with what the settlement pays."""
    configuration, terms = source.configuration, source.configuration.terms
    tables = []
    for name in configuration.offered:
        wager = source.game.by_name[name]
        for slot in wager.slots:
            rows = _rows(source, wager, slot) if slot.name in terms.tables else ()
            if rows:
                condition = capital(posted_condition(wager, slot, terms))
                tables.append(PaperTable(name, wager.heading(slot), condition, rows, terms.tables[slot.name].id))
    return tuple(tables)


def limit_text(source: PaperSource, wager: str) -> str:
    """Return the least and the most of a wager, or the one amount there is."""
    least, most = source.configuration.limits(wager)
    return money(least) if least == most else f"{money(least)} to {money(most)}"


def limits(source: PaperSource) -> tuple[tuple[str, str], ...]:
    """Return what may be wagered on each option: its title, and the amount or the range."""
    titles = {name: capital(source.game.by_name[name].title) for name in source.configuration.offered}
    return tuple((title, limit_text(source, name)) for name, title in titles.items())


def pay_block(table: PaperTable) -> Block:
    """Return a pay table as a block of a paper of text."""
    columns = ["Hand", "Pays", *(["Envy"] if table.has_envy else [])]
    return {
        "title": f"{table.title}, {table.id}",
        "condition": table.condition,
        "columns": columns,
        "rows": [list(row[: len(columns)]) for row in table.rows],
    }


def players_conduct(source: PaperSource) -> tuple[Conduct, ...]:
    """Return the rules of conduct for players but the number of options, which stands with the limits."""
    four = source.game.clauses.get("four options")
    return tuple(rule for rule in source.game.conduct_of("players") if rule.clause != four)
