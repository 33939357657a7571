"""A table: its configuration, its seats, and a round from the first wager to the settlement.

The package knows neither storage nor the web, and no game by name.
"""

from pitboss.table.comparing import Change, Comparison, compare
from pitboss.table.configuration import Configuration, JackpotSettings, WagerSettings
from pitboss.table.defaults import default_configuration, differences
from pitboss.table.operations import Deal, Decide, Operation, PlaceWagers, Reveal, Settle, Void, VoidReason
from pitboss.table.read_configuration import ReadConfiguration, read_configuration
from pitboss.table.record_terms import record_terms
from pitboss.table.records import RefusedError, SettledRecord, settle_line, settle_record
from pitboss.table.round import OperationRefusedError, Round
from pitboss.table.state import Phase, RoundState
from pitboss.table.view import View, round_record, to_undo, view

__all__ = [
    "Change",
    "Comparison",
    "Configuration",
    "Deal",
    "Decide",
    "JackpotSettings",
    "Operation",
    "OperationRefusedError",
    "Phase",
    "PlaceWagers",
    "ReadConfiguration",
    "RefusedError",
    "Reveal",
    "Round",
    "RoundState",
    "Settle",
    "SettledRecord",
    "View",
    "Void",
    "VoidReason",
    "WagerSettings",
    "compare",
    "default_configuration",
    "differences",
    "read_configuration",
    "record_terms",
    "round_record",
    "settle_line",
    "settle_record",
    "to_undo",
    "view",
]
