"""The commands and questions of Bloody Omaha."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha import orders, rolls
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.ruleset import RESERVE
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion import typed_lines
from skirmish.tabletop.companion.asking import called, counter_options, roll_preview, roll_slot
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.hand import card_command, card_slot
from skirmish.tabletop.companion.result_table import ONLY, Resolved
from skirmish.tabletop.companion.typed_lines import kind_slot, order_command, rest_later
from skirmish.tabletop.companion.typed_tables import card_commands, cell_slot
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    one_of,
)

Slots = Iterator[Slot]


def _square(text: str) -> str:
    found = re.fullmatch(r"(C[12]?\d|B[1-9]|R)|[HST]?([1-9]|[123]\d|40)", text.strip().upper())
    if found is None:
        raise UnfitAnswer("A square such as C5, B3 or 12; R is the Reinforcements box.")
    return found[1] or found[2]


PLACE = called("place", "On which square is it?", read=_square)


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


def _beside_slots(state: BloodyState, places: Iterable[str], answers: Answers) -> Slots:
    """What the strongpoint modifier needs there."""
    now, wanted = state.with_answers(answers), list[str]()
    for one in places:
        if one in state.rules.board.beaches:
            wanted += [one, *now.owned.arrow.get(one, ())]
        elif one.isdigit() and state.rules.ruled("O28", "everywhere"):
            wanted += state.near(one)
    yield from _map_slots(state, wanted)


def _roll(state: BloodyState) -> Slot:
    return roll_slot("number", "What did you roll?", typed=state.dice.typed, low=1, high=6)


def _weighed(state: BloodyState, task: Task) -> tuple[str, Resolved, Callable[[str], str]]:
    words = partial(rolls.drift, state, task) if task.table == "drift" else str
    return f"{rolls.subject(state, task)}:", rolls.weighed(state, task), words


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
        spent = "" if state.tracks[bloody.INITIATIVE].value else "No initiative is left."
        for command in _activations(state):
            yield replace(command, why_not=spent) if spent else command
    yield from (_tank(state), card_command(state, orders.PlayCard), _by_hand(state))
    yield typed_lines.lines_command(state, "Type in tokens, units, the map", orders.BloodyRecord)
    cells = card_commands(
        state, {}, lambda fact: orders.BloodyRecord(cell=fact), "The printed game"
    )
    yield replace(next(cells), word="cell of a table")
    yield order_command("End the game", "X", orders.EndGame, lambda answers: (), word="")


def _next(state: BloodyState) -> Command[Any]:
    """What Space does."""
    draw = "Draw a card" if state.plays_cards else "Begin the turn"
    labels = {"setup": "Begin", "draw": draw, "activation": "End of the activations"}
    waiting, own = orders.pending(state), state.dice.typed
    label = labels.get(state.now) or (state.now.capitalize() if waiting else f"End of {state.now}")
    if own and waiting:
        label += f": {waiting[0].name}"
        return replace(_one_roll(state, waiting[0].id), key="space", label=label, word=label)
    lapses = _lapses(state)
    if lapses:
        warning = Confirm(
            name="lapses",
            text=lapses,
            key_note="Space ends the phase all the same.",
            optional=False,
            default=True,
        )
        return order_command(label, "space", _ends, lambda answers: (warning,))

    def slots(answers: Answers) -> Slots:
        for phase, id in (("setup", "units"), ("draw", "turns")):
            if state.now == phase and not state.owned.lines(id):
                yield typed_lines.later(kind_slot(state, id), "later")
        yield from _beside_slots(state, [one.place for one in waiting], answers)

    return order_command(label, "space", orders.Proceed, slots)


def _ends(lapses: bool = True, **answers: Any) -> orders.Proceed:
    return orders.Proceed(**answers)


def _lapses(state: BloodyState) -> str:
    """The question before initiative lapses that could still do something; else empty."""
    left = state.tracks[bloody.INITIATIVE].value
    if state.now != "activation" or not left:
        return ""
    usable = [command.label for command in _activations(state) if not command.why_not]
    if not usable:
        return ""
    if left > 1:
        return f"{left} points of initiative lapse; they do not carry over."
    return "1 point of initiative lapses; it does not carry over."


def _activations(state: BloodyState) -> tuple[Command[Any], ...]:
    """What initiative pays for, but tanks."""
    return (
        _move(state),
        _attack(state),
        _engineers(state),
        _rally(state),
        _reinforce(state),
    )


def _one_roll(state: BloodyState, first: str = "") -> Command[Any]:
    """The roll of a unit; ``first`` is not asked for."""
    waiting = orders.pending(state)

    def slots(answers: Answers) -> Slots:
        if not first:
            yield Choose(name="unit", text="Which unit rolls?", options=counter_options(waiting))
        if unit := state.counters.counters.get(first or answers.get("unit", "")):
            yield from _beside_slots(state, [unit.place], answers)
            yield _roll(state)

    def task(now: BloodyState, answers: Answers) -> Task:
        return orders.roll_task(now, now.counters[first or answers["unit"]])

    none = "" if waiting else "Nobody has to roll."
    return order_command("Roll for one unit", "o", orders.Proceed, slots, none, word="roll",
                         preview=roll_preview(state, task, _weighed))  # fmt: skip


def _random_event(state: BloodyState) -> Command[Any]:
    squares = state.exposed()

    def slots(answers: Answers) -> Slots:
        yield _squares("square", "Where? A unit beside a German token.", squares, state)
        square = answers.get("square", RESERVE)
        yield from _map_slots(state, [square])
        if near := state.with_answers(answers).beside(square):
            yield _squares("target", "Which German square beside it?", near, state)
        yield _roll(state)

    none = "" if squares else "Nobody is beside a German token."
    return order_command("Random event", "space", orders.RandomEvent, slots, none)


def _move(state: BloodyState) -> Command[Any]:
    ashore = state.ashore()

    def slots(answers: Answers) -> Slots:
        who = counter_options(ashore, marks=(bloody.DISRUPTED,))
        yield Choose(name="unit", text="Who moves?", options=who)
        if unit := state.counters.counters.get(answers.get("unit", "")):
            yield from _map_slots(state, [unit.place])
            near = state.with_answers(answers).near(unit.place)
            to = _squares("to", "Where to?", near, state)
            options = (replace(one, why_not=state.why_not_entered(one.value)) for one in to.options)
            yield replace(to, options=tuple(options))
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
        for id in ("tanks",) * tanks + ("columns",) * (not state.owned.columns):
            yield kind_slot(state, id)
        if len({one.group for one in fighting}) > 1 and state.rules.ruled("O7", "ask"):
            text = "Several commands: which penalty?"
            yield Number(name="penalty", text=text, high=20, default=0)
        yield _roll(state)

    def task(now: BloodyState, answers: Answers) -> Task:
        target, squares = answers["target"], answers["squares"]
        penalty = answers.get("penalty") or 0
        return orders.Attack(target=target, squares=squares, penalty=penalty).task(now)

    none = "" if targets else "No numbers lie face up."
    return order_command(
        "Attack", "a", orders.Attack, slots, none, preview=roll_preview(state, task, _weighed)
    )


def _engineers(state: BloodyState) -> Command[Any]:
    left, text = state.tracks[bloody.ENGINEERS].value, "How many engineer assets?"
    assets = Number(name="assets", text=text, low=1, high=max(left, 1), default=1)

    def slots(answers: Answers) -> Slots:
        yield _squares("place", "Where?", state.workplaces(), state)
        yield from _beside_slots(state, [answers.get("place", "")], answers)
        yield from (assets, _roll(state))

    def task(now: BloodyState, answers: Answers) -> Task:
        return orders.UseEngineers(place=answers["place"], assets=answers["assets"]).task

    none = "" if left else "No engineer assets are left."
    return order_command("Engineers", "e", orders.UseEngineers, slots, none,
                         preview=roll_preview(state, task, _weighed))  # fmt: skip


def _rally(state: BloodyState) -> Command[Any]:
    disrupted = [one for one in state.ashore() if one.has(bloody.DISRUPTED)]
    who = Choose(name="unit", text="Who rallies?", options=counter_options(disrupted))
    none = "" if disrupted else "Nobody ashore is disrupted."
    return order_command("Rally", "r", orders.Rally, lambda answers: (who,), none)


def _reinforce(state: BloodyState) -> Command[Any]:
    first, known = state.rules.reinforced_from, state.units(RESERVE)
    to = _squares("to", "To which square?", state.rules.board.sea.rows[-1], state)

    def slots(answers: Answers) -> Slots:
        if not known:
            yield kind_slot(state, "units")
        reserve = state.with_answers(answers).units(RESERVE)
        yield Choose(name="unit", text="Who leaves the reserve?", options=counter_options(reserve))
        yield to

    none = "" if known or "units" in state.missing() else "Nobody is in the reserve."
    none = none if state.position.turn >= first else f"Not before turn {first}."
    return order_command("Reinforce", "i", orders.Reinforce, slots, none)


def _tank(state: BloodyState) -> Command[Any]:
    tanks, gaps = state.tanks(), [*filter(state.has_gap, state.rules.board.beaches)]

    def slots(answers: Answers) -> Slots:
        which = "Which tank? One that is not on the map lands as a card or an event says."
        yield Choose(name="tank", text=which, options=counter_options(tanks))
        if one := state.counters.counters.get(answers.get("tank", "")):
            start, others = one.place, [unit for unit in state.ashore() if unit.id != one.group]
            units = [unit for unit in others if start or unit.place in gaps]
            to = counter_options(units, lambda unit: start and state.why_no_path(start, unit.place))
            alone = [Option(value=gap, label=f"{gap}, alone") for gap in gaps if not start]
            yield Choose(name="to", text="To whom?", options=(*to, *alone))

    possible = gaps or any(one.place for one in tanks)
    none = "" if possible else "A tank lands on a beach with a gap; there is none yet."
    word = "tank" if possible else ""
    return order_command("Land or shift a tank", "t", orders.ShiftTank, slots, none, word=word)


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
        return order_command("The printed game", "", typed_lines.TypeIn, slots)
    return order_command(task.kind.capitalize(), "", orders.Answer, partial(_asked, state, task))


def _asked(state: BloodyState, task: Task, answers: Answers) -> Slots:
    own = state.dice.typed
    if task.kind in ("cell", "fill"):
        slot = replace(cell_slot(state, task.table, _cell_text(state, task)), name="text")
        yield slot if task.kind == "cell" else rest_later(slot)
    elif task.kind == "mines":
        unit, must = state.counters[task.units[0]], state.rules.ruled("O10", "must")
        hit = "eliminates" if unit.has(bloody.DISRUPTED) else "disrupts"
        text = f"Mines on {task.place}. What does {unit.name} do?"
        if state.numbers(task.place):
            text = f"Mines on {task.place}, and a number that keeps {unit.name} out. Does it go in?"
        rows = [("yes", f"go in; 1 to {state.rules.mined} {hit} it"), ("no", "stay out")]
        yield one_of("text", text, rows[:1] if must else rows, "yn")
        if own and answers.get("text") == "yes":
            yield _roll(state)
    elif task.kind == "token":
        text = f"Which {task.table} token lies on {task.place}?"
        if not own:
            text = f"{task.place}: take one of your {task.table} tokens not typed in yet, unseen."
        kind = state.rules.lines[f"{task.table}s"]
        yield typed_lines.line_slot("text", f"{text} {kind.how}", kind.matched, str.lower)
    elif task.kind == "remove":
        ways = [" and ".join(one) for one in rolls.ways(state, task)]
        yield one_of("text", f"Which token is removed from {task.place}?", ways)
    elif task.kind in ("card", "keep"):
        yield card_slot(state, task.kind)
    else:
        yield _roll(state)


def _cell_text(state: BloodyState, task: Task) -> str:
    rolled = task.kind == "cell"
    found = rolls.weighed(state, task) if rolled else task
    lead = rolls.subject(state, task) if rolled else state.tables.titles[task.table]
    column = f", column {found.column}" if found.column not in ("", ONLY) else ""
    words = " D, E, I+, I-, A+, A- are carried out." if task.table == "disruption" else ""
    return f"{lead}{column}, for {found.roll}: what is printed there?{words}"
