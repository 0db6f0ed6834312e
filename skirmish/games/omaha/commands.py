"""The commands and prompts of Omaha, in the order of play.

``commands`` lists what may be done in the phase, ``prompt`` asks what an assault or a loss leaves
open. An attack is asked for step by step: who, at which hex, the ratings and distances that nobody
has given yet; then its sum stands there, and toggles change terrain and support until the number is
drawn (``_attacking``). The solitaire German's fire is proposed hex by hex (``BatteryFire``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Self, TypeAlias, cast

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
    printed_range,
    reach_of,
    why_not_attacking,
    why_not_combining,
)
from skirmish.games.omaha.combat import shift_text
from skirmish.games.omaha.ruleset import CREST, FOES, KINDS, SIDES, Side, UnitKind
from skirmish.games.omaha.state import DECK, NAVY, OmahaState
from skirmish.games.omaha.units import RATING_WORDS, Mark, rated
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.companion import asking, new_counters, rating_slots, roll_preview
from skirmish.tabletop.companion.asking import DistancesSlot, HexSlot, UnitsSlot
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Dice, Number, Option, Slot

NAVAL = "naval"
"""The option for naval gunfire without units of the army."""
NAVY_SPENT = "The naval gunfire of this phase is spent."
FARTHEST = 29
"""No distance on the map is greater, whatever the ranges typed in."""
MOST_REASONS = 3
"""How many of the reasons why a command cannot be given now are told."""
AIMS = (
    Option(value=SOFT, label="soft: infantry and guns", key="s"),
    Option(value=HARD, label="hard: armor", key="h"),
)
"""What a shot is aimed at, asked where both stand in the hex of the target."""


class DistanceAnswer(NamedTuple):
    """The answer how far the target is from a firing hex. Half-typed commands are stored under its
    ``name``."""

    place: str

    @property
    def name(self) -> str:
        """The name under which the answer is stored."""
        return f"far {self.place}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for another answer."""
        if not name.startswith("far "):
            return None
        return cls(name.removeprefix("far "))


def commands(state: OmahaState) -> Iterator[Command[Any]]:
    """The commands of the phase. (Corrections by hand are commands of every companion game.)"""
    if state.ended or state.agenda:
        return
    batteries = _batteries(state)
    if batteries:
        yield _next_battery(state, batteries)
    else:
        yield _of_phase(state)
    if state.shooter is not None:
        # The list says which battery is next; a player who knows better may take another.
        if state.phase_id == "german_fire" and state.setup.solitaire:
            yield _any_battery(state, batteries)
        yield _fire(state, state.shooter)
    if state.sequence.allows(state.position, "assault"):
        yield _assault(state)
    yield from _move(state)
    yield _new_units(state)
    if batteries:
        yield _end_of_german_fire(state, batteries)


# ------------------------------------------------------------------ the phase


def _of_phase(state: OmahaState) -> Command[Any]:
    """What Space does: the card of the turn, recovery, or the end of the phase."""
    if state.phase_id == "card":
        return _draw_card(state)
    if state.sequence.allows(state.position, "recovery"):
        return _recover(state)
    label = f"End of {state.sequence.at(state.position).name}"
    if state.phase_id == "setup":
        # Set-up is a phase like others for the program; nobody at the table would call it one.
        label = f"Begin turn {state.position.turn}"
    return Command(label=label, key="space", word=label, make=orders.Proceed)


def _draw_card(state: OmahaState) -> Command[Any]:
    """The action card that begins a turn."""
    slots: tuple[Slot, ...] = ()
    # The cards are the owner's, and he says which he drew.
    if DECK not in state.cups:
        options = tuple(Option(value=card.id, label=card.title) for card in state.setup.cards)
        slots = (Choose(name="card", text="Which card did you draw?", options=options),)
    return Command(
        label="Draw the action card",
        key="space",
        word="draw the action card",
        slots=slots,
        make=orders.DrawCard,
    )


