"""The back of the play sheet: boxes and tracks to tick, ticked as far as the game has gone. Beside
its boxes each defence has a sentence on what it does while it stands. Numbers without a name are
shares or points, chosen by eye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from skirmish.games.beach_head import phase_words, wording
from skirmish.games.beach_head.ruleset import Defence, DefenceId, Phase, signs
from skirmish.sheets import inks
from skirmish.sheets.beach_head.phases import is_never_played, phases_in_short
from skirmish.sheets.beach_head.printed_game import PrintedGame, rulings_in_full, side_band
from skirmish.sheets.layout import boxes, styles
from skirmish.sheets.layout.blocks import Fields, Head, block
from skirmish.sheets.layout.columns import level_columns
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.grids import CELL_TEXT, Grid, GridCell, GridRow
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import MM, WRITING
from skirmish.tabletop.page import capital

BACK_TITLE = "The beach"
RESULT_FIELDS = (
    ("Player", 0.3),
    ("Date", 0.18),
    ("Taken in turn", 0.17),
    ("Squads lost (the score)", 0.18),
    ("Still ashore", 0.17),
)
"""The fields of the result, each with its share of the width."""
TURN_CELLS = 24
"""The cells of the turn track; few games take longer."""
LOST_BOXES = 120
"""Boxes for squads lost; few games lose more."""
ROWS_OF_DOZENS = 10
"""Rows of the track of squads ashore, each with a dozen numbers."""
SPARE_DITCHES = 10
"""Boxes for the ditches that craters add, where nothing limits these (B15)."""
TANK_BOXES = 10
"""Boxes for each kind of tank."""
BOX_WIDTH = boxes.LEAST_BOX
"""The width of a box in points; its number fits into it."""
BOX_ROW = 4.7 * MM
"""From a row of boxes to the next, a little more than on other sheets."""
FIVES_IN_ROW = 6
"""Fives of boxes in a row beside the name of a defence. Only the bunkers need more than one row."""
DEFENCE_NAME_WIDTH = 20 * MM
TANK_NAME_WIDTH = 25 * MM
_DEFENCE_NAME = Style(HEAD, 10, 11)
_CELL_NUMBER = Style(HEAD, 9, 9, "centre")
_ROW_LABEL = Style(LABEL, 8, 8)
_TANK_NAME = _ROW_LABEL._replace(size=8.6, leading=10)


def back_of_sheet(
    game: PrintedGame, width: float, *, in_short: bool, rulings_on_back: bool
) -> list[Flowable]:
    """The tracks and the result in a column of that width. ``in_short``: with the turn in short;
    ``rulings_on_back``: with the rulings that are not the default."""
    blocks: list[Flowable] = [
        Stack([side_band(game, "2", BACK_TITLE), *_as_it_stands(game)]),
        _defences(game, width),
        level_columns([_squads_ashore(game)], [_squads_lost(game), _tanks(game)], width),
        _turns(game),
    ]
    if in_short:
        phases = phases_in_short(game, width)
        blocks.append(block("The turn in short", "in full on side 1", *phases))
    if rulings_on_back:
        blocks.append(block("Rulings other than the default", "", rulings_in_full(game)))
    blocks.append(block("Result", "", Fields(RESULT_FIELDS, _result(game))))
    return blocks


def _as_it_stands(game: PrintedGame) -> list[Flowable]:
    """What the tracks do not show of a game that has begun, as a paragraph; empty before."""
    state = game.state
    # Turn 0 is before the first turn.
    if state.turn == 0:
        return []
    text = f"{wording.headline(state)}."
    if not state.over:
        text = f"Turn {state.turn}, {state.present_phase.name}. Squads lost: {state.casualties}."
    ashore = [wording.number(state.squads, "squad"), *wording.tanks_ashore(state)]
    if not state.over:
        text += f" Ashore: {', '.join(ashore)}."
    if state.hand:
        text += f" In hand: {signs(sorted(state.hand))}."
    if state.discard and not state.over:
        text += f" Discarded: {signs(sorted(state.discard))}; all other cards are in the deck."
    if state.tanks_lost:
        text += f" Tanks lost: {state.tanks_lost}."
    return [Gap(1.6 * MM), paragraph(text, styles.LEAD, lead="As it stands:")]


def _result(game: PrintedGame) -> tuple[str, ...]:
    """The contents of the ``RESULT_FIELDS``; while the game goes on, all but the player's name are
    empty, to be written in."""
    state, player = game.state, game.setup.player
    if not state.over:
        return (player, "", "", "", "")
    return (
        player,
        game.ended,
        str(state.turn),
        str(state.casualties),
        str(state.squads),
    )


# ------------------------------------------------------------------ boxes


def _boxes(
    codes: Sequence[str],
    *,
    crossed: int,
    field_name: str,
    tooltip: str,
    in_play: int | None = None,
) -> boxes.Boxes:
    """A box for each of the ``codes``: the first ``crossed`` of them are crossed, and those after
    the first ``in_play`` are dashed, since they are still to come; None: all are in play."""
    if in_play is None:
        in_play = len(codes)
    marked = []
    numbered = boxes.numbered_boxes(codes, f"beach-{field_name}", tooltip)
    for index, box in enumerate(numbered):
        marks = boxes.UNMARKED
        if index < crossed:
            marks = boxes.LOST
        elif index >= in_play:
            marks = boxes.TO_COME
        marked.append(box._replace(marks=marks))
    track = boxes.Boxes(marked, BOX_WIDTH)
    track.ROW_HEIGHT = BOX_ROW
    return track


def _defences(game: PrintedGame, width: float) -> Flowable:
    """A line for each defence that this beach has."""
    aside = "cross off from the left: the first open box tells what is left"
    rows = [_defence(game, defence, width) for defence in game.setup.defences]
    return Stack([Head("Defences", aside), *rows])


def _defence(game: PrintedGame, defence: Defence, width: float) -> Flowable:
    """The name of a defence, a box for each of its points, and its effect while it stands, which
    begins where its boxes end."""
    drawn = _defence_boxes(game, defence)
    name = paragraph(defence.name, _DEFENCE_NAME)
    effect = paragraph(_effect_of(game, defence.id), styles.NOTE)
    width_of_five = drawn.width_of_five(BOX_WIDTH) + drawn.BETWEEN + drawn.BETWEEN_FIVES
    # In fives and fractions of one: a five that is not full takes its share of the width.
    fives_taken = min(FIVES_IN_ROW, len(drawn.boxes) / boxes.BOXES_IN_FIVE)
    boxes_left = DEFENCE_NAME_WIDTH
    effect_left = boxes_left + fives_taken * width_of_five + 2 * MM
    cells = [
        Cell(MM, boxes_left - MM, name),
        Cell(boxes_left, FIVES_IN_ROW * width_of_five, drawn),
        Cell(effect_left, width - effect_left, effect),
    ]
    return CellRow(cells, above=1.3 * MM, below=1.3 * MM)


def _defence_boxes(game: PrintedGame, defence: Defence) -> boxes.Boxes:
    """The boxes of a defence. They are numbered downward, so that the first open one shows the
    points left."""
    points, points_left = defence.points, game.state.defences[defence.id]
    codes = [str(number) for number in range(points, 0, -1)]
    # Craters may make more ditches than there were at first (B15): these get boxes without numbers.
    if defence.id == "ditches" and game.setup.most_ditches is None:
        codes += [""] * SPARE_DITCHES
    return _boxes(
        codes,
        # Where craters have made more ditches than there were at first, none is crossed.
        crossed=max(0, points - points_left),
        field_name=defence.id,
        tooltip=f"{defence.name} gone:",
        # Of the spare boxes as many are drawn whole as craters have added ditches so far.
        in_play=max(points, points_left),
    )


def _squads_lost(game: PrintedGame) -> Flowable:
    """A box for each squad lost so far, and for those that may follow."""
    codes = [str(number) for number in range(1, LOST_BOXES + 1)]
    lost = _boxes(codes, crossed=game.state.casualties, field_name="lost", tooltip="Squad lost:")
    return block("Squads lost", "the score", lost)


def _tanks(game: PrintedGame) -> Flowable:
    """A row for each kind of tank ashore; some kinds land as another, and have no row."""
    rows = []
    for tank in game.ruleset.tank:
        if game.setup.landed_as(tank.id) == tank.id:
            rows.append(_tanks_of_kind(game, tank.id))
    return block("Tanks ashore", "tick when it lands, rub out when lost", *rows)


def _tanks_of_kind(game: PrintedGame, kind: str) -> Flowable:
    """The name of a kind of tank, and boxes of which those of tanks ashore are crossed."""
    tank_name = game.ruleset.tank_of(kind).name
    drawn = _boxes(
        [str(number) for number in range(1, TANK_BOXES + 1)],
        crossed=game.state.tanks.count(kind),
        field_name=f"tank-{kind}",
        tooltip=f"{tank_name} ashore:",
    )
    fives = TANK_BOXES // boxes.BOXES_IN_FIVE
    boxes_width = fives * drawn.width_of_five(BOX_WIDTH) + 2 * MM  # with the space between fives
    cells = [
        Cell(0, TANK_NAME_WIDTH, paragraph(tank_name, _TANK_NAME)),
        Cell(TANK_NAME_WIDTH, boxes_width, drawn),
    ]
    return CellRow(cells, above=0, below=1, weight=0)


# ------------------------------------------------------------------ effects of the defences

# What a defence does while it stands is read off the phases of the ruleset, so that a sentence
# cannot differ from what is played.


def _effect_of(game: PrintedGame, defence: DefenceId) -> str:
    """All effects of a defence in one sentence; empty if it has none. Bunkers and traps are the
    defences that also change the dice."""
    effects = []
    if game.ruleset.defence_of(defence).wins:
        effects.append("must be gone to win")
    for phase in game.ruleset.phase:
        if phase.skipped_without == defence:
            effects.append(f"none left: no {phase.name.lower()} phase")
        if defence == "bunkers":
            effects += _modifiers_by_bunkers(game, phase)
    if defence == "traps":
        effects += _modifiers_by_traps(game)
    effects += _barred_targets(game, defence)
    if not effects:
        return ""
    return f"{capital('; '.join(effects))}."


def _modifiers_by_bunkers(game: PrintedGame, phase: Phase) -> Iterator[str]:
    """What is added to the dice of a phase when half of the bunkers or all of them are gone."""
    for step in phase.step:
        modifiers = phase_words.bunker_modifiers(game.first_state, step.modifiers)
        adds = phase_words.modifiers_in_words(modifiers)
        if adds:
            yield f"{phase.name.lower()} {adds}"


def _modifiers_by_traps(game: PrintedGame) -> Iterator[str]:
    """What traps take from the dice of several phases, as one effect."""
    phases_with_modifiers = []
    for phase in _phases_played(game).values():
        for step in phase.step:
            if step.modifiers.traps:
                phases_with_modifiers.append(f"{phase.name.lower()} {step.modifiers.traps:+d}")
    if phases_with_modifiers:
        yield f"while any is left: {', '.join(phases_with_modifiers)}"


def _barred_targets(game: PrintedGame, defence: DefenceId) -> Iterator[str]:
    """The targets that a defence protects, and from which phases: ``keeps phases 4, 6 off the
    walls``. Targets that it protects from the same phases share an effect."""
    targets_by_phases: dict[tuple[str, ...], list[str]] = {}
    for target, barred_phases in _barred_phases(game, defence).items():
        targets_by_phases.setdefault(tuple(barred_phases), []).append(target)
    for phases, targets in targets_by_phases.items():
        noun = "phase"
        if len(phases) > 1:
            noun = "phases"
        names = [wording.defence_name(game.setup, target) for target in targets]
        yield f"keeps {noun} {', '.join(phases)} off the {' and '.join(names)}"


def _barred_phases(game: PrintedGame, defence: DefenceId) -> dict[DefenceId, list[str]]:
    """The numbers of the phases that a defence bars, by the target that it protects from them."""
    phases_by_target: dict[DefenceId, list[str]] = {}
    for number, phase in _phases_played(game).items():
        for step in phase.step:
            if defence in game.first_state.bars_of(phase, step):
                # A step that a defence bars has a single target.
                phases_by_target.setdefault(step.targets[0], []).append(str(number))
    return phases_by_target


def _phases_played(game: PrintedGame) -> dict[int, Phase]:
    """The phases that this beach has, by their numbers in the rules."""
    phases = {}
    for number, phase in enumerate(game.ruleset.phase, 1):
        if not is_never_played(game, phase):
            phases[number] = phase
    return phases


# ------------------------------------------------------------------ tracks


def _squads_ashore(game: PrintedGame) -> Flowable:
    """A cell for each number of squads, a dozen in a row; the present number is ringed."""
    rows = [_row_of_a_dozen(game, full_dozens) for full_dozens in range(ROWS_OF_DOZENS)]
    aside = f"before each row: what its dozens of {game.ruleset.dozen} add"
    return block("Squads ashore", aside, Grid(rows, label_width=13 * MM, row_height=5.2 * MM))


def _row_of_a_dozen(game: PrintedGame, full_dozens: int) -> GridRow:
    """The numbers of squads with so many full dozens. The label of the row is what these add to the
    dice."""
    ringed_number = None
    # Before the first turn no number is ringed.
    if game.state.turn > 0:
        ringed_number = game.state.squads
    field = FormField("choose-beach-squads", "Squads ashore")
    dozen = game.ruleset.dozen
    cells = []
    for number in range(full_dozens * dozen, (full_dozens + 1) * dozen):
        text, is_ringed = str(number), number == ringed_number
        cells.append(GridCell(text, CELL_TEXT, ringed=is_ringed, field=field, value=text))
    adds, ink = "0", inks.QUIET
    if full_dozens > 0:
        adds, ink = f"{full_dozens * _modifier_per_dozen(game):+d}", inks.ACCENT
    is_odd = full_dozens % 2 == 1
    return GridRow(adds, _CELL_NUMBER._replace(ink=ink), cells, tinted=is_odd)


def _modifier_per_dozen(game: PrintedGame) -> int:
    """What each dozen of squads adds to the dice: the same in all phases where it adds anything."""
    per_dozen = 0
    for phase in game.ruleset.phase:
        for step in phase.step:
            per_dozen = max(per_dozen, step.modifiers.per_dozen)
    return per_dozen


def _turns(game: PrintedGame) -> Flowable:
    """The turn track. The turns from which on all phases are played stand out."""
    late_from = max(phase.from_turn for phase in game.ruleset.phase)
    late_phases = [
        phase.name.lower() for phase in game.ruleset.phase if phase.from_turn == late_from
    ]
    # What landed and was lost in which turn is known from a journal only.
    landed, lost = None, None
    if game.counts is not None:
        landed, lost = game.counts.squads_landed, game.counts.squads_lost
    rows = [
        _turn_numbers(game, late_from),
        _craft_hit(game),
        _squads_by_turn(game, "landed", landed),
        _squads_by_turn(game, "lost", lost),
    ]
    aside = f"craft hit: felt in the next turn; from turn {late_from} on: {', '.join(late_phases)}"
    return block("Turns", aside, Grid(rows, label_width=21 * MM, row_height=WRITING))


def _finished_turns(game: PrintedGame) -> int:
    """How many turns are over: the one in progress is not, but the last one of a game is."""
    if game.state.over:
        return game.state.turn
    return game.state.turn - 1


def _turn_numbers(game: PrintedGame, late_from: int) -> GridRow:
    """The numbers of the turns: those that are over are ticked, the one in progress is ringed, and
    those from ``late_from`` on stand out."""
    cells = []
    for turn in range(1, TURN_CELLS + 1):
        ink = inks.BLACK
        if turn >= late_from:
            ink = inks.ACCENT
        cells.append(
            GridCell(
                str(turn),
                _CELL_NUMBER._replace(ink=ink),
                ticked=turn <= _finished_turns(game),
                ringed=turn == game.state.turn and not game.state.over,
                field=FormField(f"tick-beach-turn-{turn}", f"Turn {turn}: over"),
            )
        )
    return GridRow("Turn", _ROW_LABEL, cells)


def _craft_hit(game: PrintedGame) -> GridRow:
    """The row of landing craft hit: a tick at each turn in which some were hit."""
    state = game.state
    if game.counts is not None:
        hits: dict[int, int] = game.counts.craft_hit
    else:
        # The state itself has the hits of two turns only.
        hits = {state.turn: state.craft_hit, state.turn - 1: state.craft_hit_before}
    cells = []
    for turn in range(1, TURN_CELLS + 1):
        field = FormField(f"tick-beach-craft-{turn}", f"Turn {turn}: landing craft hit")
        cells.append(GridCell(ticked=hits.get(turn, 0) > 0, field=field))
    return GridRow("Craft hit", _ROW_LABEL, cells)


def _squads_by_turn(game: PrintedGame, verb: str, counts: Counter[int] | None) -> GridRow:
    """The squads ``landed`` or ``lost`` (the ``verb``) in each turn that is over, if they were
    counted; all other cells are to write in."""
    cells = []
    for turn in range(1, TURN_CELLS + 1):
        if counts is not None and turn <= _finished_turns(game):
            cells.append(GridCell(str(counts[turn])))
        else:
            name = f"write-beach-squads-{verb}-{turn}"
            field = FormField(name, f"Turn {turn}: squads {verb}")
            cells.append(GridCell(field=field, to_write=True))
    return GridRow(f"Squads {verb}", _ROW_LABEL, cells, faint=True)
