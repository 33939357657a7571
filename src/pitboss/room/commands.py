"""Every command of a room, in one tuple; and by name, as journals, the API and approvals know them."""

from pitboss.commands import Command
from pitboss.jackpot import COMMANDS as JACKPOT_COMMANDS
from pitboss.room import (
    accounting,
    alarms,
    approval_records,
    backups,
    bundles,
    configurations,
    displays,
    disputes,
    heads,
    posted_papers,
    settings,
    signs,
    slides,
    software,
    training,
)
from pitboss.room.dealing import dealing, lock
from pitboss.room.people import people
from pitboss.tabulator import COMMANDS as TABLE_COMMANDS

COMMANDS: tuple[type[Command], ...] = (
    *JACKPOT_COMMANDS,
    *TABLE_COMMANDS,
    configurations.PostConfiguration,
    bundles.AddTable,
    bundles.OpenDay,
    configurations.WithdrawConfiguration,
    configurations.OpenDueConfiguration,
    approval_records.RecordApproval,
    approval_records.WithdrawApproval,
    approval_records.RegisterMaker,
    dealing.SetDealing,
    dealing.GiveUpDealt,
    lock.UnlockDealing,
    dealing.ShuffleShoe,
    dealing.EndDealtRound,
    settings.SetRoom,
    settings.RenameRoom,
    heads.AddKey,
    software.RecordSoftware,
    backups.PlanBackups,
    backups.StopBackups,
    backups.RecordBackup,
    slides.SetSlide,
    slides.EndSlide,
    displays.RegisterDisplay,
    displays.ConfirmDisplay,
    displays.TurnDisplay,
    signs.RecordSign,
    posted_papers.ReviewPapers,
    posted_papers.PostPapers,
    posted_papers.RemovePaper,
    alarms.TakeAlarm,
    disputes.SettleDispute,
    accounting.CollectChips,
    accounting.CountShift,
    accounting.RaiseException,
    accounting.RaiseFound,
    accounting.RaiseReport,
    accounting.TakeException,
    accounting.ResolveException,
    accounting.SharePrize,
    training.RecordTraining,
    people.SetPerson,
    people.AllowLink,
    people.SetDevice,
    people.RecordSecret,
    people.RecordSession,
)
BY_NAME: dict[str, type[Command]] = {cls.spec.name: cls for cls in COMMANDS}
EXPOSED: tuple[type[Command], ...] = tuple(
    cls for cls in COMMANDS if cls.spec.is_exposed and not set(cls.spec.roles) <= {"system", "device"}
)
"""The commands that people ask for by name: each has a route of the API."""
assert len(BY_NAME) == len(COMMANDS), "a command's name is used twice"
