"""The round that `finito watch` referees: what is heard, what the keys ask for, and what is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from finito.cli.glare_words import glare_sentence
from finito.cli.watch_view import Screen
from referee.actions import Amend, Undo
from referee.errors import RefereeError

if TYPE_CHECKING:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveEvent
    from finito.live_setup import TableSetUp
    from vision.observations import Observation
    from vision.pipelining.watching import Told


@dataclass
class Game:
    """The referee with what was said last; `lines` are those not yet written down."""

    referee: RefereedRound
    screen: Screen
    lang: str
    over: bool = False  # somebody wants to stop
    ended: bool = False  # the round was counted
    lines: list[dict[str, Any]] = field(default_factory=list)
    _said: list[LiveEvent] = field(default_factory=list)
    _dropped: int = 0
    # Players who know that their place lies in glare; None: that the centre does.
    _warned: set[str | None] = field(default_factory=set)
    _calling: bool = False
    _ending: bool = False  # c was pressed in a running round: once more ends it
    _asked: str | None = None

    def ready(self, set_up: TableSetUp) -> None:
        for remark in set_up.remarks:
            self.screen.remark(remark)

    def warn(self, dazzled: Iterable[str], centre: bool = False) -> None:
        """Once for every player: in glare no stack is ever seen to be empty, so people have to call.

        And once of the centre, whose piles cannot be read while a lamp burns them out.
        """
        for player in (*dazzled, *((None,) if centre else ())):
            if player not in self._warned and self.referee.finito is None:
                self._warned.add(player)
                self.screen.remark(glare_sentence(player, self.lang))

    def hear(self, observations: Iterable[Observation]) -> list[LiveEvent]:
        return [event for each in observations for event in self.referee.feed(each)]

    def tell(self, events: list[LiveEvent], told: Told, waiting: str | None) -> None:
        self._write(self.referee.opening())
        for event in events:
            line = event.json(self.lang)
            self.lines.append(line)
            self.screen.call(event, line)
        self._said = [*self._said, *events][-50:]
        if told.dropped > self._dropped and not told.frame % 30:
            self.screen.remark(f"{told.dropped - self._dropped} frames were dropped: seeing is too slow here")
            self._dropped = told.dropped
        self._ask()
        self.end()
        self.screen.update(self.referee, told, waiting)

    def end(self, force: bool = False) -> None:
        """The count and the result, once; `force` where nothing more will be seen."""
        if self.ended or self.referee.ended(force) is None:
            return
        self.ended = True
        self._write(self.referee.opening())
        self._write(self.referee.closing(self.lang))

    def press(self, keys: str, t: float) -> list[LiveEvent]:
        """What the keys pressed since the last frame ask for."""
        events: list[LiveEvent] = []
        for key in keys:
            try:
                events += self._pressed(key, t)
            except RefereeError as problem:
                self.screen.remark(str(problem))
        return events

    def _write(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            self.lines.append(line)
            self.screen.line(line)

    def _ask(self) -> None:
        """A count that does not come out right is asked about while the cards still lie there."""
        question = None if self.ended else self.referee.question
        if question is not None and question != self._asked:
            self.screen.remark(f"{question} (c ends the count as it is)")
        self._asked = question

    def _pressed(self, key: str, t: float) -> list[LiveEvent]:
        if self._calling:
            self._calling = False
            players = self.referee.header.players
            if key.isdigit() and 1 <= int(key) <= len(players):
                return self.referee.call_finito(players[int(key) - 1], t)
            return []
        ending, self._ending = self._ending, False
        if key == "q":
            self.over = True
        elif key == "s":
            return self.referee.start(t)
        elif key == "f":
            self._calling = True
            names = self.referee.header.players
            self.screen.remark("Finito of " + ", ".join(f"{i} {name}" for i, name in enumerate(names, 1)))
        elif key == "u" and self._said:
            return self.referee.correct(Undo(self._said[-1].line))
        elif key == "o":
            return self._overrule()
        elif key == "c":
            self._end_the_count(ending)
        return []

    def _end_the_count(self, asked: bool) -> None:
        """Ends a count that goes on; a round that is still played is ended only if that is meant."""
        if asked or self.referee.over or self.referee.finito is not None:
            self.end(force=True)
        elif not self.ended:
            self._ending = True
            self.screen.remark("the round is not over: c once more ends it here, any other key goes on")

    def _overrule(self) -> list[LiveEvent]:
        """The last accusation falls; the last doubt is settled: it was as it was seen."""
        accused = [event for event in self._said if not event.verdict.legal and event.said != "withdrawn"]
        if not accused:
            return []
        last = accused[-1]
        correction = Undo(last.line) if last.verdict.illegal else Amend(last.line, last.action)
        return self.referee.correct(correction)
