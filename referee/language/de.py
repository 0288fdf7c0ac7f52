"""German. A card is feminine and stands in the nominative or the accusative, which are alike."""

from __future__ import annotations

from typing import Final

from referee.cards import Colour
from referee.language.words import Twists, Words
from referee.places import HELPS
from referee.verdicts import Rule

COLOURS: Final = {Colour.RED: "rot", Colour.YELLOW: "gelb", Colour.GREEN: "grün", Colour.BLUE: "blau"}


def _card(colour: Colour | None, number: int | None) -> str:
    if colour is None:
        return "eine unerkannte Karte" if number is None else f"eine {number} in unerkannter Farbe"
    if number is None:
        return f"eine {COLOURS[colour]}e Karte mit unerkannter Zahl"
    return f"die {COLOURS[colour]}e {number}"


def _cards(count: int) -> str:
    return {0: "keine Karte", 1: "1 Karte"}.get(count, f"{count} Karten")


SENTENCES: Final = {
    "started": "die Runde ist eröffnet",
    "running": "die Runde läuft schon",
    "opens": "{0} eröffnet Stapel {1}",
    "joker": "{0} liegt auf Stapel {1} als Joker für die {2}",
    "fits": "{0} passt auf Stapel {1}",
    "refilled": "{1} kommt auf {2:place} {0:of}",
    "turned": "{0} deckt {1:cards} aus der Hand auf",
    "recycled": "{0} nimmt den Ablagestapel wieder auf ({1:cards})",
    "taken-back": "{0} nimmt {1} von Stapel {2} zurück",
    "built": "{0} wird auf {1:place} {2:of} angelegt",
    "finito": "der {race}-Stapel {0:of} ist leer: {call}",
    "finito-late": "{1} hat zuerst {call} gerufen: der Ruf {0:of} zählt nicht mehr",
    "undone": "Zeile {0} ist gestrichen",
    "amended": "Zeile {0} ist berichtigt",
    "before-start": "{0} spielt {1} vor dem Startruf",
    "after-finito": "{0} hat {call} gerufen: {1} darf {2} nicht mehr spielen",
    "not-yours": "{0} gehört {1}, nicht {2}",
    "two-hands": "{0} spielt mit der {1:hand} Hand, hat bisher aber mit der {2:hand} gespielt",
    "both-hands": "{0} spielt mit beiden Händen",
    "impossible-card": "{1} {0:of} kann dort nicht liegen: was vorher zu sehen war, schließt es aus",
    "must-start-with-zero": "ein Stapel beginnt mit einer {1}: {0} kann keinen eröffnen",
    "must-start-zero-or-one": "ein Stapel beginnt mit einer 0 oder einer 1: {0} kann keinen eröffnen",
    "wrong-number": "auf Stapel {0} kommt jetzt {2:next}, nicht {1}",
    "wrong-colour": "Stapel {0} ist {2:colour}: jetzt kommt {2:next}, nicht {1}",
    "pile-complete": "Stapel {0} ist fertig, oben liegt {2}: {1} darf nicht darauf",
    "too-late": "{1} kommt zu spät: Stapel {0} hat diese Zahl schon, die Karte geht zurück",
    "joker-on-eight": "Stapel {0} ist fertig, oben liegt {2}: ein Joker darf nicht darauf",
    "joker-on-joker": "auf Stapel {0} liegt oben ein Joker: kein Joker auf einen Joker",
    "joker-never-followed": "{0} stünde auf Stapel {1} für die {2}, und auf die {2} folgt nichts",
    "joker-not-followed": "auf den Joker {0:of} auf Stapel {1} folgt nicht sofort die passende Karte",
    "joker-interrupted": "auf Stapel {1} wartet ein Joker {0:of}: nur {0} darf die nächste Karte darauflegen",
    "from-hand": "{0} kommt aus der Hand {1:of}: nur aufgedeckte Karten sind offen",
    "nothing-there": "{0} kann nicht {2:from} {1:of} kommen: dort liegt nichts offen",
    "not-open": "{0} liegt nicht offen: {2:place} {1:of} zeigt {3}",
    "help-not-refilled": "{1:place} {0:of} ist leer: erst vom {race}-Stapel auffüllen",
    "refill-source": "{1:place} {0:of} wird {2:from} aufgefüllt statt vom {race}-Stapel",
    "refill-from-empty": "{1:place} {0:of} lässt sich nicht auffüllen: der {race}-Stapel ist leer",
    "refill-not-top": "auf {1:place} {0:of} kommt {2}, doch der {race}-Stapel zeigt {3}",
    "turn-count": "{0} deckt {1:cards} auf: mit {3:cards} in der Hand müssen es {2} sein",
    "false-finito": "{0} ruft {call} und hat noch {1:cards} auf dem {race}-Stapel",
    "home-order": "{0} darf auf {1:place} nicht auf {2}: abwärts um eins, Jungen und Mädchen im Wechsel",
    "home-empty": "{1:place} {0:of} ist leer und wird vom {race}-Stapel aufgefüllt",
    "maybe-after-finito": "{0} hat vielleicht gültig {call} gerufen: dann kommt {2} {1:of} zu spät",
    "maybe-fits": "es war nicht klar zu sehen, ob {0} auf Stapel {1} passt",
    "unsettled-pile": "eine frühere Karte auf Stapel {1} ist fraglich: {0} kann richtig sein",
    "maybe-not-refilled": "{1:place} {0:of} ist leer; ob er aufgefüllt werden musste, ist nicht sicher",
    "maybe-elsewhere": "es war nicht klar zu sehen, woher {0} kam und wer die Karte legte",
    "maybe-both-hands": "es war nicht zu sehen, mit welcher Hand {0} spielte: vielleicht mit beiden",
    "maybe-turn-count": "{0} deckt {1:cards} auf statt {2}; wie viele in der Hand waren, ist nicht bekannt",
    "maybe-finito": "wie viele Karten {0} noch auf dem {race}-Stapel hat, ist nicht sicher",
    "maybe-home": "es war nicht klar zu sehen, ob {0} auf {1:place} passt",
    "slot-not-empty": "auf {1:place} {0:of} liegt noch {2}",
    "nothing-to-take": "{1} liegt nicht auf Stapel {2}: {0} kann sie nicht zurücknehmen",
    "other-took-back": "{1} auf Stapel {2} wurde von {3} gelegt, nicht von {0}",
    "order-unknown": "was zuerst geschah, ist nicht bekannt; in einer Reihenfolge hieße es: {0}",
    "too-many-orders": "mehr als {0} Aktionen zugleich: ihre Reihenfolge lässt sich nicht bestimmen",
}

