"""Scripts become machine code where numba is installed. Compiling takes seconds, a script's games
microseconds: it is done once in each process, and kept in a file's folder if one is named."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def is_here() -> bool:
    """Whether numba is installed."""
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
    """What a script is called: another text, another name."""
    return f"beach_head_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
