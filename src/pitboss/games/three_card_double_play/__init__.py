"""3 Card Double Play Poker, as approved on 2015-04-23."""
