"""A round as it is told: header, deals, actions and corrections in; verdicts and the score out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.actions import Action, Amend, Build, Correction, Count, Deal, Play, RoundHeader, TakeBack
from referee.cards import UNKNOWN, Face
from referee.corrections import MOST_KEPT, effective
from referee.errors import RefereeError
from referee.judge import Answer, Judge
from referee.places import HELP_INDEX
from referee.rules.espresso import rules_for
from referee.rules.pile_game import PileRules
from referee.scoring import ScoreSheet, round_points, winner_of
from referee.state import RoundState, changed
from referee.verdicts import Verdict

RoundAnswer = Answer[Action]


@dataclass(frozen=True, slots=True)
class Corrected:
    """The answer to a correction: the verdicts that it changed."""

    line: int
    correction: Correction
    changed: tuple[RoundAnswer, ...]


class RoundReferee:
    """Takes the entries of one round in the order in which they are written."""

    def __init__(self, header: RoundHeader, totals: Sequence[tuple[str, int]] = ()) -> None:
        self.header = header
        self.rules: PileRules = rules_for(header)
        self.options = dict(header.options)
        for name, _ in self.options.get("totals", ()):
            self._check_player(name)
        self._totals = dict.fromkeys(header.players, 0) | dict(totals) | dict(self.options.get("totals", ()))
        self._deals: dict[str, Deal] = {}
        self._judge: Judge[RoundState, Action] | None = None
        self._piles = 0
        self._log: list[tuple[int, Action | Correction]] = []
        self._dropped = 0
        self._given: dict[int, Verdict] = {}

    @property
    def state(self) -> RoundState:
        return self._running().state

    def deal(self, deal: Deal) -> None:
        """What lies open in front of a player; before the first action."""
        if self._judge is not None:
            raise RefereeError("a deal line comes after an action; write all deals before the start")
        self._check_player(deal.player)
        if deal.player in self._deals:
            raise RefereeError(f"{deal.player} is dealt in twice; write one deal line for each player")
        self._check_deal(deal)
        self._deals[deal.player] = deal

    def act(self, line: int, action: Action) -> list[RoundAnswer]:
        """Answers to this action and to earlier ones that waited for it."""
        self.check(action)
        judge = self._running()
        if len(self._log) >= MOST_KEPT:
            self._dropped += 1
        else:
            self._log.append((line, action))
        return self._noted(judge.feed(line, self._numbered(judge, action)))

    def correct(self, line: int, correction: Correction) -> tuple[list[RoundAnswer], Corrected]:
        """Undoes or amends an earlier line and judges the whole round anew."""
        if self._dropped:
            raise RefereeError(f"corrections reach back {MOST_KEPT} lines; this record is longer")
        if correction.line not in {number for number, _ in self._log}:
            raise RefereeError(f"line {correction.line} is no earlier action or correction; name one that is")
        if isinstance(correction, Amend):
            self.check(correction.action)
        waited = self.close()
        self._log.append((line, correction))
        before, self._given = self._given, {}
        self._judge, self._piles = None, 0
        answers: list[RoundAnswer] = []
        for number, action in effective(self._log):
            judge = self._running()
            answers += judge.feed(number, self._numbered(judge, action))
        answers += self._running().close()
        self._noted(answers)
        different = tuple(answer for answer in answers if before.get(answer.line) != answer.verdict)
        return waited, Corrected(line, correction, different)

    def close(self) -> list[RoundAnswer]:
        """The answers that still wait for something that might overlap."""
        return self._noted(self._running().close())

    def count(self, count: Count) -> ScoreSheet:
        """The score of the round, with what does not agree with the record."""
        players = self.header.players
        for name, cards in (*count.by_back, *count.race_left):
            self._check_player(name)
            if cards > self.rules.game.cards_per_back:
                most = self.rules.game.cards_per_back
                raise RefereeError(f"{cards} cards of {name} are counted; a back has only {most}")
        by_back = dict.fromkeys(players, 0) | dict(count.by_back)
        state = self.state
        caller = players[state.caller] if state.caller is not None and state.caller_sure else None
        left = {name: state.sides[index].espresso for index, name in enumerate(players)}
        points = round_points(self.rules.game, by_back, caller, left | dict(count.race_left))
        self._totals = {name: self._totals[name] + points[name] for name in players}
        target = self.options.get("target", self.rules.game.target)
        recorded = {name: state.sides[index].centre for index, name in enumerate(players)}
        differ = [
            (name, by_back[name], recorded[name]) for name in players if by_back[name] != recorded[name]
        ]
        return ScoreSheet(
            points=tuple(points.items()),
            caller=caller,
            totals=tuple(self._totals.items()),
            winner=winner_of(self._totals, target),
            expected=None if state.partial else sum(recorded.values()),
            unsure=() if state.partial else tuple(differ),
        )

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._totals.items())

    def check(self, action: Action) -> None:
        """Refuses an action that speaks of players, cards, slots or piles this round does not have."""
        for name in (getattr(action, "player", None), getattr(action, "owner", None)):
            if name is not None:
                self._check_player(name)
        for field in ("face", "reveals", "top"):
            self._check_face(getattr(action, field, UNKNOWN))
        slots = [getattr(action, "source", ""), getattr(action, "slot", "")]
        for slot in slots:
            if HELP_INDEX.get(slot, 0) >= self.rules.helps:
                raise RefereeError(f"{slot} does not exist: each player has {self.rules.helps} help cards")
        if isinstance(action, Build) and not self.rules.game.home_building:
            raise RefereeError(f"{self.header.game} has no building at home; a card goes into the centre")

    def _numbered(self, judge: Judge[RoundState, Action], action: Action) -> Action:
        """Gives a new pile its number, in the order of the lines, and refuses a pile nobody opened."""
        self._piles = max(self._piles, len(judge.state.piles))
        if isinstance(action, Play) and action.pile is None:
            self._piles += 1
            return replace(action, pile=self._piles, opens=True)
        if isinstance(action, Play | TakeBack) and action.pile is not None and action.pile > self._piles:
            adopted = judge.state.partial and action.pile == self._piles + 1
            if not adopted and not self.options.get("joined_late"):
                raise _missing_pile(action.pile, self._piles)
            self._piles = action.pile
        return action

    def _noted(self, answers: list[RoundAnswer]) -> list[RoundAnswer]:
        if not self._dropped:
            self._given.update((answer.line, answer.verdict) for answer in answers)
        return answers

    def _running(self) -> Judge[RoundState, Action]:
        if self._judge is None:
            self._judge = Judge(self.rules, self.opening_state())
        return self._judge

    def opening_state(self) -> RoundState:
        """The table after the deal; a player who was not dealt in is adopted as seen from now on."""
        rules = self.rules
        sides = []
        late = bool(self.options.get("joined_late"))
        for index, name in enumerate(rules.players):
            deal = self._deals.get(name)
            side = rules.fresh_side(
                index, vague=deal is None or late or deal.espresso != rules.game.race_stack
            )
            if deal is not None:
                espresso = rules.game.race_stack if deal.espresso is None else deal.espresso
                gone = rules.game.race_stack - espresso + sum(card is None for card in deal.helps)
                seen = deal.top.bit if espresso else 0
                for card in deal.helps:
                    seen |= 0 if card is None else card.bit
                side = changed(
                    side,
                    espresso=espresso,
                    espresso_least=0 if deal.espresso is None else espresso,
                    top=deal.top,
                    helps=deal.helps,
                    hand=side.hand + gone,
                    seen_race=seen,
                )
            sides.append(side)
        return RoundState(tuple(sides), partial=late or len(self._deals) < len(rules.players))

    def _check_player(self, name: str) -> None:
        if name not in self.rules.index:
            raise RefereeError(
                f"no player is called {name!r}; the round names {', '.join(self.header.players)}"
            )

    def _check_face(self, card: Face | None) -> None:
        numbers = self.rules.game.numbers
        if card is not None and card.number is not None and card.number not in numbers:
            raise RefereeError(
                f"{card} is no card of {self.header.game}: its numbers go from {numbers[0]} to {numbers[-1]}"
            )

    def _check_deal(self, deal: Deal) -> None:
        game = self.rules.game
        if len(deal.helps) != self.rules.helps:
            raise RefereeError(
                f"the deal of {deal.player} shows {len(deal.helps)} help cards; "
                f"{game.name} with {len(self.header.players)} players deals {self.rules.helps}"
            )
        if deal.espresso is not None and deal.espresso > game.race_stack:
            raise RefereeError(
                f"the stack of {deal.player} has {deal.espresso} cards; {game.name} deals {game.race_stack}"
            )
        shown = [card for card in (deal.top, *deal.helps) if card is not None]
        for card in shown:
            self._check_face(card)
            if card.known and shown.count(card) > 1:
                raise RefereeError(f"the deal of {deal.player} shows {card} twice; a back has each card once")


def _missing_pile(number: int, piles: int) -> RefereeError:
    there = "no pile is there yet" if not piles else f"there are {piles}" if piles > 1 else "there is one"
    return RefereeError(f'pile {number} does not exist: {there}; open a pile with "to": "new"')
