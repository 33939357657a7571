"""Super Three Card: identical cards, the Odds wager, surrender, two sensors."""

from tests.cli.running import Hand

_ODDS = "--decks 6 --paytable PT-FLT-STC-01"
_THREE_ACES_TWICE = (
    f"{_ODDS} --dealer 'Ah Ks 3d' --seat 'Ah Ah 9c | ante-odds-play=5 twenty-one-plus-three=1 | play' "
    "--seat 'Ah Ah 9d | ante-odds-play=5 twenty-one-plus-three=1 | play' --paytable PT-BJS-213-03 --meter 1,000.01"
)
_SUITED_PAIR = (1500, 3500, "Suited Pair")
_ACES = "Three-of-a-Kind Aces Suited"

HANDS = (
    Hand(
        why="STC-1: two identical kings beat a flush; Odds 2 to 1; Big Hand reads them with the dealer's nine",
        typed=f"{_ODDS} --dealer '9c 5c 2c' --seat 'Kh Kh 4d | ante-odds-play=10 big-hand-bonus=5 | play' --paytable PT-FLT-STC-BH-01",
        comes_to={"ante-odds-play": (3000, 7000, "Suited Pair"), "big-hand-bonus": (500, 2500, "Suited Pair")},
    ),
    Hand(
        why="STC-2: tens win, and the Odds push",
        typed=f"{_ODDS} --dealer '9c Kd 2h' --seat 'Th Td 4c | ante-odds-play=10 | play'",
        comes_to={"ante-odds-play": (3000, 5000, "Pair of Tens or less")},
    ),
    Hand(
        why="jacks win, and the Odds are paid even money",
        typed=f"{_ODDS} --dealer '9c Kd 2h' --seat 'Jh Jd 4c | ante-odds-play=10 | play'",
        comes_to={"ante-odds-play": (3000, 6000, "Pair of Jacks or Better")},
    ),
    Hand(
        why="STC-2, rule 6: a tie wins, and a hand below a pair pushes the Odds",
        typed=f"{_ODDS} --dealer 'Ah 9c 4d' --seat 'As 9d 4c | ante-odds-play=10 | play'",
        comes_to={"ante-odds-play": (3000, 5000, "Pair of Tens or less")},
    ),
    Hand(
        why="STC-3, STC-8: surrender: the Ante is lost, the Odds come back, the dealer draws no more; Big Hand stands",
        typed=f"{_ODDS} --dealer 9c --seat 'Td 8h | ante-odds-play=10 big-hand-bonus=5 | surrender' --paytable PT-FLT-STC-BH-01",
        comes_to={"ante-odds-play": (2000, 1000, None), "big-hand-bonus": (500, 3500, "Straight")},
    ),
    Hand(
        why="four aces of hearts out of eight decks: all three wagers at their best row",
        typed="--decks 8 --dealer 'Ah Ks 3d' --seat 'Ah Ah Ah | ante-odds-play=5 big-hand-bonus=5 twenty-one-plus-three=1 | play' "
        "--paytable PT-FLT-STC-03 --paytable PT-FLT-STC-BH-01 --paytable PT-BJS-213-03 --meter 4,567.89",
        comes_to={
            "ante-odds-play": (1500, 27_500, "Three-of-a-Kind (Suited)"),
            "big-hand-bonus": (500, 500_500, "Three Aces (Suited)"),
            "twenty-one-plus-three": (100, 456_789, _ACES),
        },
        jackpots={"twenty-one-plus-three": (456_789, 0, 0)},
    ),
    Hand(
        why="G-3: 1.5 to 1 on $10.33 is $15.495, rounded down",
        typed="--decks 6 --dealer 'Kd 9c 2h' --seat 'Ah 9h 4h | ante-odds-play=10.33 | play' --paytable PT-FLT-STC-02",
        comes_to={"ante-odds-play": (3099, 6714, "Flush")},
    ),
    Hand(
        why="STC-5: two kings of hearts and the dealer's nine of hearts: a Flush in 21+3, a Suited Pair in Big Hand",
        typed=f"{_ODDS} --dealer '9h 5c 2c' --seat 'Kh Kh 3d | ante-odds-play=5 big-hand-bonus=5 twenty-one-plus-three=1 | play' "
        "--paytable PT-FLT-STC-BH-01 --paytable PT-BJS-213-01 --meter 1000",
        comes_to={
            "ante-odds-play": _SUITED_PAIR,
            "big-hand-bonus": (500, 2500, "Suited Pair"),
            "twenty-one-plus-three": (100, 300, "Flush"),
        },
    ),
    Hand(
        why="STC-5: ace, king, queen of spades: a Straight Flush in 21+3, a Mini Royal in Big Hand",
        typed=f"{_ODDS} --dealer 'Qs 5c 2c' --seat 'As Ks 9d | ante-odds-play=5 big-hand-bonus=5 twenty-one-plus-three=1 | play' "
        "--paytable PT-FLT-STC-BH-01 --paytable PT-BJS-213-02 --meter 1000",
        comes_to={
            "ante-odds-play": (1500, 2500, "Pair of Tens or less"),
            "big-hand-bonus": (500, 75_500, "Mini Royal (AKQ Suited)"),
            "twenty-one-plus-three": (100, 2500, "Straight Flush"),
        },
    ),
    Hand(
        why="G-7: a jackpot wager of $5 multiplies the fixed prizes",
        typed=f"{_ODDS} --dealer 'Qs 5c 2c' --seat 'As Ks 9d | ante-odds-play=5 twenty-one-plus-three=5 | play' "
        "--paytable PT-BJS-213-02 --meter 1000 --jackpot-wager 5",
        comes_to={"twenty-one-plus-three": (500, 12_500, "Straight Flush")},
    ),
    Hand(
        why="G-13: two sensors, each with its own table and meter; queens are the top row of the second only",
        typed=f"{_ODDS} --dealer 'Qd 5c 2c' "
        "--seat 'Qd Qd 9h | ante-odds-play=5 twenty-one-plus-three=1 twenty-one-plus-three-b=1 | play' "
        "--paytable PT-BJS-213-01 --paytable twenty-one-plus-three-b=PT-BJS-213-02 "
        "--meter twenty-one-plus-three=1,000 --meter twenty-one-plus-three-b=2,000.50",
        comes_to={
            "ante-odds-play": _SUITED_PAIR,
            "twenty-one-plus-three": (100, 12_500, "Three-of-a-Kind Suited"),
            "twenty-one-plus-three-b": (100, 200_050, "Three-of-a-Kind Aces, Kings, or Queens Suited"),
        },
        jackpots={"twenty-one-plus-three-b": (200_050, 0, 0)},
    ),
    Hand(
        why="G-4: five identical aces: two seats share a progressive, a cent is odd",
        typed=_THREE_ACES_TWICE,
        comes_to={
            "1 ante-odds-play": _SUITED_PAIR,
            "1 twenty-one-plus-three": (100, 50_000, _ACES),
            "2 twenty-one-plus-three": (100, 50_000, _ACES),
        },
        jackpots={"twenty-one-plus-three": (100_000, 0, 1)},
    ),
    Hand(
        why="G-4: a Bonus jackpot of this game is shared too, unless stated otherwise; the house pays",
        typed=f"{_THREE_ACES_TWICE} --jackpot-type bonus",
        comes_to={
            "1 twenty-one-plus-three": (100, 50_000, _ACES),
            "2 twenty-one-plus-three": (100, 50_000, _ACES),
        },
        jackpots={"twenty-one-plus-three": (0, 100_000, 1)},
    ),
    Hand(
        why="G-4: stated otherwise: each gets the whole",
        typed=f"{_THREE_ACES_TWICE} --jackpot-type bonus --bonus-sharing full",
        comes_to={
            "1 twenty-one-plus-three": (100, 100_001, _ACES),
            "2 twenty-one-plus-three": (100, 100_001, _ACES),
        },
        jackpots={"twenty-one-plus-three": (0, 200_002, 0)},
    ),
    Hand(
        why="STC-1: a mini-royal beats three identical aces",
        typed="--decks 6 --dealer 'Ad Ad Ad' --seat 'Ac Kc Qc | ante-odds-play=5 | play' --paytable PT-FLT-STC-03",
        comes_to={"ante-odds-play": (1500, 52_500, "Mini Royal (AKQ Suited)")},
    ),
    Hand(
        why="STC-1: a straight flush loses to three identical fours, the Odds with it",
        typed=f"{_ODDS} --dealer '4c 4c 4c' --seat '9h 8h 7h | ante-odds-play=5 | play'",
        comes_to={"ante-odds-play": (1500, 0, None)},
    ),
)
