"""What is posted, taught and submitted, made from the table that runs: its configuration, its jackpots, its room."""
