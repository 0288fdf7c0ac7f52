"""Dutch."""

from __future__ import annotations

from typing import Final

from referee.cards import Colour
from referee.language.words import Twists, Words
from referee.places import HELPS
from referee.verdicts import Rule

COLOURS: Final = {Colour.RED: "rood", Colour.YELLOW: "geel", Colour.GREEN: "groen", Colour.BLUE: "blauw"}
_OF_A_CARD: Final = {Colour.RED: "rode", Colour.YELLOW: "gele", Colour.GREEN: "groene", Colour.BLUE: "blauwe"}


def _card(colour: Colour | None, number: int | None) -> str:
    if colour is None:
        return "een onherkende kaart" if number is None else f"een {number} in onherkende kleur"
    if number is None:
        return f"een {_OF_A_CARD[colour]} kaart met onherkend getal"
    return f"de {_OF_A_CARD[colour]} {number}"


def _cards(count: int) -> str:
    return {0: "geen kaart", 1: "1 kaart"}.get(count, f"{count} kaarten")


SENTENCES: Final = {
    "started": "de ronde is begonnen",
    "running": "de ronde is al begonnen",
    "opens": "{0} opent stapel {1}",
    "joker": "{0} ligt op stapel {1} als joker voor de {2}",
    "fits": "{0} past op stapel {1}",
    "refilled": "{1} komt op {2:place} {0:of}",
    "turned": "{0} draait {1:cards} uit de hand om",
    "recycled": "{0} neemt de aflegstapel weer op ({1:cards})",
    "taken-back": "{0} neemt {1} terug van stapel {2}",
    "built": "{0} wordt op {1:place} {2:of} aangelegd",
    "finito": "de {race}-stapel {0:of} is leeg: {call}",
    "finito-late": "{1} riep als eerste {call}: de roep {0:of} telt niet meer",
    "undone": "regel {0} is geschrapt",
    "amended": "regel {0} is verbeterd",
    "before-start": "{0} speelt {1} vóór de startroep",
    "after-finito": "{0} heeft {call} geroepen: {1} mag {2} niet meer spelen",
    "not-yours": "{0} is van {1}, niet van {2}",
    "two-hands": "{0} speelt met de {1:hand}, maar speelde eerder met de {2:hand}",
    "both-hands": "{0} speelt met beide handen",
    "impossible-card": "{1} {0:of} kan daar niet liggen: wat eerder te zien was, sluit dat uit",
    "must-start-with-zero": "een stapel begint met een {1}, niet met {0}",
    "must-start-zero-or-one": "een stapel begint met een 0 of een 1, niet met {0}",
    "wrong-number": "op stapel {0} komt nu {2:next}, niet {1}",
    "wrong-colour": "stapel {0} is {2:colour}: nu komt {2:next}, niet {1}",
    "pile-complete": "stapel {0} is vol, bovenop ligt {2}: {1} mag er niet meer op",
    "too-late": "{1} komt te laat: stapel {0} heeft dat getal al, de kaart gaat terug",
    "joker-on-eight": "stapel {0} is vol, bovenop ligt {2}: er mag geen joker op",
    "joker-on-joker": "op stapel {0} ligt bovenop een joker: geen joker op een joker",
    "joker-never-followed": "{0} zou op stapel {1} voor de {2} staan, en op de {2} volgt niets",
    "joker-not-followed": "op de joker {0:of} op stapel {1} volgt niet meteen de passende kaart",
    "joker-interrupted": "op stapel {1} wacht een joker {0:of}: alleen {0} mag er nu een kaart op leggen",
    "from-hand": "{0} komt uit de hand {1:of}: alleen omgedraaide kaarten liggen open",
    "nothing-there": "{0} kan niet {2:from} {1:of} komen: daar ligt niets open",
    "not-open": "{0} ligt niet open: {2:place} {1:of} toont {3}",
    "help-not-refilled": "{1:place} {0:of} is leeg: vul die eerst aan van de {race}-stapel",
    "refill-source": "{1:place} {0:of} wordt {2:from} aangevuld en niet van de {race}-stapel",
    "refill-from-empty": "{1:place} {0:of} kan niet worden aangevuld: de {race}-stapel is leeg",
    "refill-not-top": "op {1:place} {0:of} komt {2}, maar de {race}-stapel toont {3}",
    "turn-count": "{0} draait {1:cards} om: met {3:cards} in de hand moeten het er {2} zijn",
    "false-finito": "{0} roept {call} en heeft nog {1:cards} op de {race}-stapel",
    "home-order": "{0} mag op {1:place} niet op {2}: telkens één lager, jongens en meisjes om en om",
    "home-empty": "{1:place} {0:of} is leeg en wordt aangevuld van de {race}-stapel",
    "maybe-after-finito": "{0} heeft misschien geldig {call} geroepen: dan komt {2} {1:of} te laat",
    "maybe-fits": "het was niet goed te zien of {0} op stapel {1} past",
    "unsettled-pile": "een eerdere kaart op stapel {1} is twijfelachtig: {0} kan juist zijn",
    "maybe-not-refilled": "{1:place} {0:of} is leeg; of die aangevuld moest worden, is niet zeker",
    "maybe-elsewhere": "het was niet goed te zien waar {0} vandaan kwam en wie die kaart legde",
    "maybe-both-hands": "het was niet te zien met welke hand {0} speelde: misschien met beide",
    "maybe-turn-count": "{0} draait {1:cards} om in plaats van {2}; hoeveel er in de hand waren, is onbekend",
    "maybe-finito": "hoeveel kaarten {0} nog op de {race}-stapel heeft, is niet zeker",
    "maybe-home": "het was niet goed te zien of {0} op {1:place} past",
    "slot-not-empty": "op {1:place} {0:of} ligt nog {2}",
    "nothing-to-take": "{1} ligt niet op stapel {2}: {0} kan die niet terugnemen",
    "other-took-back": "{1} op stapel {2} is door {3} gelegd, niet door {0}",
    "order-unknown": "wat het eerst gebeurde, is onbekend; in één volgorde zou het zijn: {0}",
    "too-many-orders": "meer dan {0} acties tegelijk: hun volgorde is niet te bepalen",
}

