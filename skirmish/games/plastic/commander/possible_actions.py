"""Which actions a group has in its own turn, as things stand."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoBack,
    GoTo,
    LeaveTable,
    MountUp,
    StayPut,
    TakeCover,
)
from skirmish.games.plastic.commander.cells import CELL, TOUCHING, apart
from skirmish.games.plastic.commander.moves import NEVER, mover_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.paths import WET, Mover
from skirmish.games.plastic.commander.situation import GroupKnown, Stand, is_in_craft, is_soft

MOST_PLACES = 14
"""At most so many places are weighed as the end of a move, those nearest to the objective first.
Fast groups could go to many more, and for each of them the fire of all enemies is worked out, for
which players would have to wait."""
WORTH_A_RIDE = 18
"""Inches: men who have at least so far to go mount a carrier, since they would walk for three
turns. Our choice."""
TURNS_TO_LEAVE_GUN = 2
"""A crew serves its gun until it has only so many turns more than its way takes, so as not to come
too late. Our choice."""


def possible_actions(outlook: Outlook, group: str, *, way_out: bool = False) -> Iterator[Action]:
    """All actions of a group, the first of them to stay. ``way_out``: its objective is an edge of
    the table through which it is to leave."""
    here = outlook.situation.own_stand(group)
    yield StayPut(group, here)
    if here.group.waiting:
        return  # without fuel nothing moves
    becomes = outlook.board.emplaced.get(group)
    # A crew that has become riflemen has abandoned its gun already, and moves like others.
    if becomes is not None and becomes not in here.group.counts:
        yield from _abandoning_gun(outlook, here, becomes)
        return
    if way_out and _reaches_the_edge(outlook, here):
        # At which place of the edge (``spot``) it leaves is not known.
        yield LeaveTable(group, here._replace(cell=outlook.tasks[group].goal, spot=None))
    yield from _moves(outlook, here)
    # Only men on foot seek contact, and only they mount carriers.
    if outlook.board.contact.can_charge(here):
        yield from _charges(outlook, here)
        yield from _carriers_to_mount(outlook, here)
    if _can_dig_in(outlook, here):
        yield DigIn(group, here)
    yield from _wire_to_cut(outlook, here)
    # Who is to leave the table and can be there in time stays aboard.
    rides_off_the_table = way_out and outlook.turns_to_spare(group) >= 0
    if here.group.aboard and not rides_off_the_table:
        yield from _place_to_get_out(outlook, here)


def _abandoning_gun(outlook: Outlook, here: Stand, becomes: str) -> Iterator[Action]:
    """To leave the gun for the cell nearest to the objective, if it is time for that."""
    task = outlook.tasks[here.group.id]
    walking = Mover.of(outlook.board.catalog.units[becomes], task.mover.on_slope)
    turns_from = outlook.turns_from_cells(task._replace(mover=walking))
    if turns_from.get(here.cell, NEVER) < task.turns_left - TURNS_TO_LEAVE_GUN:
        return  # there is still time to serve the gun, and nobody comes back to it
    reach = outlook.board.paths.cells_in_reach(walking, here.cell)
    nearest = min(reach, key=lambda cell: turns_from.get(cell, NEVER))
    cover = outlook.board.ground.in_cover(nearest)
    yield Abandon(here.group.id, Stand(here.group, nearest, cover), becomes)


def _reaches_the_edge(outlook: Outlook, here: Stand) -> bool:
    """Whether a group can leave the table in this turn, over the edge cell that is its goal. If at
    the table it is some inches short of that, the players report that it did not get there."""
    task = outlook.tasks[here.group.id]
    if here.cell == task.goal:
        return True
    if any(enemy.cell == task.goal for enemy in outlook.situation.enemies):
        return False  # they stand in the way
    return task.goal in outlook.board.paths.cells_in_reach(task.mover, here.cell)


def _moves(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """The moves of a group to each place in reach, the nearest to its objective first: on, back or
    into cover."""
    group = here.group.id
    turns_from = outlook.turns_from_cells(outlook.tasks[group])
    turns_from_here = turns_from.get(here.cell, NEVER)
    enemy_cells = {enemy.cell for enemy in outlook.situation.enemies}
    places = outlook.places_in_reach(group)
    if is_in_craft(here.group, outlook.board.catalog):
        # Men in craft go on by water; where it ends, they land.
        ground = outlook.board.ground
        places = [place for place in places if ground.share(ground.water, place.cell) >= WET]
    places.sort(key=lambda place: turns_from.get(place.cell, NEVER))
    for place in places[:MOST_PLACES]:
        if place.cell in enemy_cells:
            continue  # that is contact
        turns_from_there = turns_from.get(place.cell, NEVER)
        if turns_from_there > turns_from_here:
            yield GoBack(group, place)
        elif place.cover and not here.cover and turns_from_there == turns_from_here:
            yield TakeCover(group, place)
        else:
            yield GoTo(group, place)


def _charges(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """A charge at each group of the enemy in reach."""
    mover = outlook.tasks[here.group.id].mover
    reach = set(outlook.board.paths.cells_in_reach(mover, here.cell))
    for enemy in outlook.situation.enemies:
        if enemy.cell in reach:
            yield Charge(here.group.id, here.moved_to(enemy), enemy)


def _carriers_to_mount(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """For men who are far from their objective: to mount each empty carrier beside them with seats
    for all."""
    catalog = outlook.board.catalog
    if apart(here.cell, outlook.tasks[here.group.id].goal) < WORTH_A_RIDE:
        return
    if not all(catalog.units[id].is_guy for id in here.group.counts):
        return
    men = sum(here.group.counts.values())
    for carrier in outlook.situation.own:
        if is_soft(carrier.group, catalog) and outlook.is_before_machine_gun(carrier):
            continue  # whoever is aboard would fall with it
        seats = 0
        for id, count in carrier.group.counts.items():
            seats += catalog.units[id].seats * count
        takes_all = not carrier.group.aboard and seats >= men
        if takes_all and apart(here.cell, carrier.cell) <= TOUCHING:
            yield MountUp(here.group.id, here.moved_to(carrier), carrier)


def _can_dig_in(outlook: Outlook, here: Stand) -> bool:
    """Whether men on foot in the open may dig in."""
    if here.cover or here.group.aboard:
        return False
    return outlook.board.spadework.chance_to_dig_in(here.group, outlook.board.catalog) > 0


def _wire_to_cut(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """For engineers: to cut wire that is in anybody's way, in their own cell or in one that has a
    side in common with it."""
    if here.group.aboard or not outlook.board.spadework.can_cut_wire(here.group):
        return
    for cell in sorted(outlook.board.paths.wire):
        if apart(here.cell, cell) <= CELL:
            cut = CutWire(here.group.id, here, cell)
            if cut.held_up(outlook):
                yield cut


def _place_to_get_out(outlook: Outlook, here: Stand) -> Iterator[Action]:
    """To get out, in the dry cell at or beside the carrier that is nearest to the objective."""
    ground, task = outlook.board.ground, outlook.tasks[here.group.id]
    on_foot = GroupKnown(here.group.id, here.group.name, here.group.aboard)
    walking = mover_of(on_foot, outlook.board.catalog, task.mover.on_slope)
    turns_from = outlook.turns_from_cells(task._replace(mover=walking))
    enemy_cells = {enemy.cell for enemy in outlook.situation.enemies}
    dry = []
    for cell in [here.cell, *ground.grid.neighbours(here.cell)]:
        if cell in enemy_cells:
            continue  # they would have to charge
        if cell in turns_from and ground.share(ground.water, cell) < WET:
            dry.append(cell)
    if dry:
        nearest = min(dry, key=lambda cell: turns_from[cell])
        yield GetOut(here.group.id, Stand(here.group, nearest, ground.in_cover(nearest)))