def _recover(state: OmahaState) -> Command[Any]:
    """A number for each disrupted unit of the active side."""
    units = state.units(state.side, flag=Mark.DISRUPTED)
    slots: tuple[Slot, ...] = ()
    # One number for each, in the order in which they are named.
    if units and state.dice.typed:
        text = f"What did you draw for {named(units)}?"
        slots = (Dice(name="numbers", text=text, count=len(units)),)
    label = f"Recovery ({len(units) or 'nobody'} disrupted)"
    return Command(label=label, key="space", word=label.lower(), slots=slots, make=orders.Recover)


def prompt(state: OmahaState) -> Command[Any] | None:
    """The question that is open, if any."""
    if state.ended or not state.agenda:
        return None
    task = state.agenda[0]
    units = state.in_play(task.units)
    if task.kind == "losses":
        return _ask_losses(task, units)
    if task.kind == "retreat":
        return _ask_retreat(units)
    return _ask_advance(task, units)


def _ask_losses(task: Task, units: Sequence[Counter]) -> Command[Any]:
    """Who of the units that were hit loses a step: their owner chooses."""
    verb = "lose"
    if task.count == 1:
        # "Which of them loses a step", but "lose a step (2 of 3)".
        verb = "loses"
    slot = UnitsSlot(
        name="units",
        text=f"Which of them {verb} a step ({task.count} of {len(units)})?",
        options=asking.counter_options(units),
        least=task.count,
        most=task.count,
    )
    return Command(label="Losses", slots=(slot,), make=orders.TakeLosses)


def _ask_retreat(units: Sequence[Counter]) -> Command[Any]:
    """The question where beaten units retreat to."""
    text = f"Retreat of {named(units)}: to which hex? Not beside an undisrupted enemy."
    # An empty answer is one, too: a unit with nowhere to go is eliminated.
    slot = HexSlot(name="place", text=text, default="", nowhere="it is eliminated.")
    return Command(label="Retreat", slots=(slot,), make=orders.RetreatTo)


def _ask_advance(task: Task, units: Sequence[Counter]) -> Command[Any]:
    """Who of the attackers enters the hex that they have cleared."""
    slot = UnitsSlot(
        name="units",
        text=f"Who occupies {task.place}?",
        key_note="Enter: nobody.",
        options=asking.counter_options(units),
    )
    return Command(label="Advance", slots=(slot,), make=orders.Occupy)


# ------------------------------------------------------------------ fire and assault


def _fire(state: OmahaState, side: Side) -> Command[Any]:
    """Fire or opportunity fire of a side: the units, the hex, then what depends on it."""
    label = "Fire"
    if side != state.side:
        label = "Opportunity fire"
    own, foe = state.units(side), FOES[side]
    options = [*asking.counter_options(own, partial(why_not_attacking, fires=True))]
    # Ships fire in the fire phase of the Americans only.
    if state.phase_id == "us_fire" and NAVY in state.tracks:
        options.append(_naval_option(state))

    def why_not(chosen: tuple[str, ...]) -> str:
        return why_not_combining(state, state.in_play(chosen), fire=True)

    who_fires = UnitsSlot(
        name="attackers",
        text=f"{SIDES[side]} {label.lower()}: who fires?",
        least=1,
        options=tuple(options),
        why_not=why_not,
    )

    def slots(answers: Answers) -> Iterator[Slot]:
        yield who_fires
        yield _targets(state, foe, "At which hex?")
        if "target" in answers:
            yield from _after_target(state, _fire_order(answers), answers)

    return _attacking(
        state,
        slots,
        _fire_order,
        label=label,
        key="f",
        word=label.lower(),
        why_not=_why_nobody(state, side, options),
    )


def _naval_option(state: OmahaState) -> Option:
    """Naval gunfire without units of the army, as long as it has packets left."""
    why = ""
    if not state.tracks[NAVY].value:
        why = NAVY_SPENT
    # It ends the choice: with units it is not an attacker but an addition to their fire.
    return Option(value=NAVAL, label="naval gunfire alone", key="n", ends=True, why_not=why)


