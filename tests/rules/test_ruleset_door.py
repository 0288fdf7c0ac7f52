"""A game that is no pile game at the same judge: Chicorée's chain (chicoree-fr.txt, Tour d'un joueur).

A player lays the cards of a chain in front of themselves: 1-2-3-4-5 in order and 6-7 in order, apart from
each other. A 6 may be laid more than once, and only after somebody has laid a 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from referee.actions import Interval
from referee.errors import RefereeError
from referee.judge import Judge
from referee.rules.ruleset import RuleSet
from referee.verdicts import Outcome, Rule, Verdict, illegal, legal

HARVEST, SHOP, EXPORT = 4, 6, 7


@dataclass(frozen=True)
class Expose:
    """A card of the chain laid open by a player."""

    player: str
    link: int
    t: Interval | None = None


@dataclass(frozen=True)
class Chains:
    """Who has laid what, and whether anybody ever harvested."""

    links: frozenset[tuple[str, int]] = frozenset()
    harvested: bool = False
    sure: bool = True


class ChainRules(RuleSet[Chains, Expose]):
    def judge(self, state: Chains, action: Expose) -> Verdict:
        player, link = action.player, action.link
        if link == SHOP:
            right = state.harvested
        elif link == 1:
            right = (player, 1) not in state.links
        else:
            right = (player, link - 1) in state.links and (player, link) not in state.links
        return legal("chain", player, link) if right else illegal(Rule.WRONG_NUMBER, "chain", player, link)

    def apply(self, state: Chains, action: Expose, verdict: Verdict) -> Chains:
        if not verdict.legal:
            return state
        harvested = state.harvested or action.link == HARVEST
        return replace(state, links=state.links | {(action.player, action.link)}, harvested=harvested)

    def possible(self, state: Chains, action: Expose) -> bool:
        return state.sure and bool(action.player)

    def join(self, one: Chains, other: Chains) -> Chains:
        return replace(one, links=one.links & other.links, harvested=one.harvested and other.harvested)


@pytest.fixture
def table() -> Judge[Chains, Expose]:
    return Judge(ChainRules(), Chains())


def told(table: Judge[Chains, Expose], *deeds: Expose) -> list[Outcome]:
    answers = [answer for n, deed in enumerate(deeds, 1) for answer in table.feed(n, deed)]
    answers += table.close()
    return [answer.verdict.outcome for answer in sorted(answers, key=lambda answer: answer.line)]


def test_the_chain_goes_up_in_order(table: Judge[Chains, Expose]) -> None:
    assert told(table, *(Expose("anna", link) for link in (1, 2, 3, 4, 5))) == [Outcome.LEGAL] * 5


def test_a_link_is_not_skipped(table: Judge[Chains, Expose]) -> None:
    assert told(table, Expose("anna", 1), Expose("anna", 3)) == [Outcome.LEGAL, Outcome.ILLEGAL]


def test_shops_come_after_anybodys_harvest_and_export_after_a_shop(table: Judge[Chains, Expose]) -> None:
    harvest = [Expose("anna", link) for link in (1, 2, 3, HARVEST)]
    early, shops = Expose("ben", SHOP), [Expose("ben", SHOP), Expose("ben", SHOP), Expose("ben", EXPORT)]
    outcomes = told(table, early, *harvest, *shops)
    assert outcomes == [Outcome.ILLEGAL, *[Outcome.LEGAL] * 7]


def test_overlapping_times_are_judged_in_every_order(table: Judge[Chains, Expose]) -> None:
    chain = [Expose("anna", link, Interval(link, link)) for link in (1, 2, 3)]
    harvest = Expose("anna", HARVEST, Interval(4.0, 5.0))
    shop = Expose("ben", SHOP, Interval(4.5, 5.5))
    assert told(table, *chain, harvest, shop) == [*[Outcome.LEGAL] * 4, Outcome.UNSURE]


def test_time_does_not_go_backwards_in_any_game(table: Judge[Chains, Expose]) -> None:
    table.feed(1, Expose("anna", 1, Interval(5.0, 5.0)))
    with pytest.raises(RefereeError, match="backwards"):
        table.feed(2, Expose("anna", 2, Interval(3.0, 3.0)))
