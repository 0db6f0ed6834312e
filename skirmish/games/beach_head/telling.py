"""What happened and what lies on the table, in words: for the screen, the journal and the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.agenda import (
    AnyTask,
    CardsAsk,
    Crater,
    Fill,
    Kind,
    Outcome,
    Roll,
    Throw,
)
from skirmish.games.beach_head.events import AnyEvent, SkipCode
from skirmish.games.beach_head.manual import Phase, Remove, Squads, Table, Tanks
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import Draw, spell

REASONS = {
    "traps": "tank traps",
    "craft_hit": "landing craft hit last turn",
    "half_bunkers": "half the bunkers gone",
    "no_bunkers": "no bunkers left",
    "per_dozen": "dozens of squads",
}
"""Why a roll counts for more or less, by the code of the modifier."""


class Part(msgspec.Struct, frozen=True):
    """One term of a sum: ``+2``, ``dozens of squads``."""

    value: str
    reason: str


def headline(state: State) -> str:
    """Where the game stands, as lists show it."""
    if state.over:
        return f"taken in {_number(state.turn, 'turn')}, {_squads(state.casualties)} lost"
    if not state.turn:
        return "not begun"
    return f"turn {state.turn}, {state.now.name}: {state.casualties} lost, {state.squads} ashore"


def about(state: State, task: AnyTask) -> str:
    """What dice are rolled for: ``Frogmen: points off the tank traps``."""
    phase = state.now
    return f"{phase.name}: {_purpose(state, task)}"


def _purpose(state: State, task: AnyTask) -> str:
    step = phase_step(state, task)
    match task, step:
        case Throw(target=None), Remove():
            return "points"
        case Throw(), Remove():
            return f"points off the {_defence(state.setup, str(task.target))}"
        case Throw(), Squads():
            return "squads landing"
        case Throw(), Tanks():
            return "tanks landing"
        case Throw(), Table():
            return "what happens"
        case Kind(), _:
            return (
                "kind of tank" if task.among == 1 else f"kind of tank {task.number} of {task.among}"
            )
        case Crater(), _:
            return "craters, new ditches"
        case Outcome(), Table() if step.row[task.row].kill:
            return "squads killed"
        case Outcome(), Table():
            name = step.row[task.row].name.lower()
            target = (
                f"points off the {_defence(state.setup, task.target)}" if task.target else "points"
            )
            return f"{name}, {target}" if name else target
    return "roll"


def phase_step(state: State, task: AnyTask) -> Any:
    """The step of the phase that a task belongs to, or None."""
    place = getattr(task, "step", None)
    return None if place is None else state.now.step[place]


def parts(state: State, roll: Roll) -> list[Part]:
    """The sum of a roll, term by term: dice, what is printed with them, modifiers, cards."""
    now = counted(state, roll)
    dice = " + ".join(map(str, now.faces)) if now.faces else f"{roll.dice}d6"
    terms = [Part(dice, "dice" if roll.dice > 1 else "die")]
    if now.fixed:
        return [Part(str(now.total), "by card")]
    if roll.plus:
        terms.append(Part(f"{roll.plus:+d}", "printed"))
    terms += [Part(f"{one.value:+d}", REASONS[one.code]) for one in roll.modifiers]
    if now.shift:
        terms.append(Part(f"{now.shift:+d}", "cards"))
    return terms


def comes_to(state: State, roll: Roll) -> str:
    """What the roll does if it counts as it lies: ``4 points``, ``2 squads killed``, a row."""
    total = counted(state, roll).total
    step = phase_step(state, roll.task)
    match roll.task, step:
        case Throw(), Table():
            return _row(step, step.find(total))
        case Throw(), Squads():
            return f"{_squads(total)} land" if total != 1 else "1 squad lands"
        case Throw(), Tanks():
            return f"{total} tanks land" if total != 1 else "1 tank lands"
        case Kind(), _:
            face = min(6, max(1, total))
            kind = next(one for one in state.setup.manual.tank if face in one.faces)
            landed = state.setup.landed_as(kind.id)
            name = kind.noun if landed is None else state.setup.manual.tank_of(landed).noun
            return f"{name}, which does not land here" if landed is None else name
        case Outcome(), Table() if step.row[roll.task.row].kill:
            killed = min(total, state.squads)
            return f"{_squads(killed)} killed"
        case Crater(), _:
            return f"{_points(total)} of new ditches"
    target = getattr(roll.task, "target", None)
    if target is None:
        return _points(total)
    return f"{_points(min(total, state.defences[target]))} off the {_defence(state.setup, target)}"


def _row(table: Table, index: int) -> str:
    row = table.row[index]
    if row.kill:
        return f"{row.kill} squads killed"
    if row.tank:
        return "a tank is hit" if row.tank == "any" else "a tank without flail is hit"
    if row.craft:
        return "a landing craft is hit"
    if row.remove:
        return f"{row.name}: {row.remove} points"
    return "nothing"


def why_skipped(setup: Setup, phase: Phase, why: SkipCode) -> str:
    """Why a phase is skipped, in a few words."""
    match why:
        case "no_tank":
            return f"no {_kinds(setup, phase)}"
        case "no_defence":
            return f"no {_defence(setup, str(phase.skipped_without))} left"
        case "too_early":
            return f"from turn {phase.from_turn} on"
        case "nobody":
            return "nobody ashore"
        case "no_cards":
            return "played without cards"
        case "not_here":
            return "none at Omaha"
        case "nothing_left":
            return "targets gone"


def _kinds(setup: Setup, phase: Phase) -> str:
    names = [setup.manual.tank_of(kind).names for kind in phase.needs]
    return "AVRE" if len(names) > 1 else names[0]


def draw_on(state: State) -> str:
    """How own cards are drawn where the deck has to be shuffled, as a sentence: before the first of
    them, or in the middle. Empty where they are drawn as usual."""
    ask, deck = state.ask, state.deck
    if not isinstance(ask, CardsAsk) or deck is None or not state.agenda:
        return ""
    if deck.gone and not state.discard and set(deck.gone) == set(state.hand):
        return f"Shuffle the discards, then draw {_cards(ask.count)} and type in what you draw."
    fill = state.agenda[0]
    assert isinstance(fill, Fill)
    wanted = fill.count
    if wanted is None:
        wanted = state.setup.manual.hand.full - len(state.hand)
    later = min(wanted - ask.count, len(state.discard))
    if wanted <= ask.count:
        return ""
    left = "One card is left" if ask.count == 1 else f"{_cards(ask.count)} are left"
    rest = f", then shuffle the discards and draw {later} more" if later else ""
    first = "it" if ask.count == 1 else "them"
    return f"{left}: draw {first} and type {first} in{rest}."


# ------------------------------------------------------------------ the journal


def tell(state: State, event: AnyEvent) -> str:
    """One event as a line of the journal, ``state`` being that before it; empty for what a reader
    would not miss."""
    told = _TELLS.get(type(event))
    return told(state, event) if told else ""


def tell_all(state: State, events: Sequence[AnyEvent]) -> str:
    """The events of an entry in one line; ``state`` is that before them."""
    from skirmish.games.beach_head.evolve import evolve  # noqa: PLC0415  (told from both sides)

    said = []
    for event in events:
        said.append(tell(state, event))
        state = evolve(state, event)
    return " ".join(line for line in said if line)


def tell_by_turns(state: State, events: Sequence[AnyEvent]) -> list[tuple[int, str]]:
    """The events of an entry, a line for each turn that they belong to: whoever throws off cards
    ends one turn and begins the next."""
    from skirmish.games.beach_head.evolve import evolve  # noqa: PLC0415  (told from both sides)

    said: dict[int, list[str]] = {}
    for event in events:
        line = tell(state, event)
        state = evolve(state, event)
        if line:
            said.setdefault(state.turn, []).append(line)
    return [(turn, " ".join(lines)) for turn, lines in said.items()]


def _settled(state: State, event: happened.Settled) -> str:
    roll = state.roll
    if roll is None:
        return ""
    terms = parts(state, roll)
    sum_ = terms[0].value + "".join(f" {part.value} ({part.reason})" for part in terms[1:])
    result = "" if len(terms) == 1 and roll.dice == 1 else f" = {event.total}"
    cards = f", with {spell(one.card for one in roll.cards)}" if roll.cards else ""
    purpose = _purpose(state, roll.task)
    return f"{purpose[:1].upper()}{purpose[1:]}: {sum_}{result}{cards}."


def _begun(state: State, event: happened.Begun) -> str:
    phase = state.setup.manual.phase[state.setup.manual.place(event.phase)]
    return f"{phase.name}{' once more' if event.again else ''}."


def _skipped(state: State, event: happened.Skipped) -> str:
    phase = state.setup.manual.phase[state.setup.manual.place(event.phase)]
    return f"{phase.name} skipped: {why_skipped(state.setup, phase, event.why)}."


def _passed(state: State, event: happened.Passed) -> str:
    match event.why:
        case "way_barred":
            return ""
        case "no_target":
            return "No target is left."
        case "no_tank":
            return "No tank is there to be lost."
        case "declined":
            return "Nothing is removed."
        case "nothing":
            return "Nobody is ashore." if event.about == "nobody" else "Nothing happens."
        case "craters":
            return ""


def _removed(state: State, event: happened.Removed) -> str:
    left = state.defences[event.target] - event.points
    rest = f"{left} left" if left else "cleared"
    name = _defence(state.setup, event.target)
    return f"{_points(event.points)} off the {name}, {rest}."


def _killed(state: State, event: happened.Killed) -> str:
    scored = f" ({event.scored} scored)" if event.scored != event.squads else ""
    return f"{_squads(event.squads)} killed{scored}, {state.squads - event.squads} ashore."


def _card_played(state: State, event: happened.CardPlayed) -> str:
    played = event.played
    card = state.setup.manual.card_of(played.card.rank)
    faces = f": {', '.join(map(str, played.faces))}" if played.faces else ""
    return f"{card.name} ({played.card}){faces}."


def _tank_landed(state: State, event: happened.TankLanded) -> str:
    if event.kind is None:
        return "A tank that does not land here."
    return f"{state.setup.manual.tank_of(event.kind).name} ashore."


_TELLS: dict[type, Any] = {
    happened.Opened: lambda _, event: f"{event.setup.title} begins.",
    happened.Begun: _begun,
    happened.Skipped: _skipped,
    happened.Passed: _passed,
    happened.CardPlayed: _card_played,
    happened.Repeats: lambda _, event: f"Admiral ({event.card}): the phase is played once more.",
    happened.DrawsMore: lambda _, event: f"General ({event.card}).",
    happened.Settled: _settled,
    happened.Removed: _removed,
    happened.Dug: lambda _, event: f"{_points(event.points)} of new ditches.",
    happened.SquadsLanded: lambda state, event: (
        f"{_squads(event.squads)} ashore, {state.squads + event.squads} in all."
    ),
    happened.TankLanded: _tank_landed,
    happened.Killed: _killed,
    happened.TankLost: lambda state, event: f"{state.setup.manual.tank_of(event.kind).name} lost.",
    happened.CraftHit: lambda _, __: "A landing craft is hit.",
    happened.Drew: lambda _, event: f"{event.card} drawn.",
    happened.Shuffled: lambda _, __: "The discards are shuffled.",
    happened.Discarded: lambda _, event: f"{spell(event.cards)} thrown off." if event.cards else "",
    happened.Won: lambda state, _: (
        f"The beach is taken in turn {state.turn}: {_squads(state.casualties)} lost."
    ),
}


def card_words(setup: Setup, card: Draw) -> str:
    """What a card does, in a few words: ``Hero, +2``."""
    printed = setup.manual.card_of(card.rank)
    if printed.sets is not None:
        return f"{printed.name}, a die shows {printed.sets}"
    if printed.shifts:
        return f"{printed.name}, {printed.shifts:+d}"
    does = {
        "reroll": "roll again",
        "repeat": "play the phase again",
        "draw": f"draw {setup.manual.hand.general}",
    }
    return f"{printed.name}, {does[str(printed.does)]}"


def _defence(setup: Setup, name: str) -> str:
    return setup.manual.defence_of(name).name.lower()


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _cards(count: int) -> str:
    return _number(count, "card")


def _points(count: int) -> str:
    return _number(count, "point")


def _squads(count: int) -> str:
    return _number(count, "squad")