def _assault(state: OmahaState) -> Command[Any]:
    """An assault of the active side: the units, then a hex beside all of them."""
    foe = FOES[state.side]
    able = partial(why_not_attacking, fires=False)
    options = asking.counter_options(state.units(state.side), able)

    def why_not(chosen: tuple[str, ...]) -> str:
        return why_not_combining(state, state.in_play(chosen), fire=False)

    who_attacks = UnitsSlot(
        name="attackers",
        text=f"{SIDES[state.side]} assault: who attacks?",
        least=1,
        options=options,
        why_not=why_not,
    )

    def slots(answers: Answers) -> Iterator[Slot]:
        attackers = state.in_play(tuple(answers.get("attackers") or ()))
        yield who_attacks
        yield _targets(state, foe, "Which hex beside theirs?", beside=attackers)
        if "target" in answers:
            yield from _after_target(state, _assault_order(answers), answers)

    return _attacking(
        state,
        slots,
        _assault_order,
        label="Assault",
        key="a",
        word="assault",
        why_not=_why_nobody(state, state.side, options),
    )


def _why_nobody(state: OmahaState, side: Side, options: Sequence[Option]) -> str:
    """Why nobody of a side attacks; empty if one of the ``options`` may."""
    foe = FOES[side]
    if not state.units(foe):
        return f"No {SIDES[foe]} unit is entered yet; c enters one."
    if not options:
        return f"No {SIDES[side]} unit is entered yet; c enters one."
    return _why_none_of(options)


def _why_none_of(options: Sequence[Option]) -> str:
    """The reasons why none of the options can be chosen, each once: ``1/B has fired. 2/B is
    disrupted.`` Empty if one can."""
    reasons = [option.why_not for option in options]
    if not all(reasons):
        return ""
    # Once each, in the order of the units: ten companies may be disrupted.
    listed = list(dict.fromkeys(reasons))
    if len(listed) > MOST_REASONS:
        left_out = len(listed) - MOST_REASONS
        listed = [*listed[:MOST_REASONS], f"{left_out} more cannot act either."]
    return " ".join(listed)


def _targets(state: OmahaState, side: str, text: str, *, beside: Sequence[Counter] = ()) -> Choose:
    """The hexes of a side, as a question; an assault reaches those ``beside`` all its attackers."""
    options = []
    for place in state.hexes(side):
        units = state.at_target(place, side)
        # Of a unit off the map the place is empty; it then stands for itself.
        hex_id = units[0].place
        label = f"{hex_id} {', '.join(map(_standing, units))}".strip()
        why = _why_not_at(state, place, units, beside)
        options.append(Option(value=place, label=label, other_name=hex_id, why_not=why))
    return Choose(name="target", text=text, options=tuple(options))


def _why_not_at(
    state: OmahaState, place: str, units: Sequence[Counter], beside: Sequence[Counter]
) -> str:
    """Why nobody attacks the units of a hex now; empty if they may be attacked."""
    for attacker in beside:
        if not state.may_adjoin(attacker.place, place):
            return f"{place} is not beside {attacker.place}, where {attacker.name} stands."
    # Opportunity fire is aimed at units that move. Where no move was entered nobody is marked, and
    # the players know who moved.
    is_op_fire = state.shooter == FOES[state.side]
    somebody_moved = bool(state.units(flag=Mark.MOVING))
    if is_op_fire and somebody_moved and not any(unit.has(Mark.MOVING) for unit in units):
        return "Nobody there has just moved."
    return ""


def _standing(unit: Counter) -> str:
    """``1/B/116 (disrupted, 1 step)``."""
    marks = [mark for mark in (Mark.DISRUPTED, Mark.MOVING) if unit.has(mark)]
    if unit.steps == 1:
        marks.append("1 step")
    if not marks:
        return unit.name
    return f"{unit.name} ({', '.join(marks)})"


