"""Entries about people, devices and sign-ins; that a secret was changed is written, the secret never (O-06, M-05)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from pitboss.books import Payload, register_kinds

__all__ = [
    "DealerTapped",
    "DeviceSet",
    "How",
    "LockedOut",
    "PersonSet",
    "SecretChanged",
    "SecretKind",
    "SignInsRefused",
    "SignedIn",
    "SignedOut",
]

How: TypeAlias = Literal["password", "pin", "link"]
SecretKind: TypeAlias = Literal["password", "pin", "link", "token"]
T = TypeVar("T", bound="_Said")


class _Said:
    """A payload whose JSON has the fields of its value, lists for tuples."""

    __slots__ = ()
    KIND: ClassVar[str]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return self.KIND

    def to_json(self) -> dict[str, Any]:
        """Write every field."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in _items(self)}


def _items(value: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(value, field.name)) for field in fields(value) if field.name != "first"]


def _read(cls: type[T], said: dict[str, Any], **more: Any) -> T:
    return cls(**{name: tuple(each) if isinstance(each, list) else each for name, each in said.items()}, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSet(_Said):
    """A person added to the room, or changed: the name that entries are signed with, and the roles."""

    KIND: ClassVar[str] = "person-changed"
    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    first: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "person-added" if self.first else "person-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSet(_Said):
    """A device added to the room, or changed: what it is, and the table it stands at."""

    KIND: ClassVar[str] = "device-changed"
    name: str
    what: str
    table: str
    active: bool
    first: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "device-added" if self.first else "device-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretChanged(_Said):
    """The password, PIN, one-time link or token of a person or device was made anew; which it is stands nowhere."""

    KIND: ClassVar[str] = "secret-changed"
    subject: str
    what: SecretKind

    def __post_init__(self) -> None:
        """Refuse what is no secret."""
        if self.what not in get_args(SecretKind):
            raise ValueError(f"{self.what!r} is no kind of secret")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(_Said):
    """A person has signed in: how, and from which address or device."""

    KIND: ClassVar[str] = "signed-in"
    login: str
    how: How
    address: str
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(_Said):
    """A person has signed out, or was signed out by somebody."""

    KIND: ClassVar[str] = "signed-out"
    login: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInsRefused(_Said):
    """Sign-ins that were refused to an address within a minute, together; only names of people we know are kept."""

    KIND: ClassVar[str] = "sign-ins-refused"
    address: str
    count: int
    logins: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedOut(_Said):
    """A person was locked out after failures, for so many seconds (M-10)."""

    KIND: ClassVar[str] = "locked-out"
    login: str
    address: str
    failures: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTapped(_Said):
    """A dealer has tapped in at a table, where whoever dealt before is relieved; or tapped out."""

    KIND: ClassVar[str] = "dealer-tapped-in"
    login: str
    device: str
    inward: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "dealer-tapped-in" if self.inward else "dealer-tapped-out"


def _read_person(kind: str, said: dict[str, Any]) -> Payload:
    return _read(PersonSet, said, first=kind == "person-added")


def _read_device(kind: str, said: dict[str, Any]) -> Payload:
    return _read(DeviceSet, said, first=kind == "device-added")


def _read_tapped(_: str, said: dict[str, Any]) -> Payload:
    return _read(DealerTapped, said)


_PLAIN: dict[str, type[_Said]] = {
    each.KIND: each for each in (SecretChanged, SignedIn, SignedOut, SignInsRefused, LockedOut)
}


def _read_plain(kind: str, said: dict[str, Any]) -> Payload:
    return _read(_PLAIN[kind], said)


register_kinds(["person-added", "person-changed"], _read_person)
register_kinds(["device-added", "device-changed"], _read_device)
register_kinds(["dealer-tapped-in", "dealer-tapped-out"], _read_tapped)
register_kinds(list(_PLAIN), _read_plain)
