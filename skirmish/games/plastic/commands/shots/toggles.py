"""What keys change about a shot whose shooter and target are known: circumstances, the weapon, the
shooter, how many are in contact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.firing import (
    PreparedShot,
    circumstances_that_matter,
    prepared,
)
from skirmish.games.plastic.battle.rows import Row, find_row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.what_if import next_weapon, what_if
from skirmish.games.plastic.commands.battle_now import MOST_NUMBERED, numbered_options
from skirmish.games.plastic.commands.shots.order import objection, order_of
from skirmish.games.plastic.rules.catalog import plural
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Aim
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES, DEFAULTS, circumstance_words
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Option


class CircumstanceQuestion(NamedTuple):
    """The question whether a circumstance holds: its heading in ``large`` letters and its ``text``.
    ``yes`` is the value of the circumstance after the answer Yes: False for ``grouped`` and
    ``apart``, of which the opposite is asked."""

    large: str
    text: str
    yes: bool = True


QUESTIONS = {
    "cover": CircumstanceQuestion(
        "IN COVER?", "Is there something in front of {target}: a wall, a hedge, trees?"
    ),
    "hull_down": CircumstanceQuestion("HULL DOWN?", "Can only the top of {target} be seen?"),
    "rear": CircumstanceQuestion("FROM BEHIND?", "Does the shot come from behind {target}?"),
    "close": CircumstanceQuestion("CLOSE?", "Is {target} within {near}? Measure it."),
    "grouped": CircumstanceQuestion(
        "ALONE?", "Does the man aimed at stand alone, with no friend touching him?", yes=False
    ),
    "apart": CircumstanceQuestion("TOUCHING?", "Do the two touch each other?", yes=False),
}
"""The questions by the name of the circumstance, for those who answer one at a time."""
MOST_IN_CONTACT = MOST_NUMBERED
"""The most whose number is chosen from a list, in which each has a digit as its key; more are
typed before the letter."""


def shot_toggles(state: State, facts: Answers) -> tuple[Toggle, ...]:
    """What a key changes, once shooter and target are known."""
    order = order_of(facts)
    if order is None:
        return ()
    return (
        *_contact_toggle(state, facts),
        *_weapon_toggle(state, order),
        *_other_shooter_toggle(state, order),
        *circumstance_toggles(state, order),
    )


def _contact_toggle(state: State, facts: Answers) -> Iterator[Toggle]:
    """How many of the row touch the enemy and fight together: in phases 3 and 4 no others may, and
    the program cannot see them."""
    row = find_row(state, facts["shooter"])
    if row is None or row.ready_count < 2:
        return
    # A number that was typed before the letter says it already.
    if facts.get("count") is not None:
        return
    # ``apart``: the shot is none in contact, even in these phases.
    if state.clock.phase not in CLOSE_PHASES or facts.get("apart"):
        return
    most = min(row.ready_count, MOST_IN_CONTACT)
    touching = facts.get("contact") or 1
    one_more = touching + 1
    if one_more > most:  # then it begins anew
        one_more = 1
    yield Toggle(
        name="contact",
        key="#",  # digits say how many are in reach
        label=f"{touching} in contact",
        sets={"contact": one_more},
        mark=touching > 1,
        asks=_how_many_touch(row, most),
    )


def _how_many_touch(row: Row, most: int) -> Choose:
    """The question how many of a row touch the enemy, from one to the ``most`` who may."""
    number_labels = {1: row.unit.name}
    for number in range(2, most + 1):
        number_labels[number] = plural(row.unit.name)
    return Choose(
        name="contact",
        text=f"How many {plural(row.unit.name)} touch the enemy and fight now?",
        large="HOW MANY?",
        options=numbered_options(number_labels),
        default=1,
    )


def _weapon_toggle(state: State, order: Fire) -> Iterator[Toggle]:
    """The next weapon of the shooter, if he has another."""
    following = next_weapon(state, order)
    if following is None:
        return
    # Of a shot that no weapon makes possible the key names the first that can be chosen.
    present = _weapon_used(state, order) or following
    yield Toggle(
        name="weapon",
        key="w",
        label=state.setup.catalog.weapons[present].name,
        sets={"weapon": following},
        mark=order.weapon is not None,
        asks=_which_weapon(state, order),
    )


def _other_shooter_toggle(state: State, order: Fire) -> Iterator[Toggle]:
    """The next row that may fire this shot instead, if there is one."""
    change = what_if(state, order, "shooter")
    if change is None:
        return
    instead, shot = change.order, change.shot
    assert isinstance(instead, Fire), "only who fires was changed in the order"
    assert shot is not None, "only a row that may fire the shot is proposed"
    # A weapon that was chosen may be none of the other row's.
    sets: dict[str, Any] = {"shooter": instead.shooter, "weapon": None}
    # Fewer of the other row may be able to fire.
    if isinstance(instead, Volley):
        sets["count"] = instead.count
    note = state.words.contingent_note(instead.shooter)
    label = f"{shot.shooter.short}{note} instead"
    yield Toggle(name="other_shooter", key="o", label=label, sets=sets)


def _which_weapon(state: State, order: Fire) -> Choose | None:
    """The question for the weapon, if the shooter has several that can hurt the target."""
    row = find_row(state, order.shooter)
    if row is None:
        return None
    able = {}
    for weapon in dict.fromkeys(slot.id for slot in row.weapons):
        # What the rules advise against is left to the key, which asks again.
        if objection(state, replace(order, weapon=weapon)) is None:
            able[weapon] = state.setup.catalog.weapons[weapon].name
    if len(able) < 2:
        return None
    text = "Which weapon?"
    options = numbered_options(able)
    return Choose(name="weapon", text=text, large=text.upper(), options=options)


def _weapon_used(state: State, order: Fire) -> str | None:
    """The weapon, by its id, with which the shot is fired; None if none is named and the shot
    is impossible."""
    try:
        return prepared(state, order).shooting.weapon
    except Refused:
        return order.weapon


def circumstance_toggles(state: State, order: Fire | Again) -> Iterator[Toggle]:
    """The circumstances that could change this shot. They are asked only if they change who is
    hit. Those that only decide who dies are asked after a hit: most shots miss."""
    for name in circumstances_that_matter(state, order):
        holds = getattr(order, name)
        asks = None
        if _changes_the_hit(state, order, name):
            asks = _does_it_hold(state, order, name)
        yield Toggle(
            name=name,
            key=CIRCUMSTANCES[name].key,
            label=circumstance_words(order, name),
            sets={name: not holds},
            mark=holds != DEFAULTS[name],
            asks=asks,
        )


def _does_it_hold(state: State, order: Fire | Again, name: str) -> Choose:
    """The question whether the circumstance ``name`` holds."""
    # A repeat shot names no row if it is at the same one as before.
    target = find_row(state, order.target or "")
    whom = "the target"
    if target is not None:
        whom = f"the {target.unit.name}"
    question = QUESTIONS[name]
    exact_within = inches(state.setup.catalog.fire.exact_within)
    return Choose(
        name=name,
        text=question.text.format(target=whom, near=exact_within),
        large=question.large,
        options=(
            Option(value=question.yes, label="Yes", key="y"),
            Option(value=not question.yes, label="No", key="n"),
        ),
        default=getattr(order, name),
    )


def _changes_the_hit(state: State, order: Fire | Again, name: str) -> bool:
    """Whether a circumstance changes who is hit, or what the rules say. The shot is possible
    with and without it: ``circumstances_that_matter`` has no others."""
    flipped = replace(order, **{name: not getattr(order, name)})
    before, after = prepared(state, order), prepared(state, flipped)
    if before.advice != after.advice:
        return True
    return _what_decides_a_hit(before) != _what_decides_a_hit(after)


def _what_decides_a_hit(shot: PreparedShot) -> list[Aim]:
    """What decides whether somebody is hit, for each row that fires: all of its aim without the
    words for it (``why``), and without the reason why the man aimed at would die (``why_exact``).
    Who dies ("Removing Dead Guys" [72]) is asked only after a hit."""
    return [replace(squad.aim, why=(), why_exact=None) for squad in shot.squads]