def _after_target(state: OmahaState, attack: Attack, answers: Answers) -> Iterator[Slot]:
    """Asks for the kind of target, ratings from counters, distances, and the number."""
    if isinstance(attack, Fire):
        in_reach = attack.in_reach(state)
        tanks = of_kind(in_reach, HARD)
        # Ships that fire alone bombard both kinds of target at once.
        has_both_kinds = bool(tanks) and bool(of_kind(in_reach, SOFT))
        if attack.attackers and has_both_kinds:
            yield Choose(name="aim", text="At which targets?", options=AIMS)
            if "aim" not in answers:
                return
        # M2: an attack at armor hits one tank, or all of them.
        if attack.is_hard(state) and len(tanks) > 1 and state.setup.ruled("M2", "one"):
            options = asking.counter_options(tanks)
            yield Choose(name="tank", text="Which of them?", options=options)
    # Without the ratings that were just typed, or their questions would vanish once answered.
    for needed in replace(attack, ratings={}).ratings_needed(state):
        yield from rating_slots.rating_slots(needed.units, needed.names, RATING_WORDS)
    if isinstance(attack, Fire):
        yield from _distance_slots(state, attack)
    if state.dice.typed:
        yield Number(name="number", text="Which number did you draw?", low=1, high=6)
    else:
        yield Confirm(name="number", key_note="Space draws the number.", optional=True)


def _distance_slots(state: OmahaState, fire: Fire) -> Iterator[Slot]:
    """How far the target is from each firing hex, where nobody has counted that yet."""
    units = fire.attacking_units(state)
    for place in dict.fromkeys(unit.place for unit in units):
        if not place or state.distance(place, fire.target) is None:
            firing = [unit for unit in units if unit.place == place]
            yield _distance_slot(state, place, firing)


def _distance_slot(state: OmahaState, place: str, firing: Sequence[Counter]) -> Number:
    """The distance of the target, up to the reach of the unit with the shortest range."""
    # The stack fires together or not at all, so its weakest gun sets the reach.
    shortest = min(firing, key=printed_range)
    reach = reach_of(state, shortest)
    too_many = f"{shortest.name} reaches {reach} hexes, not {{}}."
    if never_fires_far(state, shortest):
        too_many = f"{shortest.name} never fires beyond its range of {reach}."
    whence = ""
    if place:
        whence = f" from {place}"
    return Number(
        name=DistanceAnswer(place).name,
        text=f"How many hexes away{whence}? 1: adjacent.",
        low=1,
        high=min(reach, FARTHEST),
        eager=True,
        too_many=too_many,
    )


def _fire_order(answers: Answers, why: str = "") -> Fire:
    """The order of the answers so far; ``why``: the solitaire German's choice."""
    attackers = tuple(id for id in answers.get("attackers") or () if id != NAVAL)
    distances = {}
    for name, hexes in answers.items():
        answer = DistanceAnswer.named(name)
        if answer is not None:
            distances[answer.place] = hexes
    packets = 0
    if not attackers:
        packets = 1  # the navy fires alone
    return Fire(
        attackers=attackers,
        aim=_aim(answers),
        naval=answers.get("naval", packets),
        air=answers.get("air", False),
        distances=distances,
        seen=answers.get("seen") or {},
        why=why,
        **_common(answers),
    )


def _aim(answers: Answers) -> str:
    """One tank by its id, where only one may be hit (M2); else the kind of target."""
    return answers.get("tank") or answers.get("aim") or ""


def _assault_order(answers: Answers) -> Assault:
    return Assault(attackers=tuple(answers.get("attackers") or ()), **_common(answers))


def _common(answers: Answers) -> dict[str, Any]:
    """The fields of any attack. An answer that was passed over is there as None."""
    return {
        "target": answers.get("target") or "",
        "crest": answers.get("crest") or False,
        "number": answers.get("number") or 0,
        "ground": answers.get("ground"),
        "ratings": rating_slots.typed_ratings(answers),
    }


# ------------------------------------------------------------------ the sum, and what changes it


def _attacking(
    state: OmahaState,
    slots: Callable[[Answers], Iterable[Slot]],
    order: Callable[[Answers], Attack | orders.HoldFire],
    **more: Any,
) -> Command[Any]:
    """The command of an attack: once only its number is missing, its sum is shown and can be
    changed. ``slots`` are its questions and ``order`` is its order, both by the answers so far."""

    def attack_to_roll(answers: Answers) -> Attack | None:
        """The attack if it lacks no more than its number."""
        for slot in slots(answers):
            if slot.name != "number" and slot.name not in answers:
                return None
        attack = order(answers)
        if isinstance(attack, Attack):
            return attack
        return None

    def asked(answers: Answers) -> tuple[Slot, ...]:
        return tuple(slots(answers))

    def toggles(answers: Answers) -> tuple[Toggle, ...]:
        attack = attack_to_roll(answers)
        if attack is None:
            return ()
        return tuple(_toggles(state, attack))

    def preview(answers: Answers) -> Page:
        attack = attack_to_roll(answers)
        if attack is None:
            return Page("")
        return _preview(state, attack)

    def make(**answers: Any) -> Attack | orders.HoldFire:
        return order(answers)

    return Command(slots=asked, toggles=toggles, preview=preview, make=make, **more)


