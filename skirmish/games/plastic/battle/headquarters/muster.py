"""The groups of a side brought up to what the battle counts: losses come off, arrivals are added.

Players seldom say whose men were lost. They come off a group that players have taken off the table,
else off one that was fired at, else off the one nearest to the enemy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.headquarters.placing import GroupPlacer
from skirmish.games.plastic.battle.headquarters.service import with_unserved
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import FAR_OFF, apart
from skirmish.games.plastic.commander.situation import GroupKnown


def pieces_not_hidden(row: Row) -> list[str]:
    """The living pieces of a row of which both sides know: no commander is told of hidden ones."""
    hidden = set(row.hidden)
    return [piece for piece in row.alive if piece not in hidden]


class ContingentUnit(NamedTuple):
    """A unit of a contingent, both by their ids: the battle counts the pieces of each."""

    contingent: str
    unit: str


class Muster:
    """Compares the groups of one side with what the battle counts."""

    def __init__(
        self,
        state: State,
        side: str,
        groups: Sequence[TableGroup],
        enemies: Sequence[TableGroup],
        shot_at: Collection[str] = (),
    ) -> None:
        """``shot_at``: the ids of groups at which the commander had somebody fire."""
        self._state = state
        self._side = side
        self._groups = groups
        self._enemies = enemies
        self._shot_at = shot_at

    def survivors(self) -> tuple[TableGroup, ...]:
        """The groups without those who are lost or gone."""
        changing = self._after_losses()
        survivors = [group for group in changing.groups if group.strength]
        return tuple(with_unserved(self._state, self._side, survivors))

    def mustered(self, placer: GroupPlacer) -> tuple[TableGroup, ...]:
        """All groups as they are now: without those who were lost, and with those who have come,
        for whom the placer finds a cell."""
        changing = self._after_losses()
        for contingent_unit, number in self._counted_by_battle().items():
            missing = number - changing.count(contingent_unit)
            if missing > 0:
                self._add_arrivals(changing, contingent_unit, missing, placer)
        mustered = []
        for group in changing.groups:
            if not group.strength:
                continue
            if group.cell is None:
                # Its contingent may have come since; if not, the placer leaves it off the table.
                mustered.append(placer.place(group.known))
            else:
                mustered.append(group)
        return tuple(with_unserved(self._state, self._side, mustered))

    def groups_with_losses(self) -> list[TableGroup]:
        """The groups that have losses, as they are after them, even if nobody is left."""
        return self._groups_changed(self._after_losses())

    def changed_if_lost_by(self, id: str, number: int) -> list[TableGroup]:
        """The groups that change if ``number`` of the losses were those of the group with this id:
        they come off it, and others of its contingent get back what was taken off them
        instead."""
        changing = self._after_losses()
        index = changing.index_of(id)
        counted_by_battle = self._counted_by_battle()
        for _ in range(number):
            known = changing.groups[index].known
            # Nobody is left in the group.
            if not known.counts:
                break
            # Players do not say which unit it was: assume the one that the group has most of.
            most_numerous = max(known.counts, key=known.counts.__getitem__)
            lost = ContingentUnit(known.contingent, most_numerous)
            changing.take_one_off(index, lost.unit)
            # All losses of the unit had been taken off already, so this one is too many.
            if changing.count(lost) < counted_by_battle[lost]:
                changing.give_one_back(lost, taken_from=index)
        return self._groups_changed(changing)

    def _after_losses(self) -> _ChangingGroups:
        """The groups without those whom the battle no longer counts, also those of which nobody is
        left."""
        changing = _ChangingGroups(self._groups, self._enemies, self._shot_at)
        for contingent_unit, number in self._counted_by_battle().items():
            too_many = changing.count(contingent_unit) - number
            changing.take_off(contingent_unit, too_many)
        return changing

    def _groups_changed(self, changing: _ChangingGroups) -> list[TableGroup]:
        """Those of the groups that are no longer as they were before."""
        changed = []
        for before, after in zip(self._groups, changing.groups, strict=True):
            if after != before:
                changed.append(after)
        return changed

    def _counted_by_battle(self) -> Mapping[ContingentUnit, int]:
        """How many of each unit every contingent has by the battle's count, including those that
        have yet to come; 0 for a unit of which nobody is left."""
        counted: dict[ContingentUnit, int] = {}
        for group in self._groups:
            for unit in (*group.known.counts, *group.known.aboard):
                counted[ContingentUnit(group.known.contingent, unit)] = 0
        for row in rows(self._state, self._side):
            number = len(pieces_not_hidden(row))
            unit_of_row = ContingentUnit(row.contingent.id, row.unit.id)
            if number or unit_of_row in counted:
                counted[unit_of_row] = number
        return counted

    def _add_arrivals(
        self, changing: _ChangingGroups, arrived: ContingentUnit, number: int, placer: GroupPlacer
    ) -> None:
        """Put so many of a unit that has come into a group. Guys join the smallest group of their
        contingent on the table; so does the rifleman that a gunner becomes when his weapon breaks
        down. Models form a group of their own, and so do guys who find no group."""
        if self._state.setup.unit(arrived.unit).is_guy:
            index = changing.smallest_on_table(arrived.contingent)
            if index is not None:
                changing.add(index, arrived.unit, number)
                return
        contingent_name = self._state.setup.contingent_by_id[arrived.contingent].name
        unit_name = self._state.setup.unit(arrived.unit).named(number)
        new = GroupKnown(
            changing.unused_id(self._side),
            f"{contingent_name}: {unit_name}",
            {arrived.unit: number},
            contingent=arrived.contingent,
        )
        changing.groups.append(placer.place(new))


class _MayHaveLost(NamedTuple):
    """A group that may have lost a man. In sorted order the likeliest comes first: who is off the
    table, then who was fired at, then who is nearest to the enemy, since False sorts before True.
    ``position``: its index among the groups."""

    on_table: bool
    not_shot_at: bool
    inches_to_enemy: float
    position: int


class _GroupSize(NamedTuple):
    """A group by its strength and its index among the groups: in sorted order the smallest comes
    first."""

    strength: int
    position: int


class _ChangingGroups:
    """The groups of one side while men are taken off them and added to them."""

    def __init__(
        self,
        groups: Iterable[TableGroup],
        enemies: Sequence[TableGroup],
        shot_at: Collection[str],
    ) -> None:
        self.groups = list(groups)
        self._enemies = enemies
        self._shot_at = shot_at

    def index_of(self, id: str) -> int:
        """The index of the group with this id. Raises ValueError if there is none."""
        return [group.id for group in self.groups].index(id)

    def unused_id(self, side: str) -> str:
        """An id for a new group of the side, such as ``german:new_4`` for its fourth group."""
        ids = {group.id for group in self.groups}
        number = len(self.groups) + 1
        # Once groups have been lost, a later group may have this number already.
        while f"{side}:new_{number}" in ids:
            number += 1
        return f"{side}:new_{number}"

    def count(self, contingent_unit: ContingentUnit) -> int:
        """How many of a unit the groups of its contingent have together."""
        contingent, unit = contingent_unit
        total = 0
        for group in self.groups:
            if group.known.contingent == contingent:
                total += group.known.counts.get(unit, 0)
                total += group.known.aboard.get(unit, 0)
        return total

    def smallest_on_table(
        self, contingent: str, *, having: str = "", except_for: int | None = None
    ) -> int | None:
        """The index of the smallest group of a contingent that is on the table; None if there is
        none. ``having``: only among groups with this unit on foot, if it is not empty.
        ``except_for``: the index of a group that is passed over."""
        sizes = []
        for index, group in enumerate(self.groups):
            if index == except_for or group.known.contingent != contingent or group.cell is None:
                continue
            if not having or having in group.known.counts:
                sizes.append(_GroupSize(group.strength, index))
        if not sizes:
            return None
        return min(sizes).position

    def add(self, index: int, unit: str, number: int) -> None:
        """Add so many of a unit to the group with this index."""
        group = self.groups[index]
        counts = Counter(group.known.counts)
        counts[unit] += number
        self.groups[index] = replace(group, known=replace(group.known, counts=dict(counts)))

    def give_one_back(self, lost: ContingentUnit, taken_from: int) -> None:
        """Give one of a unit back to the smallest other group of the contingent that has some of
        it: nobody knows off which group it was taken."""
        index = self.smallest_on_table(lost.contingent, having=lost.unit, except_for=taken_from)
        if index is not None:
            self.add(index, lost.unit, 1)

    def take_off(self, contingent_unit: ContingentUnit, number: int) -> None:
        """Take so many of a unit off the groups that are likeliest to have lost them, one by one;
        nothing if the number is not above 0."""
        for _ in range(number):
            index = self._likeliest_to_have_lost(contingent_unit)
            if index is None:
                return
            self.take_one_off(index, contingent_unit.unit)

    def _likeliest_to_have_lost(self, contingent_unit: ContingentUnit) -> int | None:
        """The index of the group that is likeliest to have lost one of a unit; None if no group has
        any."""
        contingent, unit = contingent_unit
        candidates = []
        for index, group in enumerate(self.groups):
            known = group.known
            number = known.counts.get(unit, 0) + known.aboard.get(unit, 0)
            if known.contingent == contingent and number > 0:
                candidate = _MayHaveLost(
                    on_table=group.cell is not None,
                    not_shot_at=group.id not in self._shot_at,
                    inches_to_enemy=self._inches_to_enemy(group),
                    position=index,
                )
                candidates.append(candidate)
        if not candidates:
            return None
        return min(candidates).position

    def _inches_to_enemy(self, group: TableGroup) -> float:
        """Inches to the nearest enemy group; ``FAR_OFF`` for a group that is not on the table."""
        nearest = FAR_OFF
        if group.cell is None:
            return nearest
        for enemy in self._enemies:
            if enemy.cell is not None:
                nearest = min(nearest, apart(group.cell, enemy.cell))
        return nearest

    def take_one_off(self, index: int, unit: str) -> None:
        """Take one of a unit off the group with this index: of those on foot first, since riders
        are lost only with their carrier."""
        group = self.groups[index]
        counts, aboard = Counter(group.known.counts), Counter(group.known.aboard)
        if counts[unit]:
            counts[unit] -= 1
        else:
            aboard[unit] -= 1
        if not counts.total():
            # The carrier is lost, and those who were aboard and live stand beside it.
            counts, aboard = aboard, Counter()
        # The unary plus leaves out units of which nobody is left.
        known = replace(group.known, counts=dict(+counts), aboard=dict(+aboard))
        self.groups[index] = replace(group, known=known)
