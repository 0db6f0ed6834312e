"""The tables of numbers below the paragraphs of the rules, made from the catalog and the answers to
the rulings: the firing table, prices, limits, nations and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.odds.worth import ARMORED, GUY, UNARMORED, worth, worth_table
from skirmish.games.plastic.reference.numbers import rank, share
from skirmish.games.plastic.rules.catalog import (
    DECK,
    DIE,
    Catalog,
    Kind,
    Limit,
    Nation,
    UnitType,
    Work,
    listed,
    plural,
)
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.shot import (
    Circumstances,
    Shot,
    aim,
    judge,
    ranks_that_hit,
    target_kind,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Note, Table, table


class Chart(NamedTuple):
    """A table of numbers of the rules, and the notes below it."""

    table: Table
    notes: tuple[Note, ...] = ()

    @property
    def blocks(self) -> tuple[Table | Note, ...]:
        return self.table, *self.notes


class ChartTerms(msgspec.Struct, frozen=True):
    """What charts are made from: the numbers of the rules, and the answers to the rulings by id."""

    catalog: Catalog
    rulings: Mapping[str, str]

    def buyable(self) -> list[UnitType]:
        """The units that an army can buy: all but those that only scenarios have."""
        return [unit for unit in self.catalog.units.values() if unit.source != "scenario"]


def chart(name: str, terms: ChartTerms) -> Table:
    """The table of a chart, without its notes."""
    return CHARTS[name](terms).table


def _chances(terms: ChartTerms) -> Chart:
    """How often a shot hits a man, for each number of the firing table."""
    cards = list(DECK)
    faces = [Draw(face) for face in range(1, DIE + 1)]
    rows = []
    for needs in _numbers_needed(terms.catalog):
        # In the open a card and a die have the same chance. Cover saves from black cards, which are
        # two of the four of each rank, but from even numbers of a die, of which there is one each.
        in_the_open = _share_of_hits(terms, needs, cards, cover=False)
        by_card = _share_of_hits(terms, needs, cards, cover=True)
        by_die = _share_of_hits(terms, needs, faces, cover=True)
        rows.append((ranks_that_hit(needs), in_the_open, by_card, by_die))
    heads = ("Needs", "In the open", "Cover, card", "Cover, die")
    return Chart(table(heads, rows, numbers=(1, 2, 3)))


def _numbers_needed(catalog: Catalog) -> list[int]:
    """Every number of the firing table, once."""
    numbers: set[int] = set()
    for weapon in catalog.weapons.values():
        for kill in (weapon.guys, weapon.unarmored, weapon.armored):
            if kill is not None:
                numbers.add(kill.needs)
    return sorted(numbers)


def _share_of_hits(terms: ChartTerms, needs: int, draws: list[Draw], *, cover: bool) -> str:
    """``42%``: how many of these draws hit a man, by a shot that ``needs`` this rank or a lower."""
    catalog = terms.catalog
    rifle = catalog.units["rifle"]
    # The rules are asked about a rifle at 1 inch, which may always fire; then it is given the
    # number of another weapon.
    shot = Shot(
        shooter=rifle,
        weapon=catalog.weapons["rifle"],
        target=rifle,
        circumstances=Circumstances(distance=1, cover=cover),
    )
    aimed = msgspec.structs.replace(aim(shot, catalog, terms.rulings), needs=needs)
    hits = [draw for draw in draws if judge(aimed, draw).hit]
    return f"{percent(Fraction(len(hits), len(draws)))}%"


def _classes(terms: ChartTerms) -> Chart:
    """Which units are guys, unarmored and armored."""
    names_by_kind: dict[Kind, list[str]] = {"guy": [], "unarmored": [], "armored": []}
    for unit in terms.buyable():
        kind = target_kind(unit, terms.rulings)
        names_by_kind[kind].append(unit.short)
    rows = (
        ("Guys", ", ".join(names_by_kind["guy"])),
        ("Unarmored", ", ".join(names_by_kind["unarmored"])),
        ("Armored", ", ".join(names_by_kind["armored"])),
    )
    return Chart(table(("Class", "Who"), rows))


def _units(terms: ChartTerms) -> Chart:
    """Every unit that can be bought: its price, moves, seats and weapons."""
    rows, notes = [], []
    for unit in terms.buyable():
        seats = NONE
        if unit.seats:
            seats = str(unit.seats)
        rows.append((unit.short, str(unit.price), _move(unit), seats, _weapons(unit, terms)))
        notes += [Note(text) for text in _further_facts(unit)]
    heads = ("Unit", "Pts", "Move", "Seats", "Fires")
    return Chart(table(heads, rows, numbers=(1, 3)), tuple(notes))


def _weapons(unit: UnitType, terms: ChartTerms) -> str:
    """``Cannon, 2 × Machinegun``; a dash without a weapon."""
    weapons = terms.catalog.weapons_of(unit, terms.rulings)
    if not weapons:
        return NONE
    counts = Counter(weapon.name for weapon in weapons)
    names = []
    for name, count in counts.items():
        if count > 1:
            names.append(f"{count} × {name}")
        else:
            names.append(name)
    return ", ".join(names)


def _move(unit: UnitType) -> str:
    """``6 in`` on land, ``12 in wet`` for what moves only on water; a dash for what cannot move."""
    if unit.move:
        return inches(unit.move)
    if unit.water_move:
        return f"{inches(unit.water_move)} wet"
    return NONE


def _further_facts(unit: UnitType) -> Iterator[str]:
    """What the table of units has no column for, in sentences."""
    if unit.move and unit.water_move:
        yield f"{unit.short}: {inches(unit.water_move)} on water."
    if unit.note:
        yield f"{unit.short}: {unit.note}"


def _firing(terms: ChartTerms) -> Chart:
    """Each weapon with its numbers against guys and models, and its range."""
    rows, notes = [], []
    firing = Firing(terms.catalog, terms.rulings, nation=None)
    for line in firing.table(terms.buyable()):
        entry = line.entry
        rows.append((entry.weapon, entry.guys, entry.armored, entry.unarmored, entry.first_reach))
        # The column has room for one range. A second one, at guys only, goes into the note.
        facts = [fact for fact in (entry.further_reach, line.also) if fact]
        if facts:
            notes.append(Note(f"{entry.weapon}: {'; '.join(facts)}."))
    heads = ("Weapon", "Guys", "Armored", "Unarm.", "Range")
    return Chart(table(heads, rows), tuple(notes))


_SUITS_IN_A_CELL = {"S": "spades", "SC": "black", "CHD": "no spade"}
"""The suits that pin a force quality, for a narrow column; ``numbers.suits`` words them for a
sentence."""


def _qualities(terms: ChartTerms) -> Chart:
    """What each force quality does to movement, to pins and to the points of an army."""
    rows = []
    for quality in terms.catalog.qualities.values():
        move_ends = "never"
        if quality.movement_ends_from is not None:
            move_ends = f"{rank(quality.movement_ends_from)} and up"
        # P29: a card pins by its rank, or by its suit. A die has no suits.
        pinned_by_card = f"{rank(quality.pinned_from)} and up"
        if terms.rulings["P29"] == "suits":
            pinned_by_card = _SUITS_IN_A_CELL[quality.pinned_suits]
        pinned_by_die = f"{quality.pinned_from}-{DIE}"
        bonus = f"+{quality.bonus_percent}%"
        rows.append((quality.name, move_ends, pinned_by_card, pinned_by_die, bonus))
    heads = ("Troops", "Move ends", "Pinned, card", "Die", "Points")
    return Chart(table(heads, rows, numbers=(4,)))


def _nations(terms: ChartTerms) -> Chart:
    """What is special about each nation."""
    rows = []
    for nation in terms.catalog.nations.values():
        rows.append((nation.people, "; ".join(_traits(nation, terms)) or "no traits"))
    return Chart(table(("Nation", "Trait"), rows))


def _traits(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """What is special about a nation, each as a part of a sentence."""
    yield from _only_it_may_buy(nation, terms)
    yield from _discounts(nation, terms)
    if nation.free:
        free = terms.catalog.units[nation.free.unit]
        yield f"1 {free.name} free for each {nation.free.per} bought"
    if nation.digs_as_engineers:
        yield f"their {_unit_names(nation.digs_as_engineers, terms)} dig in as engineers do"
    if nation.rifle_in_contact:
        # P42: the rule names rifles; are those meant who only fight as rifles, too?
        who = "those who fight as rifles"
        if terms.rulings["P42"] == "rifle_only":
            who = "their Rifle Guys"
        yield f"in contact {who} kill guys on {ranks_that_hit(nation.rifle_in_contact)}"


def _only_it_may_buy(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """The units of which this nation alone may buy any, or more than the others: a limit that holds
    where nationalities are played, but not for this nation."""
    for limit in terms.catalog.limits:
        if limit.only_with_nations and nation.id in limit.not_for:
            # All limits that depend on the nation give a number, and no share.
            if limit.most == 0:
                yield f"they alone may buy {_unit_names(limit.units, terms)}"
            elif limit.most is not None:
                units = _unit_names(limit.units, terms, limit.most)
                yield f"they alone may buy more than {limit.most} {units}"


def _discounts(nation: Nation, terms: ChartTerms) -> Iterator[str]:
    """Which units cost this nation less, and which do not count in its army's strength. Where the
    same units do both, that is one phrase."""
    spared: list[str] = []
    for condition in nation.spared:
        if condition.holds(terms.rulings):
            spared += condition.units
    units_by_discount: dict[int, list[str]] = {}
    for discount in nation.discounts:
        if discount.holds(terms.rulings):
            units_by_discount.setdefault(discount.off, []).extend(discount.units)
    some_are_both = False
    for off, units in units_by_discount.items():
        trait = f"their {_unit_names(units, terms)} cost {off} less"
        if units == spared:
            trait += " and do not count as losses"
            some_are_both = True
        yield trait
    if spared and not some_are_both:
        yield f"their {_unit_names(spared, terms)} do not count as losses"


def _unit_names(unit_ids: Sequence[str], terms: ChartTerms, count: int = 2) -> str:
    """``Tanks and Tigers``, ``Rifle Guys``; in the singular for a ``count`` of 1. Without a
    ``count``, any number of them."""
    names = []
    for id in unit_ids:
        unit = terms.catalog.units[id]
        name = unit.short
        # Guys by their full name, since a rifle is a weapon.
        if unit.is_guy:
            name = unit.name
        if count > 1:
            name = plural(name)
        names.append(name)
    return listed(names)


def _limits(terms: ChartTerms) -> Chart:
    """The purchase limits, each with its bound in an army of the usual size."""
    points = terms.catalog.basic_game.points
    rows = []
    for limit in terms.catalog.limits:
        # P79: do only full hundreds of points count for a limit for each 100, or all of them?
        allowed = limit.bound(points, terms.rulings["P79"])
        rows.append((limit.title, _bound(limit, terms.catalog), f"{float(allowed):g}"))
    return Chart(table(("Limit", "How much", f"At {points}"), rows, numbers=(2,)))


def _bound(limit: Limit, catalog: Catalog) -> str:
    """The bound of a limit in words: ``2 for each 100 points``, ``at most a third``."""
    if limit.most_per_100 is not None:
        return f"{limit.most_per_100} for each 100 points"
    if limit.most == 0:
        return "none"
    if limit.most is not None:
        return f"at most {limit.most}"
    if limit.least_share is not None:
        return f"at least {share(limit.least_share)}"
    assert limit.most_share is not None, "a limit has exactly one bound"
    if limit.most_share == "1":
        # The limit of all points of an army is its budget.
        return "all of them"
    most = share(limit.most_share)
    if limit.without:
        exceptions = [plural(catalog.pieces[name].name) for name in limit.without]
        return f"at most {most}, except {listed(exceptions)}"
    return f"at most {most}"


def _prices(terms: ChartTerms) -> Chart:
    """All units and works by what they cost."""
    pieces: list[UnitType | Work] = list(terms.buyable())
    pieces += [work for work in terms.catalog.works.values() if work.source != "scenario"]
    names_by_price: dict[int, list[str]] = {}
    for piece in pieces:
        names_by_price.setdefault(piece.price, []).append(piece.name)
    rows = [(str(price), ", ".join(names)) for price, names in sorted(names_by_price.items())]
    return Chart(table(("Pts", "Each"), rows, numbers=(0,)))


def _worth_against(target: str) -> Callable[[ChartTerms], Chart]:
    """What makes the chart of points killed for a point of price, by fire at this kind of
    target."""

    def points_worth(terms: ChartTerms) -> Chart:
        return Chart(worth_table(worth(terms.catalog, terms.rulings), target))

    return points_worth


CHARTS: Mapping[str, Callable[[ChartTerms], Chart]] = {
    "chances": _chances,
    "classes": _classes,
    "units": _units,
    "firing": _firing,
    "qualities": _qualities,
    "nations": _nations,
    "limits": _limits,
    "prices": _prices,
    "worthguys": _worth_against(GUY),
    "worthsoft": _worth_against(UNARMORED),
    "wortharmor": _worth_against(ARMORED),
}
"""What makes each chart, by the name that paragraphs call it by."""
