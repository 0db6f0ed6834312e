"""The commands and prompts of the Grand Tactical Series but those of fire: the mug and the points,
actions and checks, charts, and what the owner types in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from skirmish.games.gts import actions, orders
from skirmish.games.gts import state as facts
from skirmish.games.gts.actions import UnitCheck, why_no_work
from skirmish.games.gts.combat import text_of
from skirmish.games.gts.orders import GtsRecord
from skirmish.games.gts.ruleset import ARMORED, ATTACHING, ROLLED, TERRAIN, TYPED, Chit, Division
from skirmish.games.gts.shots import filled, rating_slot, shots
from skirmish.games.gts.state import LIGHTS, GtsState
from skirmish.games.gts.units import ARTILLERY, TRAITS, Marker, leads
from skirmish.tabletop.commands import Answers, Command, Toggle, switches
from skirmish.tabletop.companion import typed_tables as typed
from skirmish.tabletop.companion.asking import called, counter_options, roll_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.table_game import STEPLESS, entering, marked
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Slot,
    one_of,
)

MUG, ACTIONS, CARD = "The mug and the points", "Actions", "Units and your card"
Orders = Iterator[Command[Any]]


def commands(state: GtsState) -> Orders:
    if state.agenda:
        return
    if state.setup.scope != "fire":
        yield from _mug(state)
        yield from _entries(state)
    if state.setup.scope == "fire":
        used = state.ground or any({*one.flags} & {*Marker.CLEARED} for one in state.units())
        yield Command(label="End the turn: markers come off", key="space", word="end the turn",
                      why_not="" if used else "No marker comes off at the end of a turn.",
                      make=orders.Proceed, group=ACTIONS)  # fmt: skip
    if state.setup.scope != "mug":
        yield from shots(state)
        yield from _actions(state)
        yield from _beaches(state)
        yield from _card(state)
    light = one_of("light", "Day or night?", LIGHTS.items(), "dln")
    weather = one_of("weather", "What is the weather?", ("clear", "overcast", "fog", "rain"))
    yield Command(label="Set night and weather", key="N", group=CARD, slots=(light, weather),
                  make=lambda **given: _record(facts.ConditionsSet(**given)))  # fmt: skip
    tables = one_of("table", "Which table?", ROLLED.items())
    yield Command(label="Roll on a table", key="l", word="roll on a table", group=CARD,
                  slots=(tables, _roll(state)), make=partial(filled, orders.LookUp))  # fmt: skip


def _rating(name: str, text: str, **more: Any) -> Number:
    return Number(name=name, text=text, high=19, eager=True, **more)


def _roll(state: GtsState, name: str = "number", text: str = "What did you roll?") -> Slot:
    return roll_slot(name, text, typed=state.dice.typed, high=9)


# ------------------------------------------------------------------ the mug and the points


def _mug(state: GtsState) -> Orders:
    yield _next(state)
    formations = [
        Option(value=name, label=name, note=f"{state.points('dp', one.division)} DP",
               why_not="It is bought already." if name in state.bought else "")
        for name, one in state.chits.items() if one.kind == "formation"
    ]  # fmt: skip
    turns = ((False, "this turn, 2 DP"), (True, "the next turn, 1 DP, hidden"))
    when = one_of("aside", "For which turn?", turns, "tn")
    which = Choose(name="chit", text="Which chit?", options=tuple(formations))
    none = "" if formations else "No formation is entered yet; C enters its chit."
    buys = state.now == "points" or state.setup.scope == "mug"  # the strip shows their keys
    yield Command(label="Buy a formation chit", key="b", group=MUG, word="buy a chit" * buys,
                  slots=(which, when), make=orders.BuyChit, why_not=none)  # fmt: skip
    none = "" if state.divisions else "No division is entered yet; D enters one."
    division = one_of("division", "Which division?", state.divisions)
    yield Command(label="Turn 2 CP into 1 DP", key="v", group=MUG, word="2 CP into 1 DP" * buys,
                  slots=(division,), make=partial(orders.Pay, points="cp", count=2, buys=1),
                  why_not=none)  # fmt: skip
    points = (("cp", "command points"), ("dp", "dispatch points"))
    kind = one_of("points", "Which points?", points, "cd")
    count = _rating("count", "How many?", low=1, default=1)
    yield Command(label="Spend points", key="p", group=MUG,
                  slots=(division, kind, count), make=orders.Pay, why_not=none)  # fmt: skip
    if state.setup.scope == "whole":
        yield _parks(state)
    yield Command(label="Roll for points", key="O", group=MUG, slots=(division, *_two(state)),
                  make=partial(filled, orders.RollPoints), why_not=none)  # fmt: skip


def _parks(state: GtsState) -> Command[Any]:
    """All the indirect high explosive of a division in one hex is one park, called by any of its
    units."""
    artillery = [unit for unit in state.units() if unit.kind == ARTILLERY]
    unknown = [unit for unit in state.units() if not unit.kind and not leads(unit)]

    def why_not(unit: Counter) -> str:
        return orders.Park(unit=unit.id).why_not(state)

    def slots(answers: Answers) -> tuple[Slot, ...]:
        options = counter_options(
            (*artillery, *unknown), why_not, state.counters.codes, marks=[Marker.PARK]
        )
        which = Choose(
            name="unit", text="The park of which artillery? It takes 1 DP.", options=options
        )
        if "unit" not in answers:
            return (which,)
        unit = state.counters[answers["unit"]]
        beside = orders.unknown_guns(state, unit)
        if not beside or orders.Park(unit=unit.id).disbands(state):
            return (which,)
        options = counter_options(beside, codes=state.counters.codes)
        text = "Who else there has an orange rating?"
        return (which, ChooseSeveral(name="others", text=text, options=options))

    none = "" if artillery or unknown else "No artillery is entered yet."
    word = "artillery park" if state.now == "parks" else ""
    return Command(label="Create or disband a park", key="A", group=MUG, word=word, slots=slots,
                   make=orders.Park, why_not=none)  # fmt: skip


def _two(state: GtsState) -> tuple[Slot, ...]:
    first, second = "The roll for command points?", "The roll for dispatch points?"
    return _roll(state, "first", first), *([_roll(state, "second", second)] * state.dice.typed)


def _next(state: GtsState) -> Command[Any]:
    """Space: the step that the turn is at."""
    whole = state.setup.scope == "whole"
    if not state.filled and (state.now == "mug" or not whole):
        chits = tuple(Option(value=one, label=one) for one in state.chits)
        slot = ChooseSeveral(name="chits", text="Which chits go into the mug?", options=chits,
                             least=1, default=state.goes_in() or None)  # fmt: skip
        none = "" if chits else "No chit is entered yet; D enters a division, C a chit."
        return Command(label="Fill the mug", key="space", word="fill the mug", slots=(slot,),
                       make=orders.FillMug, why_not=none, group=MUG)  # fmt: skip
    if not state.filled or (state.now != "activations" and whole):
        last = state.now == state.sequence.phases[-1].id
        label = "End of the turn" if last else f"End of {state.sequence.at(state.position).name}"
        return Command(label=label, key="space", word="next step", make=orders.Proceed, group=MUG)
    left = state.mug.inside
    label = "Play the chit left over" if state.left else "End of the activations"
    slots: tuple[Slot, ...] = ()
    if left > 1 and not state.left:
        label = f"Draw a chit ({left} in the mug)"
        rest = [one for one in state.chits if one not in state.mug.drawn]  # hidden ones, too
        drawn = one_of("chit", "Which chit did you draw?", rest)
        slots = (drawn,) * state.mug.typed
    return Command(label=label, key="space", word=label.partition(" (")[0].lower(), slots=slots,
                   make=orders.DrawChit, group=MUG)  # fmt: skip


def _entries(state: GtsState) -> Orders:
    side = one_of("side", "Whose is it?", state.setup.sides.items())
    name = called("name", "What is the division called?")
    ratings = [_rating(one, f"What is its {one} rating?") for one in ("command", "dispatch")]
    held = [
        _rating(one, f"How many {one.upper()} does it have?", default=0) for one in ("cp", "dp")
    ]
    first = state.position.turn == 1 and state.now != "activations"
    yield Command(label="Enter a division", key="D", group=MUG, word="new division" * first,
                  slots=(side, name, *ratings, *held),
                  make=lambda **n: _record(facts.DivisionSet(division=Division(**n))))  # fmt: skip
    yield Command(label="Enter a chit", key="C", group=MUG, word="new chit" * first,
                  slots=partial(_chit_slots, state), make=partial(_chit, state))  # fmt: skip
    gone = one_of("name", "Which chit?", state.chits)
    yield Command(
        label="Take a chit out of the game", key="X", group=MUG, slots=(gone,),
        make=lambda name: _record(facts.ChitSet(chit=state.chits[name], gone=True)),
        why_not="" if state.chits else "No chit is entered yet.",
    )  # fmt: skip


def _record(*typed: facts.Fact) -> GtsRecord:
    return GtsRecord(facts=typed)


def _chit_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    kinds = [(id, one.name) for id, one in state.rules.kinds.items() if id != "division"]
    first, kind = one_of("kind", "What kind of chit is it?", kinds), answers.get("kind")
    if kind in ATTACHING:
        of = one_of("division", "Of which division?", state.divisions)
        most = _rating("attach", "How many white-striped units may its leader attach?", default=0)
        return (first, of, called("name", "What is the formation called?"), most)
    if kind in ("naval", "events"):
        return (first, called("name", "What is the chit called?", default=kind.capitalize()))
    side = one_of("side", "Whose is it?", state.setup.sides.items())
    whose = state.setup.sides.get(answers.get("side", ""), "")
    default = f"Direct Command {whose}" if whose else None
    return (first, side, called("name", "What is the chit called?", default=default))


def _chit(state: GtsState, division: str = "", **given: Any) -> GtsRecord:
    chit = Chit(division=division, **given)
    return _record(facts.ChitSet(chit=chit.of(state.divisions.get(division))))


# ------------------------------------------------------------------ actions and checks


def _actions(state: GtsState) -> Orders:
    none = "" if state.units() else "No unit is entered yet."
    known = state.rules.actions.items()
    plain = [(id, one) for id, one in known if one.kind in ("movement", "assault", "pass")]
    does = tuple(Option(value=id, label=one.name, note=one.triggers) for id, one in plain)

    def slots(answers: Answers) -> tuple[Slot, ...]:
        action = action_of(answers)
        kind = state.rules.actions[action].kind if action else "movement"
        what = Choose(name="action", text="What does it do?", options=does)
        unit = state.counters.counters.get(answers.get("unit", ""))
        where = [called("place", "To which hex?", default="")]
        return (what, _who(state, kind), *where * bool(unit and unit.place and action == "move"))

    def action_of(answers: Answers) -> str:
        return str(answers.get("action", ""))

    def toggles(answers: Answers) -> tuple[Toggle, ...]:
        rows = [("out", "O", "out of command")]
        if action_of(answers) == "column":
            rows.append(("hit", "C", "leaves column with a cohesion hit"))
        unit = state.counters.counters.get(answers.get("unit", ""))
        parks = state.units(flag=Marker.PARK)
        if unit and unit.kind == ARTILLERY and parks:
            rows.append(("joins", "A", "joins the artillery park"))
        return switches(rows, answers)

    yield Command(label="Move or pass", key="a", word="move or pass", group=ACTIONS, slots=slots,
                  toggles=toggles, make=actions.Act, why_not=none)  # fmt: skip
    lowest = partial(Number, low=-20, high=20)
    theirs = lowest(name="theirs", text="The lowest defense of the enemies that cover its hex?")
    ours = lowest(name="ours", text="The lowest defense of its own stack?")
    works = [(id, one.name) for id, one in known if one.kind == "engineer"]
    work = [one_of("action", "Which work?", works)]
    formations = [one.group for one in state.chits.values() if one.kind in ATTACHING]
    leaders = one_of("leader", "With whose leader?", formations)
    calls = [leaders, _rating("marker", "What is the number on its contact marker?")]
    failure, zone = ("hit", "x", "a failure is a C"), ("zone", "z", "in an enemy fire zone")
    acts = state.setup.scope == "fire" or state.now == "activations"
    bravery = _Checking(state, actions.Bravery, more=(theirs, ours))
    contact = _Checking(state, actions.Contact, more=calls)
    for label, key, shown, check in (
        ("Troop quality check", "t", True, _Checking(state, actions.CheckQuality, toggle=failure)),
        ("Bravery check", "B", state.chart == "assault", bravery),
        ("Contact with a leader", "k", state.now == "parks", contact),
        ("Rally", "r", acts, _Checking(state, actions.Rally, "rally", toggle=zone)),
        ("Engineer action", "e", acts, _Checking(state, actions.Work, "engineer", work)),
    ):
        word = label.lower() * shown
        yield check.command(label=label, key=key, word=word, group=ACTIONS, why_not=none)
    yield marked(state, state.idle(), Marker.ACTED, label="Who has not acted", key="h",
                 nobody="Everybody has acted.")  # fmt: skip
    yield marked(state, state.units(flag=Marker.SUPPRESSED), Marker.SUPPRESSED, key="x",
                 label="Who is suppressed", nobody="Nobody is suppressed.")  # fmt: skip


def _who(state: GtsState, kind: str) -> Choose:
    """The units, with the reason why one may not act so."""

    def why_not(unit: Counter) -> str:
        if kind and leads(unit):
            return f"{unit.name} is a leader and goes with a unit; M moves him."
        works = why_no_work(unit) if kind == "engineer" else ""
        return works or (state.why_not_act(unit, kind) if kind else "")

    def choose() -> Choose:
        options = counter_options(state.units(), why_not, state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    return state.once(("unit", kind), choose)


class _Checking(msgspec.Struct, frozen=True):
    """A check being put together: ``more`` is asked, ``toggle`` changes it further."""

    state: GtsState
    order: type[UnitCheck]
    kind: str = ""
    more: Sequence[Slot] = ()
    toggle: tuple[str, str, str] | None = None
    unit: str = ""

    def made(self, **answers: Any) -> UnitCheck:
        return self._order(answers)

    def _order(self, answers: Answers) -> UnitCheck:
        unit = self.unit or answers.get("unit")
        return filled(self.order, **{**answers, "unit": unit, "rating": answers.get("tq")})

    def _ready(self, answers: Answers) -> bool:
        """Whether the check is begun; not if it was left out."""
        known = [answers.get(one.name) for one in self.more]
        unit = self.unit or answers.get("unit")
        return bool(unit) and None not in known and answers.get("takes") is not False

    def command(self, **about: Any) -> Command[Any]:
        return Command(slots=self.slots, toggles=self.toggles, preview=self.preview,
                       make=self.made, **about)  # fmt: skip

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        return tuple(self._asked(answers))

    def _asked(self, answers: Answers) -> Iterator[Slot]:
        yield from self.more
        if not self.unit:
            yield self._units(answers)
        if not self._ready(answers):
            return
        order = self._order(answers)
        if isinstance(order, actions.Work):
            yield from _work_slots(self.state, order, answers)
        if order.sure(self.state):
            yield Confirm(name="number", key_note="Space does it.", optional=True)
            return
        unit = order.who(self.state)
        if "tq" in answers or unit.missing(order.rates):
            yield rating_slot(unit, "tq", "tq")
        yield from typed.value_slots(self.state, order.sum(self.state).missing, answers)
        yield _roll(self.state)

    def _units(self, answers: Answers) -> Choose:
        """Who is checked; for contact, the artillery on the side of the leader."""
        leader = answers.get("leader")
        if leader is None:
            return _who(self.state, self.kind)
        why_not = partial(_why_no_contact, self.state, leader)
        options = counter_options(self.state.units(), why_not, self.state.counters.codes)
        return Choose(name="unit", text="Which unit?", options=options)

    def toggles(self, answers: Answers) -> tuple[Toggle, ...]:
        if not self._ready(answers):  # letters are units until then
            return ()
        order = self._order(answers)
        if isinstance(order, actions.Contact):
            return ()  # it is no check of troop quality
        rows = [("out", "o", "out of command")]
        bought = order.bought or self.state.rules.rulings["G2"] == "ask"
        if bought and not answers.get("out"):
            rows.append(("spend", "s", "spend 1 CP"))
        rows += [self.toggle] if self.toggle else []
        return switches(rows, answers)

    def preview(self, answers: Answers) -> Page:
        if not self._ready(answers):
            return Page("")
        order = self._order(answers)
        try:
            unit, total = order.who(self.state), order.sum(self.state)
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))
        lead = f"{unit.name}, {order.why}:"
        if order.spend:
            text = order.why_not_spend(self.state) or "1 CP passes it."
        elif order.sure(self.state):
            text = "It succeeds."
        elif unit.missing(order.rates) or total.missing:
            return Page("")
        else:
            chance = order.chance(self.state, total)
            text = f"{text_of(total)}, {float(chance):.0%}."
        return Page("", (Paragraph(text, lead=lead),))


def _why_no_contact(state: GtsState, leader: str, unit: Counter) -> str:
    return actions.why_no_contact(state, unit, leader)


def _work_slots(state: GtsState, order: actions.Work, answers: Answers) -> Iterator[Slot]:
    """For whom an engineer builds, and how many markers are left where nobody has said so."""
    unit = order.who(state)
    stack = [one for one in state.stack(unit) if not why_no_work(one)]
    if order.action == "improve" and "engineer" in unit.traits and len(stack) > 1:
        options = counter_options(stack, codes=state.counters.codes)
        yield Choose(name="on", text="For which unit?", options=options)
    owner, kind = order.stock(state)
    if kind and f"{owner} {kind}" not in state.tracks:
        yield _rating("left", f"How many {kind} has {owner} left before it?")


# ------------------------------------------------------------------ units, the card, beaches


def _beaches(state: GtsState) -> Orders:
    boards = ("nests", "obstacles", "gap", "sea state", "phone lines")
    numbers = [_rating(name, f"Which number has the marker of: {name}?") for name in boards]
    yield Command(label="Enter a beach", key="Z", group=CARD,
                  slots=(called("name", "Which beach?"), *numbers),
                  make=lambda name, **n: _record(facts.BeachSet(name=name, numbers=n)))  # fmt: skip
    yield Command(label="Attack beach defenses", key="z", group=CARD,
                  slots=partial(_attack_slots, state),
                  make=partial(filled, orders.LookUp, table="beach"))  # fmt: skip


def _attack_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    found: list[Slot] = [
        one_of("column", "Who attacks?", (c.title for c in state.tables.beach.columns))
    ]
    units = _who(state, "fire").options
    other = Option(value="", label="a unit not entered", key="0")
    found.append(Choose(name="unit", text="Which unit?", options=(*units, other)))
    if state.beaches:
        found.append(one_of("beach", "At which beach?", state.beaches))
        found.append(one_of("aim", "At what?", facts.BOARDS))
    attack = filled(orders.LookUp, **{**answers, "table": "beach"})
    missing = attack.sum(state).missing if answers.get("unit") else ()
    return (*found, *typed.value_slots(state, missing, answers), _roll(state))


def _card(state: GtsState) -> Orders:
    sides, traits = state.setup.sides.items(), [one for one in TRAITS if one != STEPLESS]
    yield entering(state, sides, of="division or formation", groups=partial(_groups, state),
                   traits=traits, steps=2)  # fmt: skip
    names = {id: one.name for id, one in state.rules.values.items()}
    yield from typed.card_commands(state, names, _record, CARD)
    soft = typed.value_slot("soft", "What does your card give?")
    hard = typed.value_slot("hard", "Against armor?")
    yield Command(label="Type in a terrain", key="_", group=CARD, make=_terrain,
                  slots=(called("name", "Which terrain?"), soft, hard))  # fmt: skip


def _terrain(name: str, soft: int, hard: int) -> GtsRecord:
    id = f"{TERRAIN}{name.strip().lower()}"
    return _record(typed.ValuesTyped(values={id: soft, f"{id}{ARMORED}": hard}))


def _groups(state: GtsState, side: str) -> list[str]:
    own = [name for name, one in state.divisions.items() if one.side == side]
    return [*own, *(one.group for one in state.chits.values() if one.division in own)]


# ------------------------------------------------------------------ prompts


def prompt(state: GtsState) -> Command[Any] | None:
    """The first open question."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    if task.kind == "points":
        make = partial(filled, orders.RollPoints, division=task.place)
        return Command(label=f"Points of {task.place}", slots=_two(state), make=make)
    return _look_up_prompt(state, task) if task.kind == "look_up" else _under_fire(state, task)


def _look_up_prompt(state: GtsState, task: Task) -> Command[Any]:
    titles = TYPED | {one.id: f"{one.title}, {task.column}" for one in state.tables.results}
    text = f"{titles[task.table]}, roll {task.roll}: what does your card give?"
    slot = typed.cell_slot(state, task.table, text)
    return Command(label="Your card", slots=(slot,), make=actions.TypeResult)


def _under_fire(state: GtsState, task: Task) -> Command[Any]:
    """The check of an S?, of an S, which may be left out, or of a unit that leaves a barrage."""
    name = state.counters[task.units[0]].name
    either = ((True, "check, for a cohesion hit instead"), (False, "be suppressed"))
    takes = [one_of("takes", f"S: what does {name} do?", either, "cs")]
    label = {"check": "S?", "suppress": "S", "leave": "Out of the barrage"}[task.kind]
    more = takes if task.kind == "suppress" else ()
    check = _Checking(state, actions.CheckUnderFire, unit=task.units[0], more=more)
    return check.command(label=f"{label}: {name}", word="the check")
