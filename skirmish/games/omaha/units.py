"""The units of Omaha: ratings and markers of their counters, which of them combine, new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from skirmish.games.omaha.ruleset import OmahaScenario, OmahaSetup, Recovery
from skirmish.tabletop.companion.counters import BACK, Counter, Register

PRINTED = ("he", "ap", "ca", "armor", "range")
"""The ratings printed on a counter, by the names under which they are stored."""
RATINGS = (*PRINTED, *(name + BACK for name in PRINTED))
"""The ratings of the front of a counter, then those of its back, which shows after a step loss."""
LONG_NAMES = {"he": "high explosive (HE)", "ap": "armor piercing (AP)", "ca": "close assault (CA)"}
"""Ratings that a counter prints by their first letters only."""
RATING_WORDS = {name: LONG_NAMES.get(name, name) for name in PRINTED}
"""What each rating is called in a question."""


class Mark:
    """Markers on a counter, including those that only the program records."""

    FIRED, DISRUPTED, WAITING, LANDED = "fired", "disrupted", "off map", "just landed"
    MOVING, SHOT_AT, ASSAULTED, HELD = "moving", "fired at", "assaulted", "held fire"
    PASSING = (MOVING, SHOT_AT, ASSAULTED, HELD)
    """The markers that come off at the end of the phase."""


MARK_SIGNS = {
    Mark.FIRED: "+",
    Mark.DISRUPTED: "✗",
    Mark.LANDED: "~",
    Mark.WAITING: "○",
    Mark.MOVING: "→",
    Mark.SHOT_AT: "!",
    Mark.ASSAULTED: "‡",
    Mark.HELD: "=",
}
"""How markers look on the board, in the order of its key. They stay different from one another
where the screen shows plain ASCII only."""
WHY_SPENT = {
    Mark.FIRED: "has fired",
    Mark.DISRUPTED: "is disrupted",
    Mark.LANDED: "has just landed",
    Mark.ASSAULTED: "has assaulted",
}
"""The markers of units that can do nothing more for now, and how a sentence says it."""


def why_not_act(unit: Counter, *, landing_counts: bool = True) -> str:
    """Why a unit cannot act (``has fired``); empty if it can. ``landing_counts``: having just
    landed is a reason too."""
    for mark, why in WHY_SPENT.items():
        if mark == Mark.LANDED and not landing_counts:
            continue
        if unit.has(mark):
            return why
    return ""


def rated(units: Iterable[Counter], typed: Mapping[str, Mapping[str, int]]) -> tuple[Counter, ...]:
    """The units with the ratings that were just typed, by the ids of the units."""
    rated_units = []
    for unit in units:
        ratings = {**unit.ratings, **typed.get(unit.id, {})}
        rated_units.append(replace(unit, ratings=ratings))
    return tuple(rated_units)


def is_support(unit: Counter) -> bool:
    """Whether a unit is a support unit: armor, engineers or a gun ("Unit Types")."""
    return unit.kind in ("armor", "gun", "engineers")


def is_ranger(unit: Counter) -> bool:
    """Whether a unit is of the Rangers, by the name of its company: 5th Rangers, C/2 Rangers."""
    return "ranger" in unit.group.lower()


def counts_in_stack(unit: Counter) -> bool:
    """Whether a unit counts toward the limit of units in a hex: engineers do not."""
    return unit.kind != "engineers"


def recovery_of(setup: OmahaSetup, unit: Counter) -> Recovery:
    """Whose recovery number a unit has. For the airborne unit and the 916th AT the scenario says
    so, since their names do not show it."""
    arrival = setup.scenario.arrival(unit.group)
    if arrival is not None and arrival.recovers:
        return arrival.recovers
    if is_ranger(unit):
        return "ranger"
    if unit.side == "us":
        return "us"
    return "german"


def why_not_together(units: Sequence[Counter], *, fire: bool) -> str:
    """Why the companies of these units may not attack together; empty if they may.

    In ``fire`` "units in the same hex, firing at the same target, must combine", whatever their
    company. Otherwise one company attacks, and "support units may combine their firepower with
    units they are stacked with". Whether the hexes are adjacent is checked elsewhere.
    """
    # A unit in a hex that nobody has recorded stands for its hex.
    hexes = {unit.place or unit.id for unit in units}
    if not units or (fire and len(hexes) == 1):
        return ""
    # Any of the companies may be the one that the others support.
    for company in dict.fromkeys(unit.group for unit in units):
        places = {unit.place for unit in units if unit.group == company}
        other_units = [unit for unit in units if unit.group != company]
        # Unrecorded hexes all have the same empty name here: units in them count as stacked.
        if all(is_support(unit) and unit.place in places for unit in other_units):
            return ""
    return (
        "Only units of one company combine, in fire those of one hex as well; tanks, guns and "
        "engineers do with units in their own hex."
    )


def new_unit(
    register: Register, name: str, side: str, kind: str, *, group: str, steps: int
) -> Counter:
    """A counter of the company ``group`` that is not in the register yet. All counters of this game
    are two-sided."""
    return Counter(
        id=register.new_id(name),
        name=name,
        side=side,
        kind=kind,
        group=group,
        steps=steps,
        two_sided=True,
    )


def with_scenario_units(register: Register, scenario: OmahaScenario, steps: int) -> Register:
    """The register with the units that the text of the scenario names; they wait off the map."""
    for arrival in scenario.arrivals:
        for name in arrival.units:
            group = arrival.company
            unit = new_unit(register, name, arrival.side, arrival.kind, group=group, steps=steps)
            register = register.with_counter(unit.marked(Mark.WAITING))
    return register
