"""A second, plain reading of the rules, told from the written actions alone, to hold the bots to."""

from __future__ import annotations

from dataclasses import dataclass, field

from finito.bots import BotRound, MovedCard
from referee.actions import Action, Build, Finito, Play, Recycle, Refill, Start, TakeBack, Turn
from referee.cards import UNKNOWN, Face
from referee.places import HELP_INDEX
from referee.rules.parameters import game_parameters


@dataclass
class Owner:
    espresso: list[Face]
    helps: list[list[Face]]
    hand: list[Face]
    side: str
    waste: list[Face] = field(default_factory=list)
    shuffled: bool = False
    waiting: int | None = None  # the pile where this player's joker waits

    def at(self, place: str) -> list[Face]:
        if place in HELP_INDEX:
            return self.helps[HELP_INDEX[place]]
        return {"espresso": self.espresso, "waste": self.waste, "hand": self.hand}[place]

    @property
    def gap(self) -> bool:
        return bool(self.espresso) and not all(self.helps)


class Telling:
    """Follows a round and says which rules each action breaks."""

    def __init__(self, record: BotRound) -> None:
        self.record = record
        self.game = game_parameters(record.header.game)
        self.zero = "zero" in record.header.variant
        self.forum = record.header.edition == "forum-1996"
        self.players = {
            dealt.player: Owner(
                list(dealt.espresso[::-1]),
                [[card] for card in dealt.helps],
                list(dealt.hand[::-1]),
                dealt.side,
            )
            for dealt in record.hidden
        }
        self.piles: list[list[tuple[str, Face, int]]] = []  # owner, card, the number it stands for
        self.started = False
        self.finito = False
        self.sources: dict[int, tuple[str, str]] = {}
        self.cards = {motion.action: motion.cards for motion in record.motions if motion.action is not None}

    def all_broken(self) -> dict[int, set[str]]:
        told = {index: self.told(index, action) for index, action in enumerate(self.record.actions)}
        return {index: broken for index, broken in told.items() if broken}

    def told(self, index: int, action: Action) -> set[str]:
        if isinstance(action, Start):
            self.started = True
            return set()
        moved = self.cards[index]
        if isinstance(action, Play):
            return self.play(action)
        player = self.players[action.player]
        if isinstance(action, TakeBack):
            return self.take_back(action)
        assert not self.finito, "after Finito there is nothing left to do but to take back"
        if isinstance(action, Refill):
            return self.refill(player, action)
        broken = self.unfollowed(player)
        if isinstance(action, Turn):
            return broken | self.turn(player, action, moved)
        if isinstance(action, Recycle):
            assert len(player.hand) < 3 or (self.forum and action.shuffled)
            unknown = player.shuffled and len(player.hand) > 1
            player.hand = player.waste[::-1] + player.hand
            player.waste, player.shuffled = [], bool(action.shuffled) or unknown
            return broken
        if isinstance(action, Build):
            return broken | self.build(player, action)
        assert isinstance(action, Finito)
        self.finito = not player.espresso
        return broken | (set() if self.finito else {"false-finito"})

    def unfollowed(self, player: Owner) -> set[str]:
        left, player.waiting = player.waiting, None
        return set() if left is None else {"joker-not-followed"}

    def play(self, action: Play) -> set[str]:
        player, owner = self.players[action.player], self.players[action.owner or action.player]
        follows = player.waiting is not None and action.pile == player.waiting
        broken = set() if self.started else {"before-start"}
        broken |= {"after-finito"} if self.finito else set()
        broken |= {"two-hands"} if action.hand != player.side else set()
        broken |= (
            {"not-yours"} if owner is not player and "chaos" not in self.record.header.variant else set()
        )
        broken |= {"help-not-refilled"} if player.gap and not follows else set()
        broken |= self.fit(action) | (set() if follows else self.unfollowed(player))
        broken |= self.leave(action, owner)
        if action.pile is None:
            self.piles.append([])
        number = len(self.piles) if action.pile is None else action.pile
        pile = self.piles[number - 1]
        joker = self.zero and action.face.number == 0
        value = action.face.number or 0
        if joker:
            value = pile[-1][2] + 1 if pile else 0
            player.waiting = None if broken & {"joker-on-joker", "joker-on-eight"} else number
        elif follows:
            player.waiting = None
        pile.append((action.owner or action.player, action.face, value))
        self.sources[number] = (action.owner or action.player, action.source)
        return broken

    def leave(self, action: Play, owner: Owner) -> set[str]:
        """Takes the card from where it was said to lie, and looks at what is said to lie open then."""
        cards = owner.at(action.source)
        if any(
            (action.owner or action.player, action.face) == laid[:2] for pile in self.piles for laid in pile
        ):
            cards.pop()  # one of a second deck, in place of this one
            return {"impossible-card"}
        broken = set() if action.source != "hand" and cards[-1] == action.face else {"not-open"}
        cards.remove(action.face)
        shown = cards[-1] if cards and action.source != "hand" else UNKNOWN
        assert action.reveals in (shown, UNKNOWN)
        return broken

    def fit(self, action: Play) -> set[str]:
        number, first, last = action.face.number, self.game.first_number, self.game.last_number
        if action.pile is None:
            return set() if number == first or (self.zero and number == 1) else {"must-start-with-zero"}
        pile = self.piles[action.pile - 1]
        _, top, value = pile[-1]
        joker = self.zero and top.number == 0
        if self.zero and number == 0:
            return {"joker-on-joker"} if joker else {"joker-on-eight"} if value == last else set()
        if value == last:
            again = self.forum and number == first and action.face.colour == top.colour
            return set() if again else {"pile-complete"}
        if number == value + 1:
            return set() if joker or action.face.colour == top.colour else {"wrong-colour"}
        return {"too-late"} if any(action.face == card for _, card, _ in pile) else {"wrong-number"}

    def take_back(self, action: TakeBack) -> set[str]:
        owner, card, _ = self.piles[action.pile - 1].pop()
        assert card == action.face
        name, source = self.sources[action.pile]
        assert name == owner
        self.players[owner].at(source).append(card)
        return set()

    def refill(self, player: Owner, action: Refill) -> set[str]:
        assert not player.at(action.slot)
        card, left = action.face, player.at(action.source)
        assert left[-1] == card or (action.source == "hand" and player.shuffled)
        left.remove(card)
        player.at(action.slot).append(card)
        assert action.reveals == (left[-1] if left and action.source != "hand" else UNKNOWN)
        return set() if action.source == "espresso" else {"refill-source"}

    def turn(self, player: Owner, action: Turn, moved: tuple[MovedCard, ...]) -> set[str]:
        left, cards = len(player.hand), [card.face for card in moved]
        assert len(cards) == action.count <= left
        broken = {"help-not-refilled"} if player.gap else set()
        if action.count != min(3, left) and not (self.forum and action.count == min(2, left)):
            broken.add("turn-count")
        if player.shuffled:
            assert set(cards) <= set(player.hand)
        else:
            assert cards == player.hand[: -1 - len(cards) : -1]
        player.hand = [card for card in player.hand if card not in cards]
        player.waste += cards
        assert action.top == cards[-1]
        return broken

    def build(self, player: Owner, action: Build) -> set[str]:
        card, below = player.at(action.source).pop(), player.at(action.slot)
        assert self.game.home_building
        assert card == action.face
        assert below[-1].number == (card.number or 0) + 1
        boys = {"R", "B"}
        assert (str(below[-1])[0] in boys) != (str(card)[0] in boys)
        below.append(card)
        return {"help-not-refilled"} if player.gap else set()
