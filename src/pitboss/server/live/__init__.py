"""Live state of the room, streamed to pages and displays."""
