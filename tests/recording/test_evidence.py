"""Every illegal or doubtful call can be seen again: as a clip, and as a still with the rule in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.profiles import TableProfile, write_profile
from calibration.table_plane import TablePlane
from finito.evidence.calls import Call, calls_in, header_of, headline, rule_in_words
from finito.evidence.live import EvidenceThread
from finito.evidence.making import Evidence, evidence_of, make_evidence, translated, words
from finito.evidence.outlines import looks_at, outlines
from finito.evidence.recent import RecentFrames
from finito.evidence.still import still, text_width, wrapped
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from referee.language import LANGUAGES
from tests.recording.made import ABOUT, UNLIMITED, film, golden_lines, golden_session, shown_number, table
from vision.frame import Frame
from vision.observations import Look, Tick, centre_spot
from vision.overlay import Mark
from vision.sources.video import picture_of


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("game") / "s"
    golden_session(folder, seconds=4.0)
    return Session(folder)


def decoded(path: Path) -> list[tuple[float, int]]:
    with av.open(str(path)) as video:
        return [(float(frame.time), shown_number(picture_of(frame))) for frame in video.decode(video=0)]


def test_a_call_gets_a_clip_from_two_seconds_before_to_one_after(session: Session, tmp_path: Path) -> None:
    call = calls_in(session.actions())[0]
    made = evidence_of(session, call, tmp_path)
    assert made.clip == tmp_path / "line-000007.mp4"
    frames = decoded(made.clip)
    assert [number for _, number in frames] == list(
        range(2, 63)
    )  # the call is at 2.1 s, at 20 frames a second
    assert frames[0][0] == 0
    assert frames[-1][0] == pytest.approx(3.0, abs=0.01)


def test_the_still_keeps_the_picture_and_writes_below_it(session: Session, tmp_path: Path) -> None:
    call = calls_in(session.actions())[0]
    made = evidence_of(session, call, tmp_path)
    assert made.still is not None
    picture = cv2.imread(str(made.still))
    assert picture is not None
    assert picture.shape[1] == 320
    assert picture.shape[0] > 180 + 40
    assert shown_number(picture[:180].astype(np.uint8)) == 42
    paper = picture[180:].max(axis=2)
    assert (paper > 200).sum() > 200  # there are words on it


def test_a_call_without_video_gets_none_and_no_error(session: Session, tmp_path: Path) -> None:
    late = calls_in(session.actions())[1]  # at 7.7 s; the film ends at 4
    assert evidence_of(session, late, tmp_path) == Evidence(15, None, None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_rule_is_given_in_the_language_of_the_table(session: Session, language: str) -> None:
    actions = session.actions()
    call = translated(calls_in(actions)[0], actions, language)
    said = [headline(call, language), *words(call, header_of(actions, call.line), language)]
    expected = {
        "en": ("Illegal (wrong-colour) – gelato – 0:02.1", "red 1 is next"),
        "de": ("Regelverstoß (wrong-colour) – gelato – 0:02.1", "rot"),
        "fr": ("Coup interdit (wrong-colour) – gelato – 0:02.1", "rouge"),
        "nl": ("Overtreding (wrong-colour) – gelato – 0:02.1", "rood"),
    }[language]
    assert said[0] == expected[0]
    assert expected[1] in said[1]
    assert len(said) == 3
    assert call.rule is not None
    assert said[2] == rule_in_words(call.rule, header_of(actions, call.line), language)


def test_words_are_broken_between_words_and_stay_on_the_paper() -> None:
    sentence = (
        "Stapel 3 ist grün: die nächste Karte wäre die grüne 5, nicht die blaue; sie ist zurückzunehmen"
    )
    rows = wrapped(sentence, 300, 16)
    assert len(rows) > 1
    assert " ".join(rows) == sentence
    assert all(text_width(row, 16) <= 300 for row in rows)


def test_given_outlines_are_drawn_on_the_still() -> None:
    corners = np.array([[100, 40], [160, 40], [160, 120], [100, 120]], np.float32)
    plain = still(table(0), [], "illegal", "title", [])
    marked = still(table(0), [Mark(corners, "R4", "unsure")], "illegal", "title", [])
    changed = (plain[:180] != marked[:180]).any(axis=2)
    assert changed[40, 100:160].all()
    assert not changed[:30].any()


def test_the_card_of_a_call_is_outlined_where_the_table_was_measured(tmp_path: Path) -> None:
    lens = Lens(size=(320, 180), focal=(300.0, 300.0), centre=(160.0, 90.0))
    plane = TablePlane(
        (320, 180), ((2.0, 0.0, -320.0), (0.0, 2.0, -180.0), (0.0, 0.0, 1.0)), lens, 1.0, "markers"
    )
    write_profile(tmp_path / "table.toml", TableProfile(plane=plane))
    look = Look(centre_spot(1), 1.5, 2.0, "face", (("B1", 0.99),), at=(0.0, 0.0), frames=(30, 42))
    look = replace(look, angle=90.0)  # its long side runs from the player to the middle
    elsewhere = replace(look, spot=centre_spot(2))
    with SessionWriter.create(tmp_path / "s", ABOUT, table=tmp_path / "table.toml", video=False) as writer:
        for observation in (Tick(0.0, 0), look, elsewhere, replace(look, t=9.0)):
            writer.observe(observation)
        for line in golden_lines("wrong-colour-broken"):
            writer.act(line)
    session = Session(tmp_path / "s")
    call = calls_in(session.actions())[0]
    assert looks_at(session.observations(), call) == [look]
    (mark,) = outlines(session, call)
    assert mark.word == "B1"
    assert mark.corners.mean(axis=0) == pytest.approx([160, 90], abs=0.5)
    assert np.ptp(mark.corners[:, 0]) == pytest.approx(59 / 2, abs=0.5)
    assert np.ptp(mark.corners[:, 1]) == pytest.approx(91 / 2, abs=0.5)


def test_recent_frames_are_kept_small_and_forgotten_in_time() -> None:
    recent = RecentFrames(seconds=3.0, rate=10.0, widest=160)
    for number in range(200):
        recent.add(Frame(table(number % 100), number / 20, number))
    frames = list(recent.frames())
    assert frames[0].t >= 9.95 - 3.0 - 0.1
    assert 28 <= len(frames) <= 32
    assert frames[0].picture.shape[1] == 160
    at = recent.frame_at(9.0)
    assert at is not None
    assert at.number == 180
    assert at.picture.shape == (180, 320, 3)
    assert shown_number(at.picture) == pytest.approx(80, abs=2)
    assert RecentFrames().frame_at(1.0) is None


def test_evidence_of_a_live_table_is_made_once_the_second_after_the_call_has_passed(tmp_path: Path) -> None:
    recent, done = RecentFrames(rate=20.0), list[Evidence | str]()
    keeper = EvidenceThread(recent, tmp_path / "evidence", language="fr", on_done=done.append)
    entry = {"t": [1.9, 2.0], "type": "play", "player": "pizza", "verdict": "unsure", "rule": "too-late"}
    for number in range(90):
        frame = Frame(table(number), number / 20, number)
        recent.add(frame)
        if number == 45:
            keeper.call(Call(12, entry))
        keeper.passed(frame.t)
    keeper.close()
    (made,) = done
    assert isinstance(made, Evidence)
    assert made.clip is not None
    assert made.still is not None
    times = [t for t, _ in decoded(made.clip)]
    assert times[-1] == pytest.approx(3.0, abs=0.11)


def test_trouble_with_evidence_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "evidence").write_text("a file, not a folder")
    recent, done = RecentFrames(), list[Evidence | str]()
    recent.add(Frame(table(0), 2.0, 0))
    keeper = EvidenceThread(recent, tmp_path / "evidence", on_done=done.append)
    keeper.call(Call(1, {"t": 2.0, "verdict": "illegal"}))
    keeper.close()
    assert len(done) == 1
    assert isinstance(done[0], str)


def test_the_session_being_written_gives_evidence_too(tmp_path: Path) -> None:
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED) as writer:
        film(writer, 5.0)
        call = Call(3, {"t": 2.0, "verdict": "illegal", "rule": "wrong-number", "why": "no"})
        made = make_evidence(Session(tmp_path / "s"), call, tmp_path / "e")
    assert made.clip is not None
    assert len(decoded(made.clip)) == 61
