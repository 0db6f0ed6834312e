"""The sentences and phrases of Beach Head, one wording for every medium."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head.pending import BeachTask, Modifier, Roll
from skirmish.games.beach_head.ruleset import (
    BeachSetup,
    Card,
    Modifiers,
    Phase,
    PhaseStep,
    ResultRow,
    Ruleset,
    SkipCode,
)
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.page import capital

REASONS = {
    "traps": "tank traps",
    "craft_hit": "landing craft hit last turn",
    "half_bunkers": "half the bunkers gone",
    "no_bunkers": "no bunkers left",
}
"""Why a modifier counts, by its code, behind its number in a sum. ``_reason`` words the code
``per_dozen``, which depends on a number."""

ABOUT = {
    "frogman": "Frogmen blow up the traps that bar the landing craft.",
    "lci": "Landing craft put infantry ashore.",
    "lct": "Tanks swim ashore or are landed.",
    "lcs": "Gun and rocket craft fire over the heads of the troops.",
    "gun_tank": "Gun tanks fire at the bunkers and, once the way is open, into the trenches.",
    "defenders": "The defenders fire machine guns, mortars and rifles.",
    "artillery": "Heavy guns fire from behind the dunes.",
    "shore_guns": "The guns in the bunkers fire.",
    "mines": "Men and tanks that cross the sand may set off a mine.",
    "engineers": "Demolition parties clear whatever hinders most.",
    "flail": "Flail tanks beat a lane with their chains.",
    "petard": "A short mortar throws a very heavy bomb a short way.",
    "bridge": "A bridge is laid, or a fascine is dropped into a ditch.",
    "infantry": "The infantry cuts the wire and storms what lies behind it.",
    "support": "Rocket craft or bombers may come in.",
    "destroyer": "Destroyers come close inshore, late in the day.",
}
"""What a phase stands for, by its id, before its rule."""


def number(count: int, noun: str) -> str:
    """So many of a thing, in words.

    >>> [number(count, "tank") for count in (0, 1, 3)]
    ['no tanks', '1 tank', '3 tanks']
    """
    if count == 1:
        return f"1 {noun}"
    if count == 0:
        return f"no {noun}s"
    return f"{count} {noun}s"


def span(numbers: Sequence[int]) -> str:
    """``4``, or ``2-5`` from the first to the last.

    >>> span([2, 3, 4, 5])
    '2-5'
    >>> span([4])
    '4'
    """
    first, last = numbers[0], numbers[-1]
    if first == last:
        return str(first)
    return f"{first}-{last}"


def defence(setup: BeachSetup, name: str) -> str:
    """The name of a defence in a sentence: ``tank traps``."""
    return setup.ruleset.defence_of(name).name.lower()


def tanks_ashore(state: BeachState) -> Iterator[str]:
    """``2 gun tanks``, ``1 crab``: each kind that is ashore."""
    for tank in state.ruleset.tank:
        count = state.tanks.count(tank.id)
        if count == 1:
            yield f"1 {tank.noun}"
        elif count:
            yield f"{count} {tank.names}"


def headline(state: BeachState) -> str:
    """The status in every list of games."""
    if state.over:
        return f"Taken in {number(state.turn, 'turn')}, {number(state.casualties, 'squad')} lost"
    if not state.turn:
        return "Not begun"
    return f"Turn {state.turn}, {state.present_phase.name}: {state.casualties} lost"


class TableLine(NamedTuple):
    """A row to look up: the rolls for which it counts, as ``2-5``, and its effect."""

    rolls: str
    effect: str


class PhaseLine(NamedTuple):
    """One line about a phase. ``verb dice does`` is a sentence: ``take 1d6 points off the
    walls``."""

    dice: str
    does: str
    adds: str = ""
    """The modifiers, each with what it is for."""
    when: str = ""
    verb: str = ""
    table: tuple[TableLine, ...] = ()
    """The rows to look up."""
    never: bool = False
    """This variant does not play the phase; ``does`` says why."""


def phase_text(state: BeachState, phase: Phase) -> str:
    """The rule of a phase in sentences. Modifiers that all its rolls share are named once."""
    lines = phase_lines(state, phase)
    shared = ""
    # Of a single line the modifiers stand behind it.
    if len(lines) > 1 and len({line.adds for line in lines}) == 1:
        shared = lines[0].adds
    sentences: list[str] = []
    if phase.id in ABOUT:
        sentences.append(ABOUT[phase.id])
    for line in lines:
        sentences.append(_sentence(line, shared))
    if shared:
        sentences.append(f"To each roll: {shared}.")
    return " ".join(sentences)


def _sentence(line: PhaseLine, shared: str) -> str:
    """``Once walls are gone, take 1d6 points off the trenches (+1 while tank traps remain).``"""
    words = [word for word in (line.verb, line.dice, line.does) if word]
    text = " ".join(words)
    if line.when:
        text = f"{line.when}, {text}"
    if line.adds != shared:
        text += f" ({line.adds})"
    rows = "; ".join(f"{row.rolls}: {row.effect}" for row in line.table)
    if rows:
        text += f". {rows}"
    return capital(f"{text}.")


def phase_lines(state: BeachState, phase: Phase) -> list[PhaseLine]:
    """At least one line, by the variant and the rulings of a newly opened game."""
    why_never = _why_never(state, phase)
    if why_never:
        return [PhaseLine("", why_never, never=True)]
    hand = state.ruleset.hand
    # Phases of cards have no steps in the data: they are the game's own.
    if phase.id == "tactical":
        does = f"fill the hand to {hand.full}; exchange up to {hand.redraw}"
        return [PhaseLine("", does, when="with cards")]
    if phase.id == "end":
        return [PhaseLine("", f"discard down to {hand.keep} cards", when="with cards")]
    return _lines_of_steps(state, phase)


def _lines_of_steps(state: BeachState, phase: Phase) -> list[PhaseLine]:
    """The steps in order; craters stand behind the step that digs them, or behind all (B38)."""
    lines: list[PhaseLine] = []
    crater_lines: list[PhaseLine] = []
    for index, step in enumerate(phase.step):
        if index and state.removes_in_one_roll(phase):
            continue  # the first roll has its targets (B9)
        # The first step is played whenever the phase is; a later one waits for defences to go.
        if index == 0:
            when = _condition_of(state, phase)
        else:
            when = _once_gone(state, phase, step)
        lines.extend(_step_lines(state, phase, step, when))
        if state.in_force.craters_come_first:
            lines.extend(_crater_lines(state.setup, step))
        else:
            crater_lines.extend(_crater_lines(state.setup, step))
    return lines + crater_lines


def _crater_lines(setup: BeachSetup, step: PhaseStep) -> Iterator[PhaseLine]:
    """The lines for what a step digs, where it is fired at some targets."""
    # On a beach without ditches a crater is only a hole.
    if "ditches" in setup.left_out:
        return
    for target, dice in step.craters.items():
        when = f"if fired at the {defence(setup, target)}"
        yield PhaseLine(dice, "points of new ditches", verb="dig", when=when)


def _why_never(state: BeachState, phase: Phase) -> str:
    """Why this beach never plays a phase; empty if it does."""
    if _removes_only_what_is_left_out(state.setup, phase):
        return "not at Omaha: nothing to remove"
    if phase.id == "lct" and not _tanks_land(state):
        return "not at Omaha: no such tank lands"
    # Tanks may land there, but none that plays this phase.
    if phase.needs and not _a_needed_tank_lands(state, phase):
        return "not at Omaha: no such tank lands"
    return ""


def _tanks_land(state: BeachState) -> bool:
    """Whether this beach has a tank landing."""
    ruleset = state.ruleset
    landing = ruleset.phase[ruleset.place("lct")]
    return state.skip_reason(landing, landing.from_turn) != "not_here"


def _a_needed_tank_lands(state: BeachState, phase: Phase) -> bool:
    """Whether a kind of tank that plays the phase ever comes ashore, and as itself."""
    if not _tanks_land(state):
        return False
    # By B27 a tank may land as another kind, and then it never plays the phase of its own.
    return any(state.setup.landed_as(kind) == kind for kind in phase.needs)


def _removes_only_what_is_left_out(setup: BeachSetup, phase: Phase) -> bool:
    """Whether all that a phase removes is not on this beach."""
    if not phase.step:
        return False
    for step in phase.step:
        if step.does != "remove" or not set(step.targets) <= set(setup.left_out):
            return False
    return True


def _step_lines(state: BeachState, phase: Phase, step: PhaseStep, when: str) -> Iterator[PhaseLine]:
    """A step of a phase as lines: its dice, what they do, and what changes them."""
    adds = _modifiers_text(state, step.modifiers)
    match step.does:
        case "remove":
            does = _removal(state, phase, step)
            yield PhaseLine(step.dice, does, adds, when, verb="take")
        case "squads":
            yield PhaseLine(state.dice_of_step(step), "squads land", adds, when)
        case "tanks":
            yield PhaseLine(step.dice, "tanks land", adds, when)
            types = tuple(_tank_rows(state.setup))
            yield PhaseLine(step.type, "for the type of each tank", verb="roll", table=types)
        case "table":
            rows = tuple(
                TableLine(span(row.rolls), row_text(state.ruleset, row)) for row in step.row
            )
            yield PhaseLine(step.dice, "", adds, when, verb="roll", table=rows)


def _removal(state: BeachState, phase: Phase, step: PhaseStep) -> str:
    """``points off the bunkers or walls``; the engineers' one roll (B9) has both their targets."""
    if not state.removes_in_one_roll(phase):
        return f"points off {_targets(state.setup, step.targets)}"
    late = phase.late_removal
    targets = _targets(state.setup, (*step.targets, *late.targets))
    # The second step's targets, whose way must be open first, are named once more with that
    # condition.
    late_targets = state.ruleset.listed(late.targets)
    return f"points off {targets}, {late_targets} only {_once_gone(state, phase, late)}"


