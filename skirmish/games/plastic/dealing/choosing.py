"""Chooses what is dealt: the table, the names on it, the last turn, and the forces of both sides.

The order in which ``chance`` is asked is part of what a code means: see the head of ``table``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.dealing.forces import ENOUGH, Recruiter, Stock, parted
from skirmish.games.plastic.dealing.names import PlaceNames
from skirmish.games.plastic.dealing.squares import (
    BLOCKS_MODELS,
    COVER,
    AttackFrame,
    Square,
    Surface,
)
from skirmish.games.plastic.dealing.table import LaidTable, Owned
from skirmish.games.plastic.dealing.terrain import in_inches
from skirmish.games.plastic.dealing.themes import Group, Region, Theme
from skirmish.games.plastic.dealing.wishes import (
    FORCE_SEEDS,
    SEED_PREFIX,
    Books,
    NoSuchBattleError,
    Wishes,
)
from skirmish.games.plastic.rules.catalog import Nation
from skirmish.games.plastic.scenarios.order_of_battle import Edge
from skirmish.tabletop.measure import INCHES_A_FOOT

# ------------------------------------------------------------------ the table

ATTEMPTS = 8
"""Tables that are laid before the best of them is taken."""
# Penalties of a table: one that had all of these faults would have the sum of them. The first
# weighs more than all others together.
NOBODY_GETS_THERE = 20
NO_MODEL_GETS_THERE = 5
TOO_FEW_TO_FIGHT_FOR = 6
ONE_WAY_OVER = 3
COVER_IS_UNUSUAL = 2
NOBODY_SEES_IT = 1

LEAST_HOUSES = 3
LEAST_TARGETS = 4
"""Parked aircraft, as the houses before them: with fewer there is too little to fight for."""
BARE = 12
"""Percent of cover below which any table is bare: the median of the book's ten scenarios is 14."""
COVER_LEEWAY = 4
"""Percent by which there may be more cover than the region has."""
SIGHT = 24
"""Inches within which being seen matters."""
FARTHEST_EYE = 36
"""Inches from the objective: eyes farther away, which are far to one side of it, do not count."""
MOSTLY_HIDDEN = 0.9
"""The part of the lines of sight to an objective: if more are blocked, nobody can fire at it."""
REACH_OF_FIRE = 12
"""Inches in front of the defenders within which attackers need cover."""

# ------------------------------------------------------------------ the clock

ON_FOOT, BY_ROAD = 6, 12
"""Inches of a move."""
EXTRA_TURNS: dict[str, int] = {"short": -1, "evening": 0, "long": 2}
"""Turns more or less, by the length that is wished for."""
FEWEST_TURNS = 6
"""The last turn of the shortest battle."""
TURNS_TO_FIGHT = 3
"""Turns that somebody has once he has walked to where he is needed."""

# ------------------------------------------------------------------ the forces

LEAST_WITH_TANKS = 90
"""Points below which a tank would be most of a force."""
LEAST_DEALT = 10
"""Points that a side has at least, however few figures there are."""
TANKS = ("tank", "tiger", "kv", "desert_tank")
"""What defenders answer with anti-tank pieces."""
MEN_OF_A_HOUSE, MEN_OF_A_DEFENCE = 5, 40
"""Men whom a house shelters, and those of a usual defence."""
LEAST_ODDS = 0.6
"""The attackers never have fewer than so many times the defender's points."""
USUAL_NEAR_COVER = 0.3
"""The part of the defenders' front with cover before it, for which a theme's odds are meant."""
WORTH_OF_NEAR_COVER = 0.6
"""How far the odds sink if all of the front has cover before it instead of none."""
POINTS_A_TRUCK = 25
"""How many points of the attackers there are for each truck of a convoy."""
FEWEST_TRUCKS, MOST_TRUCKS = 4, 10
"""The trucks of a convoy, where enough are owned."""
LEAST_CONVOY = 2
"""Trucks without which there is no convoy, however few are owned."""

# ------------------------------------------------------------------ the bridge

FIRST_WITH_CHARGES = 2
"""The first version of the dealer that lays charges."""
ENOUGH_WAYS_OVER = 2
"""Crossings of the water, so that all does not depend on a single one."""


class DealtSide(NamedTuple):
    """A side of the battle: its nation, its groups, and the units and works of each."""

    nation: Nation
    groups: Sequence[Group]
    forces: list[Counter[str]]
    works: list[Counter[str]]

    @property
    def people(self) -> str:
        """``Germans``."""
        return self.nation.people

    def whole_force(self) -> Counter[str]:
        """The units of all groups together."""
        whole: Counter[str] = Counter()
        for force in self.forces:
            whole += force
        return whole


