"""The units of the Grand Tactical Series: their markers, and what fire results do to them.

A unit is a ``Counter`` of the companions' register. Everything here is a pure function of one
counter; what stands beside it in its hex is asked of the ``state``.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from skirmish.games.gts.combat import Barrage, CheckFacts, Firer
from skirmish.tabletop.companion.counters import LEADER, STEPLESS, Counter

RATINGS = ("tq", "fire", "assault", "defense", "range", "move")
"""The numbers printed on a counter; ``tq`` is troop quality."""
TRAITS = ("armored", "engineer", "white", "black", LEADER, "ship", STEPLESS)
"""``white`` and ``black`` are the stripes of independent units; ``stepless``: without a step."""
ARTILLERY = "orange"
"""The color of artillery, which the rules call indirect high explosive. It fires out of parks."""
LIGHT_MORTAR = "purple"
"""The color of light mortars (G8)."""
DEDICATED = "brown"
"""The color of dedicated artillery."""
COASTAL = "black"
"""The color of coastal batteries. As a trait, ``black`` is a stripe."""
ASSAULT_COLOR = "assault-"
"""The trait that holds the color of the assault rating begins with this: ``assault-green``."""
STRIPES = {"white", "black"}
"""Traits of independent units."""


class Marker:
    """Markers on a counter. Games are stored with these texts, so none of them ever changes."""

    SUPPRESSED, IN_COLUMN = "suppressed", "column"
    IMPROVED, ENTRENCHED = "improved", "entrenched"
    ONE_HIT, TWO_HITS, STEP_LOSS = "1 cohesion hit", "2 cohesion hits", "step loss"
    ACTED, FIRED_OP, HERO = "acted", "op-fired", "hero"
    WITH_LEADER = "with "
    """The beginning of a marker that names the leader with whom artillery is in contact
    (``with_leader``)."""
    IN_CONTACT, CONTACT_PENDING = "in contact", "contact pending"
    IN_PARK, PARK_FIRED = "in park", "park fired"
    LIGHT_BARRAGE, HEAVY_BARRAGE, ENTRY_HEX = "light barrage", "heavy barrage", "in entry hex"
    RALLYING, AT_WORK = "rallying", "men at work"
    CLEARED = (LIGHT_BARRAGE, HEAVY_BARRAGE, ACTED, FIRED_OP, PARK_FIRED)
    """Markers that come off at the end of a turn (sequence of play, K and L)."""
    TYPED = (
        SUPPRESSED,
        ONE_HIT,
        TWO_HITS,
        STEP_LOSS,
        IN_COLUMN,
        IMPROVED,
        ENTRENCHED,
        HERO,
        IN_CONTACT,
        CONTACT_PENDING,
        IN_PARK,
        PARK_FIRED,
        LIGHT_BARRAGE,
        HEAVY_BARRAGE,
        ENTRY_HEX,
        ACTED,
        FIRED_OP,
    )
    """Markers that players may set by hand."""


MARKER_SIGNS = {
    Marker.SUPPRESSED: "#",
    Marker.ONE_HIT: "✗",
    Marker.TWO_HITS: "✗✗",
    Marker.STEP_LOSS: "½",
    Marker.IN_COLUMN: "→",
    Marker.IMPROVED: "∩",
    Marker.ENTRENCHED: "▲",
    Marker.HERO: "♥",
    Marker.IN_CONTACT: "!",
    Marker.CONTACT_PENDING: "?",
    Marker.IN_PARK: "P",
    Marker.PARK_FIRED: "p",
    Marker.LIGHT_BARRAGE: "○",
    Marker.HEAVY_BARRAGE: "●",
    Marker.ENTRY_HEX: "E",
    Marker.ACTED: "✓",
    Marker.FIRED_OP: "+",
    Marker.AT_WORK: "W",
}
"""How markers look on the board, in the order of its key. In plain ASCII, too, no two look alike.
That a unit is rallying or with a leader is written in words."""


def with_leader(formation: str) -> str:
    """The marker of artillery in contact with the leader of that formation: ``with 505``."""
    return Marker.WITH_LEADER + formation


# ------------------------------------------------------------------ what is read off a counter


def cohesion(unit: Counter) -> Literal[0, 1, 2]:
    """How many cohesion hits a unit has."""
    if unit.has(Marker.TWO_HITS):
        return 2
    if unit.has(Marker.ONE_HIT):
        return 1
    return 0


def steps_of(unit: Counter) -> int:
    """The steps of a unit that count for stacking and mass: none of one without steps, which is
    stored with one, since a counter with none is out of play."""
    if unit.has_steps:
        return unit.steps
    return 0


def leads(unit: Counter) -> bool:
    """Whether a unit is a leader: he goes with a unit, does nothing himself, and nobody fires at
    him."""
    return LEADER in unit.traits


def assault_color(unit: Counter) -> str:
    """The color of a unit's assault rating; empty if nobody has typed it in."""
    for trait in unit.traits:
        if trait.startswith(ASSAULT_COLOR):
            return trait.removeprefix(ASSAULT_COLOR)
    return ""


def is_in_command(unit: Counter, out: bool) -> bool:
    """Whether a unit is in command. It is not if its players say that it is ``out`` of command, but
    a unit in a park always is, and one in an entry hex never (General Concepts, In Command)."""
    if unit.has(Marker.IN_PARK):
        return True
    return not out and not unit.has(Marker.ENTRY_HEX)


