"""The demo room: a data directory made through the doors of a real room, and devices and displays that play there."""
