"""The commands and questions of Bloody Omaha.

A ``Command`` asks for answers, one for each of its slots, and makes an order of them. What the
owner has not typed in yet is asked for where it is first needed: the slots of ``_map_slots`` and
``_beside_slots`` come before those that depend on it. ``kind_slot`` asks for lines of a kind, and
``state.with_answers`` is the state as it will be with the lines among the answers so far. A command
with ``word=""`` has a key, but is left out of the strip of keys. A function ``task`` within a
command looks answers up, and a missing one raises KeyError: then ``roll_preview`` shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha import activations, orders
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.answers import Answer
from skirmish.games.bloody_omaha.attacks import removal_choices
from skirmish.games.bloody_omaha.rolls import drift_text, outcome_of, subject
from skirmish.games.bloody_omaha.ruleset import RESERVE
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion import lines_orders, lines_slots
from skirmish.tabletop.companion.asking import counter_options, name_slot, roll_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.hand import card_asked_for, play_card_command
from skirmish.tabletop.companion.lines_slots import deferrable_with_rest, kind_slot, order_command
from skirmish.tabletop.companion.result_table import ONLY_COLUMN
from skirmish.tabletop.companion.roll_preview import BeforeRoll, roll_preview
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_facts import CellTyped, ValuesTyped
from skirmish.tabletop.companion.typed_slots import card_commands, cell_slot
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    Words,
    choice_of,
    choice_of_names,
)

Slots = Iterator[Slot]
_AT_SEA_OR_BEACH = re.compile(r"C([1-9]|1\d|2[0-7])|B[1-9]|R")
"""A square of the Channel (``C1`` to ``C27``), a beach (``B1`` to ``B9``), or the box of
reinforcements (``R``)."""
_INLAND = re.compile(r"[HST]?([1-9]|[123]\d|40)")
"""A square inland: its number from 1 to 40, with or without the letter of its terrain (``12``,
``H31``)."""
_HIGHEST_PENALTY = 20
"""The highest penalty of attackers of several commands that can be typed."""


def _square(text: str) -> str:
    """The name of a square that was typed: inland its number alone. Raises UnfitAnswer."""
    typed = text.strip().upper()
    if _AT_SEA_OR_BEACH.fullmatch(typed):
        return typed
    inland = _INLAND.fullmatch(typed)
    if inland is None:
        raise UnfitAnswer("A square such as C5, B3 or 12; R is the Reinforcements box.")
    return inland[1]


PLACE = name_slot("place", "On which square is it?", read=_square)


# ------------------------------------------------------------------ what is asked on the way


def _map_slots(state: BloodyState, squares: Iterable[str]) -> Slots:
    """What squares are, and where the arrows of beaches lead, if that is not typed in yet."""
    for square in dict.fromkeys(squares):
        if square.isdigit() and state.square(square) is None:
            text = f"What is square {square}? H, T or S; S+ with a town, S/D1 with an exit."
            yield kind_slot(
                state, "squares", text, completed=partial(_numbered, square), about=square
            )
        elif square in state.rules.board.beaches and square not in state.owned.squares_by_beach:
            text = f"To which squares inland do the arrows of {square} lead? Their numbers."
            yield kind_slot(
                state, "arrows", text, completed=partial(_arrows_of, square), about=square
            )


def _numbered(number: str, typed: str) -> str:
    """The line of a square whose number is known: ``S+`` is ``S7+``."""
    return f"{typed[:1]}{number}{typed[1:]}".upper()


def _arrows_of(beach: str, typed: str) -> str:
    """The line of the arrows of a beach: ``B3 7 8``."""
    return f"{beach} {typed}"


def _beside_slots(state: BloodyState, places: Iterable[str], answers: Answers) -> Slots:
    """The questions about the map that tell whether a strongpoint is beside one of these places,
    since that is a modifier of rolls there (6.5.a, 8.5.a)."""
    with_answers = state.with_answers(answers)
    squares_needed: list[str] = []
    for place in places:
        if place in state.rules.board.beaches:
            squares_needed += [place, *with_answers.owned.squares_by_beach.get(place, ())]
        # O28: whether that counts for squares inland as well.
        elif place.isdigit() and state.rules.ruled("O28", "everywhere"):
            squares_needed += state.near(place)
    yield from _map_slots(state, squares_needed)


def _own_roll_slot(state: BloodyState) -> Slot:
    """The question for the player's own roll; where the program rolls, a confirmation."""
    return roll_slot("number", "What did you roll?", typed=state.dice.typed, low=1, high=6)


