"""What happened and what lies on the table, in words, for every medium alike."""

from __future__ import annotations

from typing import Any

import msgspec

from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.agenda import (
    AnyTask,
    CardsAsk,
    Crater,
    ExchangeAsk,
    Fill,
    Kind,
    Outcome,
    Roll,
    Throw,
)
from skirmish.games.beach_head.events import AnyEvent, SkipCode
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.manual import Phase, Remove, Squads, Table, Tanks, signs
from skirmish.games.beach_head.phases import why_nothing_left
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.rules_told import row_words
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.tabletop.game import JournalLine

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
    return f"turn {state.turn}, {state.now.name}: {state.casualties} lost"


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
            return "effect"
        case Kind(), _:
            among = f" {task.number} of {task.among}" if task.among > 1 else ""
            return f"type of tank{among}"
        case Crater(), _:
            return "craters"
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
        terms.append(Part(f"{roll.plus:+d}", ""))
    terms += [Part(f"{one.value:+d}", REASONS[one.code]) for one in roll.modifiers]
    if now.shift:
        terms.append(Part(f"{now.shift:+d}", "cards"))
    return terms


def sum_told(state: State, roll: Roll, *, total: bool = True) -> str:
    """The sum as it is read aloud: ``3 - 3 - 1 (tank traps) = -1, so 0``; a die alone is its own
    sum. Before the dice are rolled, or without its ``total``: the terms only."""
    now, (first, *others) = counted(state, roll), parts(state, roll)
    terms = (f" {one.value[0]} {one.value[1:]}{f' ({one.reason})' if one.reason else ''}"
             for one in others)  # fmt: skip
    said = f"{first.value}{''.join(terms)}"
    if now.fixed:
        return f"{said} (by card)"
    if not total or not now.faces or not (others or roll.dice > 1):
        return said
    reached = sum(now.faces) + sum(int(one.value) for one in others)
    return f"{said} = {reached}" if reached == now.total else f"{said} = {reached}, so {now.total}"


def comes_to(state: State, roll: Roll) -> str:
    """What the roll does if it counts as it lies: ``4 points``, ``2 squads killed``, a row."""
    total = counted(state, roll).total
    step = phase_step(state, roll.task)
    match roll.task, step:
        case Throw(), Table():
            return row_words(state.setup.manual, step.row[step.find(total)])
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


def why_skipped(state: State, phase: Phase, why: SkipCode) -> str:
    """Why a phase is skipped, in a few words; ``state`` is that before it."""
    match why:
        case "no_tank":
            return f"no {_kinds(state.setup, phase)}"
        case "no_defence":
            return f"no {_defence(state.setup, str(phase.skipped_without))} left"
        case "too_early":
            return f"from turn {phase.from_turn} on"
        case "nobody":
            return "nobody ashore"
        case "no_cards":
            return "no cards"
        case "not_here":
            return "none at Omaha"
        case "nothing_left":
            return why_nothing_left(state, phase)


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
        return f"Shuffle the discards, then draw {_cards(ask.count)} and type their ranks."
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
    first = "it and type its rank" if ask.count == 1 else "them and type their ranks"
    return f"{left}: draw {first}{rest}."


# ------------------------------------------------------------------ the journal


def journal(play: BeachPlay, last: int | None = None, *, skipped: bool = True) -> list[JournalLine]:
    """A line for each phase in which anything happened, newest last; of the ``last`` entries only,
    where that many are enough. Phases that were ``skipped`` may be left out."""
    live, states = play.live, play.states
    first = max(1, len(live) - last) if last else 1  # the opening itself has nothing to tell
    state = states[first - 1]
    lines: list[tuple[int, int, list[str]]] = []
    for entry in live[first:]:
        for event in entry.events:
            said = tell(state, event)
            opens = isinstance(event, happened.Begun | happened.Skipped | happened.Won)
            state = evolve(state, event)
            if not said or (isinstance(event, happened.Skipped) and not skipped):
                continue
            if opens or not lines:
                lines.append((state.turn, entry.number, [said]))
            else:
                _join(lines[-1][2], said)
    named = {_heading(phase, again) for phase in state.setup.manual.phase for again in (0, 1)}
    return [
        JournalLine(turn, number, " ".join(said))
        for turn, number, said in lines
        if said[1:] or said[0] not in named
    ]


def _join(said: list[str], more: str) -> None:
    """A further sentence, or the end of one that is not finished. Cards drawn are told together."""
    if more.startswith(_DREW) and said[-1].startswith(_DREW):
        said[-1] = f"{said[-1][:-1]}{more.removeprefix(_DREW)}"
    else:
        said.append(more if said[-1].endswith(":") else f"{more[:1].upper()}{more[1:]}")


_DREW = "Drew"


def tell(state: State, event: AnyEvent) -> str:
    """One event, ``state`` being that before it; empty for what a reader would not miss. A roll
    ends with a colon where the next event says what comes of it."""
    told = _TELLS.get(type(event))
    return told(state, event) if told else ""


