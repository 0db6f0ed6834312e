"""The commands and questions of Bloody Omaha."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha import orders
from skirmish.games.bloody_omaha.printed import (
    BEACH_SQUARE,
    CHANNEL_SQUARE,
    INLAND,
    ITEMS,
    TOKEN_VALUE,
)
from skirmish.games.bloody_omaha.rolls import weighed
from skirmish.games.bloody_omaha.ruleset import RESERVE
from skirmish.games.bloody_omaha.state import (
    DECK,
    DISRUPTED,
    ENGINEERS,
    GAP,
    INITIATIVE,
    TANK,
    UNKNOWN,
    BloodyState,
    value_of,
)
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.asking import chances_of, counter_options
from skirmish.tabletop.companion.counters import named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import BLANK
from skirmish.tabletop.companion.typed_tables import card_commands, cell_slot
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    Words,
    one_of,
)

TURN, HOLDS = "The turn", "The printed game"
LONGEST_LINE = 4000
TYPED = "typed "
"""Answers that tell about the printed game are named so, with the id of the thing."""
Slots = Iterator[Slot]


def _square(text: str) -> str:
    found = re.fullmatch(
        f"({CHANNEL_SQUARE}|{BEACH_SQUARE}|R)|[HST]?({INLAND})", text.strip().upper()
    )
    if found is None:
        raise UnfitAnswer("A square such as C5, B3 or 12; R is the Reinforcements box.")
    return found[1] or found[2]


PLACE = Words(name="place", text="On which square is it?", read=_square)


def missing(state: BloodyState) -> dict[str, str]:
    """What of the printed game is not whole yet, by id, with how much of it is known."""
    rules, owned, tables = state.rules, state.owned, state.tables
    found = {}
    for id, item in ITEMS.items():
        there, whole = len(owned.lines(id)), item.whole(rules)
        if there < whole:
            found[id] = f"{item.name}, {there} of {whole}"
    for id, title in tables.titles.items():
        blank, whole = len([*tables.missing(id)]), len(tables.rolls(id))
        if blank:
            found[id] = f"the table {title}"
    return found


def due(state: BloodyState) -> Iterator[Block]:
    disrupted = [one for one in state.units() if one.has(DISRUPTED)]
    for lead, units in (("Still to roll:", orders.pending(state)), ("Disrupted:", disrupted)):
        if units:
            yield Paragraph(f"{named(units)}.", lead=lead)
    if names := missing(state).values():
        yield Paragraph(f"{'; '.join(names)}.", lead="Not typed in yet:")


# ------------------------------------------------------------------ what is asked on the way


def _pairs(answers: Answers) -> tuple[tuple[str, str], ...]:
    """What was typed about the printed game: an id and a line each."""
    return tuple((name.split()[1], value) for name, value in answers.items()
                 if name.startswith(TYPED))  # fmt: skip


def _with(state: BloodyState, answers: Answers) -> BloodyState:
    for item, text in _pairs(answers):
        state = orders.lines_of(state, item, text).apply(state)
    return state


def _line_slot(
    state: BloodyState, item: str, text: str, line: str = "{}", about: str = ""
) -> Words:
    """A line about one of the things; ``line`` completes what is typed."""

    def read(typed: str) -> str:
        whole = line.format(typed.strip())
        try:
            ITEMS[item].read(state.rules, state.owned, whole)
        except ValueError as error:
            raise UnfitAnswer(str(error)) from None
        return whole

    return Words(name=f"{TYPED}{item} {about}".strip(), text=text, longest=LONGEST_LINE, read=read)


def _square_slots(state: BloodyState, squares: Iterable[str]) -> Slots:
    """What squares are, and where the arrows of beaches lead, if that is not typed in yet."""
    for one in dict.fromkeys(squares):
        if one.isdigit() and state.square(one) is None:
            text = f"What is square {one}? H, T or S; S+ with a town, S/D1 with an exit."
            yield Words(name=f"{TYPED}squares {one}", text=text, read=partial(_about, state, one))
        elif one in state.rules.board.beaches and one not in state.owned.arrow:
            text = f"To which squares inland do the arrows of {one} lead? Their numbers."
            yield _line_slot(state, "arrows", text, f"{one} {{}}", one)


def _about(state: BloodyState, square: str, typed: str) -> str:
    whole = f"{typed.strip()[:1]}{square}{typed.strip()[1:]}".upper()
    try:
        ITEMS["squares"].read(state.rules, state.owned, whole)
    except ValueError as error:
        raise UnfitAnswer(str(error)) from None
    return whole


def _beach_slots(state: BloodyState, places: Iterable[str], answers: Answers) -> Slots:
    """What the strongpoint modifier of these beaches needs."""
    beaches = [one for one in places if one in state.rules.board.beaches]
    yield from _square_slots(state, beaches)
    arrows = _with(state, answers).owned.arrow
    yield from _square_slots(state, [to for one in beaches for to in arrows.get(one, ())])


def _roll(state: BloodyState) -> Slot:
    if state.dice.typed:
        return Number(name="number", text="What did you roll?", low=1, high=6)
    return Confirm(name="number", text="Space rolls.", optional=True)


def _made(order: Callable[..., Any], **given: Any) -> Callable[..., Any]:
    """The order of the answers, with what was typed on the way, and the roll."""

    def make(**answers: Any) -> Any:
        number = answers.pop("number", None)
        own = {name: one for name, one in answers.items()
               if one is not None and not name.startswith(TYPED)}  # fmt: skip
        return order(
            **own, **given, typed=_pairs(answers), numbers=() if number is None else (number,)
        )

    return make


def _weighed(state: BloodyState, task: Task, lead: str) -> Page:
    """A roll before it is made: every modifier, and the chances as far as the cells are known."""
    found = weighed(state, task)
    lines = ", ".join(f"{one.label} {one.value:+}" for one in found.modifiers)
    chances = {
        "not typed in" if one == BLANK else one: chance for one, chance in found.chances.items()
    }
    return Page("", chances_of(lead, f"{found.value or lines or 'no modifier'}.", chances))


def _squares(name: str, text: str, squares: Iterable[str], state: BloodyState) -> Choose:
    options = (Option(value=one, label=one, note=_seen(state, one)) for one in squares)
    return Choose(name=name, text=text, options=tuple(options))


def _seen(state: BloodyState, square: str) -> str:
    units = state.units(square)
    return ", ".join((*state.tokens(square), *([named(units)] if units else [])))


# ------------------------------------------------------------------ commands


def commands(state: BloodyState) -> Iterator[Command[Any]]:
    if state.agenda:
        return
    if state.now == "event":
        yield _random_event(state)
    else:
        yield _next(state)
    if state.now in ("drift", "landing"):
        yield _one_roll(state)
    if state.now == "activation":
        left = state.tracks[INITIATIVE].value
        for one in _activations(state):
            yield one if left else replace(one, why_not="No initiative is left.")
    yield from _by_card(state)
    which = one_of("item", "What do you type in?", ((id, one.name) for id, one in ITEMS.items()))

    def slots(answers: Answers) -> tuple[Slot, ...]:
        item = ITEMS.get(answers.get("item", ""))
        return (which, *([_line_slot(state, item.id, f"{item.name}: {item.how}")] if item else []))

    yield Command(label="Type in tokens, units, the map", key="+", word="type in", group=HOLDS,
                  slots=slots,
                  make=lambda item, **new: orders.Record(typed=_pairs(new)))  # fmt: skip
    cells = card_commands(state, {}, lambda fact: orders.Record(cell=fact), HOLDS)
    yield next(cells)
    yield Command(label="End the game", key="X", make=orders.EndGame, group=TURN)


def _next(state: BloodyState) -> Command[Any]:
    labels = {"setup": "Begin", "draw": "Draw a card", "activation": "End of the activations"}
    waiting, own = orders.pending(state), state.dice.typed
    label = labels.get(state.now) or (state.now.capitalize() if waiting else f"End of {state.now}")
    first = waiting[:1] if own else waiting
    places = [one.place for one in first if state.now == "landing"]
    rolls = bool(waiting) and own
    label += f": {waiting[0].name}" if rolls else ""
    return Command(
        label=label,
        key="space",
        word=label.lower(),
        group=TURN,
        slots=lambda answers: (*_beach_slots(state, places, answers), *([_roll(state)] * rolls)),
        preview=lambda answers: _before(state, waiting[0].id if rolls else "", answers),
        make=_made(orders.Proceed),
    )


def _before(state: BloodyState, unit: str, answers: Answers) -> Page:
    one = state.counters.counters.get(unit)
    if one is None:
        return Page("")
    return _weighed(
        _with(state, answers), orders.roll_task(state, one), f"{one.name} on {one.place}:"
    )


def _one_roll(state: BloodyState) -> Command[Any]:
    waiting = orders.pending(state)

    def slots(answers: Answers) -> Slots:
        yield Choose(name="unit", text="Which unit rolls?", options=counter_options(waiting))
        if unit := state.counters.counters.get(answers.get("unit", "")):
            yield from _beach_slots(state, [unit.place], answers)
            yield _roll(state)

    return Command(label="Roll for one unit", key="o", word="one unit", group=TURN,
                   slots=lambda answers: tuple(slots(answers)), make=_made(orders.Proceed),
                   preview=lambda answers: _before(state, answers.get("unit", ""), answers),
                   why_not="" if waiting else "Nobody has to roll.")  # fmt: skip


def _random_event(state: BloodyState) -> Command[Any]:
    squares = state.exposed()

    def slots(answers: Answers) -> Slots:
        yield _squares("square", "Where? A unit beside a German token.", squares, state)
        if near := state.beside(answers.get("square", RESERVE)):
            yield _squares("target", "Which German square beside it?", near, state)
        yield _roll(state)

    return Command(label="Random event", key="space", word="random event", group=TURN,
                   slots=lambda answers: tuple(slots(answers)), make=_made(orders.RandomEvent),
                   why_not="" if squares else "Nobody is beside a German token.")  # fmt: skip


def _activations(state: BloodyState) -> Iterator[Command[Any]]:
    yield _move(state)
    yield _attack(state)
    yield _engineers(state)
    disrupted = [one for one in state.ashore() if one.has(DISRUPTED)]
    who = Choose(name="unit", text="Who rallies?", options=counter_options(disrupted))
    yield Command(label="Rally", key="r", word="rally", group=TURN, slots=(who,),
                  make=orders.Rally,
                  why_not="" if disrupted else "Nobody ashore is disrupted.")  # fmt: skip
    reserve, first = state.units(RESERVE), state.rules.reinforced_from
    early = state.position.turn < first
    who = Choose(name="unit", text="Who leaves the reserve?", options=counter_options(reserve))
    to = _squares("to", "To which square?", state.rules.board.sea[-1], state)
    why = f"Not before turn {first}." if early else "" if reserve else "Nobody is in the reserve."
    yield Command(label="Bring a reinforcement", key="i", word="reinforce" * (not early),
                  group=TURN, slots=(who, to), make=orders.Reinforce, why_not=why)  # fmt: skip


def _move(state: BloodyState) -> Command[Any]:
    ashore = state.ashore()

    def slots(answers: Answers) -> Slots:
        yield Choose(name="unit", text="Who moves?", options=counter_options(ashore))
        if unit := state.counters.counters.get(answers.get("unit", "")):
            yield from _square_slots(state, [unit.place])
            near = _with(state, answers).near(unit.place)
            yield _squares("to", "Where to?", near, state)
            yield from _square_slots(state, [one for one in (answers.get("to"),) if one in near])

    return Command(label="Move a unit", key="m", word="move", group=TURN, make=_made(orders.Move),
                   slots=lambda answers: tuple(slots(answers)),
                   why_not="" if ashore else "Nobody is ashore.")  # fmt: skip


def _attack(state: BloodyState) -> Command[Any]:
    targets, occupied = [one for one in state.ground if state.numbers(one)], state.ashore()

    def slots(answers: Answers) -> Slots:
        yield _squares("target", "Which square is attacked?", targets, state)
        if not (target := answers.get("target")):
            return
        places = {one.place for one in occupied}
        options = [Option(value=one, label=one, note=_seen(state, one))
                   for one in state.near(target) if one in places]  # fmt: skip
        yield ChooseSeveral(name="squares", options=tuple(options), least=1,
                            text="From where? The units of the first one advance.")  # fmt: skip
        if not state.owned.by:
            yield _line_slot(state, "columns", ITEMS["columns"].how)
        if orders.mixed_in(state, answers.get("squares") or ()) and state.rules.ruled("O7", "ask"):
            yield Number(name="penalty", text="Several commands: which penalty?", high=20, usual=0)
        yield _roll(state)

    def preview(answers: Answers) -> Page:
        if not answers.get("squares"):
            return Page("")
        squares, penalty = answers["squares"], answers.get("penalty") or 0
        order = orders.Attack(target=answers["target"], squares=squares, penalty=penalty)
        now = _with(state, answers)
        try:
            found = _weighed(now, order.task(now), "Attack:")
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))
        text = "Units of several commands: the rule for them breaks off (O7)."
        return found.with_blocks([Paragraph(text)] if orders.mixed_in(state, squares) else [])

    return Command(label="Attack", key="a", word="attack", group=TURN, preview=preview,
                   slots=lambda answers: tuple(slots(answers)), make=_made(orders.Attack),
                   why_not="" if targets else "No numbers lie face up.")  # fmt: skip


def _engineers(state: BloodyState) -> Command[Any]:
    left = state.tracks[ENGINEERS].value

    def slots(answers: Answers) -> Slots:
        yield _squares("place", "Where?", orders.workplaces(state), state)
        yield from _beach_slots(state, [answers.get("place", "")], answers)
        text = "How many engineer assets?"
        yield Number(name="assets", text=text, low=1, high=max(left, 1), usual=1)
        yield _roll(state)

    def preview(answers: Answers) -> Page:
        if not (answers.get("place") and answers.get("assets")):
            return Page("")
        order = orders.UseEngineers(place=answers["place"], assets=answers["assets"])
        return _weighed(_with(state, answers), order.task, f"Engineers on {order.place}:")

    return Command(label="Engineers", key="e", word="engineers", group=TURN, preview=preview,
                   slots=lambda answers: tuple(slots(answers)), make=_made(orders.UseEngineers),
                   why_not="" if left else "No engineer assets are left.")  # fmt: skip


def _by_card(state: BloodyState) -> Iterator[Command[Any]]:
    """Cards, tanks, and what a card or an event says, done by hand."""
    tanks = [one for one in state.counters.where(kind=TANK) if one.steps]
    gaps = [one for one in state.rules.board.beaches if state.has_gap(one)]

    def tank(answers: Answers) -> Slots:
        yield Choose(name="tank", text="Which tank?", options=counter_options(tanks))
        one = state.counters.counters.get(answers.get("tank", ""))
        lands = one is not None and not one.place
        units = [u for u in state.ashore() if not lands or u.place in gaps]
        alone = [Option(value=beach, label=f"{beach}, alone") for beach in gaps if lands]
        yield Choose(name="to", text="To whom?", options=(*counter_options(units), *alone))

    none = "A tank lands on a beach with a gap; there is none yet."
    shifted = gaps or any(one.place for one in tanks)
    yield Command(label="Land or shift a tank", key="t", word="tank" * bool(shifted), group=TURN,
                  slots=lambda answers: tuple(tank(answers)), make=orders.ShiftTank,
                  why_not="" if shifted else none)  # fmt: skip
    hand, turn = state.hand, state.position.turn

    def card(answers: Answers) -> Slots:
        yield one_of("card", "Which card?", ((one, one) for one in hand))
        found = state.owned.card.get(answers.get("card", ""), ())
        options = [Option(value=at, label=one.text, note=f"turn {one.window}",
                          why_not=one.why_not(turn)) for at, one in enumerate(found)]  # fmt: skip
        if options:
            yield Choose(name="option", text="Which of its options?", options=tuple(options))

    yield Command(label="Play a card", key="p", word="card" * bool(hand), group=TURN,
                  slots=lambda answers: tuple(card(answers)), make=orders.PlayCard,
                  why_not="" if hand else "Your hand is empty.")  # fmt: skip

    def change(answers: Answers) -> Slots:
        yield replace(PLACE, name="square", text="Which square?")
        square = answers.get("square", "")
        rows = {GAP: "its gap, on or off"} if square in state.rules.board.beaches else {}
        for one in state.tokens(square):
            rows[one] = f"remove {value_of(one)}" if value_of(one) else f"turn up the {one} token"
        yield one_of("change", "What changes?", rows.items())

    yield Command(label="Change a square by hand", key="x", group=TURN, make=orders.FixSquare,
                  slots=lambda answers: tuple(change(answers)),
                  help="Turn up or remove a token, a gap: as a card says.")  # fmt: skip


# ------------------------------------------------------------------ questions


def prompt(state: BloodyState) -> Command[Any] | None:
    """The first open question."""
    if not state.agenda:
        return None
    task = state.agenda[0]
    if task.kind == "enter":
        return _enter(state, task)
    return Command(label="A question", make=_made(orders.Answer),
                   slots=lambda answers: tuple(_asked(state, task, answers)))  # fmt: skip


def _enter(state: BloodyState, task: Task) -> Command[Any]:
    item, name = ITEMS.get(task.place), missing(state).get(task.place, task.place)
    rows = (("", "now"), ("one", "later, when it is needed"), ("all", "everything later"))
    when = one_of("later", f"Do you type in {name} now?", rows, "nle")

    def slots(answers: Answers) -> tuple[Slot, ...]:
        line = item is not None and answers.get("later") == ""
        return (when, *([_line_slot(state, item.id, item.how)] if line and item else []))

    return Command(label="The printed game", slots=slots, make=_made(orders.TypeIn))


def _asked(state: BloodyState, task: Task, answers: Answers) -> Slots:
    yes = (("yes", "go in and roll"), ("no", "stay out"))
    if task.kind in ("cell", "fill"):
        found = weighed(state, task) if task.kind == "cell" else None
        column, roll = (found.column, found.roll) if found else (task.column, task.roll)
        where = f"{column}, " if column not in ("", "result") else ""
        text = f"{state.tables.titles[task.table]}, {where}{roll}: what is printed there?"
        if task.table == "disruption":
            text += " D, E, I+, I-, A+, A- or other words"
        yield replace(cell_slot(state, task.table, text), name="text")
    elif task.kind == "mines":
        name = state.counters[task.units[0]].name
        yield one_of("text", f"Mines on {task.place}: does {name} go in?", yes, "yn")
        if state.dice.typed and answers.get("text") == "yes":
            yield _roll(state)
    elif task.kind == "token":
        bag = task.table
        which = f"Which {bag} token lies on {task.place}?"
        if not state.dice.typed:
            which = f"{task.place}: take one of your {bag} tokens not typed in yet, unseen."
        yield Words(name="text", text=f"{which} A number, event, mines, sniper or stug.",
                    read=_token_value)  # fmt: skip
    elif task.kind == "card" and UNKNOWN in state.cups[DECK].unseen:
        yield Words(name="text", longest=LONGEST_LINE,
                    text=f"Which card did you draw? A new one: {ITEMS[DECK].how}")  # fmt: skip
    elif task.kind in ("card", "keep"):
        keep = task.kind == "keep"
        cards = state.hand if keep else state.cups[DECK].unseen
        text = "Which card goes back into the deck?" if keep else "Which card did you draw?"
        yield one_of("text", text, ((one, one) for one in dict.fromkeys(cards)))
    else:
        yield _roll(state)


def _token_value(text: str) -> str:
    if not re.fullmatch(TOKEN_VALUE, text.strip().lower()):
        raise UnfitAnswer(ITEMS["encounters"].how)
    return text.strip().lower()
