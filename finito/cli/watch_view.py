"""What `finito watch` shows, and the keys it hears."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self, cast

from rich.console import Console
from rich.live import Live
from rich.text import Text

from finito.board_view import MOST_CALLS, board, call
from referee.actions import Finito

if TYPE_CHECKING:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveEvent
    from referee.round import RoundReferee
    from referee.rules.pile_game import PileRules
    from referee.state import RoundState
    from vision.pipelining.watching import Told

KEYS: Final = "s start   f Finito   u undo   o overrule   c count   q quit"
_EVERY: Final = 0.15  # seconds between two pictures of the board
_DELAYS: Final = 200


class Screen:
    """JSON lines, lines of text, or on a terminal the board with the last calls, frame rate and delay."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json
        self._console = Console()
        self._live: Live | None = None
        self._calls: list[Text] = []
        self._shown = 0.0
        self._delays: deque[float] = deque(maxlen=_DELAYS)

    def __enter__(self) -> Self:
        if not self._json and self._console.is_terminal:
            self._live = Live(console=self._console, auto_refresh=False)
            self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.__exit__(None, None, None)

    def call(self, event: LiveEvent, line: dict[str, Any]) -> None:
        """Something was judged."""
        self._delays.append(max(0.0, event.told - event.moment))
        if self._json:
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            return
        said = "" if event.said == "new" else f" ({event.said})"
        text = call(f"{event.moment:.1f} s", event.verdict.outcome, line["rule"], f"{line['why']}{said}")
        if isinstance(event.action, Finito) and event.verdict.legal:
            text.stylize("bold magenta")
            if event.said == "new" and self._live is not None:
                say(f"Finito! {event.action.player}")
        self._calls = [*self._calls, text][-MOST_CALLS:]
        if self._live is None:
            self._console.print(text, soft_wrap=True)

    def line(self, line: dict[str, Any]) -> None:
        """What is no call: the round, its deals, the count and the result."""
        if self._json:
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            return
        for text in _told(line):
            self._calls = [*self._calls, text][-MOST_CALLS:]
            if self._live is None:
                self._console.print(text, soft_wrap=True)

    def remark(self, sentence: str) -> None:
        """Something about the watching itself."""
        if self._live is None:
            sys.stderr.write(f"finito: {sentence}\n")
            return
        self._calls = [*self._calls, Text(sentence, "dim")][-MOST_CALLS:]

    def update(self, referee: RefereedRound, told: Told, waiting: str | None) -> None:
        """The standing, not more often than the eye can follow."""
        if self._live is None or told.at - self._shown < _EVERY:
            return
        self._shown = told.at
        if waiting is not None or referee.referee.round is None:
            self._live.update(Text(f"waiting for the deal: {waiting or 'the table is read'}"), refresh=True)
            return
        self._live.update(board(_standing(referee), self._calls, self._heading(told)), refresh=True)

    def _heading(self, told: Told) -> str:
        slow = sorted(self._delays)[int(0.95 * len(self._delays))] * 1000 if self._delays else 0.0
        lost = f"   {told.dropped} dropped" if told.dropped else ""
        return f"{told.t:6.1f} s   {told.rate:4.1f} fps{lost}   delay {slow:.0f} ms   {KEYS}"


def _told(line: dict[str, Any]) -> list[Text]:
    """A line for people; who plays and what was dealt is on the board."""
    if line["type"] == "count":
        counted = ", ".join(f"{back} {cards}" for back, cards in line["by_back"].items())
        return [Text(f"counted in the centre: {counted}")]
    if line["type"] != "result":
        return []
    points = ", ".join(f"{player} {points}" for player, points in line["points"].items())
    told = [Text(f"points: {points}", "bold")]
    if line["totals"] != line["points"]:
        totals = ", ".join(f"{player} {points}" for player, points in line["totals"].items())
        told.append(Text(f"in the match: {totals}", "bold"))
    if line["winner"] is not None:
        told.append(Text(f"{line['winner']} wins the match", "bold magenta"))
    if "question" in line:
        told.append(Text(f"not settled: {line['question']}", "yellow"))
    return told


def say(words: str) -> None:
    """Speaks with the system's voice, where there is one; nobody waits for it."""
    for voice in ("espeak-ng", "say", "spd-say"):
        if (program := shutil.which(voice)) is not None:
            subprocess.Popen([program, words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return


@dataclass(frozen=True)
class _Standing:
    """What the board shows of a referee."""

    state: RoundState
    rules: PileRules


def _standing(referee: RefereedRound) -> RoundReferee:
    log = referee.log
    return cast("RoundReferee", _Standing(log.state, log.rules))


@contextmanager
def keys_pressed(as_json: bool) -> Iterator[Callable[[], str]]:
    """Gives a function that tells the keys pressed since it was last asked; none without a terminal."""
    if as_json or not sys.stdin.isatty() or not sys.stdout.isatty():
        yield lambda: ""
        return
    try:
        import termios
        import tty
    except ImportError:  # Windows
        with _polled() as keys:
            yield keys
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    pressed: deque[str] = deque()
    tty.setcbreak(terminal)
    threading.Thread(target=_listen, args=(terminal, pressed), name="keys", daemon=True).start()
    try:
        yield lambda: "".join(pressed.popleft() for _ in range(len(pressed)))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _listen(terminal: int, pressed: deque[str]) -> None:
    while key := os.read(terminal, 1):
        pressed.append(key.decode("ascii", "ignore").lower())


@contextmanager
def _polled() -> Iterator[Callable[[], str]]:
    import msvcrt

    def keys() -> str:
        found = ""
        while msvcrt.kbhit():  # type: ignore[attr-defined]
            found += msvcrt.getwch().lower()  # type: ignore[attr-defined]
        return found

    yield keys
