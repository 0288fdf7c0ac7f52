"""A certificate for the local network, made when it is first needed: phones give no camera to plain pages."""

from __future__ import annotations

import os
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

_VALID: Final = timedelta(days=365)
_RENEWED: Final = timedelta(days=30)
_ELSEWHERE: Final = ("192.0.2.1", 9)  # an address of no network: nothing is sent, only a way is chosen


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files for the server, and the fingerprint by which a person can know it again."""

    file: Path
    fingerprint: str


def lan_addresses() -> tuple[str, ...]:
    """The addresses under which other machines can reach this one, the likeliest first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)  # fails where there is no network at all
        found.append(probe.getsockname()[0])
    with suppress(OSError):  # of a name that nobody knows
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(dict.fromkeys(found)) or ("127.0.0.1",)


def certificate_for(names: tuple[str, ...], folder: Path) -> Certificate:
    """The certificate kept in the folder, made anew where it is missing, old, or for other names."""
    path = folder / "table.pem"
    told = folder / "names.txt"
    if not (
        path.is_file() and told.is_file() and told.read_text("utf-8").split() == list(names) and _fresh(path)
    ):
        _make(names, path)
        told.write_text("\n".join(names), "utf-8")
    return Certificate(path, _fingerprint(path))


def _make(names: tuple[str, ...], path: Path) -> None:
    """The authority that signs is thrown away at once: its key could vouch for any site."""
    import trustme

    path.parent.mkdir(parents=True, exist_ok=True)
    leaf = trustme.CA(organization_name="Finito").issue_cert(
        *names, organization_name="Finito", not_after=datetime.now(UTC) + _VALID
    )
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(leaf.private_key_and_cert_chain_pem.bytes())


def _first_certificate(path: Path) -> str:
    text = path.read_text("ascii")
    begin = text.index("-----BEGIN CERTIFICATE-----")
    end = "-----END CERTIFICATE-----"
    return text[begin : text.index(end, begin) + len(end)] + "\n"


def _fingerprint(path: Path) -> str:
    digest = sha256(ssl.PEM_cert_to_DER_cert(_first_certificate(path))).hexdigest().upper()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def _fresh(path: Path) -> bool:
    from cryptography import x509

    try:
        until = x509.load_pem_x509_certificate(_first_certificate(path).encode()).not_valid_after_utc
    except ValueError:
        return False
    return until - datetime.now(UTC) > _RENEWED
