"""Practice and training, made from the games: exercises, marking, coaching and sessions. No rule is here."""
