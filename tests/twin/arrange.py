"""Cards for a random round: dealt at random, from a biased pack, or with wishes so that rare things happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hands import JOKER, SUITS, Card

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

Needs = dict[str, int]  # "dealer", "community", "0", "1", … (places in the list of seats) -> cards wanted
Wishes = list[tuple[str, list[Card]]]
WILD: list[Card] = [(2, suit) for suit in SUITS] + [JOKER]


def deal(rng: Random, game: str, decks: int, needs: Needs) -> dict[str, list[Card]]:
    pack = [(rank, suit) for rank in range(2, 15) for suit in SUITS] * decks
    if game == "deuces-wild":
        pack.append(JOKER)
    rng.shuffle(pack)
    if rng.random() < 0.4:
        prefer = biased(rng, game)
        pack.sort(key=lambda card: not prefer(card))  # stable: the preferred cards come first, shuffled
    hands: dict[str, list[Card]] = {place: [] for place in needs}
    if rng.random() < 0.5:
        for place, cards in rng.choice(WISHES[game])(rng, [key for key in needs if key.isdigit()]):
            for card in cards:
                if card in pack and len(hands[place]) < needs[place]:
                    pack.remove(card)
                    hands[place].append(card)
    for _ in range(max(needs.values())):
        for place in needs:
            if len(hands[place]) < needs[place]:
                hands[place].append(pack.pop(0))
    return hands


def biased(rng: Random, game: str) -> Callable[[Card], bool]:
    """A taste for some cards; now and then another one slips in."""
    ranks = set(rng.sample(range(2, 15), rng.randint(2, 6)))
    suits = set(rng.sample(SUITS, rng.randint(1, 2)))
    low = rng.randint(2, 10)
    slip = {(rng.randint(2, 14), rng.choice(SUITS)) for _ in range(rng.randint(0, 12))}
    tastes: list[Callable[[Card], bool]] = [
        lambda card: card[0] in ranks,
        lambda card: card[1] in suits,
        lambda card: low <= card[0] <= low + 4,
        lambda card: card[0] >= 10,
        lambda card: card[0] <= 9 and card[0] != low,
        lambda card: low <= card[0] <= low + 6 and card[1] in suits,
    ]
    if game == "deuces-wild":
        tastes += [lambda card: card[0] in (0, 2) or card[0] in ranks] * 2
    taste = rng.choice(tastes)
    return lambda card: taste(card) != (card in slip)


def some_suits(rng: Random) -> list[str]:
    return rng.sample(SUITS, 4)


def run(top: int, size: int, suit: str) -> list[Card]:
    """Cards in sequence down from `top`; an Ace where the sequence reaches one."""
    return [(14 if rank == 1 else rank, suit) for rank in range(top, top - size, -1)]


def mixed(rng: Random, cards: list[Card]) -> list[Card]:
    return rng.sample(cards, len(cards))


# --- Three Card Prime


def tcp_four_card_royals(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place, suit in zip(seats, some_suits(rng), strict=False):
        a, k, q, j = run(14, 4, suit)
        wishes.append((place, rng.choice([[a, k, q, j], [k, q, j, a], [q, a, k, j], [a, k, j, q]])))
    return wishes


def tcp_four_card_runs(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place, suit in zip(seats, some_suits(rng), strict=False):
        cards = run(rng.randint(4, 14), 4, suit)
        if rng.random() < 0.5:
            cards[3] = (cards[3][0], rng.choice(SUITS))
        if rng.random() < 0.3:
            cards[1] = (cards[1][0], rng.choice(SUITS))
        wishes.append((place, cards[:3] + cards[3:] if rng.random() < 0.7 else mixed(rng, cards)))
    return wishes


def tcp_seven_in_a_row(rng: Random, seats: list[str]) -> Wishes:
    cards = mixed(rng, run(rng.choice([14, 14, 7, rng.randint(7, 14)]), 7, rng.choice(SUITS)))
    return [("dealer", cards[:3]), (rng.choice(seats), cards[3:])]


def tcp_royals_through_the_dealer(rng: Random, seats: list[str]) -> Wishes:
    suits = some_suits(rng)
    wishes: Wishes = [("dealer", [(10, suit) for suit in suits[:3]])]
    return wishes + [(place, mixed(rng, run(14, 4, suit))) for place, suit in zip(seats, suits, strict=False)]


def tcp_six_card_royal(rng: Random, seats: list[str]) -> Wishes:
    cards = mixed(rng, run(rng.choice([14, 14, rng.randint(6, 14)]), 6, rng.choice("ddshc")))
    return [("dealer", cards[:3]), (rng.choice(seats), cards[3:])]


def tcp_five_card_royal(rng: Random, seats: list[str]) -> Wishes:
    cards = mixed(rng, run(14, 5, rng.choice(SUITS)))
    cut = rng.choice([2, 3])
    return [("dealer", cards[:cut]), (rng.choice(seats), cards[cut:])]


def tcp_bad_beats(rng: Random, seats: list[str]) -> Wishes:
    suits = some_suits(rng)
    dealers = [
        run(14, 3, suits[0]),
        [(14, suit) for suit in suits[:3]],
        run(13, 3, suits[0]),
        [(9, s) for s in suits[1:]],
    ]
    wishes: Wishes = [("dealer", rng.choice(dealers))]
    for place in seats:
        rank, suit = rng.randint(4, 12), rng.choice(SUITS)
        straight = [(rank, "s"), (rank - 1, "h"), (rank - 2, rng.choice(SUITS))]
        flush = [(rank, suit), (rank - 2, suit), (13, suit)]
        wishes.append((place, rng.choice([run(rank, 3, suit), [(rank, s) for s in some_suits(rng)], straight, flush])))
    return wishes


def tcp_copies(rng: Random, seats: list[str]) -> Wishes:
    ranks = rng.choice([rng.sample(range(2, 15), 3), [14, 13, 12], [14, 2, 3], [9, 9, 5], [12, 5, 3], [11, 6, 4]])
    straight_suits = rng.random() < 0.4
    wishes: Wishes = []
    for place, suit in zip(["dealer", *seats], some_suits(rng), strict=False):
        suits = [suit] * 3 if straight_suits and len(set(ranks)) == 3 else [rng.choice(SUITS) for _ in ranks]
        wishes.append((place, list(zip(ranks, suits, strict=True))))
    return wishes


def tcp_dealer_does_not_qualify(rng: Random, seats: list[str]) -> Wishes:
    low = rng.choice([[11, 9, 7], [11, 6, 3], [10, 8, 5], [8, 5, 2], [11, 10, 8]])
    wishes: Wishes = [("dealer", [(low[0], "s"), (low[1], "h"), (low[2], rng.choice("dc"))])]
    for place in seats:
        ranks = rng.choice([[9, 7, 3], [11, 9, 7], [6, 4, 2], [10, 7, 2], [14, 5, 3]])
        suits = rng.choice(["shd", "ddd", "cch", "hhh"])
        wishes.append((place, list(zip(ranks, suits, strict=True))))
    return wishes


def tcp_loose_deuces(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place, suit in zip(seats, some_suits(rng), strict=False):
        rank = rng.randint(3, 14)
        three = rng.choice([[(rank, "s"), (rank, "h"), (7, "d")], run(14, 3, suit), run(max(rank, 5), 3, suit)])
        wishes.append((place, [*three, (2, suit)]))
    return wishes


def one_colour(rng: Random, seats: list[str]) -> Wishes:
    suits = rng.choice(["hd", "sc"])
    cards = mixed(rng, [(rank, suit) for rank in range(2, 15) for suit in suits])
    return [(place, [cards.pop() for _ in range(6) if cards]) for place in rng.sample(seats, len(seats))[:3]] + [
        ("dealer", cards)
    ]


def quads_and_trips(rng: Random, seats: list[str]) -> Wishes:
    ranks = rng.sample(range(3, 15), len(seats))
    return [
        (place, [(rank, suit) for suit in some_suits(rng)[: rng.choice([3, 4, 4])]])
        for place, rank in zip(seats, ranks, strict=True)
    ]


# --- Deuces Wild


def dw_wild_in_hand(rng: Random, seats: list[str]) -> Wishes:
    wild = mixed(rng, WILD)
    count = rng.choice([5, 5, 4, 3])
    return [(place, wild[:count] if i == 0 else wild[count:]) for i, place in enumerate(mixed_places(rng, seats)[:2])]


def dw_two_each(rng: Random, seats: list[str]) -> Wishes:
    wild = mixed(rng, WILD)
    return [(place, wild[2 * i : 2 * i + 2]) for i, place in enumerate(mixed_places(rng, seats)[:2])]


def dw_wild_community(rng: Random, seats: list[str]) -> Wishes:
    wild = mixed(rng, WILD)
    count = rng.randint(1, 4)
    return [("community", wild[:count]), (rng.choice(seats), wild[count:])]


def dw_natural_royals(rng: Random, seats: list[str]) -> Wishes:
    return [(place, mixed(rng, run(14, 5, suit))) for place, suit in zip(seats, some_suits(rng), strict=False)]


def dw_royal_community(rng: Random, seats: list[str]) -> Wishes:
    cards = mixed(rng, run(rng.choice([14, 14, 9]), 5, rng.choice(SUITS)))
    return [("community", cards[:4]), (rng.choice(seats), [cards[4], rng.choice(WILD), rng.choice(WILD)])]


def dw_one_rank_and_wild(rng: Random, seats: list[str]) -> Wishes:
    wild, rank = mixed(rng, WILD), rng.randint(3, 14)
    return [(rng.choice(seats), mixed(rng, [(rank, suit) for suit in SUITS] + wild[:2])), ("community", wild[2:4])]


def mixed_places(rng: Random, seats: list[str]) -> list[str]:
    return rng.sample(seats, len(seats))


# --- Super Three Card


def stc_suited_trips_on_the_dealers_card(rng: Random, seats: list[str]) -> Wishes:
    card = (rng.choice([14, 14, 14, 13, 13, 12, 12, rng.randint(2, 11)]), rng.choice(SUITS))
    return [("dealer", [card])] + [(place, [card, card]) for place in mixed_places(rng, seats)[: rng.randint(1, 3)]]


def stc_everyone_near_the_dealers_card(rng: Random, seats: list[str]) -> Wishes:
    card = (rng.randint(2, 14), rng.choice(SUITS))
    wishes: Wishes = [("dealer", [card, (rng.randint(2, 14), rng.choice(SUITS))])]
    for place in seats:
        other = (rng.randint(2, 14), card[1])
        wishes.append(
            (place, rng.choice([[card, other, card], [other, other, other], [card, card, card], [card, other]]))
        )
    return wishes


def stc_mini_royals(rng: Random, seats: list[str]) -> Wishes:
    suit = rng.choice(SUITS)
    top = rng.choice([14, 14, rng.randint(3, 14)])
    wishes: Wishes = [("dealer", mixed(rng, run(top, 3, suit)))]
    return wishes + [(place, mixed(rng, run(top, 3, suit))) for place in seats]


def stc_pairs_and_flushes(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place in ["dealer", *seats]:
        rank, suit = rng.choice([9, 10, 10, 11, 11, 12]), rng.choice("sh")
        wishes.append((place, rng.choice([[(rank, suit), (rank, "d"), (4, "c")], [(rank, suit)] * 2, run(9, 1, suit)])))
    return wishes


# --- Four Card Prime


def fcp_royals(rng: Random, seats: list[str]) -> Wishes:
    size = rng.choice([4, 5, 5])
    top = rng.choice([14, 14, 13, 5])
    return [(place, run(top, size, suit)) for place, suit in zip(seats, some_suits(rng), strict=False)]


def fcp_bad_beats(rng: Random, seats: list[str]) -> Wishes:
    rank = rng.randint(10, 14)
    suits = some_suits(rng)
    wishes: Wishes = [("dealer", [(rank, suit) for suit in suits])]
    for place in seats:
        lower = rng.randint(4, 9)
        wishes.append(
            (
                place,
                rng.choice(
                    [
                        [(lower, suit) for suit in suits],
                        run(lower + 1, 4, rng.choice(suits)),
                        [(lower, suit) for suit in suits[:3]],
                    ]
                ),
            )
        )
    return wishes


def fcp_four_aces(rng: Random, seats: list[str]) -> Wishes:
    aces = [(14, suit) for suit in SUITS]
    wishes: Wishes = [(seats[0], aces[: rng.choice([3, 4, 4])])]
    for place, rank in zip(seats[1:], rng.sample(range(2, 14), len(seats) - 1), strict=True):
        wishes.append((place, [(rank, suit) for suit in SUITS]))
    return wishes


# --- 3 Card Double Play


def tdp_double_mini_royals(rng: Random, seats: list[str]) -> Wishes:
    suits = some_suits(rng)
    pairs = [suits[:2], suits[2:]]
    return [
        (place, mixed(rng, run(14, 3, pair[0]) + run(14, 3, pair[1])))
        for place, pair in zip(mixed_places(rng, seats), pairs, strict=False)
    ]


def tdp_mini_royal_and_more(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place, suit in zip(seats, some_suits(rng), strict=False):
        rank = rng.randint(2, 14)
        more = rng.choice([[(rank, s) for s in SUITS if s != suit], run(max(3, min(rank, 11)), 3, rng.choice(SUITS))])
        wishes.append((place, mixed(rng, run(14, 3, suit) + more)))
    return wishes


def tdp_six_in_a_row(rng: Random, seats: list[str]) -> Wishes:
    top = rng.choice([14, 14, 6, rng.randint(6, 14)])
    size = rng.choice([5, 6, 6])
    return [(place, mixed(rng, run(top, size, suit))) for place, suit in zip(seats, some_suits(rng), strict=False)]


def tdp_two_trips_or_pairs(rng: Random, seats: list[str]) -> Wishes:
    ranks = rng.sample(range(2, 15), 13)
    size = rng.choice([2, 3])
    return [
        (place, [(rank, suit) for rank in (ranks.pop(), ranks.pop()) for suit in some_suits(rng)[:size]])
        for place in seats[:6]
    ]


def tdp_straights_and_flushes(rng: Random, seats: list[str]) -> Wishes:
    wishes: Wishes = []
    for place in seats:
        top, suit = rng.randint(3, 14), rng.choice(SUITS)
        straight = [(rank, rng.choice(SUITS)) for rank, _ in run(top, 3, suit)]
        flush = [(rank, suit) for rank in rng.sample(range(2, 15), 3)]
        wishes.append((place, rng.choice([straight + flush, run(top, 3, suit) + flush, straight + run(6, 3, suit)])))
    return wishes


def tdp_copies(rng: Random, seats: list[str]) -> Wishes:
    ranks = rng.sample(range(2, 15), 3)
    return [(place, [(rank, rng.choice(SUITS)) for rank in ranks]) for place in ["dealer", *seats]]


WISHES: dict[str, list[Callable[[Random, list[str]], Wishes]]] = {
    "three-card-prime": [
        tcp_four_card_royals,
        tcp_four_card_royals,
        tcp_four_card_runs,
        tcp_seven_in_a_row,
        tcp_royals_through_the_dealer,
        tcp_six_card_royal,
        tcp_five_card_royal,
        tcp_bad_beats,
        tcp_copies,
        tcp_dealer_does_not_qualify,
        tcp_loose_deuces,
        one_colour,
        quads_and_trips,
    ],
    "deuces-wild": [
        dw_wild_in_hand,
        dw_wild_in_hand,
        dw_two_each,
        dw_wild_community,
        dw_natural_royals,
        dw_royal_community,
        dw_one_rank_and_wild,
        quads_and_trips,
    ],
    "super-three-card": [
        stc_suited_trips_on_the_dealers_card,
        stc_suited_trips_on_the_dealers_card,
        stc_everyone_near_the_dealers_card,
        stc_mini_royals,
        stc_pairs_and_flushes,
        tcp_copies,
    ],
    "four-card-prime": [
        fcp_royals,
        fcp_royals,
        fcp_bad_beats,
        fcp_four_aces,
        fcp_four_aces,
        one_colour,
        quads_and_trips,
        tcp_copies,
    ],
    "three-card-double-play": [
        tdp_double_mini_royals,
        tdp_double_mini_royals,
        tdp_mini_royal_and_more,
        tdp_six_in_a_row,
        tdp_two_trips_or_pairs,
        tdp_straights_and_flushes,
        tdp_copies,
        quads_and_trips,
    ],
}
