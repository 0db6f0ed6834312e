"""A battle as it stands, to be finished on paper: the moment on top, the turns left, both sides
beside one another; below them the rules of the scenario and what is still to come."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish import library
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.report import result_line, standing_lines
from skirmish.games.plastic.rules.options import WORDS
from skirmish.games.plastic.scenarios.happening_kinds import (
    AskAtSetup,
    DrawTable,
    Remind,
    Reveal,
    ToggleOnCard,
)
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.games.plastic.summary import summary
from skirmish.sheets.layout.blocks import Blank, Head, TitleBand, section
from skirmish.sheets.layout.boxes import box_width, key_of
from skirmish.sheets.layout.flowables import (
    ENDLESS,
    Canvas,
    Filling,
    Flowable,
    Gap,
    Panel,
    Stack,
    halves,
    kept,
)
from skirmish.sheets.layout.pages import Part, Title, bound
from skirmish.sheets.layout.text import (
    ASIDE,
    LEAD,
    SMALL,
    STRONG,
    Text,
    paragraph,
    terms,
)
from skirmish.sheets.paper import (
    GAP,
    GUTTER,
    MM,
    SIDES,
    InkUse,
    Paper,
    leaf,
)
from skirmish.sheets.position.side import side_block
from skirmish.sheets.roster.battle import enters, every_mark, groups, spans
from skirmish.sheets.scenario.turn_track import Turn, TurnTrack
from skirmish.sheets.scenario.words import draws, lead, own_unit, own_units
from skirmish.tabletop.measure import inches

GAME = "WWII Plastic Skirmish"
Block = list[Flowable]
OPEN_TURNS = 12
"""Turns to tick off where no clock is set."""
IN_ROW = 30
LINES = 4
"""To write on, at least: what the program never knew."""
HEADED = 12 * MM
"""What stands above the lines."""


def position_pdf(play: BattlePlay, *, paper: Paper = "a4", use: InkUse = "colour") -> bytes:
    """Where a battle stands as a PDF: all that eyes cannot read off the table itself.

    It shows what anybody may see who only looks on: nobody placed in secret, nothing that is
    sealed. Raises ValueError for another paper than A4 or Letter.
    """
    play = seen(play, None)
    state, page = play.state, leaf(paper)
    width = page.measure
    half = (width - GUTTER) / 2
    top: list[Flowable] = [_band(state), Gap(GAP), stands(play), Gap(GAP)]
    everybody = [one for side in state.setup.sides for one in groups(state, side.id, firing=True)]
    top += [*turns_left(state), Gap(0.6 * MM), *key_of(every_mark(everybody), box_width([]))]
    top.append(Gap(GAP))
    left, right = (
        side_block(state, side, look, half)
        for side, look in zip(state.setup.sides, SIDES, strict=True)
    )
    story = [*top, halves(left, right, width), Gap(GAP), halves(*_below(state), width)]
    story += [Gap(GAP), *to_write(state)]
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = Title(f"{state.setup.title}: {turn}", "Skirmish", f"{GAME}: battle position")
    part = Part(page, story, title.title, "Position", state.setup.title, turn, GAME)
    return bound([part], title, use)


def _below(state: State) -> tuple[list[Flowable], list[Flowable]]:
    """Special rules beside what is to be borne in mind and what is still to come; where there are
    none, these two beside one another."""
    rules, mind, come = special_rules(state), known(state), to_come(state)
    if not rules:
        return mind, come
    return rules, [*mind, Gap(GAP), *come] if come else mind


def _band(state: State) -> Flowable:
    clock, setup = state.clock, state.setup
    mover = setup.side_by_id[clock.side].people
    fires = setup.side_by_id[state.firing_side].people
    first = "The battle is over" if state.outcome else f"{mover} to move"
    second = f"Phase {clock.phase}: {PHASES[clock.phase].lower()}"
    if clock.phase > 1:
        second += f", {fires} fire"
    if state.outcome:
        second = f"in turn {clock.turn}, {mover} to move"
    last = f"Position, to finish on paper · {GAME}"
    title = setup.title.upper()
    return TitleBand("Turn", str(clock.turn), title, first=first, second=second, last=last)


def stands(play: BattlePlay) -> Flowable:
    state = play.state
    lines: Block = []
    if state.outcome:
        lines.append(paragraph(result_line(summary(play)), LEAD))
    lines += [paragraph(line, LEAD) for line in standing_lines(play)]
    waits = waiting_for(state) if state.outcome is None else None
    if waits:
        lines += [Gap(1), paragraph(waits.says, STRONG)]
    if state.movement_over:
        lines += [
            Gap(1),
            paragraph("no more movement in this player turn.", SMALL, lead="Command:"),
        ]
    lines += [Gap(1.2), paragraph(state.setup.victory, ASIDE, lead="Victory.")]
    return Panel(Stack(lines))


def to_come(state: State) -> Block:
    told = sorted(_to_come(state), key=lambda one: one[0])
    lines = []
    for turn, who, says in told:
        when = "Now" if turn <= state.clock.turn else f"Turn {turn}"
        lines.append(paragraph(says, SMALL, lead=f"{when}, {who}."))
    return section("Still to come", [*lines, *table_lines(state)] if lines else [], between=1)


def _to_come(state: State) -> Iterator[tuple[int, str, str]]:
    if state.outcome:
        return
    setup, turn = state.setup, state.clock.turn
    people = {side.id: side.people for side in setup.sides}
    for group in setup.contingents:
        waiting = [p for p in state.pieces() if p.contingent == group.id and p.id in state.waiting]
        waiting = [piece for piece in waiting if state.is_up(piece.id)]
        if waiting:
            codes = spans(piece.code for piece in waiting)
            says = f"{group.name}: {codes}. {enters(group)}"
            yield group.enters, people[group.side], says
    scenario = setup.scenario
    for limit in scenario.limits if scenario else ():
        if limit.before_turn is None or turn < limit.before_turn:
            yield turn, people[limit.side], limit.text
    for kind in scenario.happenings if scenario else ():
        if isinstance(kind, DrawTable):
            yield max(kind.from_turn, turn), people[kind.side], kind.text
    if setup.ends_after is not None and turn <= setup.ends_after.turn:
        side = people[setup.ends_after.side]
        yield setup.ends_after.turn, side, "The battle ends with this player turn."


def known(state: State) -> Block:
    lines = (paragraph(says, SMALL, lead=f"{term}.") for term, says in _known(state))
    return section("Reminders", lines, between=1)


def _known(state: State) -> Iterator[tuple[str, str]]:
    setup = state.setup
    people = {side.id: side.people for side in setup.sides}
    happenings = setup.scenario.happenings if setup.scenario else ()
    for kind in happenings:
        if isinstance(kind, ToggleOnCard):
            on = kind.state in state.toggled
            now = f"In force, sight {inches(kind.sight_in)}" if on else "Not in force"
            yield kind.state.replace("_", " ").capitalize(), f"{now}. {kind.text}"
    if any(isinstance(kind, Reveal) for kind in happenings):
        says = "Hidden units are not on this sheet; their player keeps a separate note of them."
        yield "Hidden", says
    for side in state.sealed:
        yield "Sealed", f"The {people[side]} have sealed a record; only the program can open it."
    if state.counted is not None:
        told = ", ".join(f"{people[side]} {n}" for side, n in state.counted.values.items())
        yield f"Counted in turn {state.counted.clock.turn}", f"{told}."
    for key, answer in setup.answers.items():
        if not isinstance(answer, dict):  # units that were chosen stand among the others
            yield f"Agreed, {key.replace('_', ' ')}", f"{str(answer).rstrip('.')}."
    played = [word for option, word in WORDS.items() if getattr(state.options, option)]
    yield "Optional rules played", f"{', '.join(played)}." if played else "None."
    for ruling, answer in library.rulings().departures(setup.rulings):
        yield f"Ruling {ruling.id}, {ruling.title}", answer
    yield "On other sheets", elsewhere(state)


def to_write(state: State) -> Block:
    says = "Take a photograph of the table too: positions are on no sheet."
    word = "Pinned:" if state.options.pinning else ""
    return [Head("Notes"), kept(Gap(0.8 * MM)), kept(paragraph(says, SMALL)), Lines(word)]


class Lines(Filling):
    """As many lines to write on as the page has room for, at least ``FEWEST``."""

    FEWEST = 4

    def __init__(self, word: str) -> None:
        self.word = word

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        fits = int(room // Blank.TALL) if room < ENDLESS / 2 else 0
        self.width, self.height = width, max(self.FEWEST, fits) * Blank.TALL
        return width, self.height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for line in range(round(self.height / Blank.TALL)):
            blank = Blank("" if line else self.word)
            blank.paint(canvas, x, top - line * Blank.TALL, width)


def turns_left(state: State) -> Block:
    """The turns from the one in play to the last, or a dozen where no clock is set."""
    now, end = state.clock.turn, _end(state)
    last = end[1] if end and end[1] >= now else now + OPEN_TURNS - 1
    order = [state.first, state.second]
    here = (now, order.index(state.clock.side))

    def cell(side: str, turn: int) -> Turn:
        at = turn, order.index(side)
        ends = (end[1], order.index(end[0])) if end else None
        if at == here:
            return Turn(word="OVER" if state.outcome else "NOW", marked=True)
        over = at < here or (ends is not None and here <= ends < at)
        return Turn(word="END" if at == ends else "", struck=over)

    sides = [(side, state.setup.side_by_id[side].people) for side in order]
    return [
        TurnTrack(sides, turns, cell, len(turns), 16 * MM)
        for first in range(now, last + 1, IN_ROW)
        if (turns := range(first, min(last, first + IN_ROW - 1) + 1))
    ]


def _end(state: State) -> tuple[str, int] | None:
    """The player turn after which the battle is decided."""
    setup = state.setup
    if setup.ends_after is not None:
        return setup.ends_after.side, setup.ends_after.turn
    moment = moment_of(setup.scenario.victory) if setup.scenario else None
    return (moment.side, moment.turn) if moment else None


def special_rules(state: State) -> Block:
    return section("Special rules", _ruled(state), between=1)


def _ruled(state: State) -> Iterator[Text]:
    setup = state.setup
    if (scenario := setup.scenario) is None:
        return
    for rule in scenario.special_rules:
        yield paragraph(scenario.unmarked(rule.text), SMALL, lead=f"{rule.name}.")
    for kind in scenario.happenings:
        # What is asked was answered, what is reminded of or named is a special rule; tables and
        # states stand among what is to come and what is to be borne in mind.
        if not isinstance(kind, AskAtSetup | Remind | DrawTable | ToggleOnCard) and not kind.rule:
            says = scenario.unmarked(kind.text)
            yield paragraph(says, SMALL, lead=f"{lead(kind, setup.catalog)}.")
    for unit in own_units(scenario, setup.catalog):
        facts = own_unit(unit, setup.catalog, setup.rulings)
        yield paragraph(facts, SMALL, lead=f"{unit.name}.")


def table_lines(state: State) -> Iterator[Text]:
    """What each draw of the tables of the scenario means."""
    scenario, catalog = state.setup.scenario, state.setup.catalog
    for kind in scenario.happenings if scenario else ():
        if isinstance(kind, DrawTable) and not kind.rule:  # else the special rule tells it
            for draw, rows in draws(kind, catalog):
                yield terms([(f"Draw {draw}:", ""), *rows], SMALL)


def elsewhere(state: State) -> str:
    says = "Weapons, moves and checks: see the quick reference."
    if scenario := state.setup.scenario:
        says = f"Map and set-up: see the sheet of scenario {scenario.number}. {says}"
    return says
