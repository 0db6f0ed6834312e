"""Chooses the forces of a dealt battle: what both sides may spend, and the groups of each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.dealing.best_table import MeasuredTable
from skirmish.games.plastic.dealing.clock import is_too_far_on_foot
from skirmish.games.plastic.dealing.recruiter import LEAST_SPENT, Recruiter, Stock, parted
from skirmish.games.plastic.dealing.themes import Group
from skirmish.games.plastic.dealing.wishes import Books, NoSuchBattleError, Wishes
from skirmish.games.plastic.rules.catalog import Nation

LEAST_WITH_TANKS = 90
"""Below so many points the attack is not made of armour: a tank would be most of the force."""
FEWER_POINTS = 0.9
"""If the figures do not suffice, this part of the points is tried next."""
LEAST_TRIED = 10
"""If the figures do not suffice for so few points, or fewer, there is no battle."""
TANKS = ("tank", "tiger", "kv", "desert_tank")
"""Vehicles against which defenders get anti-tank pieces."""
MEN_OF_A_HOUSE, MEN_OF_A_DEFENCE = 5, 40
"""Guys whom a house shelters, and those of a usual defence."""
LEAST_ODDS = 0.6
"""The attackers never have less than this many times the defender's points."""
USUAL_NEAR_COVER = 0.3
"""The odds of a theme are meant for cover before this part of the defenders' front; with more cover
the attackers get fewer points, and with less cover more."""
WORTH_OF_NEAR_COVER = 0.6
"""By how much the odds are lower with cover before all of the front than with none."""
POINTS_A_TRUCK = 25
"""A convoy has a truck for each of so many points of the attackers."""
FEWEST_TRUCKS, MOST_TRUCKS = 4, 10
"""The trucks of a convoy, where enough are owned."""
LEAST_CONVOY = 2
"""Trucks without which there is no convoy, however few are owned."""


class DealtSide(NamedTuple):
    """A side of the battle."""

    nation: Nation
    groups: Sequence[Group]
    units_by_group: list[Counter[str]]
    works_by_group: list[Counter[str]]

    @property
    def people(self) -> str:
        """``Germans``."""
        return self.nation.people

    def whole_force(self) -> Counter[str]:
        """The units of all groups together."""
        whole: Counter[str] = Counter()
        for units in self.units_by_group:
            whole += units
        return whole


class Forces(NamedTuple):
    """The forces of both sides."""

    attacking: DealtSide
    defending: DealtSide
    attack_points: int
    """What the attackers have spent."""
    defence_points: int
    """What the defenders have spent."""
    odds: float
    """How many times the defender's points the attacker was to have."""
    reserve: int
    """The Rifle Guys whom neither side has taken."""


class _Budget(NamedTuple):
    """The points that both sides may spend, and the odds that these come from."""

    attack: int
    defence: int
    odds: float


