"""The submission of internal controls: what a commission, or a Tribal Gaming Agency with the state, is sent."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from pitboss import law
from pitboss.commands.description import day_words
from pitboss.commands.roles import SYSTEM
from pitboss.law.papers import PARTS
from pitboss.paper.words import decimal, money, percent
from pitboss.papers import document
from pitboss.papers.document import Block
from pitboss.papers.posted import capital, limit_text, paper_tables, pay_block, prize_sentences
from pitboss.papers.procedure import procedure
from pitboss.papers.source import PaperSource
from pitboss.reports.render import days_in_words
from pitboss.room.commands import COMMANDS
from pitboss.rules import StageKind, prize_cents
from pitboss.rules.pays import Dollars
from pitboss.table.checks import check_configuration
from pitboss.table.comparison import setting_words
from pitboss.table.costs import cost_of
from pitboss.tabulator.equipment import find_model


def _game_blocks(source: PaperSource) -> Iterator[Block]:
    game, configuration = source.game, source.configuration
    kind = "House-banked card room" if configuration.profile == "wa-commercial" else "Tribal casino"
    yield document.heading("The game")
    yield document.fields(
        [
            ("Game", game.title),
            ("Kind of room", kind),
            ("Rules as of", day_words(configuration.on)),
            ("Played with", game.deck_of(configuration.decks).words),
            ("Dealt", setting_words("dealt", configuration.dealt)),
            *([("Cut card after", f"{configuration.cut_card} cards")] if configuration.cut_card else []),
            ("Seats", str(configuration.seats)),
        ]
    )
    yield document.grid(
        ["Approval letter", "About", "Rules of play held"],
        [
            (day_words(letter.date), capital(days_in_words(letter.about)), "yes" if letter.rules_held else "no")
            for letter in game.approval.letters
        ],
    )


def _wager_blocks(source: PaperSource) -> Iterator[Block]:
    game, configuration = source.game, source.configuration
    yield document.heading("Wagers, pay tables and limits")
    yield document.grid(
        ["Wager", "Pay tables", "Limits>"],
        [
            (
                capital(game.by_name[name].title),
                ", ".join(table.id for table in paper_tables(source) if table.wager == name),
                limit_text(source, name),
            )
            for name in configuration.offered
        ],
    )
    yield document.pay_tables(map(pay_block, paper_tables(source)))


def _equipment_blocks(source: PaperSource) -> Iterator[Block]:
    yield document.heading("Equipment")
    yield from _model_blocks(source)
    known = {part: source.makers.get(part, ("", "")) for part in PARTS}
    if source.configuration.profile == "wa-tribal":
        columns = ["Part", "Maker or distributor", "Certified by the state", "Licensed by the Tribe"]
        rows = [[part.capitalize(), maker, "", licence] for part, (maker, licence) in known.items()]
    else:
        columns = ["Part", "Maker or distributor", "License"]
        rows = [[part.capitalize(), maker, licence] for part, (maker, licence) in known.items()]
    yield document.grid(columns, [[cell or "to be filled in" for cell in row] for row in rows])
    demanded = [clause for place, clause in source.game.clauses.items() if place.startswith("Equipment, ")]
    yield document.bullets((clause.quote, clause.id) for clause in demanded)


_LIGHTS = {"panel": "on the dealer's panel", "sensors": "at the sensors"}


def _model_blocks(source: PaperSource) -> Iterator[Block]:
    """The model that counts the wagers, with where this game's document speaks of it."""
    stated = source.configuration.equipment
    if stated is None:
        yield document.fields([("Model", "to be filled in")])
        return
    model = find_model(stated)
    clauses, stages = source.game.clauses, source.game.stages
    collected = next(stage.clause for stage in stages if stage.kind is StageKind.COLLECT)
    if model is None or not model.sensors:
        yield document.paragraph("No bet tabulator: jackpot wagers are counted at the console.", "REGULATION E-09")
        return
    sensors = "one sensor" if model.sensors == 1 else f"up to {model.sensors} sensors"
    text = f"{model.title}: {sensors} at each of {model.positions} positions, lights {_LIGHTS[model.lights]}."
    yield document.paragraph(text, clauses.get("Equipment", collected).id)


_SHOWN = ("Tables", "Reset amount", "Meter contribution", "Reserve", "Cap", "Dealer pays", "Max wagers", "Display")
"""The terms of a defined jackpot, by how their labels begin, beside those that every configuration states."""
_FUNDS = (
    "What the display and the reserve hold is the players'. Each wager is one fixed amount; every wager counted, "
    "prize, correction and adjustment is an entry in the audit log, which an audit recalculates."
)
_LOWERED = (
    "The amount goes down only for a prize, the correction of a malfunction, a display above its cap, or seed that is "
    "recovered; a reserve also where it is booked as gross receipts. Each is documented."
)
_BANKED = (
    "A bank account holds all that is displayed, held back or owed to winners. The seed is there before play opens, "
    "contributions are deposited within {} days; while any of it is missing, play stops."
)
_REMOVED = (
    "A progressive is removed only after its tables have shown the notice for {} days. The notice names the day and "
    "where all its money goes: another progressive here whose wager costs no more, the players, or a charity."
)


