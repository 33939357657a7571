"""What stands beside the wheels: the bill of materials, the list of hashes, and the manifest with its signature."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tools.offline.wheels import Wheel

SUMS, MANIFEST, SIGNATURE, PUBLIC, SBOM = "SHA256SUMS", "manifest.json", "manifest.sig", "signing.pub", "sbom.cdx.json"


def _component(wheel: Wheel, kind: str) -> dict[str, Any]:
    reference = f"pkg:pypi/{wheel.name}@{wheel.version}"
    return {
        "type": kind,
        "bom-ref": reference,
        "name": wheel.name,
        "version": wheel.version,
        "purl": reference,
        "hashes": [{"alg": "SHA-256", "content": wheel.hash}],
        "licenses": [{"license": {"name": name}} for name in wheel.licenses],
    }


def bill_of_materials(wheels: Iterable[Wheel], epoch: int) -> str:
    """Write the SBOM (CycloneDX 1.5) of a release: names, versions, hashes and licenses."""
    own, others = None, []
    for wheel in wheels:
        if wheel.name == "pitboss":
            own = wheel
        else:
            others.append(_component(wheel, "library"))
    assert own is not None
    instant = datetime.datetime.fromtimestamp(epoch, tz=datetime.UTC)
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own.hash)}",
        "version": 1,
        "metadata": {"timestamp": f"{instant:%Y-%m-%dT%H:%M:%SZ}", "component": _component(own, "application")},
        "components": others,
        "dependencies": [
            {"ref": f"pkg:pypi/pitboss@{own.version}", "dependsOn": [component["bom-ref"] for component in others]}
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def sums(folder: Path) -> str:
    """Write the hash of every file in a folder, as `sha256sum --check` reads them."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return "".join(
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder).as_posix()}\n" for file in files
    )


def manifest(version: str, target: str, epoch: int, sums_text: str) -> str:
    """Write the manifest: what this is, and the hash of the list of hashes, so that one signature covers all."""
    content = {
        "name": "pitboss",
        "version": version,
        "target": target,
        "epoch": epoch,
        SUMS: sha256(sums_text.encode()).hexdigest(),
        "files": len(sums_text.splitlines()),
    }
    return json.dumps(content, indent=1) + "\n"


def read_signing_key(file: Path) -> Ed25519PrivateKey:
    """Read the private key that signs releases."""
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise SystemExit(f"{file} is no Ed25519 key: `pitboss keys` or `openssl genpkey -algorithm ed25519` makes one")
    return key


def public_text(key: Ed25519PrivateKey) -> bytes:
    """Write the public half of a key as openssl reads it."""
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.PEM, form)