def _before_roll(state: BloodyState, task: Task) -> BeforeRoll:
    """What is shown before a roll: what it is for, its modifiers and chances."""
    words_of_result: Callable[[str], str] = str
    # The table of drift holds numbers of squares; the unit's own square tells where they lead.
    if task.table == "drift":
        words_of_result = partial(drift_text, state, task)
    outcome = outcome_of(state, task)
    return BeforeRoll(f"{subject(state, task)}:", outcome, words_of_result)


def _square_slot(name: str, text: str, squares: Iterable[str], state: BloodyState) -> Choose:
    """The question for one of these squares."""
    return Choose(name=name, text=text, options=_square_options(state, squares))


def _square_options(state: BloodyState, squares: Iterable[str]) -> tuple[Option, ...]:
    """Squares with what is on them. Each comes once, though an owner may have typed an arrow
    twice."""
    options = []
    for square in dict.fromkeys(squares):
        units = [unit.name for unit in state.units(square)]
        note = ", ".join((*state.tokens(square), *units))
        options.append(Option(value=square, label=square, note=note))
    return tuple(options)


def _no_slots(answers: Answers) -> tuple[Slot, ...]:
    """The slots of a command that asks nothing."""
    return ()


# ------------------------------------------------------------------ commands


def commands(state: BloodyState) -> Iterator[Command[Any]]:
    """All commands, in the order of the help. None while a question is open."""
    if state.agenda:
        return
    # Each phase has one command with the key Space.
    if state.phase_id == "event":
        yield _random_event_command(state)
    else:
        yield _space_command(state)
    if state.phase_id in ("drift", "landing"):
        yield _one_roll_command(state)
    if state.phase_id == "activation":
        yield from _paid_activations(state)
    yield from (
        _tank_command(state),
        play_card_command(state, orders.PlayCard),
        _by_hand_command(state),
    )
    yield lines_slots.lines_command(state, "Type in tokens, units, the map", orders.BloodyRecord)
    # The cells of printed tables are typed as in the other companions. Of those commands only the
    # first is wanted, since there are no modifiers to type in.
    no_modifiers: dict[str, str] = {}
    cell, *_ = card_commands(state, no_modifiers, _typed_cell, "The printed game")
    yield replace(cell, word="cell of a table")
    yield order_command("End the game", "X", orders.EndGame, _no_slots, word="")


def _typed_cell(fact: CellTyped | ValuesTyped) -> orders.BloodyRecord:
    """The order that stores a cell of a printed table."""
    return orders.BloodyRecord(cell=fact)


def _space_command(state: BloodyState) -> Command[Any]:
    """The command of Space, which goes on with the game."""
    still_to_roll = orders.pending(state)
    label = _label_of_space(state)
    # The program rolls for all units at once; own dice are typed in unit by unit.
    if still_to_roll and state.dice.typed:
        # The order has no unit, as no slot asks for it; it then takes the next one, which is this.
        unit = still_to_roll[0]
        label += f": {unit.name}"
        return replace(_one_roll_command(state, unit.id), key="space", label=label, word=label)
    warning_text = _lapse_warning(state)
    if warning_text:
        warning = Confirm(
            name="lapses",
            text=warning_text,
            key_note="Space ends the phase all the same.",
            optional=False,
            default=True,
        )
        return order_command(label, "space", _proceed_after_warning, partial(_single_slot, warning))
    return order_command(label, "space", orders.Proceed, partial(_next_slots, state))


def _label_of_space(state: BloodyState) -> str:
    """What Space does, by the phase."""
    if state.phase_id == "setup":
        return "Begin"
    if state.phase_id == "draw" and state.plays_cards:
        return "Draw a card"
    if state.phase_id == "draw":
        return "Begin the turn"
    if state.phase_id == "activation":
        return "End of the activations"
    if orders.pending(state):
        return state.phase_id.capitalize()
    return f"End of {state.phase_id}"


def _single_slot(slot: Slot, answers: Answers) -> tuple[Slot, ...]:
    """The slots of a command that asks a single question."""
    return (slot,)


