"""The commands and prompts of the Grand Tactical Series but those of fire: the mug and the points,
actions and checks, charts, and what the owner types in.

A ``Command`` asks for answers, one for each of its slots, and ``make`` returns the order, with the
answers by the names of the slots. Its ``word`` is what the strip of keys shows; without one the key
works all the same. ``toggles`` are what else may hold, each switched by a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from skirmish.games.gts import actions, orders
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.actions import UnitCheck, why_no_work
from skirmish.games.gts.combat import text_of
from skirmish.games.gts.orders import GtsRecord
from skirmish.games.gts.ruleset import ARMORED, ATTACHING, ROLLED, TERRAIN, TYPED, Chit, Division
from skirmish.games.gts.shots import order_of_answers, rating_slot, shots
from skirmish.games.gts.state import LIGHTS, WEATHERS, GtsState
from skirmish.games.gts.units import ARTILLERY, TRAITS, Marker, leads
from skirmish.tabletop.commands import Answers, Command, Toggle, switches
from skirmish.tabletop.companion import typed_tables as typed
from skirmish.tabletop.companion.asking import counter_options, hex_slot, name_slot, roll_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.table_game import STEPLESS, entering_command, marking_command
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Slot,
    choice_of,
)

MUG, ACTIONS, CARD = "The mug and the points", "Actions", "Units and your card"
"""Headings of the help."""
MOST_POINTS = 19
"""The highest number asked for, whether of points, of ratings or of markers: our choice, above all
that the printed games have."""
DEFENSE_REACH = 20
"""No defense, with all its modifiers, is farther than this from 0: our choice, too."""
NO_DIVISION = "No division is entered yet; D enters one."
NO_UNIT = "No unit is entered yet."
Commands = Iterator[Command[Any]]


def commands(state: GtsState) -> Commands:
    """All commands, in the order of the help. None while a question is open."""
    # The open question has keys of its own, and no other order is taken before its answer.
    if state.agenda:
        return
    # Who plays the mug alone, or fire alone, leaves the rest to the table: commands that need the
    # rest are not there.
    if state.setup.scope == "fire":
        yield _end_of_turn(state)
    else:
        yield from _mug_commands(state)
        yield from _entry_commands(state)
    if state.setup.scope != "mug":
        yield from shots(state)
        yield from _action_commands(state)
        yield from _beach_commands(state)
        yield from _card_commands(state)
    light = choice_of("light", "Day or night?", LIGHTS.items(), "dln")
    weather = choice_of("weather", "What is the weather?", WEATHERS)
    yield Command(
        label="Set night and weather",
        key="N",
        group=CARD,
        slots=(light, weather),
        make=_conditions_record,
    )
    tables = choice_of("table", "Which table?", ROLLED.items())
    yield Command(
        label="Roll on a table",
        key="l",
        word="roll on a table",
        group=CARD,
        slots=(tables, _own_roll_slot(state)),
        make=partial(order_of_answers, orders.LookUp),
    )


def _end_of_turn(state: GtsState) -> Command[Any]:
    """The command that ends a turn: where only fire is played, a turn is nothing but its
    clean-up."""
    has_marker = any({*unit.flags} & {*Marker.CLEARED} for unit in state.units())
    why_not = ""
    # Barrages lie on the ground and not on a unit.
    if not state.ground and not has_marker:
        why_not = "No unit has a marker that comes off."
    return Command(
        label="End the turn: markers come off",
        key="space",
        word="end the turn",
        why_not=why_not,
        make=orders.Proceed,
        group=ACTIONS,
    )


# The answers of a command are the arguments of what makes its order.
def _conditions_record(**answers: Any) -> GtsRecord:
    return _record(gts_state.ConditionsSet(**answers))


def _record(*facts: gts_state.Fact) -> GtsRecord:
    """The order that stores what an owner enters."""
    return GtsRecord(facts=facts)


def _number_slot(name: str, text: str, **more: Any) -> Number:
    """The question for points, for a rating of a division, or for a number of markers. (A rating of
    a unit is asked for by ``rating_slot``.)"""
    return Number(name=name, text=text, high=MOST_POINTS, eager=True, **more)


def _own_roll_slot(state: GtsState, name: str = "number", text: str = "What did you roll?") -> Slot:
    """The question for the player's own roll; where the program rolls, a confirmation."""
    return roll_slot(name, text, typed=state.dice.typed, high=9)