def _heading(phase: Phase, again: bool | int) -> str:
    return f"{phase.name}{', repeated' if again else ''}."


def _phase(state: State, event: happened.Begun | happened.Skipped) -> Phase:
    return state.setup.manual.phase[state.setup.manual.place(event.phase)]


def _settled(state: State, event: happened.Settled) -> str:
    """The sum, but where it is a single die whose number the next event gives."""
    roll = state.roll
    if roll is None:
        return ""
    rolled = f"Rolled {sum_told(state, roll, total=False)}"
    step = phase_step(state, roll.task)
    match roll.task:
        case Kind():
            return f"{rolled}:"
        case Throw() if isinstance(step, Table) and step.row[step.find(event.total)].tank:
            return f"{rolled}:"
        case Throw() if isinstance(step, Table | Tanks):
            return f"{rolled}: {comes_to(state, roll)}."
        case Throw(target=str(target)) | Outcome(target=str(target)):
            most = state.defences[target]
        case Outcome() if isinstance(step, Table) and step.row[roll.task.row].kill:
            most = state.squads
        case _:
            most = event.total
    several = len(parts(state, roll)) > 1 or roll.dice > 1
    return f"{rolled}:" if several or event.total > most else ""


def _passed(state: State, event: happened.Passed) -> str:
    if event.why == "nothing":
        return "Nobody is ashore." if event.about == "nobody" else ""
    sentences = {
        "no_target": f"No {_defence(state.setup, event.about)} left." if event.about else "",
        "no_tank": "there is no tank to lose.",
        "declined": "Nothing is removed.",
    }
    return sentences.get(event.why, "")


def _removed(state: State, event: happened.Removed) -> str:
    name, left = _defence(state.setup, event.target), state.defences[event.target]
    if event.points < event.rolled and event.points:
        return f"the last {_points(event.points)} of the {name}."
    rest = f"{left - event.points} left" if left > event.points else "none left"
    return f"{_points(event.points)} off the {name}, {rest}."


def _killed(state: State, event: happened.Killed) -> str:
    scored = f" ({event.scored} scored)" if event.scored != event.squads else ""
    if not event.squads:
        return f"nobody is killed{scored}."
    return f"{_squads(event.squads)} killed{scored}, {state.squads - event.squads} left ashore."


def _card_played(state: State, event: happened.CardPlayed) -> str:
    played, roll = event.played, state.roll
    card = state.setup.manual.card_of(played.card.rank)
    name = f"{card.name} ({signs([played.card])})"
    if played.faces:
        return f"{name}: re-rolled as {', '.join(map(str, played.faces))}."
    if card.sets is not None and roll is not None and roll.faces:
        return f"{name}: {counted(state, roll).faces[played.die]} becomes {card.sets}."
    return f"{name}."


def _squads_landed(state: State, event: happened.SquadsLanded) -> str:
    rest = f", {state.squads + event.squads} now ashore" if state.squads else ""
    return f"{_squads(event.squads)} land{'s' if event.squads == 1 else ''}{rest}."


def _tank(state: State, kind: str) -> str:
    noun = state.setup.manual.tank_of(kind).noun
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


def _discarded(state: State, event: happened.Discarded) -> str:
    verb = "Exchanged" if isinstance(state.ask, ExchangeAsk) else "Discarded"
    return f"{verb} {signs(event.cards)}." if event.cards else ""


_TELLS: dict[type, Any] = {
    happened.Opened: lambda _, event: f"{event.setup.title} begins.",
    happened.Begun: lambda state, event: _heading(_phase(state, event), event.again),
    happened.Skipped: lambda state, event: (
        f"{_phase(state, event).name} skipped: "
        f"{why_skipped(state, _phase(state, event), event.why)}."
    ),
    happened.Passed: _passed,
    happened.CardPlayed: _card_played,
    happened.Repeats: lambda _, event: f"Admiral ({signs([event.card])}): the phase is repeated.",
    happened.DrawsMore: lambda _, event: f"General ({signs([event.card])}).",
    happened.Settled: _settled,
    happened.Removed: _removed,
    happened.Dug: lambda _, event: f"{_points(event.points)} of new ditches.",
    happened.SquadsLanded: _squads_landed,
    happened.TankLanded: lambda state, event: (
        f"{_tank(state, event.kind)} lands." if event.kind else "this tank does not land at Omaha."
    ),
    happened.Killed: _killed,
    happened.TankLost: lambda state, event: f"{_tank(state, event.kind)} is lost.",
    happened.Drew: lambda _, event: f"{_DREW} {signs([event.card])}.",
    happened.Shuffled: lambda _, __: "The discards are shuffled.",
    happened.Discarded: _discarded,
    happened.Won: lambda state, _: (
        f"The beach is taken in turn {state.turn}; {_squads(state.casualties)} lost."
    ),
}


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
