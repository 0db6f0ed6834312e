"""A kept game of Beach Head on its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.app.beach.kept import KeptBeach
from skirmish.app.beach.screen import BeachScreen

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp


async def opened(app: SkirmishApp, number: int) -> BeachScreen:
    """The screen of game ``number``; raises StoreError, RecordError."""
    return BeachScreen(await KeptBeach.resumed(app.stored, number))
