"""The commands and prompts of Omaha, in the order of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec.structs import replace

from skirmish.games.omaha import orders
from skirmish.games.omaha.attacks import (
    HARD,
    SOFT,
    Assault,
    Attack,
    Fire,
    never_fires_far,
    of_kind,
    reach_of,
    why_not_attacking,
    why_not_combining,
)
from skirmish.games.omaha.combat import shift_text
from skirmish.games.omaha.ruleset import CREST, FOES, KINDS, SIDES
from skirmish.games.omaha.state import DECK, NAVY, OmahaState
from skirmish.games.omaha.units import WORDS, Mark, rated
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.companion import asking
from skirmish.tabletop.companion.asking import HexSlot, UnitsSlot
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Dice, Number, Option, Slot

NAVAL = "naval"
NAVY_SPENT = "The naval gunfire of this phase is spent."
FARTHEST = 29
MOST_REASONS = 3
"""Of those that say why a command cannot be given now."""
AIMS = (
    Option(value=SOFT, label="soft: infantry and guns", key="s"),
    Option(value=HARD, label="hard: armor", key="h"),
)


def commands(state: OmahaState) -> Iterator[Command[Any]]:
    """The commands of the phase; corrections by hand come from the kit."""
    if state.ended or state.agenda:
        return
    batteries = _batteries(state)
    if batteries:
        yield _next_battery(state, batteries)
    else:
        yield _of_phase(state)
    if state.shooter is not None:
        if state.now == "german_fire" and state.setup.solitaire:
            yield _german_fire(state, batteries)
        yield _attack(state, fires=True)
    if state.sequence.allows(state.position, "assault"):
        yield _attack(state, fires=False)
    yield from _move(state)
    slots, make = partial(_new_units, state), partial(_enter, state)
    about = "Enter units from your counters; skirmish omaha units takes them from a file."
    yield Command(label="New units", key="c", word="new units", slots=slots, make=make, help=about)
    if batteries:
        yield _end_of_german_fire(state, batteries)


def _of_phase(state: OmahaState) -> Command[Any]:
    make: Any = orders.Proceed
    slots: tuple[Slot, ...] = ()
    if state.now == "card":
        label, make = "Draw the action card", orders.DrawCard
        if DECK not in state.cups:
            options = tuple(Option(value=one.id, label=one.title) for one in state.setup.cards)
            slots = (Choose(name="card", text="Which card did you draw?", options=options),)
    elif state.sequence.allows(state.position, "recovery"):
        units = state.units(state.side, flag=Mark.DISRUPTED)
        label, make = f"Recovery ({len(units) or 'nobody'} disrupted)", orders.Recover
        if units and state.dice.typed:
            text = f"What did you draw for {named(units)}?"
            slots = (Dice(name="numbers", text=text, count=len(units)),)
    elif state.now == "setup":
        label = f"Begin turn {state.position.turn}"
    else:
        label = f"End of {state.sequence.at(state.position).name}"
    word = label if make is orders.Proceed else label.lower()
    return Command(label=label, key="space", word=word, slots=slots, make=make)


def prompt(state: OmahaState) -> Command[Any] | None:
    if state.ended or not state.agenda:
        return None
    task = state.agenda[0]
    count, units = task.count, state.of(task.units)
    options = asking.counter_options(units)
    make: Any
    if task.kind == "losses":
        label, make = "Losses", orders.TakeLosses
        text = f"Which of them lose{'s' * (count == 1)} a step ({count} of {len(units)})?"
        slot: Slot = UnitsSlot(name="units", text=text, options=options, least=count, most=count)
    elif task.kind == "retreat":
        label, make = "Retreat", orders.RetreatTo
        text = f"Retreat of {named(units)}: to which hex? Not beside an undisrupted enemy."
        slot = HexSlot(name="place", text=text, default="", nowhere="it is eliminated.")
    else:
        label, make = "Advance", orders.Occupy
        text = f"Who occupies {task.place}? Enter: nobody."
        slot = UnitsSlot(name="units", text=text, options=options)
    return Command(label=label, slots=(slot,), make=make)


# ------------------------------------------------------------------ fire and assault


def _attack(state: OmahaState, *, fires: bool) -> Command[Any]:
    """Fire or an assault: asks for the units, then the hex, then what depends on it."""
    side = (state.shooter or "us") if fires else state.side
    own, foe, make = state.units(side), FOES[side], _shot if fires else _assault
    options = [*asking.counter_options(own, partial(why_not_attacking, fires=fires))]
    if fires and state.now == "us_fire" and NAVY in state.tracks:
        spent = "" if state.tracks[NAVY].value else NAVY_SPENT
        label = "naval gunfire alone"
        options.append(Option(value=NAVAL, label=label, key="n", ends=True, why_not=spent))
    label = "Fire" if fires else "Assault"
    label = "Opportunity fire" if side != state.side else label
    first = UnitsSlot(
        name="attackers",
        text=f"{SIDES[side]} {label.lower()}: who {'fires' if fires else 'attacks'}?",
        least=1,
        options=tuple(options),
        why_not=lambda chosen: why_not_combining(state, state.of(chosen), fire=fires),
    )
    text = "At which hex?" if fires else "Which hex beside theirs?"
    why = ""
    if not state.units(foe):
        why = f"No {SIDES[foe]} unit is entered yet; c enters one."
    elif not options:
        why = f"No {SIDES[side]} unit is entered yet; c enters one."
    elif all(option.why_not for option in options):
        why = _summed(option.why_not for option in options)

    def slots(answers: Answers) -> Iterator[Slot]:
        attackers = () if fires else state.of(tuple(answers.get("attackers") or ()))
        yield first
        yield _targets(state, foe, text, beside=attackers)
        if "target" in answers:
            yield from _after_target(state, make(answers), answers)

    key, word = "f" if fires else "a", label.lower()
    return _attacking(state, slots, make, label=label, key=key, word=word, why_not=why)


def _summed(reasons: Iterable[str]) -> str:
    """The reasons, each once: ``1/B has fired. 2/B is disrupted.``"""
    listed = list(dict.fromkeys(reasons))
    if len(listed) > MOST_REASONS:
        more = len(listed) - MOST_REASONS
        listed = [*listed[:MOST_REASONS], f"{more} more cannot act either."]
    return " ".join(listed)


def _targets(state: OmahaState, side: str, text: str, *, beside: Sequence[Counter] = ()) -> Choose:
    """The hexes of a side, as a question; an assault reaches those ``beside`` all its attackers."""
    moved: tuple[Counter, ...] = ()
    if state.shooter == FOES[state.side]:
        moved = state.units(flag=Mark.MOVING)
    options = []
    for place in state.hexes(side):
        units = state.at_target(place, side)
        label = f"{units[0].place} {', '.join(map(_standing, units))}".strip()
        why = ""
        if moved and not any(unit in moved for unit in units):
            why = "Nobody there has just moved."
        far = [unit for unit in beside if not state.may_adjoin(unit.place, place)]
        if far:
            why = f"{place} is not beside {far[0].place}, where {far[0].name} stands."
        options.append(Option(value=place, label=label, called=units[0].place, why_not=why))
    return Choose(name="target", text=text, options=tuple(options))


def _standing(unit: Counter) -> str:
    marks = [mark for mark in (Mark.DISRUPTED, Mark.MOVING) if unit.has(mark)]
    marks += ["1 step"] if unit.steps == 1 else []
    return f"{unit.name} ({', '.join(marks)})" if marks else unit.name


def _after_target(state: OmahaState, attack: Attack, answers: Answers) -> Iterator[Slot]:
    """Asks for the kind of target, ratings from counters, distances, and the number."""
    shot = attack if isinstance(attack, Fire) else None
    if shot:
        there = shot.there(state)
        hard = of_kind(there, HARD)
        if shot.attackers and hard and of_kind(there, SOFT):
            yield Choose(name="aim", text="At which targets?", options=AIMS)
            if "aim" not in answers:
                return
        if shot.hard(state) and len(hard) > 1 and state.setup.ruled("M2", "one"):
            yield Choose(name="tank", text="Which of them?", options=asking.counter_options(hard))
    for units, names in replace(attack, ratings={}).needs(state):  # also asked once answered
        yield from asking.rating_slots(units, names, WORDS)
    for place in dict.fromkeys(unit.place for unit in shot.us(state)) if shot else ():
        if not place or state.distance(place, attack.target) is None:
            firing = [unit for unit in attack.us(state) if unit.place == place]
            yield _distance_slot(state, place, firing)
    if state.dice.typed:
        yield Number(name="number", text="Which number did you draw?", low=1, high=6)
    else:
        yield Confirm(name="number", text="Space draws the number.", optional=True)


def _distance_slot(state: OmahaState, place: str, firing: Sequence[Counter]) -> Number:
    """The distance of the target, up to the reach of the unit with the shortest range."""
    shortest = min(firing, key=lambda unit: unit.rating("range"))
    reach = reach_of(state, shortest)
    too_many = f"{shortest.name} reaches {reach} hexes, not {{}}."
    if never_fires_far(state, shortest):
        too_many = f"{shortest.name} never fires beyond its range of {reach}."
    whence = f" from {place}" if place else ""
    return Number(
        name=f"far {place}",
        text=f"How many hexes away{whence}? 1: adjacent.",
        low=1,
        high=min(reach, FARTHEST),
        eager=True,
        too_many=too_many,
    )


def _shot(answers: Answers, why: str = "") -> Fire:
    attackers = tuple(one for one in answers.get("attackers") or () if one != NAVAL)
    far = {name[4:]: far for name, far in answers.items() if name.startswith("far ")}
    return Fire(
        attackers=attackers,
        aim=answers.get("tank") or answers.get("aim") or "",
        naval=answers.get("naval", 0 if attackers else 1),
        air=answers.get("air", False),
        distances=far,
        seen=answers.get("seen") or {},
        why=why,
        **_common(answers),
    )


def _common(answers: Answers) -> dict[str, Any]:
    default = {"target": "", "crest": False, "number": 0}
    found = {name: answers.get(name) or value for name, value in default.items()}
    return {**found, "ground": answers.get("ground"), "ratings": asking.typed_ratings(answers)}


def _toggles(state: OmahaState, attack: Attack | None) -> Iterator[Toggle]:
    """The terrain of the target, and aids to the attack."""
    if attack is None:
        return
    seen = attack.stands_in(state)
    for one in state.setup.tables.terrain:
        if one.id == CREST:
            yield Toggle(name=CREST, key=one.key, label="across a crest", mark=attack.crest)
        elif one.left:
            after = tuple(id for id in (*seen, one.id) if id != one.id or one.id not in seen)
            label, sets = one.name.lower(), {"ground": after}
            yield Toggle(name="ground", key=one.key, label=label, sets=sets, mark=one.id in seen)
    if not isinstance(attack, Fire) or attack.hard(state):
        return
    if state.now == "us_fire" and NAVY in state.tracks:
        yield _naval_toggle(state, attack)
    if state.air(state.shooter or "") > 0:
        yield Toggle(name="air", key="p", label="air power +6", mark=attack.air)


def _naval_toggle(state: OmahaState, attack: Fire) -> Toggle:
    """One packet of naval gunfire more; after the last one the fewest again."""
    left = state.tracks[NAVY].value
    packet = state.setup.tables.numbers.packet
    fewest = 0 if attack.attackers else 1
    packets = attack.naval + 1 if attack.naval < left else fewest
    label = f"naval gunfire {attack.naval * packet} of {left * packet}"
    spent = "" if left else NAVY_SPENT
    mark = attack.naval > fewest
    sets = {"naval": packets}
    return Toggle(name="naval", key="n", label=label, sets=sets, mark=mark, why_not=spent)


def _assault(answers: Answers) -> Assault:
    return Assault(attackers=tuple(answers.get("attackers") or ()), **_common(answers))


def _attacking(
    state: OmahaState,
    slots: Callable[[Answers], Iterable[Slot]],
    make: Callable[[Answers], Attack | orders.HoldFire],
    **more: Any,
) -> Command[Any]:
    """A command whose sum is shown, and can be changed, once only the number is missing."""

    def whole(answers: Answers) -> Attack | None:
        missing = any(one.name not in ("number", *answers) for one in slots(answers))
        found = None if missing else make(answers)
        return found if isinstance(found, Attack) else None

    return Command(
        slots=lambda answers: tuple(slots(answers)),
        toggles=lambda answers: tuple(_toggles(state, whole(answers))),
        preview=lambda answers: _preview(state, whole(answers)),
        make=lambda **answers: make(answers),
        **more,
    )


def _preview(state: OmahaState, attack: Attack | None) -> Page:
    if attack is None:
        return Page("")
    lead = f"{attack.text(state)}:"
    try:
        found = attack.weighed(state)
    except Refused as refused:
        return Page("", (Paragraph(str(refused), lead=lead, tone="bad"),))
    why = f"{attack.why}. " if attack.why else ""
    shifts = "".join(f"; {shift_text(state.setup.tables, one)}" for one in found.shifts)
    base = found.base or "below 3"
    column = f"{base}{shifts}: column {found.column}" if shifts else base
    text = f"{why}{attack.sum(state, found)}: column {column}."
    return Page("", asking.chances_of(lead, text, found.chances))


# ------------------------------------------------------------------ the solitaire German


Batteries: TypeAlias = Mapping[str, tuple[Counter, ...]]
"""The solitaire Germans that can still fire, by their hex or, in an unrecorded one, by their id."""


def _batteries(state: OmahaState) -> Batteries:
    """In the fire phase of the solitaire German; else none."""
    if state.now != "german_fire" or not state.setup.solitaire:
        return {}
    found: dict[str, tuple[Counter, ...]] = {}
    for unit in state.units("german"):
        if not any(unit.has(mark) for mark in (Mark.FIRED, Mark.DISRUPTED, Mark.HELD)):
            place = unit.place or unit.id
            found[place] = (*found.get(place, ()), unit)
    return found


def _next_battery(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """Space: the fire of the next hex, until all of them have fired or hold their fire."""
    place = next(iter(batteries))
    label = f"German fire from {_battery_name(batteries[place])}"
    fire = _battery_fire(state, batteries, place)
    return replace(fire, label=label, key="space", word="the next German hex fires")


def _end_of_german_fire(state: OmahaState, batteries: Batteries) -> Command[Any]:
    waiting = ", ".join(_hex_name(state, place) for place in batteries)
    text = f"Not fired yet: {waiting}. Space ends the phase all the same."
    return Command(
        label="End of German fire",
        key="e",
        word="end of German fire",
        slots=(Confirm(name="ends", text=text, optional=False, default=True, says="End it"),),
        make=lambda ends: orders.Proceed(),
    )


def _german_fire(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """The fire of a hex of their choice."""
    why = "" if batteries else "Every German has fired, is disrupted, or sees nobody."
    fire = _battery_fire(state, batteries)
    label = "Fire from another German hex"
    return replace(fire, label=label, key="g", word="another German hex fires", why_not=why)


def _battery_name(units: Sequence[Counter]) -> str:
    return f"{units[0].place}: {named(units)}".removeprefix(": ")


def _battery_fire(state: OmahaState, batteries: Batteries, place: str = "") -> Command[Any]:
    """The fire of the Germans of a hex; without a ``place`` it is asked for."""
    options = tuple(
        Option(value=battery, label=_battery_name(units)) for battery, units in batteries.items()
    )
    which = Choose(
        name="battery", text="Which Germans?", options=options, default=next(iter(batteries), None)
    )
    able = [unit for units in batteries.values() for unit in units]

    def units_of(answers: Answers) -> tuple[Counter, ...]:
        return batteries.get(place or answers.get("battery", ""), ())

    def shot(answers: Answers) -> Fire | orders.HoldFire:
        units, seen = units_of(answers), answers.get("seen") or {}
        if not seen:
            ids = tuple(unit.id for unit in units)
            return orders.HoldFire(units=ids, ratings=asking.typed_ratings(answers))
        typed = asking.typed_ratings(answers)
        target, why = _target(state, seen, typed)
        far = seen[target]
        reaching = [unit.id for unit in rated(units, typed) if max(unit.rating("range"), 1) >= far]
        firing = reaching or [unit.id for unit in units]
        attackers = (*firing, *(answers.get("others") or ()))
        fars = {f"far {unit.place}": far for unit in units}
        return _shot({**fars, **answers, "attackers": attackers, "target": target}, why)

    def slots(answers: Answers) -> Iterator[Slot]:
        if not place:
            yield which
        units = units_of(answers)
        if not units:
            return
        yield from asking.rating_slots(units, ("range",), WORDS)
        yield _seen(state, rated(units, asking.typed_ratings(answers)))
        seen = answers.get("seen")
        if not seen:
            return
        nearest = _nearest(seen)
        if len(nearest) > 1:
            tied = [unit for hex_ in nearest for unit in state.at_target(hex_, "us")]
            yield from asking.rating_slots(tied, ("he",), WORDS)
        others = [
            unit
            for unit in able
            if unit not in units and not why_not_combining(state, (*units, unit), fire=True)
        ]
        if others:
            text = "Which of their company beside them see it too?"
            yield UnitsSlot(name="others", text=text, options=asking.counter_options(others))
        fire = shot(answers)
        assert isinstance(fire, Fire)
        aimed = {**answers, "attackers": fire.attackers, "target": fire.target}
        answered = {f"far {unit.place}" for unit in units}
        answered |= {f"rate range {unit.id}" for unit in units}
        for slot in _after_target(state, _shot(aimed), aimed):
            if slot.name not in answered:
                yield slot

    return _attacking(state, slots, shot, label="German fire")


def _seen(state: OmahaState, units: Sequence[Counter]) -> Slot:
    ranges = ", ".join(f"{one.name} (range {one.rating('range')})" for one in units)
    place = f"{units[0].place}: " if units[0].place else ""
    text = f"{place}{ranges}. Which Americans do they see within that, and how far?"
    options = tuple(
        Option(value=at, label=f"{_hex_name(state, at)} ({named(state.at_target(at, 'us'))})")
        for at in state.hexes("us")
    )
    reach = max(one.rating("range") for one in units)
    known = {at: state.distance(units[0].place, at) for at in state.hexes("us")}
    default = {at: far for at, far in known.items() if far and far <= reach and all(known.values())}
    hold = "" if default else "they hold their fire"
    return asking.DistancesSlot(
        name="seen", text=text, options=options, default=default, default_text=hold
    )


def _nearest(seen: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(place for place, far in seen.items() if far == min(seen.values()))


def _target(
    state: OmahaState, seen: Mapping[str, int], typed: Mapping[str, dict[str, int]]
) -> tuple[str, str]:
    """The nearest hex, with the reason; of equally distant ones the one with the most HE factors,
    including the ratings just ``typed``."""
    factors = {
        place: sum(one.rating("he") for one in rated(state.at_target(place, "us"), typed))
        for place in _nearest(seen)
    }
    chosen = max(factors, key=lambda place: factors[place])
    others = [place for place in factors if place != chosen]
    if not others:
        far = seen[chosen]
        return chosen, f"the nearest, {far} hex{'es' * (far != 1)} away"
    names = " and ".join(_hex_name(state, one) for one in others)
    as_much = factors[chosen] == max(factors[one] for one in others)
    return chosen, f"as near as {names}, and with {'as much' if as_much else 'more'} HE"


def _hex_name(state: OmahaState, target: str) -> str:
    """A hex, or the unit in an unrecorded hex."""
    return state.counters[target].name if target in state.counters.counters else target


# ------------------------------------------------------------------ units, and where they are


def _move(state: OmahaState) -> Iterator[Command[Any]]:
    placing = state.now == "setup"
    moves = state.sequence.allows(state.position, "move")
    units = [
        one
        for one in state.counters
        if one.steps
        and (placing or one.side == state.side)
        and (state.may_come(one.group) if one.has(Mark.WAITING) else placing or moves)
    ]
    options = asking.counter_options(units, lambda one: "" if placing else _stays(state, one))
    slots = (
        UnitsSlot(name="units", text="Which units?", options=options, least=1),
        HexSlot(name="place", text="To which hex?"),
    )
    word = "place" if placing else "move" if moves else "bring on"
    if options:
        label, make = word.capitalize(), orders.MoveUnits
        why = ""
        if all(option.why_not for option in options):
            why = _summed(option.why_not for option in options)
        yield Command(label=label, key="m", word=word, why_not=why, slots=slots, make=make)


def _stays(state: OmahaState, unit: Counter) -> str:
    why = orders.MoveUnits(units=(unit.id,), place="").why_not(state, unit)
    return f"{unit.name} {why}." if why else ""


def _new_units(state: OmahaState, answers: Answers) -> tuple[Slot, ...]:
    names = [one.company for one in state.setup.scenario.arrivals]
    names += [one.group for one in state.counters if one.group]
    groups = {name: _entered(state, name) for name in names}
    sides, kinds = tuple(SIDES.items()), tuple(KINDS.items())
    return tuple(asking.new_counter_slots(groups, state.counters, answers, kinds, sides))


def _entered(state: OmahaState, company: str) -> str:
    count = len(state.counters.where(group=company))
    arrival = state.setup.scenario.arrival(company)
    turn = state.arrives(arrival) if arrival else 1
    when = "by a card" if turn is None else f"turn {turn}" if turn > state.position.turn else ""
    return ", ".join(filter(None, (f"{count} entered" if count else "", when)))


def _enter(
    state: OmahaState, company: str, names: str, place: str | None = None, **more: Any
) -> orders.EnterUnits:
    group = more.get("called") or company
    known = next(iter(state.counters.where(group=group)), None)
    arrival = state.setup.scenario.arrival(group)
    like: Any = known or arrival
    units = asking.new_units_in(names)
    return orders.EnterUnits(
        company=group,
        names=tuple(unit.name for unit in units),
        places=tuple(unit.place or place or "" for unit in units),
        side=more.get("side") or (like.side if like else "us"),
        kind=more.get("kind") or (like.kind if like else "infantry"),
    )
