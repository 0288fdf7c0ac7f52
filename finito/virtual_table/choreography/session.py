"""A simulated session as a folder: video, truth of the round, truth of every frame, and the table."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import cv2
from av.error import FFmpegError

from finito import __version__
from finito.errors import BadInput
from finito.virtual_table.choreography.casting import FEWEST, MOST, Cast, cast_round, deck_named
from finito.virtual_table.choreography.filming import Shot, draw, filmed, video_writer
from finito.virtual_table.choreography.frame_truth import camera_json
from finito.virtual_table.choreography.rehearsal import rehearse
from finito.virtual_table.choreography.setting import MARKER_SIDE
from finito.virtual_table.choreography.show import Show
from finito.virtual_table.decks import Deck
from referee.actions import Start
from referee.notation import entry_to_json

TRUTH, TABLE, FRAMES, VIDEO = "truth.jsonl", "table.json", "frames.jsonl", "video.mp4"
_PROCESSES: Final = 2
Tick = Callable[[int], None]


@dataclass(frozen=True)
class Wish:
    """What a simulated session shall be."""

    players: int
    seconds: float
    seed: int
    faults: tuple[str, ...] = ()
    variant: tuple[str, ...] = ("normalo",)
    edition: str = "amigo-1995"
    deck: str = "house"
    size: tuple[int, int] = (1280, 720)
    fps: int = 20
    roughness: float = 1.0
    markers: bool = True

    def checked(self) -> Wish:
        if not FEWEST <= self.players <= MOST:
            raise BadInput(f"a table seats {FEWEST} to {MOST} players, not {self.players}; change --players")
        if not (math.isfinite(self.seconds) and 1 <= self.seconds <= 3600):
            raise BadInput(f"--seconds must be from 1 to 3600, not {self.seconds:g}")
        if not 1 <= self.fps <= 60:
            raise BadInput(f"--fps must be from 1 to 60, not {self.fps}")
        if not 0 <= self.roughness <= 2:
            raise BadInput(f"--roughness must be from 0 to 2, not {self.roughness:g}")
        if self.seed < 0:
            raise BadInput(f"--seed must be 0 or more, not {self.seed}")
        width, height = self.size
        if width % 2 or height % 2 or not (160 <= width <= 3840 and 90 <= height <= 2160):
            raise BadInput(
                f"--size {width}x{height} cannot be filmed; give two even numbers from 160x90 to 3840x2160"
            )
        return self


@dataclass(frozen=True)
class Session:
    """A round that has been played and rehearsed, ready to be filmed."""

    wish: Wish
    cast: Cast
    deck: Deck
    show: Show

    @property
    def shot(self) -> Shot:
        return Shot(self.show, self.wish.deck, self.wish.fps)


def plan_session(wish: Wish) -> Session:
    """Plays the round and plans every move of every hand."""
    wish.checked()
    deck = deck_named(wish.deck, wish.players)
    players = deck.backs[: wish.players]
    cast = cast_round(wish.seed, players, wish.seconds, wish.faults, wish.variant, wish.edition)
    show = rehearse(cast.played, deck, wish.seed, wish.size, wish.roughness, wish.markers)
    return Session(wish, cast, deck, show)


def truth_lines(session: Session) -> list[str]:
    """The round in the form `finito judge` reads; times are seconds from the first frame."""
    played = session.cast.played
    entries = (played.header, *played.deals, *played.actions, played.count)
    return [json.dumps(entry_to_json(entry), ensure_ascii=False) for entry in entries]


def table_json(session: Session) -> dict[str, Any]:
    """All about the table that does not change; millimetres from its middle, x right, y towards south."""
    wish, show, played = session.wish, session.show, session.cast.played
    shout = next(action.t.start for action in played.actions if isinstance(action, Start) and action.t)
    return {
        "seed": wish.seed,
        "deal_seed": session.cast.deal_seed,
        "pace": session.cast.pace,
        "players": [
            {
                "player": home.player,
                "back": home.player,
                "seat": home.seat.value,
                "hand": home.side,
                "position": [home.x, home.y],
                "angle": home.angle,
            }
            for home in show.homes.values()
        ],
        "faults": [{"rule": name, "action": index} for name, index in played.faults],
        "finito": played.finito,
        "deck": {"name": session.deck.name, "card_mm": list(session.deck.card_mm), "asked": wish.deck},
        "fps": wish.fps,
        "frames": session.shot.frames,
        "seconds": round(show.seconds, 3),
        "moments": {"shout": shout, "counted": show.ending.counted},
        "camera": camera_json(show.room.scene.camera),
        "markers": [
            {"id": paper.seed, "position": [paper.x, paper.y], "angle": paper.angle, "side_mm": MARKER_SIDE}
            for paper in show.room.markers
        ],
        "zones": {
            name: [[round(x, 1), round(y, 1)] for x, y in polygon] for name, polygon in show.zones.items()
        },
        "versions": {
            "finito": __version__,
            **{name: version(name) for name in ("numpy", "opencv-python", "av")},
        },
    }


def prepare_folder(out: Path) -> None:
    """Makes the folder of a session; it must be new or empty."""
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise BadInput(f"{out} exists and is not an empty folder; give --out a new one")
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"{out} cannot be written ({reason}); choose another place with --out") from error


def write_session(
    session: Session, out: Path, video: bool, stills: int, tick: Tick | None = None
) -> list[str]:
    """Writes everything into the folder; the names of the files and folders it made."""
    prepare_folder(out)
    try:
        return list(_written(session, out, video, stills, tick))
    except (OSError, FFmpegError) as error:
        reason = error.strerror or str(error)
        raise BadInput(f"{out} could not be finished ({reason}); is there room on the disk?") from error


def _written(session: Session, out: Path, video: bool, stills: int, tick: Tick | None) -> Iterator[str]:
    (out / TRUTH).write_text("\n".join(truth_lines(session)) + "\n", encoding="utf-8")
    yield TRUTH
    table = json.dumps(table_json(session), ensure_ascii=False, indent=1)
    (out / TABLE).write_text(table + "\n", encoding="utf-8")
    yield TABLE
    if video:
        _write_video(session, out, tick)
        yield from (VIDEO, FRAMES)
    if stills:
        _write_stills(session, out, stills, frames=not video)
        yield from ("stills",) if video else ("stills", FRAMES)


def _write_video(session: Session, out: Path, tick: Tick | None) -> None:
    shot, wish = session.shot, session.wish
    frames = filmed(shot, _PROCESSES)
    with (
        video_writer(out / VIDEO, wish.size, wish.fps) as write,
        (out / FRAMES).open("w", encoding="utf-8") as truths,
    ):
        try:
            for number, picture, line in frames:
                write(number, picture)
                truths.write(line + "\n")
                if tick is not None:
                    tick(number + 1)
        finally:
            frames.close()


def _write_stills(session: Session, out: Path, count: int, frames: bool) -> None:
    """Frames spread evenly over the film as PNG; without a video their truth is written too."""
    shot = session.shot
    numbers = sorted({(2 * i + 1) * shot.frames // (2 * count) for i in range(count)})
    folder = out / "stills"
    folder.mkdir()
    truths = []
    for frame in draw(shot, numbers):
        _, data = cv2.imencode(".png", frame.picture)
        (folder / f"frame{frame.number:06d}.png").write_bytes(data.tobytes())
        truths.append(frame.line)
    if frames:
        (out / FRAMES).write_text("\n".join(truths) + "\n", encoding="utf-8")
