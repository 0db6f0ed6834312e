"""A batch of beaches, played to its end by NumPy or by compiled code.

Scripts become machine code where numba is installed. Compiling takes seconds, a script's games
microseconds: it is done once in each process, and stored in a file's folder if one is named.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence
from numpy.typing import NDArray

from skirmish.games.beach_head.simulate.arrays import BEGINNING, Chance, Numbers, Start, is_midst
from skirmish.games.beach_head.simulate.policy import Policy
from skirmish.games.beach_head.simulate.programme import Programme
from skirmish.games.beach_head.simulate.script import script
from skirmish.games.beach_head.simulate.vectors import MOST_TURNS, Endless, play

Engine = Literal["numpy", "numba"]


def played(
    programme: Programme,
    matrix: Numbers,
    policy: Policy,
    seed: SeedSequence,
    *,
    engine: Engine = "numpy",
    start: Start = BEGINNING,
    before: Numbers | None = None,
    stages: int | None = None,
    text: str | None = None,
    file: str | None = None,
) -> Numbers:
    """The matrix after its games, or after so many ``stages``; the given one stays as it is.

    ``text`` and ``file`` are the script and where it was written, where that has been done before.
    Raises Endless for a policy that never ends a game, ValueError for one that cannot be compiled.
    """
    if engine == "numpy":
        chance = Chance(Generator(PCG64DXSM(seed)))
        return play(programme, matrix, chance, policy, start, before=before, stages=stages)
    text = text or script(programme, policy)
    if text is None:
        raise ValueError(f"The policy {policy.name} cannot be compiled; play it with numpy.")
    words = seed.generate_state(5, np.uint64).astype(np.uint64)
    matrix = matrix.copy()
    if is_midst(start):  # the few steps that are left of a phase are not compiled
        chance = Chance(Generator(PCG64DXSM(int(words[0]))))
        played_on = 2 if start.again else 1
        matrix = play(programme, matrix, chance, policy, start, before=before, stages=played_on)
        going = matrix[-1] == 0
        stages = None if stages is None else stages - played_on
        start = after(programme, start)
        if stages == 0 or not going.any():
            return matrix
        rest = np.ascontiguousarray(matrix[:, going])
        _run(compiled(text, file), words[1:], rest, start, stages)
        matrix[:, going] = rest
        return matrix
    _run(compiled(text, file), words[1:], matrix, start, stages)
    return matrix


def after(programme: Programme, start: Start) -> Start:
    if start.stage + 1 == len(programme.stages):
        return Start(start.turn + 1, 0)
    return Start(start.turn, start.stage + 1)


def _run(
    play_all: Callable[..., int],
    words: NDArray[np.uint64],
    matrix: Numbers,
    start: Start,
    stages: int | None,
) -> None:
    limit = -1 if stages is None else stages
    if play_all(words, matrix, start.turn, start.stage, limit, MOST_TURNS):
        raise Endless


# ------------------------------------------------------------------ machine code


def is_here() -> bool:
    return find_spec("numba") is not None


@cache
def compiled(text: str, file: str | None = None) -> Callable[..., int]:
    """``play_all`` of a script. ``file`` is where the same text has been written to; numba keeps
    the machine code beside it."""
    numba: Any = import_module("numba")  # an extra, and slow to load

    def compile_one(work: Callable[..., Any]) -> Any:
        settings = {"nogil": True, "error_model": "numpy"}
        if file is not None:
            try:
                return numba.njit(cache=True, **settings)(work)
            except RuntimeError:  # nothing can be kept there
                pass
        return numba.njit(**settings)(work)

    module = ModuleType(name_of(text))
    module.__dict__["compiled"] = compile_one
    sys.modules[module.__name__] = module  # numba asks for it by name when it loads what it kept
    exec(compile(text, file or "<script>", "exec"), module.__dict__)
    found: Callable[..., int] = module.__dict__["play_all"]
    return found


def name_of(text: str) -> str:
    return f"beach_head_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
