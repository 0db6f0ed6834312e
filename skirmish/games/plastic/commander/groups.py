"""The groups that a commander leads, formed of the contingents of his side and read out by name.

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
from skirmish.games.plastic.rules.army import in_order, named
from skirmish.games.plastic.rules.catalog import Catalog, together
from skirmish.games.plastic.scenarios.order_of_battle import (
    FROM_OUTSIDE,
    MarksEntry,
    ScenarioContingent,
)

FEWEST_GROUPS, MOST_GROUPS = 6, 12
"""The groups of a side: with fewer a plan has no parts, and more take too many keys a turn."""
MODELS_TOGETHER = 5
"""The most models in one group, unless a side has a great many of them."""
ON_MARKS = 8
"""A contingent of up to so many pieces that stand on marks of the map is one group a piece: each
fires from where it stands."""
CROWDED = 1.2
"""So much fuller than full may craft be at the start: 17 men sit in 15 seats (ruling P71), and 18
would be the most."""


class ForcePart(NamedTuple):
    """A part of a side, the ``contingent`` of this id: how many of each unit, by id. ``on_marks``:
    each piece has its place on the map; ``from_outside``: it comes onto the table during play."""

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
            contingent.called,
            together([contingent.units, chosen]),
            on_marks=isinstance(contingent.entry, MarksEntry),
            from_outside=isinstance(contingent.entry, FROM_OUTSIDE),
        )


class _Formed(NamedTuple):
    """A group before it has its name: of which part, how many of each unit, and the id of the
    carrier in which they ride, if they do."""

    part: ForcePart
    counts: Mapping[str, int]
    carrier: str | None = None


class _Company:
    """The men of a part, and the carriers in which they ride; ``groups``: into how many it is
    divided, between ``fewest`` and ``most``."""

    def __init__(
        self, part: ForcePart, carriers: list[str], catalog: Catalog, sizes: tuple[int, int]
    ) -> None:
        self.part = part
        self.carriers = carriers
        self.men = {}
        for unit, count in part.counts.items():
            if catalog.units[unit].is_guy:
                self.men[unit] = count
        self.number = sum(self.men.values())
        seats = sum(catalog.units[unit].seats for unit in carriers)
        if carriers and self.number <= seats * CROWDED:
            # All of them ride: who is in one carrier is one group, whatever its size.
            self.fewest = self.most = self.groups = len(carriers)
            return
        smallest, largest = sizes
        average = (smallest + largest) / 2
        # Of eleven men there are no two groups of six; of five there is one group all the same.
        self.most = max(1, self.number // smallest)
        self.fewest = min(max(1, math.ceil(self.number / largest)), self.most)
        self.groups = min(max(self.fewest, round(self.number / average)), self.most)

    @property
    def size(self) -> float:
        """Men in each of its groups, on average."""
        return self.number / self.groups


def formed(
    parts: Sequence[ForcePart], catalog: Catalog, weights: PlanWeights
) -> tuple[GroupKnown, ...]:
    """The groups of a side, in the order of its parts: men first, then models."""
    companies = []
    # Models, and men on marks: their groups stay as they are while those of the companies are
    # adjusted in number.
    fixed: list[_Formed] = []
    most_models = _models_in_a_group(parts, catalog)
    for part in parts:
        if part.on_marks and sum(part.counts.values()) <= ON_MARKS:
            fixed += [_Formed(part, piece) for piece in _pieces(part.counts)]
            continue
        company = _Company(part, _carriers_in_use(part, catalog), catalog, weights.group)
        if company.number:
            companies.append(company)
            models = _models_together(part, company.carriers, catalog, most_models)
        else:
            models = _models_together(part, (), catalog, most_models)  # nobody is there to ride
        fixed += [_Formed(part, counts) for counts in models]
    _adjust_number_of_groups(companies, len(fixed))
    men: list[_Formed] = []
    for company in companies:
        riding, empty = _who_rides(company, _divided(company, catalog, weights), catalog)
        men += riding
        fixed += empty
    return tuple(_with_names([*men, *fixed], catalog))


def _who_rides(
    company: _Company, groups: Sequence[Mapping[str, int]], catalog: Catalog
) -> tuple[list[_Formed], list[_Formed]]:
    """The groups of a company, each in the first of its carriers with seats enough that is still
    free; and the carriers in which nobody rides, such as a jeep."""
    free = list(company.carriers)
    men = []
    for counts in groups:
        number = sum(counts.values())
        fitting = [unit for unit in free if number <= catalog.units[unit].seats * CROWDED]
        carrier = None
        if fitting:
            carrier = fitting[0]
            free.remove(carrier)
        men.append(_Formed(company.part, counts, carrier))
    return men, [_Formed(company.part, {carrier: 1}) for carrier in free]


def read_out(groups: Sequence[GroupKnown], catalog: Catalog) -> list[str]:
    """A line for each group, to be read out before play: its name and who belongs to it."""
    lines = []
    for group in groups:
        of_units = named(in_order(together([group.counts, group.aboard]), catalog), catalog)
        if of_units.endswith(group.name):  # models that are called after what they are
            lines.append(f"{of_units}.")
        else:
            lines.append(f"{group.name}: {of_units}.")
    return lines


# ------------------------------------------------------------------ models


def _models_in_a_group(parts: Sequence[ForcePart], catalog: Catalog) -> int:
    """The most models in one group of this side: more than usual where there are so many that they
    would be too many groups to order in a turn."""
    models = 0
    for part in parts:
        for id, count in part.counts.items():
            if not catalog.units[id].is_guy:
                models += count
    return max(MODELS_TOGETHER, math.ceil(models / MOST_GROUPS))


def _carriers_in_use(part: ForcePart, catalog: Catalog) -> list[str]:
    """The carriers in which men of a part ride at the start: of those who come from outside, and
    landing craft, from which nobody can walk."""
    carriers = []
    for id, count in part.counts.items():
        unit = catalog.units[id]
        afloat = unit.water_move and not unit.move
        if unit.seats and (part.from_outside or afloat):
            carriers += [id] * count
    return carriers


def _pieces(counts: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """The counts of groups of one piece each."""
    for unit, count in counts.items():
        for _ in range(count):
            yield {unit: 1}


def _models_together(
    part: ForcePart, carriers: Sequence[str], catalog: Catalog, most: int
) -> Iterator[dict[str, int]]:
    """The models of a part that are none of the ``carriers`` in use, of one kind together, in
    groups of about one size with no more than ``most`` in each."""
    left = Counter(part.counts)
    left.subtract(carriers)
    for id, count in left.items():
        if catalog.units[id].is_guy or not count:
            continue
        groups = math.ceil(count / most)
        if "pillbox" in catalog.units[id].tags and count <= ON_MARKS:
            groups = count  # they stand here and there, and never come together
        for size in _shares(count, groups):
            yield {id: size}


# ------------------------------------------------------------------ men


def _adjust_number_of_groups(companies: Sequence[_Company], other_groups: int) -> None:
    """Divide companies into fewer groups, or into more, until the side has as many as it should."""
    while other_groups + sum(company.groups for company in companies) > MOST_GROUPS:
        divisible = [company for company in companies if company.groups > company.fewest]
        if not divisible:
            return
        min(divisible, key=_size_of).groups -= 1
    while other_groups + sum(company.groups for company in companies) < FEWEST_GROUPS:
        divisible = [company for company in companies if company.groups < company.most]
        if not divisible:
            return
        max(divisible, key=_size_of).groups += 1


def _size_of(company: _Company) -> float:
    return company.size


def _divided(company: _Company, catalog: Catalog, weights: PlanWeights) -> list[dict[str, int]]:
    """The men of each group of a company: each lot of specialists is shared out among groups that
    have none yet, and riflemen fill them all up."""
    groups: list[Counter[str]] = [Counter() for _ in range(company.groups)]
    riflemen = Counter(company.men)
    without_specialists = list(groups)
    lots = _lots(company, catalog)
    for lot, number in zip(lots, _groups_for_lots(lots, company, weights), strict=True):
        _share_out(lot, without_specialists[:number])
        without_specialists = without_specialists[number:]
        riflemen.subtract(lot)
    for unit, count in riflemen.items():
        for _ in range(count):
            smallest = min(groups, key=Counter.total)
            smallest[unit] += 1
    return [in_order(+group, catalog) for group in groups if group]


def _share_out(lot: Mapping[str, int], groups: Sequence[Counter[str]]) -> None:
    """Add a lot to groups, as evenly as can be."""
    for unit, count in lot.items():
        for group, share in zip(groups, _shares(count, len(groups)), strict=True):
            group[unit] += share


def _lots(company: _Company, catalog: Catalog) -> list[Counter[str]]:
    """The specialists of a company, one kind in a lot, the kind that costs most in all first. Where
    there are more kinds than groups, those that cost least share a lot."""
    lots = []
    for id, count in company.men.items():
        if "rifle_guy" not in catalog.units[id].tags:
            lots.append(Counter({id: count}))

    def price(lot: Counter[str]) -> int:
        return sum(catalog.units[id].price * count for id, count in lot.items())

    lots.sort(key=price, reverse=True)
    while len(lots) > company.groups:
        last = lots.pop()
        lots[-1] += last
    return lots


def _groups_for_lots(
    lots: Sequence[Counter[str]], company: _Company, weights: PlanWeights
) -> list[int]:
    """Among how many groups each lot is shared out: as many as it takes to have rifles enough
    beside each specialist, as far as there are groups."""
    men_with_each = 1 + weights.rifles_beside_a_specialist
    specialists_in_a_group = max(1, int(company.size) // men_with_each)
    wanted = [math.ceil(lot.total() / specialists_in_a_group) for lot in lots]

    def crowded_with_one_less(index: int) -> float:
        return lots[index].total() / (wanted[index] - 1)

    while sum(wanted) > company.groups:
        # One of the lots is shared out among one group less: that which then has fewest of its
        # specialists in each.
        # There is one, since there are no more lots than groups (``_lots``).
        divided = [index for index, number in enumerate(wanted) if number > 1]
        wanted[min(divided, key=crowded_with_one_less)] -= 1
    return wanted


def _shares(count: int, among: int) -> list[int]:
    """A number in parts that differ by no more than 1, the larger first."""
    each, over = divmod(count, among)
    return [each + 1] * over + [each] * (among - over)


# ------------------------------------------------------------------ names


def _with_names(groups: Sequence[_Formed], catalog: Catalog) -> Iterator[GroupKnown]:
    """Each group by the name of its part, models by their own, with numbers where a name would
    stand for several; models of several parts by both names."""
    parts_with: dict[str, set[str]] = {}
    for group in groups:
        for id in group.counts:
            parts_with.setdefault(id, set()).add(group.part.contingent)
    names = [_name(group, parts_with, catalog) for group in groups]
    so_far: Counter[str] = Counter()
    for number, (name, group) in enumerate(zip(names, groups, strict=True), start=1):
        so_far[name] += 1
        full_name = name
        if names.count(name) > 1:
            full_name = f"{name} {so_far[name]}"
        counts, aboard = dict(group.counts), {}
        if group.carrier is not None:
            counts, aboard = {group.carrier: 1}, counts
        contingent = group.part.contingent
        yield GroupKnown(f"group_{number}", full_name, counts, aboard, contingent=contingent)


def _name(group: _Formed, parts_with: Mapping[str, set[str]], catalog: Catalog) -> str:
    """The name of a group without its number. ``parts_with``: the parts in which each unit is."""
    if group.carrier is not None or len(group.counts) > 1:
        return group.part.name
    [(id, count)] = group.counts.items()
    unit = catalog.units[id]
    if unit.is_guy and not group.part.on_marks:
        return group.part.name
    if len(parts_with[id]) > 1:
        return f"{group.part.name}: {unit.name_for(count)}"
    return unit.name_for(count)
