"""Many sessions at once: over the cores of this machine, or over a Dask cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from finito.errors import BadInput
from finito.replaying.replay import Replayed, replay
from finito.replaying.wish import Wish

PATIENCE: Final = "20s"  # for the scheduler to answer


def replay_all(
    wishes: Sequence[Wish], processes: int = 1, scheduler: str | None = None
) -> Iterator[Replayed]:
    """Every session's answer, in the order of the wishes, as soon as it and those before it are there."""
    if scheduler is not None:
        yield from _over_dask(wishes, scheduler)
    elif processes <= 1 or len(wishes) <= 1:
        yield from map(replay, wishes)
    else:
        yield from _over_processes(wishes, min(processes, len(wishes)))


def _over_processes(wishes: Sequence[Wish], processes: int) -> Iterator[Replayed]:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_leave_ctrl_c_to_the_parent)
    try:
        yield from pool.map(replay, wishes, chunksize=max(1, len(wishes) // (processes * 8)))
    except BrokenProcessPool:
        raise BadInput("a replaying process died; try fewer with --processes, or look at memory") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _over_dask(wishes: Sequence[Wish], scheduler: str) -> Iterator[Replayed]:
    """The workers read the sessions themselves: their folders must be found there under the same paths."""
    try:
        import distributed  # an optional package, and two seconds of imports
    except ImportError:
        raise BadInput(
            "--scheduler needs the package distributed; install it with: pip install 'finito[cluster]'"
        ) from None
    client = _connected(distributed, scheduler)
    try:
        if not client.scheduler_info()["workers"]:
            raise BadInput(
                f"the scheduler at {scheduler} has no workers; start some with dask worker {scheduler}"
            )
        futures = client.map(replay, wishes, pure=False)
        yield from (_answer(wish, future) for wish, future in zip(wishes, futures, strict=True))
    finally:
        client.close()


def _connected(distributed: Any, scheduler: str) -> Any:
    try:
        return distributed.Client(scheduler, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise BadInput(
            f"there is no Dask scheduler at {scheduler} ({reason}); start one with dask scheduler"
        ) from None


def _answer(wish: Wish, future: Any) -> Replayed:
    try:
        answer: Replayed = future.result()
    except Exception as error:  # whatever broke on another machine concerns this session only
        reason = " ".join(str(error).split()) or type(error).__name__
        return Replayed(wish.path, "", problem=f"{wish.path}: the cluster could not replay it ({reason})")
    return answer
