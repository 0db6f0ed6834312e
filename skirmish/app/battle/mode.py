"""What the keys do just now: a small machine for each thing that is being put together.

A mode takes a key and gives what comes next: itself changed, an order, or None where it is left.
Modes are values without a screen: they ask the game and know no rule. What they say is plain text
with a tone, so that it can be tested, and painted by whoever has colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit

Tone = Literal["", "key", "strong", "dim", "alarm", "chosen"]
Said: TypeAlias = "list[tuple[str, Tone]]"
"""One line: pieces of text with their tones."""

MOST = 99
"""The highest number that can be typed before a letter."""


class DraftError(ValueError):
    """A key that does not fit now; the sentence says what would."""


class Void(msgspec.Struct, frozen=True):
    """Make these entries void."""

    numbers: tuple[int, ...]


class BackTo(msgspec.Struct, frozen=True):
    """Take back everything after this entry."""

    number: int


class Mode(msgspec.Struct, frozen=True, kw_only=True):
    """One of them. ``press`` raises DraftError for a key that means nothing here."""

    def press(self, key: str, play: BattlePlay) -> Step:
        """What a key does: ``a`` to ``z``, ``0`` to ``9``, ``space``, ``enter``, ``tab``,
        ``escape``, ``backspace``, ``up``, ``down``."""
        raise DraftError(f"{NAMES.get(key, key)} does nothing here; Esc steps back.")

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """A row was chosen with the mouse."""
        return self.press(row.letter, play)

    def lines(self, play: BattlePlay) -> list[Said]:
        """What it says, in at most three lines."""
        return []

    @property
    def begun(self) -> bool:
        """Whether Backspace takes a step back in here rather than the last order."""
        return True

    def naming(self, state: State) -> str | None:
        """The side whose row a letter names now."""
        return None

    def marked(self) -> frozenset[str]:
        """The rows that are chosen so far."""
        return frozenset()

    def picks_rows(self, state: State) -> bool:
        """Whether arrows may walk over the rows now."""
        return self.naming(state) is not None

    @property
    def pointer(self) -> str | None:
        """The row that the arrows are on."""
        return None

    @property
    def under(self) -> Mode:
        """The mode that arrows walk for; itself, if none do."""
        return self

    def refused(self) -> Mode:
        """Itself after its order was refused: a number typed then begins anew."""
        return self


Step: TypeAlias = "Mode | AnyOrder | Void | BackTo | None"

NAMES = {
    "space": "Space",
    "enter": "Enter",
    "tab": "Tab",
    "escape": "Esc",
    "backspace": "Backspace",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
}
"""Keys as they are called in sentences."""


class Resting(Mode, frozen=True, kw_only=True):
    """Nothing can be put together: the battle is over, or a card is being typed."""

    says: str = ""

    @property
    def begun(self) -> bool:
        """Nothing is."""
        return False

    def press(self, key: str, play: BattlePlay) -> Step:
        """No key does anything; Esc least of all."""
        if key == "escape" or not self.says:
            return self
        raise DraftError(self.says)


class Picked(msgspec.Struct, frozen=True):
    """So many of a row."""

    row: str
    count: int


def typed_on(typed: str, digit: str) -> str:
    """A number with one digit more; raises DraftError beyond 99."""
    longer = (typed + digit).lstrip("0") or "0"
    if int(longer) > MOST:
        raise DraftError(f"{longer} is too many: {MOST} is the most. Esc steps back.")
    return longer


def row_with(letter: str, state: State, side: str, *, tab: bool = False) -> Row:
    """The row of that letter; raises DraftError. ``tab``: Tab takes the other side here."""
    for row in rows(state, side):
        if row.letter == letter:
            return row
    says = f"There is no {state.setup.of(side, f'row {letter}')}"
    other = enemy(state, side)
    if tab and any(row.letter == letter for row in rows(state, other)):
        own = a_unit(state.setup.of(other, "one"))
        raise DraftError(f"{says}, but {own}: press Tab, then {letter}.")
    raise DraftError(f"{says}.")


def people(state: State, side: str) -> str:
    """A side's plural."""
    return state.setup.side_by_id[side].people


def enemy(state: State, side: str) -> str:
    """The other side's id."""
    return state.setup.enemy_of(side).id


def listed(state: State, picks: Sequence[Picked]) -> str:
    """``10 Rifle, 2 Machinegun``: rows with their numbers."""
    parts = []
    for pick in picks:
        row = next((r for r in rows(state, pick.row.partition("/")[0]) if r.key == pick.row), None)
        parts.append(f"{pick.count} {row.unit.short if row else '?'}")
    return ", ".join(parts)
