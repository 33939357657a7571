"""Groups of roles that commands are for, and those who approve them."""

from typing import Final

DEALERS: Final = ("dealer", "supervisor")
TABLE: Final = ("dealer", "supervisor", "manager")
"""Who acts at a table."""
FLOOR: Final = ("supervisor", "manager")
"""Who looks after tables on the floor."""
APPROVERS: Final = ("surveillance", "manager")
"""Who approves voids, corrections and rejected calls that the floor asks for (G-49)."""
OPENERS: Final = ("supervisor", "surveillance", "manager")
"""Who approves that play goes on after a stop (G-31)."""
CONFIGURERS: Final = ("accounting", "surveillance")
"""Who approves configurations, set-ups and definitions, which a manager asks for (G-49)."""
MANAGERS: Final = ("manager",)
MONEY: Final = ("manager", "accounting")
"""Who moves money of jackpots, and approves what the other role asks for (G-49)."""
CAGE: Final = ("supervisor", "accounting", "manager")
"""Who makes papers and hands prizes over."""
SYSTEM: Final = ("system",)
"""Pitboss itself."""
DEVICE: Final = ("device",)