def _tank_rows(setup: BeachSetup) -> Iterator[TableLine]:
    """What lands, by the faces of the die for a tank's type."""
    for tank in setup.ruleset.tank:
        landed_as = setup.landed_as(tank.id)
        name = "none lands"
        # A kind may be rolled that this beach does not have; the roll is made all the same.
        if landed_as is not None:
            name = setup.ruleset.tank_of(landed_as).name
        yield TableLine(span(tank.faces), name)


def _condition_of(state: BeachState, phase: Phase) -> str:
    """What a phase depends on; empty if it is always played."""
    # The only phase of several kinds is that of the engineers' tanks, whom the text calls AVREs.
    if len(phase.needs) > 1:
        return "with any AVRE"
    if phase.needs:
        return f"with a {state.ruleset.tank_of(phase.needs[0]).noun}"
    if phase.skipped_without:
        return f"while {defence(state.setup, phase.skipped_without)} are left"
    if phase.from_turn > 1:
        return f"from turn {phase.from_turn} on"
    return ""


def _once_gone(state: BeachState, phase: Phase, step: PhaseStep) -> str:
    """``once bunkers and walls are gone``; empty if nothing of this beach bars the step."""
    left_out = state.setup.left_out
    bars = [name for name in state.bars_of(phase, step) if name not in left_out]
    if not bars:
        return ""
    be = "are"
    if bars == ["wire"]:  # "barbed wire" alone is singular; all other defences are plurals
        be = "is"
    return f"once {state.ruleset.listed(bars, 'and')} {be} gone"


