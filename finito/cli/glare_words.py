"""What is said on the terminal of an Espresso place in glare, in the languages of the calls."""

from __future__ import annotations

from typing import Final

from referee.language import words_of

_SENTENCES: Final = {
    "en": (
        "the Espresso place of {player} lies in glare: Finito cannot be seen there; move the lamp, lower the "
        "camera's exposure, or call it with the key f"
    ),
    "de": (
        "der Espresso-Platz von {player} liegt in grellem Licht: Finito ist dort nicht zu sehen; rückt die "
        "Lampe weg, belichtet die Kamera kürzer, oder ruft es mit der Taste f"
    ),
    "fr": (
        "la place de l’Espresso de {player} est éblouie : Finito ne peut pas y être vu ; déplacez la lampe, "
        "baissez l’exposition de la caméra, ou annoncez-le avec la touche f"
    ),
    "nl": (
        "de Espresso-plaats van {player} ligt in fel licht: Finito is daar niet te zien; verplaats de lamp, "
        "belicht de camera korter, of roep het met de toets f"
    ),
}


def glare_sentence(player: str, language: str) -> str:
    return _SENTENCES[words_of(language).code].format(player=player)
