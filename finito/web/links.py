"""The addresses under which a table is opened, and their codes for phones."""

from __future__ import annotations

import io
from dataclasses import dataclass

import segno

from finito.web.access import Keys, Role


@dataclass(frozen=True, slots=True)
class Links:
    """`keys` and `fingerprint` are there on a network only."""

    url: str
    keys: Keys | None = None
    fingerprint: str | None = None

    @property
    def table(self) -> str:
        return self.url + "/" if self.keys is None else f"{self.url}/?key={self.keys.table}"

    @property
    def spectators(self) -> str:
        return self.url + "/" if self.keys is None else f"{self.url}/?key={self.keys.read}"

    @property
    def camera(self) -> str:
        return self.url + "/camera" if self.keys is None else f"{self.url}/camera?key={self.keys.table}"

    def private(self) -> dict[str, str]:
        """For whoever started the server."""
        if self.keys is None:
            return {}
        return {
            "table": self.table,
            "spectators": self.spectators,
            "camera": self.camera,
            "fingerprint": self.fingerprint or "",
        }

    def for_role(self, role: Role | None) -> dict[str, str]:
        """A spectator may hand on the spectators' link and no other."""
        shared = {"spectators": self.spectators}
        if role is Role.TABLE:
            shared |= {"table": self.table, "camera": self.camera}
        return shared


def qr_svg(link: str) -> bytes:
    """The link as a picture for phones."""
    picture = io.BytesIO()
    segno.make(link, error="m").save(
        picture, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False
    )
    return picture.getvalue()