RULES: Final = {
    Rule.MUST_START_WITH_ZERO: "Ein Stapel in der Mitte beginnt mit einer {first}.",
    Rule.WRONG_NUMBER: "Auf einen Stapel darf nur die nächste Zahl.",
    Rule.WRONG_COLOUR: "Ein Stapel hat eine Farbe: auch die nächste Zahl muss sie haben.",
    Rule.PILE_COMPLETE: "Liegt auf einem Stapel die {last}, ist er fertig und nimmt keine Karte mehr an.",
    Rule.NOT_OPEN: "Nur offene Karten werden gespielt: die oberste des {race}-Stapels, eine Hilfskarte "
    "oder die oberste des Ablagestapels.",
    Rule.NOT_YOURS: "Fremde Karten sind tabu, außer im Chaos.",
    Rule.HELP_NOT_REFILLED: "Ein leerer Hilfsplatz wird vom {race}-Stapel aufgefüllt, "
    "bevor es für seinen Spieler weitergeht.",
    Rule.REFILL_SOURCE: "Auf einen Hilfsplatz kommt die oberste Karte des {race}-Stapels und keine andere.",
    Rule.TURN_COUNT: "Aus der Hand werden immer {turn} Karten aufgedeckt, weniger nur, "
    "wenn weniger übrig sind.",
    Rule.TWO_HANDS: "Gespielt wird mit einer Hand, die ganze Runde mit derselben; "
    "die andere hält die Karten.",
    Rule.BEFORE_START: "Vor dem Startruf spielt niemand.",
    Rule.AFTER_FINITO: "Nach einem gültigen {call} spielt niemand mehr.",
    Rule.FALSE_FINITO: "{call} ruft man, wenn der {race}-Stapel leer ist, nicht vorher.",
    Rule.JOKER_ON_EIGHT: "Ein Joker darf auf jede Karte außer einer {last}.",
    Rule.JOKER_ON_JOKER: "Ein Joker darf nicht auf einen Joker.",
    Rule.JOKER_NOT_FOLLOWED: "Wer einen Joker legt, legt sofort die passende Karte darauf.",
    Rule.TOO_LATE: "Von zwei gleichen Karten auf einem Stapel geht die langsamere zurück.",
    Rule.IMPOSSIBLE_CARD: "Jede Rückseite hat jede Karte einmal: eine zweite kann es nicht geben.",
    Rule.HOME_ORDER: "Zu Hause wird abwärts um eins angelegt, Jungen und Mädchen im Wechsel.",
}

TWISTS: Final = Twists(
    zero={
        Rule.MUST_START_WITH_ZERO: "Ein Stapel in der Mitte beginnt mit einer {first} oder einer {second}.",
        Rule.WRONG_COLOUR: "Die nächste Zahl muss die Farbe des Stapels haben; auf einem Joker passt "
        "jede Farbe.",
        Rule.HELP_NOT_REFILLED: "Ein leerer Hilfsplatz wird vom {race}-Stapel aufgefüllt, bevor es für "
        "seinen Spieler weitergeht; nur die Karte auf den Joker darf vorher gespielt werden.",
    },
    restart_on_last={
        Rule.PILE_COMPLETE: "Liegt auf einem Stapel die {last}, ist er fertig; "
        "nur eine {first} derselben Farbe darf noch darauf.",
    },
    twos_after_fruitless={
        Rule.TURN_COUNT: "Aus der Hand werden immer {turn} Karten aufgedeckt, weniger nur, wenn weniger "
        "übrig sind; nach einem Durchgang ohne Ablage sind 2 erlaubt, bis eine gelingt.",
    },
)

GERMAN: Final = Words(
    code="de",
    name="Deutsch",
    colours=COLOURS,
    other_colour="von anderer Farbe",
    places={
        "espresso": "der {race}-Stapel",
        "waste": "der Ablagestapel",
        "hand": "die Hand",
        **{place: f"Hilfsplatz {n}" for n, place in enumerate(HELPS, 1)},
    },
    origins={
        "espresso": "vom {race}-Stapel",
        "waste": "vom Ablagestapel",
        "hand": "aus der Hand",
        **{place: f"von Hilfsplatz {n}" for n, place in enumerate(HELPS, 1)},
    },
    hands={"left": "linken", "right": "rechten"},
    card=_card,
    any_colour=lambda number: f"eine {number} in beliebiger Farbe",
    other_card="eine andere Karte",
    cards=_cards,
    of=lambda name: f"von {name}",
    sentences=SENTENCES,
    rules=RULES,
    twists=TWISTS,
)
