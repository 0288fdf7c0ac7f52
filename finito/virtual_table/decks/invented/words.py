"""Words on cards: made-up names of games, letter by letter, so that no maker's name is used."""

from __future__ import annotations

from random import Random

# Openings are shared out between the splits, so that no word is ever written in two of them.
OPENINGS = {
    "train": ("bra", "co", "du", "fli", "ga", "ka", "lu", "mi", "no", "pa", "ri", "sa", "to", "vo", "zu"),
    "validation": ("bo", "fe", "ja", "ple"),
    "test": ("be", "gi", "qua", "tri"),
}
_MIDDLES = ("", "", "la", "mo", "ni", "ra", "tti", "bo", "sse", "zza", "ck", "ngo", "mbi")
_ENDS = ("", "no", "x", "tto", "la", "ro", "zz", "st", "ne", "mi", "!")


def random_word(rng: Random, split: str) -> str:
    word = rng.choice(OPENINGS[split]) + rng.choice(_MIDDLES) + rng.choice(_ENDS)
    return rng.choice((word.upper(), word.capitalize(), word))
