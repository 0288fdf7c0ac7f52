"""A table profile survives writing and reading; a bad one is refused with the place that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.errors import CalibrationError
from calibration.lens import Lens, nominal_lens
from calibration.lighting import WhiteReference
from calibration.profiles import LARGEST, TableProfile, read_profile, write_profile
from calibration.table_plane import TablePlane
from calibration.zones import PlaceZone, SeatZone, TableZones
from referee.places import Seat

PLANE = TablePlane(
    (1920, 1080),
    ((0.512345678901, 0.01, -480.0), (-0.003, 0.6, -300.0), (1e-6, 2e-5, 1.0)),
    nominal_lens((1920, 1080), -0.031),
    0.42,
    "markers",
    {0: ((-1.0, -2.0), (49.0, -2.0), (49.0, 48.0), (-1.0, 48.0))},
)
PLACES = tuple(PlaceZone(name, 10.0 * i, 200.0, 0.0) for i, name in enumerate(("espresso", "help1", "waste")))
FULL = TableProfile(
    Lens((1920, 1080), (1500.5, 1501.25), (955.1, 541.9), (-0.1, 0.02, 1e-4, -2e-4, 0.0), 0.31),
    PLANE,
    WhiteReference((201.0, 210.5, 220.0), 0.01, 1.3, "markers", ('Say "more light".', "A\\B")),
    TableZones((SeatZone(Seat.SOUTH, 0.0, PLACES),), ((-100.0, -100.0), (100.0, -100.0), (0.0, 120.0))),
)


@pytest.mark.parametrize(
    "profile", [TableProfile(), FULL, TableProfile(lens=FULL.lens), TableProfile(plane=PLANE)]
)
def test_what_is_written_is_read(tmp_path: Path, profile: TableProfile) -> None:
    write_profile(tmp_path / "table.toml", profile)
    assert read_profile(tmp_path / "table.toml") == profile
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]


def test_a_person_can_read_and_change_it(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    write_profile(path, FULL)
    text = path.read_text()
    assert '{ place = "help1", x = 10.0, y = 200.0, angle = 0.0 }' in text
    assert text.startswith("# Table profile")
    path.write_text(text.replace('place = "help1", x = 10.0', 'place = "help1", x = 17.5'))
    changed = read_profile(path)
    assert changed.zones is not None
    assert changed.zones.seat("south").place("help1").x == 17.5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("version = 1", "version = 7", "version 7"),
        ("version = 1", "", "version None"),
        ("error_mm", "eror_mm", "plane.error_mm"),
        ('"south"', '"soth"', "zones.seats.0.seat"),
        ("0.42", "nan", "plane.error_mm"),
        ("0.42", '"far"', "plane.error_mm"),
        ("found_by", "colour = 3\nfound_by", "plane.colour"),
        ("focal = [1500.5, 1501.25]", "focal = [0.0, 1.0]", "lens"),
        ("0.512345678901, 0.01, -480.0], [-0.003, 0.6, -300.0]", "0, 0, 0], [0, 0, 0]", "plane.to_mm"),
        ("version", "= =", "no table profile"),
    ],
)
def test_a_bad_profile_is_refused_with_the_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "table.toml"
    write_profile(path, FULL)
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(CalibrationError) as caught:
        read_profile(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_profile_at_all_is_refused(tmp_path: Path) -> None:
    for name, data in (("binary.toml", b"\xff\xfe\x00"), ("huge.toml", b"#" * (LARGEST + 1))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(CalibrationError, match="no table profile"):
            read_profile(tmp_path / name)
    with pytest.raises(CalibrationError, match="cannot be read"):
        read_profile(tmp_path / "missing.toml")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        write_profile(tmp_path / "no" / "table.toml", FULL)
