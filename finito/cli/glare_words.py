"""What is said on the terminal of places in glare, in the languages of the calls."""

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


_CENTRE: Final = {
    "en": (
        "cards in the centre lie in glare and cannot be read: plays there are not seen; move the lamp or "
        "lower the camera's exposure"
    ),
    "de": (
        "Karten in der Mitte liegen in grellem Licht und sind nicht zu lesen: was dort gelegt wird, ist "
        "nicht zu sehen; rückt die Lampe weg oder belichtet die Kamera kürzer"
    ),
    "fr": (
        "des cartes au centre sont éblouies et illisibles : ce qui s’y joue n’est pas vu ; déplacez la lampe "
        "ou baissez l’exposition de la caméra"
    ),
    "nl": (
        "kaarten in het midden liggen in fel licht en zijn niet te lezen: wat daar gelegd wordt, is niet te "
        "zien; verplaats de lamp of belicht de camera korter"
    ),
}


def glare_sentence(player: str | None, language: str) -> str:
    """Of a player's Espresso place, or of the centre."""
    code = words_of(language).code
    return _CENTRE[code] if player is None else _SENTENCES[code].format(player=player)
