"""Groups of roles that commands are for, and those who approve them."""

from typing import Final

DEALERS: Final = ("dealer", "supervisor")
TABLE: Final = ("dealer", "supervisor", "manager")
"""Who acts at a table."""
FLOOR: Final = ("supervisor", "manager")
"""Who looks after tables on the floor."""
APPROVERS: Final = ("supervisor", "surveillance", "manager")
"""Who approves what the floor asks for."""
CONFIGURERS: Final = ("manager", "accounting", "surveillance")
"""Who approves configurations, set-ups and definitions."""
MANAGERS: Final = ("manager",)
MONEY: Final = ("manager", "accounting")
"""Who moves money of jackpots, and approves it."""
CAGE: Final = ("supervisor", "accounting", "manager")
"""Who makes papers and hands prizes over."""
SYSTEM: Final = ("system",)
"""Pitboss itself."""
DEVICE: Final = ("device",)
