"""The commands of fire and assault.

An attack is asked for step by step: who, at which hex, the ratings and distances that nobody has
given yet. Then its sum stands there, and toggles change terrain and support until the number is
drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from skirmish.games.omaha.assault import Assault
from skirmish.games.omaha.attacks import (
    Attack,
    never_fires_far,
    printed_range,
    reach_of,
    why_not_attacking,
    why_not_combining,
)
from skirmish.games.omaha.combat import shift_text
from skirmish.games.omaha.commands.units import why_none_of
from skirmish.games.omaha.fire import HARD, SOFT, Fire, of_kind
from skirmish.games.omaha.orders import HoldFire
from skirmish.games.omaha.ruleset import CREST, FOES, SIDES, Side
from skirmish.games.omaha.state import NAVY, OmahaState
from skirmish.games.omaha.units import RATING_WORDS, Mark
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.companion import asking, rating_slots, roll_preview
from skirmish.tabletop.companion.asking import UnitsSlot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Number, Option, Slot

NAVAL = "naval"
"""The option for naval gunfire without units of the army."""
NAVY_SPENT = "The naval gunfire of this phase is spent."
FARTHEST = 29
"""No distance on the map is greater, whatever the ranges typed in."""
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


def fire_command(state: OmahaState, side: Side) -> Command[Any]:
    """Fire or opportunity fire of a side. It asks for the units and the hex, then for what depends
    on them."""
    label = "Fire"
    if side != state.side:
        label = "Opportunity fire"
    options = [*asking.counter_options(state.units(side), partial(why_not_attacking, fire=True))]
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
        yield _target_slot(state, FOES[side], "At which hex?")
        if "target" in answers:
            yield from slots_after_target(state, fire_order(answers), answers)

    return attack_command(
        state,
        slots,
        fire_order,
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
    # It ends the choice, since naval gunfire with units is an addition to their fire and no
    # attacker.
    return Option(value=NAVAL, label="naval gunfire alone", key="n", ends=True, why_not=why)


def assault_command(state: OmahaState) -> Command[Any]:
    """An assault of the active side: the units, then a hex beside all of them."""
    foe = FOES[state.side]
    why_not_attacker = partial(why_not_attacking, fire=False)
    options = asking.counter_options(state.units(state.side), why_not_attacker)

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
        attacker_ids = tuple(answers.get("attackers") or ())
        attackers = state.in_play(attacker_ids)
        yield who_attacks
        yield _target_slot(state, foe, "Which hex beside theirs?", assaulters=attackers)
        if "target" in answers:
            yield from slots_after_target(state, _assault_order(answers), answers)

    return attack_command(
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
        return _why_no_units(state, foe)
    if not options:
        return _why_no_units(state, side)
    return why_none_of(options)


def _why_no_units(state: OmahaState, side: Side) -> str:
    """Why no unit of a side is on the map: they wait beside it, or none is entered."""
    if state.counters.where(side=side, flag=Mark.WAITING):
        return f"No {SIDES[side]} unit is on the map yet."
    return f"No {SIDES[side]} unit is entered yet; c enters one."


def _target_slot(
    state: OmahaState, side: str, text: str, *, assaulters: Sequence[Counter] = ()
) -> Choose:
    """The question for a hex of a side. An assault reaches only hexes beside all its
    ``assaulters``; for fire there are none."""
    options = []
    for place in state.targets_of(side):
        units = state.at_target(place, side)
        # A unit whose hex nobody has written down stands for its hex; then this is empty.
        hex_id = units[0].place
        label = f"{hex_id} {', '.join(map(_unit_label, units))}".strip()
        why = _why_not_attacked(state, place, units, assaulters)
        options.append(Option(value=place, label=label, other_name=hex_id, why_not=why))
    return Choose(name="target", text=text, options=tuple(options))


def _why_not_attacked(
    state: OmahaState, place: str, units: Sequence[Counter], assaulters: Sequence[Counter]
) -> str:
    """Why nobody attacks the units of a hex now; empty if they may be attacked."""
    for unit in assaulters:
        if not state.may_adjoin(unit.place, place):
            return f"{place} is not beside {unit.place}, where {unit.name} stands."
    # Opportunity fire is aimed at units that move. Where nobody is marked no move was entered, and
    # only the players know who moved.
    is_op_fire = state.shooter == FOES[state.side]
    somebody_moved = bool(state.units(flag=Mark.MOVING))
    if is_op_fire and somebody_moved and not any(unit.has(Mark.MOVING) for unit in units):
        return "Nobody there has just moved."
    return ""


def _unit_label(unit: Counter) -> str:
    """``1/B/116 (disrupted, 1 step)``."""
    marks = [mark for mark in (Mark.DISRUPTED, Mark.MOVING) if unit.has(mark)]
    if unit.steps == 1:
        marks.append("1 step")
    if not marks:
        return unit.name
    return f"{unit.name} ({', '.join(marks)})"


def slots_after_target(state: OmahaState, attack: Attack, answers: Answers) -> Iterator[Slot]:
    """Asks for the kind of target, ratings from counters, distances, and the number."""
    if isinstance(attack, Fire) and _chooses_aim(state, attack):
        yield Choose(name="aim", text="At which targets?", options=AIMS)
        # Which ratings are needed depends on it.
        if "aim" not in answers:
            return
    if isinstance(attack, Fire):
        yield from _tank_slots(state, attack)
    # Asked without the ratings that were just typed, or their questions would vanish once answered.
    for needed in replace(attack, ratings={}).ratings_needed(state):
        yield from rating_slots.rating_slots(needed.units, needed.names, RATING_WORDS)
    if isinstance(attack, Fire):
        yield from _distance_slots(state, attack)
    if state.dice.typed:
        yield Number(name="number", text="Which number did you draw?", low=1, high=6)
    else:
        yield Confirm(name="number", key_note="Space draws the number.", optional=True)


def _chooses_aim(state: OmahaState, fire: Fire) -> bool:
    """Whether the players choose the kind of target: both kinds stand in the hex. Ships that fire
    alone bombard both at once."""
    if not fire.attackers:
        return False
    exposed = fire.exposed_units(state)
    return bool(of_kind(exposed, HARD)) and bool(of_kind(exposed, SOFT))


def _tank_slots(state: OmahaState, fire: Fire) -> Iterator[Slot]:
    """The question which of several tanks is fired at. By ruling M2 an attack at armor hits one of
    them, or all."""
    tanks = of_kind(fire.exposed_units(state), HARD)
    if fire.is_hard(state) and len(tanks) > 1 and state.setup.ruled("M2", "one"):
        options = asking.counter_options(tanks)
        yield Choose(name="tank", text="Which of them?", options=options)


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
    # The slot puts the number that was typed in place of the braces.
    too_many = f"{shortest.name} reaches {reach} hexes, not {{}}."
    if never_fires_far(state, shortest):
        too_many = f"{shortest.name} never fires beyond its range of {reach}."
    from_place = ""
    if place:
        from_place = f" from {place}"
    return Number(
        name=DistanceAnswer(place).name,
        text=f"How many hexes away{from_place}? 1: adjacent.",
        low=1,
        high=min(reach, FARTHEST),
        eager=True,
        too_many=too_many,
    )


def fire_order(
    answers: Answers, *, why: str = "", known_distances: Mapping[str, int] | None = None
) -> Fire:
    """The order of the answers so far. Of the solitaire German also: ``why`` he chose the target,
    and the distances from firing hexes that are known without a question of their own."""
    attackers = tuple(id for id in answers.get("attackers") or () if id != NAVAL)
    distances = dict(known_distances or {})
    for name, typed_answer in answers.items():
        distance_answer = DistanceAnswer.named(name)
        if distance_answer is not None:
            distances[distance_answer.place] = typed_answer
    return Fire(
        attackers=attackers,
        aim=_aim(answers),
        naval=answers.get("naval", _fewest_packets(attackers)),
        air=answers.get("air", False),
        distances=distances,
        seen=answers.get("seen") or {},
        why=why,
        **_common_fields(answers),
    )


def _fewest_packets(attackers: Sequence[str]) -> int:
    """The packets of naval gunfire that an attack has at least: ships that fire alone, without a
    unit, have one."""
    if attackers:
        return 0
    return 1


def _aim(answers: Answers) -> str:
    """One tank by its id, where only one may be hit (M2); else the kind of target, empty where
    there is nothing to choose."""
    return answers.get("tank") or answers.get("aim") or ""


def _assault_order(answers: Answers) -> Assault:
    """The order of the answers so far."""
    return Assault(attackers=tuple(answers.get("attackers") or ()), **_common_fields(answers))


def _common_fields(answers: Answers) -> dict[str, Any]:
    """The fields of any attack, from the answers. An answer that was passed over is None."""
    return {
        "target": answers.get("target") or "",
        "crest": answers.get("crest") or False,
        "number": answers.get("number") or 0,
        "ground": answers.get("ground"),
        "ratings": rating_slots.typed_ratings(answers),
    }


# ------------------------------------------------------------------ the sum, and what changes it


def attack_command(
    state: OmahaState,
    slots: Callable[[Answers], Iterable[Slot]],
    order: Callable[[Answers], Attack | HoldFire],
    *,
    label: str,
    key: str = "",
    word: str = "",
    why_not: str = "",
) -> Command[Any]:
    """The command of an attack. ``slots`` returns its questions and ``order`` its order, both for
    the answers so far; the other arguments are fields of the ``Command``."""
    attack = _AttackInMaking(state, slots, order)
    return Command(
        label=label,
        key=key,
        word=word,
        why_not=why_not,
        slots=attack.asked,
        toggles=attack.toggles,
        preview=attack.preview,
        make=attack.make,
    )


class _AttackInMaking(NamedTuple):
    """An attack as it is typed. Once only its number is missing, its sum is shown, and toggles
    change it."""

    state: OmahaState
    slots: Callable[[Answers], Iterable[Slot]]
    order: Callable[[Answers], Attack | HoldFire]

    def asked(self, answers: Answers) -> tuple[Slot, ...]:
        """The questions after these answers."""
        return tuple(self.slots(answers))

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        """What changes the sum; nothing before it is shown."""
        attack = self._attack_to_roll(answers)
        if attack is None:
            return ()
        return tuple(_toggles(self.state, attack))

    def preview(self, answers: Answers) -> Page:
        """The sum; empty until it can be shown."""
        attack = self._attack_to_roll(answers)
        if attack is None:
            return Page("")
        return _preview(self.state, attack)

    def make(self, **answers: Any) -> Attack | HoldFire:
        """The order, called as a command calls it: with the answers as arguments."""
        return self.order(answers)

    def _attack_to_roll(self, answers: Answers) -> Attack | None:
        """The attack if it lacks no more than its number; None before that, and for Germans who
        hold their fire."""
        for slot in self.slots(answers):
            if slot.name != "number" and slot.name not in answers:
                return None
        attack = self.order(answers)
        if isinstance(attack, Attack):
            return attack
        return None


def _toggles(state: OmahaState, attack: Attack) -> Iterator[Toggle]:
    """What changes the sum: the terrain of the target, naval gunfire, air power."""
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
            yield Toggle(
                name="ground",
                key=terrain.key,
                label=terrain.name.lower(),
                sets={"ground": changed},
                mark=is_there,
            )
    # The navy and the air force add high explosive factors only.
    if not isinstance(attack, Fire) or attack.is_hard(state):
        return
    if state.phase_id == "us_fire" and NAVY in state.tracks:
        yield _naval_toggle(state, attack)
    if state.shooter is not None and state.air_attacks_left(state.shooter) > 0:
        # A card of air power has as many factors as a packet of the navy.
        factors = state.setup.tables.numbers.packet
        yield Toggle(name="air", key="p", label=f"air power +{factors}", mark=attack.air)


def _naval_toggle(state: OmahaState, attack: Fire) -> Toggle:
    """Adds a packet of naval gunfire; after the last one it begins again with the fewest."""
    packets_left = state.tracks[NAVY].value
    factors_of_packet = state.setup.tables.numbers.packet
    fewest = _fewest_packets(attack.attackers)
    next_packets = fewest
    if attack.naval < packets_left:
        next_packets = attack.naval + 1
    why = ""
    if not packets_left:
        why = NAVY_SPENT
    factors, factors_left = attack.naval * factors_of_packet, packets_left * factors_of_packet
    return Toggle(
        name="naval",
        key="n",
        label=f"naval gunfire {factors} of {factors_left}",
        sets={"naval": next_packets},
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
    # Only fire may begin left of its first column, "3": shifts may bring it into the table.
    column = resolved.base or "below 3"
    if resolved.shifts:
        tables = state.setup.tables
        shifts = "".join(f"; {shift_text(tables, shift)}" for shift in resolved.shifts)
        column = f"{column}{shifts}: column {resolved.column}"
    text = f"{attack.arithmetic(state, resolved)}: column {column}."
    if attack.why:
        text = f"{attack.why}. {text}"
    return Page("", roll_preview.chances_of(lead, text, resolved.chances))
