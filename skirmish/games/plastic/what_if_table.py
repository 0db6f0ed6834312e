"""The table below a drafted shot: what each change of it would do to its chance."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.what_if import WhatIf, what_ifs
from skirmish.games.plastic.odds.pack import Pack, one_shot
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES, circumstance_words
from skirmish.games.plastic.shot_words import shooter_words, whole_percent
from skirmish.tabletop.page import Table, table

AGAINST_IN_SHORT = {
    "no_target": "may not fire at it",
    "already_fired": "has fired",
    "disarmed": "broken down",
    "touch_only": "only in contact",
}
"""The reason against a shot by the code of its refusal, in a few words, for a narrow column."""
FORBIDDEN = "no"
"""In place of the chance of a shot that the rules forbid."""
AS_OFTEN = "="
"""In place of a difference of 0 points."""


def what_if_table(state: State, order: Fire | Again, knowledge: Knowledge) -> Table | None:
    """The shot as it stands, then each change. None if no change makes a difference, and for a
    mixed volley."""
    changes = what_ifs(state, order)
    if not changes:
        return None
    as_it_stands = changes[0]
    shot = as_it_stands.shot
    # The shots of a mixed volley differ, so no number holds for all of them.
    if shot is None or shot.more:
        return None
    pack = pack_of(state, shot.side, knowledge).pack
    present_chance = None
    if not as_it_stands.against:
        present_chance = one_shot(shot.aim, pack).hit
    rows = [_change_row(state, change, pack, present_chance) for change in changes]
    titles = ("", "What if", "needs", "chance", "", "man aimed at")
    # The chance, the difference and the chance of the man aimed at.
    return table(titles, rows, numbers=(3, 4, 5))


class ChangeRow(NamedTuple):
    """The cells of a change in the table, each empty where there is nothing to say. A screen that
    has only the table rebuilds it from the cells of a row."""

    key: str
    """The key that makes the change; empty for the shot as it stands."""
    words: str
    needs: str = ""
    """The ranks that hit."""
    chance: str = FORBIDDEN
    """``67%``, or ``FORBIDDEN``."""
    difference: str = ""
    """How many points better or worse than the shot as it stands: ``+8``, or ``AS_OFTEN``."""
    last_cell: str = ""
    """The chance that the man aimed at dies. Of a forbidden shot, the reason against it takes this
    cell, since nobody can be hit."""

    @property
    def is_forbidden(self) -> bool:
        """Whether the rules forbid the shot with this change."""
        return self.chance == FORBIDDEN

    @property
    def why_forbidden(self) -> str:
        """The reason against a forbidden shot; empty if the rules allow it."""
        if self.is_forbidden:
            return self.last_cell
        return ""

    @property
    def man_aimed_at(self) -> str:
        """The chance that the man aimed at dies; empty if the rules forbid the shot."""
        if self.is_forbidden:
            return ""
        return self.last_cell

    @property
    def only_aims_elsewhere(self) -> bool:
        """Whether the same unit fires the same weapon and hits as often, so that the change can
        only matter to the man aimed at."""
        return self.key not in KEYS_OF_OTHER_SHOTS and self.difference == AS_OFTEN


def _change_row(
    state: State, change: WhatIf, pack: Pack, present_chance: Fraction | None
) -> ChangeRow:
    """The row of a change. ``present_chance``: that of the shot as it stands, None if it is
    forbidden."""
    key = ""
    if change.kind != "now":
        key = what_if_key(change.kind)
    words = _change_words(state, change)
    if change.against is not None:
        why_not = AGAINST_IN_SHORT.get(change.against.code, change.against.message)
        return ChangeRow(key, words, last_cell=why_not)
    # A shot that is impossible has a reason against it.
    assert change.shot is not None
    odds = one_shot(change.shot.aim, pack)
    difference = ""
    if key and present_chance is not None:
        difference = _difference(odds.hit, present_chance)
    man_aimed_at = ""
    if change.shot.aim.at_guy:
        man_aimed_at = f"{whole_percent(odds.exact)}%"
    return ChangeRow(
        key,
        words,
        needs=ranks_that_hit(change.shot.aim.needs),
        chance=f"{whole_percent(odds.hit)}%",
        difference=difference,
        last_cell=man_aimed_at,
    )


def _difference(chance: Fraction, present_chance: Fraction) -> str:
    """``+8``, or ``AS_OFTEN``: the points between the two chances as they are shown, rounded."""
    points = whole_percent(chance) - whole_percent(present_chance)
    if not points:
        return AS_OFTEN
    return f"{points:+}"


def what_if_key(kind: str) -> str:
    """The key that makes a change."""
    if kind == "weapon":
        return "w"
    if kind == "shooter":
        return "o"
    return CIRCUMSTANCES[kind].key


KEYS_OF_OTHER_SHOTS = (what_if_key("weapon"), what_if_key("shooter"))
"""The keys of changes that fire another weapon or another unit: another shot, with its own
chance."""


def _change_words(state: State, change: WhatIf) -> str:
    """``in cover``, ``Machinegun``, ``3 Rifle``: the circumstance, the weapon or the shooter that a
    change brings."""
    order, shot = change.order, change.shot
    if change.kind == "now":
        return "as it stands"
    if change.kind == "weapon" and isinstance(order, Fire) and order.weapon is not None:
        return state.setup.catalog.weapons[order.weapon].name
    if change.kind == "shooter" and shot is not None:
        if isinstance(order, Volley):
            return f"{order.count} {shooter_words(state, shot)}"
        return shooter_words(state, shot)
    return circumstance_words(order, change.kind)
