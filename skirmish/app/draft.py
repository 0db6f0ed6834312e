"""The shot as it is being put together, key by key: who fires, at whom, under what circumstances.

A draft knows no rule. Which toggles matter and what may be fired it asks the game.
"""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.firing import offered, prepared, same_again
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders import Again, Fire
from skirmish.games.plastic.battle.rows import Row, find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refused

TOGGLE_KEYS = {
    "c": "cover",
    "h": "hull_down",
    "b": "rear",
    "n": "close",
    "l": "grouped",
    "a": "apart",
}
"""The key of each toggle once shooter and target are chosen. ``w`` changes the weapon."""

TOGGLE_WORDS = {
    "cover": ("in the open", "IN COVER"),
    "hull_down": ("in full view", "HULL DOWN"),
    "rear": ("from the front", "FROM BEHIND"),
    "close": ("over 3 in", "WITHIN 3 IN"),
    "grouped": ("in a group", "ALONE"),
    "apart": ("in contact", "NOT TOUCHING"),
}
"""Each toggle as it usually is and, in capitals, as it is when changed."""

USUAL = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in TOGGLE_WORDS}
"""How each toggle stands when nobody says otherwise."""


class DraftError(ValueError):
    """A key that does not fit now; the sentence says what would."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What has been chosen so far; ``changed`` are the toggles that are not as usual.

    ``again`` is a repeat shot: its shooter is known, and its target too until another is
    ``named``; only then do letters change the circumstances.
    """

    shooter: str | None = None
    target: str | None = None
    weapon: str | None = None
    changed: frozenset[str] = frozenset()
    again: bool = False
    named: bool = False

    @classmethod
    def to_begin(cls, state: State) -> Draft:
        """An empty draft, or the repeat shot that is open."""
        order = same_again(state)
        if order is None:
            return cls()
        toggles = (name for name in TOGGLE_WORDS if hasattr(order, name))
        changed = frozenset(name for name in toggles if getattr(order, name) != USUAL[name])
        return cls(target=order.target, changed=changed, again=True)

    @property
    def order(self) -> Fire | Again | None:
        """The order as drafted, or None while something is missing."""
        order: Fire | Again
        if self.again:
            order = Again(target=self.target)
        elif self.shooter is None or self.target is None:
            return None
        else:
            order = Fire(shooter=self.shooter, target=self.target, weapon=self.weapon)
        return msgspec.structs.replace(order, **{name: not USUAL[name] for name in self.changed})

    def choosing(self, state: State) -> str | None:
        """The side whose row the next letter names, or None if letters are toggles now."""
        if self.again:
            return None if self.named else state.setup.enemy_of(firer(state)).id
        if self.shooter is None:
            return state.firing_side
        if self.target is None:
            return state.setup.enemy_of(row_side(self.shooter)).id
        return None

    def pressed(self, letter: str, state: State) -> Draft:
        """The draft after a letter; raises DraftError."""
        side = self.choosing(state)
        if side is not None:
            for row in rows(state, side):
                if row.letter == letter:
                    return self.picked(row, state)
            raise DraftError(f"No row of {_people(state, side)} has the letter {letter}.")
        return self._toggled(letter, state)

    def picked(self, row: Row, state: State) -> Draft:
        """The draft after a row was named by letter or by mouse; raises DraftError."""
        if not row.alive:
            raise DraftError(f"No {row.unit.name} is left.")
        if self.again:
            if row.side == firer(state):
                raise DraftError("A repeat shot is open: choose a target, or Esc.")
            named = msgspec.structs.replace(self, target=row.key, named=True)
            try:
                prepared(state, named.order or Again())
            except Refused as refused:
                raise DraftError(refused.refusal.says) from None
            return named
        if self.shooter is None or row.side == row_side(self.shooter):
            return Draft(shooter=row.key)
        return msgspec.structs.replace(self, target=row.key)

    def back(self) -> Draft:
        """One step back: first the target, then the shooter."""
        if self.named:
            return msgspec.structs.replace(self, named=False)
        return Draft(shooter=self.shooter) if self.target and self.shooter else Draft()

    def toggles(self, state: State) -> list[tuple[str, str, bool]]:
        """The toggles worth showing: key, words, whether it departs from the usual case."""
        if self.order is None:
            return []
        matter = set(offered(state, self.order))
        return [
            (key, TOGGLE_WORDS[name][name in self.changed], name in self.changed)
            for key, name in TOGGLE_KEYS.items()
            if name in matter
        ]

    def weapons(self, state: State) -> list[str]:
        """The different weapons that the shooter has, if there is a choice."""
        row = find(state, self.shooter) if self.shooter else None
        names = list(dict.fromkeys(weapon.id for weapon in row.weapons)) if row else []
        return names if len(names) > 1 else []

    def _toggled(self, letter: str, state: State) -> Draft:
        weapons = self.weapons(state)
        if letter == "w" and weapons:
            now = weapons.index(self.weapon) if self.weapon in weapons else -1
            return msgspec.structs.replace(self, weapon=weapons[(now + 1) % len(weapons)])
        name = TOGGLE_KEYS.get(letter)
        usable = [key for key, _, _ in self.toggles(state)] + (["w"] if weapons else [])
        if name is None or letter not in usable:
            keys = ", ".join(usable)
            ends = f" {keys} would." if keys else ""
            raise DraftError(f"{letter} changes nothing here.{ends} Space draws, Esc steps back.")
        return msgspec.structs.replace(self, changed=self.changed ^ {name})


def firer(state: State) -> str:
    """The side that has an open repeat shot, else the side that may fire now."""
    shot = getattr(state.ask, "shot", None)
    return piece_side(shot.piece) if shot else state.firing_side


def _people(state: State, side: str) -> str:
    return state.setup.side_by_id[side].people