# ------------------------------------------------------------------ the mug and the points


def _mug_commands(state: GtsState) -> Commands:
    """The next step of the turn, chits, points and parks."""
    yield _next_command(state)
    yield _buying_command(state)
    yield from _spending_commands(state)
    # Parks cost dispatch points and are made of units; only the whole game has both.
    if state.setup.scope == "whole":
        yield _park_command(state)
    division = choice_of("division", "Which division?", state.divisions)
    yield Command(
        label="Roll for points",
        key="O",
        group=MUG,
        word=_word_of_points(state, "roll for points"),
        slots=(division, *_rolls_for_points(state)),
        make=partial(order_of_answers, orders.RollPoints),
        why_not=_why_no_division(state),
    )


def _why_no_division(state: GtsState) -> str:
    """Why nothing can be asked about divisions; empty if it can."""
    if state.divisions:
        return ""
    return NO_DIVISION


def _word_of_points(state: GtsState, word: str) -> str:
    """The word on the strip of keys, in the step of the turn in which points are spent (D of the
    sequence of play)."""
    if state.phase_id == "points" or state.setup.scope == "mug":
        return word
    return ""


def _buying_command(state: GtsState) -> Command[Any]:
    """The chit of a formation is bought for this turn, or set aside for the next."""
    formations = []
    for name, entered in state.chits.items():
        if entered.kind != "formation":
            continue
        why_not = ""
        # A formation has one chit. One that was set aside is bought, too, but hidden: the list must
        # not show it, so that only the order refuses it.
        if name in state.bought:
            why_not = "It is bought already."
        note = f"{state.points('dp', entered.division)} DP"
        formations.append(Option(value=name, label=name, note=note, why_not=why_not))
    why_not = ""
    if not formations:
        why_not = "No formation is entered yet; C enters its chit."
    chit = Choose(name="chit", text="Which chit?", options=tuple(formations))
    turns = ((False, "this turn, 2 DP"), (True, "the next turn, 1 DP, hidden"))
    for_turn = choice_of("aside", "For which turn?", turns, "tn")
    return Command(
        label="Buy a formation chit",
        key="b",
        group=MUG,
        word=_word_of_points(state, "buy a chit"),
        slots=(chit, for_turn),
        make=orders.BuyChit,
        why_not=why_not,
    )


def _spending_commands(state: GtsState) -> Commands:
    """Command points are turned into dispatch points, or points are spent for something else."""
    why_not = _why_no_division(state)
    division = choice_of("division", "Which division?", state.divisions)
    yield Command(
        label="Turn 2 CP into 1 DP",
        key="v",
        group=MUG,
        word=_word_of_points(state, "2 CP into 1 DP"),
        slots=(division,),
        # The exchange has its rate in the rules; other spending is for what the table decides.
        make=partial(orders.Pay, points="cp", count=2, buys=1),
        why_not=why_not,
    )
    points = (("cp", "command points"), ("dp", "dispatch points"))
    kind = choice_of("points", "Which points?", points, "cd")
    count = _number_slot("count", "How many?", low=1, default=1)
    yield Command(
        label="Spend points",
        key="p",
        group=MUG,
        slots=(division, kind, count),
        make=orders.Pay,
        why_not=why_not,
    )


def _park_command(state: GtsState) -> Command[Any]:
    """All the indirect high explosive of a division in one hex is one park, called by any of its
    units. Units whose rating nobody has read off yet may be artillery, too."""
    artillery = [unit for unit in state.units() if unit.kind == ARTILLERY]
    unknown = [unit for unit in state.units() if not unit.kind and not leads(unit)]
    why_not = ""
    if not artillery and not unknown:
        why_not = "No artillery is entered yet."
    word = ""
    # The word stands on the strip only in the step that is for it; the key works at any time.
    if state.phase_id == "parks":
        word = "artillery park"
    return Command(
        label="Create or disband a park",
        key="A",
        group=MUG,
        word=word,
        slots=partial(_park_slots, state, (*artillery, *unknown)),
        make=orders.Park,
        why_not=why_not,
    )


