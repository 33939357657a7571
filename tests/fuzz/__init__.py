"""Fuzzing of what reaches Pitboss from outside; see `targets`."""