def _fund_lines(source: PaperSource) -> Iterator[tuple[str, str]]:
    """How the money of a progressive is kept, lowered and given away, with the figures of the day."""
    rules, is_bound = source.rules, source.configuration.profile == "wa-commercial"
    yield _FUNDS, "REGULATION J-03; J-09" if is_bound else ""
    yield _LOWERED, "REGULATION J-14" if is_bound else ""
    if is_bound:
        yield _BANKED.format(rules["escrow_days"].value), "REGULATION J-19; G-33"
    yield _REMOVED.format(rules["removal_notice_days"].value), "REGULATION J-17; G-56"


def _configured(source: PaperSource, name: str) -> list[tuple[str, str]]:
    """How a jackpot is configured (STC: internal controls "must define how the Jackpots are configured")."""
    texts = source.configured.get(name, {})
    return [(label, text) for label, text in texts.items() if label.startswith(_SHOWN)]


def _jackpot_blocks(source: PaperSource) -> Iterator[Block]:
    configuration = source.configuration
    if not configuration.jackpots:
        return
    kind = "Progressive" if configuration.jackpot_type == "progressive" else "Bonus"
    yield document.heading("Jackpots")
    if configuration.jackpot_type == "progressive":
        yield document.bullets(_fund_lines(source))
    for name, settings in configuration.jackpots.items():
        wager = source.game.by_name[name]
        yield document.heading(capital(wager.title), 3)
        yield document.fields(
            [
                ("Type", kind),
                ("Wager", money(settings.wager_cents)),
                ("Amount at the start", money(configuration.meters[name])),
                *_configured(source, name),
                ("How it is won", wager.words),
                ("Fixed prizes are paid by", "the meter" if settings.fixed_prizes == "meter" else "the house"),
            ]
        )
        yield document.bullets(prize_sentences(source, name))
        for sentence in source.notices.get(name, ()):
            yield document.notice(sentence)


_PERMITTED = {"jackpots/seed-other": "seeding_other_allowed"}
"""What commercial rooms do only where the law of the day permits it, by the setting that says so."""


def _is_refused(source: PaperSource, name: str) -> bool:
    is_bound = source.configuration.profile == "wa-commercial"
    return is_bound and name in _PERMITTED and not source.rules.is_on(_PERMITTED[name])


