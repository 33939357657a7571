"""One module for each migration, numbered in order, never changed after a release."""
