"""The commands about a room: its jackpots, hits, tables, reports, displays and server."""