def _any_of(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _people_blocks(source: PaperSource) -> Iterator[Block]:
    rows = [
        (
            re.split("[;:.]", cls.spec.summary)[0],
            _any_of(role for role in cls.spec.roles if role not in SYSTEM),
            _any_of(cls.spec.approvers),
        )
        for cls in COMMANDS
        if cls.spec.approvers and not _is_refused(source, cls.spec.name)
    ]
    yield document.heading("Who approves what")
    yield document.paragraph(
        "Nobody approves what they have asked for themselves, and the two have different roles.", "G-49"
    )
    yield document.grid(["Act", "Asked by", "Approved by"], rows)


def _reading_blocks(source: PaperSource) -> Iterator[Block]:
    game, terms = source.game, source.configuration.terms
    if not game.switches:
        return
    yield document.heading("How unclear clauses are read")
    for switch in game.switches:
        ruling = law.ruling(switch.ruling)
        _, _, reason = ruling.text.partition("Reason:")
        reading = switch.readings[terms.readings[switch.name]]
        yield document.heading(ruling.title.partition(" (switch")[0], 3)
        yield document.paragraph(f"{reading[:1].upper()}{reading[1:]}.", f"{switch.clause.id}; {switch.ruling}")
        reason = reason.split("Example:")[0].strip()
        if terms.readings[switch.name] != switch.default:
            usual = switch.readings[switch.default]
            yield document.paragraph(
                f"The usual reading is another: {usual}." + (f" Its reason: {reason}" if reason else "")
            )
            yield document.lines("The room's reason for the reading above", 2)
        elif reason:
            yield document.paragraph(f"Reason: {reason}")


def _cost_blocks(source: PaperSource) -> Iterator[Block]:
    costs = cost_of(source.configuration)
    yield document.heading("What it can cost")
    yield document.grid(
        ["Wager", "At most>", "Largest prize>", "For"],
        [
            (
                capital(source.game.by_name[cost.wager].title),
                money(cost.stake_cents),
                money(cost.largest_cents),
                cost.event,
            )
            for cost in costs.wagers
        ],
    )
    yield document.paragraph(f"One seat that wins all it may wager on in one round: {money(costs.round_cents)}.")


def _scaled(source: PaperSource) -> Iterator[Block]:
    """That the sheet prints dollar prizes for the printed wager, where the table pays a multiple of them (G-7)."""
    for name, settings in source.configuration.jackpots.items():
        wager = source.game.by_name[name]
        factor = Fraction(prize_cents(wager, Dollars(100), settings.wager_cents), 100)
        if factor != 1:
            here, printed = money(settings.wager_cents), money(settings.wager_cents // factor)
            yield document.paragraph(
                f"{capital(wager.title)}: the PAR sheet prints each prize in dollars as the rules do, for a wager of "
                f"{printed}; at {here} it is {factor} times as much.",
                "G-7",
            )


def _mathematics_blocks(source: PaperSource) -> Iterator[Block]:
    """The figures of every wager on a page; the sheet behind them is attached to the file."""
    yield document.new_page()
    yield document.heading("Mathematics")
    sheet = source.sheet
    if sheet is None:
        yield document.paragraph("The PAR sheet of this configuration belongs here; it has not been counted yet.")
        return
    yield document.paragraph(
        "Every figure is counted over all deals, none is sampled. One unit is the base wager, every decision is the "
        "best there is; a jackpot is counted without the amount it shows. The PAR sheet attached to this file holds "
        "every count, and pitboss par verify derives it again.",
        "REGULATION T-07",
    )
    yield from _scaled(source)
    yield document.grid(
        ["Wager", "Pay tables", "House edge>", "Element of risk>", "Std. deviation>", "Hits>"],
        [
            (
                capital(wager.title) + ("" if wager.basis == "alone" else f", {wager.basis.replace('-', ' ', 1)}"),
                ", ".join(wager.paytables),
                percent(wager.house_edge, 4),
                percent(wager.element_of_risk, 4),
                decimal(wager.std_dev, 4),
                percent(wager.hit_frequency, 3),
            )
            for wager in sheet.wagers
        ],
    )
    yield document.fields([("PAR sheet", sheet.digest), ("Counted by", f"Pitboss {sheet.identification.pitboss}")])


def _sources_of(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from (item.get("source", "") for item in (block, *block.get("items", ())))


def _cited(blocks: Iterable[Block]) -> dict[str, None]:
    """The rules of REGULATION.md that stand beside sentences, each once, in order."""
    return dict.fromkeys(rule for text in _sources_of(blocks) for rule in _RULE.findall(text))


def _key_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """What the sources beside the sentences are, so that nobody takes the practice of a trade for law."""
    letters = {rule[0] for rule in _cited(blocks)}
    yield document.heading("What the sources are")
    yield document.paragraph(
        "A rule, summary, appendix or footnote is one of the approved document. A ruling (G-11, TCP-3) says how an "
        "unclear clause is read, or which procedure the house follows. REGULATION names a requirement of the list that "
        "comes with Pitboss, where each has its source; its letter says of which kind it is."
    )
    key = law.regulation_key()
    yield document.grid(["Letter", "Kind"], [(letter, capital(key[letter])) for letter in key if letter in letters])


def _recalled(blocks: Iterable[Block]) -> list[tuple[str, str]]:
    """What a paper rests on that is recalled or was not found, as a line for each such rule."""
    unread = law.unread()
    return [
        (f"Steps marked {rule} rest on a rule that is {unread[rule]} and was not read.", f"REGULATION {rule}")
        for rule in _cited(blocks)
        if rule in unread
    ]


_LIMITS = {
    "single_wager_cents_max": "The single wager limit of {}.",
    "prize_cheque_over_cents": "A check for a jackpot over {}.",
}
_RULE = re.compile(r"\b[A-Z]-\d{2}\b")


def _confirm_blocks(source: PaperSource, told: Iterable[Block]) -> Iterator[Block]:
    """What the reader must know is not certain: what the check notes, what is not on file, what nobody has read."""
    _, notices = check_configuration(source.configuration)
    yield document.heading("Must be confirmed")
    items = [(f"{capital(notice.words).rstrip('.')}.", notice.clause or notice.ruling or "") for notice in notices]
    for name, words in _LIMITS.items():
        limit = source.rules.settings.get(name)
        if limit is not None and "to be confirmed" in limit.source:
            items.append((words.format(money(limit.value)), limit.source))
    items += _recalled(told)
    items += [_not_on_file(text) for text in source.missing]
    yield document.bullets(items or [("Nothing.", "")])


def _not_on_file(text: str) -> tuple[str, str]:
    """What is missing as a sentence, and beside it the rule that wants it."""
    words, _, rule = text.partition(" (")
    return f"Not on file: {words}.", rule.rstrip(")")


def _letters_known(source: PaperSource) -> Iterator[Block]:
    *earlier, last = [day_words(letter.date) for letter in source.game.approval.letters]
    letters = f"letters of {'; '.join(earlier)} and {last}" if earlier else f"letter of {last}"
    yield document.paragraph(
        f"{source.game.title}, approved by {letters}; the layout, to scale, is among these papers."
    )


def _odds_known(source: PaperSource) -> Iterator[Block]:
    if source.sheet is None:
        yield document.paragraph("The PAR sheet of this configuration, which has not been counted yet.")
        return
    edges = ", ".join(f"{wager.title} {percent(wager.house_edge, 2)}" for wager in source.sheet.wagers)
    yield document.paragraph(f"House edge: {edges}. The PAR sheet is attached.")


def _equipment_known(source: PaperSource) -> Iterator[Block]:
    known = [f"{part}: {maker}, {licence}" for part, (maker, licence) in source.makers.items()]
    model = find_model(source.configuration.equipment or "")
    texts = [*([model.title] if model is not None else []), *known]
    if texts:
        yield document.paragraph(capital("; ".join(texts)) + ".")


def _blocks(source: PaperSource) -> list[Block]:
    taught = [block for block in procedure(source)["blocks"] if block["kind"] != "paytables"]
    told = [
        *_game_blocks(source),
        *_wager_blocks(source),
        *_equipment_blocks(source),
        *_jackpot_blocks(source),
        *_people_blocks(source),
        *_reading_blocks(source),
        *_cost_blocks(source),
        *_mathematics_blocks(source),
    ]
    open_points = list(_confirm_blocks(source, (*told, *taught)))
    return [
        *told,
        *open_points,
        document.new_page(),
        document.heading("Procedures"),
        *taught,
        *_key_blocks((*told, *open_points, *taught)),
    ]


def submission(source: PaperSource) -> dict[str, Any]:
    """Return the view of the submission of internal controls of a commercial card room."""
    blocks = [
        *_blocks(source),
        document.heading("Signatures"),
        document.signatures(["General manager", "Gambling compliance", "Commission, received", "Commission, approved"]),
    ]
    return {"title": "Internal-controls submission", "subtitle": source.game.title, "blocks": blocks}


APPENDIX_A_18: Mapping[str, Callable[[PaperSource], Iterable[Block]]] = {
    "Rules of play and the layout": _letters_known,
    "Method of play and of settling wagers": lambda _: [
        document.paragraph(
            "The procedures above; every pay is what the settlement of Pitboss pays under these readings."
        )
    ],
    "Odds and house advantage": _odds_known,
    "Equipment, its makers and their certification": _equipment_known,
    "Accounting and internal controls": lambda _: [
        document.paragraph(
            "Every wager counted, prize, correction and adjustment is an entry in the audit log, which an audit "
            "recalculates; who asks for an act and who approves it stands above."
        )
    ],
    "Surveillance coverage": lambda _: [],
    "Training of dealers and supervisors": lambda _: [
        document.paragraph("Training sheets of this configuration, by number, with their answers.")
    ],
}
"""Headings for the supplement of the Compact's Appendix A, section 18, whose text we do not hold (REGULATION P-04)."""


def tribal_submission(source: PaperSource) -> dict[str, Any]:
    """Return the view of the submission to a Tribal Gaming Agency, with the supplement's headings to be filled in."""
    blocks = [
        document.heading("What the letter asks for"),
        document.bullets(
            [
                ("Approval of the Tribal Gaming Agency, asked for and obtained.", "REGULATION P-04"),
                ("Concurrence of the state, which the agency seeks before the game operates.", "REGULATION P-04"),
                (
                    "All supplemental information of the Tribal-State Compact, Appendix A, section 18.",
                    "REGULATION P-04",
                ),
                ("Makers and distributors certified by the state and licensed by the Tribe.", "REGULATION P-04"),
            ]
        ),
        *_blocks(source),
        document.new_page(),
        document.heading("Supplement: Compact, Appendix A, section 18"),
        document.paragraph(
            "The headings are ours, to be confirmed: the text of section 18 is not in our documents.", "G-15"
        ),
    ]
    for title, known in APPENDIX_A_18.items():
        filled = list(known(source))
        blocks += [document.heading(title, 3), *filled, document.lines("", 1 if filled else 3)]
    blocks.append(document.signatures(["Gaming operation", "Tribal Gaming Agency", "State, concurrence"]))
    return {"title": "Tribal submission", "subtitle": source.game.title, "blocks": blocks}
