"""What the reading net answers, in the order of its outputs."""

from typing import Final

SIDES: Final = ("face", "back", "none")
# Another colour (orange, purple, black) and another figure (a sign, a picture, 11 and more) are answers too:
# a reader that knows only what it looks for sees it everywhere.
COLOURS: Final = ("R", "Y", "G", "B", "other")
NUMBERS: Final = (*(str(n) for n in range(11)), "other")
EMBEDDING: Final = 64

# The crop: the whole card with a margin of table around it, which shows the light it lies in.
CROP_WIDTH: Final = 72
CROP_HEIGHT: Final = 104
MARGIN_X: Final = 5
MARGIN_Y: Final = 6

# Colours of the whole picture: mean and 95th percentile of blue, green and red, and whether they are known.
LIGHT: Final = 7
