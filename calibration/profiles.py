"""What is known of a table, in a file that people can read and change."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.lighting import WhiteReference
from calibration.table_plane import TablePlane
from calibration.zones import TableZones

PROFILE_VERSION: Final = 1
LARGEST: Final = 256 * 1024  # bytes; a profile has about four thousand
_HEAD: Final = """\
# Table profile of Finito. Lengths on the table are millimetres: x right, y towards the picture's bottom edge.
# Angles are degrees in which a player sits: 0 south (the bottom edge), 90 west, 180 north, 270 east.
"""


@dataclass(frozen=True)
class TableProfile:
    """Lens, plane, light and zones, as far as they are known."""

    lens: Lens | None = None
    plane: TablePlane | None = None
    white: WhiteReference | None = None
    zones: TableZones | None = None
    version: int = PROFILE_VERSION

    __pydantic_config__ = ConfigDict(extra="forbid", allow_inf_nan=False)


def write_profile(path: Path, profile: TableProfile) -> None:
    """Writes the whole file or nothing."""
    text = _HEAD + "\n".join(_lines(_plain(profile)))
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            file.write(text + "\n")
        os.replace(file.name, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CalibrationError(f"{path} cannot be written ({reason}); choose another place") from None


def read_profile(path: Path) -> TableProfile:
    """The profile in a file; what is wrong with it is said in one sentence."""
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST else None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CalibrationError(f"the table profile {path} cannot be read ({reason})") from None
    if data is None:
        raise CalibrationError(f"{path} is no table profile: it is larger than {LARGEST // 1024} KiB")
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise CalibrationError(
            f"{path} is no table profile ({error}); make one with finito calibrate table"
        ) from None
    return _checked(path, values)


def _checked(path: Path, values: dict[str, Any]) -> TableProfile:
    version = values.get("version")
    if version != PROFILE_VERSION:
        raise CalibrationError(
            f"{path} is a table profile of version {version!r}, this program reads {PROFILE_VERSION}; "
            "make a new one with finito calibrate table"
        )
    try:
        profile: TableProfile = TypeAdapter(TableProfile).validate_python(values)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _wrong(path, where, first["msg"].lower()) from None
    if profile.plane is not None and abs(np.linalg.det(profile.plane.homography)) < 1e-9:
        raise _wrong(path, "plane.to_mm", "it maps no picture to a table")
    for lens in (profile.lens, profile.plane.lens if profile.plane else None):
        if lens is not None and (min(lens.size) < 1 or min(lens.focal) <= 0):
            raise _wrong(path, "lens", "size and focal length must be above 0")
    return profile


def _wrong(path: Path, where: str, what: str) -> CalibrationError:
    return CalibrationError(
        f"{path}: {where} is wrong ({what}); mend it, or make a new profile with finito calibrate table"
    )


def _plain(profile: TableProfile) -> dict[str, Any]:
    values = asdict(profile)
    return {"version": values.pop("version"), **{key: value for key, value in values.items() if value}}


def _lines(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """TOML: plain values first, then tables, then lists of tables."""
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    lists = {key: value for key, value in values.items() if _is_tables(value)}
    for key, value in values.items():
        if key not in tables and key not in lists and value is not None:
            yield f"{key} = {_value(value)}"
    for key, rows in lists.items():
        if _are_flat(rows):
            yield f"{key} = ["
            yield from (f"    {_inline(row)}," for row in rows)
            yield "]"
    for key, table in tables.items():
        yield f"\n[{'.'.join((*path, str(key)))}]"
        yield from _lines(table, (*path, str(key)))
    for key, rows in lists.items():
        for row in () if _are_flat(rows) else rows:
            yield f"\n[[{'.'.join((*path, str(key)))}]]"
            yield from _lines(row, (*path, str(key)))


def _is_tables(value: Any) -> bool:
    return (
        isinstance(value, tuple | list) and bool(value) and all(isinstance(each, Mapping) for each in value)
    )


def _are_flat(rows: Iterable[Mapping[str, Any]]) -> bool:
    return not any(isinstance(value, Mapping | tuple | list) for row in rows for value in row.values())


def _inline(row: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in row.items()) + " }"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(each) for each in value)}]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
