"""Tests of the jackpots in the books."""
