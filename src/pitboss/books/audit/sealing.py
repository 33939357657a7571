"""Sealed files: encrypted to keys whose private halves are kept elsewhere, in chunks whose order and end are proved.

A sealed file has a header of lines and then the content in chunks. The header names the format and, for each key, its
short name with the file's own key encrypted to it (X25519, HKDF-SHA256, ChaCha20-Poly1305). Each chunk is encrypted
with the file's key under its number and whether it is the last, and vouches for the whole header: nothing can be taken
out, swapped, added or cut off unseen.
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pitboss.books.store.base import StoreError
from pitboss.books.store.keys import key_id, public_problem, write_private

MAGIC = b"pitboss-sealed 1\n"
CHUNK = 64 * 1024
_TAG, _NONCE, _KEY = 16, 12, 32
_LINE_MAX = 4_096
_LINES_MAX = 20


class Header(NamedTuple):
    """What stands before the chunks: for whom it is sealed, how many bytes it holds, and what else is said of it."""

    recipients: tuple[tuple[str, str, str], ...]
    """Short name of the key, the public half of a key made for this file, the file's key encrypted to both."""
    size: int
    about: dict[str, Any]
    text: bytes

    @property
    def keys(self) -> tuple[str, ...]:
        """The short names of the keys that open it."""
        return tuple(name for name, _, _ in self.recipients)

    @property
    def file_size(self) -> int:
        """How many bytes the whole file must have."""
        chunks = max(1, -(-self.size // CHUNK))
        return len(self.text) + self.size + chunks * _TAG


class Sealed(NamedTuple):
    """A sealed file as it was written and read back: its bytes, their hash, and the keys that open it."""

    size: int
    digest: str
    keys: tuple[str, ...]


def make_identity(file: Path) -> str:
    """Make a key that opens sealed files, in a file that does not exist yet; return its public half."""
    private = X25519PrivateKey.generate()
    write_private(file, private)
    return private.public_key().public_bytes_raw().hex()


def read_identity(file: Path) -> Any:
    """Read the private key that opens sealed files."""
    try:
        private = serialization.load_pem_private_key(file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"the key in {file} cannot be read: {cause}") from None
    if not isinstance(private, X25519PrivateKey):
        raise StoreError(f"the key in {file} opens no backups: `pitboss keys backup` makes one that does")
    return private


def _wrapping(shared: bytes, ephemeral: bytes, recipient: bytes) -> Any:
    """Return the cipher that encrypts a file's key to one recipient."""
    derived = HKDF(SHA256(), _KEY, salt=ephemeral + recipient, info=MAGIC).derive(shared)
    return ChaCha20Poly1305(derived)


def _stanza(public: str, file_key: bytes) -> tuple[str, str, str]:
    recipient = bytes.fromhex(public)
    private = X25519PrivateKey.generate()
    ephemeral = private.public_key().public_bytes_raw()
    try:
        shared = private.exchange(X25519PublicKey.from_public_bytes(recipient))
    except ValueError:
        raise StoreError(f"{public} is no public key to seal with") from None
    wrapping = _wrapping(shared, ephemeral, recipient)
    wrapped = wrapping.encrypt(bytes(_NONCE), file_key, None)
    # What is written for the recipient opens with what both share.
    assert wrapping.decrypt(bytes(_NONCE), wrapped, None) == file_key
    return key_id(public), ephemeral.hex(), wrapped.hex()


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(_NONCE - 1, "big") + bytes([last])


def seal_file(source: Path, target: Path, publics: Sequence[str], about: dict[str, Any]) -> Sealed:
    """Encrypt a file to keys, read the result back from the disk and compare; the target must not exist.

    It has its name only when it is whole and on disk: killed at any time, there is nothing that looks like a backup.
    """
    if target.exists():
        raise StoreError(f"{target} is there already")
    if not publics or any(map(public_problem, publics)):
        raise StoreError(next(filter(None, map(public_problem, publics)), "a sealed file needs a key"))
    partial, file_key = target.with_name(f"{target.name}.partial"), os.urandom(_KEY)
    try:
        header = _header(source.stat().st_size, tuple(_stanza(public, file_key) for public in publics), about)
        before = _write_sealed(source, partial, header, file_key)
        size, digest = _read_back(partial, header, file_key, before)
        partial.rename(target)
        _sync_folder(target.parent)
    finally:
        partial.unlink(missing_ok=True)
    return Sealed(size, digest, header.keys)


def _header(size: int, recipients: tuple[tuple[str, str, str], ...], about: dict[str, Any]) -> Header:
    lines = [f"key {' '.join(stanza)}\n" for stanza in recipients]
    lines.append(f"holds {json.dumps({**about, 'size': size}, separators=(',', ':'))}\n")
    return Header(recipients, size, about, MAGIC + "".join(lines).encode() + b"\n")


def _write_sealed(source: Path, partial: Path, header: Header, file_key: bytes) -> bytes:
    """Write the sealed file; return the hash of what was sealed."""
    cipher, vouched, plain = ChaCha20Poly1305(file_key), sha256(header.text).digest(), sha256()
    stream = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(stream, "wb") as opened, source.open("rb") as read:
        opened.write(header.text)
        left, number = header.size, 0
        while True:
            chunk = read.read(min(CHUNK, left))
            left -= len(chunk)
            if not chunk and left:
                raise StoreError(f"{source} became shorter while it was sealed")
            plain.update(chunk)
            opened.write(cipher.encrypt(_nonce(number, last=not left), chunk, vouched))
            number += 1
            if not left:
                break
        opened.flush()
        os.fsync(opened.fileno())
    return plain.digest()


def _read_back(partial: Path, header: Header, file_key: bytes, expected: bytes) -> tuple[int, str]:
    plain, whole = sha256(), sha256(header.text)
    with partial.open("rb") as stream:
        if read_header(stream) != header:
            raise StoreError(f"{partial}: its header cannot be read back")
        for chunk in _chunks(stream, header, file_key, whole.update):
            plain.update(chunk)
    if plain.digest() != expected:
        raise StoreError(f"{partial}: what was sealed cannot be read back")
    return partial.stat().st_size, whole.hexdigest()


def is_sealed(file: Path) -> bool:
    """True if a file begins as a sealed one."""
    with file.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def read_header(stream: BinaryIO) -> Header:
    """Read the header of a sealed file; raises `StoreError` where it is none."""
    if stream.readline(_LINE_MAX) != MAGIC:
        raise StoreError("this is no sealed backup")
    recipients: list[tuple[str, str, str]] = []
    text, holds = MAGIC, None
    for _ in range(_LINES_MAX):
        line = stream.readline(_LINE_MAX)
        text += line
        if line == b"\n" and holds is not None and recipients:
            size = holds.pop("size", None)
            if isinstance(size, int) and size >= 0:
                return Header(tuple(recipients), size, holds, text)
            break
        word, _, rest = line.decode("utf-8", "replace").rstrip("\n").partition(" ")
        if word == "key" and holds is None and len(parts := rest.split()) == len(("name", "made", "wrapped")):
            recipients.append((parts[0], parts[1], parts[2]))
        elif word == "holds" and holds is None:
            holds = _object(rest)
        else:
            break
    raise StoreError("the header of this sealed backup is damaged")


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def inspect(file: Path) -> Header:
    """Verify what can be verified of a sealed file without a private key: its header, and that it is whole."""
    with file.open("rb") as stream:
        header = read_header(stream)
    size = file.stat().st_size
    if size != header.file_size:
        raise StoreError(f"{file} has {size:,} bytes and should have {header.file_size:,}: it is not whole")
    return header


def _chunks(stream: BinaryIO, header: Header, file_key: bytes, seen: Callable[[bytes], object]) -> Iterator[bytes]:
    cipher, vouched = ChaCha20Poly1305(file_key), sha256(header.text).digest()
    left, number = header.size, 0
    while True:
        size = min(CHUNK, left)
        left -= size
        chunk = stream.read(size + _TAG)
        seen(chunk)
        try:
            yield cipher.decrypt(_nonce(number, last=not left), chunk, vouched)
        except (InvalidTag, ValueError):
            raise StoreError(f"this sealed backup is damaged or not whole: chunk {number + 1} does not open") from None
        number += 1
        if not left:
            break
    if stream.read(1):
        raise StoreError("this sealed backup is damaged: something follows its end")


def unseal_file(file: Path, identity: Path, target: Path) -> None:
    """Decrypt a sealed file into a new one that only its owner reads; it has its name only when all of it is proved."""
    private = read_identity(identity)
    public = private.public_key().public_bytes_raw()
    partial = target.with_name(f"{target.name}.partial")
    try:
        with file.open("rb") as stream:
            header = read_header(stream)
            file_key = _file_key(header, private, public)
            opened = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(opened, "wb") as written:
                for chunk in _chunks(stream, header, file_key, lambda _: None):
                    written.write(chunk)
                written.flush()
                os.fsync(written.fileno())
        partial.rename(target)
    finally:
        partial.unlink(missing_ok=True)


def _file_key(header: Header, private: Any, public: bytes) -> bytes:
    name = key_id(public.hex())
    for recipient, ephemeral, wrapped in header.recipients:
        if recipient != name:
            continue
        try:
            made = bytes.fromhex(ephemeral)
            shared = private.exchange(X25519PublicKey.from_public_bytes(made))
            key: bytes = _wrapping(shared, made, public).decrypt(bytes(_NONCE), bytes.fromhex(wrapped), None)
        except (InvalidTag, ValueError):
            raise StoreError("the header of this sealed backup is damaged") from None
        return key
    raise StoreError(f"this backup is sealed to key {', '.join(header.keys)}, and not to {name}")


def _sync_folder(folder: Path) -> None:
    stream = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(stream)
    finally:
        os.close(stream)
