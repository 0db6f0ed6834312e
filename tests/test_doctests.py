"""The examples in docstrings come to what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import skirmish

PACKAGE = Path(skirmish.__file__).parent


def modules_with_examples() -> list[str]:
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in path.read_text("utf-8"):
            names.append(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    return names


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_hold(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert not results.failed