def _park_slots(state: GtsState, units: Sequence[Counter], answers: Answers) -> tuple[Slot, ...]:
    """The artillery whose park it is; where colours are not read off yet, who else there belongs to
    it."""
    why_not = partial(_why_no_park, state)
    options = counter_options(units, why_not, state.counters.codes, marks=[Marker.IN_PARK])
    text = "The park of which artillery? It takes 1 DP."
    gun = Choose(name="unit", text=text, options=options)
    if "unit" not in answers:
        return (gun,)
    park = orders.Park(unit=answers["unit"])
    beside = orders.unknown_guns(state, state.counters[park.unit])
    # A park is disbanded as a whole, whoever belongs to it.
    if not beside or park.disbands(state):
        return (gun,)
    options = counter_options(beside, codes=state.counters.codes)
    text = "Who else there has an orange rating?"
    return (gun, ChooseSeveral(name="others", text=text, options=options))


def _why_no_park(state: GtsState, unit: Counter) -> str:
    return orders.Park(unit=unit.id).why_not(state)


def _rolls_for_points(state: GtsState) -> tuple[Slot, ...]:
    """Two rolls of the player's own, or one key for those of the program."""
    for_command_points = _own_roll_slot(state, "first", "The roll for command points?")
    if not state.dice.typed:
        return (for_command_points,)
    for_dispatch_points = _own_roll_slot(state, "second", "The roll for dispatch points?")
    return for_command_points, for_dispatch_points


def _next_command(state: GtsState) -> Command[Any]:
    """Space: the step that the turn is at. Where only the mug is played, there are no steps but
    its filling and drawing."""
    has_steps = state.setup.scope == "whole"
    fills_now = state.phase_id == "mug" or not has_steps
    draws_now = state.phase_id == "activations" or not has_steps
    if not state.filled and fills_now:
        return _filling_command(state)
    # Until the mug is filled nothing can be drawn; after the activations come the steps of the
    # turn's end.
    if not state.filled or not draws_now:
        label = f"End of {state.sequence.at(state.position).name}"
        if state.phase_id == state.sequence.phases[-1].id:
            # The last step has a name in the sequence, but what matters is that the next turn
            # begins.
            label = "End of the turn"
        return Command(label=label, key="space", word="next step", make=orders.Proceed, group=MUG)
    return _drawing_command(state)


def _filling_command(state: GtsState) -> Command[Any]:
    """The chits of this turn go into the mug; those that go in openly by the rules are proposed."""
    chits = tuple(Option(value=name, label=name) for name in state.chits)
    slot = ChooseSeveral(
        name="chits",
        text="Which chits go into the mug?",
        options=chits,
        least=1,
        default=state.open_chits() or None,
    )
    why_not = ""
    if not chits:
        why_not = "No chit is entered yet; D enters a division, C a chit."
    return Command(
        label="Fill the mug",
        key="space",
        word="fill the mug",
        slots=(slot,),
        make=orders.FillMug,
        why_not=why_not,
        group=MUG,
    )


def _drawing_command(state: GtsState) -> Command[Any]:
    """The chit left over comes first; the last one in the mug is not drawn (G20)."""
    in_mug = state.mug.inside
    slots: tuple[Slot, ...] = ()
    if state.left_over:
        label = word = "Play the chit left over"
    elif in_mug > 1:
        word = "Draw a chit"
        label = f"{word} ({in_mug} in the mug)"
        if state.mug.typed:
            # The program does not know which chits are in the mug: those set aside went in hidden.
            # So any chit that was not drawn yet is offered.
            not_drawn = [name for name in state.chits if name not in state.mug.drawn]
            slots = (choice_of("chit", "Which chit did you draw?", not_drawn),)
    else:
        label = word = "End of the activations"
    return Command(
        label=label, key="space", word=word.lower(), slots=slots, make=orders.DrawChit, group=MUG
    )


def _entry_commands(state: GtsState) -> Commands:
    """Divisions and chits come into the game, and leave it."""
    side = choice_of("side", "Whose is it?", state.setup.sides.items())
    name = name_slot("name", "What is the division called?")
    ratings = [
        _number_slot(rating, f"What is its {rating} rating?") for rating in ("command", "dispatch")
    ]
    points_at_first = [
        _number_slot(kind, f"How many {kind.upper()} does it have?", default=0)
        for kind in ("cp", "dp")
    ]
    # Both are entered before the first turn as a rule; later their words would only take room.
    division_word = chit_word = ""
    if state.position.turn == 1 and state.phase_id != "activations":
        division_word, chit_word = "new division", "new chit"
    yield Command(
        label="Enter a division",
        key="D",
        group=MUG,
        word=division_word,
        slots=(side, name, *ratings, *points_at_first),
        make=_division_record,
    )
    yield Command(
        label="Enter a chit",
        key="C",
        group=MUG,
        word=chit_word,
        slots=partial(_chit_slots, state),
        make=partial(_chit_record, state),
    )
    why_not = ""
    if not state.chits:
        why_not = "No chit is entered yet."
    taken_out = choice_of("name", "Which chit?", state.chits)
    yield Command(
        label="Take a chit out of the game",
        key="X",
        group=MUG,
        slots=(taken_out,),
        make=partial(_chit_gone_record, state),
        why_not=why_not,
    )


