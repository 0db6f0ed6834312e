"""The firing table as it is printed on several sheets: what each weapon needs against what."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.firing_table import NONE as DASH
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import SheetColumn, printed_table
from skirmish.tabletop.measure import NO_BREAK, inches

_NAME = Style(styles.STRONG.face, 8.4, 10)
_CELL = Style(BODY, 8.2, 9.8)
_RANKS = Style(styles.TERM.face, 10.4, 10.6, "centre")
"""The type of the ranks that kill."""
_RANGE = Style(styles.TERM.face, 9.2, 10.6, "right")


def firing_table(
    firing: Firing, units: Sequence[UnitType], width: float, air: float = 1.2
) -> Flowable:
    """A row for each weapon of the units; ``air``: points above and below it."""
    rows = []
    for weapon_row in firing.table(units):
        entry = weapon_row.entry
        # The first of several distances has a column, the others are remarks.
        remarks = [remark for remark in (entry.further_reach, weapon_row.also) if remark]
        remarks_in_words = DASH
        if remarks:
            remarks_in_words = "; ".join(remarks)
        fired_by = [_with_shots(firing, unit, entry.weapon) for unit in weapon_row.fired_by]
        weapon_and_range = entry.weapon, entry.first_reach
        ranks = entry.guys, entry.armored, entry.unarmored
        rows.append((*weapon_and_range, *ranks, remarks_in_words, ", ".join(fired_by)))
    columns = (
        SheetColumn("Weapon", 23, _NAME),
        SheetColumn("Range", 13, _RANGE),
        SheetColumn("Guys", 15, _RANKS),
        SheetColumn("Armored", 15, _RANKS),
        SheetColumn("Unarmored", 15, _RANKS),
        SheetColumn("Also", 61.2, _CELL),
        SheetColumn("Fired by", 0, _CELL),
    )
    return printed_table(width, columns, rows, air=air)


def _with_shots(firing: Firing, unit: UnitType, weapon: str) -> str:
    """The name of a unit, and how many shots it has if it carries the weapon several times: an AA
    tank fires "as Machinegun Guy (twice)" [52]."""
    weapons = firing.catalog.weapons_of(unit, firing.rulings)
    weapon_names = [weapon_of_unit.name for weapon_of_unit in weapons]
    shots = weapon_names.count(weapon)
    if shots > 1:
        return f"{unit.short} ({shots}{NO_BREAK}shots)"
    return unit.short


def firing_legend(catalog: Catalog) -> str:
    """The words below the table, which explain its signs."""
    return (
        "A-5: ace to 5 kills. * only in contact, in phases 3 and 4. + may fire again after a kill, "
        f"at a new guy within {inches(catalog.fire.repeat_within)} of the first (of the last: MG)."
    )
