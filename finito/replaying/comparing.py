"""What was said then against what is said now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from finito.recording.ending import time_of
from finito.recording.session import WrittenAction
from finito.recording.telling import DEEDS, final_actions, final_entries, is_watched

Json = dict[str, Any]
NEAR: Final = 2.0  # seconds between two tellings of one deed
RESULT: Final = ("points", "finito", "totals", "winner")
WHO_AND_WHAT: Final = ("type", "player", "owner", "face", "from", "to", "slot", "pile", "count")


@dataclass(frozen=True, slots=True)
class Difference:
    """`what`: verdict, result, missing (only then), new (only now), told (other player, card or place)."""

    what: str
    line: int | None
    recorded: Json | None
    replayed: Json | None

    def to_json(self) -> Json:
        return {
            "what": self.what,
            "line": self.line,
            "recorded": self.recorded,
            "replayed": self.replayed,
        }


def compare_verdicts(actions: Sequence[WrittenAction], answers: Iterable[Json]) -> list[Difference]:
    """Recorded verdicts and results against those of the same actions judged anew.

    The live referee saw more than the actions tell: of its lines only what contradicts it is a difference.
    """
    last = final_actions(actions)
    watched = {action.line for action in last if is_watched(action.entry)}
    again = list(answers)
    before, now = recorded_verdicts(last), answered_verdicts(again)
    found = []
    for line, verdict in sorted(before.items()):
        judged = now.get(line)
        if judged == verdict or (line in watched and not _contradicts(verdict, judged)):
            continue
        found.append(Difference("verdict", line, verdict, judged))
    return [*found, *compare_results(last, again)]


def compare_results(actions: Sequence[WrittenAction], answers: Iterable[Json]) -> list[Difference]:
    """The score sheets, in their order."""
    then = [
        (action.line, _result(action.entry)) for action in actions if action.entry.get("type") == "result"
    ]
    now = [_result(answer) for answer in answers if answer.get("type") == "result"]
    found = [
        Difference("result", line, sheet, again)
        for (line, sheet), again in zip(then, now, strict=False)
        if sheet != again
    ]
    found += [Difference("result", line, sheet, None) for line, sheet in then[len(now) :]]
    return found


def recorded_verdicts(actions: Iterable[WrittenAction]) -> dict[int, Json]:
    """The verdict that stood at the end, by line: later corrections and second thoughts count."""
    found: dict[int, Json] = {}
    for action in actions:
        entry = action.entry
        if entry.get("type") == "settled":
            found[int(entry["line"])] = _verdict(entry)
        elif "verdict" in entry:
            found[action.line] = _verdict(entry)
        for changed in entry.get("changed", ()):
            found[int(changed["line"])] = _verdict(changed)
    return found


def answered_verdicts(answers: Iterable[Json]) -> dict[int, Json]:
    found: dict[int, Json] = {}
    for answer in answers:
        if "verdict" not in answer:
            continue
        found[answer["line"]] = _verdict(answer)
        for changed in answer.get("changed", ()):
            found[changed["line"]] = _verdict(changed)
    return found


def compare_tellings(actions: Sequence[WrittenAction], told: Sequence[Json]) -> list[Difference]:
    """Recorded actions against those inferred or seen anew: paired by what they tell and when."""
    then = [action for action in final_actions(actions) if action.entry.get("type") in DEEDS]
    now = [entry for entry in final_entries(told) if entry.get("type") in DEEDS]
    pairs, then, now = _paired(then, now, WHO_AND_WHAT)
    again, then, now = _paired(then, now, ("type", "face"))
    last = recorded_verdicts(final_actions(actions))
    found = []
    for action, entry in pairs:
        before, after = last.get(action.line), _verdict(entry) if "verdict" in entry else None
        if before is not None and after is not None and before != after:
            found.append(Difference("verdict", action.line, before, after))
    found += [Difference("told", action.line, _told(action.entry), _told(entry)) for action, entry in again]
    found += [Difference("missing", action.line, _told(action.entry), None) for action in then]
    found += [Difference("new", None, None, _told(entry)) for entry in now]
    found += compare_results(actions, told)
    return sorted(found, key=lambda each: time_of(each.recorded or each.replayed))


def _paired(
    then: list[WrittenAction], now: list[Json], alike: Sequence[str]
) -> tuple[list[tuple[WrittenAction, Json]], list[WrittenAction], list[Json]]:
    """Pairs that are alike and near in time, and what is left of both."""
    left, pairs, alone = list(now), [], []
    for action in then:
        t = time_of(action.entry)
        near = [
            entry
            for entry in left
            if abs(time_of(entry) - t) <= NEAR
            and all(entry.get(name) == action.entry.get(name) for name in alike)
        ]
        if not near:
            alone.append(action)
            continue
        closest = min(near, key=lambda entry: abs(time_of(entry) - t))
        left.remove(closest)
        pairs.append((action, closest))
    return pairs, alone, left


def _contradicts(then: Json, now: Json | None) -> bool:
    """Legal then and illegal now, or the other way round, or accused by another rule."""
    if now is None:
        return False
    return "unsure" not in (then["verdict"], now["verdict"])


def _verdict(entry: Json) -> Json:
    return {"verdict": entry.get("verdict"), "rule": entry.get("rule")}


def _result(entry: Json) -> Json:
    return {name: entry.get(name) for name in RESULT}


def _told(entry: Json) -> Json:
    return {name: entry[name] for name in ("t", *WHO_AND_WHAT, "verdict", "rule") if name in entry}
