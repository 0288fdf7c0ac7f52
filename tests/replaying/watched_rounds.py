"""A round of the bots as the live referee heard of it through noisy looks, recorded as `watch` does."""

from __future__ import annotations

from pathlib import Path
from random import Random

from finito.bots import play_round
from finito.ending.refereed_round import RefereedRound
from finito.live import LiveReferee
from finito.recording.about import SeatedPlayer, SessionAbout
from finito.recording.writer import SessionWriter
from models.evaluation.inferring_looks import observations
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_table import true_table
from referee.actions import Start
from tests.recording.made import UNLIMITED


def record_watched_round(folder: Path, seed: int = 5, faults: tuple[str, ...] = ("wrong-colour",)) -> int:
    """Records observations and calls; gives the number of lines that were said."""
    played = play_round(seed, 2, faults=faults)
    rng, noise = Random(f"looks {seed}"), NoiseModel()
    seen = observations(true_table(played, noise, rng), played.header.players, noise, rng)
    referee = RefereedRound(LiveReferee(played.header))
    shout = next(action.t.start for action in played.actions if isinstance(action, Start) and action.t)
    about = SessionAbout(
        players=tuple(SeatedPlayer(name) for name in played.header.players), variant=played.header.variant
    )
    lines = 0
    with SessionWriter.create(folder, about, limits=UNLIMITED, video=False) as writer:
        for observation in seen:
            writer.observe(observation)
            events = []
            if observation.t >= shout:
                events += referee.start(shout)
                shout = float("inf")
            events += referee.feed(observation)
            for line in [*referee.opening(), *(event.json() for event in events)]:
                writer.act(line)
                lines += 1
        referee.ended(force=True)
        for line in referee.closing():
            writer.act(line)
            lines += 1
    return lines
