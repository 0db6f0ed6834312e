"""Where the program's commander works: from a battle to his situation, and back to orders.

``appointed`` forms the groups of both sides and places them. In his own turn ``turn_orders`` are
his orders and ``another_order`` replaces one that cannot be carried out; in the enemy's turn
``fire_lines`` are the moves at which he waits to fire, and ``next_shots`` is the list of what he
fires after them (phase 2). All of it is pure. It loads NumPy, so orders and commands import it only
when a battle with a commander needs it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import (
    Commander,
    CommandOrder,
    Half,
    HitchKind,
    TableGroup,
    got_out,
)
from skirmish.games.plastic.battle.names import RowName
from skirmish.games.plastic.battle.qualities import digs_as_engineer, quality_of_group
from skirmish.games.plastic.battle.rows import Row, break_at, guys, rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    GetOut,
    LeaveTable,
    MountUp,
    Outlook,
    StayPut,
)
from skirmish.games.plastic.commander.aims import Aims, aims_of, forbidden_targets, slope_limit
from skirmish.games.plastic.commander.board import CommandTable, Spadework
from skirmish.games.plastic.commander.cells import CELL, FAR_OFF, CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.fire import ForbiddenTarget, Guns
from skirmish.games.plastic.commander.groups import ForcePart, formed, read_out
from skirmish.games.plastic.commander.leading import (
    Considered,
    GroupLeader,
    GroupOrder,
    Memory,
)
from skirmish.games.plastic.commander.moves import mover_of
from skirmish.games.plastic.commander.op_fire import (
    DefensiveShot,
    EnemyTurnFire,
    FireLine,
    chance_of_pin,
)
from skirmish.games.plastic.commander.placing import Entrenchments, StartingCells
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.plan_maker import LAST_TURN_WITHOUT_CLOCK, PlanMaker
from skirmish.games.plastic.commander.situation import GroupKnown, Situation
from skirmish.games.plastic.commander.stakes import Force, Stakes, stakes_of_break
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.games.plastic.commander.words import said
from skirmish.games.plastic.commander.words import why as lines_of_ways
from skirmish.games.plastic.scenarios.order_of_battle import (
    FROM_OUTSIDE,
    AnywhereEntry,
    Entry,
    MarksEntry,
    ScenarioContingent,
)
from skirmish.games.plastic.scenarios.scenario import Charges, MayConvert, NeedsService
from skirmish.tabletop.battlefield import Battlefield, Line
from skirmish.tabletop.plane import Point

FREE_TABLE = (96.0, 60.0)
"""The width and depth in inches that the table is taken to have in the basic game, where players
lay out what they have."""
COME_SIDE_BY_SIDE = 2
"""At most so many groups come onto the table in the same six inches of an edge, while another
stretch is free. Our choice."""
NEAR_THE_END = 4
"""Shortly before a side breaks, each loss is worth at most so many times what it is at first. Our
choice."""
MOST_WAYS = 9
"""The most ways to act that are listed for a group: each has a digit."""


class Notebook(msgspec.Struct, frozen=True):
    """What the commander remembers from turn to turn."""

    plan: Plan
    memory: Memory

    @property
    def packed(self) -> bytes:
        """The notebook as it is stored in ``Commander.notes``. Not as JSON, whose keys cannot be
        cells."""
        return msgspec.msgpack.encode(self)


def _notebook(notes: bytes) -> Notebook | None:
    """The notebook in ``Commander.notes``. None if there is none, or if another version of the
    program wrote it otherwise."""
    if not notes:
        return None
    try:
        return msgspec.msgpack.decode(notes, type=Notebook)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


# ------------------------------------------------------------------ the table


def _table_of(state: State, weights: CommanderWeights) -> CommandTable:
    """The table of a battle: all that is drawn on its map but what was blown up, by the light of
    this turn. It is worked out once and stored with the set-up, as cached properties are."""
    setup = state.setup
    # The set-up is frozen, but has a ``dict`` for what is computed of it once.
    tables: list[CommandTable] = vars(setup).setdefault("command_tables", [])
    for table in tables:
        is_alike = (table.sight_in, table.blown) == (state.sight_in, state.blown)
        if table.weights == weights and is_alike:
            return table
    field, (width, depth) = Battlefield(), FREE_TABLE
    forbidden: frozenset[ForbiddenTarget] = frozenset()
    if setup.scenario is not None:
        forbidden = forbidden_targets(setup.scenario)
        field = setup.scenario.map or field
        width, depth = setup.scenario.table.width_in, setup.scenario.table.depth_in
    grid = CellGrid(width, depth)
    kills = None
    if tables:
        # Chances to kill do not depend on ground or light, so all tables of a battle share them.
        kills = tables[0].kills
    table = CommandTable(
        _without_blown(field, state),
        grid,
        setup.catalog,
        setup.rulings,
        weights=weights,
        kills=kills,
        sight_in=state.sight_in,
        blown=state.blown,
        forbidden=forbidden,
    )
    tables.append(table)
    return table


def _stakes_of_break(setup: Setup, side: str) -> Stakes:
    """What it is worth to break a side: "half of the starting force" does ("The Basic Game")."""
    strength = 0
    for unit, count in setup.fielded[side].items():
        strength += count * setup.catalog.worth(setup.unit(unit))
    forces = [Force(counts) for counts in setup.fielded.values()]
    return stakes_of_break(forces, setup.catalog, strength // 2)


def _without_blown(field: Battlefield, state: State) -> Battlefield:
    """The map without the bridges that were blown up: for each set of charges that went off, the
    bridge nearest to their mark."""
    if not state.blown:
        return field
    lines = list(field.lines)
    for charges in state.setup.happenings(Charges):
        bridges = [line for line in lines if line.kind == "bridge"]
        places = [mark.at for mark in field.marks if mark.mark == charges.mark]
        if charges.id in state.blown and charges.mark and places and bridges:
            nearest = min(bridges, key=partial(_distance_to, places[0]))
            lines.remove(nearest)
    return replace(field, lines=tuple(lines))


def _distance_to(place: Point, line: Line) -> float:
    """Inches from a place to the nearest corner of a line."""
    return min(math.dist(place, corner) for corner in line.points)


def _more_for_each_lost(state: State, side: str) -> float:
    """The points by which each potential dead guy of a side is worth more than its price: the stake
    of the battle is shared out among those that are left until it breaks. Near its break point each
    is worth a few times as much as at the start, but not all of the stake: he cannot choose who
    falls last."""
    limit = break_at(state, side)
    if limit is None:
        return 0.0
    losses_left = limit - state.loss.get(side, 0)
    shared_by = max(losses_left, limit / NEAR_THE_END, 1)
    return _stakes_of_break(state.setup, side).points / shared_by


def turns_left(state: State) -> int:
    """Game turns to the end of the battle, this one included."""
    last = LAST_TURN_WITHOUT_CLOCK
    if state.setup.ends_after is not None:
        last = state.setup.ends_after.turn
    return max(1, last - state.clock.turn + 1)


def _spadework(state: State, side: str) -> Spadework:
    """Who digs in and clears wire as an engineer, by unit, traits and nation."""
    diggers, cutters = set(), set()
    for row in guys(state, side):
        if digs_as_engineer(state, row):
            diggers.add(row.unit.id)
        # Riflemen of a nation that digs well dig as engineers do, but cannot clear wire.
        if digs_as_engineer(state, row, national=False):
            cutters.add(row.unit.id)
    return Spadework(frozenset(diggers), frozenset(cutters), state.options.entrenching)


def _aims(state: State, side: str) -> Aims:
    """What a side wants: victory by the scenario, or to break the enemy."""
    setup = state.setup
    forces = {id: Force(counts) for id, counts in setup.fielded.items()}
    if setup.scenario is not None:
        return aims_of(setup.scenario, side, forces, setup.catalog)
    stakes = _stakes_of_break(setup, setup.enemy_of(side).id)
    return Aims(attacks=True, objectives=(), stakes=stakes)


# ------------------------------------------------------------------ places


def standing(
    state: State, commander: Commander, group: TableGroup, square: str, half: Half
) -> TableGroup:
    """A group in a square of the map (12 inches, four cells of six), or in a half of it: in that
    cell of it which is nearest to where the group was thought to be. Raises ValueError (a sentence)
    for a square that is not on the table."""
    table = _table_of(state, commander.weights)
    cells = _cells_of(table.grid, square, half)
    cell = cells[0]
    if group.cell is not None:
        thought = group.cell
        cell = min(cells, key=lambda near: apart(near, thought))
    return replace(group, cell=cell, cover=table.ground.in_cover(cell))


def stepped(
    state: State, commander: Commander, group: TableGroup, columns: int, rows_up: int
) -> TableGroup:
    """A group so many cells of six inches to the right (``columns``) and up the map (``rows_up``)
    of where it stood. Raises ValueError (a sentence) if that is not on the table, or if the group
    was not."""
    if group.cell is None:
        raise ValueError(f"{group.name} is not on the table; say in which square it is.")
    table = _table_of(state, commander.weights)
    cell = GroundCell(group.cell.column + columns, group.cell.row + rows_up)
    if cell not in table.grid:
        raise ValueError(f"From {group.cell.square} that is beyond the edge of the table.")
    return replace(group, cell=cell, cover=table.ground.in_cover(cell))


def _cells_of(grid: CellGrid, square: str, half: Half) -> list[GroundCell]:
    """The cells of a square such as ``D5``, four unless the edge of the table cuts it; ``half``:
    only two of them. Raises ValueError (a sentence) if none of them is on the table."""
    # A square is two cells wide and two deep. Columns of squares have letters, rows count from 1.
    left = 2 * (ord(square[0].upper()) - ord("A"))
    bottom = 2 * (int(square[1:]) - 1)
    columns, rows_there = [left, left + 1], [bottom, bottom + 1]
    match half:
        case "n":
            rows_there = [bottom + 1]
        case "s":
            rows_there = [bottom]
        case "e":
            columns = [left + 1]
        case "w":
            columns = [left]
    cells = [GroundCell(column, row) for column in columns for row in rows_there]
    on_table = [cell for cell in cells if cell in grid]
    if not on_table:
        last = GroundCell(grid.columns - 1, grid.rows - 1).square
        raise ValueError(f"There is no square {square} on this table; they go from A1 to {last}.")
    return on_table


# ------------------------------------------------------------------ the groups


def _contingents_listed(setup: Setup, side: str) -> dict[str, ScenarioContingent]:
    """The contingents of a scenario by their ids; none in the basic game."""
    if setup.scenario is None:
        return {}
    return {contingent.id: contingent for contingent in setup.scenario.side(side).contingents}


def _in_the_open(row: Row) -> list[str]:
    """The pieces of a row of which both sides know: hidden ones stay hidden to every commander."""
    hidden = set(row.hidden)
    return [piece for piece in row.alive if piece not in hidden]


def _formed(state: State, side: str, weights: CommanderWeights) -> list[GroupKnown]:
    """The groups of a side as its contingents stand now. Their ids begin with the side, as in
    ``german:GROUP``, so that those of both sides differ."""
    setup = state.setup
    listed = _contingents_listed(setup, side)
    counts: dict[str, Counter[str]] = {}
    for row in rows(state, side):
        number = len(_in_the_open(row))
        if number:
            counts.setdefault(row.contingent.id, Counter())[row.unit.id] += number
    parts = []
    for contingent, units in counts.items():
        entry: Entry = AnywhereEntry(turn=1)
        if contingent in listed:
            entry = listed[contingent].entry
        part = ForcePart(
            contingent,
            setup.contingent_by_id[contingent].name,
            units,
            on_marks=isinstance(entry, MarksEntry),
            from_outside=isinstance(entry, FROM_OUTSIDE),
        )
        parts.append(part)
    groups = []
    units_in_need = _units_in_need_of_service(setup, side)
    for group in formed(parts, setup.catalog, weights.plan):
        # All of them wait, until ``_who_waits`` asks the battle which have been served.
        waiting = {unit: count for unit, count in group.counts.items() if unit in units_in_need}
        groups.append(replace(group, id=f"{side}:{group.id}", waiting=waiting))
    return groups


def _units_in_need_of_service(setup: Setup, side: str) -> set[str]:
    """The units of a side that cannot do anything before they are served."""
    units: set[str] = set()
    for needs in setup.happenings(NeedsService):
        if needs.side == side:
            units |= set(needs.units)
    return units


class _Places:
    """Where groups start, or come onto the table: apart, in cover where the entry allows it, and
    as near as can be to the ground that decides."""

    def __init__(self, state: State, side: str, table: CommandTable, chance: Random) -> None:
        self._state = state
        self._side = side
        self._table = table
        self._chance = chance
        self._listed = _contingents_listed(state.setup, side)
        self._objectives = [objective.cell for objective in _aims(state, side).objectives]
        self._taken: Counter[GroundCell] = Counter()
        works = state.setup.side_by_id[side].works
        self._entrenchments = Entrenchments(works.get("entrenchment", 0))

    def place(self, group: GroupKnown) -> TableGroup:
        """Put the group where it probably stands, and note that its cell is taken; off the table
        while its contingent waits."""
        contingent = self._state.setup.contingent_by_id[group.contingent]
        # ``enters`` is the turn in which it comes.
        if contingent.enters > 1 and not self._has_arrived(group.contingent):
            return TableGroup(group)
        if self._comes_from_outside(group):
            cells = self._where_it_comes(group)
        else:
            cells = self._where_it_starts(group)
        cell = cells[self._chance.randrange(len(cells))]
        self._taken[cell] += 1
        cover = self._table.ground.in_cover(cell) or self._takes_entrenchments(group)
        return TableGroup(group, cell, cover)

    def _takes_entrenchments(self, group: GroupKnown) -> bool:
        """Put a group that starts without other cover into entrenchments of its side. False if it
        comes from outside, or if there are not enough of them left."""
        if self._comes_from_outside(group):
            return False
        return self._entrenchments.cover(group, self._state.setup.catalog)

    def _comes_from_outside(self, group: GroupKnown) -> bool:
        """Whether a group comes over an edge or a corner of the table, in the first turn or
        later."""
        listed = self._listed.get(group.contingent)
        return listed is not None and isinstance(listed.entry, FROM_OUTSIDE)

    def _where_it_starts(self, group: GroupKnown) -> list[GroundCell]:
        """The cells for a group that is on the table from the start, among which a draw decides:
        first those with the fewest groups, of them those in cover, of them the nearest to the
        ground that decides. It may stay there, so cover counts before the way."""
        free = self._least_taken(self._cells(group))
        covered = [cell for cell in free if self._table.ground.in_cover(cell)]
        return self._nearest(covered or free)

    def _where_it_comes(self, group: GroupKnown) -> list[GroundCell]:
        """The cells for a group that comes over an edge, among which a draw decides: first those
        nearest to the ground that decides, of them those with the fewest groups, of them those in
        cover. It goes on, and a wood in the wrong corner costs it turns, so the way counts before
        cover."""
        cells = self._cells(group)
        room = [cell for cell in cells if self._taken[cell] < COME_SIDE_BY_SIDE]
        near = self._least_taken(self._nearest(room or cells))
        covered = [cell for cell in near if self._table.ground.in_cover(cell)]
        return covered or near

    def _least_taken(self, cells: Sequence[GroundCell]) -> list[GroundCell]:
        """Those of the cells in which the fewest groups have been placed."""
        fewest = min(self._taken[cell] for cell in cells)
        return [cell for cell in cells if self._taken[cell] == fewest]

    def _nearest(self, cells: Sequence[GroundCell]) -> list[GroundCell]:
        """Those of the cells that are at most one cell farther from the ground that decides than
        the nearest; all where the battle has no such ground."""
        if not self._objectives:
            return list(cells)
        away = {}
        for cell in cells:
            away[cell] = min(apart(cell, objective) for objective in self._objectives)
        nearest = min(away.values())
        return [cell for cell in cells if away[cell] <= nearest + CELL]

    def _has_arrived(self, contingent: str) -> bool:
        """Whether anybody of a contingent is on the table."""
        for row in rows(self._state, self._side):
            if row.contingent.id == contingent and row.here:
                return True
        return False

    def _cells(self, group: GroupKnown) -> list[GroundCell]:
        """All cells in which a group may start, or come onto the table."""
        scenario = self._state.setup.scenario
        contingent = self._listed.get(group.contingent)
        if scenario is None or contingent is None:
            return self._own_edge()
        return StartingCells(scenario, self._table).of(contingent.entry, group)

    def _own_edge(self) -> list[GroundCell]:
        """The cells along one edge, for a group of whose entry nothing is known: the bottom edge
        for the side that moves first, the top for the other. Players say where a group stands
        elsewhere."""
        grid = self._table.grid
        row = 0
        if self._side != self._state.first:
            row = grid.rows - 1
        return [GroundCell(column, row) for column in range(grid.columns)]


def appointed(
    state: State,
    side: str,
    *,
    temperament: TemperamentId,
    weights: CommanderWeights,
    advises: bool,
    aloud: bool,
    seed: int,
) -> Commander:
    """A commander with the groups of both sides, each where it probably stands. ``seed``: for the
    places among which nothing decides."""
    table = _table_of(state, weights)
    chance = Random(seed)
    by_side = {}
    for id in (side, state.setup.enemy_of(side).id):
        places = _Places(state, id, table, chance)
        groups = [places.place(group) for group in _formed(state, id, weights)]
        by_side[id] = tuple(_who_waits(state, id, groups))
    own, enemies = by_side.values()
    return Commander(
        temperament=temperament,
        weights=weights,
        advises=advises,
        aloud=aloud,
        groups=own,
        enemies=enemies,
    )


def groups_read_out(setup: Setup, groups: Sequence[TableGroup]) -> str:
    """The groups of a side as they are read out before play, each with its square."""
    sentences = []
    for group in groups:
        who = group.name
        if group.strength > 1:  # a single man or model is called after what it is
            [line] = read_out([group.known], setup.catalog)
            who = line.rstrip(".")
        place = "off the table"
        if group.cell is not None:
            place = f"in {group.cell.square}"
        sentences.append(f"{who}, {place}.")
    return " ".join(sentences)


# ------------------------------------------------------------------ losses and arrivals


class _ContingentUnit(NamedTuple):
    """A unit of a contingent, both by their ids: what the battle counts the pieces of."""

    contingent: str
    unit: str


class _MayHaveLost(NamedTuple):
    """A group off which one may be taken. In sorted order comes first who is off the table, then
    who was fired at, then who is nearest to the enemy: False is less than True. ``place``: its
    index among the groups."""

    on_table: bool
    not_shot_at: bool
    to_enemy: float
    place: int


class _Muster:
    """The groups of one side brought up to what the battle counts. Seldom does anybody say whose
    men were lost: they come off a group that players have taken off the table, then off the one
    that was fired at, else off the one that is nearest to the enemy. Who has come joins a group of
    his contingent, or is a new one. A muster answers one question only, since each of them changes
    its groups."""

    def __init__(
        self,
        state: State,
        side: str,
        groups: Sequence[TableGroup],
        enemies: Sequence[TableGroup],
        shot_at: Collection[str] = (),
    ) -> None:
        """``shot_at``: the groups at which the commander had somebody fire."""
        self._state = state
        self._side = side
        self._groups = list(groups)
        self._enemies = enemies
        self._shot_at = shot_at

    def survivors(self) -> tuple[TableGroup, ...]:
        """The groups, less those whom the battle counts as lost or gone."""
        self._take_off_losses()
        left = [group for group in self._groups if group.strength]
        return tuple(_who_waits(self._state, self._side, left))

    def _take_off_losses(self) -> None:
        """Take off the groups whom the battle does not count any more."""
        for (contingent, unit), number in self._present().items():
            counted = self._counted(contingent, unit)
            if counted > number:
                self._take_off(contingent, unit, counted - number)

    def with_losses(self) -> list[TableGroup]:
        """The groups that have losses, also those of which nobody is left."""
        before = list(self._groups)
        self._take_off_losses()
        return self._changed_since(before)

    def lost_by(self, id: str, number: int) -> list[TableGroup]:
        """The groups that change if ``number`` of the losses were those of the group with this id:
        they come off it, and others of its contingent get back what was taken off them
        instead."""
        before = list(self._groups)
        self._take_off_losses()
        index = [group.id for group in self._groups].index(id)
        for _ in range(number):
            known = self._groups[index].known
            if not known.counts:
                break
            # Nobody says which unit: it is the one of which the group has most.
            unit = max(known.counts, key=known.counts.__getitem__)
            self._groups[index] = _with_one_less(self._groups[index], unit)
            present = self._present()[_ContingentUnit(known.contingent, unit)]
            if self._counted(known.contingent, unit) < present:
                self._give_back(known.contingent, unit, taken_from=index)
        return self._changed_since(before)

    def _changed_since(self, before: Sequence[TableGroup]) -> list[TableGroup]:
        """The groups that are no longer as they were ``before``, which are the same groups in the
        same order."""
        changed = []
        for group, was in zip(self._groups, before, strict=True):
            if group != was:
                changed.append(group)
        return changed

    def _give_back(self, contingent: str, unit: str, taken_from: int) -> None:
        """Give back one of a unit, to the smallest other group of the contingent on the table that
        has some of it. Nobody says off which group it was taken."""
        others = []
        for index, group in enumerate(self._groups):
            if index == taken_from or group.known.contingent != contingent:
                continue
            if group.cell is not None and unit in group.known.counts:
                others.append((group.strength, index))
        if not others:
            return
        index = min(others)[1]
        known = self._groups[index].known
        counts = Counter(known.counts)
        counts[unit] += 1
        self._groups[index] = replace(
            self._groups[index], known=replace(known, counts=dict(counts))
        )

    def mustered(self, places: _Places) -> tuple[TableGroup, ...]:
        """All groups as they are now: without those who were lost, and with those who have come,
        for whom ``places`` finds a cell."""
        present = self._present()
        self._take_off_losses()
        for (contingent, unit), number in present.items():
            counted = self._counted(contingent, unit)
            if counted < number:
                self._add(contingent, unit, number - counted, places)
        arrived = []
        for group in self._groups:
            if not group.strength:
                continue  # a group that was taken off the table because it is lost
            if group.cell is None:
                arrived.append(places.place(group.known))
            else:
                arrived.append(group)
        return tuple(_who_waits(self._state, self._side, arrived))

    def _present(self) -> dict[_ContingentUnit, int]:
        """How many of each unit every contingent has, as the battle counts them, those too that
        have yet to come; 0 for a unit of which nobody is left."""
        present: dict[_ContingentUnit, int] = {}
        for group in self._groups:
            for unit in (*group.known.counts, *group.known.aboard):
                present[_ContingentUnit(group.known.contingent, unit)] = 0
        for row in rows(self._state, self._side):
            number = len(_in_the_open(row))
            of_row = _ContingentUnit(row.contingent.id, row.unit.id)
            if number or of_row in present:
                present[of_row] = number
        return present

    def _counted(self, contingent: str, unit: str) -> int:
        """How many of a unit the groups of a contingent have together."""
        counted = 0
        for group in self._groups:
            if group.known.contingent == contingent:
                counted += group.known.counts.get(unit, 0) + group.known.aboard.get(unit, 0)
        return counted

    def _take_off(self, contingent: str, unit: str, number: int) -> None:
        """Take so many of a unit off the groups of a contingent, one after the other."""
        for _ in range(number):
            having = []
            for index, group in enumerate(self._groups):
                known = group.known
                if known.contingent != contingent:
                    continue
                if known.counts.get(unit) or known.aboard.get(unit):
                    likely = _MayHaveLost(
                        on_table=group.cell is not None,
                        not_shot_at=group.id not in self._shot_at,
                        to_enemy=self._to_enemy(group),
                        place=index,
                    )
                    having.append(likely)
            if not having:
                return
            index = min(having).place
            self._groups[index] = _with_one_less(self._groups[index], unit)

    def _to_enemy(self, group: TableGroup) -> float:
        """Inches to the nearest enemy group; ``FAR_OFF`` for a group that is not on the table."""
        nearest = FAR_OFF
        if group.cell is None:
            return nearest
        for enemy in self._enemies:
            if enemy.cell is not None:
                nearest = min(nearest, apart(group.cell, enemy.cell))
        return nearest

    def _add(self, contingent: str, unit: str, number: int, places: _Places) -> None:
        """Guys who have come join the smallest group of their contingent on the table, also the
        rifleman that a gunner is once his weapon broke. Models are a group of their own, and so is
        who finds no group."""
        own = []
        for index, group in enumerate(self._groups):
            if group.known.contingent == contingent and group.cell is not None:
                own.append((group.strength, index))
        if own and self._state.setup.unit(unit).is_guy:
            index = min(own)[1]
            known = self._groups[index].known
            counts = Counter(known.counts)
            counts[unit] += number
            joined = replace(known, counts=dict(counts))
            self._groups[index] = replace(self._groups[index], known=joined)
            return
        name = self._state.setup.contingent_by_id[contingent].name
        unit_name = self._state.setup.unit(unit).named(number)
        new = GroupKnown(
            f"{self._side}:new_{len(self._groups) + 1}",
            f"{name}: {unit_name}",
            {unit: number},
            contingent=contingent,
        )
        self._groups.append(places.place(new))


def _with_one_less(group: TableGroup, unit: str) -> TableGroup:
    """A group without one of a unit: of those on foot first, since who is aboard is lost with his
    carrier only."""
    counts, aboard = Counter(group.known.counts), Counter(group.known.aboard)
    if counts[unit]:
        counts[unit] -= 1
    else:
        aboard[unit] -= 1
    if not counts.total():
        # The carrier is lost, and those who were aboard and live stand beside it.
        counts, aboard = aboard, Counter()
    known = replace(group.known, counts=dict(+counts), aboard=dict(+aboard))
    return replace(group, known=known)


# ------------------------------------------------------------------ who waits for service


def _who_waits(state: State, side: str, groups: Sequence[TableGroup]) -> list[TableGroup]:
    """The groups with those of their models that cannot do anything before they are served, such
    as tanks without fuel, as many as the battle counts."""
    brought_up = list(groups)
    for needs in state.setup.happenings(NeedsService):
        if needs.side != side:
            continue
        crews = [group.cell for group in groups if needs.by in group.known.counts and group.cell]
        for row in rows(state, side):
            if row.unit.id in needs.units:
                still_waiting = sum(piece in state.unserved for piece in row.here)
                brought_up = _with_still_waiting(brought_up, row, still_waiting, crews)
    return brought_up


class _WaitingGroup(NamedTuple):
    """A group with models that may wait: its inches to the nearest crew, its ``place`` among the
    groups, from 0, and how many of its models waited as far as was known."""

    distance: float
    place: int
    waited: int


def _with_still_waiting(
    groups: Sequence[TableGroup], row: Row, still_waiting: int, crews: Sequence[GroundCell]
) -> list[TableGroup]:
    """The groups if so many models of a row wait still. Nobody says who was served meanwhile: it
    was who waited nearest to a crew."""
    unit = row.unit.id
    concerned = []
    for index, group in enumerate(groups):
        count = group.known.counts.get(unit, 0)
        if group.known.contingent == row.contingent.id and count:
            waited = min(group.known.waiting.get(unit, 0), count)
            concerned.append(_WaitingGroup(_to_nearest_crew(group, crews), index, waited))
    served = max(0, sum(group.waited for group in concerned) - still_waiting)
    changed = list(groups)
    for _, index, waited in sorted(concerned):
        served_here = min(served, waited)
        served -= served_here
        waiting = dict(groups[index].known.waiting)
        waiting.pop(unit, None)
        if waited > served_here:
            waiting[unit] = waited - served_here
        known = replace(groups[index].known, waiting=waiting)
        changed[index] = replace(groups[index], known=known)
    return changed


def _to_nearest_crew(group: TableGroup, crews: Sequence[GroundCell]) -> float:
    """Inches from a group to the nearest crew; ``FAR_OFF`` for a group that is not on the table."""
    if group.cell is None:
        return FAR_OFF
    return min((apart(group.cell, crew) for crew in crews), default=FAR_OFF)


# ------------------------------------------------------------------ in his own turn


class Hitch(NamedTuple):
    """Why an order cannot be carried out as it is: the group cannot get there (``blocked``), the
    ``cover`` there is other than he thinks, or only a ``number`` of it gets there (``fewer``)."""

    kind: HitchKind
    number: int = 0


class TurnOrders(NamedTuple):
    """What he orders at the start of a turn; ``plan`` in words where it is a new one."""

    groups: tuple[TableGroup, ...]
    enemies: tuple[TableGroup, ...]
    orders: tuple[CommandOrder, ...]
    plan: str
    notes: bytes


class _Weighed(NamedTuple):
    """All that a group could do, as the order that it would have now, and what that was scored
    by."""

    order: GroupOrder
    outlook: Outlook


class _PlanOfTurn(NamedTuple):
    """The plan of a turn, and in words where it is a new one; empty where it is not."""

    plan: Plan
    words: str


class Headquarters:
    """The commander of a side with the battle before him."""

    def __init__(self, state: State, side: str, commander: Commander) -> None:
        self._state = state
        self._side = side
        self.commander = commander
        self._weighed_groups: dict[str, _Weighed] = {}
        table = _table_of(state, commander.weights)
        self._table = table.with_wire(table.paths.wire - commander.cleared)
        self._board = self._table.board(
            commander.temperament,
            self._emplaced(),
            _spadework(state, side),
            each_own=_more_for_each_lost(state, side),
            each_enemy=_more_for_each_lost(state, state.setup.enemy_of(side).id),
        )
        self._plans = PlanMaker(
            state.setup.catalog,
            self._table.paths,
            _aims(state, side),
            weights=commander.weights,
            temperament=commander.temperament,
            on_slope=_slope_limit(state),
        )

    def _emplaced(self) -> dict[str, str]:
        """The ids of the groups that are one gun that its scenario does not let move, but lets its
        man abandon, with the unit that he becomes."""
        emplaced = {}
        for happening in self._state.setup.happenings(MayConvert):
            if happening.side != self._side:
                continue
            for group in self.commander.groups:
                if dict(group.known.counts) == {happening.unit: 1}:
                    emplaced[group.id] = happening.becomes
        return emplaced

    def situation(self) -> Situation:
        """Everybody who is on the table."""
        return self._situation_of(self.commander)

    @staticmethod
    def _situation_of(commander: Commander) -> Situation:
        """The groups of both sides, as a commander knows them, that are on the table."""
        own = [group.stand for group in commander.groups]
        enemies = [group.stand for group in commander.enemies]
        return Situation(
            tuple(stand for stand in own if stand is not None),
            tuple(stand for stand in enemies if stand is not None),
        )

    # ------------------------------------------------------------------ orders

    def turn_orders(self, seed: int) -> TurnOrders:
        """An order for every group that has none in this turn. ``seed``: for draws between ways
        that are equal."""
        mustered = self._mustered(seed)
        # Which guns are emplaced depends on the groups, so he works anew with those of today.
        at_work = Headquarters(self._state, self._side, mustered)
        return at_work._orders(seed)

    def _mustered(self, seed: int) -> Commander:
        """The commander with losses and arrivals since the last orders."""
        chance = Random(seed)
        commander, enemy = self.commander, self._state.setup.enemy_of(self._side).id
        own_places = _Places(self._state, self._side, self._table, chance)
        enemy_places = _Places(self._state, enemy, self._table, chance)
        own, others = self._musters()
        return replace(
            commander, groups=own.mustered(own_places), enemies=others.mustered(enemy_places)
        )

    def _musters(self) -> tuple[_Muster, _Muster]:
        """New musters, of his own groups and of the enemy's."""
        commander, enemy = self.commander, self._state.setup.enemy_of(self._side).id
        # Only his last shot: before it was fired, the losses of the earlier ones were taken off.
        shot_at = []
        if commander.shots:
            shot_at.append(commander.shots[-1].enemy)
        own = _Muster(self._state, self._side, commander.groups, commander.enemies)
        others = _Muster(self._state, enemy, commander.enemies, commander.groups, shot_at)
        return own, others

    def _orders(self, seed: int) -> TurnOrders:
        """``turn_orders``, with the groups as they are: losses and arrivals are in them already."""
        situation, turn = self.situation(), self._state.clock.turn
        left = turns_left(self._state)
        notebook = _notebook(self.commander.notes)
        plan, words = self._plan(situation, notebook)
        memory = Memory()
        if notebook is not None:
            memory = notebook.memory.having_fired(self._fired_last_turn())
        leader = GroupLeader(self._board)
        tasks = self._plans.tasks(plan, situation, left)
        given = leader.orders(
            situation,
            tasks,
            turn=turn,
            draw=Random(seed).randrange,
            memory=memory,
            exiting_groups=self._plans.exiting_groups(plan),
            deciding_cells=self._plans.aims.deciding_cells,
        )
        outlook = Outlook(self._board, situation, tasks, self._plans.aims.deciding_cells)
        # Orders may be asked for twice in a turn: who has had one keeps it.
        ordered_before = frozenset[str]()
        if self.commander.turn == turn:
            ordered_before = self.commander.ordered
        orders = []
        for order in given:
            if order.group not in ordered_before:
                orders.append(self._as_stored(order, outlook))
        notes = Notebook(plan, memory.after(given, situation, turn)).packed
        return TurnOrders(
            self.commander.groups, self.commander.enemies, tuple(orders), words, notes
        )

    def _plan(self, situation: Situation, notebook: Notebook | None) -> _PlanOfTurn:
        """The plan of this turn: that of the notebook, unless another one is needed."""
        turn, left = self._state.clock.turn, turns_left(self._state)
        before = None
        if notebook is not None:
            before = notebook.plan
        if before is not None and not self._plans.reasons_to_replan(before, situation, turn, left):
            return _PlanOfTurn(before, "")
        plan = self._plans.make(situation, turn, left, before)
        names = {stand.group.id: stand.group.name for stand in situation.own}
        words = plan.words(names, self._plans.aims, self.commander.weights)
        doubts = self._plans.doubts(situation, left)
        if before is not None and not doubts:
            words_before = before.words(names, self._plans.aims, self.commander.weights)
            if words == words_before:
                return _PlanOfTurn(plan, "")  # he has thought anew, and stays with it
        return _PlanOfTurn(plan, f"{words} {doubts}".strip())

    def _fired_last_turn(self) -> list[str]:
        """The groups of his that may have fired in the enemy's turn. A shot is known by contingent
        and unit only, so all groups with that unit count as having fired."""
        fired = set()
        if self._state.past:
            for verdict in self._state.past[-1].judged:
                piece = verdict.shot.piece
                # Not if the line of the journal that added the piece has been made void since.
                if self._state.knows(piece):
                    bought = self._state.piece(piece)
                    fired.add((bought.contingent, bought.unit))
        groups = []
        for group in self.commander.groups:
            for unit in group.known.counts:
                if (group.known.contingent, unit) in fired:
                    groups.append(group.id)
        return groups

    def another_order(self, order: CommandOrder, hitch: Hitch) -> CommandOrder:
        """What a group does now that its order meets a hitch: perhaps the same, if it is still
        the best, but nothing that players have refused this turn."""
        group_order, outlook = self._weighed(order.group)
        refused = order.refused
        if hitch.kind == "blocked":
            refused = (*refused, (order.verb, order.cell))
        allowed = []
        for option in group_order.considered:
            if option.veto or option.action.key in refused:
                continue
            if option.action.key == (order.verb, order.cell):
                allowed.append(self._with_hitch(option, hitch, outlook))
            else:
                allowed.append(option)
        if not allowed:
            allowed = [_hold_of(group_order)]
        # The sort is stable: of equals the one that was better comes first.
        allowed.sort(key=_by_score)
        stored = self._as_stored(_chosen(group_order, allowed), outlook)
        return replace(stored, refused=refused)

    def _with_hitch(self, option: Considered, hitch: Hitch, outlook: Outlook) -> Considered:
        """A way as it is worth with the hitch."""
        action = option.action
        if hitch.kind == "cover":
            stand = action.stand._replace(cover=not action.stand.cover)
            action = replace(action, stand=stand)
        elif hitch.kind == "fewer":
            stand = action.stand._replace(group=_part_of(action.stand.group, hitch.number))
            action = replace(action, stand=stand)
        score = action.score(outlook)
        return Considered(action, score)

    def ways(self, group: str) -> list[CommandOrder]:
        """All that a group could do as things stand, the best first, as orders."""
        group_order, outlook = self._weighed(group)
        ways = []
        for option in group_order.considered[:MOST_WAYS]:
            # Each by itself: what speaks for it against the others is told by ``why``.
            ways.append(self._as_stored(_chosen(group_order, [option]), outlook))
        return ways

    def why(self, group: str) -> list[str]:
        """A sentence for each way with its score, in the same order as ``ways``."""
        group_order, outlook = self._weighed(group)
        return lines_of_ways(group_order, outlook)[:MOST_WAYS]

    def _weighed(self, group: str) -> _Weighed:
        """What a group could do, with the scores as things stand now; worked out once."""
        if group not in self._weighed_groups:
            self._weighed_groups[group] = self._weigh(group)
        return self._weighed_groups[group]

    def _weigh(self, group: str) -> _Weighed:
        """``_weighed``, worked out."""
        """What a group could do, the way that it is ordered to go first."""
        situation, left = self.situation(), turns_left(self._state)
        notebook = _notebook(self.commander.notes)
        plan, _ = self._plan(situation, notebook)
        tasks = self._plans.tasks(plan, situation, left)
        outlook = Outlook(self._board, situation, tasks, self._plans.aims.deciding_cells)
        # Without his memory: habit is for choosing, and what is listed is what each way is worth.
        orders = GroupLeader(self._board).orders(
            situation,
            {group: tasks[group]},
            turn=self._state.clock.turn,
            draw=_first_of_equals,
            exiting_groups=self._plans.exiting_groups(plan),
            deciding_cells=self._plans.aims.deciding_cells,
        )
        return _Weighed(self._ordered_first(orders[0]), outlook)

    def _ordered_first(self, weighed: GroupOrder) -> GroupOrder:
        """What was weighed, with the way that the group is ordered to go at the head of the list,
        whatever the scores say by now: who asks why wants to see that one first."""
        orders = [order for order in self.commander.orders if order.group == weighed.group]
        if not orders:
            return weighed
        ordered = orders[0]
        first, others = [], []
        for option in weighed.considered:
            if option.action.key == (ordered.verb, ordered.cell):
                first.append(option)
            else:
                others.append(option)
        return weighed._replace(considered=(*first, *others))

    def _as_stored(self, order: GroupOrder, outlook: Outlook) -> CommandOrder:
        """The order as a battle stores it, in words and with the groups that it changes."""
        verb, cell = order.action.key
        return CommandOrder(
            group=order.group,
            words=said(order, outlook),
            verb=verb,
            cell=cell,
            after=tuple(self._after(order.action)),
        )

    def _after(self, action: Action) -> Iterator[TableGroup]:
        """The groups that an action changes, as they are after it."""
        group = self.commander.group(action.group)
        assert group is not None, "it has just had an order"
        cell, cover = action.stand.cell, action.stand.cover
        known = group.known
        match action:
            case GetOut():
                afoot, carrier = got_out(group, self.commander.groups)
                yield replace(afoot, cell=cell, cover=cover)
                yield carrier
            case MountUp():
                # The group takes over the carrier; that of the carrier is empty, and goes.
                ridden = action.carrier.group
                yield TableGroup(replace(known, counts=ridden.counts, aboard=known.counts), cell)
                yield TableGroup(replace(ridden, counts={}))
            case LeaveTable():
                yield TableGroup(replace(known, counts={}, aboard={}))
            case Abandon():
                men = {action.becomes: sum(known.counts.values())}
                yield TableGroup(replace(known, counts=men), cell, cover)
            case _:
                yield TableGroup(known, cell, cover)

    # ------------------------------------------------------------------ in the enemy's turn

    @cached_property
    def fire_lines(self) -> list[FireLine]:
        """What he waits for while the enemy moves, the most worth first, without guns that cannot
        fire any more."""
        situation = self._as_they_are()
        goals, pins = self._plans.goals_of_enemy(situation), self.worth_of_pins(situation)
        lines: list[FireLine] = []
        for line in EnemyTurnFire(self._board).lines(situation, goals, pins):
            guns = self._guns_left(line)
            if guns:
                lines.append(line._replace(guns=guns, number=len(lines) + 1))
        return lines

    def _guns_left(self, line: FireLine) -> tuple[Guns, ...]:
        """The guns of a line that can still fire at its enemy. A line lists each shot by itself, so
        a weapon of which three are ready may stand there three times."""
        guns_left = []
        # By the ids of group, unit and weapon (``Guns.key``).
        shots_left: dict[tuple[str, str, str], int] = {}
        for guns in line.guns:
            group, key = guns.stand.group, guns.key
            if key not in shots_left:
                shots_left[key] = self._number_ready(group, guns.unit.id, guns.weapon.id)
            if shots_left[key] > 0 and self.commander.sees(group.id, line.enemy.group.id):
                shots_left[key] -= 1
                guns_left.append(guns)
        return tuple(guns_left)

    def worth_of_pins(self, situation: Situation) -> dict[str, float]:
        """What a pin test is worth against each group of the enemy, in points by its id; empty
        where pinning is not played."""
        if not self._state.options.pinning:
            return {}
        side = self._state.setup.enemy_of(self._side).id
        # What it is worth to pin a group, times the chance that a test does.
        worths = self._plans.ground_denied(situation, turns_left(self._state))
        for enemy in situation.enemies:
            if enemy.group.id in worths:
                quality = quality_of_group(self._state, side, enemy.group.contingent)
                worths[enemy.group.id] *= chance_of_pin(quality, self._state.setup.catalog)
        return worths

    @cached_property
    def next_shots(self) -> list[DefensiveShot]:
        """The commander's list of shots of phase 2, what kills most first, without what has been
        fired."""
        situation = self._as_they_are()
        # Of each kind of guns, how many have fired in this part of the turn.
        fired = []
        for guns in self._board.fire.guns_of(situation.own):
            ready = self._number_ready(guns.stand.group, guns.unit.id, guns.weapon.id)
            fired.append(guns._replace(number=max(0, guns.number - ready)))
        unseen = {(pair.group, pair.enemy) for pair in self.commander.unseen}
        return EnemyTurnFire(self._board).defensive(situation, fired, unseen)

    @cached_property
    def gone_on(self) -> dict[str, TableGroup]:
        """The enemy's groups that moved in their last turn and are not said to have moved in this
        one, by their ids, as they stand if they have gone on in the same direction. Empty once
        players have said where all of them went."""
        if self.turn_of_untold_moves() == 0:
            return {}
        held_by_own = {group.cell for group in self.commander.groups}
        gone_on = {}
        for track in self.commander.tracks:
            group = self.commander.group(track.group)
            # A group that is no longer in its cell has been said to have moved.
            if not track.has_moved or group is None or group.cell != track.cell:
                continue
            further = GroundCell(track.cell.column + track.columns, track.cell.row + track.rows)
            cell = self._as_far_as_it_goes(group.known, track.cell, further)
            # Whether it charges one of his groups is for players to say.
            if cell != track.cell and cell not in held_by_own:
                gone_on[group.id] = replace(
                    group, cell=cell, cover=self._table.ground.in_cover(cell)
                )
        return gone_on

    def turn_of_untold_moves(self) -> int:
        """The number of the game turn in which the enemy has moved since the commander's last
        orders without players having said where. 0 if there is none, and where the program moves
        the enemy itself."""
        state = self._state
        enemy, turn = state.setup.enemy_of(self._side).id, state.clock.turn
        opponent = state.commanders.get(enemy)
        if opponent is not None and not opponent.advises:
            return 0
        # The game turn of the latest move of the enemy: while the commander's side moves first, an
        # enemy who moves after it has not moved yet in this turn.
        moved_in = turn
        if state.mover == self._side and state.first == self._side:
            moved_in = turn - 1
        # The game turn of the commander's orders just before that move.
        ordered_in = moved_in
        if state.first == enemy:
            ordered_in = moved_in - 1
        if self.commander.turn != ordered_in:
            # He has had orders since, or missed a turn, and cannot tell how far groups went in one.
            return 0
        if self.commander.moves_told >= moved_in:
            return 0
        return moved_in

    def _as_far_as_it_goes(
        self, group: GroupKnown, start: GroundCell, goal: GroundCell
    ) -> GroundCell:
        """The cell nearest to a goal, on the table or beyond its edge, that a move of a group
        reaches."""
        mover = mover_of(group, self._state.setup.catalog, _slope_limit(self._state))
        reached = self._table.paths.ahead(mover, start)
        return min(reached, key=partial(_inches_to, goal))

    def enemies_lost_from(self) -> list[TableGroup]:
        """The enemy's groups that have lost somebody since losses were last taken off them."""
        _, others = self._musters()
        return others.with_losses()

    def own_lost_from(self) -> list[TableGroup]:
        """The commander's own groups that have lost somebody since losses were last taken off
        them."""
        own, _ = self._musters()
        return own.with_losses()

    def lost_by(self, id: str, number: int) -> list[TableGroup]:
        """The groups of a side that change if ``number`` of its losses were those of the group with
        this id."""
        own, others = self._musters()
        if any(group.id == id for group in self.commander.groups):
            return own.lost_by(id, number)
        return others.lost_by(id, number)

    @cached_property
    def after_losses(self) -> Commander:
        """The commander with his groups less those who have been lost since his last orders."""
        own, others = self._musters()
        return replace(self.commander, groups=own.survivors(), enemies=others.survivors())

    def _as_they_are(self) -> Situation:
        """Everybody who is on the table and has not been lost meanwhile."""
        return self._situation_of(self.after_losses)

    def _number_ready(self, group: GroupKnown, unit: str, weapon: str) -> int:
        """How many of a unit of a group can still fire that weapon."""
        row = self.row(group, unit)
        if row is None:
            return 0
        clock = self._state.clock
        fired = self.commander.fired(group.id, unit, weapon, clock.turn, clock.side)
        for slot, carried in enumerate(row.weapons):
            if carried.id == weapon:
                return min(len(row.ready_with(slot)), group.counts.get(unit, 0) - fired)
        return 0

    def row(self, group: GroupKnown, unit: str) -> Row | None:
        """The row of the battle screen of a unit of a group of either side."""
        for side in self._state.setup.sides:
            key = str(RowName(side.id, group.contingent, unit))
            if not group.id.startswith(f"{side.id}:"):
                continue
            for row in rows(self._state, side.id):
                if row.key == key:
                    return row
        return None


