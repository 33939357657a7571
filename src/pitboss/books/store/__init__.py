"""The database of the journal, and the data directory it is in."""
