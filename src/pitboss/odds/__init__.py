"""The exact mathematics of every wager: counted once, priced many times, integers over an integer until printed."""
