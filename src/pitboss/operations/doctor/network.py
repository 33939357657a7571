"""Where the room is served: certificate, key, port, names and proxies."""

import datetime
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization

from pitboss.books import EPOCH, StoreError
from pitboss.books.store.directory import is_loopback
from pitboss.books.store.keys import certified_names
from pitboss.operations.doctor.context import DoctorCheck, DoctorContext
from pitboss.server.settings import key_warnings, listening_problems

_DAYS_BEFORE = 30
_HTTPS = 443


def _settings(context: DoctorContext) -> Iterator[str]:
    # What a certificate or key lacks has checks of its own.
    own = ("certificate: ", "key: ")
    yield from (problem for problem in listening_problems(context.listening) if not problem.startswith(own))


@cache
def _read(file: Path, _written: int) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def _certificate(context: DoctorContext) -> x509.Certificate | None:
    file = context.listening.certificate
    if file is None:
        return None
    try:
        return _read(file, file.stat().st_mtime_ns)
    except ValueError as error:
        raise StoreError(f"the certificate cannot be read: {error}") from None


def _unreadable_certificate(context: DoctorContext) -> Iterator[str]:
    try:
        _certificate(context)
    except (OSError, StoreError) as error:
        yield f"{context.listening.certificate}: {getattr(error, 'strerror', None) or error}"


def _now(context: DoctorContext) -> datetime.datetime:
    return EPOCH + datetime.timedelta(microseconds=context.system.now())


def _expired(context: DoctorContext) -> Iterator[str]:
    certificate = _certificate(context)
    if certificate is None:
        return
    if certificate.not_valid_after_utc <= _now(context):
        yield f"the certificate has expired on {certificate.not_valid_after_utc:%Y-%m-%d}: no browser opens the pages"
    if certificate.not_valid_before_utc > _now(context):
        yield f"the certificate is valid from {certificate.not_valid_before_utc:%Y-%m-%d} on only"


def _expires_soon(context: DoctorContext) -> Iterator[str]:
    certificate = _certificate(context)
    if certificate is None:
        return
    left = certificate.not_valid_after_utc - _now(context)
    if datetime.timedelta() < left < datetime.timedelta(days=_DAYS_BEFORE):
        yield f"the certificate expires in {left.days} days, on {certificate.not_valid_after_utc:%Y-%m-%d}"


def _wrong_host(context: DoctorContext) -> Iterator[str]:
    if _certificate(context) is None or context.listening.certificate is None or context.listening.behind_proxy:
        return
    names = certified_names(context.listening.certificate)
    host = urlsplit(context.listening.public).hostname or ""
    if not names:
        yield "the certificate is for no name: browsers want a subject alternative name"
    elif host and not any(host == name or (name[:2] == "*." and host.partition(".")[2] == name[2:]) for name in names):
        yield f"the certificate is for {', '.join(sorted(names))}, and people type {host}"


def _key(context: DoctorContext) -> Iterator[str]:
    file = context.listening.key
    if file is None:
        return
    try:
        private = serialization.load_pem_private_key(file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        yield f"{file}: {getattr(error, 'strerror', None) or error}"
        return
    certificate = _certificate(context)
    if certificate is not None and private.public_key() != certificate.public_key():
        yield f"{file} is not the key of the certificate"


def _open_key(context: DoctorContext) -> Iterator[str]:
    if context.listening.key is not None and context.listening.key.is_file():
        yield from (
            warning.removeprefix("Warning: ").partition(". Type")[0] for warning in key_warnings(context.listening)
        )


def _port(context: DoctorContext) -> Iterator[str]:
    listening, server = context.listening, context.server
    if server is not None and urlsplit(server.address).port == listening.port:
        return
    if listening.port and (problem := context.system.port_problem(listening.host, listening.port)):
        yield f"port {listening.port} of {listening.host}: {problem}"


def _privileged(context: DoctorContext) -> Iterator[str]:
    port, first = context.listening.port, context.system.first_open_port()
    if 0 < port < first and context.system.user():
        yield f"port {port} is for root alone: users may listen from {first} on"


def _name(context: DoctorContext) -> Iterator[str]:
    host = urlsplit(context.listening.public).hostname or ""
    if host and not context.system.resolves(host):
        yield f"this computer does not find {host}, the name that people type"


def _proxy(context: DoctorContext) -> Iterator[str]:
    parts = urlsplit(context.listening.public)
    if not context.listening.behind_proxy or not parts.hostname:
        return
    port = parts.port or (_HTTPS if parts.scheme == "https" else 80)
    away = [proxy for proxy in context.listening.proxies if not is_loopback(proxy)] or ["127.0.0.1"]
    if not any(context.system.connects(proxy, port) for proxy in away):
        yield f"no proxy answers on port {port} of {', '.join(away)}"


CHECKS = (
    DoctorCheck("listening", _settings, "Correct the options of `pitboss serve`."),
    DoctorCheck(
        "certificate-unreadable", _unreadable_certificate, "Name a PEM file that the user of the service can read."
    ),
    DoctorCheck("certificate-expired", _expired, "Put a new certificate in its place and restart the service."),
    DoctorCheck("certificate-expires", _expires_soon, "Order a new certificate now.", "warning"),
    DoctorCheck(
        "certificate-host", _wrong_host, "Order a certificate for the name that people type, or correct --public."
    ),
    DoctorCheck(
        "key",
        _key,
        "Name the PEM file of the certificate's own key, without a password, readable by the user of the service.",
    ),
    DoctorCheck("key-open", _open_key, "Type chmod 600 on the key, and order a new one if others use this computer."),
    DoctorCheck("port-taken", _port, "End the program that listens there, or choose another with --port."),
    DoctorCheck("port-privileged", _privileged, "Choose a port from 1024 on, or a proxy in front that listens on 443."),
    DoctorCheck("name-unknown", _name, "Enter the name in the DNS of the floor's network, or correct --public."),
    DoctorCheck("proxy-away", _proxy, "Start the proxy, or correct --proxy and --public."),
)