def _inches_to(goal: GroundCell, cell: GroundCell) -> float:
    """How far a cell is from a goal."""
    return apart(cell, goal)


def _first_of_equals(number: int) -> int:
    """What stands for a draw where ways are only listed: the first of so many, whose index is 0."""
    del number
    return 0


def _slope_limit(state: State) -> int | None:
    """How far a unit goes on slopes in a turn, where the scenario limits that."""
    if state.setup.scenario is None:
        return None
    return slope_limit(state.setup.scenario)


def _hold_of(order: GroupOrder) -> Considered:
    """The way to stay, which is possible for every group."""
    return next(option for option in order.considered if option.action.verb == StayPut.verb)


def _by_score(option: Considered) -> float:
    """The key that sorts the best first."""
    return -option.score.value


def _part_of(group: GroupKnown, number: int) -> GroupKnown:
    """So many of a group, in the order of its units."""
    part: dict[str, int] = {}
    for unit, count in group.counts.items():
        share = min(count, number - sum(part.values()))
        if share > 0:
            part[unit] = share
    return replace(group, counts=part)


def _chosen(order: GroupOrder, allowed: Sequence[Considered]) -> GroupOrder:
    """The order with the first of these ways, of which there is at least one, and what speaks for
    it against the next."""
    best, *others = allowed
    reason = None
    if others:
        reason = best.score.told_by(others[0].score)
    return order._replace(action=best.action, score=best.score, reason=reason, together=(), drawn=0)


@lru_cache(maxsize=4)  # a screen asks for the same state several times
def headquarters(state: State, side: str) -> Headquarters:
    """The headquarters of a side that has a commander. Raises KeyError for one that has none."""
    return Headquarters(state, side, state.commanders[side])
