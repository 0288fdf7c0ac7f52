"""Things to print at true size: the house deck, the table markers and the lens board."""

from calibration.printables.card_sheets import CardArt, page_count, write_deck
from calibration.printables.lens_board import LENS_BOARD, LensBoard, write_board
from calibration.printables.markers import TABLE_MARKERS, TableMarkers, write_markers
from calibration.printables.sheet import PAPERS, Paper

__all__ = [
    "LENS_BOARD",
    "PAPERS",
    "TABLE_MARKERS",
    "CardArt",
    "LensBoard",
    "Paper",
    "TableMarkers",
    "page_count",
    "write_board",
    "write_deck",
    "write_markers",
]
