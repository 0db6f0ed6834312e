"""The groups that a commander leads, formed from the contingents of his side.

A contingent is divided into groups of six to twelve men with one kind of specialist each. Its
models are groups of their own; whoever comes from outside rides, as far as there are seats. A side
has six to twelve groups, as far as its forces allow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commander.weights import PlanWeights
from skirmish.games.plastic.rules.army import counts_in_words, in_order
from skirmish.games.plastic.rules.catalog import Catalog, total_counts
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE, MarksEntry
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent

FEWEST_GROUPS = 6
"""The fewest groups of a side, if it has men enough: with fewer a plan has no parts."""
MOST_GROUPS = 12
"""The most groups of a side, as far as its forces allow: more take too many keys a turn."""
MODELS_TOGETHER = 5
"""The most models in one group, unless a side has a great many of them."""
MOST_STANDING_APART = 8
"""Up to so many pieces of a contingent that stand on marks of the map, or pillboxes, are a group
each: they stand apart, and each fires from where it stands."""
MEN_A_SEAT = 1.2
"""How many men may ride at the start for each seat. In scenario 10, 17 men start in 15 seats
(ruling P71); with this number there is room for up to 18."""


class ForcePart(NamedTuple):
    """A part of a side, from which groups are formed: the id of its ``contingent``, its name, and
    how many it has of each unit, by id. ``on_marks``: each piece has its place on the map;
    ``from_outside``: it enters during play."""

    contingent: str
    name: str
    counts: Mapping[str, int]
    on_marks: bool = False
    from_outside: bool = False

    @classmethod
    def of(cls, contingent: ScenarioContingent, chosen: Mapping[str, int]) -> ForcePart:
        """A contingent of a scenario, with the units that its player has ``chosen``."""
        return cls(
            contingent.id,
            contingent.name_in_words,
            total_counts([contingent.units, chosen]),
            on_marks=isinstance(contingent.entry, MarksEntry),
            from_outside=isinstance(contingent.entry, FROM_OUTSIDE),
        )


class _NewGroup(NamedTuple):
    """A group before it has its name: its part, how many of each unit, and the id of the carrier in
    which they ride; None if they walk."""

    part: ForcePart
    counts: Mapping[str, int]
    carrier: str | None = None


class _Company:
    """The ``men`` of a part, by unit, with the ``carriers`` in which they ride. They are divided
    into a ``number_of_groups`` that can be changed between ``fewest`` and ``most``."""

    def __init__(
        self, part: ForcePart, carriers: list[str], catalog: Catalog, weights: PlanWeights
    ) -> None:
        self.part = part
        self.carriers = carriers
        self.men = {}
        for unit, count in part.counts.items():
            if catalog.units[unit].is_guy:
                self.men[unit] = count
        self.number_of_men = sum(self.men.values())
        seats = sum(catalog.units[unit].seats for unit in carriers)
        all_ride = bool(carriers) and self.number_of_men <= seats * MEN_A_SEAT
        if all_ride:
            # The men in one carrier are one group, however many.
            self.fewest = len(carriers)
            self.most = len(carriers)
            self.number_of_groups = len(carriers)
        else:
            smallest, largest = weights.group
            average = (smallest + largest) / 2
            # Eleven men cannot form two groups of six; five are one group all the same.
            self.most = max(1, self.number_of_men // smallest)
            self.fewest = _bounded(math.ceil(self.number_of_men / largest), 1, self.most)
            usual_number = round(self.number_of_men / average)
            self.number_of_groups = _bounded(usual_number, self.fewest, self.most)

    @property
    def average_size(self) -> float:
        """Men in each of its groups, on average."""
        return self.number_of_men / self.number_of_groups


def _bounded(number: int, least: int, most: int) -> int:
    """The number, or the bound that it is beyond."""
    return min(max(number, least), most)


def form_groups(
    parts: Sequence[ForcePart], catalog: Catalog, weights: PlanWeights
) -> tuple[GroupKnown, ...]:
    """The groups of a side, in the order of its parts: men first, then models."""
    companies = []
    # Models, and men on marks: how many groups these are does not change any more.
    other_groups: list[_NewGroup] = []
    most_models = _most_models_in_a_group(parts, catalog)
    for part in parts:
        if part.on_marks and sum(part.counts.values()) <= MOST_STANDING_APART:
            other_groups += [_NewGroup(part, piece) for piece in _single_pieces(part.counts)]
            continue
        company = _Company(part, _carriers_in_use(part, catalog), catalog, weights)
        # Carriers of a part without men are models like any others.
        carriers_of_men: Sequence[str] = ()
        if company.number_of_men:
            companies.append(company)
            carriers_of_men = company.carriers
        for counts in _counts_of_model_groups(part, carriers_of_men, catalog, most_models):
            other_groups.append(_NewGroup(part, counts))
    _adjust_number_of_groups(companies, len(other_groups))
    groups_of_men: list[_NewGroup] = []
    for company in companies:
        boarded = _board_carriers(company, _counts_of_groups(company, catalog, weights), catalog)
        groups_of_men += boarded.men
        other_groups += boarded.empty_carriers
    return tuple(_named_groups([*groups_of_men, *other_groups], catalog))


class _Boarded(NamedTuple):
    """The groups of a company, each in its carrier if it has one, and the carriers in which nobody
    rides, such as a jeep."""

    men: list[_NewGroup]
    empty_carriers: list[_NewGroup]


def _board_carriers(
    company: _Company, groups: Sequence[Mapping[str, int]], catalog: Catalog
) -> _Boarded:
    """Each group of a company boards the first carrier that is still free and has seats enough."""
    free_carriers = list(company.carriers)
    men = []
    for counts in groups:
        number = sum(counts.values())
        large_enough = []
        for unit in free_carriers:
            if number <= catalog.units[unit].seats * MEN_A_SEAT:
                large_enough.append(unit)
        carrier = None
        if large_enough:
            carrier = large_enough[0]
            free_carriers.remove(carrier)
        men.append(_NewGroup(company.part, counts, carrier))
    empty_carriers = [_NewGroup(company.part, {carrier: 1}) for carrier in free_carriers]
    return _Boarded(men, empty_carriers)


def group_and_members(group: GroupKnown, catalog: Catalog) -> str:
    """The name of a group and who belongs to it, to begin a sentence."""
    counts = total_counts([group.counts, group.aboard])
    of_units = counts_in_words(counts, catalog)
    # Models are named after their kind: "2 Tanks" says all, and not "Tanks: 2 Tanks".
    if of_units.endswith(group.name):
        return of_units
    return f"{group.name}: {of_units}"


# ------------------------------------------------------------------ models


def _most_models_in_a_group(parts: Sequence[ForcePart], catalog: Catalog) -> int:
    """The most models in one group of this side: more than usual where there are so many that they
    would be too many groups to order in a turn."""
    models = 0
    for part in parts:
        for id, count in part.counts.items():
            if not catalog.units[id].is_guy:
                models += count
    return max(MODELS_TOGETHER, math.ceil(models / MOST_GROUPS))


def _carriers_in_use(part: ForcePart, catalog: Catalog) -> list[str]:
    """The carriers in which men of a part ride at the start: all carriers of a part that enters
    during play, and landing craft, since nobody can walk on water."""
    carriers = []
    for id, count in part.counts.items():
        unit = catalog.units[id]
        is_craft = unit.water_move > 0 and unit.move == 0
        if unit.seats > 0 and (part.from_outside or is_craft):
            carriers += [id] * count
    return carriers


def _single_pieces(counts: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """The counts of groups of one piece each."""
    for unit, count in counts.items():
        for _ in range(count):
            yield {unit: 1}


def _counts_of_model_groups(
    part: ForcePart, carriers: Sequence[str], catalog: Catalog, most: int
) -> Iterator[dict[str, int]]:
    """The counts of the groups of models of a part, without the ``carriers`` in use. Each group has
    one kind of model, and no more than ``most``; those of one kind are of about the same size."""
    models = Counter(part.counts)
    models.subtract(carriers)
    for id, count in models.items():
        if catalog.units[id].is_guy or not count:
            continue
        number_of_groups = math.ceil(count / most)
        if "pillbox" in catalog.units[id].tags and count <= MOST_STANDING_APART:
            # They stand apart, and cannot move together.
            number_of_groups = count
        for size in _shares(count, number_of_groups):
            yield {id: size}


# ------------------------------------------------------------------ men


def _adjust_number_of_groups(companies: Sequence[_Company], other_groups: int) -> None:
    """Changes how many groups each company has, until the side has as many as it should, or no
    company can be divided otherwise. The company with the smallest groups gets fewer, so that
    they grow; the one with the largest gets more."""

    def groups_of_side() -> int:
        return other_groups + sum(company.number_of_groups for company in companies)

    while groups_of_side() > MOST_GROUPS:
        may_have_fewer = [
            company for company in companies if company.number_of_groups > company.fewest
        ]
        if not may_have_fewer:
            return
        with_smallest_groups = min(may_have_fewer, key=_average_size_of)
        with_smallest_groups.number_of_groups -= 1
    while groups_of_side() < FEWEST_GROUPS:
        may_have_more = [
            company for company in companies if company.number_of_groups < company.most
        ]
        if not may_have_more:
            return
        with_largest_groups = max(may_have_more, key=_average_size_of)
        with_largest_groups.number_of_groups += 1


def _average_size_of(company: _Company) -> float:
    return company.average_size


def _counts_of_groups(
    company: _Company, catalog: Catalog, weights: PlanWeights
) -> list[dict[str, int]]:
    """The counts of each group of a company: each lot of specialists is shared out among groups
    that have none yet, and riflemen fill up the smallest groups."""
    groups: list[Counter[str]] = [Counter() for _ in range(company.number_of_groups)]
    riflemen = Counter(company.men)
    without_specialists = list(groups)
    lots = _lots_of_specialists(company, catalog)
    numbers = _numbers_of_groups(lots, company, weights)
    for lot, number in zip(lots, numbers, strict=True):
        _share_out(lot, without_specialists[:number])
        without_specialists = without_specialists[number:]
        riflemen.subtract(lot)
    for unit, count in riflemen.items():
        for _ in range(count):
            smallest = min(groups, key=Counter.total)
            smallest[unit] += 1
    # There may be more carriers than men: then the groups that have nobody are left out.
    return [in_order(group, catalog) for group in groups if group]


def _share_out(lot: Mapping[str, int], groups: Sequence[Counter[str]]) -> None:
    """Adds the men of a lot to groups, as evenly as possible."""
    for unit, count in lot.items():
        for group, share in zip(groups, _shares(count, len(groups)), strict=True):
            group[unit] += share


def _lots_of_specialists(company: _Company, catalog: Catalog) -> list[Counter[str]]:
    """The specialists of a company in lots of one kind, the lot that costs most first. Where there
    are more kinds than groups, the cheapest kinds share a lot."""
    lots = []
    for id, count in company.men.items():
        if "rifle_guy" not in catalog.units[id].tags:
            lots.append(Counter({id: count}))

    def price(lot: Counter[str]) -> int:
        return sum(catalog.units[id].price * count for id, count in lot.items())

    lots.sort(key=price, reverse=True)
    while len(lots) > company.number_of_groups:
        cheapest = lots.pop()
        lots[-1] += cheapest
    return lots


def _numbers_of_groups(
    lots: Sequence[Counter[str]], company: _Company, weights: PlanWeights
) -> list[int]:
    """Among how many groups each lot is shared out: as many as it takes to have rifles enough
    beside each specialist, as far as there are groups."""
    men_with_each = 1 + weights.rifles_beside_a_specialist
    men_in_a_group = int(company.average_size)
    specialists_in_a_group = max(1, men_in_a_group // men_with_each)
    numbers = [math.ceil(lot.total() / specialists_in_a_group) for lot in lots]

    def specialists_with_a_group_less(index: int) -> float:
        return lots[index].total() / (numbers[index] - 1)

    while sum(numbers) > company.number_of_groups:
        # One of the lots gets a group less: the one with fewest specialists in each group then.
        # Some lot has more than one group, since there are no more lots than groups.
        with_several = [index for index, number in enumerate(numbers) if number > 1]
        index = min(with_several, key=specialists_with_a_group_less)
        numbers[index] -= 1
    return numbers


def _shares(count: int, parts: int) -> list[int]:
    """A number in so many parts that differ by no more than 1, the larger ones first."""
    each, remainder = divmod(count, parts)
    return [each + 1] * remainder + [each] * (parts - remainder)


# ------------------------------------------------------------------ names


def _named_groups(groups: Sequence[_NewGroup], catalog: Catalog) -> Iterator[GroupKnown]:
    """The groups with their names, and with numbers where several would have the same name."""
    contingents_with: dict[str, set[str]] = {}
    for group in groups:
        for id in group.counts:
            contingents_with.setdefault(id, set()).add(group.part.contingent)
    names = [_name(group, contingents_with, catalog) for group in groups]
    named_so_far: Counter[str] = Counter()
    for number, (name, group) in enumerate(zip(names, groups, strict=True), start=1):
        named_so_far[name] += 1
        full_name = name
        if names.count(name) > 1:
            full_name = f"{name} {named_so_far[name]}"
        counts = dict(group.counts)
        aboard: dict[str, int] = {}
        if group.carrier is not None:
            # The men who were formed into the group ride in it.
            aboard = counts
            counts = {group.carrier: 1}
        contingent = group.part.contingent
        yield GroupKnown(f"group_{number}", full_name, counts, aboard, contingent=contingent)


def _name(group: _NewGroup, contingents_with: Mapping[str, set[str]], catalog: Catalog) -> str:
    """The name of a group without its number: men and carriers are called by the name of their
    part, models by their own. ``contingents_with``: the contingents that have each unit."""
    if group.carrier is not None or len(group.counts) > 1:
        return group.part.name
    [(id, count)] = group.counts.items()
    unit = catalog.units[id]
    if unit.is_guy and not group.part.on_marks:
        return group.part.name
    if len(contingents_with[id]) > 1:
        # Such models are in several parts, and need both names to be told apart.
        return f"{group.part.name}: {unit.name_for(count)}"
    return unit.name_for(count)