class Forces(NamedTuple):
    """Both forces, the points that each has spent, the ``odds`` that were aimed at (how many times
    the defender's points the attacker has), and the Rifle Guys that are left in ``reserve``."""

    attacking: DealtSide
    defending: DealtSide
    attack_points: int
    defence_points: int
    odds: float
    reserve: int


class MeasuredTable(NamedTuple):
    """A table, and what was measured on it."""

    table: LaidTable
    penalty: int
    """For all of its faults together; 0 for a table that has none."""
    walk: float
    """Inches that the attackers walk to the objective."""
    near_cover: float
    """The part of the defenders' front that the attackers can reach in cover."""


class ChosenBattle(NamedTuple):
    """What was chosen for a seed. ``title`` and ``situation`` are sentences of the theme, with
    words in braces where ``names`` and peoples belong; ``is_mined``: the defenders have laid
    charges under the bridge."""

    wishes: Wishes
    theme: Theme
    region: Region
    table: LaidTable
    names: PlaceNames
    title: str
    situation: str
    last_turn: int
    forces: Forces
    is_mined: bool = False


def choose_battle(wishes: Wishes, seed: int, books: Books) -> ChosenBattle:
    """The battle of these wishes and this seed. Raises NoSuchBattleError."""
    theme = books.themes[wishes.theme]
    region = books.regions.regions[wishes.region]
    table_seed, force_seed = divmod(seed, FORCE_SEEDS)
    # Python draws the same from a text on every machine.
    chance = Random(f"{SEED_PREFIX}:table:{table_seed}")
    frame = _attack_frame(wishes, theme, chance)
    measured = _best_table(wishes, theme, region, frame, chance)
    names = PlaceNames(region, chance)
    title = chance.choice(_true_of(theme.titles, measured.table))
    situation = chance.choice(_true_of(theme.situations, measured.table))
    last_turn = _last_turn(wishes, theme, measured.walk)
    chance = Random(f"{SEED_PREFIX}:forces:{force_seed}")
    forces = _Enlistment(wishes, books, measured, last_turn, chance).forces()
    return ChosenBattle(
        wishes=wishes,
        theme=theme,
        region=region,
        table=measured.table,
        names=names,
        title=title,
        situation=situation,
        last_turn=last_turn,
        forces=forces,
        is_mined=_is_mined(wishes, theme, measured.table, seed),
    )


def _is_mined(wishes: Wishes, theme: Theme, table: LaidTable, seed: int) -> bool:
    """Whether there are charges under the bridge. Only where there is another way over the water:
    else the battle would end with the first draw."""
    if wishes.version < FIRST_WITH_CHARGES or len(table.crossings) < ENOUGH_WAYS_OVER:
        return False
    if table.crossings[0].is_ford:
        return False
    # A chance of its own, so that table and forces are those of battles without charges.
    chance = Random(f"{SEED_PREFIX}:charges:{seed}")
    return chance.randrange(100) < theme.charges


def _true_of(sentences: Sequence[str], table: LaidTable) -> Sequence[str]:
    """The sentences that name no village where the table has no house; all if every one of them
    does."""
    if table.houses:
        return sentences
    without_village = [sentence for sentence in sentences if "{village}" not in sentence]
    return without_village or sentences


def _attack_frame(wishes: Wishes, theme: Theme, chance: Random) -> AttackFrame:
    """The table as it is attacked: over one of the edges between which the way is long, or short,
    as the theme wants it."""
    width, depth = wishes.width * INCHES_A_FOOT, wishes.depth * INCHES_A_FOOT
    over_the_width: list[Edge] = ["W", "E"]
    over_the_depth: list[Edge] = ["S", "N"]
    long_way, short_way = over_the_width, over_the_depth
    if depth > width:
        long_way, short_way = over_the_depth, over_the_width
    edges = short_way
    if theme.attack == "long":
        edges = long_way
    return AttackFrame(chance.choice(edges), width, depth)


def _best_table(
    wishes: Wishes, theme: Theme, region: Region, frame: AttackFrame, chance: Random
) -> MeasuredTable:
    """The first table without a fault, or the one with the least penalty."""
    owned = Owned(None)
    if wishes.terrain is not None:
        owned = Owned(in_inches(wishes.terrain))
    best: MeasuredTable | None = None
    for _ in range(ATTEMPTS):
        table = LaidTable(theme, region, frame, owned, chance)
        table.lay()
        measured = _measured(table, wishes)
        if best is None or measured.penalty < best.penalty:
            best = measured
        if not best.penalty:
            break
    assert best is not None, "a table was laid"
    return best


