"""Jackpot hits from call to slip."""
