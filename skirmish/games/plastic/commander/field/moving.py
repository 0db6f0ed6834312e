"""What groups of the field do in their own turn: moves and charges, through the enemy's fire."""

from __future__ import annotations

import math
from collections import Counter

from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoTo,
    LeaveTable,
    MountUp,
    StayPut,
)
from skirmish.games.plastic.commander.aims import slope_limit, spadework_of
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.commander.field.shots import FieldShots
from skirmish.games.plastic.commander.field.waiting_fire import WaitingFire
from skirmish.games.plastic.commander.moves import mover_of
from skirmish.games.plastic.commander.situation import Stand
from skirmish.games.plastic.rules.checks import is_dug_in
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point


class FieldMoves:
    """Carries out the actions of groups. ``table``: the table as it lies now; wire that is cut in a
    turn is gone from it after the turn (``take_away_cut_wire``)."""

    def __init__(
        self, scenario: Scenario, table: CommandTable, forces: FieldForces, shots: FieldShots
    ) -> None:
        self.table = table
        self._scenario = scenario
        self._forces = forces
        self._shots = shots
        self._cut: set[GroundCell] = set()

    def take_away_cut_wire(self) -> bool:
        """Make the table one without the wire that has been cut. Returns whether there was any."""
        wire_left = self.table.paths.wire - self._cut
        if wire_left == self.table.paths.wire:
            return False
        self.table = self.table.with_wire(wire_left)
        return True

    def act(self, side: str, group: FieldGroup, action: Action, fire: WaitingFire) -> None:
        """What a group does in phase 1, through the ``fire`` of its enemy. Charges come later
        (``charge``)."""
        match action:
            case GoTo() | StayPut():
                # Who stays has no way on which to be fired at.
                self._move_under_fire(group, action.stand, fire)
            case LeaveTable():
                self._forces.leave_table(side, group)
            case DigIn():
                self._dig_in(side, group)
            case CutWire():
                self._cut.add(action.wire)
            case GetOut():
                self._forces.get_out(side, group)
                self._go(group, action.stand)
            case MountUp():
                self._mount(side, group, action.carrier)
                self._go(group, action.stand)
            case Abandon():
                group.counts = Counter({action.becomes: group.counts.total()})
                self._go(group, action.stand)

    def charge(self, group: FieldGroup, charge: Charge, fire: WaitingFire) -> None:
        """A group charges, through the fire of all who wait for it and of those whom it charges. If
        it is pinned on its way, it stays where it began, unlike a group that moves."""
        pinned_in = fire.fire_at_mover(group, charge.enemy.cell)
        if pinned_in is not None:
            return
        if group.alive:
            fire.fire_at_charge(group, charge.enemy.group.id)
        # Where it is matters no more if nobody of it is left: it is not ``present`` then.
        group.move_into(charge.stand.cell, cover=False)

    # ------------------------------------------------------------------ moves

    def _move_under_fire(self, group: FieldGroup, to: Stand, fire: WaitingFire) -> None:
        """Move a group to a stand, or to where the fire of its enemy pins it."""
        pinned_in = fire.fire_at_mover(group, to.cell)
        if pinned_in is not None:
            to = Stand(to.group, pinned_in)  # in the open: it has left its cover
        if group.alive:
            self._go(group, to)

    def _go(self, group: FieldGroup, to: Stand) -> None:
        """Move a group to a stand, or as far as a move takes it: over a corner or up a slope it may
        end between the middles of two cells, and goes on from there."""
        if to.cell == group.cell:
            group.cover = to.cover
            return
        group.place = self._end_of_move(group, to)
        group.cell = self.table.grid.at(group.place)
        if group.cell == to.cell:
            group.cover = to.cover
        else:
            group.cover = self.table.ground.in_cover(group.cell)

    def _end_of_move(self, group: FieldGroup, to: Stand) -> Point:
        """The middle of the cell to which a group goes, or the place on the way where a move
        ends."""
        mover = mover_of(group.stand.group, self.table.catalog, slope_limit(self._scenario))
        turns_to = self.table.paths.turns(mover, group.cell)
        # Men who get out step beside their carrier in this turn, also where they have no way on
        # foot from its cell.
        turns = turns_to.get(to.cell, 1.0)
        # As the crow flies; more than the whole way if that takes less than a turn.
        inches_a_turn = apart(group.cell, to.cell) / turns
        inches_to_go = math.dist(group.place, to.cell.middle)
        if inches_to_go <= inches_a_turn + plane.ROUNDING:
            return to.cell.middle
        part = inches_a_turn / inches_to_go
        x, y = group.place
        middle_x, middle_y = to.cell.middle
        return x + (middle_x - x) * part, y + (middle_y - y) * part

    # ------------------------------------------------------------------ other actions

    def _dig_in(self, side: str, group: FieldGroup) -> None:
        """A card decides whether a group has cover until it moves on."""
        spadework = spadework_of(self._scenario, side, self.table.catalog)
        has_engineers = spadework.has_engineers(group.stand.group)
        card = self._shots.draw_card()
        # ``spadework`` alone says who digs in as engineers do: no nation is asked.
        if is_dug_in(has_engineers, riflemen_of=None, draw=card, catalog=self.table.catalog):
            group.cover = True

    def _mount(self, side: str, group: FieldGroup, carrier: Stand) -> None:
        """The men of a group mount a carrier. If it is not there any more, since it was lost or
        others have mounted it, they stay on foot."""
        for other in self._forces.groups[side]:
            if other.id == carrier.group.id and other.alive:
                group.mount(other)