def barrage_on(unit: Counter) -> Barrage | None:
    """The barrage on the hex of a unit; a heavy one has replaced a light one."""
    if unit.has(Marker.HEAVY_BARRAGE):
        return "heavy"
    if unit.has(Marker.LIGHT_BARRAGE):
        return "light"
    return None


def check_facts(unit: Counter, *, out: bool = False, more: int = 0) -> CheckFacts:
    """The facts of a troop quality check of a unit with its markers. ``out``: its players say that
    it is out of command. ``more``: what else is added to its rating."""
    return CheckFacts(
        rating=unit.rating("tq"),
        out_of_command=not is_in_command(unit, out),
        more=more,
        cohesion=cohesion(unit),
        barrage=barrage_on(unit),
        suppressed=unit.has(Marker.SUPPRESSED),
        step_loss=unit.has(Marker.STEP_LOSS),
        improved=unit.has(Marker.IMPROVED),
        entrenched=unit.has(Marker.ENTRENCHED),
        hero=unit.has(Marker.HERO),
    )


def beach_modifiers(unit: Counter) -> list[str]:
    """The ids of the modifiers of a unit's roll against beach defenses."""
    ids = []
    hits = cohesion(unit)
    if hits:
        ids.append(f"beach_cohesion_{hits}")
    if steps_of(unit) == 1:
        ids.append("beach_single_step")
    return ids


def firer_of(unit: Counter) -> Firer:
    """The unit as a firer, as far as its markers say it."""
    return Firer(
        cohesion=cohesion(unit),
        barrage=barrage_on(unit),
        column=unit.has(Marker.IN_COLUMN),
        step_loss=unit.has(Marker.STEP_LOSS),
        entrenched=unit.has(Marker.ENTRENCHED),
    )


# ------------------------------------------------------------------ what becomes of a unit
# A counter never changes: each of these functions returns the unit as it is afterwards.


def after_action(unit: Counter) -> Counter:
    """The unit after an action. The markers of unfinished actions come off: Rallying and Men at
    Work count only while a unit goes on with the same action."""
    # These two are counted, "men at work 2"; a count of 0 takes them off.
    without_unfinished = unit.counting(Marker.RALLYING, 0).counting(Marker.AT_WORK, 0)
    return without_unfinished.marked(Marker.ACTED)


def moved_out(unit: Counter, place: str | None) -> Counter:
    """The unit after it has moved to another hex, without the markers of its old one.
    ``place`` is None where nobody writes hexes down."""
    moved = unit.remarked(off=(Marker.LIGHT_BARRAGE, Marker.HEAVY_BARRAGE, Marker.ENTRY_HEX))
    if place is None:
        return moved
    return replace(moved, place=place)


# ------------------------------------------------------------------ fire results
# General Concepts, Inflicting Fire Results.


def eliminated(unit: Counter) -> Counter:
    """E: the unit is out of play."""
    return replace(unit, steps=0, place="", flags=())


def step_lost(unit: Counter) -> Counter:
    """1: a unit with one step or none is eliminated, one with more is reduced to one."""
    if steps_of(unit) <= 1:
        return eliminated(unit)
    return replace(unit, steps=1).marked(Marker.STEP_LOSS)


def cohesion_hit(unit: Counter) -> Counter:
    """C: the first hit, then the second; a third is a step loss, and the two hits stay. Any hit
    eliminates a unit without a step."""
    if not steps_of(unit):
        return eliminated(unit)
    if unit.has(Marker.TWO_HITS):
        return step_lost(unit)
    if unit.has(Marker.ONE_HIT):
        return unit.remarked(on=[Marker.TWO_HITS], off=[Marker.ONE_HIT])
    return unit.marked(Marker.ONE_HIT)


def suppressed(unit: Counter) -> Counter:
    """S, without its optional check. A unit that is suppressed already takes a cohesion hit
    (G15)."""
    if unit.has(Marker.SUPPRESSED):
        return cohesion_hit(unit)
    return unit.marked(Marker.SUPPRESSED)


AFTER_RESULT = {"E": eliminated, "1": step_lost, "C": cohesion_hit, "S": suppressed}
"""What a unit becomes by each fire result, without the check that an S allows."""


# ------------------------------------------------------------------ contact and parks


def in_contact(unit: Counter, formation: str) -> Counter:
    """Artillery that has made contact with the leader of a ``formation``. A contact with another
    leader is lost by that."""
    markers = (Marker.IN_CONTACT, with_leader(formation))
    return out_of_contact(unit).remarked(on=markers, off=[Marker.CONTACT_PENDING])


def out_of_contact(unit: Counter) -> Counter:
    """Artillery loses its contact: its marker is on it again, Pending side up (Losing Contact)."""
    if not unit.has(Marker.IN_CONTACT):
        return unit
    leaders = [flag for flag in unit.flags if flag.startswith(Marker.WITH_LEADER)]
    return unit.remarked(on=[Marker.CONTACT_PENDING], off=[Marker.IN_CONTACT, *leaders])


def parked(unit: Counter) -> Counter:
    """A unit that joins a park, where nobody is in column."""
    return unit.remarked(on=[Marker.IN_PARK], off=[Marker.IN_COLUMN])


def broken_up(unit: Counter) -> Counter:
    """A unit whose park is disbanded, or broken up by direct fire (D5): it loses its contact. Any
    other unit as it is."""
    if not unit.has(Marker.IN_PARK):
        return unit
    return out_of_contact(unit.remarked(off=(Marker.IN_PARK, Marker.PARK_FIRED)))
