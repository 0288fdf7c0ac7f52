"""All play at once: an event loop in which all think, reach, lay and return, each in their own time."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random

from finito.bots import incidents
from finito.bots.applying import Done, apply, carried, goal
from finito.bots.breaches import breaches, open_deeds
from finito.bots.choice import next_deed, recycle, refill
from finito.bots.deeds import STRAY_FAULTS, Deed
from finito.bots.mischief import Mischief, planned_fault
from finito.bots.motions import Motion, MovedCard, Spot
from finito.bots.recorder import Recorder
from finito.bots.table import Home, Table
from finito.bots.temper import Temper, around
from referee.actions import Action, Interval, Start
from referee.places import ESPRESSO, WASTE


@dataclass(slots=True)
class Bot:
    """A player at the table: what is in mind, and where the hand is on its way."""

    home: Home
    temper: Temper
    deed: Deed | None = None
    forced: Deed | None = None  # must be done before anything else
    joker: Deed | None = None  # the joker laid, its follower not yet
    carrying: bool = False
    leaves: float = 0.0
    grips: float = 0.0
    carries: float = 0.0
    returns: float = 0.0
    token: int = 0  # events of an older token are forgotten

    def deciding(self, t: float) -> bool:
        """Whether the hand is still at home, with nothing urgent to do."""
        free = self.forced is None and self.joker is None and not self.home.emptied
        return free and self.deed is not None and self.deed.fault is None and t < self.leaves


Watcher = Callable[[Action, Table], None]
Event = Callable[[Bot, float], None]


@dataclass(slots=True)
class Simulation:
    """One round under way."""

    table: Table
    bots: list[Bot]
    rng: Random
    mischief: Mischief
    recorder: Recorder
    pace: float
    face_down: bool  # edition escale: only the top of the Espresso stack is turned up
    deadline: float
    watcher: Watcher | None = None
    last_laid: float = 0.0
    pause: float = 0.0
    _events: list[tuple[float, int, Bot, int, Event]] = field(default_factory=list)
    _order: count[int] = field(default_factory=count)

    def run(self, start: float) -> None:
        """Plays from the shout until nobody moves any more."""
        caller = self.rng.choice(self.bots)
        self.last_laid = start
        self.at(start, caller, self._shout)
        early = start - self.rng.uniform(1.2, 2.0) / self.pace
        for bot in self.rng.sample(self.bots, len(self.bots)):
            if not self.mischief.wants("before-start", start):
                break
            if deed := planned_fault(self.table, bot.home, ["before-start"], self.rng):
                self.begin(bot, deed, early, thinking=0.0)
        while self._events:
            t, _, bot, token, event = heapq.heappop(self._events)
            if token == bot.token or event == self._shout:
                event(bot, t)

    def at(self, t: float, bot: Bot, event: Event) -> None:
        heapq.heappush(self._events, (t, next(self._order), bot, bot.token, event))

    def _shout(self, bot: Bot, t: float) -> None:
        self.table.started = True
        now = self.recorder.moment(t)
        self._written(Start(Interval(now, now), bot.home.name))
        for each in self.bots:
            if each.deed is None:
                self.at(t + self.rng.uniform(0.1, 0.5) / self.pace, each, self.think)

    def _written(self, action: Action) -> int:
        index = self.recorder.write(action)
        if self.watcher is not None:
            self.watcher(action, self.table)
        return index

    def think(self, bot: Bot, t: float) -> None:
        """The hand is at home: what next?"""
        bot.deed = None
        if bot.forced is not None:
            forced, bot.forced = bot.forced, None
            self.begin(bot, forced, t)
            return
        if not self.table.started:
            return
        over = self.table.finito is not None or t > self.deadline
        deed = self._wanted(bot, t, over=over)
        if deed is not None:
            self.begin(bot, deed, t)
        elif not over or bot.joker is not None:
            self.at(t + around(self.rng, 0.3) / self.pace, bot, self.think)

    def _wanted(self, bot: Bot, t: float, *, over: bool) -> Deed | None:
        if t < self.pause:
            return None
        if (names := self.mischief.due(t)) and (deed := planned_fault(self.table, bot.home, names, self.rng)):
            allowed = deed.fault != "joker-not-followed" or incidents.joker_can_return(bot)
            if allowed:
                return deed
        if bot.joker is not None:
            return self._follow(bot)
        if over:
            return None
        if self.table.eights_go_on and t - self.last_laid > 40.0 / self.pace:
            self._impasse(t)
        return next_deed(self.table, bot.home, bot.temper, self.rng)

    def _follow(self, bot: Bot) -> Deed | None:
        """The card that belongs on the joker, perhaps after the help slot was refilled."""
        assert bot.joker is not None
        assert bot.joker.then is not None
        if self.mischief.current == "joker-on-joker":
            return None
        follower = replace(bot.joker.then, pile=bot.joker.pile)
        slot, home = bot.home.slot_to_fill(), bot.home
        refillable = slot is not None and len(home.espresso) > 1 and follower.source != ESPRESSO
        if slot is not None and refillable and (home.name, ESPRESSO) not in self.table.locks:
            return refill(home, slot) if self.rng.random() < 0.4 else follower
        return follower

    def _impasse(self, t: float) -> None:
        """Edition forum-1996: nobody can play, so everybody shuffles and turns threes again."""
        if any(open_deeds(self.table, bot.home, bot.home) for bot in self.bots):
            return
        self.last_laid = t
        for bot in self.bots:
            if bot.forced is None and not bot.home.emptied and (bot.home.hand or bot.home.waste):
                bot.forced = recycle(bot.home, shuffled=True, impasse=True)

    def begin(self, bot: Bot, deed: Deed, t: float, thinking: float | None = None) -> None:
        """Sets the hand on its way."""
        kind: str = "shuffle" if deed.shuffled else deed.kind
        if bot.joker is not None and deed.kind == "play":
            kind = "follow"
        think, reach, carry, back = bot.temper.times(kind, self.rng)
        bot.deed = deed
        bot.leaves = t + (think if thinking is None else thinking)
        bot.grips, bot.carries, bot.returns = bot.leaves + reach, carry, back
        if deed.fault is not None:
            self.mischief.begun(deed.fault)
        self.at(bot.grips, bot, self._grip)

    def _grip(self, bot: Bot, t: float) -> None:
        deed = bot.deed
        assert deed is not None
        if breaches(self.table, deed) != ({deed.fault} if deed.fault else set()):
            self._withdraw(bot, deed, t)
            return
        for place in deed.touched():
            self.table.locks[place] = bot.home.name
        bot.carrying = True
        self.at(t + bot.carries, bot, self._release)

    def _release(self, bot: Bot, t: float) -> None:
        deed = bot.deed
        assert deed is not None
        found = breaches(self.table, deed)
        if found == {"too-late"} and deed.fault is None and self.mischief.wants("too-late", t):
            deed = bot.deed = replace(deed, fault="too-late")
            self.mischief.begun("too-late")
        if found != ({deed.fault} if deed.fault else set()):
            self.at(t + 0.8 * bot.carries, bot, lambda who, now: self._put_back(who, now, t))
            return
        self._land(bot, deed, t)

    def _withdraw(self, bot: Bot, deed: Deed, t: float) -> None:
        home = t + bot.returns
        self._moved(bot, deed, Spot(deed.source, deed.owner), (), t, home)
        self._dropped(bot, deed)
        self.at(home, bot, self.think)

    def _put_back(self, bot: Bot, t: float, turned: float) -> None:
        """The card lies where it came from: somebody else was faster, or the round is over."""
        deed = bot.deed
        assert deed is not None
        cards = carried(self.table, deed)
        self._moved(bot, deed, Spot(deed.source, deed.owner), cards, t, t + bot.returns, turned=turned)
        self._dropped(bot, deed)
        bot.carrying = False
        self._unlock(bot)
        self.at(t + bot.returns, bot, self.think)

    def _dropped(self, bot: Bot, deed: Deed) -> None:
        """A fault that lost its moment stays on order."""
        if deed.fault is not None:
            self.mischief.over()
            if deed.fault == "impossible-card":
                incidents.unsmuggle(bot.home)

    def _unlock(self, bot: Bot, *keep: tuple[str, str]) -> None:
        name, locks = bot.home.name, self.table.locks
        self.table.locks = {at: who for at, who in locks.items() if who != name}
        if bot.joker is not None and bot.joker.then is not None:
            keep = (*keep, (bot.joker.then.owner, bot.joker.then.source))
        self.table.locks.update(dict.fromkeys(keep, name))

    def _land(self, bot: Bot, deed: Deed, t: float) -> None:
        """The hand lets go: this is the moment of the action."""
        t = self.recorder.moment(t)
        smuggled = incidents.may_smuggle(self, bot, deed, t)
        done = apply(self.table, deed, t, self.rng)
        if smuggled:
            done = incidents.smuggle(self, bot, done)
        index = self._written(done.action)
        home = t + bot.returns
        self._moved(bot, deed, done.source, done.cards, t, home, done=done, index=index)
        if self.face_down and deed.source == ESPRESSO and deed.kind != "take_back":
            home = self._uncover(bot, deed, home)
        bot.carrying = False
        if done.target.pile is not None:
            self.last_laid = t
        self._after(bot, deed, done, index, t, home)

    def _after(self, bot: Bot, deed: Deed, done: Done, index: int, t: float, home: float) -> None:
        """What follows from it for the player, and what it tempts others to."""
        kept: tuple[tuple[str, str], ...] = ((bot.home.name, WASTE),) if bot.forced else ()
        if deed.then is not None:
            bot.joker = replace(deed, pile=done.target.pile)
        elif bot.home.joker_pile is None:
            bot.joker = None
        if deed.fault is not None:
            self.mischief.landed(deed.fault, index)
            back = incidents.to_take_back(bot, deed, done)
            if back is None:
                self.mischief.over()
            else:
                bot.forced, bot.joker = back, None
                kept, home = ((back.owner, back.source),), max(home, t + self.rng.uniform(1, 3) / self.pace)
        if deed.kind == "take_back":
            self.mischief.over()
        self._unlock(bot, *kept)
        if self._emptied(bot, deed):
            bot.home.emptied = True
            self.at(t + self.rng.uniform(0.3, 0.8) / self.pace, bot, self._call)
        else:
            self.at(home, bot, self.think)
        if deed.fault is None:
            incidents.tempt(self, bot, deed, done, t)
        elif deed.fault == "false-finito":
            self.pause = t + self.rng.uniform(0.4, 1.2) / self.pace

    def _emptied(self, bot: Bot, deed: Deed) -> bool:
        return not bot.home.espresso and not bot.home.emptied and deed.fault not in STRAY_FAULTS

    def _call(self, bot: Bot, t: float) -> None:
        if self.table.finito is not None:
            return
        if any(pile.joker_by is not None for pile in self.table.piles.values()):
            self.at(t + 0.05, bot, self._call)  # a joker that waits must get its follower first
            return
        bot.returns, bot.leaves, bot.grips = 0.0, t, t
        deed = bot.deed = Deed("finito", bot.home.name, bot.home.name, hand=bot.home.side)
        self._land(bot, deed, t)

    def _uncover(self, bot: Bot, deed: Deed, home: float) -> float:
        """Edition escale: turns up the next card of the stack; says when the hand is home again."""
        owner = self.table.homes[deed.owner]
        if not owner.espresso:
            return home
        spot = Spot(ESPRESSO, owner.name)
        grips = home + around(self.rng, 0.15) / self.pace
        releases, back = grips + around(self.rng, 0.25) / self.pace, around(self.rng, 0.15) / self.pace
        card = MovedCard(owner.name, owner.espresso[-1], up_before=False, up_after=True)
        times = (round(home, 3), round(grips, 3), round(releases, 3), round(releases + back, 3))
        self.recorder.motions.append(
            Motion(bot.home.name, bot.home.side, "uncover", spot, spot, (card,), *times)
        )
        return releases + back

    def _moved(
        self,
        bot: Bot,
        deed: Deed,
        source: Spot,
        cards: tuple[MovedCard, ...],
        t: float,
        home: float,
        *,
        done: Done | None = None,
        index: int | None = None,
        turned: float | None = None,
    ) -> None:
        gripped = done is not None or turned is not None
        motion = Motion(
            player=bot.home.name,
            hand="both" if deed.shuffled else deed.hand,
            deed=deed.kind,
            source=source,
            target=goal(deed, self.table.piles) if done is None else done.target,
            cards=cards,
            leaves=round(bot.leaves, 3),
            grips=round(bot.grips, 3) if gripped else None,
            releases=round(t, 3) if gripped else None,
            home=round(home, 3),
            action=index,
            turns_back=None if turned is None else round(turned, 3),
        )
        self.recorder.motions.append(motion)
