"""Cases that tell the same again, such as the next seed of a game played by chance: a few of them
are tested always, all of them by ``make test-deep``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def deep_after(usual: int, cases: Iterable[Any]) -> list[Any]:
    """The cases for ``parametrize``; those after the first ``usual`` are deep."""
    marked = []
    for number, case in enumerate(cases):
        if number < usual:
            marked.append(case)
        else:
            marked.append(pytest.param(case, marks=pytest.mark.deep))
    return marked
