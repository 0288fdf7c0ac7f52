"""Short ways to tell a round in a test."""

from __future__ import annotations

from typing import Any

from tests.rules.golden import Json, judged

Told = tuple[str, str | None]


def header(*variant: str, edition: str = "amigo-1995", **more: Any) -> Json:
    players = more.pop("players", ["pizza", "gelato"])
    return {
        "type": "round",
        "variant": list(variant) or ["normalo"],
        "edition": edition,
        "players": players,
        **more,
    }


def deal(player: str, top: str, *helps: str | None, espresso: int = 9) -> Json:
    return {"type": "deal", "player": player, "espresso": espresso, "top": top, "helps": list(helps)}


def start() -> Json:
    return {"type": "start"}


def play(player: str, face: str, source: str, to: int | str = "new", **more: Any) -> Json:
    return {"type": "play", "player": player, "face": face, "from": source, "to": to, **more}


def refill(player: str, slot: str, face: str, reveals: str = "??", **more: Any) -> Json:
    return {"type": "refill", "player": player, "slot": slot, "face": face, "reveals": reveals, **more}


def turn(player: str, count: int = 3, top: str = "??", **more: Any) -> Json:
    return {"type": "turn", "player": player, "count": count, "top": top, **more}


def take_back(player: str, face: str, pile: int, **more: Any) -> Json:
    return {"type": "take_back", "player": player, "face": face, "pile": pile, **more}


def verdicts(*lines: Json) -> list[Told]:
    """Verdict and rule of every action line after the shout."""
    shout = next((n for n, line in enumerate(lines, start=1) if line["type"] == "start"), 0)
    answers = [answer for answer in judged(*lines) if "line" in answer and answer["line"] > shout]
    answers.sort(key=lambda answer: int(answer["line"]))
    return [(answer["verdict"], answer["rule"]) for answer in answers]


def grown(pile: int, *faces: str, player: str = "gelato") -> list[Json]:
    """A pile laid card by card from the hand of a player of whom no card was dealt openly."""
    first, *rest = faces
    return [play(player, first, "waste"), *(play(player, face, "waste", pile) for face in rest)]


LEGAL: Told = ("legal", None)


def illegal(rule: str) -> Told:
    return ("illegal", rule)
