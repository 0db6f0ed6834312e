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

FEWEST, MOST = 6, 12
"""The groups of a side: with fewer a plan has no parts, and more take too many keys a turn."""
MODELS_TOGETHER = 5
"""The most models in one group, unless a side has a great many of them."""
ON_MARKS = 8
"""A contingent of up to so many pieces that stand on marks of the map is one group a piece: each
fires from where it stands."""
CROWDED = 1.2
"""So much fuller than full are craft loaded at the start: 17 men in 15 seats (ruling P71)."""


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
        smallest, largest = sizes
        self.fewest = max(1, math.ceil(self.number / largest))
        self.most = max(1, self.number // smallest)
        self.groups = min(
            max(self.fewest, round(2 * self.number / (smallest + largest))), self.most
        )
        seats = sum(catalog.units[unit].seats for unit in carriers)
        if carriers and self.number <= seats * CROWDED:
            # All of them ride: who is in one craft is one group, whatever its size.
            self.fewest = self.most = self.groups = len(carriers)

    @property
    def size(self) -> float:
        """Men in each of its groups, on average."""
        return self.number / self.groups


def formed(
    parts: Sequence[ForcePart], catalog: Catalog, weights: PlanWeights
) -> tuple[GroupKnown, ...]:
    """The groups of a side, in the order of its parts: men first, then models."""
    companies = []
    size = _models_in_a_group(parts, catalog)
    model_groups: list[tuple[ForcePart, dict[str, int]]] = []
    for part in parts:
        carriers = _carriers_in_use(part, catalog)
        if part.on_marks and sum(part.counts.values()) <= ON_MARKS:
            model_groups += [(part, piece) for piece in _pieces(part.counts)]
            continue
        company = _Company(part, carriers, catalog, weights.group)
        if company.number:
            companies.append(company)
        else:
            company.carriers.clear()
        for models in _models_together(part, company.carriers, catalog, size):
            model_groups.append((part, models))
    _number_adjusted(companies, len(model_groups))
    groups = []
    for company in companies:
        for men in _divided(company, catalog, weights):
            groups.append((company.part, men, _carrier_for(men, company, catalog)))
        # In whose seats no group fits, such as a jeep's, rides nobody.
        model_groups += [(company.part, {carrier: 1}) for carrier in company.carriers]
    for part, models in model_groups:
        groups.append((part, models, None))
    return tuple(_with_names(groups, catalog))


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
    return max(MODELS_TOGETHER, math.ceil(models / MOST))


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
    for unit, count in counts.items():
        for _ in range(count):
            yield {unit: 1}


def _models_together(
    part: ForcePart, carriers: Sequence[str], catalog: Catalog, most: int
) -> Iterator[dict[str, int]]:
    """The models of a part that carry nobody, of one kind together, in groups of about a size, with
    ``most`` in one."""
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


def _carrier_for(men: Mapping[str, int], company: _Company, catalog: Catalog) -> str | None:
    """A carrier of the company for a group, which is taken from it; None if there is none left, or
    none with seats enough."""
    number = sum(men.values())
    for carrier in company.carriers:
        if number <= catalog.units[carrier].seats * CROWDED:
            company.carriers.remove(carrier)
            return carrier
    return None


# ------------------------------------------------------------------ men


def _number_adjusted(companies: Sequence[_Company], other_groups: int) -> None:
    """Divide companies into fewer groups, or into more, until the side has as many as it should."""
    while other_groups + sum(company.groups for company in companies) > MOST:
        divisible = [company for company in companies if company.groups > company.fewest]
        if not divisible:
            return
        min(divisible, key=_size_of).groups -= 1
    while other_groups + sum(company.groups for company in companies) < FEWEST:
        divisible = [company for company in companies if company.groups < company.most]
        if not divisible:
            return
        max(divisible, key=_size_of).groups += 1


def _size_of(company: _Company) -> float:
    return company.size


def _divided(company: _Company, catalog: Catalog, weights: PlanWeights) -> list[dict[str, int]]:
    """The men of each group of a company."""
    groups: list[Counter[str]] = [Counter() for _ in range(company.groups)]
    free = list(groups)
    lots = _lots(company, catalog)
    for lot, shared_by in zip(lots, _groups_for_lots(lots, company, weights), strict=True):
        for unit, count in lot.items():
            for group, share in zip(free[:shared_by], _shares(count, shared_by), strict=True):
                group[unit] += share
        free = free[shared_by:]
    riflemen = Counter(company.men)
    for lot in lots:
        riflemen.subtract(lot)
    # Riflemen fill the groups up, the smallest first.
    for unit, count in riflemen.items():
        for _ in range(count):
            min(groups, key=Counter.total)[unit] += 1
    return [in_order(+group, catalog) for group in groups if group]


def _lots(company: _Company, catalog: Catalog) -> list[Counter[str]]:
    """The specialists of a company, one kind in a lot, the kind that costs most in all first; of
    more kinds than groups, those that cost least are in one lot."""
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
    """Among how many groups each lot is shared out: so few that there are rifles beside each
    specialist, as far as there are groups."""
    in_a_group = max(1, int(company.size) // (1 + weights.rifles_beside_a_specialist))
    wanted = [math.ceil(lot.total() / in_a_group) for lot in lots]
    while sum(wanted) > company.groups:
        # Where the specialists of a group become least crowded by it.
        crowded = []
        for index, lot in enumerate(lots):
            if wanted[index] > 1:
                crowded.append((lot.total() / (wanted[index] - 1), index))
        _, least = min(crowded)
        wanted[least] -= 1
    return wanted


def _shares(count: int, among: int) -> list[int]:
    """A number in parts that differ by no more than 1, the larger first."""
    each, over = divmod(count, among)
    return [each + 1] * over + [each] * (among - over)


# ------------------------------------------------------------------ names


def _with_names(
    groups: Sequence[tuple[ForcePart, Mapping[str, int], str | None]], catalog: Catalog
) -> Iterator[GroupKnown]:
    """Each group by the name of its part, models by their own, with numbers where a name would
    stand for several; models of several parts by both names."""
    parts_with: dict[str, set[str]] = {}
    for part, counts, _ in groups:
        for id in counts:
            parts_with.setdefault(id, set()).add(part.contingent)
    names = []
    for part, counts, carrier in groups:
        name = part.name
        alone = carrier is None and len(counts) == 1
        is_model = not any(catalog.units[id].is_guy for id in counts)
        if alone and (is_model or part.on_marks):
            [(id, count)] = counts.items()
            name = catalog.units[id].name_for(count)
            if len(parts_with[id]) > 1:
                name = f"{part.name}: {name}"
        names.append(name)
    so_far: Counter[str] = Counter()
    for number, (name, (part, counts, carrier)) in enumerate(
        zip(names, groups, strict=True), start=1
    ):
        so_far[name] += 1
        if names.count(name) > 1:
            full_name = f"{name} {so_far[name]}"
        else:
            full_name = name
        id = f"group_{number}"
        if carrier is None:
            yield GroupKnown(id, full_name, dict(counts), contingent=part.contingent)
        else:
            yield GroupKnown(id, full_name, {carrier: 1}, dict(counts), contingent=part.contingent)
