"""What a table posts, in words: pay tables and prizes as they are paid, limits, and what the rules demand."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pitboss.paper.words import money
from pitboss.papers.document import Block
from pitboss.papers.source import PaperSource
from pitboss.rules import PostedRow, Slot, Wager, full_words, posted_condition, posted_rows, prize_cents
from pitboss.rules.conduct import Conduct
from pitboss.rules.pays import Dollars, OfMeter, Pay, Posted
from pitboss.table.checks import limit_sentence


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
    """Return the limits of a wager, as the display shows them too."""
    return limit_sentence(source.configuration, wager, money, "to")


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


_RULES = re.compile(r"REGULATION (?:[A-Z]+-\d+(?:, )?)+")


class Told(NamedTuple):
    """A sentence, and the clause, rule or ruling behind it."""

    text: str
    source: str


def highest_only(source: PaperSource) -> Told:
    """Return that one hand of a wager is paid, and what is paid besides."""
    wagers = [source.game.by_name[name] for name in source.configuration.offered]
    besides = "; Envy is paid besides" if any(wager.envy for wager in wagers) else ""
    return Told(f"Of each wager only the highest hand is paid{besides}.", "G-2")


def hand_order(source: PaperSource) -> Told | None:
    """Return how hands rank where they are compared with the dealer's."""
    game = source.game
    if not game.hand_order:
        return None
    order = f"Hands rank from the highest: {', '.join(game.hand_order)}."
    if not game.equal_hands_source:
        return Told(order, game.hand_order_source)
    sources = f"{game.hand_order_source}; {game.equal_hands_source}"
    return Told(f"{order} A hand that equals the dealer's wins for the player.", sources)


def _sharing(source: PaperSource, name: str, pays: list[Pay]) -> Iterator[Told]:
    terms = source.configuration.terms
    is_progressive = terms.jackpot_type == "progressive"
    shares = [pay for pay in pays if isinstance(pay, OfMeter)]
    divided = [share for share in shares if not isinstance(share, Posted)]
    from_meter = name in terms.fixed_from_meter
    if divided and (is_progressive or terms.bonus_sharing == "split"):
        odd, rule = "the odd cents stay on the meter", "G-4"
        if not is_progressive:
            odd = "each share is rounded down to the cent"
        elif from_meter or len(divided) > 1:
            odd, rule = f"{odd} unless the prizes of the round take all it holds", "G-4; G-21"
        yield Told(f"Winners of the same percentage in one round at this table share it equally; {odd}.", rule)
        if any(pay != Dollars(0) for pay in pays if pay not in divided):
            whence = ", out of the meter; what it cannot cover, the house pays" if from_meter else ""
            yield Told(f"A prize in dollars is paid in full to each who wins it{whence}.", "G-5; G-20")
    if len(divided) < len(shares) or (divided and not is_progressive and terms.bonus_sharing == "full"):
        yield Told("Each winner is paid the full amount that is posted.", "G-4")


def prize_sentences(source: PaperSource, name: str) -> tuple[Told, ...]:
    """Return how the prizes of a jackpot are paid: for 1, shared or in full, and Envy under the reading in force."""
    wager, terms = source.game.by_name[name], source.configuration.terms
    rows = posted_rows(wager, wager.slots[0], terms)
    pays = [pay for row in rows for pay in row.pays]
    told = [Told("The wager does not come back: its prizes are for 1.", "G-1"), *_sharing(source, name, pays)]
    if wager.envy is not None and any(row.envy for row in rows):
        any_hand = terms.readings[wager.envy.switch] == wager.envy.any_hand
        whose = "whether or not the other made it" if any_hand else "if the other made it too"
        words = f"Envy: a player with this wager is paid it once for each other player's hand that has one, {whose}."
        told.append(Told(words, f"{wager.envy.clause.id}; {wager.envy.ruling}"))
    return tuple(told)


_DEMANDS = (
    ("prize_deck_check_from_cents", "From {} the rest of the deck is counted down and put in order"),
    ("prize_surveillance_over_cents", "over {} surveillance sees hand, wager, payout and winner first"),
    ("prize_cheque_over_cents", "over {} it is paid by check"),
)


def prize_demands_told(source: PaperSource) -> Told | None:
    """Return what prizes of which size demand in this kind of room on the day of the rules, if anything does."""
    found = [(words, source.rules.get(name)) for name, words in _DEMANDS]
    bound = [(words.format(money(setting.value)), setting.source) for words, setting in found if setting is not None]
    if not bound:
        return None
    text = "; ".join(words for words, _ in bound)
    rules = dict.fromkeys(rule for _, where in bound for rule in _RULES.findall(where))
    return Told(f"{text[:1].upper()}{text[1:]}.", "; ".join(rules))