class Enlistment:
    """Chooses the forces of a battle."""

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
        state_at_start = self._chance.getstate()
        forces = self._forces_at(points)
        while forces is None:
            if points <= LEAST_TRIED:
                raise NoSuchBattleError(
                    "You own too few figures for two sides. Enter more, or play with figures that "
                    "you do not own."
                )
            points = int(points * FEWER_POINTS)
            # The same draws again, so that the smaller forces are like the larger ones.
            self._chance.setstate(state_at_start)
            forces = self._forces_at(points)
        return forces

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
        odds = self._odds(self._part_dug_in(stock))
        budget = self._budget(points, odds)
        arms = self._arms()
        attack_force = self._attack_force(attackers, stock, budget, arms)
        defence_force = self._defence_force(defenders, budget, arms, attack_force)
        attack_points = attackers.price(attack_force)
        defence_points = defenders.price(defence_force)
        trucks_by_points = round(attack_points / POINTS_A_TRUCK)
        trucks = min(max(trucks_by_points, FEWEST_TRUCKS), MOST_TRUCKS)
        attacking = self._grouped(self._theme.attackers, attackers, attack_force, trucks)
        defending = self._grouped(self._theme.defenders, defenders, defence_force, trucks)
        defending = self._with_parked_aircraft(defending)
        enough_attackers = attack_points >= budget.attack * LEAST_SPENT
        enough_defenders = defence_points >= budget.defence * LEAST_SPENT
        if not enough_attackers or not enough_defenders:
            return None
        if not _all_can_land(attacking, attackers) or not _has_convoy(attacking):
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
        """What both sides may spend: the stronger has all of the points."""
        if odds < 1:
            return _Budget(attack=round(points * odds), defence=points, odds=odds)
        return _Budget(attack=points, defence=round(points / odds), odds=odds)

    def _with_parked_aircraft(self, side: DealtSide) -> DealtSide:
        """The defenders with the aircraft that are to be destroyed, if that is what the battle is
        about. They are in the list of the first group, and cost no points."""
        targets = self._measured.table.targets
        if self._theme.objective != "targets" or not targets:
            return side
        of_first_group, *of_other_groups = side.units_by_group
        with_aircraft = Counter(of_first_group)
        with_aircraft["aircraft"] = len(targets)
        return side._replace(units_by_group=[with_aircraft, *of_other_groups])

    def _recruiter(self, nation: str, stock: Stock) -> Recruiter:
        """Who chooses the figures of a nation from the stock of both sides."""
        excluded = []
        if self._theme.objective == "targets":
            # Players would type the same letter for it as for the parked aircraft.
            excluded.append("kv")
        return Recruiter(
            self._books.catalog,
            self._books.regions,
            region=self._region,
            nation=nation,
            month=self._wishes.month,
            stock=stock,
            chance=self._chance,
            excluded=excluded,
        )

    def _part_dug_in(self, stock: Stock) -> float:
        """An estimate of the part of the defenders that finds cover, made before they are chosen:
        all of them, or those in houses if the players have no works."""
        has_works = stock.count_of("entrenchment") > 0 or stock.count_of("sandbags") > 0
        if stock.is_unlimited or has_works:
            return 1.0
        men_in_houses = len(self._measured.table.houses) * MEN_OF_A_HOUSE
        return min(men_in_houses / MEN_OF_A_DEFENCE, 1.0)

    def _odds(self, part_dug_in: float) -> float:
        """How many times the defender's points the attacker has, where this part of the defenders
        is dug in. With odds of 2.0 and ``cover_odds`` of 4, which are tenths, that is 2.0 if all of
        them are, 1.8 if half of them are, and 1.6 if none is. Cover before the defenders, which
        helps the attack, takes something off as well, unless no cover matters in the theme
        (``cover_odds`` of 0). Where neither side defends, both have the same."""
        if self._theme.meeting:
            return 1.0
        part_in_the_open = 1 - part_dug_in
        odds = self._theme.odds - 0.1 * self._theme.cover_odds * part_in_the_open
        if self._theme.cover_odds > 0:
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
        """The attackers, in vehicles where the theme wants it or the way is too long on foot. They
        choose first, so a part of the men is set aside for the defenders."""
        men = stock.count_of("rifle")
        men_of_defenders = round(men * budget.defence / (budget.attack + budget.defence))
        set_aside = stock.take("rifle", men_of_defenders)
        is_motor = any(group.motor for group in self._theme.attackers)
        is_too_far = is_too_far_on_foot(self._measured.walk, self._last_turn)
        force = recruiter.recruit(budget.attack, arms, men_aboard=is_motor or is_too_far)
        stock.give_back("rifle", set_aside)
        return force

    def _defence_force(
        self, recruiter: Recruiter, budget: _Budget, arms: str, attack_force: Counter[str]
    ) -> Counter[str]:
        """The defenders: infantry, with anti-tank pieces if the attackers have tanks. Where the
        sides meet and neither defends, they are of the same arms as the attackers."""
        defence_arms = "infantry"
        if self._theme.meeting:
            defence_arms = arms
        tanks = sum(attack_force[tank] for tank in TANKS)
        return recruiter.recruit(budget.defence, defence_arms, enemy_tanks=tanks)

    def _grouped(
        self, groups: Sequence[Group], recruiter: Recruiter, force: Counter[str], trucks: int
    ) -> DealtSide:
        """A force in its groups, each with its works, its craft, and the trucks that it brings
        through: as many of these ``trucks`` as are left in the stock. Works, craft and these
        trucks cost no points."""
        catalog = self._books.catalog
        parts = parted(force, [group.share for group in groups], catalog)
        works = []
        for group, part in zip(groups, parts, strict=True):
            if group.entry == "sea":
                recruiter.add_craft(part)
            if group.trucks:
                part["truck"] += recruiter.take("truck", trucks)
            works_of_group: Counter[str] = Counter()
            if group.works:
                works_of_group = recruiter.works_for(recruiter.men(part))
            works.append(works_of_group)
        return DealtSide(catalog.nations[recruiter.nation], groups, parts, works)


def _has_convoy(side: DealtSide) -> bool:
    """Whether a side has trucks enough, if it is trucks that it must bring through."""
    if not any(group.trucks for group in side.groups):
        return True
    return side.whole_force()["truck"] >= LEAST_CONVOY


def _all_can_land(side: DealtSide, recruiter: Recruiter) -> bool:
    """Whether all who come over the sea have a seat in a craft."""
    for group, units in zip(side.groups, side.units_by_group, strict=True):
        if group.entry == "sea" and recruiter.seats(units) < recruiter.men(units):
            return False
    return True
