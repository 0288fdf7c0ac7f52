"""The files of a session's folder."""

from __future__ import annotations

from typing import Final

ACTIONS: Final = "actions.jsonl"
OBSERVATIONS: Final = "observations.jsonl"
NOTICES: Final = "notices.jsonl"
FRAME_INDEX: Final = "video-frames.jsonl"
EVIDENCE: Final = "evidence"
TIMED: Final = (ACTIONS, OBSERVATIONS, FRAME_INDEX, NOTICES)
