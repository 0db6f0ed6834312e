"""Defensive fire, after the enemy has moved (phase 2): the list of who fires at whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.fire import GunKey, Guns
from skirmish.games.plastic.commander.firepower import AimedShot, UnseenPair
from skirmish.games.plastic.commander.situation import Situation, Stand


class DefensiveShot(NamedTuple):
    """Shots of one weapon of a group at one target, with what they kill on average. ``unit``: the
    id of the unit at which they are aimed."""

    guns: Guns
    target: Stand
    unit: str
    kills: float
    points: float

    @property
    def shooter(self) -> Stand:
        """The group that fires."""
        return self.guns.stand

    @property
    def number(self) -> int:
        """How many fire."""
        return self.guns.number

    @property
    def weapon(self) -> str:
        """The name of the weapon."""
        return self.guns.weapon.name

    @property
    def words(self) -> str:
        """``Gun 2, Machinegun at Second in D4: kills 1.2 on average.``"""
        weapon = self.weapon
        if self.number > 1:
            weapon = f"{self.number} × {self.weapon}"
        target = f"{self.target.group.name} in {self.target.cell.square}"
        shooter = f"{self.shooter.group.name}, {weapon}"
        # A gun that is a group of its own is called like its weapon.
        if self.shooter.group.name == weapon:
            shooter = weapon
        return f"{shooter} at {target}: kills {self.kills:.1f} on average."


class _VolleyKey(NamedTuple):
    """What the shots of one line of the list have in common: the ids of who fires what at whom."""

    group: str
    weapon: str
    target: str


class DefensiveFire:
    """The defensive fire of one side."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def shots(
        self,
        situation: Situation,
        number_fired: Mapping[GunKey, int] | None = None,
        unseen: Collection[UnseenPair] = (),
    ) -> list[DefensiveShot]:
        """The shots of phase 2, those that are worth most first. Each weapon that has not fired
        yet is aimed at the target of which it kills most, given what the weapons aimed before it
        are expected to kill. Weapons that can hit nobody are left out.

        ``number_fired``: how many guns have fired already, by their key; ``unseen``: groups that do
        not see each other, whatever the map says.
        """
        groups = [stand.group.id for stand in free_to_fire(situation)]
        aimed = self._board.firepower.aimed_shots(
            situation, groups, number_fired=number_fired, unseen=unseen
        )
        volleys: dict[_VolleyKey, list[AimedShot]] = {}
        for shot in aimed:
            key = _VolleyKey(shot.guns.stand.group.id, shot.guns.weapon.id, shot.stand.group.id)
            volleys.setdefault(key, []).append(shot)
        shots = [_line_of(volley) for volley in volleys.values()]
        shots.sort(key=_points_of, reverse=True)
        return shots


def free_to_fire(situation: Situation) -> list[Stand]:
    """The groups of the side that may fire at range: those that share no cell with an enemy."""
    enemy_cells = {enemy.cell for enemy in situation.enemies}
    return [stand for stand in situation.own if stand.cell not in enemy_cells]


def _line_of(volley: Sequence[AimedShot]) -> DefensiveShot:
    """The shots of a volley, all with the same weapon at the same group, as one line of the
    list."""
    first = volley[0]
    return DefensiveShot(
        first.guns._replace(number=len(volley)),
        first.stand,
        first.shootable.unit.id,
        kills=sum(shot.kills for shot in volley),
        points=sum(shot.points for shot in volley),
    )


def _points_of(shot: DefensiveShot) -> float:
    return shot.points