def _toggles(state: OmahaState, attack: Attack) -> Iterator[Toggle]:
    """The terrain of the target, and aids to the attack."""
    ground = attack.ground_at_target(state)
    for terrain in state.setup.tables.terrain:
        if terrain.id == CREST:
            label = "across a crest"
            yield Toggle(name=CREST, key=terrain.key, label=label, mark=attack.crest)
        elif terrain.left:  # terrain without a shift changes nothing
            is_there = terrain.id in ground
            changed = tuple(id for id in ground if id != terrain.id)
            if not is_there:
                changed = (*ground, terrain.id)
            label, sets = terrain.name.lower(), {"ground": changed}
            yield Toggle(name="ground", key=terrain.key, label=label, sets=sets, mark=is_there)
    # The navy and the air force add high explosive factors only.
    if not isinstance(attack, Fire) or attack.is_hard(state):
        return
    if state.phase_id == "us_fire" and NAVY in state.tracks:
        yield _naval_toggle(state, attack)
    if state.air_attacks_left(state.shooter or "") > 0:
        packet = state.setup.tables.numbers.packet  # a card of air power has as many factors
        yield Toggle(name="air", key="p", label=f"air power +{packet}", mark=attack.air)


def _naval_toggle(state: OmahaState, attack: Fire) -> Toggle:
    """One packet of naval gunfire more; after the last one the fewest again."""
    left = state.tracks[NAVY].value
    packet = state.setup.tables.numbers.packet
    fewest = 0
    # Without a unit the ships fire alone, with a packet at least.
    if not attack.attackers:
        fewest = 1
    packets = fewest
    if attack.naval < left:
        packets = attack.naval + 1
    why = ""
    if not left:
        why = NAVY_SPENT
    return Toggle(
        name="naval",
        key="n",
        label=f"naval gunfire {attack.naval * packet} of {left * packet}",
        sets={"naval": packets},
        mark=attack.naval > fewest,
        why_not=why,
    )


def _preview(state: OmahaState, attack: Attack) -> Page:
    """The sum with its column and the chances, or why the attack is not allowed."""
    lead = f"{attack.text(state)}:"
    try:
        resolved = attack.weighed(state)
    except Refused as refused:
        return Page("", (Paragraph(str(refused), lead=lead, tone="bad"),))
    column = resolved.base or "below 3"
    if resolved.shifts:
        tables = state.setup.tables
        shifts = "".join(f"; {shift_text(tables, shift)}" for shift in resolved.shifts)
        column = f"{column}{shifts}: column {resolved.column}"
    text = f"{attack.arithmetic(state, resolved)}: column {column}."
    if attack.why:
        text = f"{attack.why}. {text}"
    return Page("", roll_preview.chances_of(lead, text, resolved.chances))


# ------------------------------------------------------------------ the solitaire German


Batteries: TypeAlias = Mapping[str, tuple[Counter, ...]]
"""The solitaire Germans that can still fire, by their hex or, in an unrecorded one, by their id."""


def _batteries(state: OmahaState) -> Batteries:
    """The batteries that may fire, in the fire phase of the solitaire German; else none."""
    if state.phase_id != "german_fire" or not state.setup.solitaire:
        return {}
    batteries: dict[str, tuple[Counter, ...]] = {}
    for unit in state.units("german"):
        if unit.has(Mark.FIRED) or unit.has(Mark.DISRUPTED) or unit.has(Mark.HELD):
            continue
        place = unit.place or unit.id
        batteries[place] = (*batteries.get(place, ()), unit)
    return batteries