def _next_slots(state: BloodyState, answers: Answers) -> Slots:
    """What the next step needs of the printed game: the units before the first turn, the length of
    the turn track before a card is drawn, the map for landings."""
    kind_by_phase = {"setup": "units", "draw": "turns"}
    kind = kind_by_phase.get(state.phase_id)
    if kind is not None and not state.owned.lines(kind):
        # The game goes on without them: Enter alone puts the question off.
        yield lines_slots.deferrable(kind_slot(state, kind), "later")
    places = [unit.place for unit in orders.pending(state)]
    yield from _beside_slots(state, places, answers)


def _proceed_after_warning(lapses: bool = True, **answers: Any) -> orders.Proceed:
    """The order to go on. ``lapses`` is the answer to the warning before it, and no part of the
    order."""
    return orders.Proceed(**answers)


def _lapse_warning(state: BloodyState) -> str:
    """The question before a phase ends with initiative that could still pay for something; empty
    if there is none."""
    left = state.tracks[bloody.INITIATIVE].value
    if state.phase_id != "activation" or not left:
        return ""
    nothing_is_possible = all(command.why_not for command in _activation_commands(state))
    if nothing_is_possible:
        return ""
    if left > 1:
        return f"{left} points of initiative lapse; they do not carry over."
    return "1 point of initiative lapses; it does not carry over."


def _activation_commands(state: BloodyState) -> tuple[Command[Any], ...]:
    """What initiative pays for (5.3), except a shift of a tank (5.3.e): tanks have a command of
    their own, since they also land, at no cost and in any phase."""
    return (
        _move_command(state),
        _attack_command(state),
        _engineers_command(state),
        _rally_command(state),
        _reinforce_command(state),
    )


def _paid_activations(state: BloodyState) -> Iterator[Command[Any]]:
    """The commands that initiative pays for. Once none is left they remain in sight, with that as
    the reason why not."""
    for command in _activation_commands(state):
        if state.tracks[bloody.INITIATIVE].value:
            yield command
        else:
            yield replace(command, why_not="No initiative is left.")


# ------------------------------------------------------------------ rolls of a phase


def _one_roll_command(state: BloodyState, unit_id: str = "") -> Command[Any]:
    """The roll for a unit; without a ``unit_id`` the player is asked for which."""

    def task(with_answers: BloodyState, answers: Answers) -> Task:
        unit = with_answers.counters[unit_id or answers["unit"]]
        return orders.roll_task(with_answers, unit)

    why_not = ""
    if not orders.pending(state):
        why_not = "Nobody has to roll."
    return order_command(
        "Roll for one unit",
        "o",
        orders.Proceed,
        partial(_one_roll_slots, state, unit_id),
        why_not,
        word="roll",
        preview=roll_preview(state, task, _before_roll),
    )


def _one_roll_slots(state: BloodyState, unit_id: str, answers: Answers) -> Slots:
    """The unit that rolls (unless it is known), what lies beside it, and the player's own
    roll."""
    if not unit_id:
        options = counter_options(orders.pending(state))
        yield Choose(name="unit", text="Which unit rolls?", options=options)
    unit = state.counters.counters.get(unit_id or answers.get("unit", ""))
    if unit:
        yield from _beside_slots(state, [unit.place], answers)
        yield _own_roll_slot(state)


def _random_event_command(state: BloodyState) -> Command[Any]:
    """Space in the phase of the random event: a roll for a unit beside a German token."""
    why_not = ""
    if not state.exposed():
        why_not = "Nobody is beside a German token."
    slots = partial(_event_slots, state)
    return order_command("Random event", "space", orders.RandomEvent, slots, why_not)


def _event_slots(state: BloodyState, answers: Answers) -> Slots:
    """The square of the event, what lies beside it, and the German square that the event is
    about."""
    text = "Where? A unit beside a German token."
    yield _square_slot("square", text, state.exposed(), state)
    german_squares: tuple[str, ...] = ()
    if "square" in answers:
        square = answers["square"]
        yield from _map_slots(state, [square])
        german_squares = state.with_answers(answers).uncleared_beside(square)
    # In the First Wave there is nothing beside it (6.4).
    if german_squares:
        yield _square_slot("target", "Which German square beside it?", german_squares, state)
    yield _own_roll_slot(state)


# ------------------------------------------------------------------ activations


def _move_command(state: BloodyState) -> Command[Any]:
    """A unit ashore goes to a square beside it."""
    why_not = ""
    if not state.ashore():
        why_not = "Nobody is ashore."
    slots = partial(_move_slots, state)
    return order_command("Move a unit", "m", activations.Move, slots, why_not, word="move")


