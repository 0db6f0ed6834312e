"""The orders of battle of a scenario, side by side or one below the other."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from skirmish.app.scenarios.telling import (
    HEAD,
    QUIET,
    STRONG,
    Source,
    footnotes,
    section,
    settled_later,
)
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.rules.figures import as_moulded, missing, named, together
from skirmish.games.plastic.scenarios.order_of_battle import Contingent, Side
from skirmish.sheets.scenario import words

UNIT = 18
"""Columns of a unit's name."""


def forces(source: Source) -> tuple[Content, Content, Content]:
    """The orders of battle, the side that moves first in front, and what both have below them."""
    one, other = (
        Content("\n").join(_force(source, source.scenario.side(side)))
        for side in source.scenario.order_of_play()
    )
    notes = footnotes(source, Content("\n").join([one, other]))
    return one, other, Content("\n").join([*_box(source), *notes])


def _box(source: Source) -> Iterator[Content]:
    """What is missing in the player's box for both sides, whatever is chosen; nothing where no
    box was ever counted."""
    if not any(source.owned.values()):
        return
    scenario = source.scenario
    groups = [group for side in scenario.sides for group in side.contingents]
    needs = together([*(group.most() for group in groups), *(group.works for group in groups)])
    short = missing(as_moulded(needs, scenario.variants), source.owned)
    says = named(short, source.catalog)
    yield from section(
        "YOUR FIGURES",
        [f"For both sides you still need {says}." if says else "You own everything it takes."],
    )


def _force(source: Source, side: Side) -> Iterator[Content]:
    yield Content.styled(source.people(side.id).upper(), HEAD)
    yield Content.styled(side.name, STRONG)
    part = words.role(side, source.scenario)
    if part:
        yield Content.styled(part.capitalize(), QUIET)
    strength = words.span(side.pdg(source.catalog))
    yield Content(f"{words.span(side.points(source.catalog))} points, strength {strength}")
    for group in side.contingents:
        yield Content("")
        yield from _contingent(source, group)
    for ask in settled_later(source.scenario, side.id):
        yield Content("")
        yield Content.styled(ask.question, STRONG)
        yield Content(words.proposal(ask, source.catalog))


def _contingent(source: Source, group: Contingent) -> Iterator[Content]:
    catalog = source.catalog
    yield Content.assemble((group.called, STRONG), (f"  {words.entry(group)}", QUIET))
    for name, count in group.units.items():
        unit = catalog.units[name]
        yield _counted(count, unit.name, count * unit.price)
    for choice in group.choices:
        for number, option in enumerate(choice.one_of):
            lead = "or" if number else "and"
            yield Content(f"{lead:>4} {words.units(option, catalog)}")
    for name, count in group.works.items():
        work = catalog.works[name]
        yield _counted(count, work.name, count * work.price)
    if group.deploy:
        yield Content.styled(source.measured(group.deploy), QUIET)


def _counted(count: int, name: str, points: int) -> Content:
    called = name if count == 1 else plural(name)
    return Content.assemble(f"{count:>4} {called:<{UNIT}}", (f"{points:>4} points", QUIET))
