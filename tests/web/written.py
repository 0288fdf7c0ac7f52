"""A round in which a card is misread: what was called a wrong colour was right."""

from __future__ import annotations

from finito.web.host import TableHost, Wish
from finito.web.stories import Story
from referee.notation import parse_line

LINES = """
{"type": "round", "game": "espresso", "variant": ["normalo"], "players": ["pizza", "gelato"]}
{"type": "deal", "player": "pizza", "espresso": 9, "top": "R3", "helps": ["??", "G0", "Y0"]}
{"type": "deal", "player": "gelato", "espresso": 9, "top": "R7", "helps": ["Y1", "G7", "B5"]}
{"t": 0.0, "type": "start"}
{"t": 0.1, "type": "play", "player": "pizza", "face": "Y0", "from": "help3", "to": "new"}
{"t": 0.2, "type": "refill", "player": "pizza", "slot": "help3", "face": "R3", "reveals": "B6"}
{"t": 0.3, "type": "play", "player": "gelato", "face": "Y1", "from": "help1", "to": 1}
{"t": 0.4, "type": "refill", "player": "gelato", "slot": "help1", "face": "R7", "reveals": "B8"}
{"t": 0.5, "type": "play", "player": "pizza", "face": "G2", "from": "help1", "to": 1}
"""


def misread() -> Story:
    entries = [parse_line(line) for line in LINES.strip().splitlines()]
    return Story(entries[0], tuple(entries[1:3]), tuple(entries[3:]))  # type: ignore[arg-type]


def lay(host: TableHost, story: Story | None = None) -> None:
    """Puts a story on the table as if the set-up had asked for it."""
    import finito.web.host as module

    told = story or misread()
    original = module._story
    module._story = lambda wish: told  # noqa: ARG005 (called by its name)
    try:
        host.open(Wish())
    finally:
        module._story = original
