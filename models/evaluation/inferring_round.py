"""One round through the inference and the live referee, held against what the bots really did."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from finito.bots import BotRound, play_round
from finito.live import LiveEvent, LiveReferee
from models.evaluation.inferring_looks import observations
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_table import TrueTable, true_table
from referee.actions import Action, Finito, Play, Recycle, Refill, Start, TakeBack, Turn
from referee.places import ESPRESSO
from vision.observations import Look, Observation

INVISIBLE: Final = frozenset({"turn-count"})  # from above nobody sees how many cards were turned
_AT_ONCE: Final = 1.0  # seconds within which two players may both be the first to call
_NEAR: Final = 2.5  # seconds between a deed and what is said of it


@dataclass
class RoundScore:
    """What one round came to."""

    seed: int
    players: int
    variant: str
    plays: int = 0
    found: int = 0
    said: int = 0
    right_player: int = 0
    right_source: int = 0
    unsure_legal: int = 0
    legal_actions: int = 0
    false_accusations: int = 0
    faults: int = 0
    named: int = 0
    doubted: int = 0  # called by another name, or unsure
    finito: int = 0
    finito_in_time: int = 0
    finito_false: int = 0
    delays: list[float] = field(default_factory=list)
    observations: int = 0
    seconds: float = 0.0
    causes: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)  # for each fault: injected, named, doubted
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Said:
    """The last word on one line, and the worst that was ever said of it."""

    first: LiveEvent
    last: LiveEvent
    accused: str | None = None
    doubted: bool = False
    matched: bool = False

    @property
    def stands(self) -> bool:
        return self.last.said != "withdrawn"


def score_round(
    seed: int,
    players: int,
    faults: tuple[str, ...],
    variant: tuple[str, ...],
    edition: str,
    noise: NoiseModel,
) -> RoundScore:
    played = play_round(seed, players, variant=variant, edition=edition, faults=faults)
    rng = Random(f"looks {seed}")
    table = true_table(played, noise, rng)
    seen = observations(table, played.header.players, noise, rng)
    began = time.process_time()
    said = plays_said(played, seen)
    took = time.process_time() - began
    score = RoundScore(seed, players, "+".join(variant), observations=len(seen), seconds=took)
    matches = matched_plays(played, table, said, score)
    count_faults(played, matches, score)
    count_accusations(played, said, matches, score)
    time_finito(played, said, score)
    return score


def plays_said(played: BotRound, seen: list[Observation]) -> list[Said]:
    """All that the live referee said; keys are pressed for the shout and for calls that were wrong."""
    referee = LiveReferee(played.header, shout=True)
    wrong = {index for name, index in played.faults if name == "false-finito"}
    keys: list[tuple[float, Action]] = []
    for index, action in enumerate(played.actions):
        if isinstance(action, Start) or (isinstance(action, Finito) and index in wrong):
            assert action.t is not None
            keys.append((action.t.start, action))
    lines: dict[int, Said] = {}
    for each in seen:
        events: list[LiveEvent] = []
        while keys and keys[0][0] <= each.t:
            t, key = keys.pop(0)
            if isinstance(key, Finito):
                events += referee.call_finito(key.player, t)
            else:
                events += referee.start(t)
        events += referee.feed(each)
        for event in events:
            _hear(lines, event)
    return list(lines.values())


def _hear(lines: dict[int, Said], event: LiveEvent) -> None:
    said = lines.setdefault(event.line, Said(event, event))
    said.last = event
    if event.verdict.illegal and event.said != "withdrawn":
        said.accused = str(event.verdict.rule)
    said.doubted = said.doubted or event.verdict.unsure


def matched_plays(played: BotRound, table: TrueTable, said: list[Said], score: RoundScore) -> dict[int, Said]:
    """What was said of each true action, by its index."""
    standing = [each for each in said if each.stands]
    matches = _pairs(played, table, standing)
    for index, action in enumerate(played.actions):
        if not isinstance(action, Play):
            continue
        score.plays += 1
        if index in matches:
            _found(index, action, matches[index], table, score)
        else:
            _missed(played, index, action, table, standing, score)
    for each in standing:
        if isinstance(each.last.action, Play):
            score.said += 1
            if not each.matched:
                score.causes[f"extra play: {_why_extra(each)}"] += 1
                score.notes.append(f"extra {_words(each)}")
    return matches


def _found(index: int, action: Play, said: Said, table: TrueTable, score: RoundScore) -> None:
    heard = said.last.action
    assert isinstance(heard, Play)
    score.found += 1
    score.right_player += heard.player == action.player
    score.right_source += (heard.owner or heard.player, heard.source) == (
        action.owner or action.player,
        action.source,
    )
    if heard.player != action.player:
        score.causes["wrong player"] += 1
        score.notes.append(f"wrong player {action.player} {_words(said)}")
    off = table.hand_off.get(index)
    if off is not None:
        score.delays.append(said.first.told - off)
        if score.delays[-1] > 0.7:
            inferred = said.first.inferred
            late = inferred is not None and inferred.looks[-1].t - off > 0.5
            score.causes[f"slow play: {'seen late' if late else 'weighed long'}"] += 1
            score.notes.append(f"slow by {score.delays[-1]:.2f}{' seen late' if late else ''} {_words(said)}")


def true_pile(said: Said, table: TrueTable) -> int:
    """The true pile that a play was seen on; stacks renamed by the tracker are looked up."""
    looks: tuple[Look, ...] = () if said.last.inferred is None else said.last.inferred.looks
    stack = looks[-1].spot.stack if looks else 0
    return table.renamed.get(stack, stack)


def _pairs(played: BotRound, table: TrueTable, standing: list[Said]) -> dict[int, Said]:
    """The nearest pairs first: an action that nobody told must not take the word on the next one."""
    candidates = sorted(
        (_another(action, each), abs(each.last.moment - _t(action)), index, n)
        for index, action in enumerate(played.actions)
        for n, each in enumerate(standing)
        if _is(played, index, action, each, table)
    )
    matches: dict[int, Said] = {}
    for _, _, index, n in candidates:
        if index not in matches and not standing[n].matched:
            matches[index] = standing[n]
            standing[n].matched = True
    return matches


def _another(action: Action, said: Said) -> bool:
    """Whether it is said of somebody else: of two equal cards on one pile each has its own player."""
    return getattr(said.last.action, "player", None) != getattr(action, "player", None)


def _is(played: BotRound, index: int, action: Action, said: Said, table: TrueTable) -> bool:
    heard = said.last.action
    if type(heard) is not type(action) or not _in_time(action, said):
        return False
    if isinstance(heard, Play) and isinstance(action, Play):
        pile = _pile_of(played, index)
        return heard.face is action.face and true_pile(said, table) == pile
    if isinstance(heard, Refill) and isinstance(action, Refill):
        return (heard.player, heard.slot) == (action.player, action.slot)
    if isinstance(heard, TakeBack) and isinstance(action, TakeBack):
        return heard.face is action.face
    return isinstance(heard, Turn | Recycle | Finito) and heard.player == getattr(action, "player", None)


def _pile_of(played: BotRound, index: int) -> int:
    return next(m.target.pile or 0 for m in played.motions if m.action == index)


def _t(action: Action) -> float:
    assert action.t is not None
    return action.t.start


def _in_time(action: Action, said: Said) -> bool:
    t, inferred = _t(action), said.last.inferred
    if abs(said.last.moment - t) <= _NEAR:
        return True
    when = None if inferred is None else inferred.action.t
    return when is not None and when.start - 0.5 <= t <= when.end + 0.5


def _missed(
    played: BotRound, index: int, action: Play, table: TrueTable, standing: list[Said], score: RoundScore
) -> None:
    pile, t = _pile_of(played, index), _t(action)
    why = "not said"
    for each in standing:
        heard = each.last.action
        if isinstance(heard, Play) and abs(each.last.moment - t) < _NEAR and not each.matched:
            if true_pile(each, table) == pile:
                why = "card misread"
            elif heard.face is action.face:
                why = "other pile"
    if why == "not said":
        why += _not_said(table, played, pile, index, t)
    score.causes[f"missed play: {why}"] += 1
    score.notes.append(f"missed {why}: t={t:.2f} {action.player} {action.face} {action.source} pile {pile}")


def _not_said(table: TrueTable, played: BotRound, pile: int, index: int, t: float) -> str:
    """Whether the card was covered by the next before it could be seen."""
    for later in range(index + 1, len(played.actions)):
        action = played.actions[later]
        if isinstance(action, Play | TakeBack) and _pile_of_any(played, later) == pile:
            return ", covered at once" if _t(action) - table.hand_off.get(index, t) < 0.5 else ""
    return ""


def _pile_of_any(played: BotRound, index: int) -> int | None:
    motion = next((m for m in played.motions if m.action == index), None)
    return None if motion is None else motion.target.pile or motion.source.pile


def _why_extra(said: Said) -> str:
    return "doubtful" if said.last.confidence < 0.9 else "believed"


def _words(said: Said) -> str:
    event = said.last
    action = event.action
    face = getattr(action, "face", "")
    return (
        f"t={event.moment:.2f} {type(action).__name__} {getattr(action, 'player', '')} {face} "
        f"{getattr(action, 'source', '')} conf={event.confidence:.3f} {event.verdict.outcome.value} "
        f"{event.verdict.rule} {_others(event)}"
    )


def _others(event: LiveEvent) -> str:
    """What else it may have been."""
    if event.inferred is None or not event.inferred.alternatives:
        return ""
    words = [
        f"{getattr(each.action, 'player', 'nobody')} {getattr(each.action, 'face', '')} "
        f"{getattr(each.action, 'source', '')} {each.chance:.2f}"
        for each in event.inferred.alternatives
    ]
    return f"({'; '.join(words)})"


def count_faults(played: BotRound, matches: dict[int, Said], score: RoundScore) -> None:
    for name, index in played.faults:
        if name in INVISIBLE:
            continue
        score.faults += 1
        score.rules[f"{name}: injected"] += 1
        said = matches.get(index)
        if said is not None and said.accused == name:
            score.named += 1
            score.rules[f"{name}: named"] += 1
        elif said is not None and (said.accused or said.doubted):
            score.doubted += 1
            score.rules[f"{name}: doubted"] += 1
            score.causes[f"fault {name}: {'called ' + said.accused if said.accused else 'unsure'}"] += 1
            score.notes.append(f"fault {name} doubted: {_words(said)}")
        else:
            how = "not seen" if said is None else "held legal"
            score.causes[f"fault {name}: {how}"] += 1
            score.notes.append(f"fault {name} {how}: {played.actions[index]}")


def count_accusations(
    played: BotRound, said: list[Said], matches: dict[int, Said], score: RoundScore
) -> None:
    guilty = {index for _, index in played.faults}
    index_of = {id(each): index for index, each in matches.items()}
    for each in said:
        index = index_of.get(id(each))
        if index in guilty:
            continue
        score.legal_actions += 1
        if each.accused:
            score.false_accusations += 1
            score.causes[f"false accusation: {each.accused}"] += 1
            score.notes.append(f"FALSE {each.accused}: {_words(each)}")
        elif each.doubted and each.stands:
            score.unsure_legal += 1
            score.causes[f"unsure of a legal one: {each.last.verdict.rule}"] += 1
            score.notes.append(f"unsure legal {_words(each)}")


def time_finito(played: BotRound, said: list[Said], score: RoundScore) -> None:
    calls = [each.first for each in said if isinstance(each.first.action, Finito)]
    wrong_keys = {_t(played.actions[index]) for name, index in played.faults if name == "false-finito"}
    own = [call for call in calls if call.moment not in wrong_keys]
    emptied = _emptied(played)
    if played.finito is not None:
        score.finito = 1
        # Of two whose stacks are empty at once no camera sees who calls first: the first empty one will do.
        last = emptied[played.finito]
        _, first = min((t, name) for name, t in emptied.items() if t > last - _AT_ONCE)
        last = min(last, emptied[first])
        told = [call.told for call in own if call.action.player in (played.finito, first)]
        if told and told[0] - last <= 1.5:
            score.finito_in_time = 1
            if not any(call.action.player == played.finito for call in own):
                score.causes["finito: the other of two at once"] += 1
        else:
            late = f"late by {told[0] - last:.2f} s" if told else "not called"
            score.causes["finito " + ("late" if told else "not called")] += 1
            score.notes.append(f"finito {late}")
    for call in own:
        name = call.action.player
        if name not in emptied or call.told < emptied[name or ""]:
            score.finito_false += 1
            score.causes["finito called falsely"] += 1
            score.notes.append(f"FALSE FINITO {name} at {call.told:.2f}")


def _emptied(played: BotRound) -> dict[str, float]:
    """When each player's stack became empty."""
    left = {dealt.player: len(dealt.espresso) for dealt in played.hidden}
    empty: dict[str, float] = {}
    sources: dict[tuple[str, object, int], tuple[str, str]] = {}
    for index, action in enumerate(played.actions):
        if isinstance(action, Play | Refill) and action.source == ESPRESSO:
            owner = (action.owner if isinstance(action, Play) else None) or action.player
            left[owner] -= 1
            if isinstance(action, Play):
                sources[owner, action.face, _pile_of(played, index)] = (owner, ESPRESSO)
            if not left[owner]:
                empty.setdefault(owner, _t(action))
        elif isinstance(action, TakeBack):
            home = next(m.target for m in played.motions if m.action == index)
            if home.place == ESPRESSO and home.player is not None:
                left[home.player] += 1
    return empty
