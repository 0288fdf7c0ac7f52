"""Verdicts for actions as they come, in every order that their times allow.

Actions whose times overlap wait in a window until it is known what they overlap with. Then every order
of the window is walked, not one by one but over the sets of actions already done: orders that lead to the
same set are joined into one state. Legal in all is legal, illegal in all is illegal, otherwise unsure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from referee.actions import Interval
from referee.errors import RefereeError
from referee.rules.ruleset import RuleSet
from referee.verdicts import PLAIN_TO_SEE, Outcome, Verdict, unsure

CROWD: Final = 3  # from so many at once on, what is known of the places at home may depend on the order
MOST_PENDING: Final = 9  # with more at once, orders are too many to walk; the answer is unsure


class Timed(Protocol):
    @property
    def t(self) -> Interval | None: ...


StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT", bound=Timed)


@dataclass(frozen=True, slots=True)
class Answer(Generic[ActionT]):
    """A verdict with the number of the line it answers."""

    line: int
    action: ActionT
    verdict: Verdict


@dataclass(slots=True)
class _Waiting(Generic[ActionT]):
    line: int
    action: ActionT
    t: Interval
    verdicts: list[Verdict] = field(default_factory=list)


class Judge(Generic[StateT, ActionT]):
    """Feeds actions to a rule set in the order of their times. The state is a value; this is its cursor."""

    def __init__(self, rules: RuleSet[StateT, ActionT], state: StateT) -> None:
        self.rules = rules
        self.state = state
        self._window: list[_Waiting[ActionT]] = []
        self._frontier: dict[frozenset[int], StateT] = {}
        self._held: list[Answer[ActionT]] = []  # final, but an earlier line still waits
        self._latest = float("-inf")  # no later action may lie wholly before this moment
        self._closed = float("-inf")  # everything up to here has been answered

    @property
    def pending(self) -> int:
        return len(self._window)

    def feed(self, line: int, action: ActionT) -> list[Answer[ActionT]]:
        """The answers that are final once this action is known, in the order of their lines."""
        t = action.t
        if t is None:
            answers = self.close()
            return [*answers, self._at_once(line, action)]
        start = t.start
        if t.end < self._latest:
            raise self._backwards(start)
        if start < self._closed:
            return self._overtaken(line, action)
        if start == t.end and not self._window:
            self._latest = self._closed = start
            verdict, self.state = self.rules.step(self.state, action)
            return [Answer(line, action, verdict)]
        self._latest = max(self._latest, start)
        answers = self._retire(start) if self._window else []
        if start == t.end and not self._window:
            self._closed = start
            return [*answers, self._at_once(line, action)]
        if not self._window:
            self._frontier = {frozenset(): self.state}
        self._window.append(_Waiting(line, action, t))
        if len(self._window) > MOST_PENDING:
            answers += self._give_up()
        return answers

    def close(self) -> list[Answer[ActionT]]:
        """The answers still waiting, when nothing more will come that could overlap them."""
        return self._retire(float("inf")) if self._window else []

    def _backwards(self, start: float) -> RefereeError:
        return RefereeError(
            f"time goes backwards: {start:g} s comes after {max(self._latest, self._closed):g} s; "
            "write the actions in the order in which they happened"
        )

    def _overtaken(self, line: int, action: ActionT) -> list[Answer[ActionT]]:
        """It may have come before what is answered already: judged after it, but nobody is accused."""
        answers = self.close()
        verdict = self._at_once(line, action).verdict
        if verdict.illegal:
            verdict = unsure(verdict.rule, "order-unknown", verdict.reason)
        return [*answers, Answer(line, action, verdict)]

    def _at_once(self, line: int, action: ActionT) -> Answer[ActionT]:
        verdict, self.state = self.rules.step(self.state, action)
        return Answer(line, action, verdict)

    def _retire(self, now: float) -> list[Answer[ActionT]]:
        """Answers the waiting actions that are over by now: whatever comes next comes after them."""
        over = {each.line for each in self._window if each.t.end <= now}
        if not over:
            return []
        crowded = len(self._window) >= CROWD
        self._walk(frozenset(over))
        done = [each for each in self._window if each.line in over]
        self._window = [each for each in self._window if each.line not in over]
        self._closed = max(self._closed, *(each.t.end for each in done))
        if not self._window:
            (self.state,) = self._frontier.values()
            self._frontier = {}
        self._held += [Answer(each.line, each.action, combined(each.verdicts, crowded)) for each in done]
        return self._in_order()

    def _in_order(self) -> list[Answer[ActionT]]:
        """What may be answered now: nothing overtakes a line that was written before it and still waits."""
        first = min((each.line for each in self._window), default=None)
        self._held.sort(key=lambda answer: answer.line)
        count = sum(first is None or answer.line < first for answer in self._held)
        ready, self._held = self._held[:count], self._held[count:]
        return ready

    def _walk(self, over: frozenset[int]) -> None:
        """Carries the frontier forward to the sets of done actions that contain all that are over."""
        steps, states = self._explore(over, physical=True)
        if not states:  # whatever the order, the record contradicts itself: judge it all the same
            steps, states = self._explore(over, physical=False)
        for step in steps:
            step.waiting.verdicts.append(step.verdict)
        self._frontier = {done - over: state for done, state in states.items()}

    def _explore(
        self, over: frozenset[int], physical: bool
    ) -> tuple[list[_Step[ActionT]], dict[frozenset[int], StateT]]:
        levels: dict[frozenset[int], StateT] = dict(self._frontier)
        queue = sorted(levels, key=len)
        steps: list[_Step[ActionT]] = []
        targets: dict[frozenset[int], StateT] = {}
        while queue:
            done = queue.pop(0)
            state = levels[done]
            if over <= done:
                targets[done] = state
                continue
            for waiting in self._window:
                if waiting.line in done or not self._ready(waiting, done):
                    continue
                if physical and not self.rules.possible(state, waiting.action):
                    continue
                verdict, after = self.rules.step(state, waiting.action)
                then = done | {waiting.line}
                steps.append(_Step(done, then, waiting, verdict))
                if then in levels:
                    levels[then] = self.rules.join(levels[then], after)
                else:
                    levels[then] = after
                    queue.append(then)
                    queue.sort(key=len)
        return _alive(steps, set(targets)), targets

    def _ready(self, waiting: _Waiting[ActionT], done: frozenset[int]) -> bool:
        return all(
            other.line in done for other in self._window if other is not waiting and _before(other, waiting)
        )

    def _give_up(self) -> list[Answer[ActionT]]:
        """Too many at once: they are taken as written and nobody is accused."""
        state = next(iter(self._frontier.values())) if self._frontier else self.state
        done = next(iter(self._frontier), frozenset())
        for each in self._window:
            if each.line not in done:
                _, state = self.rules.step(state, each.action)
            doubt = unsure(None, "too-many-orders", MOST_PENDING)
            self._held.append(Answer(each.line, each.action, doubt))
        self._closed = max(each.t.start for each in self._window)
        self.state, self._window, self._frontier = state, [], {}
        return self._in_order()


@dataclass(frozen=True, slots=True)
class _Step(Generic[ActionT]):
    done: frozenset[int]
    then: frozenset[int]
    waiting: _Waiting[ActionT]
    verdict: Verdict


def _before(one: _Waiting[ActionT], other: _Waiting[ActionT]) -> bool:
    """Whether one surely happened first; at the same exact moment the written order holds."""
    if one.t.overlaps(other.t):
        return False
    return one.t.end < other.t.end or one.t.start < other.t.start or one.line < other.line


def _alive(steps: list[_Step[ActionT]], targets: set[frozenset[int]]) -> list[_Step[ActionT]]:
    """The steps that lie on a way that does not end before its target."""
    alive = set(targets)
    kept = []
    for step in sorted(steps, key=lambda step: -len(step.then)):
        if step.then in alive:
            alive.add(step.done)
            kept.append(step)
    return kept


def combined(verdicts: list[Verdict], crowded: bool = False) -> Verdict:
    """One verdict for an action judged in several worlds; in a crowd only what is plain to see accuses."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if outcomes == {Outcome.LEGAL}:
        return verdicts[0]
    if outcomes == {Outcome.ILLEGAL}:
        worst = min(verdicts, key=lambda verdict: str(verdict.rule))
        return (
            worst
            if not crowded or worst.rule in PLAIN_TO_SEE
            else unsure(worst.rule, "order-unknown", worst.reason)
        )
    doubtful = next(verdict for verdict in verdicts if not verdict.legal)
    if doubtful.unsure:
        return doubtful
    return unsure(doubtful.rule, "order-unknown", doubtful.reason)
