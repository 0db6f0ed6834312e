"""Games by the million: cut into chunks, each with chance of its own, counted as they come in.

A chunk's dice depend on the seed and on its number only, so that it does not matter who plays it,
where, or in what order: any number of workers comes to the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, NamedTuple, Protocol

from numpy.random import SeedSequence

from skirmish.games.beach_head.ruleset import Setup
from skirmish.games.beach_head.simulate.arrays import fresh
from skirmish.games.beach_head.simulate.engines import Engine, played
from skirmish.games.beach_head.simulate.lowering import lowered
from skirmish.games.beach_head.simulate.policy import Policy
from skirmish.games.beach_head.simulate.programme import Programme, rows
from skirmish.games.beach_head.simulate.script import script
from skirmish.games.beach_head.simulate.tally import Tally, tallied

CHUNK = 20_000
"""Games. Another number would be other games."""
WAITING = 8
"""Chunks that are handed out beyond those that are being played."""


class Executor(Protocol):
    """Whoever plays chunks: a pool of processes or threads, Dask's, any that hands out futures."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Do it some time."""


class Job(NamedTuple):
    """What is played, by which engine. It travels to workers."""

    programme: Programme
    policy: Policy
    seed: int
    engine: Engine = "numpy"
    text: str | None = None
    file: str | None = None
    """Where ``text`` was written, so that what is compiled can be kept."""


def job(setup: Setup, policy: Policy, seed: int, engine: Engine = "numpy") -> Job:
    """The games of a set-up without its cards and its dice. Raises ValueError (a sentence) for a
    policy that the engine cannot follow."""
    programme = lowered(setup)
    text = None
    if engine == "numba":
        text = script(programme, policy)
        if text is None:
            raise ValueError(f"The policy {policy.name} cannot be compiled; play it with numpy.")
    return Job(programme, policy, seed, engine, text)


def play_chunk(work: Job, number: int, games: int) -> Tally:
    """Chunk ``number`` (from 0), of which only the first ``games`` are wanted."""
    matrix = played(
        work.programme,
        fresh(work.programme, games),
        work.policy,
        SeedSequence(work.seed, spawn_key=(number,)),
        engine=work.engine,
        text=work.text,
        file=work.file,
    )
    return tallied(matrix, rows(work.programme))


def ready(work: Job) -> None:
    """Compile, if that is to be done, before the first chunk is handed out."""
    play_chunk(work, 0, 0)


def simulate(
    work: Job, games: int, executor: Executor | None = None, *, workers: int = 1
) -> Iterator[Tally]:
    """The tallies of all chunks, as they are finished; their sum is the result. Whoever stops
    taking them has the games that were played so far. ``workers``: how many the executor has."""
    chunks = _chunks(games)
    if executor is None:
        for number, count in chunks:
            yield play_chunk(work, number, count)
        return
    waiting: set[Future[Tally]] = set()
    try:
        for number, count in chunks:
            waiting.add(executor.submit(play_chunk, work, number, count))
            if len(waiting) >= workers + WAITING:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for one in done:
                yield one.result()
    finally:
        for one in waiting:
            one.cancel()


def _chunks(games: int) -> Iterator[tuple[int, int]]:
    for number in range(-(-games // CHUNK)):
        yield number, min(CHUNK, games - number * CHUNK)


def together(tallies: Iterator[Tally]) -> Tally:
    return sum(tallies, Tally())