def _division_record(**answers: Any) -> GtsRecord:
    return _record(gts_state.DivisionSet(division=Division(**answers)))


def _chit_gone_record(state: GtsState, name: str) -> GtsRecord:
    return _record(gts_state.ChitSet(chit=state.chits[name], gone=True))


def _chit_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """What is asked of a chit depends on its kind. That of a division comes with the division."""
    kinds = [(id, rule.name) for id, rule in state.rules.kinds.items() if id != "division"]
    which_kind = choice_of("kind", "What kind of chit is it?", kinds)
    kind = answers.get("kind")
    if kind in ATTACHING:
        division = choice_of("division", "Of which division?", state.divisions)
        text = "How many white-striped units may its leader attach?"
        name = name_slot("name", "What is the formation called?")
        return (which_kind, division, name, _number_slot("attach", text, default=0))
    text = "What is the chit called?"
    # These two are of no side.
    if kind in ("naval", "events"):
        return (which_kind, name_slot("name", text, default=kind.capitalize()))
    side = choice_of("side", "Whose is it?", state.setup.sides.items())
    whose = state.setup.sides.get(answers.get("side", ""), "")
    default = None
    if whose:
        default = f"Direct Command {whose}"
    return (which_kind, side, name_slot("name", text, default=default))


def _chit_record(state: GtsState, division: str = "", **given: Any) -> GtsRecord:
    chit = Chit(division=division, **given)
    return _record(gts_state.ChitSet(chit=chit.on_side_of(state.divisions.get(division))))


# ------------------------------------------------------------------ actions and checks


def _action_commands(state: GtsState) -> Commands:
    """Moves, checks, and the markers of those who have acted or are suppressed."""
    why_not = ""
    if not state.units():
        why_not = NO_UNIT
    yield Command(
        label="Move or pass",
        key="a",
        word="move or pass",
        group=ACTIONS,
        slots=partial(_act_slots, state),
        toggles=partial(_act_toggles, state),
        make=actions.Act,
        why_not=why_not,
    )
    for check in _check_commands(state):
        word = ""
        if check.is_on_strip:
            word = check.label.lower()
        yield check.checking.command(
            label=check.label, key=check.key, word=word, group=ACTIONS, why_not=why_not
        )
    yield marking_command(
        state,
        state.idle(),
        Marker.ACTED,
        label="Who has not acted",
        key="h",
        nobody="Everybody has acted.",
    )
    yield marking_command(
        state,
        state.units(flag=Marker.SUPPRESSED),
        Marker.SUPPRESSED,
        key="x",
        label="Who is suppressed",
        nobody="Nobody is suppressed.",
    )


def _act_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """What is done and by whom; a move asks for its hex where hexes are written down."""
    options = []
    for id, rule in state.rules.actions.items():
        if rule.kind in ("movement", "assault", "pass"):
            options.append(Option(value=id, label=rule.name, note=rule.triggers))
    which_action = Choose(name="action", text="What does it do?", options=tuple(options))
    action = answers.get("action", "")
    # Until the action is chosen, the units are listed as for a move, the usual one.
    kind = "movement"
    if action:
        kind = state.rules.actions[action].kind
    who = _which_unit(state, kind)
    unit = state.counters.counters.get(answers.get("unit", ""))
    # Where nobody writes hexes down, nobody is asked for one.
    if action == "move" and unit and unit.place:
        return (which_action, who, hex_slot("To which hex?"))
    return (which_action, who)


def _act_toggles(state: GtsState, answers: Answers) -> tuple[Toggle, ...]:
    """What may hold for an action, as far as it counts in that one."""
    rows = [("out", "O", "out of command")]
    if answers.get("action") == "column":
        rows.append(("hit", "C", "leaves column with a cohesion hit"))
    unit = state.counters.counters.get(answers.get("unit", ""))
    if unit and unit.kind == ARTILLERY and state.units(flag=Marker.IN_PARK):
        rows.append(("joins", "A", "joins the artillery park"))
    return switches(rows, answers)


