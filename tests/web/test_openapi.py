"""The API takes whatever its own description allows, and a bit more, without a failure of ours."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from finito.errors import BadInput
from finito.store.memory import MemoryStore
from finito.web.app import Places, create_app

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
FOLDER = tempfile.TemporaryDirectory(prefix="finito-test-")
EXAMPLES = 12


def _no_camera(name: str, begins: float = 0.0) -> Any:
    raise BadInput(f"{name[:20]!r} is no camera of this machine at {begins}")


def _app() -> Any:
    place = Path(FOLDER.name)
    app = create_app(MemoryStore(), places=Places(place / "web", place / "sessions"))
    app.state.openings._source = _no_camera  # addresses are made up: nobody shall be called
    return app


APP = _app()
schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP)


@pytest.fixture(autouse=True)
def _data_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FINITO_DATA", str(tmp_path))


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_makes_the_server_fail(case: Any) -> None:
    answer = case.call()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.json()["error"]


def test_all_that_the_page_asks_for_is_in_the_description() -> None:
    import re

    import finito.web

    page = Path(finito.web.__file__).parent / "page"
    scripts = "".join(path.read_text("utf-8") for path in page.glob("*.js"))
    asked = set(re.findall(r'(?<![.\w])(?:get|post|put|remove|send)\([`"]([a-z]+(?:/[a-z]+)?)', scripts))
    asked |= {f"{one}" for one in re.findall(r"[`\"]/api/([a-z]+)", scripts)}
    known = {path.removeprefix("/api/") for path in APP.openapi()["paths"]}
    heads = {path.split("/")[0] for path in known}
    assert len(asked) > 12
    assert {each for each in asked if each.split("/")[0] not in heads | {"camera"}} == set()
    for socket in ("/api/table/feed", "/api/camera"):
        assert socket in APP.openapi()["info"]["description"]
