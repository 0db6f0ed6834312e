"""The shot as it is being put together, key by key: how many fire, who, at whom, what is seen.

A draft knows no rule. Which toggles matter and what may be fired it asks the game.
"""

from __future__ import annotations

import msgspec

from skirmish.app.battle.mode import DraftError, Mode, Said, Step, row_with, typed_on
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.odds import next_weapon, row_of
from skirmish.games.plastic.battle.orders import Again, Fire, Hold, Volley
from skirmish.games.plastic.battle.orders.firing import offered, prepared, same_again
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.tabletop.refusal import Refused

TOGGLE_KEYS = {
    "c": "cover",
    "h": "hull_down",
    "b": "rear",
    "n": "close",
    "l": "grouped",
    "a": "apart",
}
"""The key of each toggle once shooter and target are chosen. ``w`` changes the weapon, ``o`` who
fires."""

TOGGLE_WORDS = {
    "cover": ("in the open", "IN COVER"),
    "hull_down": ("in full view", "HULL DOWN"),
    "rear": ("from the front", "FROM BEHIND"),
    "close": ("over 3\u00a0in", "WITHIN 3\u00a0in"),
    "grouped": ("in a group", "ALONE"),
    "apart": ("in contact", "NOT TOUCHING"),
}
"""Each toggle as it usually is and, in capitals, as it is when changed."""

USUAL = {name: bool(getattr(Fire(shooter="", target=""), name)) for name in TOGGLE_WORDS}
"""How each toggle stands when nobody says otherwise."""


