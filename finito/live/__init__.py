"""The live referee: what the eyes tell becomes actions, and actions get verdicts that can be taken back."""

from finito.live.events import LiveEvent
from finito.live.referee import LiveReferee

__all__ = ["LiveEvent", "LiveReferee"]
