"""How fast the referee judges, next to python-chess pushing moves whose legality it checks, in one run."""

from __future__ import annotations

import gc
import statistics
import time
import tracemalloc
from random import Random

import chess
from rich.console import Console

from finito.bots import BotRound, play_round
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
    """Bytes in use while one judge is fed without end: recycling and turning, the round that never ends."""
    record = play_round(1, 4)
    referee = opened(record)
    story = [action for action in record.actions if type(action).__name__ in ("Turn", "Recycle", "Start")]
    judge: Judge[RoundState, Action] = Judge(referee.rules, referee.opening_state())
    tracemalloc.start()
    marks = []
    for number in range(actions):
        action = story[number % len(story)]
        judge.state = judge.rules.step(judge.state, action)[1]
        if number % (actions // 5) == actions // 10:
            gc.collect()
            marks.append((number, tracemalloc.get_traced_memory()[0]))
    tracemalloc.stop()
    return marks


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
        console.print(f"  after {number:>9,}   {size / 1024:>8.1f} KiB")


if __name__ == "__main__":
    run()
