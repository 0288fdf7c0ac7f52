"""All that looks at one table, wired in one place: set-up, eye, and the count at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from calibration.deck_enrolment import EnrolledDeck
from calibration.profiles import TableProfile
from finito.ending.count_watch import CountWatch
from finito.ending.table_count import TableCounter
from finito.live_setup import Guest, LiveTable, RoundSetUp, TableSetUp
from finito.seeing import open_deck, open_eyes, plainly
from vision.card_finder import CardFinder
from vision.finding.second_look import SecondLook
from vision.memory import give_back_memory, share_one_heap
from vision.observations import Observation
from vision.onnx_model import OnnxModel, load
from vision.pipeline import Setting
from vision.pipelining.eye import Eye, NetEye
from vision.pipelining.known_size import KnownSizeFinder
from vision.table_reader import TableReader


@dataclass(frozen=True)
class TableEyes:
    """The nets of this version with a deck."""

    eye: Eye
    table: TableReader
    deck: EnrolledDeck | None
    net: OnnxModel | None = None  # the finder's, for the count

    def counting(self, players: Sequence[str]) -> CountWatch | None:
        """Counts the backs of those who play; None where the deck's backs are not known."""
        if self.deck is None or self.net is None:
            return None
        backs = tuple(design for design in self.deck.backs if design.name in players)
        if len(backs) < len(players):
            return None
        counter = TableCounter(self.net, CardFinder(self.net), replace(self.deck, backs=backs))
        return CountWatch(players, counter.count)

    def watch(
        self,
        guests: Sequence[Guest],
        on_ready: Callable[[TableSetUp], None],
        profile: TableProfile | None = None,
        known: Setting | None = None,
        before: Iterable[Observation] = (),
    ) -> LiveTable:
        """A table that nobody has looked at yet, or one that is `known` with what was told of it `before`."""
        give_back_memory()
        set_up = RoundSetUp(self.table, guests, self.deck, profile)
        counting = self.counting([guest.name for guest in guests])
        return LiveTable(set_up, self.eye, on_ready, counting, known, before)


def open_table_eyes(deck: str | None) -> TableEyes:
    """With a deck of the library or a folder of one."""
    share_one_heap()
    eyes = open_eyes()
    enrolled = open_deck(deck, eyes.reader)
    with plainly():
        net, second = load("finder"), SecondLook(load("second_look"))
    eye = NetEye(KnownSizeFinder(net, second=second), eyes.reader, enrolled)
    return TableEyes(eye, eyes.table, enrolled, net)
