"""The import direction: referee <- calibration <- vision <- finito, and what each room may not touch."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("referee", "calibration", "vision", "finito")
IMPURE = {"time", "datetime", "random", "os", "pathlib", "socket", "subprocess", "threading", "asyncio"}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield node.module or ""


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_from_a_room_above_it(room: str) -> None:
    above = ROOMS[ROOMS.index(room) + 1 :]
    for module in modules(room):
        wrong = [name for name in imports(module) if name.split(".")[0] in above]
        assert not wrong, f"{module.relative_to(ROOT)} imports {wrong}"


def test_the_referee_uses_the_standard_library_only_and_no_clock_file_or_network() -> None:
    for module in modules("referee"):
        for name in imports(module):
            head = name.split(".")[0]
            assert head == "referee" or head in sys.stdlib_module_names, f"{module.name} imports {name}"
            assert head not in IMPURE, f"{module.name} imports {name}"


def test_the_referee_opens_no_file_and_prints_nothing() -> None:
    for module in modules("referee"):
        calls = (node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call))
        names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
        assert not names & {"open", "print", "input"}, module.name


def test_the_virtual_table_knows_nothing_of_vision() -> None:
    for module in modules("finito/virtual_table"):
        assert not [name for name in imports(module) if name.split(".")[0] == "vision"], module.name


def test_only_one_module_imports_onnxruntime() -> None:
    users = [module for room in ROOMS for module in modules(room) if "onnxruntime" in set(imports(module))]
    assert [user.name for user in users] in ([], ["onnx_model.py"])


def test_no_module_is_longer_than_400_lines_and_no_function_than_50() -> None:
    for room in ROOMS:
        for module in modules(room):
            text = module.read_text(encoding="utf-8")
            assert text.count("\n") <= 400, module.relative_to(ROOT)
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    length = (node.end_lineno or node.lineno) - node.lineno + 1
                    assert length <= 50, f"{module.relative_to(ROOT)}: {node.name} has {length} lines"
