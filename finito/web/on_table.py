"""What a page may ask of the round on the table, whether it is written, filmed or watched live."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, Protocol

from referee.actions import Correction, Count, Finito, Start

Json = dict[str, Any]
Ruling = Literal["right", "wrong", "pass"]


class RoundOnTable(Protocol):
    """`result` is there once it was counted, with `counted` as the cards by back."""

    result: Json | None
    counted: dict[str, int]

    def call(self, action: Start | Finito) -> None: ...

    def correct(self, correction: Correction) -> int: ...

    def rule(self, line: int, ruling: Ruling) -> int: ...

    def undo_last(self) -> int: ...

    def count(self, count: Count) -> Json: ...

    def suggestion(self) -> dict[str, int]: ...

    def faults(self) -> Counter[str]: ...