def _modifiers_text(state: BeachState, modifiers: Modifiers) -> str:
    """The modifiers of a step with when each counts."""
    dozens = f"for each full {state.ruleset.dozen} squads ashore"
    reasons = [
        ModifierReason(modifiers.traps, "while tank traps remain"),
        ModifierReason(modifiers.craft_hit, "if landing craft were hit last turn"),
        *bunker_modifiers(state, modifiers),
        ModifierReason(modifiers.per_dozen, dozens),
    ]
    return with_signs(reasons)


class ModifierReason(NamedTuple):
    """A modifier, and when it counts."""

    value: int
    when: str


def bunker_modifiers(state: BeachState, modifiers: Modifiers) -> list[ModifierReason]:
    """The modifiers for half the bunkers and for none, each with its reason (B3)."""
    half = state.ruleset.defence_of("bunkers").points // 2
    with_none = modifiers.no_bunkers
    if modifiers.no_bunkers and state.in_force.bunker_modifiers_add_up:
        # None is also half or fewer, so both may count (B3).
        with_none += modifiers.half_bunkers
    return [
        ModifierReason(modifiers.half_bunkers, f"with {half} bunkers or fewer"),
        ModifierReason(with_none, "with none"),
    ]


def with_signs(reasons: Iterable[ModifierReason]) -> str:
    """``-1 with 30 bunkers or fewer, -2 with none``; modifiers of 0 are left out."""
    return ", ".join(f"{reason.value:+d} {reason.when}" for reason in reasons if reason.value)


