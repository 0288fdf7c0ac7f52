"""`finito calibrate`: the lens from photos of the board, the table from one look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finito.errors import BadInput

if TYPE_CHECKING:
    from calibration.lens import Lens
    from calibration.lighting import WhiteReference
    from calibration.markers import SeenMarker
    from calibration.profiles import TableProfile
    from calibration.table_plane import TablePlane
    from calibration.zones import TableZones
    from vision.frame import Picture

DEFAULT_PROFILE = Path("table.toml")
MOST_FRAMES = 40  # of a video or camera, in which the markers must show
ENOUGH_CARDS = 0.6  # least certainty of a card that may say where the table is

OutOption = Annotated[
    Path, typer.Option("--out", help="Table profile to write; what it already knows is kept.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object.")]
AnnotateOption = Annotated[
    Path | None, typer.Option("--annotate", help="Picture to write with what was found.", show_default=False)
]


def register(app: typer.Typer) -> None:
    calibrate = typer.Typer(
        help="Measure the camera's lens and the table, once, into a table profile.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    calibrate.command("lens")(lens)
    calibrate.command("table")(table)
    app.add_typer(calibrate, name="calibrate")


def lens(
    photos: Annotated[list[Path], typer.Argument(help="Photos of the printed lens board, about ten.")],
    out: OutOption = DEFAULT_PROFILE,
    annotate: AnnotateOption = None,
    as_json: JsonOption = False,
) -> None:
    """The lens, from photos of the lens board (print it with finito print board).

    Show the board near and far, tilted, and in all corners of the picture.

    Example: finito calibrate lens board*.jpg --out table.toml
    """
    from calibration.drawing import drawn_board
    from calibration.lens import calibrate_lens, find_board
    from vision.sources import read_picture

    with _in_one_sentence():
        seen, without = [], []
        for photo in photos:
            sighting = find_board(read_picture(photo), str(photo))
            if sighting is None:
                without.append(str(photo))
                typer.echo(f"{photo}: the board is not in it, or too little of it", err=True)
            else:
                seen.append(sighting)
        report = calibrate_lens(seen)
        if annotate is not None:
            _write_picture(annotate, drawn_board(read_picture(seen[0].name), seen[0], report.lens))
        _keep(out, replace(_known(out), lens=report.lens))
    for sentence in report.advice:
        typer.echo(sentence, err=True)
    rms = report.lens.rms or 0.0
    if as_json:
        pictures = [{"image": name, "rms": round(error, 4)} for name, error in report.pictures]
        answer = {"profile": str(out), "rms": round(rms, 4), "pictures": pictures, "without_board": without}
        extra = {"lens": _lens_json(report.lens), "cover": round(report.cover, 3), "advice": report.advice}
        typer.echo(json.dumps({**answer, **extra}))
    else:
        for name, error in report.pictures:
            typer.echo(f"{name}: {error:.2f} pixels RMS")
        typer.echo(f"{out}: the lens fits {len(seen)} pictures to {rms:.2f} pixels RMS.")


def table(
    source: Annotated[str, typer.Argument(help="A photo, a video, a camera number or a stream's address.")],
    out: OutOption = DEFAULT_PROFILE,
    lens_profile: Annotated[
        Path | None,
        typer.Option("--lens", help="Profile that knows the lens; default: --out.", show_default=False),
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="How many are dealt; default: as many as are seen.", min=2, max=6)
    ] = None,
    annotate: AnnotateOption = None,
    as_json: JsonOption = False,
) -> None:
    """The table plane, the light, and the places of everybody if the cards are dealt.

    Lay the four printed markers in the corners of the table (finito print markers); nothing is measured.
    Without markers the cards themselves do, if a dozen lie all over the table.

    Example: finito calibrate table 0 --out table.toml --annotate table.jpg
    """
    from calibration.drawing import drawn_table

    with _in_one_sentence():
        known = _known(out)
        picture, markers = _best_picture(source)
        look = _look(picture, markers, _known(lens_profile).lens if lens_profile else known.lens, players)
        if annotate is not None:
            _write_picture(annotate, drawn_table(picture, look.plane, markers, look.cards, look.zones))
        zones = look.zones or known.zones
        _keep(out, replace(known, plane=look.plane, white=look.white or known.white, zones=zones))
    for sentence in look.advice:
        typer.echo(sentence, err=True)
    if as_json:
        typer.echo(json.dumps(_table_json(out, look)))
        return
    seats = f", seats: {', '.join(seat.seat for seat in look.zones.seats)}" if look.zones else ""
    typer.echo(
        f"{out}: the table plane from {len(look.markers) or len(look.cards)} {look.plane.found_by}, "
        f"to {look.plane.error_mm:.2f} mm{seats}."
    )


@dataclass(frozen=True, eq=False)
class TableLook:
    """What one picture tells of the table; `cards` are the corners of the cards in pixels (N x 4 x 2)."""

    plane: TablePlane
    markers: tuple[SeenMarker, ...]
    cards: Any
    white: WhiteReference | None
    zones: TableZones | None
    advice: tuple[str, ...]


def _best_picture(source: str) -> tuple[Picture, tuple[SeenMarker, ...]]:
    """The first picture with all markers, or else the one with most."""
    from calibration.markers import find_markers
    from calibration.printables import TABLE_MARKERS
    from vision.frame import Frame
    from vision.sources import open_source

    best: tuple[Picture, tuple[SeenMarker, ...]] | None = None
    with open_source(source, patience=10.0) as opened:
        for count, event in enumerate(opened):
            if isinstance(event, Frame):
                seen = find_markers(event.picture)
                # Of cameras the later picture, too: their exposure takes a moment to settle.
                if best is None or len(seen) >= len(best[1]):
                    best = (event.picture, seen)
                if len(seen) == len(TABLE_MARKERS.ids) and (count >= 10 or not opened.live):
                    break
            if count >= MOST_FRAMES:
                break
    if best is None:
        raise BadInput(f"{source} gave no picture; check the camera and try again")
    return best


def _look(
    picture: Picture, markers: tuple[SeenMarker, ...], lens: Lens | None, players: int | None
) -> TableLook:
    from calibration.lighting import white_from_cards, white_from_markers
    from calibration.table_plane import LEAST_MARKERS, plane_from_cards, plane_from_markers

    size = (picture.shape[1], picture.shape[0])
    fitting = lens.resized(size) if lens is not None else None
    advice = [] if lens else ["The lens is not known: finito calibrate lens makes the plane more exact."]
    cards, problem = _cards_in(picture)
    if len(markers) >= LEAST_MARKERS or not len(cards):
        plane = plane_from_markers(markers, size, fitting)
        if len(markers) == LEAST_MARKERS:
            advice.append("Only three markers are seen: uncover the fourth for a more exact plane.")
    else:
        plane = plane_from_cards(cards, size, fitting)
    white = white_from_markers(picture, markers) or white_from_cards(picture, cards)
    zones, undealt = _zones(plane, cards, players)
    advice += white.advice if white else ["The light is not known: markers show what white is."]
    return TableLook(plane, markers, cards, white, zones, (*advice, *problem, *undealt))


def _cards_in(picture: Picture) -> tuple[Any, tuple[str, ...]]:
    """Corners of the cards; none, and why, where the model that finds them cannot be used."""
    import numpy as np

    from finito.errors import BadInput
    from finito.seeing import open_eyes

    try:
        seen = open_eyes().table.read(picture)
    except BadInput as error:
        return np.zeros((0, 4, 2)), (f"Cards were not looked for: {error}",)
    # Squares of a board or cloth may pass for backs, hardly for faces.
    faces = [card for card in seen if card.reading.side == "face" and card.reading.sure_of_side]
    sure = [card.corners for card in faces if card.chance >= ENOUGH_CARDS]
    return np.array(sure, np.float64).reshape(-1, 4, 2), ()


def _zones(plane: TablePlane, cards: Any, players: int | None) -> tuple[TableZones | None, tuple[str, ...]]:
    from calibration.dealt_table import dealt_card, propose_zones
    from calibration.errors import CalibrationError

    try:
        return propose_zones([dealt_card(plane.mm(quad)) for quad in cards], players), ()
    except CalibrationError as error:
        if players is not None:
            raise
        return None, (f"No seats: {error}.",)


def _table_json(out: Path, look: TableLook) -> dict[str, Any]:
    return {
        "profile": str(out),
        "size": look.plane.size,
        "found_by": look.plane.found_by,
        "error_mm": round(look.plane.error_mm, 3),
        "markers": [marker.id for marker in look.markers],
        "cards": len(look.cards),
        "white": look.white and {"bgr": look.white.bgr, "burnt": look.white.burnt},
        "seats": [seat.seat for seat in look.zones.seats] if look.zones else [],
        "advice": list(look.advice),
    }


def _lens_json(lens: Lens) -> dict[str, Any]:
    return {"size": lens.size, "focal": lens.focal, "centre": lens.centre, "bend": lens.bend}


def _known(path: Path) -> TableProfile:
    from calibration.profiles import TableProfile, read_profile

    return read_profile(path) if path.exists() else TableProfile()


def _keep(path: Path, profile: TableProfile) -> None:
    from calibration.profiles import write_profile

    write_profile(path, profile)


def _write_picture(path: Path, picture: Any) -> None:
    import cv2

    if path.suffix.lower() not in (".jpg", ".jpeg", ".png"):
        raise BadInput(f"{path} cannot be written: name a .jpg or .png file")
    try:
        path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({error.strerror}); choose another place") from None


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    from calibration.errors import CalibrationError
    from vision.errors import VisionError

    try:
        yield
    except (CalibrationError, VisionError) as error:
        raise BadInput(str(error)) from None
