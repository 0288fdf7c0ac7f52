"""How fast the referee judges, next to python-chess pushing moves whose legality it checks, in one run."""

from __future__ import annotations

import gc
import resource
import statistics
import time
from collections import deque
from pathlib import Path
from random import Random

import chess
from rich.console import Console

from finito.bots import BotRound, play_round
from finito.judging import WrittenRounds
from referee.actions import Action
from referee.judge import Judge
from referee.round import RoundReferee
from referee.state import RoundState

ROUNDS = 60
REPEATS = 7
FLAT_ACTIONS = 1_000_000


def bot_rounds() -> list[BotRound]:
    return [play_round(seed, 2 + seed % 5) for seed in range(ROUNDS)]


def opened(record: BotRound) -> RoundReferee:
    referee = RoundReferee(record.header)
    for deal in record.deals:
        referee.deal(deal)
    return referee


def judge_one(record: BotRound) -> float:
    """The engine alone: parsed actions in, verdicts out."""
    referee = opened(record)
    judge: Judge[RoundState, Action] = Judge(referee.rules, referee.opening_state())
    start = time.perf_counter()
    for line, action in enumerate(record.actions):
        judge.feed(line, action)
    return time.perf_counter() - start


def referee_one(record: BotRound) -> float:
    """The whole round: checks of names and cards, pile numbers, and the log that corrections need."""
    referee = opened(record)
    start = time.perf_counter()
    for line, action in enumerate(record.actions):
        referee.act(line, action)
    return time.perf_counter() - start


def chess_games() -> list[list[chess.Move]]:
    random = Random(1)
    games = []
    for _ in range(ROUNDS):
        board = chess.Board()
        moves: list[chess.Move] = []
        while len(moves) < 100 and (legal := list(board.legal_moves)):
            moves.append(random.choice(legal))
            board.push(moves[-1])
        games.append(moves)
    return games


def push_one(moves: list[chess.Move]) -> float:
    board = chess.Board()
    start = time.perf_counter()
    for move in moves:
        assert board.is_legal(move)
        board.push(move)
    return time.perf_counter() - start


def growth(actions: int) -> list[tuple[int, int]]:
    """Kilobytes in use while whole rounds, plays and all, are told to one record without end."""
    record = WrittenRounds()
    rounds = bot_rounds()
    marks: list[tuple[int, int]] = []
    told = number = 0
    while told < actions:
        played = rounds[number % len(rounds)]
        for entry in (played.header, *played.deals, *played.actions, played.count):
            deque(record.feed(told, entry), maxlen=0)
            told += 1
        number += 1
        if told // (actions // 5) > len(marks):
            gc.collect()
            marks.append((told, _resident()))
    return marks


def _resident() -> int:
    status = Path("/proc/self/status")
    if not status.exists():  # no Linux: the peak is all there is
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def run() -> None:
    console = Console(highlight=False)
    rounds, games = bot_rounds(), chess_games()
    engine, whole, chess_moves = [], [], []
    for _ in range(REPEATS):  # round and game in turn, so that all three see the same machine
        for record, moves in zip(rounds, games, strict=True):
            engine.append(judge_one(record) / len(record.actions))
            whole.append(referee_one(record) / len(record.actions))
            chess_moves.append(push_one(moves) / len(moves))
    ours, theirs = 1 / statistics.median(engine), 1 / statistics.median(chess_moves)
    checked = 1 / statistics.median(whole)
    console.print(f"judging ({ROUNDS} rounds and games in turn, {REPEATS} times, medians)")
    console.print(f"  python-chess, is_legal and push   {theirs:>9,.0f} moves/s    1.00x")
    console.print(f"  finito, judge and apply           {ours:>9,.0f} actions/s  {ours / theirs:.2f}x")
    console.print(f"  finito, with checks and log       {checked:>9,.0f} actions/s  {checked / theirs:.2f}x")
    console.print(f"memory over {FLAT_ACTIONS:,} actions")
    for number, size in growth(FLAT_ACTIONS):
        console.print(f"  after {number:>9,}   {size / 1024:>8.1f} MiB in use")


if __name__ == "__main__":
    run()
