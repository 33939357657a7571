"""A table: its configuration, its seats, and a round from the first wager to the settlement.

The package knows neither storage nor the web, and no game by name.
"""

from pitboss.table.comparison import Comparison, ConfigurationChange, compare
from pitboss.table.configuration import Configuration, JackpotSettings, WagerSettings
from pitboss.table.operations import Deal, Decide, Operation, PlaceWagers, Reveal, Settle, Void, VoidReason
from pitboss.table.reading import (
    ReadConfiguration,
    configuration_as_written,
    default_configuration,
    differences,
    read_configuration,
)
from pitboss.table.records import RefusedRecordError, SettledRecord, record_terms, settle_line, settle_record
from pitboss.table.round import OperationRefusedError, Phase, Round, RoundState, View, round_record, to_undo, view

__all__ = [
    "Comparison", "Configuration", "ConfigurationChange", "Deal", "Decide", "JackpotSettings", "Operation",
    "OperationRefusedError", "Phase", "PlaceWagers", "ReadConfiguration", "RefusedRecordError", "Reveal", "Round",
    "RoundState", "Settle", "SettledRecord", "View", "Void", "VoidReason", "WagerSettings", "compare",
    "configuration_as_written", "default_configuration", "differences", "read_configuration", "record_terms",
    "round_record", "settle_line", "settle_record", "to_undo", "view",
]  # fmt: skip
