from __future__ import annotations

import pytest
from hypothesis import settings

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook

# No test asserts a time, so a slow machine must not fail one.
settings.register_profile("skirmish", deadline=None)
settings.load_profile("skirmish")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return library.catalog()


@pytest.fixture(scope="session")
def book() -> RulingBook:
    return library.rulings()
