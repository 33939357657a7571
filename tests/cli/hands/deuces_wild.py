"""Deuces Wild: wild cards, folds at three and at four cards, selections for the Fortune, the jackpot alone."""

from tests.cli.running import Hand

_NOTHING = "--community 'Kh Qd 7c 3s'"

HANDS = (
    Hand(
        why="DW-3: Ante 5, Play 5, Raise 10, all at 4 to 1 for three nines and a deuce",
        typed=f"{_NOTHING} --seat '9h 9d 2s 9c 4d | ante-play-raise=5 | play raise' --paytable APR-A",
        comes_to={"ante-play-raise": (2000, 10_000, "Four of a Kind")},
    ),
    Hand(
        why="a royal without a wild card: table B pays 100 to 1",
        typed="--community '9h Qd 7c 3s' --seat 'As Ks Qs Js Ts | ante-play-raise=5 | play raise' --paytable APR-B",
        comes_to={"ante-play-raise": (2000, 202_000, "Natural Royal Flush")},
    ),
    Hand(
        why="DW-1: five wild cards are a Wild Royal on the Ante (table C: 40) and the whole meter on the jackpot (G-6)",
        typed=f"{_NOTHING} --seat '2c 2d 2h 2s * | ante-play-raise=5 bonus-jackpot=1 | play raise' "
        "--paytable APR-C --paytable BJ-A --meter 5,000.00",
        comes_to={
            "ante-play-raise": (2000, 82_000, "Wild Royal Flush"),
            "bonus-jackpot": (100, 500_000, "5 Wild Cards"),
        },
        jackpots={"bonus-jackpot": (500_000, 0, 0)},
    ),
    Hand(
        why="four deuces and a king: Wild Royal 30, not Five of a Kind 20",
        typed="--community 'Ks Qd 7c 3s' --seat '2c 2d 2h 2s Kh | ante-play-raise=1 | play raise' --paytable APR-A",
        comes_to={"ante-play-raise": (400, 12_400, "Wild Royal Flush")},
    ),
    Hand(
        why="five, six, eight, nine and a deuce: the inside straight, 2 to 1 in table D",
        typed=f"{_NOTHING} --seat '5c 6d 2h 8s 9c | ante-play-raise=5 | play raise' --paytable APR-D",
        comes_to={"ante-play-raise": (2000, 6000, "Straight")},
    ),
    Hand(
        why="three wild cards selected of the four held, two more in the community: Five Wild Cards",
        typed="--community '2s * 7h 8h' --seat '2c 2d 9s 2h 5d | ante-play-raise=5 five-card-fortune=5 | "
        "play raise fortune=2c+2d+2h' --paytable APR-A --paytable FCF-B",
        comes_to={
            "ante-play-raise": (2000, 10_000, "Four of a Kind"),
            "five-card-fortune": (500, 50_500, "Five Wild Cards"),
        },
    ),
    Hand(
        why="DW-6: folded at three cards, the deuce is still played with two kings: a push",
        typed="--community 'Kh Kd 4c 8s' --seat '2s 7h 9c | ante-play-raise=5 five-card-fortune=5 | fold fortune=2s' "
        "--paytable APR-A --paytable FCF-A",
        comes_to={"ante-play-raise": (500, 0, None), "five-card-fortune": (500, 500, "Three of a Kind")},
    ),
    Hand(
        why="DW-6: folded at four cards: Ante and Play are lost, the selection is from the four",
        typed="--community 'Kh Ks 4c 8s' --seat '2s 7h 9c Kd | ante-play-raise=5 five-card-fortune=5 | "
        "play raise=no fortune=Kd' --paytable APR-A --paytable FCF-A",
        comes_to={"ante-play-raise": (1000, 0, None), "five-card-fortune": (500, 500, "Three of a Kind")},
    ),
    Hand(
        why="DW-6: the player selected the deuce: a Wild Royal, although the ten would have made it natural",
        typed="--community 'Ad Kd Qd Jd' --seat '9c Td 2s 3h 4h | ante-play-raise=5 five-card-fortune=5 | "
        "play raise fortune=2s' --paytable APR-A --paytable FCF-A",
        comes_to={"ante-play-raise": (2000, 0, None), "five-card-fortune": (500, 10_500, "Wild Royal Flush")},
    ),
    Hand(
        why="DW-6, the other reading: the dealer takes the ten and pays the Natural Royal",
        typed="--community 'Ad Kd Qd Jd' --seat '9c Td 2s 3h 4h | ante-play-raise=5 five-card-fortune=5 | play raise' "
        "--paytable APR-A --paytable FCF-A --reading fortune_after_raise=dealer_takes_best",
        comes_to={"ante-play-raise": (2000, 0, None), "five-card-fortune": (500, 200_500, "Natural Royal Flush")},
    ),
    Hand(
        why="G-19: the Fortune alone, deuce and joker selected beside ace, king, queen of hearts",
        typed="--community 'Ah Kh Qh 9d' --seat '2s * 7h | five-card-fortune=5 | fortune=2s+*' --paytable FCF-C",
        comes_to={"five-card-fortune": (500, 13_000, "Wild Royal Flush")},
    ),
    Hand(
        why="DW-8: the Treasure alone; a deuce completes queen, king, ace of spades",
        typed="--community '9h Qd 7c 3s' --seat '2s Ks As | three-card-treasure=10' --paytable TCT-A",
        comes_to={"three-card-treasure": (1000, 21_000, "Mini Royal (QKA suited)")},
    ),
    Hand(
        why="deuce, joker and a five: a straight flush is worth more than trips",
        typed=f"{_NOTHING} --seat '2s * 5h | three-card-treasure=10' --paytable TCT-B",
        comes_to={"three-card-treasure": (1000, 6000, "Straight Flush")},
    ),
    Hand(
        why="G-7: a five-dollar jackpot wager: two wild cards pay 5 for 1 on it, and it does not come back",
        typed="--community '9h Qd 7c 3s' --seat '2s 2h 5d 9c Kd | bonus-jackpot=5' --paytable BJ-B --meter 777.77 --jackpot-wager 5",
        comes_to={"bonus-jackpot": (500, 2500, "2 Wild Cards")},
    ),
    Hand(
        why="DW-4, G-6: table D of a progressive is all percentages; two seats share 1 %, a cent is odd",
        typed="--community '9h 8h 7c 3s' --seat '2s 2h 5d 9c Kd | bonus-jackpot=1' --seat '2c * 6d Tc Qd | bonus-jackpot=1' "
        "--paytable BJ-D --pays 'BJ-D:5 Wild Cards=100%' --pays 'BJ-D:4 Wild Cards=10%' --pays 'BJ-D:3 Wild Cards=2%' "
        "--pays 'BJ-D:2 Wild Cards=1%' --meter '1,001'",
        comes_to={"1 bonus-jackpot": (100, 500, "2 Wild Cards"), "2 bonus-jackpot": (100, 500, "2 Wild Cards")},
        jackpots={"bonus-jackpot": (1000, 0, 1)},
    ),
    Hand(
        why="G-6: a Bonus jackpot: the posted amount is for five wild cards, four pay 250 for 1",
        typed="--community '9h 8h 7c 3s' --seat '2s 2h 2d * Kd | bonus-jackpot=1' --jackpot-type bonus --paytable BJ-A "
        "--pays 'BJ-A:5 Wild Cards=$50,000'",
        comes_to={"bonus-jackpot": (100, 25_000, "4 Wild Cards")},
    ),
)
