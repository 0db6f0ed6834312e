"""The state of a game of Bloody Omaha, and its events."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from skirmish.games.bloody_omaha.ruleset import BloodyRules
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.events import AnyTableEvent, TableEvent, TableState, Track

INITIATIVE, ENGINEERS = "initiative", "engineers"
RATING = " rating"
"""Behind the name of a track: what it returns to each turn."""


class BloodySetup(msgspec.Struct, frozen=True, kw_only=True):
    """``own``: the owner rolls, draws and turns up his own."""

    rules: BloodyRules
    own: bool = False
    revision: str = ""


class BloodyState(TableState, frozen=True, kw_only=True):
    setup: BloodySetup

    @property
    def rules(self) -> BloodyRules:
        return self.setup.rules


class BloodyOpened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    setup: BloodySetup
    dice: Source

    def apply(self, state: BloodyState | None) -> BloodyState:
        tracks = {}
        for id, name in ((INITIATIVE, "Initiative"), (ENGINEERS, "Engineers")):
            tracks[id] = Track(id=id, name=name, value=1)
            tracks[id + RATING] = Track(id=id + RATING, name=f"{name} rating", value=1, low=1)
        sequence = self.setup.rules.sequence
        return BloodyState(setup=self.setup, dice=self.dice, tracks=tracks, sequence=sequence)

    def narrate(self, state: BloodyState) -> str:
        return f"The game begins ({self.setup.rules.label})."


AnyEvent: TypeAlias = BloodyOpened | AnyTableEvent
