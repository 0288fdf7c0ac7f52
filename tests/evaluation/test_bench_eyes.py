"""The watch of `make bench` hangs on the code that runs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bench_eyes import ORDER, STAGES, stages_of
from tests.vision.rendered_photos import open_cards
from tests.vision.truth_net import truth_net
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.finding.second_look import SecondLook
from vision.onnx_model import load
from vision.table_reader import TableReader


def test_every_stage_is_timed_and_the_code_is_left_as_it_was() -> None:
    photo = open_cards(("R2", "Y5", "G7", "B3"))
    before = [getattr(module, name) for module, name, _ in STAGES]
    finder = CardFinder(truth_net(photo), second=SecondLook(load("second_look")))
    eyes = TableReader(finder, CardReader())
    spent = stages_of(eyes, np.asarray(photo.picture, np.uint8))
    assert list(spent) == list(ORDER)
    assert all(seconds > 0 for seconds in spent.values())
    assert [getattr(module, name) for module, name, _ in STAGES] == before


def test_a_peer_that_is_not_there_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests import bench

    monkeypatch.setattr("sys.argv", ["bench", "--peer", "nowhere.onnx"])
    with pytest.raises(SystemExit) as stopped:
        bench.main()
    assert stopped.value.code == 2
    assert "nowhere.onnx" in capsys.readouterr().err