RULES: Final = {
    Rule.MUST_START_WITH_ZERO: "Een stapel in het midden begint met een {first}.",
    Rule.WRONG_NUMBER: "Op een stapel mag alleen het volgende getal.",
    Rule.WRONG_COLOUR: "Een stapel heeft één kleur: ook het volgende getal moet die kleur hebben.",
    Rule.PILE_COMPLETE: "Een stapel met de {last} bovenop is vol en krijgt geen kaart meer.",
    Rule.NOT_OPEN: "Alleen open kaarten worden gespeeld: de bovenste van de {race}-stapel, een hulpkaart "
    "of de bovenste van de aflegstapel.",
    Rule.NOT_YOURS: "Van andermans kaarten blijf je af, behalve bij Chaos.",
    Rule.HELP_NOT_REFILLED: "Een lege hulpplaats wordt aangevuld van de {race}-stapel "
    "voordat de speler verdergaat.",
    Rule.REFILL_SOURCE: "Op een hulpplaats komt de bovenste kaart van de {race}-stapel en geen andere.",
    Rule.TURN_COUNT: "Uit de hand worden telkens {turn} kaarten omgedraaid, minder alleen "
    "als er minder over zijn.",
    Rule.TWO_HANDS: "Je speelt met één hand, de hele ronde dezelfde; de andere houdt de kaarten vast.",
    Rule.BEFORE_START: "Vóór de startroep speelt niemand.",
    Rule.AFTER_FINITO: "Na een geldig {call} speelt niemand meer.",
    Rule.FALSE_FINITO: "{call} roep je als de {race}-stapel leeg is, niet eerder.",
    Rule.JOKER_ON_EIGHT: "Een joker mag op elke kaart behalve een {last}.",
    Rule.JOKER_ON_JOKER: "Een joker mag niet op een joker.",
    Rule.JOKER_NOT_FOLLOWED: "Wie een joker legt, legt er meteen de passende kaart op.",
    Rule.TOO_LATE: "Van twee gelijke kaarten op één stapel gaat de traagste terug.",
    Rule.IMPOSSIBLE_CARD: "Elke achterkant heeft elke kaart één keer: een tweede kan er niet zijn.",
    Rule.HOME_ORDER: "Thuis leg je telkens één lager aan, jongens en meisjes om en om.",
}

TWISTS: Final = Twists(
    zero={
        Rule.MUST_START_WITH_ZERO: "Een stapel in het midden begint met een {first} of een {second}.",
        Rule.WRONG_COLOUR: "Het volgende getal moet de kleur van de stapel hebben; op een joker mag "
        "elke kleur.",
        Rule.HELP_NOT_REFILLED: "Een lege hulpplaats wordt aangevuld van de {race}-stapel voordat de speler "
        "verdergaat; alleen de kaart op een joker mag eerst worden gespeeld.",
    },
    restart_on_last={
        Rule.PILE_COMPLETE: "Een stapel met de {last} bovenop is vol; "
        "alleen een {first} van dezelfde kleur mag er nog op.",
    },
    twos_after_fruitless={
        Rule.TURN_COUNT: "Uit de hand worden telkens {turn} kaarten omgedraaid, minder alleen als er minder "
        "over zijn; heeft de hand niets opgeleverd, dan mogen het er 2 zijn tot er een kaart gespeeld is.",
    },
)

DUTCH: Final = Words(
    code="nl",
    name="Nederlands",
    colours=COLOURS,
    other_colour="van een andere kleur",
    places={
        "espresso": "de {race}-stapel",
        "waste": "de aflegstapel",
        "hand": "de hand",
        **{place: f"hulpplaats {n}" for n, place in enumerate(HELPS, 1)},
    },
    origins={
        "espresso": "van de {race}-stapel",
        "waste": "van de aflegstapel",
        "hand": "uit de hand",
        **{place: f"van hulpplaats {n}" for n, place in enumerate(HELPS, 1)},
    },
    hands={"left": "linkerhand", "right": "rechterhand"},
    card=_card,
    any_colour=lambda number: f"een {number} in willekeurige kleur",
    other_card="een andere kaart",
    cards=_cards,
    of=lambda name: f"van {name}",
    sentences=SENTENCES,
    rules=RULES,
    twists=TWISTS,
)
