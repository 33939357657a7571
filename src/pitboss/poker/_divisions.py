"""Ways to divide cards between hands."""

from typing import Final

DIVISIONS_OF_SIX: Final = (
    (0, 1, 2, 3, 4, 5),
    (0, 1, 3, 2, 4, 5),
    (0, 1, 4, 2, 3, 5),
    (0, 1, 5, 2, 3, 4),
    (0, 2, 3, 1, 4, 5),
    (0, 2, 4, 1, 3, 5),
    (0, 2, 5, 1, 3, 4),
    (0, 3, 4, 1, 2, 5),
    (0, 3, 5, 1, 2, 4),
    (0, 4, 5, 1, 2, 3),
)
"""The ten ways to divide six cards, by index, into two hands of three; the first three are the hand with index 0."""
