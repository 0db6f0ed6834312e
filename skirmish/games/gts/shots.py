"""The commands of fire: who, at whom, how far, and what is not read off the counters yet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from skirmish.games.gts.combat import needed, passes, text_of
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.ruleset import Mode
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import Marker
from skirmish.tabletop.commands import Answers, Command, Toggle, cycling
from skirmish.tabletop.companion.asking import (
    RatingSlot,
    chances_of,
    counter_options,
    typed_ratings,
)
from skirmish.tabletop.companion.counters import LONGEST_NAME, Counter
from skirmish.tabletop.companion.typed_tables import value_slots, values_of
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Number, Option, Slot, Words

WORDS = {"tq": "troop quality", "range": "range"}
BY_NUMBERS, NO_UNIT, EMPTY_HEX = "by numbers", "no unit", "empty hex"
FARTHEST = 60
MODES: tuple[tuple[Mode, str, str], ...] = (
    ("direct", "Direct fire", "f"),
    ("op", "Opportunity fire", "o"),
    ("indirect", "Indirect fire", "i"),
    ("assault", "Shot of an assaulter", "s"),
    ("defense", "Shot of an assaulted unit", "d"),
)


def shots(state: GtsState) -> Iterator[Command[Any]]:
    for mode, label, key in MODES:
        yield Command(
            label=label,
            key=key,
            word=label.lower() * _shown(state, mode),
            group="Fire",
            slots=partial(_slots, state, mode),
            toggles=partial(_toggles, state, mode),
            preview=partial(_preview, state, mode),
            make=partial(_made, mode),
        )


def _shown(state: GtsState, mode: Mode) -> bool:
    """Whether the strip of keys shows it."""
    if mode in ("assault", "defense"):
        return state.chart == "assault"
    return state.setup.scope == "fire" or state.now == "activations"


def _made(mode: Mode, **answers: Any) -> Shoot:
    return _shot(mode, answers)


def _shot(mode: Mode, answers: Answers) -> Shoot:
    """The shot of the answers so far."""
    firer, target = answers.get("unit", ""), answers.get("target", "")
    given = {
        name: answers[name]
        for name in Shoot.__struct_fields__
        if name not in ("target", "printed", "values") and answers.get(name) is not None
    }
    return Shoot(
        **given,
        mode=mode,
        firer="" if firer == BY_NUMBERS else firer,
        target="" if target in (NO_UNIT, EMPTY_HEX) else target,
        empty=target == EMPTY_HEX,
        printed=typed_ratings(answers),
        values=values_of(answers),
        numbers=rolled(answers, "check", "number"),
    )


def rolled(answers: Answers, *names: str) -> tuple[int, ...]:
    return tuple(answers[name] for name in names if answers.get(name) is not None)


# ------------------------------------------------------------------ what is asked


def _slots(state: GtsState, mode: Mode, answers: Answers) -> tuple[Slot, ...]:
    return tuple(_asked(state, mode, answers))


def _asked(state: GtsState, mode: Mode, answers: Answers) -> Iterator[Slot]:
    close = mode in ("assault", "defense")
    yield state.once(("firers", mode), partial(_firers, state, mode))
    firer = answers.get("unit")
    if firer == BY_NUMBERS:
        yield _color_slot(state, "color", "Which row of the fire table?")
        yield Number(name="rating", text="What is the rating?", high=20, eager=True)
    own = state.counters.counters.get(firer or "")
    side, empty = own.side if own else "", mode == "indirect"
    yield state.once(("targets", side, empty), partial(_targets, state, side, empty=empty))
    target = answers.get("target")
    if target == NO_UNIT:
        yield Number(name="defense", text="What is its defense rating?", low=-20, high=20)
        yield _armored_slot("armored", "the target")
    if target == EMPTY_HEX:
        yield Words(name="place", text="Which hex is it?", usual="", longest=LONGEST_NAME)
    if not close:
        yield Number(name="range", text="How many hexes away?", low=1, high=FARTHEST, eager=True)
    if firer is None or target is None or (firer == BY_NUMBERS and "rating" not in answers):
        return
    shot = _shot(mode, answers)
    for id, names in shot.needs(state):
        for name in names:
            yield _printed_slot(state, state.counters[id], name)
    if _complete(state, shot):
        yield from value_slots(state, shot.missing(state), answers)
        yield from _rolls(state, shot, answers)


def _why_not(state: GtsState, mode: Mode, unit: Counter) -> str:
    if mode in ("assault", "defense"):
        return ""
    if unit.has(Marker.SUPPRESSED) and state.rules.rulings["G26"] == "no":
        return f"{unit.name} is suppressed."
    return "" if mode == "op" else state.why_not_act(unit, "fire")


def _firers(state: GtsState, mode: Mode) -> Slot:
    able = counter_options(state.units(), partial(_why_not, state, mode), state.counters.codes)
    numbers = Option(value=BY_NUMBERS, label="by numbers: nests, obstacles, ships", key="0")
    return Choose(name="unit", text="Who fires?", options=(*able, numbers))


def _targets(state: GtsState, side: str, *, empty: bool) -> Slot:
    foes = [one for one in state.units() if one.side != side]
    options = counter_options(foes, codes=state.counters.codes)
    options += (Option(value=NO_UNIT, label="a unit not entered", key="0"),)
    options += (Option(value=EMPTY_HEX, label="an empty hex", key="1"),) * empty
    return Choose(name="target", text="At which unit?", options=options)


def _color_slot(state: GtsState, name: str, text: str) -> Slot:
    options = (
        Option(value=id, label=id, key=one.key, note=one.text)
        for id, one in state.rules.colors.items()
    )
    return Choose(name=name, text=text, options=tuple(options))


def _armored_slot(name: str, whose: str) -> Slot:
    options = (Option(value=False, label="no", key="n"), Option(value=True, label="yes", key="y"))
    return Choose(name=name, text=f"Is the defense rating of {whose} on black?", options=options)


def _printed_slot(state: GtsState, unit: Counter, name: str) -> Slot:
    if name == "color":
        text = f"What color is the fire rating of {unit.name}?"
        return _color_slot(state, f"rate color {unit.id}", text)
    if name == "armored":
        return _armored_slot(f"rate armored {unit.id}", unit.name)
    return rating_slot(unit, name, f"rate {name} {unit.id}")


def rating_slot(unit: Counter, name: str, id: str) -> Slot:
    text = f"What is the {WORDS.get(name, f'{name} rating')} of {unit.name}?"
    low, high = (-20, 20) if name == "defense" else (0, 9 if name == "tq" else FARTHEST)
    return RatingSlot(name=id, short=name.upper(), text=text, low=low, high=high)


def _complete(state: GtsState, shot: Shoot) -> bool:
    """Whether everything that the shot needs is read off the counters."""
    read = shot.printed
    return all(name in read.get(id, {}) for id, names in shot.needs(state) for name in names)


def _rolls(state: GtsState, shot: Shoot, answers: Answers) -> Iterator[Slot]:
    if shot.missing(state) or not state.dice.typed:
        yield Confirm(name="number", text="Space rolls.", optional=True)
        return
    if (check := shot.check(state)) is not None:
        what = "opportunity fire" if shot.mode == "op" else "the company bonus"
        text = f"What did you roll for {what} ({needed(check.needs)})?"
        yield Number(name="check", text=text, high=9)
        roll = answers.get("check")
        failed = roll is None or not passes(check.needs, roll, literal=state.rules.literal)
        if shot.mode == "op" and failed:
            return
    yield Number(name="number", text="What did you roll for the shot?", high=9)


# ------------------------------------------------------------------ what can be changed


def _toggles(state: GtsState, mode: Mode, answers: Answers) -> tuple[Toggle, ...]:
    shot, target = _shot(mode, answers), answers.get("target")
    black = target != NO_UNIT or "armored" in answers  # until then n, b, o are answers
    if target is None or not black or not _complete(state, shot):
        return ()
    return tuple(_circumstances(state, shot, mode in ("assault", "defense")))


def _circumstances(state: GtsState, shot: Shoot, close: bool) -> Iterator[Toggle]:
    firer = bool(shot.firer)
    for name, key, label, on in (
        ("out", "o", "firer out of command", firer and shot.check(state) is not None),
        ("assault_rating", "a", "with the assault rating", close),
        ("near", "n", "beside an enemy: range 1", shot.mode in ("direct", "op")),
        ("bocage", "b", "firer in bocage", firer),
        ("hill", "h", "target on a hill", shot.mode != "indirect"),
        ("ridge", "r", "behind a ridge", shot.mode != "indirect"),
        ("running", "u", "running from an assault", shot.mode == "op"),
        ("counter_battery", "c", "counter-battery", shot.mode == "indirect"),
        ("plain", "p", "no modifiers", not firer),
    ):
        if on:
            yield Toggle(name=name, key=key, label=label, mark=bool(getattr(shot, name)))
    if shot.mode == "op":
        labels = {"": "zone to zone", "to_zone": "from zone to zone", "left": "out of the zones"}
        yield cycling("zone", "z", shot.zone, labels)
    if close:
        labels_ = {None: "bonus rolled", True: "company bonus", False: "no company bonus"}
        yield cycling("bonus", "y", shot.known(state), labels_)
    grounds = {"": "terrain", **{name: name for name in state.tables.terrains}}
    yield cycling("terrain", "t", shot.terrain, grounds)
    target = state.counters.counters.get(shot.target)
    steps = shot.mass if shot.mass is not None else state.mass(target) if target else 1
    yield Toggle(name="mass", key="m", label=f"{steps} steps in the hex",
                 sets={"mass": (steps + 1) % 11}, mark=shot.mass is not None)  # fmt: skip


def _preview(state: GtsState, mode: Mode, answers: Answers) -> Page:
    if answers.get("target") is None:
        return Page("")
    shot = _shot(mode, answers)
    lead = f"{shot.text(state)}:"
    ranged = mode in ("assault", "defense") or answers.get("range") is not None
    if not ranged or not _complete(state, shot) or shot.missing(state):
        return Page("", (Paragraph("", lead=lead),))
    try:
        found, chances = shot.weighed(state)
    except Refused as refused:
        return Page("", (Paragraph(str(refused), lead=lead, tone="bad"),))
    first, check = "", shot.check(state)
    if check is not None:
        what = "A check" if mode == "op" else "The company bonus"
        first = f"{what}: {text_of(check)}. Then: "
    text = f"{first}{text_of(found.sum)}; {found.color} row, {found.table} side."
    known = {"look it up" if name == "?" else name: one for name, one in chances.items()}
    return Page("", chances_of(lead, text, known))
