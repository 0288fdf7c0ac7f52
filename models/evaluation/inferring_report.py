"""The figures of a bench of the live referee against their floors, rule by rule, and what failed where."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from models.evaluation.inferring_round import INVISIBLE

_SUMMED: Final = (
    "plays",
    "found",
    "said",
    "right_player",
    "right_source",
    "unsure_legal",
    "legal_actions",
    "false_accusations",
    "faults",
    "named",
    "doubted",
    "finito",
    "finito_in_time",
    "finito_false",
    "observations",
)
# The stage a failure is due to, by how its cause begins; what is not named here is the inference's.
_STAGES: Final = (
    ("eyes: ", "eyes"),
    ("slow play: seen late", "eyes"),
    ("missed play: not said, covered at once", "eyes"),
    ("missed play: card misread", "eyes"),
    ("unsure of a legal one: after-finito", "rules: the call itself is not heard"),
    ("fault after-finito: unsure", "rules: the call itself is not heard"),
)


def table(rows: list[dict[str, Any]]) -> str:
    """The figures against their floors, and what the failures were due to."""
    total = {name: sum(int(row[name]) for row in rows) for name in _SUMMED}
    delays = sorted(float(delay) for row in rows for delay in str(row["delays"]).split())
    causes: Counter[str] = Counter()
    for row in rows:
        causes.update(json.loads(row["causes"]))
    seconds = sum(float(row["seconds"]) for row in rows)
    per_5000 = 5000 * total["false_accusations"] / max(1, total["plays"])
    lines = [
        f"{len(rows)} rounds, {total['plays']} plays, {total['faults']} faults "
        f"({', '.join(sorted(INVISIBLE))} cannot be seen from above and is not among them)",
        _line("plays found, right card and pile: recall", _part(total["found"], total["plays"]), ">= 97%"),
        _line("plays found: precision", _part(total["found"], total["said"]), ">= 98%"),
        _line("right player", _part(total["right_player"], total["found"]), ">= 97%"),
        _line("right place", _part(total["right_source"], total["found"]), ""),
        _line("false accusations per 5,000 plays", f"{per_5000:.2f} ({total['false_accusations']})", "<= 1"),
        _line("faults called by name", _part(total["named"], total["faults"]), ">= 85%"),
        _line("faults called or unsure", _part(total["named"] + total["doubted"], total["faults"]), ">= 95%"),
        _line("legal actions called unsure", _part(total["unsure_legal"], total["legal_actions"]), ""),
        _line("Finito within 1.5 s", _part(total["finito_in_time"], total["finito"]), ">= 97%"),
        _line("Finito called falsely", str(total["finito_false"]), "0"),
        _line("delay p50 / p95", f"{_at(delays, 0.5):.2f} / {_at(delays, 0.95):.2f} s", "p95 <= 0.70 s"),
        _line("per observation", f"{1000 * seconds / max(1, total['observations']):.3f} ms", "< 1 ms"),
    ]
    return "\n".join([*lines, *_rules_table(rows), *_causes_table(causes)])


def _rules_table(rows: list[dict[str, Any]]) -> list[str]:
    """How often each injected fault was called by its name, was in doubt, or passed."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update(json.loads(row.get("rules") or "{}"))
    names = sorted({key.split(": ")[0] for key in found})
    lines = ["", f"{'fault':24s} {'injected':>8s} {'by name':>8s} {'in doubt':>8s} {'passed':>8s}"]
    for name in names:
        injected, named, doubted = (found[f"{name}: {how}"] for how in ("injected", "named", "doubted"))
        lines.append(f"{name:24s} {injected:8d} {named:8d} {doubted:8d} {injected - named - doubted:8d}")
    return lines if names else []


def _causes_table(causes: Counter[str]) -> list[str]:
    """Every failure with the stage it is due to."""
    lines = ["", "failures and what they were due to:"]
    return lines + [f"{count:6d}  {cause:45s} {stage(cause)}" for cause, count in causes.most_common()]


def stage(cause: str) -> str:
    """Which part of the referee a failure is due to."""
    return next((where for begins, where in _STAGES if cause.startswith(begins)), "inference")


def _line(what: str, figure: str, floor: str) -> str:
    return f"{what:45s} {figure:>22s}   {floor}"


def _part(some: int, whole: int) -> str:
    return f"{100 * some / max(1, whole):.2f}% ({some}/{whole})"


def _at(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0
