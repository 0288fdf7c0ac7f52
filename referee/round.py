"""A round as it is told: header, deals, actions and corrections in; verdicts and the score out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.actions import Action, Amend, Correction, Count, Deal, Play, RoundHeader, TakeBack
from referee.corrections import MOST_KEPT, effective
from referee.errors import RefereeError
from referee.judge import Answer, Judge
from referee.round_checks import RoundChecks
from referee.rules.espresso import rules_for
from referee.rules.pile_game import PileRules
from referee.scoring import ScoreSheet, round_points, winner_of
from referee.state import RoundState, Side, changed

RoundAnswer = Answer[Action]
CENTRE = (Play, TakeBack)  # what speaks of a pile


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
        self.checks = RoundChecks(self.rules)
        self.options = dict(header.options)
        given = dict(self.options.get("totals", ()))
        self.checks.names(*given)
        self._before = dict.fromkeys(header.players, 0) | dict(totals) | given
        self._totals = self._before
        self._deals: dict[str, Deal] = {}
        self._judge: Judge[RoundState, Action] | None = None
        self._piles = 0
        self._most_piles = len(header.players) * self.rules.game.cards_per_back
        self._log: list[tuple[int, Action | Correction]] = []
        self._count: Count | None = None
        self._forgetful = False  # the record outgrew what corrections may reach back to

    @property
    def state(self) -> RoundState:
        return self._running().state

    @property
    def totals(self) -> tuple[tuple[str, int], ...]:
        return tuple(self._totals.items())

    def deal(self, deal: Deal) -> None:
        """What lies open in front of a player; before the first action."""
        if self._judge is not None:
            raise RefereeError("a deal line comes after an action; write all deals before the start")
        self.checks.deal(deal)
        if deal.player in self._deals:
            raise RefereeError(f"{deal.player} is dealt in twice; write one deal line for each player")
        self._deals[deal.player] = deal

    def act(self, line: int, action: Action) -> list[RoundAnswer]:
        """Answers to this action and to earlier ones that waited for it."""
        self.checks.action(action)
        judge = self._judge or self._running()
        told = self._numbered(judge, action) if isinstance(action, CENTRE) else action
        answers = judge.feed(line, told)
        if not self._forgetful:
            self._log.append((line, told))
            if len(self._log) > MOST_KEPT:
                self._log, self._forgetful = [], True
        return answers

    def correct(self, line: int, correction: Correction) -> tuple[list[RoundAnswer], Corrected]:
        """Undoes or amends an earlier line and judges the whole round anew."""
        if self._forgetful:
            raise RefereeError(f"a record of more than {MOST_KEPT} lines can no longer be corrected")
        if correction.line not in {number for number, _ in self._log}:
            raise RefereeError(f"line {correction.line} is no earlier action or correction; name one that is")
        if isinstance(correction, Amend):
            self.checks.action(correction.action)
            correction = Amend(correction.line, self._renumbered(correction))
        waited = self.close()
        log = [*self._log, (line, correction)]
        before = {answer.line: answer.verdict for answer in self._replayed(self._log)[1]}
        self._judge, answers = self._replayed(log)
        self._log = log
        self._piles = max((a.pile or 0 for _, a in effective(log) if isinstance(a, CENTRE)), default=0)
        different = tuple(answer for answer in answers if before.get(answer.line) != answer.verdict)
        return waited, Corrected(line, correction, different)

    def _replayed(
        self, log: Sequence[tuple[int, Action | Correction]]
    ) -> tuple[Judge[RoundState, Action], list[RoundAnswer]]:
        """The round told again with its corrections. Piles keep the numbers they were first given."""
        judge: Judge[RoundState, Action] = Judge(self.rules, self.opening_state())
        answers = []
        for line, action in effective(log):
            answers += judge.feed(line, action)
        return judge, [*answers, *judge.close()]

    def _renumbered(self, correction: Amend) -> Action:
        action = correction.action
        if not isinstance(action, CENTRE):
            return action
        original = dict(self._log)[correction.line]
        if isinstance(action, Play) and action.pile is None and isinstance(original, Play) and original.opens:
            return replace(action, pile=original.pile, opens=True)
        return self._numbered(self._running(), action)

    def close(self) -> list[RoundAnswer]:
        """The answers that still wait for something that might overlap."""
        return self._running().close()

    def count(self, count: Count) -> ScoreSheet:
        """The score of the round, with what does not agree with the record."""
        players, game = self.header.players, self.rules.game
        self._count = count
        for name, cards in (*count.by_back, *count.race_left):
            self.checks.counted(name, cards)
        by_back = dict.fromkeys(players, 0) | dict(count.by_back)
        state = self.state
        caller = players[state.caller] if state.caller is not None and state.caller_sure else None
        left = {name: side.espresso for name, side in zip(players, state.sides, strict=True)}
        points = round_points(game, by_back, caller, left | dict(count.race_left))
        # A round counted again replaces its first count.
        self._totals = {name: self._before[name] + points[name] for name in players}
        recorded = {name: side.centre for name, side in zip(players, state.sides, strict=True)}
        differ = [(name, by_back[name], there) for name, there in recorded.items() if by_back[name] != there]
        return ScoreSheet(
            points=tuple(points.items()),
            caller=caller,
            totals=self.totals,
            winner=winner_of(self._totals, self.options.get("target", game.target)),
            expected=None if state.partial else sum(recorded.values()),
            unsure=() if state.partial else tuple(differ),
        )

    def recount(self) -> ScoreSheet | None:
        """The score of a round that was counted before it was corrected."""
        return None if self._count is None else self.count(self._count)

    def _numbered(self, judge: Judge[RoundState, Action], action: Play | TakeBack) -> Action:
        """Gives a new pile its number, in the order of the lines, and refuses a pile nobody opened."""
        piles = max(self._piles, len(judge.state.piles))
        pile = action.pile
        if pile is None:
            assert isinstance(action, Play)
            self._piles = piles + 1
            return replace(action, pile=piles + 1, opens=True)
        if pile > self._most_piles:
            raise RefereeError(f"pile {pile} cannot exist: these decks make at most {self._most_piles}")
        if pile > piles:
            unannounced = judge.state.partial and pile == piles + 1
            if not unannounced and not self.options.get("joined_late"):
                raise _missing_pile(pile, piles)
            self._piles = pile
        return action

    def _running(self) -> Judge[RoundState, Action]:
        if self._judge is None:
            self._judge = Judge(self.rules, self.opening_state())
        return self._judge

    def opening_state(self) -> RoundState:
        """The table after the deal; a player who was not dealt in is adopted as seen from now on."""
        late = bool(self.options.get("joined_late"))
        sides = [self._dealt(index, name, late) for index, name in enumerate(self.rules.players)]
        partial = late or len(self._deals) < len(sides)
        return RoundState(tuple(sides), started=late, partial=partial, late=late)

    def _dealt(self, index: int, name: str, late: bool) -> Side:
        stack = self.rules.game.race_stack
        deal = self._deals.get(name)
        if deal is None:
            return self.rules.fresh_side(index, vague=late, undealt=True)
        espresso = stack if deal.espresso is None else deal.espresso
        side = self.rules.fresh_side(index, vague=late or espresso != stack)
        seen = deal.top.bit if espresso else 0
        for card in deal.helps:
            seen |= 0 if card is None else card.bit
        return changed(
            side,
            espresso=espresso,
            espresso_least=0 if late and deal.espresso is None else espresso,
            top=deal.top,
            helps=deal.helps,
            hand=side.hand + stack - espresso + deal.helps.count(None),
            seen_race=seen,
        )


def _missing_pile(number: int, piles: int) -> RefereeError:
    there = "no pile is there yet" if not piles else f"there are {piles}" if piles > 1 else "there is one"
    return RefereeError(f'pile {number} does not exist: {there}; open a pile with "to": "new"')