class _CheckToggle(NamedTuple):
    """What may hold for one kind of check alone: the field of its order, the key and the label."""

    name: str
    key: str
    label: str


class _CheckEntry(NamedTuple):
    """A check with its label and key, and whether the strip of keys shows it."""

    label: str
    key: str
    is_on_strip: bool
    checking: _Checking


def _check_commands(state: GtsState) -> Iterator[_CheckEntry]:
    """All checks, in the order of the help."""
    failure = _CheckToggle("hit", "x", "a failure is a C")  # C: a cohesion hit, as on the card
    quality = _Checking(state, actions.CheckQuality, toggle=failure)
    yield _CheckEntry("Troop quality check", "t", is_on_strip=True, checking=quality)
    theirs = Number(
        name="theirs",
        text="The lowest defense of the enemies that cover its hex?",
        low=-DEFENSE_REACH,
        high=DEFENSE_REACH,
    )
    ours = Number(
        name="ours",
        text="The lowest defense of its own stack?",
        low=-DEFENSE_REACH,
        high=DEFENSE_REACH,
    )
    bravery = _Checking(state, actions.Bravery, more=(theirs, ours))
    yield _CheckEntry("Bravery check", "B", state.chart == "assault", bravery)
    formations = [chit.group for chit in state.chits.values() if chit.kind in ATTACHING]
    leader = choice_of("leader", "With whose leader?", formations)
    number = _number_slot("marker", "What is the number on its contact marker?")
    contact = _Checking(state, actions.Contact, more=(leader, number))
    yield _CheckEntry("Contact with a leader", "k", state.phase_id == "parks", contact)
    may_act = state.setup.scope == "fire" or state.phase_id == "activations"
    zone = _CheckToggle("zone", "z", "in an enemy fire zone")
    rally = _Checking(state, actions.Rally, kind="rally", toggle=zone)
    yield _CheckEntry("Rally", "r", may_act, rally)
    works = [(id, rule.name) for id, rule in state.rules.actions.items() if rule.kind == "engineer"]
    work = choice_of("action", "Which work?", works)
    engineer = _Checking(state, actions.Work, kind="engineer", more=(work,))
    yield _CheckEntry("Engineer action", "e", may_act, engineer)


