"""Waiting for a page without strings evaluated inside it: the pages' own policy forbids those."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 90.0


def until(page: Page, expression: str, patience: float = PATIENCE) -> None:
    """Until an expression is true on the page."""
    end = time.monotonic() + patience
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never came true: {expression}"
        page.wait_for_timeout(100)


def has(selector: str, text: str) -> str:
    """An expression: that text stands there."""
    return f"document.querySelector({selector!r}).textContent.includes({text!r})"


def until_true(page: Page, condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Until something is true outside the page, which goes on meanwhile."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "never came true"
        page.wait_for_timeout(50)
