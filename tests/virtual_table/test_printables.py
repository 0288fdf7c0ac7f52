"""Printed things are measured on the rendered page: a millimetre in the PDF is a millimetre on paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
import typer
from numpy.typing import NDArray
from typer.testing import CliRunner

from calibration.printables import LENS_BOARD, PAPERS, TABLE_MARKERS, write_board, write_deck, write_markers
from calibration.printables.sheet import Paper
from finito.cli import printing
from finito.errors import BadInput
from finito.virtual_table.decks import house_deck
from finito.virtual_table.decks.house import house_card_art
from finito.virtual_table.decks.house_faces import INKS

DPI = 300
PX = DPI / 25.4
Page = NDArray[np.uint8]
papers = pytest.mark.parametrize("paper", list(PAPERS.values()), ids=list(PAPERS))


def rendered(path: Path, number: int = 0) -> Page:
    document = pypdfium2.PdfDocument(path)
    try:
        picture = document[number].render(scale=DPI / 72).to_numpy()
        return np.ascontiguousarray(picture[:, :, :3])
    finally:
        document.close()


def size_mm(page: Page) -> tuple[float, float]:
    return page.shape[1] / PX, page.shape[0] / PX


def longest_dark_run_mm(page: Page, axis: int) -> float:
    """The longest straight dark line along an axis: the ruler, where nothing larger is printed."""
    dark = page.max(axis=2) < 100
    lines = dark if axis == 1 else dark.T
    best = 0
    for line in lines[lines.any(axis=1)]:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
        best = max(best, int((edges[1::2] - edges[::2]).max()))
    return best / PX


def ink_box_mm(page: Page, ink: tuple[int, int, int], window: tuple[slice, slice]) -> tuple[float, float]:
    """Width and height of what is printed in an ink."""
    near = np.abs(page[window].astype(int) - np.array(ink[::-1])).max(axis=2) < 40
    rows, columns = np.flatnonzero(near.any(axis=1)), np.flatnonzero(near.any(axis=0))
    return (columns[-1] - columns[0] + 1) / PX, (rows[-1] - rows[0] + 1) / PX


@pytest.fixture(scope="module")
def deck_pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Paper], tuple[Page, Page]]:
    """First sheet of faces and of backs."""
    folder = tmp_path_factory.mktemp("deck")
    made: dict[str, tuple[Page, Page]] = {}

    def pages(paper: Paper) -> tuple[Page, Page]:
        if paper.name not in made:
            path = folder / f"{paper.name}.pdf"
            assert write_deck(path, paper, house_card_art(("pizza",))) == 10
            made[paper.name] = rendered(path, 0), rendered(path, 1)
        return made[paper.name]

    return pages


@papers
def test_pages_have_the_size_of_the_paper(
    paper: Paper, deck_pages: Callable[[Paper], tuple[Page, Page]], tmp_path: Path
) -> None:
    assert size_mm(deck_pages(paper)[0]) == pytest.approx(
        (paper.landscape.width, paper.landscape.height), abs=0.2
    )
    write_markers(tmp_path / "m.pdf", paper)
    assert size_mm(rendered(tmp_path / "m.pdf")) == pytest.approx((paper.width, paper.height), abs=0.2)


@papers
def test_cutting_marks_stand_59_and_91_mm_apart(
    paper: Paper, deck_pages: Callable[[Paper], tuple[Page, Page]]
) -> None:
    for page in deck_pages(paper):
        top, left = (paper.landscape.height - 182) / 2, (paper.landscape.width - 236) / 2
        across = page[round((top - 7.6) * PX) : round((top - 6.0) * PX)].max(axis=(0, 2)) < 140
        down = page[:, round((left - 7.6) * PX) : round((left - 7.2) * PX)].max(axis=(1, 2)) < 140
        assert np.diff(middles_mm(across)) == pytest.approx([59.0] * 4, abs=0.2)
        assert np.diff(middles_mm(down)) == pytest.approx([91.0] * 2, abs=0.2)


def middles_mm(marks: NDArray[np.bool_]) -> NDArray[np.float64]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marks.astype(np.int8), [0]))))
    return (edges[::2] + edges[1::2]) / 2 / PX


@papers
def test_a_printed_card_has_the_size_of_the_drawn_one(
    paper: Paper, deck_pages: Callable[[Paper], tuple[Page, Page]]
) -> None:
    left, top = (paper.landscape.width - 236) / 2, (paper.landscape.height - 182) / 2
    first = (slice(round(top * PX), round((top + 91) * PX)), slice(round(left * PX), round((left + 59) * PX)))
    assert ink_box_mm(deck_pages(paper)[0], INKS["R"], first) == pytest.approx((52.0, 84.0), abs=0.2)


@papers
def test_printed_cards_look_like_the_pictures_of_the_deck(
    paper: Paper, deck_pages: Callable[[Paper], tuple[Page, Page]]
) -> None:
    deck = house_deck()
    left, top = (paper.landscape.width - 236) / 2, (paper.landscape.height - 182) / 2
    for page, picture in zip(deck_pages(paper), (deck.face("R0"), deck.back("pizza")), strict=True):
        cut = page[round(top * PX) : round((top + 91) * PX), round(left * PX) : round((left + 59) * PX)]
        small = cv2.resize(cut, deck.size_px, interpolation=cv2.INTER_AREA)
        assert np.abs(small.astype(int) - picture).mean() < 5


@papers
def test_backs_lie_behind_their_faces_when_the_sheet_is_turned(paper: Paper, tmp_path: Path) -> None:
    """Three cards of four in a row, so that a sheet that is not mirrored shows."""
    art = house_card_art(("gelato",))
    three = replace(art, faces={name: art.faces[name] for name in ("R0", "Y0", "G0")})
    write_deck(tmp_path / "deck.pdf", paper, three)
    faces, backs = (rendered(tmp_path / "deck.pdf", number).min(axis=2) < 235 for number in (0, 1))
    behind = backs[:, ::-1]
    cards = cv2.morphologyEx(faces.astype(np.uint8), cv2.MORPH_OPEN, np.ones((25, 25), np.uint8))
    assert cards.sum() > 0
    assert behind[cards.astype(bool)].mean() > 0.85


@papers
def test_the_ruler_is_100_mm_on_every_sheet(
    paper: Paper, deck_pages: Callable[[Paper], tuple[Page, Page]], tmp_path: Path
) -> None:
    left = round((paper.landscape.width - 236) / 2 * PX)
    for page in deck_pages(paper):
        assert longest_dark_run_mm(page[:, : left - round(3 * PX)], axis=0) == pytest.approx(100.0, abs=0.2)
    write_markers(tmp_path / "m.pdf", paper)
    assert longest_dark_run_mm(rendered(tmp_path / "m.pdf"), axis=1) == pytest.approx(100.0, abs=0.2)
    write_board(tmp_path / "b.pdf", paper)
    below = rendered(tmp_path / "b.pdf")[round(252 * PX) :]
    assert longest_dark_run_mm(below, axis=1) == pytest.approx(100.0, abs=0.2)


@papers
def test_markers_measure_50_mm(paper: Paper, tmp_path: Path) -> None:
    write_markers(tmp_path / "m.pdf", paper)
    corners, ids = found_markers(rendered(tmp_path / "m.pdf"))
    assert sorted(ids) == [0, 1, 2, 3]
    for quad in corners:
        sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1) / PX
        assert sides == pytest.approx([50.0] * 4, abs=0.2)


def found_markers(page: Page) -> tuple[list[NDArray[np.float32]], list[int]]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(TABLE_MARKERS.dictionary))
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY))
    return [np.asarray(quad, np.float32)[0] for quad in corners], [] if ids is None else list(np.ravel(ids))


def test_markers_keep_two_white_cells_around() -> None:
    assert TABLE_MARKERS.border_mm >= 2 * TABLE_MARKERS.side_mm / 6


@papers
def test_markers_cut_out_and_laid_on_a_dark_table_are_found_in_a_photo(paper: Paper, tmp_path: Path) -> None:
    write_markers(tmp_path / "m.pdf", paper)
    photo = photographed(cut_out_markers(rendered(tmp_path / "m.pdf"), paper), np.random.default_rng(7))
    assert sorted(found_markers(photo)[1]) == [0, 1, 2, 3]


def cut_out_markers(page: Page, paper: Paper) -> list[Page]:
    block, left, top = TABLE_MARKERS.block_mm, (paper.width - 2 * TABLE_MARKERS.block_mm) / 2, 14.0
    return [
        page[
            round((top + row * block) * PX) : round((top + (row + 1) * block) * PX),
            round((left + column * block) * PX) : round((left + (column + 1) * block) * PX),
        ]
        for row in range(2)
        for column in range(2)
    ]


def photographed(pieces: list[Page], rng: np.random.Generator) -> Page:
    """Four pieces of paper in the corners of a dark table of 1.2 by 0.8 m, seen obliquely, dim and noisy."""
    table = np.full((800, 1200, 3), (30, 34, 44), np.uint8)
    for piece, (x, y) in zip(pieces, ((20, 20), (1080, 30), (30, 680), (1070, 690)), strict=True):
        table[y : y + 92, x : x + 92] = cv2.resize(piece, (92, 92), interpolation=cv2.INTER_AREA)
    seen = np.array([[190, 90], [1090, 90], [1270, 700], [10, 700]], np.float32)
    flat = np.array([[0, 0], [1200, 0], [1200, 800], [0, 800]], np.float32)
    photo = cv2.warpPerspective(table, cv2.getPerspectiveTransform(flat, seen), (1280, 720))
    photo = cv2.GaussianBlur(photo, (0, 0), 0.8)
    noisy = photo * 0.7 * np.array([0.75, 0.9, 1.0]) + rng.normal(0, 5, photo.shape)
    _, packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 80])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


@papers
def test_the_lens_board_is_found_whole_and_measures_34_mm(paper: Paper, tmp_path: Path) -> None:
    write_board(tmp_path / "b.pdf", paper)
    page = rendered(tmp_path / "b.pdf")
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    corners, ids, _, markers = cv2.aruco.CharucoDetector(LENS_BOARD.opencv()).detectBoard(grey)
    assert len(np.ravel(ids)) == (LENS_BOARD.columns - 1) * (LENS_BOARD.rows - 1)
    assert len(np.ravel(markers)) == LENS_BOARD.columns * LENS_BOARD.rows // 2
    grid = np.asarray(corners).reshape(LENS_BOARD.rows - 1, LENS_BOARD.columns - 1, 2) / PX
    assert np.linalg.norm(np.diff(grid, axis=1), axis=2) == pytest.approx(34.0, abs=0.2)
    assert np.linalg.norm(np.diff(grid, axis=0), axis=2) == pytest.approx(34.0, abs=0.2)


def test_the_lens_board_is_not_taken_for_table_markers(tmp_path: Path) -> None:
    write_board(tmp_path / "b.pdf", PAPERS["a4"])
    assert found_markers(rendered(tmp_path / "b.pdf"))[1] == []


def command(*arguments: str) -> tuple[str, str]:
    app = typer.Typer()
    printing.register(app)

    @app.callback()
    def finito() -> None: ...

    result = CliRunner().invoke(app, ["print", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_print_deck_writes_only_json_to_standard_output(tmp_path: Path) -> None:
    out = tmp_path / "deck.pdf"
    stdout, _ = command("deck", "--back", "insalata", "--paper", "letter", "--out", str(out), "--json")
    assert json.loads(stdout) == {"file": str(out), "what": "deck", "paper": "letter", "pages": 10}
    assert out.read_bytes().startswith(b"%PDF")


def test_printing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        command("markers", "--out", str(tmp_path / name))
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_printing_into_a_missing_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist; make it first"):
        command("board", "--out", str(tmp_path / "nowhere" / "board.pdf"))


def test_printing_over_a_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is a folder"):
        command("board", "--out", str(tmp_path))


def test_printing_an_unknown_back_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no back 'sushi'; it has pizza, spaghetti"):
        command("deck", "--back", "sushi", "--out", str(tmp_path / "deck.pdf"))