def _measured(table: LaidTable, wishes: Wishes) -> MeasuredTable:
    """The table with what matters for choosing it, and for the forces."""
    starts = _starts(table)
    walk = table.squares.walk(starts, table.objective, Surface.WATER)
    penalty = _penalty_of(table, wishes)
    if walk is None:
        penalty += NOBODY_GETS_THERE
        walk = float(table.frame.length)
    elif table.squares.walk(starts, table.objective, BLOCKS_MODELS) is None:
        penalty += NO_MODEL_GETS_THERE
    return MeasuredTable(table, penalty, walk, _near_cover(table))


def _penalty_of(table: LaidTable, wishes: Wishes) -> int:
    """The penalty for what is wrong with a table, apart from the way to its objective."""
    theme = table.theme
    penalty = 0
    least, most = table.region.cover
    cover = table.cover_percent()
    is_overgrown = cover > most + COVER_LEEWAY
    # Even a region with much cover may have a table with less, as long as it is not bare.
    is_bare = cover < min(least, BARE)
    # Behind a beach there is little room for cover, and players who own few woods can lay few.
    may_be_bare = table.shore > 0 or wishes.terrain is not None
    if is_overgrown or (is_bare and not may_be_bare):
        penalty += COVER_IS_UNUSUAL
    if theme.objective == "village" and len(table.houses) < LEAST_HOUSES:
        penalty += TOO_FEW_TO_FIGHT_FOR
    if theme.objective == "targets" and len(table.targets) < LEAST_TARGETS:
        penalty += TOO_FEW_TO_FIGHT_FOR
    if theme.victory.around == "bridge" and len(table.crossings) < ENOUGH_WAYS_OVER:
        penalty += ONE_WAY_OVER
    wants_a_view = theme.objective in ("bridge", "middle")
    if wants_a_view and _hidden_part(table) > MOSTLY_HIDDEN:
        penalty += NOBODY_SEES_IT
    return penalty


def _starts(table: LaidTable) -> list[Square]:
    """Where the attackers enter: over their edge, or over the shore of a sea."""
    along = int(table.shore)
    breadth = table.frame.breadth
    if any(group.entry == "corners" for group in table.theme.attackers):
        return [(along, 2), (along, breadth - 3)]
    # Every few inches is enough to find the shortest way.
    return [(along, across) for across in range(4, breadth - 4, 3)]


def _near_cover(table: LaidTable) -> float:
    """The part of the defenders' front that has cover for attackers within 12 inches."""
    fronts = []
    for group in table.theme.defenders:
        if group.zone is not None:
            nearest_to_attacker, _ = group.zone
            fronts.append(nearest_to_attacker)
    # Where no defenders wait on the table, both sides meet in the middle of it.
    front = int(min(fronts, default=0.5) * table.frame.length)
    # Every 6 inches of the front will do: cover is looked for 4 inches to either side of each.
    places = range(3, table.frame.breadth, 6)
    near = sum(1 for across in places if _has_cover_before(table, front, across))
    return near / len(places)


def _has_cover_before(table: LaidTable, front: int, across: int) -> bool:
    """Whether attackers find cover before this place of the defenders' front. Every second square
    is looked at, which is enough to see a wood or a hedge."""
    squares = []
    for along in range(front - REACH_OF_FIRE, front, 2):
        for beside in range(across - 4, across + 5, 2):
            squares.append((along, beside))
    return not table.squares.are_free_of(COVER, squares)


def _hidden_part(table: LaidTable) -> float:
    """The part of the lines of sight to the objective, from 24 inches before it, that something
    blocks."""
    goal = table.objective
    blocked = total = 0
    # An eye every 8 inches across the table.
    for across in range(4, table.frame.breadth, 8):
        eye = (max(goal[0] - SIGHT, 1.0), float(across))
        if math.dist(eye, goal) > FARTHEST_EYE:
            continue
        total += 1
        if not table.squares.is_in_sight(goal, eye):
            blocked += 1
    return blocked / max(total, 1)


