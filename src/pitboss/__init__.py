"""Pitboss runs the games and jackpots of a house-banked card room."""
