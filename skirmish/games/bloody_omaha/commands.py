"""The commands and questions of Bloody Omaha."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha import orders, rolls
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.ruleset import RESERVE
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion import typed_lines
from skirmish.tabletop.companion.asking import before_roll, counter_options, roll_slot
from skirmish.tabletop.companion.counters import named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.hand import card_slot, card_slots
from skirmish.tabletop.companion.result_table import ONLY
from skirmish.tabletop.companion.typed_lines import kind_slot, order_command
from skirmish.tabletop.companion.typed_tables import card_commands, cell_slot
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    Words,
    one_of,
)

Slots = Iterator[Slot]


def _square(text: str) -> str:
    found = re.fullmatch(r"(C[12]?\d|B[1-9]|R)|[HST]?([1-9]|[123]\d|40)", text.strip().upper())
    if found is None:
        raise UnfitAnswer("A square such as C5, B3 or 12; R is the Reinforcements box.")
    return found[1] or found[2]


PLACE = Words(name="place", text="On which square is it?", read=_square)


def due(state: BloodyState) -> Iterator[Block]:
    disrupted = [one for one in state.units() if one.has(bloody.DISRUPTED)]
    for lead, units in (("Still to roll:", orders.pending(state)), ("Disrupted:", disrupted)):
        if units:
            yield Paragraph(f"{named(units)}.", lead=lead)
    if names := state.missing().values():
        yield Paragraph(f"{'; '.join(names)}.", lead="Not typed in yet:")


# ------------------------------------------------------------------ what is asked on the way


def _map_slots(state: BloodyState, squares: Iterable[str]) -> Slots:
    """What squares are, and where the arrows of beaches lead, if that is not typed in yet."""
    for one in dict.fromkeys(squares):
        if one.isdigit() and state.square(one) is None:
            text = f"What is square {one}? H, T or S; S+ with a town, S/D1 with an exit."
            yield kind_slot(state, "squares", text, partial(_numbered, one), one)
        elif one in state.rules.board.beaches and one not in state.owned.arrow:
            text = f"To which squares inland do the arrows of {one} lead? Their numbers."
            yield kind_slot(state, "arrows", text, f"{one} {{}}".format, one)


def _numbered(number: str, typed: str) -> str:
    return f"{typed[:1]}{number}{typed[1:]}".upper()


def _beach_slots(state: BloodyState, places: Iterable[str], answers: Answers) -> Slots:
    """What the strongpoint modifier of these beaches needs."""
    beaches = [one for one in places if one in state.rules.board.beaches]
    arrows = state.with_answers(answers).owned.arrow
    yield from _map_slots(state, (*beaches, *(to for one in beaches for to in arrows.get(one, ()))))


def _roll(state: BloodyState) -> Slot:
    return roll_slot("number", "What did you roll?", typed=state.dice.typed, low=1, high=6)


def _weighed(state: BloodyState, task: Task, lead: str) -> Page:
    return Page("", before_roll(lead, rolls.weighed(state, task)))


def _squares(name: str, text: str, squares: Iterable[str], state: BloodyState) -> Choose:
    return Choose(name=name, text=text, options=_options(state, squares))


def _options(state: BloodyState, squares: Iterable[str]) -> tuple[Option, ...]:
    """With what is on them."""
    seen = {one: (*state.tokens(one), *(unit.name for unit in state.units(one))) for one in squares}
    return tuple(Option(value=one, label=one, note=", ".join(note)) for one, note in seen.items())


# ------------------------------------------------------------------ commands


def commands(state: BloodyState) -> Iterator[Command[Any]]:
    if state.agenda:
        return
    yield _random_event(state) if state.now == "event" else _next(state)
    if state.now in ("drift", "landing"):
        yield _one_roll(state)
    if state.now == "activation":
        none = "" if state.tracks[bloody.INITIATIVE].value else "No initiative is left."
        for one in (_move, _attack, _engineers, _rally, _reinforce):
            yield replace(one(state), why_not=none) if none else one(state)
    yield from (_tank(state), _card(state), _by_hand(state))
    yield typed_lines.lines_command(state, "Type in tokens, units, the map", orders.Record)
    yield next(card_commands(state, {}, lambda fact: orders.Record(cell=fact), "The printed game"))
    yield order_command("End the game", "X", orders.EndGame, lambda answers: (), word="")


def _next(state: BloodyState) -> Command[Any]:
    labels = {"setup": "Begin", "draw": "Draw a card", "activation": "End of the activations"}
    waiting, own = orders.pending(state), state.dice.typed
    label = labels.get(state.now) or (state.now.capitalize() if waiting else f"End of {state.now}")
    if own and waiting:
        label += f": {waiting[0].name}"
        return replace(_one_roll(state, waiting[0].id), key="space", label=label, word=label)
    places = [one.place for one in waiting if state.now == "landing"]
    return order_command(label, "space", orders.Proceed, partial(_beach_slots, state, places))


def _one_roll(state: BloodyState, first: str = "") -> Command[Any]:
    """The roll of a unit; ``first`` is not asked for."""
    waiting = orders.pending(state)
    which = Choose(name="unit", text="Which unit rolls?", options=counter_options(waiting))

    def slots(answers: Answers) -> Slots:
        if not first:
            yield which
        if unit := state.counters.counters.get(first or answers.get("unit", "")):
            places = [unit.place] if state.now == "landing" else []
            yield from _beach_slots(state, places, answers)
            yield _roll(state)

    def preview(answers: Answers) -> Page:
        unit = state.counters.counters.get(first or answers.get("unit", ""))
        if unit is None:
            return Page("")
        task = orders.roll_task(state, unit)
        return _weighed(state.with_answers(answers), task, f"{unit.name} on {unit.place}:")

    none = "" if waiting else "Nobody has to roll."
    return order_command(
        "Roll for one unit", "o", orders.Proceed, slots, none, word="one unit", preview=preview
    )


def _random_event(state: BloodyState) -> Command[Any]:
    squares = state.exposed()

    def slots(answers: Answers) -> Slots:
        yield _squares("square", "Where? A unit beside a German token.", squares, state)
        yield from _map_slots(state, [one for one in (answers.get("square"),) if one])
        if near := state.beside(answers.get("square", RESERVE)):
            yield _squares("target", "Which German square beside it?", near, state)
        yield _roll(state)

    none = "" if squares else "Nobody is beside a German token."
    return order_command("Random event", "space", orders.RandomEvent, slots, none)


def _move(state: BloodyState) -> Command[Any]:
    ashore = state.ashore()

    def slots(answers: Answers) -> Slots:
        yield Choose(name="unit", text="Who moves?", options=counter_options(ashore))
        if unit := state.counters.counters.get(answers.get("unit", "")):
            yield from _map_slots(state, [unit.place])
            near = state.with_answers(answers).near(unit.place)
            yield _squares("to", "Where to?", near, state)
            yield from _map_slots(state, [one for one in near if one == answers.get("to")])

    none = "" if ashore else "Nobody is ashore."
    return order_command("Move a unit", "m", orders.Move, slots, none, word="move")


def _attack(state: BloodyState) -> Command[Any]:
    targets, places = [*filter(state.numbers, state.ground)], {one.place for one in state.ashore()}

    def slots(answers: Answers) -> Slots:
        yield _squares("target", "Which square is attacked?", targets, state)
        near = state.near(answers["target"]) if "target" in answers else ()
        own = _options(state, [one for one in near if one in places])
        text = "From where? The units of the first one advance."
        yield ChooseSeveral(name="squares", text=text, options=own, least=1, most=len(own) or 1)
        fighting = [unit for one in answers.get("squares") or () for unit in state.units(one)]
        tanks = any(state.tanks(unit) for unit in fighting) and not state.owned.tanks
        for id in ("tanks",) * tanks + ("columns",) * (not state.owned.by):
            yield kind_slot(state, id)
        if orders.mixed(state, answers.get("squares") or ()) and state.rules.ruled("O7", "ask"):
            yield Number(
                name="penalty", text="Several commands: which penalty?", high=20, default=0
            )
        yield _roll(state)

    def preview(answers: Answers) -> Page:
        if not answers.get("squares"):
            return Page("")
        squares, penalty = answers["squares"], answers.get("penalty") or 0
        order = orders.Attack(target=answers["target"], squares=squares, penalty=penalty)
        now = state.with_answers(answers)
        try:
            found = _weighed(now, order.task(now), "Attack:")
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))
        text = "Units of several commands: the rule for them breaks off (O7)."
        return found.with_blocks([Paragraph(text)] if orders.mixed(state, squares) else [])

    none = "" if targets else "No numbers lie face up."
    return order_command("Attack", "a", orders.Attack, slots, none, preview=preview)


def _engineers(state: BloodyState) -> Command[Any]:
    left, text = state.tracks[bloody.ENGINEERS].value, "How many engineer assets?"
    assets = Number(name="assets", text=text, low=1, high=max(left, 1), default=1)

    def slots(answers: Answers) -> Slots:
        yield _squares("place", "Where?", state.workplaces(), state)
        yield from _beach_slots(state, [answers.get("place", "")], answers)
        yield from (assets, _roll(state))

    def preview(answers: Answers) -> Page:
        if not (answers.get("place") and answers.get("assets")):
            return Page("")
        order = orders.UseEngineers(place=answers["place"], assets=answers["assets"])
        return _weighed(state.with_answers(answers), order.task, f"Engineers on {order.place}:")

    none = "" if left else "No engineer assets are left."
    return order_command("Engineers", "e", orders.UseEngineers, slots, none, preview=preview)


def _rally(state: BloodyState) -> Command[Any]:
    disrupted = [one for one in state.ashore() if one.has(bloody.DISRUPTED)]
    who = Choose(name="unit", text="Who rallies?", options=counter_options(disrupted))
    none = "" if disrupted else "Nobody ashore is disrupted."
    return order_command("Rally", "r", orders.Rally, lambda answers: (who,), none)


def _reinforce(state: BloodyState) -> Command[Any]:
    reserve, first = state.units(RESERVE), state.rules.reinforced_from
    who = Choose(name="unit", text="Who leaves the reserve?", options=counter_options(reserve))
    to = _squares("to", "To which square?", state.rules.board.sea.rows[-1], state)
    none = "" if reserve else "Nobody is in the reserve."
    none = none if state.position.turn >= first else f"Not before turn {first}."
    return order_command("Reinforce", "i", orders.Reinforce, lambda answers: (who, to), none)


def _tank(state: BloodyState) -> Command[Any]:
    tanks, gaps = state.tanks(), [*filter(state.has_gap, state.rules.board.beaches)]

    def slots(answers: Answers) -> Slots:
        yield Choose(name="tank", text="Which tank?", options=counter_options(tanks))
        one = state.counters.counters.get(answers.get("tank", ""))
        lands = one is not None and not one.place
        units = [unit for unit in state.ashore() if not lands or unit.place in gaps]
        alone = [Option(value=beach, label=f"{beach}, alone") for beach in gaps if lands]
        yield Choose(name="to", text="To whom?", options=(*counter_options(units), *alone))

    possible = gaps or any(one.place for one in tanks)
    none = "" if possible else "A tank lands on a beach with a gap; there is none yet."
    word = "tank" if possible else ""
    return order_command("Land or shift a tank", "t", orders.ShiftTank, slots, none, word=word)


def _card(state: BloodyState) -> Command[Any]:
    none = "" if state.hand else "Your hand is empty."
    slots, word = partial(card_slots, state), "card" if state.hand else ""
    return order_command("Play a card", "p", orders.PlayCard, slots, none, word=word)


def _by_hand(state: BloodyState) -> Command[Any]:
    def slots(answers: Answers) -> Slots:
        yield replace(PLACE, name="square", text="Which square?")
        square = answers.get("square", "")
        beach = square in state.rules.board.beaches
        rows = {bloody.GAP: "its gap, on or off"} if beach else {}
        for one in state.tokens(square):
            rows[one] = f"remove {value_of(one)}" if value_of(one) else f"turn up the {one} token"
        yield one_of("change", "What changes?", rows.items())

    return order_command("Change a square by hand", "x", orders.FixSquare, slots, word="")


# ------------------------------------------------------------------ questions


def prompt(state: BloodyState) -> Command[Any] | None:
    """The first open question."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    if task.kind == "enter":
        slots = partial(typed_lines.list_slots, state, task)
        return order_command("The printed game", "", orders.TypeIn, slots)
    return order_command("A question", "", orders.Answer, partial(_asked, state, task))


