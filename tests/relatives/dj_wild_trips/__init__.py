"""The Trips wager of DJ Wild as published (ANCHORS.md section 2)."""

from tests.relatives.dj_wild_trips.rules import GAME

__all__ = ["GAME"]
