"""The rule set of the pile games: one dispatch from actions to the checks and their consequences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from referee.actions import Action, Build, Finito, Play, Recycle, Refill, Start, TakeBack, Turn
from referee.cards import UNKNOWN
from referee.places import HELP_INDEX
from referee.rules.home import card_at, facing, loose_at
from referee.rules.joining import join_states
from referee.rules.laid import after_laying, joker_in_doubt
from referee.rules.laying import Laying, judge_laying
from referee.rules.parameters import PileGame
from referee.rules.pile_fit import PileLaw
from referee.rules.ruleset import RuleSet
from referee.rules.taking_back import after_take_back, judge_take_back, silently_taken_back
from referee.rules.turning import (
    after_build,
    after_recycle,
    after_refill,
    after_turn,
    judge_build,
    judge_finito,
    judge_refill,
    judge_turn,
    plain_turn,
)
from referee.state import EMPTY_PILE, Pile, RoundState, Side, changed, top
from referee.verdicts import Verdict, legal


@dataclass(frozen=True)
class PileRules(RuleSet[RoundState, Action]):
    """The rules of one round: game, variant and edition, and who plays."""

    game: PileGame
    players: tuple[str, ...]
    zero: bool = False
    chaos: bool = False
    restart_on_last: bool = False
    twos_after_fruitless: bool = False

    @cached_property
    def law(self) -> PileLaw:
        return PileLaw(self.game, self.zero, self.restart_on_last)

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.players)}

    @cached_property
    def helps(self) -> int:
        return self.game.helps_for(len(self.players))

    @cached_property
    def unseen_pile(self) -> Pile:
        """A pile that was there before the record began: any top is possible."""
        tops = [top(face.number or 0, face.colour) for face in self.law.faces]
        tops.append(top(self.game.first_number - 1, None))  # or nothing lies there any more
        if self.zero:
            tops += [top(number, None, True) for number in self.game.numbers[:-1]]
        return Pile(tuple(tops))

    def judge(self, state: RoundState, action: Action) -> Verdict:
        if isinstance(action, Play):
            return judge_laying(self._laying(state, action))
        if isinstance(action, Start):
            return legal("running" if state.started else "started")
        name = action.player
        side = state.sides[self.index[name]]
        if isinstance(action, Turn):
            return judge_turn(side, action, self.game.stock_turn, self.twos_after_fruitless)
        if isinstance(action, Refill):
            return judge_refill(side, name, action)
        if isinstance(action, TakeBack):
            return judge_take_back(self.players, self._with_pile(state, action.pile), action, side.index)
        if isinstance(action, Recycle):
            return legal("recycled", name, len(side.waste))
        if isinstance(action, Build):
            return judge_build(side, name, action)
        if state.caller is not None and state.caller_sure:
            return legal("finito-late", name, self.players[state.caller])
        return judge_finito(side, name)

    def apply(self, state: RoundState, action: Action, verdict: Verdict) -> RoundState:
        if isinstance(action, Play):
            return after_laying(self._laying(state, action), verdict)
        if isinstance(action, Start):
            return changed(state, started=True)
        side = state.sides[self.index[action.player]]
        if isinstance(action, Turn):
            return joker_in_doubt(state, side.joker).with_side(after_turn(side, action))
        if isinstance(action, Refill):
            return state.with_side(after_refill(side, action))
        if isinstance(action, TakeBack):
            return after_take_back(self._with_pile(state, action.pile), action, side.index)
        if isinstance(action, Recycle):
            return state.with_side(after_recycle(side))
        if isinstance(action, Build):
            return state.with_side(after_build(side, action))
        if verdict.illegal or (state.caller is not None and state.caller_sure):
            return state
        return changed(state, caller=side.index, caller_sure=verdict.legal)

    def step(self, state: RoundState, action: Action) -> tuple[Verdict, RoundState]:
        if isinstance(action, Turn):  # the most frequent ones first
            side = state.sides[self.index[action.player]]
            turned = plain_turn(side, action, self.game.stock_turn)
            if turned is not None:
                return legal("turned", action.player, action.count, action.top), state.with_side(turned)
            verdict = self.judge(state, action)
            return verdict, self.apply(state, action, verdict)
        if isinstance(action, Play):
            laying = self._laying(state, action)
            verdict = judge_laying(laying)
            return verdict, after_laying(laying, verdict)
        verdict = self.judge(state, action)
        return verdict, self.apply(state, action, verdict)

    def possible(self, state: RoundState, action: Action) -> bool:
        if isinstance(action, Play):
            there = action.opens or action.pile is None or action.pile <= len(state.piles)
            side = state.sides[self.index[action.owner or action.player]]
            lying = card_at(side, action.source)
            return there and lying is not None and lying.could_be(action.face)
        if isinstance(action, Refill):
            side = state.sides[self.index[action.player]]
            empty = side.helps[HELP_INDEX[action.slot]] is None or loose_at(side, action.slot) is not None
            return empty and side.espresso > 0 and side.top.could_be(action.face)
        if isinstance(action, TakeBack):
            return (
                action.pile <= len(state.piles)
                and judge_take_back(self.players, state, action, self.index[action.player]).legal
            )
        if isinstance(action, Build):
            return card_at(state.sides[self.index[action.player]], action.source) is not None
        return isinstance(action, Start | Turn | Recycle | Finito)

    def join(self, one: RoundState, other: RoundState) -> RoundState:
        return join_states(one, other)

    def _with_pile(self, state: RoundState, number: int) -> RoundState:
        """The state with that pile in it, be it one that nobody saw opened."""
        missing = number - len(state.piles)
        if missing <= 0:
            return state
        return changed(state, piles=state.piles + (self._unannounced(state),) * missing)

    def _unannounced(self, state: RoundState) -> Pile:
        return self.unseen_pile if state.partial else EMPTY_PILE

    def _laying(self, state: RoundState, play: Play) -> Laying:
        number = play.pile if play.pile is not None else len(state.piles) + 1
        if number > len(state.piles):
            opens = play.pile is None or play.opens
            state = self._with_pile(state, number - 1)
            pile = EMPTY_PILE if opens else self._unannounced(state)
        else:
            pile = state.piles[number - 1]
            if play.opens and not pile.height:
                pile = EMPTY_PILE
        if play.face.bit & state.sides[self.index[play.owner or play.player]].seen_centre:
            state = silently_taken_back(state, play.face, self.index[play.owner or play.player])
            pile = state.piles[number - 1] if number <= len(state.piles) else pile
        player = state.sides[self.index[play.player]]
        owner = player if play.owner is None else state.sides[self.index[play.owner]]
        card = play.face
        if not card.bit:
            lying = card_at(owner, play.source)
            if lying is not None and lying.could_be(card) and loose_at(owner, play.source) is None:
                card = lying.merged(card)
        if owner.loose:
            fitted = facing(owner, play.source, card)
            player = fitted if player is owner else player
            owner = fitted
        tops = self.unseen_pile.tops if state.late else ()
        return Laying(
            self.law, self.chaos, self.players, state, play, number, pile, player, owner, card, tops
        )

    def fresh_side(self, index: int, vague: bool, undealt: bool = False) -> Side:
        """A side before anything of it was seen; `vague` if the round was under way by then."""
        game, helps = self.game, self.helps
        return Side(
            index=index,
            espresso=game.race_stack,
            espresso_least=0 if vague else game.race_stack,
            top=UNKNOWN,
            helps=(UNKNOWN,) * helps,
            under=((),) * helps if game.home_building else (),
            waste=(),
            hand=game.cards_per_back - game.race_stack - helps,
            centre=0,
            vague=vague,
            undealt=undealt,
        )