def _move_slots(state: BloodyState, answers: Answers) -> Slots:
    """Who moves and where to; what of the map is not known yet is asked for on the way."""
    # Beside a unit stands whether it is disrupted: then mines would eliminate it.
    who = counter_options(state.ashore(), marks=(bloody.DISRUPTED,))
    yield Choose(name="unit", text="Who moves?", options=who)
    unit = state.counters.counters.get(answers.get("unit", ""))
    if unit is None:
        return
    yield from _map_slots(state, [unit.place])
    neighbours = state.with_answers(answers).near(unit.place)
    options = []
    for option in _square_options(state, neighbours):
        options.append(replace(option, why_not=state.why_not_entered(option.value)))
    yield Choose(name="to", text="Where to?", options=tuple(options))
    destination = answers.get("to")
    if destination in neighbours:
        yield from _map_slots(state, [destination])


def _attack_command(state: BloodyState) -> Command[Any]:
    """Units attack the numbers that lie face up on a square beside them (8.4)."""

    def task(with_answers: BloodyState, answers: Answers) -> Task:
        target, squares = answers["target"], answers["squares"]
        penalty = answers.get("penalty") or 0
        return activations.Attack(target=target, squares=squares, penalty=penalty).task(
            with_answers
        )

    why_not = ""
    if not _targets_with_numbers(state):
        why_not = "No numbers lie face up."
    return order_command(
        "Attack",
        "a",
        activations.Attack,
        partial(_attack_slots, state),
        why_not,
        preview=roll_preview(state, task, _before_roll),
    )


def _targets_with_numbers(state: BloodyState) -> list[str]:
    """The squares that can be attacked: those with numbers that lie face up."""
    return [square for square in state.ground if state.numbered_tokens(square)]


def _attack_slots(state: BloodyState, answers: Answers) -> Slots:
    """The square that is attacked, those from which it is, and what the attackers need of the
    printed game."""
    yield _square_slot("target", "Which square is attacked?", _targets_with_numbers(state), state)
    starts: tuple[Option, ...] = ()
    if "target" in answers:
        occupied = {unit.place for unit in state.ashore()}
        neighbours = state.near(answers["target"])
        starts = _square_options(state, [square for square in neighbours if square in occupied])
    text = "From where? The units of the first one advance."
    # Before there is a target there are no squares, but a question needs room for one answer.
    most = max(len(starts), 1)
    yield ChooseSeveral(name="squares", text=text, options=starts, least=1, most=most)
    yield from _attackers_slots(state, answers.get("squares") or ())
    yield _own_roll_slot(state)


def _attackers_slots(state: BloodyState, squares: Iterable[str]) -> Slots:
    """What an attack needs of the printed game, and the penalty for several commands (O7)."""
    fighting = [unit for square in squares for unit in state.units(square)]
    if not state.owned.tanks and any(state.tanks(unit) for unit in fighting):
        yield kind_slot(state, "tanks")
    if not state.owned.columns:
        yield kind_slot(state, "columns")
    several_commands = len({unit.group for unit in fighting}) > 1
    if several_commands and state.rules.ruled("O7", "ask"):
        text = "Several commands: which penalty?"
        yield Number(name="penalty", text=text, high=_HIGHEST_PENALTY, default=0)


def _engineers_command(state: BloodyState) -> Command[Any]:
    """Engineer assets are spent on the obstacle of a beach, or on mines inland (8.5)."""

    def task(with_answers: BloodyState, answers: Answers) -> Task:
        return activations.UseEngineers(place=answers["place"], assets=answers["assets"]).task()

    why_not = ""
    if not state.tracks[bloody.ENGINEERS].value:
        why_not = "No engineer assets are left."
    return order_command(
        "Engineers",
        "e",
        activations.UseEngineers,
        partial(_engineers_slots, state),
        why_not,
        preview=roll_preview(state, task, _before_roll),
    )


def _engineers_slots(state: BloodyState, answers: Answers) -> Slots:
    """The questions where engineers work, and with how many assets."""
    yield _square_slot("place", "Where?", state.workplaces(), state)
    if "place" in answers:
        yield from _beside_slots(state, [answers["place"]], answers)
    # A command without assets is refused (``why_not``), but a question needs room for one answer.
    most = max(state.tracks[bloody.ENGINEERS].value, 1)
    yield Number(name="assets", text="How many engineer assets?", low=1, high=most, default=1)
    yield _own_roll_slot(state)


