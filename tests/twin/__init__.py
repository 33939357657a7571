"""A naive second settlement of the five games, and random rounds to try both on."""