def _targets(setup: BeachSetup, named: Sequence[str]) -> str:
    """``the bunkers or walls``; many targets by what is missing: ``any one defence but the
    trenches``."""
    on_this_beach = [defence.id for defence in setup.defences]
    targets = [name for name in named if name in on_this_beach]
    missing = [name for name in on_this_beach if name not in targets]
    # More than three names would be longer than saying what is left out.
    if len(targets) <= 3:
        return f"the {setup.ruleset.listed(targets)}"
    if not missing:
        return "any one defence"
    return f"any one defence but the {setup.ruleset.listed(missing, 'and')}"


def row_text(ruleset: Ruleset, row: ResultRow) -> str:
    """The effect of a table's row."""
    if row.kill:
        return f"{row.kill} squads killed"
    if row.remove:
        points = f"{row.remove} points off {ruleset.listed(row.targets)}"
        if row.name:
            return f"{row.name.lower()}, {points}"
        return points
    if row.tank == "no_flail":
        return "a tank without a flail lost"
    if row.tank:
        return "a random tank lost"
    if row.craft:
        return "a landing craft hit"
    return "nothing"


def card_use(ruleset: Ruleset, card: Card) -> str:
    """The effect of a card in short form: ``die = 4``, ``+2``, ``re-roll``."""
    if card.sets is not None:
        return f"die = {card.sets}"
    if card.shifts:
        return f"{card.shifts:+d}"
    uses = {"reroll": "re-roll", "repeat": "repeat phase", "draw": f"draw {ruleset.hand.general}"}
    return uses[str(card.does)]


class SkipReason(NamedTuple):
    """Why a phase is skipped: in a few words, and in short form."""

    words: str
    short: str


def why_skipped(state: BeachState, phase: Phase, why: SkipCode) -> SkipReason:
    """The reason for skipping a phase; ``state`` is the one before it."""
    match why:
        case "too_early":
            return SkipReason(f"from turn {phase.from_turn} on", f"turn {phase.from_turn}")
        case "nobody":
            return SkipReason("nobody ashore", "nobody")
        case "nothing_left":
            return _why_nothing_left(state, phase)
        case "no_tank" if len(phase.needs) > 1:
            text = "no AVRE"
        case "no_tank":
            text = f"no {state.ruleset.tank_of(phase.needs[0]).names}"
        case "no_defence":
            text = f"no {defence(state.setup, str(phase.skipped_without))} left"
        case "no_cards":
            text = "no cards"
        case "not_here":
            text = "none at Omaha"
    return SkipReason(text, text)


def _why_nothing_left(state: BeachState, phase: Phase) -> SkipReason:
    """What is gone, or what still bars the way to what stands."""
    # The reason is looked for as the phase began: that is when it was skipped.
    ruleset, at_phase_start = state.ruleset, state.as_phase_begins
    if not at_phase_start.removes_in_one_roll(phase):
        for step in phase.step:
            bars = []
            for name in at_phase_start.bars_of(phase, step):
                if at_phase_start.defences[name]:
                    bars.append(name)
            # What stands cannot be reached: that is another reason than that all is gone.
            if bars and at_phase_start.targets_of(phase, step):
                barring = ruleset.listed(bars, "and")
                return SkipReason(f"{barring} bar the {ruleset.listed(step.targets)}", "barred")
    return SkipReason(f"no {ruleset.listed(phase.step[0].targets)} left", "cleared")