def _which_unit(state: GtsState, kind: str) -> Choose:
    """The question for a unit. ``kind``: the kind of action that it is asked for, which some units
    may not take; empty for a check that is no action, which all may make. The list is long, and
    each key asks for it: it is made once for a state."""

    def choose() -> Choose:
        why_not = partial(_why_not_acting, state, kind)
        options = counter_options(state.units(), why_not, state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    return state.once(("unit", kind), choose)


def _why_not_acting(state: GtsState, kind: str, unit: Counter) -> str:
    """Why a unit does not act so, as a sentence; empty if it may, or while the action is not
    named."""
    if not kind:
        return ""
    if leads(unit):
        return f"{unit.name} is a leader and goes with a unit; M moves him."
    if kind == "engineer":
        why = why_no_work(unit)
        if why:
            return why
    return state.why_not_act(unit, kind)


class _Checking(msgspec.Struct, frozen=True):
    """A check being put together, asked again after every answer: it makes the order of the answers
    so far, and that order says what it still needs."""

    state: GtsState
    order: type[UnitCheck]
    kind: str = ""
    """The kind of action that the check is; empty if it is none."""
    more: Sequence[Slot] = ()
    """Questions of this kind of check, asked before all others."""
    toggle: _CheckToggle | None = None
    """What may hold for this kind of check alone; None if nothing does."""
    unit: str = ""
    """The unit that is checked; empty: it is asked for."""

    def made(self, **answers: Any) -> UnitCheck:
        """The check, as a command makes its order."""
        return self._order(answers)

    def _order(self, answers: Answers) -> UnitCheck:
        """The order of the answers so far."""
        unit = self.unit or answers.get("unit")
        # The rating that is checked is asked for as "tq" (troop quality), as on the counters.
        fields = {**answers, "unit": unit, "rating": answers.get("tq")}
        return order_of_answers(self.order, **fields)

    def _ready(self, answers: Answers) -> bool:
        """Whether all is answered that makes it a check; not if the player has left it out."""
        if not self.unit and not answers.get("unit"):
            return False
        # The answer to an S: the unit is suppressed without a check.
        if answers.get("takes") is False:
            return False
        return all(answers.get(slot.name) is not None for slot in self.more)

    def command(self, **about: Any) -> Command[Any]:
        """The command of the check; ``about``: its label, its key and what else a command has."""
        return Command(
            slots=self.slots, toggles=self.toggles, preview=self.preview, make=self.made, **about
        )

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        """What is asked, as far as it is known after these answers."""
        return tuple(self._asked(answers))

    def _asked(self, answers: Answers) -> Iterator[Slot]:
        """The questions of the check, one after the other: each depends on the answers before
        it."""
        yield from self.more
        if not self.unit:
            yield self._units(answers)
        if not self._ready(answers):
            return
        order = self._order(answers)
        if isinstance(order, actions.Work):
            yield from _work_slots(self.state, order, answers)
        if order.sure(self.state):
            # In the place of the roll, which has that name.
            yield Confirm(name="number", key_note="Space does it.", optional=True)
            return
        unit = order.who(self.state)
        # A question stays once it is answered, though ``who`` knows the rating from then on.
        if "tq" in answers or unit.missing(order.rates):
            yield rating_slot(unit, "tq", "tq")
        yield from typed.value_slots(self.state, order.sum(self.state).missing, answers)
        yield _own_roll_slot(self.state)

    def _units(self, answers: Answers) -> Choose:
        """Who is checked; for contact, the artillery on the side of the leader."""
        leader = answers.get("leader")
        if leader is None:
            return _which_unit(self.state, self.kind)
        why_not = partial(_why_no_contact, self.state, leader)
        options = counter_options(self.state.units(), why_not, self.state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        """What may hold for the check, as far as it counts."""
        if not self._ready(answers):  # letters are units until then
            return ()
        order = self._order(answers)
        if isinstance(order, actions.Contact):
            return ()  # it is no check of troop quality
        rows = [("out", "o", "out of command")]
        # G2: by the usual ruling a command point passes some checks only, else any.
        may_be_bought = order.bought or self.state.rules.rulings["G2"] == "ask"
        # A unit out of command spends no command point.
        if may_be_bought and not answers.get("out"):
            rows.append(("spend", "s", "spend 1 CP"))
        if self.toggle:
            rows.append(self.toggle)
        return switches(rows, answers)

    def preview(self, answers: Answers) -> Page:
        """The check in words, with its chance; nothing while a number of it is not typed in."""
        if not self._ready(answers):
            return Page("")
        order = self._order(answers)
        try:
            unit = order.who(self.state)
            total = order.sum(self.state)
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))
        if order.spend:
            text = order.why_not_spend(self.state) or "1 CP passes it."
        elif order.sure(self.state):
            text = "It succeeds."
        elif unit.missing(order.rates) or total.missing:
            return Page("")
        else:
            text = f"{text_of(total)}, {float(order.chance(self.state, total)):.0%}."
        return Page("", (Paragraph(text, lead=f"{unit.name}, {order.why}:"),))


def _why_no_contact(state: GtsState, leader: str, unit: Counter) -> str:
    return actions.why_no_contact(state, unit, leader)


def _work_slots(state: GtsState, order: actions.Work, answers: Answers) -> Iterator[Slot]:
    """The questions for whom an engineer builds, and how many markers are left where nobody has
    said so."""
    unit = order.who(state)
    # Only an engineer builds an improved position for another unit of its hex.
    builds_for_others = order.action == "improve" and "engineer" in unit.traits
    able = [stacked for stacked in state.stack(unit) if not why_no_work(stacked)]
    if builds_for_others and len(able) > 1:
        options = counter_options(able, codes=state.counters.codes)
        yield Choose(name="on", text="For which unit?", options=options)
    stock = order.stock(state)
    if stock is not None and stock.track not in state.tracks:
        yield _number_slot("left", f"How many {stock.kind} has {stock.owner} left before it?")


# ------------------------------------------------------------------ units, the card, beaches


def _beach_commands(state: GtsState) -> Commands:
    """The boards of landing beaches are entered and attacked."""
    boards = ("nests", "obstacles", "gap", "sea state", "phone lines")
    numbers = [_number_slot(name, f"Which number has the marker of: {name}?") for name in boards]
    yield Command(
        label="Enter a beach",
        key="Z",
        group=CARD,
        slots=(name_slot("name", "Which beach?"), *numbers),
        make=_beach_record,
    )
    yield Command(
        label="Attack beach defenses",
        key="z",
        group=CARD,
        slots=partial(_attack_slots, state),
        make=partial(order_of_answers, orders.LookUp, table="beach"),
    )


