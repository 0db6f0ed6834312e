"""The sentences and phrases of Beach Head, one wording for every medium."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.state import BeachState, BeachTask, Modifier, Roll
from skirmish.tabletop.page import capital

REASONS = {
    "traps": "tank traps",
    "craft_hit": "landing craft hit last turn",
    "half_bunkers": "half the bunkers gone",
    "no_bunkers": "no bunkers left",
}

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


def number(count: int, noun: str) -> str:
    """``1 tank``, ``no tanks``."""
    return f"{count or 'no'} {noun}{'s' * (count != 1)}"


def span(ends: Sequence[int]) -> str:
    return str(ends[0]) if ends[0] == ends[-1] else f"{ends[0]}-{ends[-1]}"


def defence(setup: printed.BeachSetup, name: str) -> str:
    return setup.ruleset.defence_of(name).name.lower()


def tanks_ashore(state: BeachState) -> Iterator[str]:
    for tank in state.ruleset.tank:
        if count := state.tanks.count(tank.id):
            yield f"{count} {tank.noun if count == 1 else tank.names}"


def headline(state: BeachState) -> str:
    if state.over:
        return f"Taken in {number(state.turn, 'turn')}, {number(state.casualties, 'squad')} lost"
    if not state.turn:
        return "Not begun"
    return f"Turn {state.turn}, {state.now.name}: {state.casualties} lost"


class PhaseLine(NamedTuple):
    """One line about a phase: its dice, their effect, the modifiers, and when. ``verb`` completes
    the effect to a sentence. ``table``: the rows to look up. ``never``: this variant does not play
    the phase."""

    dice: str
    does: str
    adds: str = ""
    when: str = ""
    verb: str = ""
    table: tuple[tuple[str, str], ...] = ()
    never: bool = False


def phase_text(state: BeachState, phase: printed.Phase) -> str:
    lines = phase_lines(state, phase)
    shared = lines[0].adds if len(lines) > 1 and len({line.adds for line in lines}) == 1 else ""
    texts = [ABOUT.get(phase.id, ""), *(_sentence(line, shared) for line in lines)]
    texts.append(f"To each roll: {shared}." if shared else "")
    return " ".join(filter(None, texts))


def _sentence(line: PhaseLine, shared: str) -> str:
    when = f"{line.when}, " if line.when else ""
    does = " ".join(filter(None, (line.verb, line.dice, line.does)))
    adds = f" ({line.adds})" if line.adds != shared else ""
    rows = "; ".join(f"{result}: {text}" for result, text in line.table)
    return capital(f"{when}{does}{adds}{f'. {rows}' if rows else ''}.")


def phase_lines(state: BeachState, phase: printed.Phase) -> list[PhaseLine]:
    """At least one line, by the variant and the rulings of a newly opened game."""
    if why := _never(state, phase):
        return [PhaseLine("", why, never=True)]
    hand = state.ruleset.hand
    if phase.id == "tactical":
        does = f"fill the hand to {hand.full}; exchange up to {hand.redraw}"
        return [PhaseLine("", does, when="with cards")]
    if phase.id == "end":
        return [PhaseLine("", f"discard down to {hand.keep} cards", when="with cards")]
    found: list[PhaseLine] = []
    last: list[PhaseLine] = []
    for at, step in enumerate(phase.step):
        if at and state.is_one_roll(phase):
            continue  # the first roll has its targets
        when = _gone(state, phase, step) if at else _when(state, phase)
        found += _step_lines(state, phase, step, when)
        if "ditches" not in state.setup.left_out:
            craters = found if state.in_force.craters_come_first else last
            craters += [
                PhaseLine(dice, "points of new ditches", verb="dig",
                          when=f"if fired at the {defence(state.setup, target)}")
                for target, dice in step.craters.items()
            ]  # fmt: skip
    return found + last


def _never(state: BeachState, phase: printed.Phase) -> str:
    setup = state.setup
    landing = next(one for one in setup.ruleset.phase if one.id == "lct")
    lands = state.skip_reason(landing, 1) != "not_here"
    comes = [kind for kind in phase.needs if setup.landed_as(kind) == kind and lands]
    if phase.step and all(
        step.does == "remove" and set(step.targets) <= set(setup.left_out) for step in phase.step
    ):
        return "not at Omaha: nothing to remove"
    if (phase.id == "lct" and not lands) or (phase.needs and not comes):
        return "not at Omaha: no such tank lands"
    return ""


def _step_lines(
    state: BeachState, phase: printed.Phase, step: printed.PhaseStep, when: str
) -> Iterator[PhaseLine]:
    setup, ruleset, adds = state.setup, state.ruleset, _adds(state, step.modifiers)
    match step.does:
        case "remove":
            does = f"points off {_targets(setup, step.targets)}"
            if state.is_one_roll(phase):
                late = phase.late
                does = f"points off {_targets(setup, (*step.targets, *late.targets))}"
                does += f", {ruleset.listed(late.targets)} only {_gone(state, phase, late)}"
            yield PhaseLine(step.dice, does, adds, when, "take")
        case "squads":
            yield PhaseLine(state.spec_of(step), "squads land", adds, when)
        case "tanks":
            yield PhaseLine(step.dice, "tanks land", adds, when)
            kinds = [(span(one.faces), setup.landed_as(one.id)) for one in ruleset.tank]
            rows = ((faces, ruleset.tank_of(one).name if one else "none lands")
                    for faces, one in kinds)  # fmt: skip
            yield PhaseLine(step.type, "for the type of each tank", verb="roll", table=tuple(rows))
        case "table":
            rows = ((span(row.rolls), row_text(ruleset, row)) for row in step.row)
            yield PhaseLine(step.dice, "", adds, when, "roll", tuple(rows))


def _when(state: BeachState, phase: printed.Phase) -> str:
    if phase.needs:
        names = [state.ruleset.tank_of(kind).noun for kind in phase.needs]
        return f"with {'any AVRE' if len(names) > 1 else 'a ' + names[0]}"
    if phase.skipped_without:
        return f"while {defence(state.setup, phase.skipped_without)} are left"
    return f"from turn {phase.from_turn} on" if phase.from_turn > 1 else ""


def _gone(state: BeachState, phase: printed.Phase, step: printed.PhaseStep) -> str:
    once = [one for one in state.gone_first(phase, step) if one not in state.setup.left_out]
    be = "is" if once == ["wire"] else "are"
    return f"once {state.ruleset.listed(once, 'and')} {be} gone" if once else ""


def _adds(state: BeachState, adds: printed.Modifiers) -> str:
    reasons = [
        (adds.traps, "while tank traps remain"),
        (adds.craft_hit, "if landing craft were hit last turn"),
        *bunkers_add(state, adds),
        (adds.per_dozen, f"for each full {state.ruleset.dozen} squads ashore"),
    ]
    return signed(reasons)


def bunkers_add(state: BeachState, adds: printed.Modifiers) -> list[tuple[int, str]]:
    half = state.ruleset.defence_of("bunkers").points // 2
    both = adds.no_bunkers and state.in_force.bunker_modifiers_add_up
    none = adds.no_bunkers + (adds.half_bunkers if both else 0)
    return [(adds.half_bunkers, f"with {half} bunkers or fewer"), (none, "with none")]


def signed(reasons: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{value:+d} {when}" for value, when in reasons if value)


def _targets(setup: printed.BeachSetup, named: Sequence[str]) -> str:
    here = [one.id for one in setup.defences]
    named = [name for name in named if name in here]
    missing = [name for name in here if name not in named]
    if len(named) > 3:
        but = f" but the {setup.ruleset.listed(missing, 'and')}" if missing else ""
        return f"any one defence{but}"
    return f"the {setup.ruleset.listed(named)}"


def row_text(ruleset: printed.Ruleset, row: printed.ResultRow) -> str:
    if row.kill:
        return f"{row.kill} squads killed"
    if row.remove:
        points = f"{row.remove} points off {ruleset.listed(row.targets)}"
        return f"{row.name.lower()}, {points}" if row.name else points
    if row.tank:
        return "a tank without a flail lost" if row.tank == "no_flail" else "a random tank lost"
    return "a landing craft hit" if row.craft else "nothing"


def card_use(ruleset: printed.Ruleset, card: printed.Card) -> str:
    """The effect of a card in short form: ``die = 4``, ``+2``."""
    if card.sets is not None:
        return f"die = {card.sets}"
    if card.shifts:
        return f"{card.shifts:+d}"
    uses = {"reroll": "re-roll", "repeat": "repeat phase", "draw": f"draw {ruleset.hand.general}"}
    return uses[str(card.does)]


def why_skipped(state: BeachState, phase: printed.Phase, why: printed.SkipCode) -> tuple[str, str]:
    """The reason for skipping a phase, in a few words and in short form; ``state`` is the one
    before it."""
    ruleset, begun = state.ruleset, state.beginning
    match why:
        case "no_tank":
            names = [ruleset.tank_of(kind).names for kind in phase.needs]
            text = f"no {'AVRE' if len(names) > 1 else names[0]}"
        case "no_defence":
            text = f"no {defence(state.setup, str(phase.skipped_without))} left"
        case "too_early":
            return f"from turn {phase.from_turn} on", f"turn {phase.from_turn}"
        case "nobody":
            return "nobody ashore", "nobody"
        case "no_cards":
            text = "no cards"
        case "not_here":
            text = "none at Omaha"
        case "nothing_left":  # what is gone, or what still bars the way to what stands
            for step in phase.step:
                barring = [one for one in begun.gone_first(phase, step) if begun.defences[one]]
                if barring and begun.targets_of(phase, step) and not begun.is_one_roll(phase):
                    bar = f"{ruleset.listed(barring, 'and')} bar the {ruleset.listed(step.targets)}"
                    return bar, "barred"
            return f"no {ruleset.listed(phase.step[0].targets)} left", "cleared"
    return text, text


def purpose(state: BeachState, task: BeachTask) -> str:
    return f"{state.now.name}: {_of_task(state, task, 0)[0]}"


def result(state: BeachState, roll: Roll) -> str:
    """The effect of the roll as it lies: ``4 points``, ``2 squads killed``, a row."""
    return _of_task(state, roll.task, state.counted(roll).total)[1]


def _of_task(state: BeachState, task: BeachTask, total: int) -> tuple[str, str]:
    ruleset = state.ruleset
    target = None if task.what == "crater" else task.target
    off = f" off the {defence(state.setup, target)}" if target else ""
    points = number(min(total, state.defences[target]) if target else total, "point") + off
    step = state.step_of(task)
    match task.what, step.does:
        case "throw", "table":
            return "what happens", row_text(ruleset, step.row[step.find(total)])
        case "throw", ("squads" | "tanks") as nouns:
            noun = nouns.removesuffix("s")
            lands = f"{number(total, noun)} land{'s' if total == 1 else ''}"
            return f"how many {nouns} land", lands
        case "kind", _:
            among = f" {task.number} of {task.among}" if task.among > 1 else ""
            kind = ruleset.tank_by_face(total)
            landed = state.setup.landed_as(kind.id)
            lands = ruleset.tank_of(landed).noun if landed else ""
            return f"type of tank{among}", lands or f"{kind.noun}, which does not land here"
        case "crater", _:
            return "points of new ditches", f"{number(total, 'point')} of new ditches"
        case "outcome", _:
            row = step.row[task.row]
            if row.kill:
                killed = number(min(total, state.squads), "squad")
                return "how many squads are killed", f"{killed} killed"
            return f"{row.name.lower()}, points{off}" if row.name else f"points{off}", points
    return f"points{off}", points


def terms(state: BeachState, roll: Roll) -> list[tuple[str, str]]:
    """The terms of a roll's sum, each with its reason: dice, printed modifier, modifiers, cards."""
    now = state.counted(roll)
    if now.fixed:
        return [(str(now.total), "by card")]
    dice = " + ".join(map(str, now.faces)) if now.faces else f"{roll.dice}d6"
    found = [(dice, "dice" if roll.dice > 1 else "die")]
    found += [(f"{roll.plus:+d}", "")] if roll.plus else []
    found += [(f"{one.value:+d}", _reason(one)) for one in roll.modifiers]
    return found + ([(f"{now.shift:+d}", "cards")] if now.shift else [])


