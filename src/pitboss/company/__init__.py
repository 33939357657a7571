"""Many rooms on one page: a small process that reads each room's summary, keeps the last answer, and writes nothing."""