def _beach_record(name: str, **numbers: int) -> GtsRecord:
    return _record(gts_state.BeachSet(name=name, numbers=numbers))


def _attack_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """An attack on a beach: its column, the unit if it is entered, the beach and what it is aimed
    at."""
    columns = [column.title for column in state.tables.beach.columns]
    slots: list[Slot] = [choice_of("column", "Who attacks?", columns)]
    nobody = Option(value="", label="a unit not entered", key="0")
    options = (*_which_unit(state, "fire").options, nobody)
    slots.append(Choose(name="unit", text="Which unit?", options=options))
    if state.beaches:
        slots.append(choice_of("beach", "At which beach?", state.beaches))
        slots.append(choice_of("aim", "At what?", gts_state.BEACH_AIMS))
    # Only a unit has modifiers, which the card may have yet to give.
    if answers.get("unit"):
        attack = order_of_answers(orders.LookUp, **{**answers, "table": "beach"})
        slots += typed.value_slots(state, attack.sum(state).missing, answers)
    return (*slots, _own_roll_slot(state))


def _card_commands(state: GtsState) -> Commands:
    """Units are entered, and what stands on the owner's card."""
    # A unit is stepless if it is entered with 0 steps, so that is no trait to choose.
    traits = [trait for trait in TRAITS if trait != STEPLESS]
    yield entering_command(
        state,
        state.setup.sides.items(),
        of="division or formation",
        groups=partial(_groups_of_side, state),
        traits=traits,
        steps=2,
    )
    names = {id: value.name for id, value in state.rules.values.items()}
    yield from typed.card_commands(state, names, _record, CARD)
    soft = typed.value_slot("soft", "What does your card give?")
    hard = typed.value_slot("hard", "Against armor?")
    yield Command(
        label="Type in a terrain",
        key="_",
        group=CARD,
        make=_terrain_record,
        slots=(name_slot("name", "Which terrain?"), soft, hard),
    )


def _terrain_record(name: str, soft: int, hard: int) -> GtsRecord:
    id = f"{TERRAIN}{name.strip().lower()}"
    return _record(typed.ValuesTyped(values={id: soft, f"{id}{ARMORED}": hard}))


def _groups_of_side(state: GtsState, side: str) -> list[str]:
    """The divisions of a side, then their formations."""
    own = [name for name, division in state.divisions.items() if division.side == side]
    formations = [chit.group for chit in state.chits.values() if chit.division in own]
    return [*own, *formations]


# ------------------------------------------------------------------ prompts


def prompt(state: GtsState) -> Command[Any] | None:
    """The first open question."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    if task.kind == "points":
        # A task has the same few fields for every question: the place of this one is the division.
        make = partial(order_of_answers, orders.RollPoints, division=task.place)
        slots = _rolls_for_points(state)
        return Command(label=f"Points of {task.place}", slots=slots, make=make)
    if task.kind == "look_up":
        return _look_up_prompt(state, task)
    return _under_fire(state, task)


def _look_up_prompt(state: GtsState, task: Task) -> Command[Any]:
    """The question for a result or a text that stands on the owner's card."""
    titles = dict(TYPED)
    for result in state.tables.results:
        titles[result.id] = f"{result.title}, {task.column}"
    text = f"{titles[task.table]}, roll {task.roll}: what does your card give?"
    slot = typed.cell_slot(state, task.table, text)
    return Command(label="Your card", slots=(slot,), make=actions.TypeResult)


def _under_fire(state: GtsState, task: Task) -> Command[Any]:
    """The check of an S?, of an S, which may be left out, or of a unit that leaves a barrage."""
    name = state.counters[task.units[0]].name
    label = {"check": "S?", "suppress": "S", "leave": "Out of the barrage"}[task.kind]
    more: tuple[Slot, ...] = ()
    if task.kind == "suppress":
        check_or_not = ((True, "check, for a cohesion hit instead"), (False, "be suppressed"))
        more = (choice_of("takes", f"S: what does {name} do?", check_or_not, "cs"),)
    check = _Checking(state, actions.CheckUnderFire, unit=task.units[0], more=more)
    return check.command(label=f"{label}: {name}", word="the check")