def _rally_command(state: BloodyState) -> Command[Any]:
    """A disrupted unit ashore recovers."""
    disrupted = [unit for unit in state.ashore() if unit.has(bloody.DISRUPTED)]
    why_not = ""
    if not disrupted:
        why_not = "Nobody ashore is disrupted."
    who = Choose(name="unit", text="Who rallies?", options=counter_options(disrupted))
    return order_command("Rally", "r", activations.Rally, partial(_single_slot, who), why_not)


def _reinforce_command(state: BloodyState) -> Command[Any]:
    """A unit of the reserve comes to a square at sea (5.3.f)."""
    first_turn = state.rules.reinforced_from
    why_not = ""
    if state.position.turn < first_turn:
        why_not = f"Not before turn {first_turn}."
    # While lines of units are missing, the command asks for those of the reserve.
    elif not state.units(RESERVE) and "units" not in state.missing():
        why_not = "Nobody is in the reserve."
    slots = partial(_reinforce_slots, state)
    return order_command("Reinforce", "i", activations.Reinforce, slots, why_not)


def _reinforce_slots(state: BloodyState, answers: Answers) -> Slots:
    """Who leaves the reserve, and for which square. If nobody in the reserve is typed in yet, the
    units are asked for first."""
    if not state.units(RESERVE):
        yield kind_slot(state, "units")
    reserve = state.with_answers(answers).units(RESERVE)
    yield Choose(name="unit", text="Who leaves the reserve?", options=counter_options(reserve))
    # 5.3.f names C19 to C27, whichever row is beside the beach (O32).
    yield _square_slot("to", "To which square?", state.rules.board.sea.rows[-1], state)


# ------------------------------------------------------------------ tanks, corrections


NO_GAP = "A tank lands on a beach with a gap; there is none yet."


def _tank_command(state: BloodyState) -> Command[Any]:
    """A tank lands, or changes from one unit to another (8.3)."""
    can_land = bool(_beaches_with_gap(state))
    can_shift = any(tank.place for tank in state.tanks())
    why_not = ""
    word = "tank"
    if not can_land and not can_shift:
        why_not = NO_GAP
        word = ""  # leaves it out of the strip of keys while it is of no use
    slots = partial(_tank_slots, state)
    return order_command(
        "Land or shift a tank", "t", activations.ShiftTank, slots, why_not, word=word
    )


def _beaches_with_gap(state: BloodyState) -> list[str]:
    """The beaches whose obstacle has a gap."""
    return [beach for beach in state.rules.board.beaches if state.has_gap(beach)]


def _why_not_landing(state: BloodyState, tank: Counter) -> str:
    """Why a tank that is not on the map does not land; empty if it may, or if it is on the map."""
    if tank.place or _beaches_with_gap(state):
        return ""
    return NO_GAP


def _tank_slots(state: BloodyState, answers: Answers) -> Slots:
    """Which tank, and the unit that it accompanies from now on."""
    text = "Which tank? One that is not on the map lands as a card or an event says."
    tanks = counter_options(state.tanks(), partial(_why_not_landing, state))
    yield Choose(name="tank", text=text, options=tanks)
    tank = state.counters.counters.get(answers.get("tank", ""))
    if tank is None:
        return
    # The ``group`` of a tank is the unit that it accompanies.
    others = [unit for unit in state.ashore() if unit.id != tank.group]
    options: list[Option] = []
    if tank.place:
        options += counter_options(others, partial(_why_no_path, state, tank))
    else:
        # It lands (8.3): beside a unit on a beach with a gap, or alone there.
        beaches = _beaches_with_gap(state)
        options += counter_options([unit for unit in others if unit.place in beaches])
        options += [Option(value=beach, label=f"{beach}, alone") for beach in beaches]
    yield Choose(name="to", text="To whom?", options=tuple(options))


def _why_no_path(state: BloodyState, tank: Counter, unit: Counter) -> str:
    """Why a tank cannot go to a unit; empty if it can."""
    return state.why_no_path(tank.place, unit.place)


def _by_hand_command(state: BloodyState) -> Command[Any]:
    """The owner corrects what lies on a square."""
    slots = partial(_by_hand_slots, state)
    return order_command("Change a square by hand", "x", orders.FixSquare, slots, word="")


def _by_hand_slots(state: BloodyState, answers: Answers) -> Slots:
    """A square and what changes on it: its gap or one of its tokens."""
    yield replace(PLACE, name="square", text="Which square?")
    square = answers.get("square", "")
    changes = {}
    if square in state.rules.board.beaches:
        changes[bloody.GAP] = "its gap, on or off"
    for token in state.tokens(square):
        value = value_of(token)
        if value:
            changes[token] = f"remove {value}"
        else:
            changes[token] = f"turn up the {token} token"
    yield choice_of("change", "What changes?", changes)


