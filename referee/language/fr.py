"""French. A pile is feminine, a number masculine, an unread card feminine: no other word agrees with them."""

from __future__ import annotations

from typing import Final

from referee.cards import Colour
from referee.language.words import Twists, Words
from referee.places import HELPS
from referee.verdicts import Rule

COLOURS: Final = {Colour.RED: "rouge", Colour.YELLOW: "jaune", Colour.GREEN: "verte", Colour.BLUE: "bleue"}
_OF_A_NUMBER: Final = {**COLOURS, Colour.GREEN: "vert", Colour.BLUE: "bleu"}
_VOWELS: Final = tuple("aàâäæeéèêëiîïoôöœuùûü")


def _card(colour: Colour | None, number: int | None) -> str:
    if colour is None:
        return "une carte non lue" if number is None else f"un {number} de couleur non lue"
    if number is None:
        return f"une carte {COLOURS[colour]} de numéro non lu"
    return f"le {number} {_OF_A_NUMBER[colour]}"


def _cards(count: int) -> str:
    return {0: "aucune carte", 1: "1 carte"}.get(count, f"{count} cartes")


def _of(name: str) -> str:
    return f"d’{name}" if name.lower().startswith(_VOWELS) else f"de {name}"


SENTENCES: Final = {
    "started": "la manche est ouverte",
    "running": "la manche est déjà ouverte",
    "opens": "{0} ouvre la pile {1}",
    "joker": "{0} sert de joker sur la pile {1} et remplace le {2}",
    "fits": "{0} continue la pile {1}",
    "refilled": "{1} va dans {2:place} {0:of}",
    "turned": "{0} retourne {1:cards} de sa main",
    "recycled": "{0} reprend sa défausse en main ({1:cards})",
    "taken-back": "{0} retire {1} de la pile {2}",
    "built": "{0} se pose dans {1:place} {2:of}",
    "finito": "la pile {race} {0:of} est vide : {call}",
    "finito-late": "{1} a annoncé {call} en premier : l’annonce {0:of} ne compte plus",
    "undone": "la ligne {0} est supprimée",
    "amended": "la ligne {0} est corrigée",
    "before-start": "{0} joue {1} avant le signal de départ",
    "after-finito": "{0} a annoncé {call} : {1} ne peut plus jouer {2}",
    "not-yours": "{0} appartient à {1}, pas à {2}",
    "two-hands": "{0} joue de la main {1:hand} après avoir joué de la {2:hand}",
    "both-hands": "{0} joue des deux mains",
    "impossible-card": "{1} {0:of} ne peut pas être là : ce qu’on a vu avant l’exclut",
    "must-start-with-zero": "une pile commence par un {1}, pas par {0}",
    "must-start-zero-or-one": "une pile commence par un 0 ou un 1, pas par {0}",
    "wrong-number": "sur la pile {0}, on attend {2:next}, pas {1}",
    "wrong-colour": "la pile {0} est {2:colour} : on attend {2:next}, pas {1}",
    "pile-complete": "la pile {0} est complète avec {2} : {1} ne peut pas y aller",
    "too-late": "{1} arrive trop tard : la pile {0} a déjà ce numéro, il faut reprendre la carte",
    "joker-on-eight": "la pile {0} est complète avec {2} : un joker ne peut pas y aller",
    "joker-on-joker": "la pile {0} finit par un joker : pas de joker sur un joker",
    "joker-never-followed": "sur la pile {1}, {0} remplacerait le {2}, et rien ne suit le {2}",
    "joker-not-followed": "le joker {0:of} sur la pile {1} n’est pas suivi aussitôt de la carte qui convient",
    "joker-interrupted": "un joker {0:of} attend sur la pile {1} : c’est à {0} d’y poser la carte suivante",
    "from-hand": "{0} vient de la main {1:of} : seules les cartes retournées sont jouables",
    "nothing-there": "{0} ne peut pas venir {2:from} {1:of} : aucune carte n’y est visible",
    "not-open": "{0} n’est pas à découvert : {2:place} {1:of} montre {3}",
    "help-not-refilled": "{1:place} {0:of} est vide : il faut d’abord la remplir avec la pile {race}",
    "refill-source": "la carte mise dans {1:place} {0:of} vient {2:from}, pas de la pile {race}",
    "refill-from-empty": "on ne peut pas remplir {1:place} {0:of} : la pile {race} est vide",
    "refill-not-top": "on met {2} dans {1:place} {0:of}, mais la pile {race} montre {3}",
    "turn-count": "{0} retourne {1:cards} : avec {3:cards} en main, il en faut {2}",
    "false-finito": "{0} annonce {call} avec encore {1:cards} sur la pile {race}",
    "home-order": "{0} ne va pas sur {2} dans {1:place} : on descend de un en un, "
    "garçons et filles en alternance",
    "home-empty": "{1:place} {0:of} est vide : on la remplit avec la pile {race}",
    "maybe-after-finito": "{0} a peut-être annoncé {call} à bon droit : alors {2} {1:of} arrive trop tard",
    "maybe-fits": "on n’a pas bien vu si {0} va sur la pile {1}",
    "unsettled-pile": "une carte précédente de la pile {1} est en doute : {0} peut convenir",
    "maybe-not-refilled": "{1:place} {0:of} est vide ; on ne sait pas s’il fallait la remplir",
    "maybe-elsewhere": "on n’a pas bien vu d’où venait {0}, ni qui l’a posée",
    "maybe-both-hands": "on n’a pas vu de quelle main {0} a joué : peut-être des deux",
    "maybe-turn-count": "{0} retourne {1:cards} au lieu de {2} ; on ne sait pas combien étaient en main",
    "maybe-finito": "on ne sait pas combien de cartes il reste sur la pile {race} {0:of}",
    "maybe-home": "on n’a pas bien vu si {0} va dans {1:place}",
    "slot-not-empty": "{1:place} {0:of} montre encore {2}",
    "nothing-to-take": "{1} n’est pas sur la pile {2} : {0} ne peut pas reprendre cette carte",
    "other-took-back": "c’est {3}, et non {0}, qui a posé {1} sur la pile {2}",
    "order-unknown": "on ne sait pas ce qui est venu en premier ; dans l’un des ordres, ce serait : {0}",
    "too-many-orders": "plus de {0} actions en même temps : impossible d’en dire l’ordre",
}

