"""Small print on a face: indices in the corners, a suit below them, the maker's word."""

from __future__ import annotations

from finito.virtual_table.decks.deck import PX_PER_MM, Picture
from finito.virtual_table.decks.invented.brush import fill, moved
from finito.virtual_table.decks.invented.face_style import FaceStyle
from finito.virtual_table.decks.invented.figures import Look, draw_figure, figure_mask
from finito.virtual_table.decks.invented.inks import Colour
from finito.virtual_table.decks.invented.motifs import Motif


def draw_corners(picture: Picture, style: FaceStyle, text: str, mark: str, motif: Motif, look: Look) -> None:
    corners = style.corners
    assert corners is not None
    width = picture.shape[1]
    tall = round(corners.height_mm * PX_PER_MM)
    mask = figure_mask(style.corner_lettering, text, tall, mark, 0.0, round(width * 0.24))
    inset = (corners.inset_mm + style.border_mm) * PX_PER_MM
    across = inset + max(mask.shape[1], tall * 0.6) / 2
    down = inset + tall / 2
    spots = [(across, down)]
    if corners.layout == "four":
        spots.append((width - across, down))
    for spot in spots:
        _draw_index(picture, spot, mask, motif, corners.suit_mm * PX_PER_MM, look, upside_down=False)
        if corners.layout != "one":
            _draw_index(picture, spot, mask, motif, corners.suit_mm * PX_PER_MM, look, upside_down=True)


def _draw_index(
    picture: Picture,
    spot: tuple[float, float],
    mask: Picture,
    motif: Motif,
    suit_px: float,
    look: Look,
    upside_down: bool,
) -> None:
    height, width = picture.shape[:2]
    below = (spot[0], spot[1] + mask.shape[0] / 2 + suit_px * 0.7)
    if upside_down:
        spot, below = (width - spot[0], height - spot[1]), (width - below[0], height - below[1])
        mask = mask[::-1, ::-1]
    draw_figure(picture, mask, spot, look)
    if suit_px:
        for part in motif:
            if part.role == 0:
                fill(picture, moved(part.points, below, suit_px, 180.0 if upside_down else 0.0), look.fill)


def draw_word(picture: Picture, style: FaceStyle, paper: Colour, ink: Colour) -> None:
    """The maker's name, on its own patch in the upper right."""
    mask = figure_mask(style.lettering, style.word, round(5.5 * PX_PER_MM), "", 0.0, round(15 * PX_PER_MM))
    height, width = mask.shape
    right = picture.shape[1] - round((style.border_mm + 0.5) * PX_PER_MM)
    top = round((style.border_mm + 0.5) * PX_PER_MM)
    picture[top : top + height + 6, right - width - 6 : right] = paper
    draw_figure(picture, mask, (right - width / 2 - 3, top + height / 2 + 3), Look(ink))
