"""The computer: its clock, zone and language, limits and memory, and the software that is installed."""

from collections.abc import Iterator

from pitboss.books import ROOM, instant_text
from pitboss.operations.doctor.context import DoctorCheck, DoctorContext
from pitboss.room.displays import DISPLAYS
from pitboss.server.connections import CONNECTIONS_MAX, FILES_KEPT

_MEMORY_MIN, _SWAP_USED_MAX = 512 << 20, 0.25
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "firefox-esr")


def _clock(context: DoctorContext) -> Iterator[str]:
    if context.system.is_clock_synchronized() is False:
        yield "no time service sets the clock of this computer"


def _clock_behind(context: DoctorContext) -> Iterator[str]:
    last, now = context.state.recorded, context.system.now()
    if now < last:
        yield f"the clock says {instant_text(now)}, and the last entry is of {instant_text(last)}"


def _zone_data(context: DoctorContext) -> Iterator[str]:
    calendar = context.state.of(ROOM)
    if calendar is None:
        return
    name = calendar.history[-1][1].time_zone
    if not context.system.has_zone(name):
        yield f"the rules of the room's time zone {name} are not on this computer"


def _zone_differs(context: DoctorContext) -> Iterator[str]:
    calendar, own = context.state.of(ROOM), context.system.zone()
    if calendar is not None and own and own != calendar.history[-1][1].time_zone:
        zone = calendar.history[-1][1].time_zone
        yield f"the computer is in {own}, the room in {zone}: times in the system's log differ"


def _locale(context: DoctorContext) -> Iterator[str]:
    if context.system.encoding().replace("-", "").lower() != "utf8":
        yield f"the system writes {context.system.encoding()}, in which names of people cannot all be printed"


def _file_limit(context: DoctorContext) -> Iterator[str]:
    limit, needed = context.system.file_limit(), CONNECTIONS_MAX + FILES_KEPT
    if limit < needed:
        yield f"a process may open {limit:,} files, and a large floor needs {needed:,}"


def _memory(context: DoctorContext) -> Iterator[str]:
    memory = context.system.memory()
    if memory is not None and memory.available < _MEMORY_MIN:
        yield f"{memory.available >> 20:,} MiB of memory are left"


def _swap(context: DoctorContext) -> Iterator[str]:
    memory = context.system.memory()
    if memory is not None and memory.swap_total - memory.swap_free > memory.swap_total * _SWAP_USED_MAX:
        yield f"{(memory.swap_total - memory.swap_free) >> 20:,} MiB are swapped out: presses wait for the disk"


def _fonts(context: DoctorContext) -> Iterator[str]:
    if names := context.system.missing_fonts():
        yield f"faces of pages and papers are missing: {', '.join(names)}"


def _browser(context: DoctorContext) -> Iterator[str]:
    driven = [name for name, record in context.state.of(DISPLAYS).items() if record.display.driven_by == "server"]
    if driven and context.system.program(*_BROWSERS) is None:
        yield f"this computer drives {', '.join(driven)}, and has no browser"


def _cache(context: DoctorContext) -> Iterator[str]:
    folder = context.system.cache_folder()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not context.system.can_write(folder):
        yield f"nothing can be written in {folder}: every start counts and compiles everything again"


def _software(context: DoctorContext) -> Iterator[str]:
    yield from context.system.installation().problems


def _packages(context: DoctorContext) -> Iterator[str]:
    if names := context.system.missing_packages():
        yield f"packages are missing: {', '.join(names)}"


CHECKS = (
    DoctorCheck(
        "clock-unset", _clock, "Run a time service: `timedatectl set-ntp true`, or chrony with the floor's own server."
    ),
    DoctorCheck("clock-behind", _clock_behind, "Set the clock right before the server starts."),
    DoctorCheck(
        "zone-data",
        _zone_data,
        "Install the package tzdata of Pitboss's own environment anew (`pip install tzdata`) or of the system.",
    ),
    DoctorCheck(
        "zone-differs",
        _zone_differs,
        "Type timedatectl set-timezone with the room's zone; the books go by the room's zone in any case.",
        "warning",
    ),
    DoctorCheck("locale", _locale, "Set LANG=C.UTF-8 for the service."),
    DoctorCheck(
        "file-limit", _file_limit, "Set LimitNOFILE=8192 in the unit of the service, or `ulimit -n 8192`.", "warning"
    ),
    DoctorCheck("memory-low", _memory, "Give the computer more memory, or end other programs on it."),
    DoctorCheck("swap-used", _swap, "Give the computer more memory, or end other programs on it.", "warning"),
    DoctorCheck("fonts", _fonts, "Install Pitboss anew: the package font-source-sans-pro is damaged."),
    DoctorCheck(
        "browser-missing", _browser, "Install chromium on this computer, or have another one drive those monitors."
    ),
    DoctorCheck(
        "cache-unwritable", _cache, "Set PITBOSS_CACHE_DIR to a folder in which the user of the service can write."
    ),
    DoctorCheck("software-changed", _software, "Install Pitboss again from its archive, and find out who changed it."),
    DoctorCheck("packages-missing", _packages, "Install Pitboss again from its archive."),
)