RULES: Final = {
    Rule.MUST_START_WITH_ZERO: "Une pile au centre commence par un {first}.",
    Rule.WRONG_NUMBER: "On ne pose sur une pile que le numéro suivant.",
    Rule.WRONG_COLOUR: "Une pile n’a qu’une couleur : le numéro suivant doit être de cette couleur.",
    Rule.PILE_COMPLETE: "Une pile arrivée au {last} ne reçoit plus de carte.",
    Rule.NOT_OPEN: "On ne joue que des cartes visibles : le dessus de la pile {race}, une carte d’aide "
    "ou le dessus de la défausse.",
    Rule.NOT_YOURS: "Les cartes des autres sont interdites, sauf dans le Chaos.",
    Rule.HELP_NOT_REFILLED: "Une case d’aide vide se remplit avec la pile {race} "
    "avant que son joueur continue.",
    Rule.REFILL_SOURCE: "Une case d’aide reçoit la carte du dessus de la pile {race} et aucune autre.",
    Rule.TURN_COUNT: "On retourne les cartes de la main {turn} par {turn}, moins seulement "
    "s’il en reste moins.",
    Rule.TWO_HANDS: "On joue d’une seule main, la même toute la manche ; l’autre tient le paquet.",
    Rule.BEFORE_START: "Personne ne joue avant le signal de départ.",
    Rule.AFTER_FINITO: "Après un {call} valable, plus personne ne joue.",
    Rule.FALSE_FINITO: "On annonce {call} quand la pile {race} est vide, pas avant.",
    Rule.JOKER_ON_EIGHT: "Un joker va sur toute carte sauf un {last}.",
    Rule.JOKER_ON_JOKER: "Un joker ne va pas sur un joker.",
    Rule.JOKER_NOT_FOLLOWED: "Qui pose un joker pose aussitôt dessus la carte qui convient.",
    Rule.TOO_LATE: "De deux cartes égales sur une pile, la plus lente repart.",
    Rule.IMPOSSIBLE_CARD: "Chaque dos a chaque carte une seule fois : une deuxième est impossible.",
    Rule.HOME_ORDER: "Chez soi, on pose en descendant de un en un, garçons et filles en alternance.",
}

TWISTS: Final = Twists(
    zero={
        Rule.MUST_START_WITH_ZERO: "Une pile au centre commence par un {first} ou un {second}.",
        Rule.WRONG_COLOUR: "Le numéro suivant doit être de la couleur de la pile ; sur un joker, toutes les "
        "couleurs vont.",
        Rule.HELP_NOT_REFILLED: "Une case d’aide vide se remplit avec la pile {race} avant que son joueur "
        "continue ; seule la carte qui suit un joker peut passer avant.",
    },
    restart_on_last={
        Rule.PILE_COMPLETE: "Une pile arrivée au {last} ne reçoit plus de carte, "
        "sauf un {first} de la même couleur.",
    },
    twos_after_fruitless={
        Rule.TURN_COUNT: "On retourne les cartes de la main {turn} par {turn}, moins seulement s’il en reste "
        "moins ; après un tour de main sans rien poser, on peut aller 2 par 2 jusqu’à ce qu’une carte passe.",
    },
)

FRENCH: Final = Words(
    code="fr",
    name="Français",
    colours=COLOURS,
    other_colour="d’une autre couleur",
    places={
        "espresso": "la pile {race}",
        "waste": "la défausse",
        "hand": "la main",
        **{place: f"la case d’aide {n}" for n, place in enumerate(HELPS, 1)},
    },
    origins={
        "espresso": "de la pile {race}",
        "waste": "de la défausse",
        "hand": "de la main",
        **{place: f"de la case d’aide {n}" for n, place in enumerate(HELPS, 1)},
    },
    hands={"left": "gauche", "right": "droite"},
    card=_card,
    any_colour=lambda number: f"un {number} de n’importe quelle couleur",
    other_card="une autre carte",
    cards=_cards,
    of=_of,
    sentences=SENTENCES,
    rules=RULES,
    twists=TWISTS,
)
