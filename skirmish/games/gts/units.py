"""The units of the Grand Tactical Series: their markers, and what fire results do to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from skirmish.games.gts.combat import CHECK_MARKERS, Barrage, CheckOf, Firer
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_game import LEADER, STEPLESS

RATINGS = ("tq", "fire", "assault", "defense", "range", "move")
TRAITS = ("armored", "engineer", "white", "black", LEADER, "ship", STEPLESS)
"""``white`` and ``black`` are the stripes of independent units; ``stepless``: without a step."""
ARTILLERY = "orange"
"""The color of indirect high explosive, which fires out of parks."""
ASSAULT = "assault-"
"""A trait with the color of the assault rating begins so."""
STRIPES = {"white", "black"}


class Marker:
    """Markers on a counter."""

    SUPPRESSED, COLUMN = "suppressed", "column"
    IMPROVED, ENTRENCHED = "improved", "entrenched"
    ONE, TWO, STEP = "1 cohesion hit", "2 cohesion hits", "step loss"
    ACTED, FIRED_OP, HERO = "acted", "op-fired", "hero"
    WITH = "with "
    """The leader with whom it is in contact is behind it."""
    CONTACT, PENDING, PARK, FIRED_PARK = "in contact", "contact pending", "in park", "park fired"
    LIGHT, HEAVY, ENTRY = "light barrage", "heavy barrage", "in entry hex"
    RALLYING, AT_WORK = "rallying", "men at work"
    CLEARED = (LIGHT, HEAVY, ACTED, FIRED_OP, FIRED_PARK)
    """At the end of a turn."""
    TYPED = (SUPPRESSED, ONE, TWO, STEP, COLUMN, IMPROVED, ENTRENCHED, HERO, CONTACT, PENDING,
             PARK, FIRED_PARK, LIGHT, HEAVY, ENTRY, ACTED, FIRED_OP)  # fmt: skip


def cohesion(unit: Counter) -> Literal[0, 1, 2]:
    return 2 if unit.has(Marker.TWO) else 1 if unit.has(Marker.ONE) else 0


def steps_of(unit: Counter) -> int:
    """For stacking and mass: some units have no step at all."""
    return 0 if {STEPLESS, LEADER} & {*unit.traits} else unit.steps


def leads(unit: Counter) -> bool:
    """Whether it is a leader: he goes with a unit, does nothing himself, and nobody fires at
    him."""
    return LEADER in unit.traits


def assault_color(unit: Counter) -> str:
    """That of its assault rating, as far as it is typed in."""
    found = (one for one in unit.traits if one.startswith(ASSAULT))
    return next(found, "").removeprefix(ASSAULT)


def commanded(unit: Counter, out: bool) -> bool:
    """Whether it is in command, where its players say that it is ``out`` of range or not."""
    return unit.has(Marker.PARK) or not (out or unit.has(Marker.ENTRY))


def barrage_on(unit: Counter) -> Barrage | None:
    return "heavy" if unit.has(Marker.HEAVY) else "light" if unit.has(Marker.LIGHT) else None


def check_of(unit: Counter, *, out: bool = False, more: int = 0) -> CheckOf:
    """A check of a unit with its markers."""
    rating, away = unit.rating("tq"), not commanded(unit, out)
    standing = _standing(unit, CHECK_MARKERS)
    return CheckOf(rating=rating, out_of_command=away, more=more, **standing)


def at_beaches(unit: Counter) -> list[str]:
    """The ids of what changes its roll against beach defenses."""
    found = [f"beach_cohesion_{cohesion(unit)}"] * bool(cohesion(unit))
    return found + ["beach_single_step"] * (steps_of(unit) == 1)


def firing(unit: Counter) -> Firer:
    return Firer(**_standing(unit, ("column", "step_loss", "entrenched")))


def _standing(unit: Counter, names: Iterable[str]) -> dict[str, Any]:
    flags = {name: unit.has(name.replace("_", " ")) for name in names}
    return {**flags, "cohesion": cohesion(unit), "barrage": barrage_on(unit)}


def busy(unit: Counter) -> Counter:
    """The unit after an action: markers of unfinished ones come off."""
    return unit.counting(Marker.RALLYING, 0).counting(Marker.AT_WORK, 0).marked(Marker.ACTED)


# ------------------------------------------------------------------ fire results


def eliminated(unit: Counter) -> Counter:
    return replace(unit, steps=0, place="", flags=())


def step_lost(unit: Counter) -> Counter:
    if steps_of(unit) <= 1:
        return eliminated(unit)
    return replace(unit, steps=1).marked(Marker.STEP)


def cohesion_hit(unit: Counter) -> Counter:
    if not steps_of(unit):
        return eliminated(unit)
    if unit.has(Marker.TWO):
        return step_lost(unit)
    if unit.has(Marker.ONE):
        return unit.marked(Marker.ONE, False).marked(Marker.TWO)
    return unit.marked(Marker.ONE)


def suppressed(unit: Counter) -> Counter:
    return cohesion_hit(unit) if unit.has(Marker.SUPPRESSED) else unit.marked(Marker.SUPPRESSED)


INFLICTS = {"E": eliminated, "1": step_lost, "C": cohesion_hit, "S": suppressed}
"""What a fire result does, without the check that an S allows."""


def in_contact(unit: Counter, leader: str) -> Counter:
    on = (Marker.CONTACT, Marker.WITH + leader)
    return out_of_contact(unit).remarked(on=on, off=[Marker.PENDING])


def out_of_contact(unit: Counter) -> Counter:
    """Artillery in contact loses it."""
    if not unit.has(Marker.CONTACT):
        return unit
    off = [one for one in unit.flags if one == Marker.CONTACT or one.startswith(Marker.WITH)]
    return unit.remarked(on=[Marker.PENDING], off=off)


def parked(unit: Counter) -> Counter:
    """A unit that goes into a park, where nobody is in column."""
    return unit.remarked(on=[Marker.PARK], off=[Marker.COLUMN])


def broken_up(unit: Counter) -> Counter:
    """A unit of a park that is replaced by its units."""
    if not unit.has(Marker.PARK):
        return unit
    return out_of_contact(unit.remarked(off=(Marker.PARK, Marker.FIRED_PARK)))
