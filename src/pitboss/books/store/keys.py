"""Keys that sign where a book ends, and where its heads go besides: `heads.toml` in the data directory says both.

A key is Ed25519, in a PEM file that only its owner reads; a room may keep it on another computer or medium. What is
signed begins with what it is, so that a signature of one thing is none of another.
"""

import datetime
import json
import os
import tomllib
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.books.store.base import StoreError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

_SETTINGS = "heads.toml"
_ID_DIGITS = 16
_PUBLIC_BYTES = 32


def _message(what: str, fields: tuple[object, ...]) -> bytes:
    return "".join(f"{field}\n" for field in ("pitboss", what, *fields)).encode()


def key_id(public: str) -> str:
    """Return the short name of a public key, as people compare it with what they have on paper."""
    return sha256(bytes.fromhex(public)).hexdigest()[:_ID_DIGITS]


def in_fours(name: str) -> str:
    """Return the name of a key as people compare it with paper."""
    return " ".join(name[place : place + 4] for place in range(0, len(name), 4))


def is_public(text: str) -> bool:
    """True if a text is the hexadecimal digits of a public key."""
    try:
        return len(bytes.fromhex(text)) == _PUBLIC_BYTES and text == text.lower()
    except ValueError:
        return False


def public_problem(public: str) -> str:
    """Return what is wrong with the public half of a key; empty where nothing is."""
    if is_public(public):
        return ""
    return "the public key must be the 64 hexadecimal digits that `pitboss keys backup` prints"


class Signer:
    """A private key in memory."""

    def __init__(self, private: Any) -> None:
        self._private = private
        self.public: str = private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public)

    def sign(self, what: str, *fields: object) -> str:
        """Sign what something is and its fields; the signature is in hexadecimal digits."""
        signature: bytes = self._private.sign(_message(what, fields))
        return signature.hex()


def is_signed(public: str, signature: str, what: str, *fields: object) -> bool:
    """True if a signature of these fields is that of a key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - rooms without keys do not load it
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), _message(what, fields))
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key(file: Path) -> Signer:
    """Make a key in a file that does not exist yet and that only its owner reads."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    private = Ed25519PrivateKey.generate()
    write_private(file, private)
    return Signer(private)


def write_private(file: Path, private: "Ed25519PrivateKey | X25519PrivateKey") -> None:
    """Write a private key into a file that does not exist yet and that only its owner reads."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    text = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    try:
        stream = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise StoreError(f"{file} is there already: a key is never overwritten") from None
    with os.fdopen(stream, "wb") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())


def read_key(file: Path) -> Signer:
    """Read a private key."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    try:
        private = serialization.load_pem_private_key(file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"the key in {file} cannot be read: {cause}") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise StoreError(f"the key in {file} is no Ed25519 key")
    return Signer(private)


_SEAL_BYTES, _NONCE_BYTES = 32, 12


def _seal_key(file: Path) -> bytes:
    """Return the key that seals; made where there is none yet, in a file that only its owner reads."""
    with suppress(FileNotFoundError):
        return file.read_bytes()
    partial, key = file.with_suffix(".partial"), os.urandom(_SEAL_BYTES)
    stream = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(stream, "wb") as opened:
        opened.write(key)
        opened.flush()
        os.fsync(opened.fileno())
    partial.rename(file)
    return key


def seal(file: Path, what: str, text: str) -> str:
    """Encrypt a text with the key in a file; it opens as what it was sealed alone. The result is hexadecimal."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415

    nonce = os.urandom(_NONCE_BYTES)
    try:
        return (nonce + ChaCha20Poly1305(_seal_key(file)).encrypt(nonce, text.encode(), what.encode())).hex()
    except (OSError, ValueError) as error:
        raise StoreError(f"the key {file} cannot be used: {error}") from None


def unseal(file: Path, what: str, sealed: str) -> str | None:
    """Decrypt what was sealed; None where its key is lost, or it was sealed as something else."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415

    try:
        content = bytes.fromhex(sealed)
        key = ChaCha20Poly1305(file.read_bytes())
        return key.decrypt(content[:_NONCE_BYTES], content[_NONCE_BYTES:], what.encode()).decode()
    except (InvalidTag, OSError, ValueError):
        return None


def certified_names(certificate: Path) -> set[str]:
    """Return the names that a certificate of a server is for; none where it cannot be read."""
    from cryptography import x509  # noqa: PLC0415

    try:
        read = x509.load_pem_x509_certificate(certificate.read_bytes())
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return set()
    addresses = {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    return addresses | {name.lower() for name in names.get_values_for_type(x509.DNSName)}


def certificate_ends(certificate: Path) -> datetime.datetime | None:
    """Return when a certificate of a server ends; nothing where it cannot be read."""
    from cryptography import x509  # noqa: PLC0415

    try:
        return x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        return None


class HeadSettings(NamedTuple):
    """Where the server's keys are, and where heads go: a directory on another medium, the system's log, a display.

    The books say which of the keys is in force: while one takes the place of another, both are here.
    """

    keys: tuple[str, ...] = ()
    directory: str = ""
    syslog: bool = False
    display: bool = False

    @property
    def is_sent(self) -> bool:
        """True if heads leave the data directory."""
        return bool(self.directory) or self.syslog or self.display


def read_head_settings(path: Path) -> HeadSettings:
    """Read the settings of a data directory; without the file, there is no key and heads go nowhere."""
    try:
        fields = tomllib.loads((path / _SETTINGS).read_text(encoding="utf-8"))
        return HeadSettings(**fields | {"keys": tuple(fields.get("keys", ()))})
    except FileNotFoundError:
        return HeadSettings()
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(f"cannot read {path / _SETTINGS}: {error}") from None


def write_head_settings(path: Path, settings: HeadSettings) -> None:
    """Write the settings of a data directory, whole or not at all."""
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in settings._asdict().items()]
    partial = path / f"{_SETTINGS}.partial"
    stream = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(stream, "w", encoding="utf-8") as opened:
        opened.writelines(lines)
        opened.flush()
        os.fsync(opened.fileno())
    partial.rename(path / _SETTINGS)


def load_signers(path: Path) -> dict[str, Signer]:
    """Return the keys by which the server of a data directory may sign, by name; those that can be read."""
    signers = {}
    try:
        files = read_head_settings(path).keys
    except StoreError:
        return {}
    for file in files:
        with suppress(StoreError):
            signer = read_key(path / file)
            signers[signer.id] = signer
    return signers