def purpose(state: BeachState, task: BeachTask) -> str:
    """What a roll is for: ``Mines: what happens``."""
    # The purpose is the same for every total.
    words = _roll_words(state, task, total=0)
    return f"{state.present_phase.name}: {words.purpose}"


def result(state: BeachState, roll: Roll) -> str:
    """The effect of the roll as it lies: ``4 points``, ``2 squads killed``, a row."""
    return _roll_words(state, roll.task, roll.counted(state.setup).total).result


class RollWords(NamedTuple):
    """What a roll is for, and what it comes to."""

    purpose: str
    result: str


def _roll_words(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """The words for a roll of a task with this total."""
    step = state.step_of(task)
    match task.what:
        case "kind":
            return _words_of_tank_type(state, task, total)
        case "crater":
            points = number(total, "point")
            return RollWords("points of new ditches", f"{points} of new ditches")
        case "throw" if step.does == "table":
            row = step.row[step.row_index(total)]
            return RollWords("what happens", row_text(state.ruleset, row))
        case "throw" if step.does == "squads":
            return _words_of_landing("squad", total)
        case "throw" if step.does == "tanks":
            return _words_of_landing("tank", total)
        case "outcome":
            return _words_of_row(state, task, step.row[task.row], total)
    return _words_of_removal(state, task, total)


def _words_of_landing(noun: str, total: int) -> RollWords:
    """A roll for how many of something land."""
    land = "land"
    if total == 1:
        land = "lands"
    return RollWords(f"how many {noun}s land", f"{number(total, noun)} {land}")


def _words_of_tank_type(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """A roll for the type of a tank that lands."""
    words = "type of tank"
    if task.among > 1:
        words += f" {task.number} of {task.among}"
    rolled = state.ruleset.tank_by_face(total)
    landed_as = state.setup.landed_as(rolled.id)
    if landed_as is None:
        return RollWords(words, f"{rolled.noun}, which does not land here")
    return RollWords(words, state.ruleset.tank_of(landed_as).noun)


def _words_of_row(state: BeachState, task: BeachTask, row: ResultRow, total: int) -> RollWords:
    """A row of a table in words."""
    if row.kill:
        killed = number(min(total, state.squads), "squad")
        return RollWords("how many squads are killed", f"{killed} killed")
    words = _words_of_removal(state, task, total)
    if row.name:
        return RollWords(f"{row.name.lower()}, {words.purpose}", words.result)
    return words


def _words_of_removal(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """No more points than the target has left (B10); the target may not be named yet (B40)."""
    if task.target is None:
        return RollWords("points", number(total, "point"))
    off = f"off the {defence(state.setup, task.target)}"
    points = number(min(total, state.defences[task.target]), "point")
    return RollWords(f"points {off}", f"{points} {off}")


class SumTerm(NamedTuple):
    """A term of a roll's sum with its ``sign``, which the first has not, and its ``reason``: empty
    for what is printed with the dice."""

    sign: str
    amount: str
    reason: str


def terms(state: BeachState, roll: Roll) -> list[SumTerm]:
    """The terms of a roll's sum: dice, printed modifier, modifiers, cards."""
    counted = roll.counted(state.setup)
    if counted.fixed:
        return [SumTerm("", str(counted.total), "by card")]
    dice = f"{roll.dice}d6"
    if counted.faces:
        dice = " + ".join(str(face) for face in counted.faces)
    dice_or_die = "die"
    if roll.dice > 1:
        dice_or_die = "dice"
    sum_terms = [SumTerm("", dice, dice_or_die)]
    if roll.plus:
        sum_terms.append(_added(roll.plus, ""))
    for modifier in roll.modifiers:
        sum_terms.append(_added(modifier.value, _reason(modifier)))
    if counted.shift:
        sum_terms.append(_added(counted.shift, "cards"))
    return sum_terms


def _added(value: int, reason: str) -> SumTerm:
    """A further term of a sum: a value below 0 is taken off."""
    sign = "+"
    if value < 0:
        sign = "-"
    return SumTerm(sign, str(abs(value)), reason)


def _reason(modifier: Modifier) -> str:
    """Why a modifier counts: ``tank traps``, ``2 full dozens of squads``."""
    if modifier.code != "per_dozen":
        return REASONS[modifier.code]
    dozens = abs(modifier.value)
    if dozens == 1:
        return "a full dozen squads"
    return f"{dozens} full dozens of squads"


def sum_text(state: BeachState, roll: Roll, *, total: bool = True) -> str:
    """The sum written out: ``3 - 3 - 1 (tank traps) = -1, so 0``; for a single die its number. Only
    the terms before the roll, or without ``total``."""
    counted = roll.counted(state.setup)
    dice, *added = terms(state, roll)
    text = dice.amount
    for term in added:
        text += f" {term.sign} {term.amount}"
        if term.reason:
            text += f" ({term.reason})"
    if counted.fixed:
        return f"{text} (by card)"
    is_a_sum = bool(added) or roll.dice > 1
    if not total or not counted.faces or not is_a_sum:
        return text
    # What counts is never less than 0 (B1), whatever the sum.
    reached = sum(counted.faces) + roll.plus + counted.shift
    reached += sum(modifier.value for modifier in roll.modifiers)
    if reached == counted.total:
        return f"{text} = {reached}"
    return f"{text} = {reached}, so {counted.total}"


def prompt_text(state: BeachState) -> str:
    """The open question in a sentence; empty if there is none."""
    ask = state.ask
    if ask is None:
        return ""
    # Of an exchange the highest number of cards, of all other questions the exact one.
    count = ask.most or ask.count
    cards = f"{count} cards"
    if count == 1:
        cards = "a card"
    match ask.what:
        case "dice" if count == 1:
            return "Roll a die and type what it shows."
        case "dice":
            return f"Roll {count} dice and type what they show."
        case "lot":
            return f"Draw lots: type a random number from 1 to {ask.sides}."
        case "target":
            return "Choose the target."
        case "tank":
            return "Choose the tank that is lost."
        case "cards":
            return _draw_text(state, count)
        case "exchange" if not count:
            return "You may play a General."
        case "exchange" if count == 1:
            return "You may exchange a card."
        case "exchange":
            return f"You may exchange up to {cards}."
        case "trim":
            return f"Discard {cards}."


def _draw_text(state: BeachState, count: int) -> str:
    """The wording depends on whether the deck must be shuffled first, or halfway through."""
    deck = state.deck
    cards = number(count, "card")
    ranks, draw_what_is_left = "their ranks", f"{cards} are left: draw them"
    if count == 1:
        ranks, draw_what_is_left = "its rank", "One card is left: draw it"
    if deck is not None and _is_to_be_shuffled(state, deck):
        return f"Shuffle the discards, then draw {cards} and type {ranks}."
    more_wanted = _cards_owed(state, count) - count
    if more_wanted > 0:
        text = f"{draw_what_is_left} and type {ranks}"
        later = min(more_wanted, len(state.discard))
        if later:
            text += f", then shuffle the discards and draw {later} more"
        return f"{text}."
    if count == 1:
        return "Draw a card and type its rank."
    return f"Draw {cards} and type {ranks}."


def _is_to_be_shuffled(state: BeachState, deck: Source) -> bool:
    """Whether the game has just shuffled, which the player still has to do with his own deck: there
    are no discards, and only the cards in hand are out of the deck."""
    return deck.shuffles > 0 and not state.discard and set(deck.gone) == set(state.hand)


def _cards_owed(state: BeachState, count: int) -> int:
    """The cards that the task at hand owes in all; ``count`` are asked for now."""
    if not state.agenda or state.agenda[0].what != "fill":
        return count
    task = state.agenda[0]
    if task.count is not None:
        return task.count
    return state.ruleset.hand.full - len(state.hand)