class Draft(Mode, frozen=True, kw_only=True):
    """What has been chosen so far; ``changed`` are the toggles that are not as usual.

    ``count`` and ``reach`` are digits typed before the shooter and after the target: a volley.
    ``again`` is a repeat shot: its shooter is known, and its target too until another is
    ``named``; only then do letters change the circumstances.
    """

    count: str = ""
    shooter: str | None = None
    target: str | None = None
    reach: str = ""
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
        elif self.count or self.reach:
            order = Volley(
                shooter=self.shooter,
                target=self.target,
                weapon=self.weapon,
                count=int(self.count or 1),
                reach=int(self.reach) if self.reach else None,
            )
        else:
            order = Fire(shooter=self.shooter, target=self.target, weapon=self.weapon)
        return msgspec.structs.replace(order, **{name: not USUAL[name] for name in self.changed})

    @property
    def begun(self) -> bool:
        """Whether anything was chosen."""
        return self.named or bool(self.count or self.shooter)

    def naming(self, state: State) -> str | None:
        """The side whose row the next letter names, or None if letters are toggles now."""
        if self.again:
            return None if self.named else state.setup.enemy_of(firer(state)).id
        if self.shooter is None:
            return state.firing_side
        if self.target is None:
            return state.setup.enemy_of(row_side(self.shooter)).id
        return None

    def picks_rows(self, state: State) -> bool:
        """Always: another shooter or target can be chosen until the draw."""
        return True

    def marked(self) -> frozenset[str]:
        """Shooter and target."""
        return frozenset(key for key in (self.shooter, self.target) if key)

    # ------------------------------------------------------------------ keys

    def press(self, key: str, play: BattlePlay) -> Step:
        """Letters and digits put the shot together, Space fires it."""
        state = play.state
        if key == "space" or (key == "enter" and self.order is not None):
            order = self.order
            if order is None and self.shooter:
                raise DraftError("Choose the target first.")
            if order is None:
                raise DraftError("Choose who fires, then the target.")
            return order
        if key in ("escape", "backspace"):
            if isinstance(state.ask, RepeatAsk) and not self.begun:
                return Hold()
            return self.back(state)
        if key in ("up", "down") and self.order is not None:
            from skirmish.app.battle.prompt_what_if import Wondering

            return Wondering.opened(self, state, key)
        if key == "enter":
            raise DraftError("Choose who fires, then the target; Space or Enter fires.")
        if key.isdigit():
            return self._digit(key)
        if len(key) == 1:
            return self.pressed(key, state)
        return super().press(key, play)

    def picked(self, row: Row, play: BattlePlay) -> Step:
        """A row was named by the mouse."""
        return self.with_row(row, play.state)

    def pressed(self, letter: str, state: State) -> Draft:
        """The draft after a letter; raises DraftError."""
        side = self.naming(state)
        if side is not None:
            return self.with_row(row_with(letter, state, side), state)
        return self._toggled(letter, state)

    def with_row(self, row: Row, state: State) -> Draft:
        """The draft after a row was named by letter or by mouse; raises DraftError."""
        if not row.alive and not row.ready_count:
            raise DraftError(f"No {row.unit.name} is left.")
        if self.again:
            if row.side == firer(state):
                raise DraftError("Choose a target for the repeat shot, or press Esc to stop.")
            named = msgspec.structs.replace(self, target=row.key, named=True)
            try:
                prepared(state, named.order or Again())
            except Refused as refused:
                raise DraftError(refused.refusal.says) from None
            return named
        if self.shooter is None or row.side == row_side(self.shooter):
            if state.levels[row.side] == "ledger":
                raise DraftError(
                    f"{state.setup.the(row.side, 'The')} record losses only and draw at the table. "
                    "- takes men off, + puts them back, I changes this."
                )
            if not row.weapons:
                raise DraftError(f"{a_unit(row.unit.name, 'A')} has no weapon.")
            return Draft(shooter=row.key, count=self.count)
        return msgspec.structs.replace(self, target=row.key)

    def back(self, state: State) -> Draft:
        """One step back: the digits in reach, the target, the shooter, how many."""
        if self.again:
            return Draft.to_begin(state)
        if self.reach:
            return msgspec.structs.replace(self, reach=self.reach[:-1])
        if self.target and self.shooter:
            return Draft(shooter=self.shooter, count=self.count)
        if self.shooter:
            return Draft(count=self.count)
        return Draft(count=self.count[:-1])

    def _digit(self, digit: str) -> Draft:
        if self.again and not self.named:
            return Draft(count=typed_on("", digit))  # any other order lets the repeat shot go
        if self.again:
            raise DraftError("Only one man fires a repeat shot: Space fires, Esc steps back.")
        if self.shooter is None:
            return msgspec.structs.replace(self, count=typed_on(self.count, digit))
        if self.target is None:
            raise DraftError("Choose the target first, then how many are in reach.")
        return msgspec.structs.replace(self, reach=typed_on(self.reach, digit))

    # ------------------------------------------------------------------ what can change it

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

    def turns_to(self, weapon: str, state: State) -> int:
        """How often ``w`` is pressed until this weapon is the one chosen."""
        names, draft, turns = self.weapons(state), self._other_weapon(state), 1
        while draft.weapon != weapon and turns < len(names):
            draft, turns = draft._other_weapon(state), turns + 1
        return turns

    def adopting(self, order: Fire | Again) -> Draft:
        """The draft of this order, which is itself with one thing changed."""
        toggles = (name for name in TOGGLE_WORDS if hasattr(order, name))
        changed = frozenset(name for name in toggles if getattr(order, name) != USUAL[name])
        if isinstance(order, Again):
            return msgspec.structs.replace(self, changed=changed, named=True)
        count = str(order.count) if isinstance(order, Volley) and self.count else self.count
        return msgspec.structs.replace(
            self, shooter=order.shooter, weapon=order.weapon, count=count, changed=changed
        )

    def lines(self, play: BattlePlay) -> list[Said]:
        """See ``shot_words``."""
        from skirmish.app.battle.shot_words import drafted

        return list(drafted(play.state, self))

    def _toggled(self, letter: str, state: State) -> Draft:
        weapons = self.weapons(state)
        if letter == "w" and weapons:
            return self._other_weapon(state)
        if letter == "o" and self.order is not None:
            other = row_of(state, self.order, "shooter")
            if other is not None:
                return self.adopting(other.order)
        name = TOGGLE_KEYS.get(letter)
        usable = [key for key, _, _ in self.toggles(state)] + (["w"] if weapons else [])
        if name is None or letter not in usable:
            keys = ", ".join(usable)
            ends = f"; {keys} would" if keys else ""
            raise DraftError(f"{letter} changes nothing here{ends}. Space draws, Esc steps back.")
        return msgspec.structs.replace(self, changed=self.changed ^ {name})

    def _other_weapon(self, state: State) -> Draft:
        """With the shooter's weapon after the one in hand, be that chosen or simply the best."""
        order = self.order
        weapon = next_weapon(state, order) if isinstance(order, Fire) else None
        return msgspec.structs.replace(self, weapon=weapon or self.weapon)


def firer(state: State) -> str:
    """The side that has an open repeat shot, else the side that may fire now."""
    shot = getattr(state.ask, "shot", None)
    return piece_side(shot.piece) if shot else state.firing_side
