"""The plan of one side: what each group is there for, and how things stood when it was made.

A plan is made before play and sealed; ``plan_maker`` makes it, and makes another one at the start
of a turn when something has happened that it did not foresee.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.objectives import Objective
from skirmish.games.plastic.commander.weights import CommanderWeights, RoleId, TemperamentId
from skirmish.games.plastic.rules.catalog import listed


class Assignment(msgspec.Struct, frozen=True):
    """What a group is there for: its role, and where; ``goal`` is None if it has nowhere to go."""

    role: RoleId
    goal: Objective | None


Holder: TypeAlias = Literal["own", "enemy", "both", "nobody"]
"""Whose groups are in the cell of an objective."""


class PlanRecord(msgspec.Struct, frozen=True):
    """How things stood when the plan was made.

    By group: its men and models (``strengths``), and the turns to ``spare`` of those who have to be
    at a goal in time. By the cell of each objective that decides by who stands there: its
    ``holders``, and the ``balances``, which are the points of own groups there divided by those of
    the enemy's. ``enemies``: the ids of the groups that were known.
    """

    turn: int
    strengths: Mapping[str, int]
    holders: Mapping[GroundCell, Holder]
    enemies: frozenset[str]
    balances: Mapping[GroundCell, float]
    spare: Mapping[str, int]


class Plan(msgspec.Struct, frozen=True):
    """The assignment of each group by its id, and the record of how things stood. ``all_out``: a
    defender who would lose as things stand attacks with everybody."""

    temperament: TemperamentId
    assignments: Mapping[str, Assignment]
    record: PlanRecord
    all_out: bool = False

    def leads_to(self, group: str, objective: Objective) -> bool:
        """Whether this objective is the goal of a group."""
        assignment = self.assignments.get(group)
        return assignment is not None and assignment.goal == objective

    def words(self, names: Mapping[str, str], aims: Aims, weights: CommanderWeights) -> str:
        """The plan in sentences, to be read after the battle. ``names`` of groups by their ids."""
        sentences = [f"{weights.temperaments[self.temperament].name}."]
        if aims.objectives and aims.per_man:
            sentences.append(f"Each man counts there, {aims.stakes.each:.1f} points.")
        elif aims.objectives:
            sentences.append(f"Ground decides, {aims.stakes.points:.0f} points in all.")
        else:
            sentences.append("No ground decides, but who is left.")
        by_assignment: dict[Assignment, list[str]] = {}
        for group, assignment in self.assignments.items():
            by_assignment.setdefault(assignment, []).append(names.get(group, group))
        for assignment, groups in by_assignment.items():
            role = weights.roles[assignment.role].name
            goal = ""
            if assignment.goal is not None:
                goal = f", for {assignment.goal.name}"
            sentences.append(f"{listed(groups)}: {role}{goal}.")
        if self.all_out:
            sentences.append("It would lose as things stand, so that all attack who can.")
        return " ".join(sentences)