def _reason(modifier: Modifier) -> str:
    if modifier.code != "per_dozen":
        return REASONS[modifier.code]
    dozens = abs(modifier.value)
    return "a full dozen squads" if dozens == 1 else f"{dozens} full dozens of squads"


def sum_text(state: BeachState, roll: Roll, *, total: bool = True) -> str:
    """The sum written out: ``3 - 3 - 1 (tank traps) = -1, so 0``; for a single die its number. Only
    the terms before the roll, or without ``total``."""
    now, ((first, _), *others) = state.counted(roll), terms(state, roll)
    text = first + "".join(
        f" {value[0]} {value[1:]}{f' ({reason})' if reason else ''}" for value, reason in others
    )
    if now.fixed:
        return f"{text} (by card)"
    if not total or not now.faces or not (others or roll.dice > 1):
        return text
    reached = sum(now.faces) + sum(int(value) for value, _ in others)
    return f"{text} = {reached}" if reached == now.total else f"{text} = {reached}, so {now.total}"


def prompt_text(state: BeachState) -> str:
    ask = state.ask
    if ask is None:
        return ""
    count = ask.most or ask.count
    cards = "a card" if count == 1 else f"{count} cards"
    match ask.what:
        case "dice":
            dice = "a die and type what it shows"
            return f"Roll {dice if count == 1 else f'{count} dice and type what they show'}."
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
        case "exchange":
            return f"You may exchange {'' if count == 1 else 'up to '}{cards}."
        case "trim":
            return f"Discard {cards}."


def _draw_text(state: BeachState, count: int) -> str:
    """The wording depends on whether the deck must be shuffled first, or halfway through."""
    deck, task = state.deck, state.agenda[0] if state.agenda else None
    cards, wanted = number(count, "card"), count
    if task is not None and task.what == "fill":
        hand = state.ruleset.hand.full - len(state.hand)
        wanted = hand if task.count is None else task.count
    ranks = "its rank" if count == 1 else "their ranks"
    if deck and deck.gone and not state.discard and set(deck.gone) == set(state.hand):
        return f"Shuffle the discards, then draw {cards} and type their ranks."
    if wanted > count:
        later = min(wanted - count, len(state.discard))
        rest = f", then shuffle the discards and draw {later} more" if later else ""
        left = "One card is left: draw it" if count == 1 else f"{cards} are left: draw them"
        return f"{left} and type {ranks}{rest}."
    return f"Draw {'a card' if count == 1 else cards} and type {ranks}."
