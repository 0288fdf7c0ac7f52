"""A phone under which a round is played: from its frames to the calls on the pages."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from finito.store.memory import MemoryStore
from finito.web.app import create_app
from finito.web.phone_source import PhoneSource
from finito.web.table_models import NewTable
from tests.web.client import Client
from tests.web.running import running
from tests.web.test_feed import address, jpeg
from tests.web.test_watched_round import ScriptedReferee
from vision.frame import Frame
from vision.observations import Observation, Tick
from vision.sources import Event, Gap


class ScriptedEyes:
    """Sees one thing happen in every frame that comes to it, and six in all."""

    pipeline = True
    why = ""
    dazzled: tuple[str, ...] = ()
    centre_burnt_out = False
    _left = 6

    def see(self, event: Event) -> list[Observation]:
        if not isinstance(event, Frame) or not self._left:
            return []
        self._left -= 1
        return [Tick(event.t, event.number)]


def test_a_phones_frames_are_refereed_and_its_calls_corrected() -> None:
    with running() as server:
        openings = server.app.state.openings
        openings._eyes = lambda _order: lambda _on_ready: ScriptedEyes()
        openings._referee = lambda _header: ScriptedReferee()
        openings.open(NewTable.model_validate({"source": "phone", "names": ["pizza", "gelato"]}))
        with connect(address(server, "/api/camera"), proxy=None, open_timeout=90) as phone:
            shown = called(server.url, phone)
        assert shown["status"]["source"] == "camera"
        assert server.host.table.picture is not None
        line = next(each["line"] for each in shown["lines"] if each["rule"] == "wrong-colour")
        with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
            after = client.post("/api/table/rulings", json={"line": line, "ruling": "wrong"}).json()
            assert after["board"]["faults"] == {"pizza": 0, "gelato": 0}
            counted = client.post("/api/table/count", json={"by_back": {"pizza": 1, "gelato": 1}}).json()
            assert counted["about"]["match"]["totals"] == {"pizza": 1, "gelato": 1}


def test_a_lamp_that_glares_on_an_espresso_place_or_the_centre_is_told_to_the_pages_while_it_does() -> None:
    class DazzledEyes(ScriptedEyes):
        dazzled = ("gelato",)
        centre_burnt_out = True

    with running() as server:
        openings = server.app.state.openings
        openings._eyes = lambda _order: lambda _on_ready: DazzledEyes()
        openings._referee = lambda _header: ScriptedReferee()
        openings.open(NewTable.model_validate({"source": "phone", "names": ["pizza", "gelato"]}))
        with connect(address(server, "/api/camera"), proxy=None, open_timeout=90) as phone:
            status = called(server.url, phone)["status"]
        assert (status["dazzled"], status["centre_burnt_out"]) == (["gelato"], True)


def called(url: str, phone: ClientConnection) -> dict[str, Any]:
    """The table with its call. The phone films on: only the newest frame waits for the referee."""
    end = time.monotonic() + 90
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
        while time.monotonic() < end:
            phone.send(jpeg())
            assert json.loads(phone.recv(timeout=60))["type"] == "taken"
            shown: dict[str, Any] = client.get("/api/table").json()
            if any(line["rule"] == "wrong-colour" for line in shown["lines"]):
                return shown
            time.sleep(0.1)
    raise AssertionError(shown)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"source": "/etc/passwd"}, "pattern"),
        ({"source": "ftp://somewhere/film.mp4"}, "pattern"),
        ({"source": "phone"}, "who plays"),
        ({"source": "phone", "names": ["a", "b"], "seats": ["south"]}, "1 seats for 2"),
        ({"source": "phone", "names": ["a", "b"], "deck": "../x"}, "no deck"),
        ({"source": "phone", "names": ["a", "a"]}, "twice"),
        ({"source": "demo", "names": ["a"]}, "2 to 6"),
    ],
)
def test_a_table_that_cannot_be_set_up_is_refused(body: object, sentence: str) -> None:
    answer = Client(create_app(MemoryStore())).post("/api/table", json=body)
    assert answer.status_code == 422, answer.text
    assert sentence in answer.json()["error"]


def test_a_phone_that_was_silent_leaves_a_gap_and_only_the_newest_frame_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr("finito.web.phone_source.time.monotonic", lambda: clock[0])
    source = PhoneSource()
    picture: Any = object()
    for moment in (0.0, 0.1, 0.2):
        clock[0] = 100.0 + moment
        source.put(picture)
    first = next(source)
    assert isinstance(first, Frame)
    assert (first.number, source.dropped) == (2, 2)
    clock[0] = 105.0
    source.put(picture)
    gap, after = next(source), next(source)
    assert isinstance(gap, Gap)
    assert isinstance(after, Frame)
    assert (round(gap.start, 1), gap.end) == (0.2, 5.0)
    source.close()
    assert list(source) == []
