"""A table: its configuration, its seats, and a round from the first wager to the settlement.

The package knows neither storage nor the web, and no game by name.
"""