def _last_turn(wishes: Wishes, theme: Theme, walk: float) -> int:
    """The turn after which the battle ends, where the attackers walk so many inches."""
    move = ON_FOOT
    if any(group.motor or group.trucks for group in theme.attackers):
        move = BY_ROAD
    turns_of_walk = math.ceil(walk / move)
    if theme.there_and_back:
        turns_of_walk *= 2
    last_turn = turns_of_walk + theme.slack + EXTRA_TURNS[wishes.length]
    for group in theme.attackers:
        # Who comes later needs the turns of his way, and some to fight. He comes at a share of the
        # battle, so a later end makes him come later, too, and both are moved until they fit.
        while group.turn_share and _last_fight(group, last_turn, turns_of_walk) > last_turn:
            last_turn += 1
    return max(last_turn, FEWEST_TURNS)


def _last_fight(group: Group, last_turn: int, turns_of_walk: int) -> int:
    """The turn until which a group has something to do if it is not to come in vain."""
    return group.turn_in(last_turn) + turns_of_walk + TURNS_TO_FIGHT - 1


class _Budget(NamedTuple):
    """The points that both sides may spend, and the odds that these come from."""

    attack: int
    defence: int
    odds: float


class _Enlistment:
    """Raises the forces of a battle."""

    def __init__(
        self, wishes: Wishes, books: Books, measured: MeasuredTable, last_turn: int, chance: Random
    ) -> None:
        self._wishes = wishes
        self._books = books
        self._theme = measured.table.theme
        self._region = measured.table.region
        self._measured = measured
        self._last_turn = last_turn
        self._chance = chance

    def forces(self) -> Forces:
        """Both forces, at the points wished for or as many as the figures allow. Raises
        NoSuchBattleError."""
        points = self._wishes.points
        state = self._chance.getstate()
        while True:
            # Each time from the beginning, so that fewer points choose like more of them.
            self._chance.setstate(state)
            forces = self._forces_at(points)
            if forces is not None:
                return forces
            if points <= LEAST_DEALT:
                raise NoSuchBattleError(
                    "There are too few figures for two sides. Enter more, or play with any."
                )
            points = int(points * 0.9)  # a tenth less each time

    def _forces_at(self, points: int) -> Forces | None:
        """Both forces, the larger one of so many points; None if the figures do not suffice.

        Both recruit from one stock of figures, in an order that is part of what a code means: the
        attackers' men and models, those of the defenders, then the craft, trucks and works of the
        attackers and those of the defenders. What is left then is the reserve.
        """
        stock = Stock(None)
        if self._wishes.figures is not None:
            stock = Stock(dict(self._wishes.figures))
        attackers = self._recruiter(self._wishes.attacker, stock)
        defenders = self._recruiter(self._wishes.defender, stock)
        budget = self._budget(points, self._odds(self._part_dug_in(stock)))
        arms = self._arms()
        attack_force = self._attack_force(attackers, stock, budget, arms)
        defence_force = self._defence_force(defenders, budget, arms, attack_force)
        attack_points = attackers.price(attack_force)
        defence_points = defenders.price(defence_force)
        convoy = round(attack_points / POINTS_A_TRUCK)
        attacking = self._grouped(self._theme.attackers, attackers, attack_force, convoy)
        defending = self._grouped(self._theme.defenders, defenders, defence_force, convoy)
        defending = self._with_parked_aircraft(defending)
        has_too_few = (
            attack_points < budget.attack * ENOUGH or defence_points < budget.defence * ENOUGH
        )
        if has_too_few or not _all_can_land(attacking, attackers) or not _has_convoy(attacking):
            return None
        return Forces(
            attacking=attacking,
            defending=defending,
            attack_points=attack_points,
            defence_points=defence_points,
            odds=budget.odds,
            reserve=stock.count_of("rifle"),
        )

    def _budget(self, points: int, odds: float) -> _Budget:
        """The points of both sides, of which the stronger has all that were wished for."""
        if odds < 1:
            return _Budget(attack=round(points * odds), defence=points, odds=odds)
        return _Budget(attack=points, defence=round(points / odds), odds=odds)

    def _with_parked_aircraft(self, side: DealtSide) -> DealtSide:
        """The defenders with the aircraft that are to be destroyed, if that is what the battle is
        about: they stand in the list of the first group, and cost no points."""
        targets = self._measured.table.targets
        if self._theme.objective != "targets" or not targets:
            return side
        first_force = Counter(side.forces[0])
        first_force["aircraft"] = len(targets)
        return side._replace(forces=[first_force, *side.forces[1:]])

    def _recruiter(self, nation: str, stock: Stock) -> Recruiter:
        """Who chooses the figures of a nation from the stock of both sides."""
        without = []
        if self._theme.objective == "targets":
            # Players call both it and the parked aircraft by one letter.
            without.append("kv")
        return Recruiter(
            self._books.catalog,
            self._books.regions,
            region=self._region,
            nation=nation,
            month=self._wishes.month,
            stock=stock,
            chance=self._chance,
            without=without,
        )

    def _part_dug_in(self, stock: Stock) -> float:
        """The part of the defenders that finds cover, before they are chosen: all of them, or those
        in houses if the players have no works."""
        if stock.left is None or stock.count_of("entrenchment") or stock.count_of("sandbags"):
            return 1.0
        return min(len(self._measured.table.houses) * MEN_OF_A_HOUSE / MEN_OF_A_DEFENCE, 1.0)

    def _odds(self, part_dug_in: float) -> float:
        """How many times the defender's points the attacker has, where this part of the defenders
        is dug in. With odds of 2.0 and ``cover_odds`` of 4, which are tenths, that is 2.0 if all of
        them are, 1.8 if half of them are, and 1.6 if none is. Cover before the defenders, which
        helps the attack, takes something off as well."""
        if self._theme.meeting:
            return 1.0
        part_in_the_open = 1 - part_dug_in
        odds = self._theme.odds - 0.1 * self._theme.cover_odds * part_in_the_open
        if self._theme.cover_odds:
            odds -= WORTH_OF_NEAR_COVER * (self._measured.near_cover - USUAL_NEAR_COVER)
        return max(odds, LEAST_ODDS)

    def _arms(self) -> str:
        """What the attack is made of: one of the ``arms`` of the theme."""
        possible = list(self._theme.arms)
        if self._wishes.points < LEAST_WITH_TANKS and "armour" in possible:
            possible.remove("armour")
        return self._chance.choice(possible)

    def _attack_force(
        self, recruiter: Recruiter, stock: Stock, budget: _Budget, arms: str
    ) -> Counter[str]:
        """The attackers, in vehicles where that is their task or they would walk too long. They
        choose first and leave the defenders a part of the men."""
        men = stock.count_of("rifle")
        men_of_defenders = round(men * budget.defence / (budget.attack + budget.defence))
        set_aside = stock.take("rifle", men_of_defenders)
        is_motor = any(group.motor for group in self._theme.attackers)
        turns_of_walk = math.ceil(self._measured.walk / ON_FOOT)
        comes_too_late = turns_of_walk + TURNS_TO_FIGHT > self._last_turn
        force = recruiter.recruit(budget.attack, arms, men_aboard=is_motor or comes_too_late)
        stock.give_back("rifle", set_aside)
        return force

    def _defence_force(
        self, recruiter: Recruiter, budget: _Budget, arms: str, attack_force: Counter[str]
    ) -> Counter[str]:
        """The defenders: infantry that knows of the attackers' tanks. Where the sides meet and
        neither defends, they are of the same arms as the attackers."""
        defence_arms = "infantry"
        if self._theme.meeting:
            defence_arms = arms
        tanks = sum(attack_force[tank] for tank in TANKS)
        return recruiter.recruit(budget.defence, defence_arms, enemy_tanks=tanks)

    def _grouped(
        self, groups: Sequence[Group], recruiter: Recruiter, force: Counter[str], convoy: int
    ) -> DealtSide:
        """A force in its groups, each with its works, its craft, and the trucks of the ``convoy``
        that it brings through: these come besides the points."""
        catalog = self._books.catalog
        parts = parted(force, [group.share for group in groups], catalog)
        works = []
        for group, part in zip(groups, parts, strict=True):
            if group.entry == "sea":
                recruiter.add_craft(part)
            if group.trucks:
                wanted = min(max(convoy, FEWEST_TRUCKS), MOST_TRUCKS)
                part["truck"] += recruiter.take("truck", wanted)
            if group.works:
                works.append(recruiter.works_for(recruiter.men(part)))
            else:
                works.append(Counter())
        return DealtSide(catalog.nations[recruiter.nation], groups, parts, works)


def _has_convoy(side: DealtSide) -> bool:
    """Whether there are trucks, where it is trucks that must get through."""
    if not any(group.trucks for group in side.groups):
        return True
    return side.whole_force()["truck"] >= LEAST_CONVOY


def _all_can_land(side: DealtSide, recruiter: Recruiter) -> bool:
    """Whether all who come over the sea have a seat in a craft."""
    for group, force in zip(side.groups, side.forces, strict=True):
        if group.entry == "sea" and recruiter.seats(force) < recruiter.men(force):
            return False
    return True