# ------------------------------------------------------------------ questions


def prompt(state: BloodyState) -> Command[Any] | None:
    """The first open question; None if there is none."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    # A list or a table that the owner types in before the game, or puts off.
    if task.kind == "enter":
        slots = partial(lines_slots.list_slots, state, task)
        return order_command("The printed game", "", lines_orders.TypeIn, slots)
    return order_command(task.kind.capitalize(), "", Answer, partial(_answer_slots, state, task))


def _answer_slots(state: BloodyState, task: Task, answers: Answers) -> Slots:
    """What a question asks, by its kind."""
    if task.kind == "cell":
        yield _cell_slot(state, task)
    elif task.kind == "fill":
        yield deferrable_with_rest(_cell_slot(state, task))
    elif task.kind == "mines":
        yield _mines_slot(state, task)
        # The program rolls without a further key; only the player's own roll is asked for.
        if state.dice.typed and answers.get("text") == "yes":
            yield _own_roll_slot(state)
    elif task.kind == "token":
        yield _token_slot(state, task)
    elif task.kind == "remove":
        choices = [" and ".join(tokens) for tokens in removal_choices(state, task)]
        yield choice_of_names("text", f"Which token is removed from {task.place}?", choices)
    # Which card was drawn, or which one of the hand goes back into the deck.
    elif task.kind in ("card", "keep"):
        yield card_asked_for(state, task.kind)
    else:
        yield _own_roll_slot(state)


def _mines_slot(state: BloodyState, task: Task) -> Slot:
    """Whether a unit goes into a square with mines."""
    unit = state.counters[task.units[0]]
    effect = "disrupts"
    if unit.has(bloody.DISRUPTED):
        effect = "eliminates"
    text = f"Mines on {task.place}. What does {unit.name} do?"
    if state.numbered_tokens(task.place):
        text = f"Mines on {task.place}, and a number that keeps {unit.name} out. Does it go in?"
    choices = {"yes": f"go in; a roll of 1 to {state.rules.mined} {effect} it"}
    # O10: whether a unit that finds mines may stay out.
    if not state.rules.ruled("O10", "must"):
        choices["no"] = "stay out"
    return choice_of("text", text, choices, "yn")


def _token_slot(state: BloodyState, task: Task) -> Slot:
    """Which token lies on the square of the task; it is typed as in the owner's list of tokens."""
    bag = task.table  # a task about a token names its bag there
    text = f"Which {bag} token lies on {task.place}?"
    if not state.dice.typed:
        # The program draws, but this token is one that the owner has not typed in yet.
        text = f"{task.place}: take one of your {bag} tokens not typed in yet, unseen."
    token_lines = state.rules.lines[bloody.LINES_OF_BAG[bag]]
    # The words of ``token_lines`` are about several tokens at once.
    question = f"{text} A number, event, mines, sniper or stug."
    # Stored in small letters, in which the kinds of tokens are written (``mines``).
    return lines_slots.line_slot("text", question, check=token_lines.matched, completed=str.lower)


def _cell_slot(state: BloodyState, task: Task) -> Words | Choose:
    """The question for a cell, named as the field of ``Answer`` that takes the answer."""
    return replace(cell_slot(state, task.table, _cell_text(state, task)), name="text")


def _cell_text(state: BloodyState, task: Task) -> str:
    """The question for a cell: for the roll that waits for it, or to fill a table."""
    if task.kind == "cell":
        what_for = subject(state, task)
        outcome = outcome_of(state, task)
        assert outcome.roll is not None  # a cell is asked for only when the die has been rolled
        column = outcome.column
        roll = outcome.roll
    else:
        what_for = state.tables.titles[task.table]
        column = task.column
        roll = task.roll
    # A table with a single column (``ONLY_COLUMN``) has no titles to name.
    if column not in ("", ONLY_COLUMN):
        what_for += f", column {column}"
    if task.table == "drift":
        return f"{what_for}: how many squares to the east does your table say for {roll}?"
    text = f"{what_for}: what does your table say for {roll}?"
    # What else is printed in a cell of this table is carried out by hand.
    if task.table == "disruption":
        text += " The program carries out D, E, I+, I-, A+ and A-."
    return text
