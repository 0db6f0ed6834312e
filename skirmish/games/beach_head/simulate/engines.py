"""Runs millions of games in chunks with a seed each, in NumPy or machine code, and adds up the
tallies.

A chunk's dice depend only on the seed and its number, so the result is the same for any number of
workers in any order.

Scripts become machine code where numba is installed. Compiling takes seconds, a script's games
microseconds: it is done once per process, and cached on disk if a folder is named.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence

from skirmish.games.beach_head.ruleset import Setup
from skirmish.games.beach_head.simulate.arrays import Chance, Numbers, Start, fresh
from skirmish.games.beach_head.simulate.policy import Policy
from skirmish.games.beach_head.simulate.programme import Programme, lowered, rows
from skirmish.games.beach_head.simulate.script import script
from skirmish.games.beach_head.simulate.statistics import Tally, tallied
from skirmish.games.beach_head.simulate.vectors import MOST_TURNS, Endless, play

Engine = Literal["numpy", "numba"]


def played(
    programme: Programme,
    matrix: Numbers,
    policy: Policy,
    seed: SeedSequence,
    *,
    engine: Engine = "numpy",
    start: Start = Start(),  # noqa: B008  (it cannot change)
    stages: int | None = None,
    text: str | None = None,
    file: str | None = None,
) -> Numbers:
    """The matrix after its games, or after ``stages`` stages; the given one is not changed.

    ``text`` and ``file`` are the script and where it was written, where that has been done before.
    Raises Endless for a policy that never ends a game, ValueError for one that cannot be compiled.
    """
    if engine == "numpy":
        chance = Chance(Generator(PCG64DXSM(seed)))
        return play(programme, matrix, chance, policy, start, stages=stages)
    text = text or script(programme, policy)
    if text is None:
        raise ValueError(f"The policy {policy.name} cannot be compiled; play it with numpy.")
    words = seed.generate_state(5, np.uint64)[1:].astype(np.uint64)
    matrix = matrix.copy()
    limit = -1 if stages is None else stages
    if compiled(text, file)(words, matrix, start.turn, start.stage, limit, MOST_TURNS):
        raise Endless
    return matrix


# ------------------------------------------------------------------ machine code


def is_here() -> bool:
    return find_spec("numba") is not None


@cache
def compiled(text: str, file: str | None = None) -> Callable[..., int]:
    """``play_all`` of a script. ``file`` is the path of the same text; numba caches the machine
    code beside it."""
    numba: Any = import_module("numba")  # an extra, and slow to load

    def compile_one(work: Callable[..., Any]) -> Any:
        settings = {"nogil": True, "error_model": "numpy"}
        if file is not None:
            try:
                return numba.njit(cache=True, **settings)(work)
            except RuntimeError:  # the folder cannot hold a cache
                pass
        return numba.njit(**settings)(work)

    module = ModuleType(name_of(text))
    module.__dict__["compiled"] = compile_one
    sys.modules[module.__name__] = module  # numba imports it by name when it loads its cache
    exec(compile(text, file or "<script>", "exec"), module.__dict__)
    found: Callable[..., int] = module.__dict__["play_all"]
    return found


def name_of(text: str) -> str:
    return f"beach_head_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


# ------------------------------------------------------------------ chunks

CHUNK = 20_000
"""Games per chunk. Another number gives other games."""
WAITING = 8
"""Chunks handed out beyond those being played."""


class Executor(Protocol):
    """An executor of chunks: a pool of processes or threads, Dask's, any that returns futures."""

    def submit(self, work: Callable[..., Any], /, *args: Any) -> Future[Any]:
        """Do it some time."""


class Job(NamedTuple):
    """Setup, policy and engine of a simulation; sent to the workers."""

    programme: Programme
    policy: Policy
    seed: int
    engine: Engine = "numpy"
    text: str | None = None
    file: str | None = None
    """The path of ``text``, so that the compiled code can be cached."""


def job(setup: Setup, policy: Policy, seed: int, engine: Engine = "numpy") -> Job:
    """A job without the cards and the dice of the set-up. Raises ValueError (a sentence) for a
    policy that the engine does not support."""
    programme = lowered(setup)
    text = None
    if engine == "numba":
        text = script(programme, policy)
        if text is None:
            raise ValueError(f"The policy {policy.name} cannot be compiled; play it with numpy.")
    return Job(programme, policy, seed, engine, text)


def play_chunk(work: Job, number: int, games: int) -> Tally:
    """Plays the first ``games`` of chunk ``number`` (from 0)."""
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
    """Compiles, if necessary, before the first chunk is handed out."""
    play_chunk(work, 0, 0)


def simulate(
    work: Job, games: int, executor: Executor | None = None, *, workers: int = 1
) -> Iterator[Tally]:
    """The tallies of the chunks as they finish; their sum is the result so far. ``workers``: the
    number of workers of the executor."""
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
