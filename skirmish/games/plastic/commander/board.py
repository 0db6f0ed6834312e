"""All that is worked out about one table, once: ground, ways, sight, fire.

A ``Survey`` belongs to a map, a ``CommandTable`` to a battle on it, which both sides share, and a
``Board`` to one of its sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.contact import Contact
from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.fire import FireTable, ForbiddenTarget
from skirmish.games.plastic.commander.firepower import Firepower
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.moves import Moves, mover_of
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commander.weights import (
    CommanderWeights,
    SightShares,
    Temperament,
    TemperamentId,
)
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.chance import SUITS


class Spadework(NamedTuple):
    """What the men of a side can do with spades and shears: the units that dig in as ``engineers``,
    and the ``cutters`` who clear wire. They differ where riflemen of a nation dig in as engineers,
    but cannot clear wire. ``digging``: whether anybody digs in at all ("Entrenching" is an
    option)."""

    engineers: frozenset[str] = frozenset({"engineer"})
    cutters: frozenset[str] = frozenset({"engineer"})
    digging: bool = True

    def has_engineers(self, group: GroupKnown) -> bool:
        """Whether men of a group dig in as engineers."""
        return bool(self.engineers & set(group.counts))

    def can_cut_wire(self, group: GroupKnown) -> bool:
        """Whether men of a group clear wire."""
        return bool(self.cutters & set(group.counts))

    def chance_to_dig_in(self, group: GroupKnown, catalog: Catalog) -> float:
        """The chance that a group gets cover by digging in: engineers even alone, others only where
        they are enough; 0 for those who may not. It is the share of the suits by which digging
        succeeds. A die succeeds as often as a card."""
        men = group.men_on_foot(catalog)
        if not self.digging or not men:
            return 0.0
        if self.has_engineers(group):
            return len(catalog.entrench.engineers.suits) / len(SUITS)
        if men < catalog.entrench.group_of:
            return 0.0
        return len(catalog.entrench.group.suits) / len(SUITS)


class Board(NamedTuple):
    """What the actions of one side are scored by."""

    catalog: Catalog
    ground: TableGround
    paths: Paths
    fire: FireTable
    danger: Danger
    moves: Moves
    firepower: Firepower
    contact: Contact
    weights: CommanderWeights
    temperament: Temperament
    emplaced: Mapping[str, str] = {}
    """By the id of each group with a gun that may not move: the id of the unit that its crew
    becomes when it abandons the gun."""
    spadework: Spadework = Spadework()
    inches_on_slopes: int | None = None
    """How far anybody moves in a turn on slopes; None where the scenario does not limit that."""

    def mover(self, group: GroupKnown) -> Mover:
        """How a group of either side moves on this table."""
        return mover_of(group, self.catalog, self.inches_on_slopes)


class Survey(NamedTuple):
    """What is worked out from the map of a table alone, whoever fights on it."""

    ground: TableGround
    paths: Paths
    sight: Sight


@lru_cache(maxsize=12)  # each published scenario, and one or two others
def survey_of(field: Battlefield, grid: CellGrid, shares: SightShares) -> Survey:
    """The survey of a map, with these ``shares`` of clear lines. It works things out when they are
    first needed, and keeps them for the next battle on the same map."""
    ground = TableGround(field, grid)
    return Survey(ground, Paths(ground), Sight(ground, shares))


class CommandTable:
    """One table under the rulings of one battle."""

    def __init__(
        self,
        field: Battlefield,
        grid: CellGrid,
        catalog: Catalog,
        rulings: Mapping[str, str],
        *,
        weights: CommanderWeights,
        kills: KillTable | None = None,
        sight_in: int | None = None,
        blown: frozenset[str] = frozenset(),
        forbidden: frozenset[ForbiddenTarget] = frozenset(),
        inches_on_slopes: int | None = None,
    ) -> None:
        """``kills``: a table of these rulings that is there already; ``sight_in``: inches beyond
        which nobody sees, in the dark. ``blown``: the ids of the charges that went off, for which
        the map lacks a bridge; kept so that a battle sees whether this table is still its own.
        ``forbidden``: what the scenario forbids to fire at. ``inches_on_slopes``: as in
        ``Board``."""
        self.catalog = catalog
        self.grid = grid
        self.weights = weights
        if kills is None:
            kills = KillTable(catalog, rulings)
        self.kills = kills
        self.sight_in = sight_in
        self.blown = blown
        self.inches_on_slopes = inches_on_slopes
        survey = survey_of(field, grid, weights.sight)
        self.ground = survey.ground
        self.paths = survey.paths
        self.fire = FireTable(
            catalog, rulings, survey.sight, self.kills, sight_in=sight_in, forbidden=forbidden
        )

    def with_wire(self, wire: frozenset[GroundCell]) -> CommandTable:
        """The same table with wire in these cells, and nowhere else."""
        wired = copy(self)
        wired.paths = self.paths.with_wire(wire)
        return wired

    def board(
        self,
        temperament: TemperamentId = "steady",
        emplaced: Mapping[str, str] | None = None,
        spadework: Spadework | None = None,
        *,
        each_own_loss: float = 0.0,
        each_enemy_loss: float = 0.0,
    ) -> Board:
        """The board of one side, led by a commander of this temperament. ``emplaced``,
        ``spadework``: as in ``Board``, None for its defaults. ``each_own_loss``,
        ``each_enemy_loss``: where the break point decides, the points that the loss of one
        potential dead guy of this side or of its enemy is worth beyond his price. Potential dead
        guys are what units count toward the break point."""
        if emplaced is None:
            emplaced = {}
        if spadework is None:
            spadework = Spadework()
        weights = self.weights
        # ``danger`` is the enemy's fire, which this side pays for; ``fire`` is its own.
        danger = Danger(
            self.fire.with_losses_worth(each_own_loss), choosing_exponent=weights.fire.choosing
        )
        fire = self.fire.with_losses_worth(each_enemy_loss)
        firepower = Firepower(fire)
        temperament_weights = weights.temperaments[temperament]
        moves = Moves(
            self.ground,
            self.paths,
            danger,
            firepower,
            weights=weights,
            temperament=temperament_weights,
        )
        contact = Contact(
            self.catalog, self.kills, fire, danger, weight_of_later_kill=weights.fire.foreseen
        )
        return Board(
            catalog=self.catalog,
            ground=self.ground,
            paths=self.paths,
            fire=fire,
            danger=danger,
            moves=moves,
            firepower=firepower,
            contact=contact,
            weights=weights,
            temperament=temperament_weights,
            emplaced=emplaced,
            spadework=spadework,
            inches_on_slopes=self.inches_on_slopes,
        )