def _next_battery(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """Space: the fire of the next hex, until all of them have fired or hold their fire."""
    place = next(iter(batteries))
    label = f"German fire from {_battery_name(batteries[place])}"
    fire = BatteryFire(state, batteries, place).command()
    return replace(fire, label=label, key="space", word="the next German hex fires")


def _any_battery(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """The fire of a hex that the player names."""
    why = ""
    if not batteries:
        why = "Every German has fired, is disrupted, or sees nobody."
    fire = BatteryFire(state, batteries).command()
    label = "Fire from another German hex"
    return replace(fire, label=label, key="g", word="another German hex fires", why_not=why)


def _end_of_german_fire(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """Ends the phase while hexes have not fired; they are named first."""
    waiting = ", ".join(_hex_name(state, place) for place in batteries)
    ends = Confirm(
        name="ends",
        text=f"Not fired yet: {waiting}.",
        key_note="Space ends the phase all the same.",
        optional=False,
        default=True,
        answer_label="End it",
    )

    def make(ends: bool) -> orders.Proceed:
        return orders.Proceed()

    return Command(
        label="End of German fire",
        key="e",
        word="end of German fire",
        slots=(ends,),
        make=make,
    )


def _battery_name(units: Sequence[Counter]) -> str:
    """``J7: 1/352 and 2/352``, or only the names in a hex that was not written down."""
    if not units[0].place:
        return named(units)
    return f"{units[0].place}: {named(units)}"


class BatteryFire(NamedTuple):
    """The fire of the Germans of a hex; without a ``place`` it is asked for.

    "Each hex of eligible German forces will fire at the nearest American unit that is within
    range", with those of its company beside it. The player says whom they see and how far away;
    the program chooses the target.
    """

    state: OmahaState
    batteries: Batteries
    place: str = ""

    def command(self) -> Command[Any]:
        """The command that makes the battery fire."""
        return _attacking(self.state, self.slots, self.order, label="German fire")

    def units(self, answers: Answers) -> tuple[Counter, ...]:
        """The Germans of the hex."""
        place = self.place or answers.get("battery", "")
        return self.batteries.get(place, ())

    def order(self, answers: Answers) -> Fire | orders.HoldFire:
        """The fire at the target of the rules; if they see nobody, they hold their fire."""
        units, in_sight = self.units(answers), answers.get("seen")
        typed = rating_slots.typed_ratings(answers)
        if not in_sight:
            return orders.HoldFire(units=tuple(unit.id for unit in units), ratings=typed)
        target, why = _nearest_target(self.state, in_sight, typed)
        hexes = in_sight[target]
        reaching = [unit for unit in rated(units, typed) if printed_range(unit) >= hexes]
        # If the target is beyond the range of all, all are named, and the order is refused.
        firing = [unit.id for unit in reaching or units]
        attackers = (*firing, *(answers.get("others") or ()))
        distances = {DistanceAnswer(unit.place).name: hexes for unit in units}
        all_answers = {**distances, **answers, "attackers": attackers, "target": target}
        return _fire_order(all_answers, why)

    def slots(self, answers: Answers) -> Iterator[Slot]:
        """What is asked for the shot, as far as the ``answers`` have led: which battery, whom it
        sees, and the ratings that are not known yet."""
        if not self.place:
            yield self._which_battery()
        units = self.units(answers)
        if not units:
            return
        yield from rating_slots.rating_slots(units, ("range",), RATING_WORDS)
        yield self._seen_slot(rated(units, rating_slots.typed_ratings(answers)))
        in_sight = answers.get("seen")
        if not in_sight:
            return
        yield from self._ratings_of_tied(in_sight)
        others = self._others(units)
        if others:
            text = "Which of their company beside them see it too?"
            yield UnitsSlot(name="others", text=text, options=asking.counter_options(others))
        yield from self._slots_of_fire(answers, units)

    def _which_battery(self) -> Choose:
        """Which Germans fire next; the list of those who have not is in the order of their
        hexes."""
        options = []
        for place, units in self.batteries.items():
            options.append(Option(value=place, label=_battery_name(units)))
        first = next(iter(self.batteries), None)
        return Choose(name="battery", text="Which Germans?", options=tuple(options), default=first)

    def _seen_slot(self, units: Sequence[Counter]) -> DistancesSlot:
        """Asks for the Americans in sight; proposes those in range if all distances are known."""
        state, place = self.state, units[0].place
        ranges = ", ".join(f"{unit.name} (range {unit.rating('range')})" for unit in units)
        text = f"{ranges}. Which Americans do they see within that, and how far?"
        if place:
            text = f"{place}: {text}"
        reach = max(unit.rating("range") for unit in units)
        options, counted = [], {}
        for american in state.hexes("us"):
            names = named(state.at_target(american, "us"))
            label = f"{_hex_name(state, american)} ({names})"
            options.append(Option(value=american, label=label))
            counted[american] = state.distance(place, american)
        in_range = {}
        # With one distance missing, the nearest hex may be the one that nobody has counted.
        if all(counted.values()):
            for american, hexes in counted.items():
                if hexes is not None and hexes <= reach:
                    in_range[american] = hexes
        hold_words = ""
        if not in_range:
            hold_words = "they hold their fire"
        return DistancesSlot(
            name="seen",
            text=text,
            options=tuple(options),
            default=in_range,
            default_text=hold_words,
        )

    def _ratings_of_tied(self, in_sight: Mapping[str, int]) -> Iterator[Slot]:
        """The HE factors of the units in several nearest hexes, which decide between these."""
        nearest = _nearest(in_sight)
        if len(nearest) > 1:
            tied = [unit for place in nearest for unit in self.state.at_target(place, "us")]
            yield from rating_slots.rating_slots(tied, ("he",), RATING_WORDS)

    def _others(self, units: Sequence[Counter]) -> list[Counter]:
        """Who may combine with the units of the hex, from hexes beside it."""
        others = []
        for battery in self.batteries.values():
            for unit in battery:
                together = (*units, unit)
                if unit not in units and not why_not_combining(self.state, together, fire=True):
                    others.append(unit)
        return others

    def _slots_of_fire(self, answers: Answers, units: Sequence[Counter]) -> Iterator[Slot]:
        """What any fire asks for after its target, without the ranges and distances given here."""
        fire = self.order(answers)
        assert isinstance(fire, Fire)
        aimed = {**answers, "attackers": fire.attackers, "target": fire.target}
        given_here = {DistanceAnswer(unit.place).name for unit in units}
        given_here |= {rating_slots.RatingAnswer("range", unit.id).name for unit in units}
        for slot in _after_target(self.state, _fire_order(aimed), aimed):
            if slot.name not in given_here:
                yield slot


def _nearest(in_sight: Mapping[str, int]) -> tuple[str, ...]:
    """The hexes at the shortest distance."""
    shortest = min(in_sight.values())
    return tuple(place for place, hexes in in_sight.items() if hexes == shortest)


class _NearestTarget(NamedTuple):
    """A hex, or the id of a unit in an unrecorded one, and why it is the nearest."""

    target: str
    why: str


def _nearest_target(
    state: OmahaState, in_sight: Mapping[str, int], typed: Mapping[str, dict[str, int]]
) -> _NearestTarget:
    """The target that has to be fired at: "if two American targets are equidistant", the one "with
    the most HE firepower factors", including the ratings just ``typed``."""
    factors = {}
    for place in _nearest(in_sight):
        units = rated(state.at_target(place, "us"), typed)
        factors[place] = sum(unit.rating("he") for unit in units)
    target = max(factors, key=factors.__getitem__)
    others = [place for place in factors if place != target]
    if not others:
        hexes = "hex"
        if in_sight[target] != 1:
            hexes = "hexes"
        return _NearestTarget(target, f"the nearest, {in_sight[target]} {hexes} away")
    names = " and ".join(_hex_name(state, place) for place in others)
    compared = "more"
    if factors[target] == max(factors[place] for place in others):
        compared = "as much"
    return _NearestTarget(target, f"as near as {names}, and with {compared} HE")


def _hex_name(state: OmahaState, target: str) -> str:
    """A hex, or the unit in an unrecorded hex."""
    if target in state.counters.counters:
        return state.counters[target].name
    return target


# ------------------------------------------------------------------ units, and where they are


def _move(state: OmahaState) -> Iterator[Command[Any]]:
    """Moves units, brings them on, or places them at set-up."""
    placing = state.phase_id == "setup"
    word = "bring on"
    if placing:
        word = "place"
    elif state.sequence.allows(state.position, "move"):
        word = "move"
    why_not: Callable[[Counter], str] = partial(_why_not_moving, state)
    if placing:
        why_not = _nothing_holds
    options = asking.counter_options(_movable(state), why_not)
    if not options:
        return
    slots = (
        UnitsSlot(name="units", text="Which units?", options=options, least=1),
        HexSlot(name="place", text="To which hex?"),
    )
    yield Command(
        label=word.capitalize(),
        key="m",
        word=word,
        why_not=_why_none_of(options),
        slots=slots,
        make=orders.MoveUnits,
    )


def _movable(state: OmahaState) -> Iterator[Counter]:
    """The units to choose from: at set-up everybody's, else those of the active side; of those that
    are not on the map whoever may come."""
    placing = state.phase_id == "setup"
    moves = state.sequence.allows(state.position, "move")
    for unit in state.counters:
        if not unit.steps or not (placing or unit.side == state.side):
            continue
        if unit.has(Mark.WAITING):
            if state.may_come(unit.group):
                yield unit
        elif placing or moves:
            yield unit


def _nothing_holds(unit: Counter) -> str:
    """Why a unit is not placed at set-up: there is never a reason."""
    return ""


def _why_not_moving(state: OmahaState, unit: Counter) -> str:
    """Why a unit does not move, as a sentence; empty if it may."""
    why = orders.MoveUnits(units=(unit.id,), place="").why_not(state, unit)
    if not why:
        return ""
    return f"{unit.name} {why}."


def _new_units(state: OmahaState) -> Command[Any]:
    """Enters units with the names on the owner's counters."""

    def slots(answers: Answers) -> tuple[Slot, ...]:
        companies = [arrival.company for arrival in state.setup.scenario.arrivals]
        companies += [unit.group for unit in state.counters if unit.group]
        notes = {company: _company_note(state, company) for company in companies}
        kinds, sides = tuple(KINDS.items()), tuple(SIDES.items())
        return tuple(new_counters.new_counter_slots(notes, state.counters, answers, kinds, sides))

    return Command(
        label="New units",
        key="c",
        word="new units",
        slots=slots,
        make=partial(_enter, state),
        help="Enter units from your counters; skirmish omaha units takes them from a file.",
    )


def _company_note(state: OmahaState, company: str) -> str:
    """``2 entered, turn 3``."""
    notes = []
    count = len(state.counters.where(group=company))
    if count:
        notes.append(f"{count} entered")
    arrival = state.setup.scenario.arrival(company)
    if arrival is not None:
        turn = state.arrives(arrival)
        if turn is None:
            notes.append("by a card")
        elif turn > state.position.turn:
            notes.append(f"turn {turn}")
    return ", ".join(notes)


def _enter(
    state: OmahaState,
    *,
    company: str,
    names: str,
    place: str | None = None,
    called: str = "",
    side: Side | None = None,
    kind: UnitKind | None = None,
) -> orders.EnterUnits:
    """The order of the answers. A company that is known by an entered unit or by the scenario
    gives side and kind; of a new one, which the player ``called`` so, both were asked for."""
    group = called or company
    units = new_counters.new_units_in(names)
    # A counter has any side and kind as text; those of this game are the ones of its companies.
    comrade = next(iter(state.counters.where(group=group)), None)
    arrival = state.setup.scenario.arrival(group)
    if comrade is not None:
        side = side or cast("Side", comrade.side)
        kind = kind or cast("UnitKind", comrade.kind)
    elif arrival is not None:
        side, kind = side or arrival.side, kind or arrival.kind
    return orders.EnterUnits(
        company=group,
        names=tuple(unit.name for unit in units),
        places=tuple(unit.place or place or "" for unit in units),
        side=side or "us",
        kind=kind or "infantry",
    )