def _asked(state: BloodyState, task: Task, answers: Answers) -> Slots:
    own = state.dice.typed
    if task.kind in ("cell", "fill"):
        yield replace(cell_slot(state, task.table, _cell_text(state, task)), name="text")
    elif task.kind == "mines":
        rows = [("yes", "go in and roll"), ("no", "stay out")]
        must = state.rules.ruled("O10", "must")
        text = f"Mines on {task.place}. What does {state.counters[task.units[0]].name} do?"
        yield one_of("text", text, rows[:1] if must else rows, "yn")
        if own and answers.get("text") == "yes":
            yield _roll(state)
    elif task.kind == "token":
        text = f"Which {task.table} token lies on {task.place}?"
        if not own:
            text = f"{task.place}: take one of your {task.table} tokens not typed in yet, unseen."
        kind = state.rules.lines[f"{task.table}s"]
        yield typed_lines.line_slot("text", f"{text} {kind.how}", kind.matched, str.lower)
    elif task.kind in ("card", "keep"):
        yield card_slot(state, task.kind)
    else:
        yield _roll(state)


def _cell_text(state: BloodyState, task: Task) -> str:
    found = rolls.weighed(state, task) if task.kind == "cell" else task
    column = f", {found.column}" if found.column not in ("", ONLY) else ""
    words = " D, E, I+, I-, A+, A- are carried out." if task.table == "disruption" else ""
    title = state.tables.titles[task.table]
    return f"{title}{column}, {found.roll}: what is printed there?{words}"
