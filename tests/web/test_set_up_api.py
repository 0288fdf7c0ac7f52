"""Setting up over HTTP: cameras, what is looked for, and decks."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.errors import CalibrationError
from finito.live_setup import RoundSetUp, parse_guests
from finito.store.memory import MemoryStore
from finito.web.app import Places, create_app
from finito.web.count_look import question
from finito.web.hints import hint_for
from finito.web.life_speed import LifeSpeed
from finito.web.looking import Looking
from finito.web.player_routes import overall, players_csv
from finito.web.stories import pressed
from finito.web.tables import Table
from referee.match import fold
from referee.match_commands import add_round, create_match
from referee.match_events import Player, RoundSheet, Tally
from tests.web.client import Client
from vision.counting.tally import CountedCard, tally
from vision.frame import Frame, Picture
from vision.sources import Event


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("FINITO_DATA", str(tmp_path))
    return Client(create_app(MemoryStore(), places=Places(tmp_path / "web", tmp_path / "sessions")))


def test_the_backs_of_a_deck_are_told(api: Client, tmp_path: Path) -> None:
    assert "pizza" in api.get("/api/decks/house").json()["backs"]
    for deck in ("nothing", "..%2f..%2fetc", "%00"):
        assert api.get(f"/api/decks/{deck}").status_code in (404, 422)
    (tmp_path / "decks" / "torn").mkdir(parents=True)
    (tmp_path / "decks" / "torn" / "deck.json").write_text("{")
    assert "enrol it again" in api.get("/api/decks/torn").json()["error"]


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/api/preview", {"source": "/etc/passwd"}, "pattern"),
        ("/api/preview", {"source": "98"}, "camera"),
        ("/api/looking", {"job": "dream"}, "find"),
        ("/api/looking", {"job": "faces", "game": "chess"}, "no game"),
        ("/api/looking", {"job": "count", "deck": "../x"}, "no deck"),
        ("/api/draft", {"side": "faces"}, "no camera"),
        ("/api/draft", {"side": "faces", "game": "chess"}, "no game"),
        ("/api/decks", {"name": "k", "names": ["a", "b"]}, "no photo of the faces"),
        ("/api/decks", {"name": "../k", "names": ["a", "b"]}, "no name for a deck"),
        ("/api/table", {"source": "98", "names": ["a", "b"]}, "camera"),
    ],
)
def test_what_cannot_be_set_up_is_refused(api: Client, path: str, body: object, sentence: str) -> None:
    answer = api.post(path, json=body)
    assert answer.status_code == 422, answer.text
    assert sentence in answer.json()["error"]


def test_a_photo_that_is_no_grid_is_refused_by_what_is_wrong(api: Client) -> None:
    from tests.vision.shipped import nets_or_skip
    from tests.web.test_photos_api import photo

    nets_or_skip()
    answer = api.post("/api/photos/faces", content=photo(".png"), headers={"Content-Type": "image/png"})
    assert (answer.status_code, "shows no card" in answer.json()["error"]) == (422, True)
    assert api.get("/api/draft").json() == {"faces": 0, "backs": 0, "cards": 0}


def test_what_the_count_is_not_sure_of_is_asked_as_data() -> None:
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 15.0), (0.0, 15.0))
    sure = CountedCard("camera", corners, 0.9, (("pizza", 0.99), ("gelato", 0.01)))
    whose = CountedCard("camera", corners, 0.9, (("pizza", 0.6), ("gelato", 0.4)))
    maybe = CountedCard("camera", corners, 0.3, (("gelato", 0.99),))
    counted = tally([sure, whose, maybe], [], ["pizza", "gelato"], 36, 5)
    asked = [question(doubt) for doubt in counted.unsure]
    assert [each["ask"] for each in asked] == ["card", "whose", "total"]
    assert asked[1]["between"] == ["pizza", "gelato"]
    assert asked[2]["between"][-1] == 5


def test_the_words_that_the_set_up_waits_with_are_known_to_the_pages() -> None:
    """The sentences are those that the set-up really says."""

    class Empty:
        def read(self, *_: object) -> list[Any]:
            return []

    set_up = RoundSetUp(Empty(), parse_guests("pizza,gelato"))  # type: ignore[arg-type]
    assert set_up.look(Frame(np.zeros((90, 160, 3), np.uint8), 0.0, 0)) is None
    assert hint_for(set_up.why) == "deal"
    from finito.live_setup import _by_backs

    with pytest.raises(CalibrationError) as told:
        _by_backs(None, None, [], ["south", "north"], ["pizza", "gelato"])  # type: ignore[arg-type,list-item]
    assert hint_for(str(told.value)) == "backs"


def test_players_are_known_by_their_names_over_all_matches() -> None:
    matches = []
    for backs in (("pizza", "gelato"), ("gelato", "pizza")):
        players = (Player(backs[0], "Anna", None), Player(backs[1], "Ben", None))
        match = fold([create_match(players, target=10)])
        sheet = RoundSheet((Tally(backs[0], 12, None, 0, 1), Tally(backs[1], 3, None, 0, 0)), backs[0])
        matches.append(fold([match.created, add_round(match, sheet)]))
    anna, ben = overall(matches)
    assert (anna.player, anna.matches, anna.wins, anna.rounds, anna.finitos, anna.illegal) == (
        "Anna",
        2,
        2,
        2,
        2,
        2,
    )
    assert (anna.average, anna.best) == (17.0, 17)
    assert (ben.player, ben.wins, ben.average) == ("Ben", 0, 3.0)
    assert players_csv([ben]).splitlines()[1] == "Ben,2,0,2,0,3.0,3,0"


def test_nobody_looks_any_more_once_looking_is_closed() -> None:
    """Whoever is in the nets when the program ends takes it down: `terminate called without ...`."""
    before = set(threading.enumerate())
    looks, goes_on = threading.Event(), threading.Event()

    class Slow:
        key: tuple[object, ...] = ("find",)

        def look(self, picture: Picture) -> dict[str, Any]:
            assert picture.shape == (90, 160, 3)
            looks.set()
            goes_on.wait()
            return {}

    table = Table()
    table.show(pressed(np.zeros((90, 160, 3), np.uint8))[0], 0.0, (160, 90))
    looking = Looking(table)
    looking.begin(Slow.key, Slow)
    assert looks.wait(60)
    threading.Timer(0.2, goes_on.set).start()
    looking.close()
    assert not any(each.name == "looking" for each in set(threading.enumerate()) - before)
    assert table.status["looking"] is None


class _Frames:
    name, live, dropped = "film", False, 0

    def __init__(self, count: int) -> None:
        self._events = (Frame(np.zeros((2, 2, 3), np.uint8), n / 10, n) for n in range(count))

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None: ...


def test_a_film_goes_at_the_speed_of_life_and_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("finito.web.life_speed.time.monotonic", lambda: clock[0])
    film = LifeSpeed(_Frames(60), begins=2.0)  # type: ignore[arg-type]
    monkeypatch.setattr(film._stopped, "wait", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
    shown = [event for event, _ in zip(film, range(5), strict=False) if isinstance(event, Frame)]
    assert [frame.number for frame in shown] == [21, 22, 23, 24, 25]
    assert clock[0] == pytest.approx(100.5)
    clock[0] += 1.0  # the referee was slow: what is past is dropped, as a camera would
    after = next(film)
    assert isinstance(after, Frame)
    assert (after.number >= 33, film.dropped > 5) == (True, True)
