"""What the doctor asks the computer: its clock, disks, memory, programs and network; a test plants other answers."""

import ctypes
import errno
import locale
import os
import re
import resource
import shutil
import socket
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitboss import installation
from pitboss.books import microseconds_now
from pitboss.installation import Installation
from pitboss.odds.compiled import cache_folder
from pitboss.server.pages.fonts import FONT_PACKAGE, FONTS

_TIMEX_BYTES, _TIME_ERROR = 512, 5
_MOUNTS, _MEMORY, _PORTS = "/proc/self/mountinfo", "/proc/meminfo", "/proc/sys/net/ipv4/ip_unprivileged_port_start"
_PRIVILEGED = 1_024
_CONNECT_SECONDS = 3
_KIB = 1_024


class DiskSpace(NamedTuple):
    """Room on the disk of a folder, in bytes and files, how it is mounted, and its kind of file system."""

    free: int
    total: int
    files_free: int
    files_total: int
    is_read_only: bool
    kind: str


class Memory(NamedTuple):
    """The memory of the computer, in bytes."""

    available: int
    swap_total: int
    swap_free: int


class System:
    """The computer that Pitboss runs on."""

    def now(self) -> int:
        """Return the time of its clock."""
        return microseconds_now()

    def is_clock_synchronized(self) -> bool | None:
        """Return whether a time service sets its clock; None where the system cannot say."""
        try:
            state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
        except (OSError, AttributeError):
            return None
        return None if state < 0 else state != _TIME_ERROR

    def disk(self, folder: Path) -> DiskSpace:
        """Return the room on the disk of a folder."""
        stat = os.statvfs(folder)
        return DiskSpace(
            free=stat.f_bavail * stat.f_frsize,
            total=stat.f_blocks * stat.f_frsize,
            files_free=stat.f_favail,
            files_total=stat.f_files,
            is_read_only=bool(stat.f_flag & os.ST_RDONLY),
            kind=_file_system(folder),
        )

    def user(self) -> int:
        """Return who runs this process."""
        return os.geteuid()

    def owner(self, file: Path) -> int:
        """Return whose a file is."""
        return file.stat().st_uid

    def can_write(self, folder: Path) -> bool:
        """True if a file can be made in a folder."""
        try:
            with tempfile.TemporaryFile(dir=folder, prefix=".pitboss-doctor-"):
                return True
        except OSError:
            return False

    def has_zone(self, name: str) -> bool:
        """True if the rules of a time zone are there."""
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return False
        return True

    def zone(self) -> str:
        """Return the time zone of the computer; empty where it does not say."""
        link = os.path.realpath("/etc/localtime")
        return os.environ.get("TZ") or link.partition("/zoneinfo/")[2]

    def encoding(self) -> str:
        """Return how the system writes names of files and what is printed."""
        return locale.getpreferredencoding(do_setlocale=False)

    def file_limit(self) -> int:
        """Return how many files a process may have open."""
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        return sys.maxsize if hard == resource.RLIM_INFINITY else hard

    def memory(self) -> Memory | None:
        """Return the memory; None where the system does not say."""
        try:
            text = Path(_MEMORY).read_text(encoding="ascii")
            sizes = {name: int(size) * _KIB for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}
            return Memory(sizes["MemAvailable"], sizes["SwapTotal"], sizes["SwapFree"])
        except (OSError, KeyError):
            return None

    def program(self, *names: str) -> str | None:
        """Return the path of the first of these programs that is installed."""
        return next((path for name in names if (path := shutil.which(name)) is not None), None)

    def resolves(self, host: str) -> bool:
        """True if the name of a host leads to an address."""
        try:
            socket.getaddrinfo(host, None)
        except OSError:
            return False
        return True

    def connects(self, host: str, port: int) -> bool:
        """True if something listens on a port of a host."""
        try:
            socket.create_connection((host, port), _CONNECT_SECONDS).close()
        except OSError:
            return False
        return True

    def port_problem(self, host: str, port: int) -> str:
        """Return why a port cannot be listened on; empty where it can."""
        try:
            family, kind, number, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            with socket.socket(family, kind, number) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(address)
        except OSError as error:
            # Who may not listen there is another matter.
            return "" if error.errno == errno.EACCES else error.strerror or str(error)
        return ""

    def first_open_port(self) -> int:
        """Return the first port that a user without privileges may listen on."""
        try:
            return int(Path(_PORTS).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return _PRIVILEGED

    def missing_packages(self) -> list[str]:
        """Return the packages that Pitboss needs and that are not installed."""
        return [name for name in map(_package, requires("pitboss") or ()) if name and not _is_installed(name)]

    def missing_fonts(self) -> list[str]:
        """Return the faces of pages and papers that are not there."""
        try:
            folder = files(FONT_PACKAGE).joinpath("files")
        except ModuleNotFoundError:
            return sorted(FONTS)
        return sorted(name for name in FONTS if not folder.joinpath(f"{name}.ttf").is_file())

    def installation(self) -> Installation:
        """Return the software that runs."""
        return installation.examine()

    def cache_folder(self) -> Path:
        """Return where compiled loops and counts are kept."""
        return cache_folder()


def _package(requirement: str) -> str:
    """Return the name of a required package; empty for one of an extra."""
    name = re.match(r"[\w.-]+", requirement)
    return "" if name is None or "extra ==" in requirement else name[0]


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _file_system(folder: Path) -> str:
    """Return the kind of file system that a folder is on; empty where the system does not say."""
    try:
        lines = Path(_MOUNTS).read_text(encoding="utf-8", errors="replace").splitlines()
        path = folder.resolve()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        left, _, right = line.partition(" - ")
        point = left.split()[4].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= best:
            best, kind = len(point), right.split()[0]
    return kind
