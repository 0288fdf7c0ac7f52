"""What is known of one spot: what lies on top, since when, and what happened over it meanwhile."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

from referee.actions import Hand
from vision.observations import Chances, Look, Shown, Spot
from vision.tracking.belief import Belief, first
from vision.tracking.sighting import Hidden, LaidCard

_MOVED: Final = 7.0  # millimetres by which a card must have moved to be told anew
_ELSEWHERE: Final = 25.0  # millimetres by which a card at home must have moved
_ACROSS: Final = 50.0  # degrees
_TURNED: Final = 8.0  # degrees
_SAME: Final = 0.12  # agreement above which two readings may be one card
_SURE: Final = 0.99
_ENOUGH: Final = 5  # looks after which more of them tell nothing new
_BETTER: Final = 0.04
_MOST_REACH: Final = 0.98


@dataclass
class Lying:
    """A spot over time. `at` is where its top card, or the spot itself, lies."""

    spot: Spot
    at: tuple[float, float]
    angle: float
    shows: Shown | None = None  # None: never seen
    faces: Belief = field(default_factory=Belief)
    backs: Belief = field(default_factory=Belief)
    since: float = 0.0
    t: float = 0.0
    frame: int = 0
    clear_at: float = 0.0  # last seen clearly, showing this
    hidden_from: float | None = None
    told_hidden: float = -math.inf
    disturbed: bool = True  # something was over it, or it changed, since it was last seen clearly
    reach: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    hands: Counter[tuple[str, Hand]] = field(default_factory=Counter)
    last_reach: tuple[Chances, Hand | None] = ((), None)
    before: Belief = field(default_factory=Belief)  # what an empty spot showed last
    told: tuple[str, float] = ("", 0.0)
    doubt: int = 0  # looks in a row that found it bare, or otherwise without any disturbance
    doubted_from: float = 0.0

    def hide(self, hidden: Hidden, t: float) -> None:
        if self.hidden_from is None:
            self.hidden_from = t
        if not self.disturbed:  # who reached since it was last seen clearly
            self.reach.clear()
            self.hands.clear()
        self.disturbed = True
        for name, chance in hidden.reach:
            self.reach[name] += chance
        if hidden.hand is not None and hidden.reach:
            self.hands[hidden.reach[0][0], hidden.hand] += 1

    def clear(self) -> None:
        self.hidden_from = None

    def hidden_for(self, now: float) -> float:
        return 0.0 if self.hidden_from is None else now - self.hidden_from

    @property
    def unsure(self) -> bool:
        """Whether another look may tell more."""
        if self.hidden_from is not None or self.shows in (None, "nothing"):
            return False
        belief = self.faces if self.shows == "face" else self.backs
        return belief.looks < 2 or (belief.looks < _ENOUGH and belief.best[1] < _SURE)

    def shows_same(self, card: LaidCard) -> bool:
        if self.shows != card.shows:
            return False
        if card.shows == "face":
            return not card.faces or not self.faces.logs or self.faces.agrees(card.faces) > _SAME
        return not card.backs or not self.backs.logs or self.backs.agrees(card.backs) > _SAME

    def contradicts(self, card: LaidCard) -> bool:
        """Whether it is plainly another face, and something moved there since."""
        if self.shows != "face" or card.shows != "face" or not card.faces:
            return False
        (own, sure), (other, as_sure) = self.faces.best, card.faces[0]
        return own != other and min(sure, as_sure) >= _SURE and card.t > self.t

    def reached(self, card: LaidCard) -> None:
        """Whose arms were there when a card was laid under hardly a finger; nobody hid the spot meanwhile."""
        self.reach.clear()  # those are of whoever laid the card below
        self.hands.clear()
        if card.since is None:
            return
        self.clear_at = min(self.clear_at, card.since)
        for name, chance in card.reach:
            self.reach[name] += chance
        if card.reach and card.hand is not None:
            self.hands[card.reach[0][0], card.hand] += 1

    def lies_same(self, card: LaidCard) -> bool:
        if not self.spot.is_centre:  # nobody has a second card of that face
            return math.dist(self.at, (card.x, card.y)) < _ELSEWHERE
        turned = abs((card.angle - self.angle + 90) % 180 - 90)
        return math.hypot(card.x - self.at[0], card.y - self.at[1]) < _MOVED and turned < _TURNED

    def lies_across(self, card: LaidCard) -> bool:
        """Whether it lies across the card of its player's row that it would cover."""
        turned = abs((card.angle - self.angle + 90) % 180 - 90)
        return not self.spot.is_centre and self.shows not in (None, "nothing") and turned > _ACROSS

    def replace_top(self, card: LaidCard) -> Look:
        """Another card lies on top."""
        if self.shows is None and not self.reach:
            self.clear_at = card.t
        self.shows = card.shows
        self.faces, self.backs = first(card.faces), first(card.backs)
        self.at, self.angle = (card.x, card.y), card.angle
        return self._changed(card.t, card.frame)

    def recall(self, look: Look) -> None:
        """What was told of this spot before the eyes were opened anew: it may have changed since."""
        self.shows, self.faces, self.backs = look.shows, first(look.faces), first(look.backs)
        self.at, self.angle = look.at, look.angle
        self.since, self.t, self.frame = look.since, look.t, look.frames[1]
        self.clear_at, self.told, self.disturbed = look.t, self._best(), True

    def empty(self, t: float, frame: int) -> Look:
        if self.shows is None:
            self.clear_at = t
        self.shows, self.before = "nothing", self.faces
        self.faces, self.backs = Belief(), Belief()
        return self._changed(t, frame)

    def look_again(self, card: LaidCard) -> Look | None:
        """The same card once more; told if that makes it surer or another one."""
        self.faces = self.faces.with_look(card.faces)
        self.backs = self.backs.with_look(card.backs)
        self.doubt = 0
        if not self.spot.is_centre:
            self.at, self.angle = (card.x, card.y), card.angle
        name, chance = self._best()
        if name == self.told[0] and (chance - self.told[1] < _BETTER or self.told[1] >= _SURE):
            return None
        return self._look(card.frame, again=True)

    def doubted(self, t: float) -> int:
        """One more look that does not fit; how many in a row there are."""
        self.doubted_from = min(self.doubted_from, t) if self.doubt else t
        self.doubt += 1
        return self.doubt

    def quietly(self, t: float) -> None:
        """Seen clearly and unchanged."""
        self.clear_at = max(self.clear_at, t)
        self.disturbed = False
        self.doubt = 0

    def reached_by(self) -> tuple[Chances, Hand | None]:
        whole = sum(self.reach.values())
        if not whole:
            return (), None
        shares = tuple(
            (name, round(_MOST_REACH * weight / whole, 3))
            for name, weight in sorted(self.reach.items(), key=lambda item: -item[1])
        )
        likeliest = shares[0][0]
        hands = Counter({hand: n for (name, hand), n in self.hands.items() if name == likeliest})
        if not hands:
            return shares, None
        hand, times = hands.most_common(1)[0]
        return shares, hand if times >= 0.8 * sum(hands.values()) else None

    def _changed(self, t: float, frame: int) -> Look:
        self.since, self.t, self.frame = min(self.clear_at, t), t, frame
        self.last_reach = self.reached_by()
        look = self._look(frame)
        self.quietly(t)
        return look

    def _look(self, frame: int, again: bool = False) -> Look:
        self.told = self._best()
        reach, hand = self.last_reach
        x, y = self.at
        return Look(
            self.spot,
            self.since,
            self.t,
            self.shows or "nothing",
            self.faces.chances if self.shows == "face" else (),
            self.backs.chances if self.shows == "back" else (),
            reach,
            hand,
            (round(x, 1), round(y, 1)),
            round(self.angle, 1),
            (min(self.frame, frame), max(self.frame, frame)),
            again,
        )

    def _best(self) -> tuple[str, float]:
        return (self.faces if self.shows == "face" else self.backs).best
