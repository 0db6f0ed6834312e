"""The document of markers, tags and templates to cut out, at true scale and never fitted to the
paper. Numbers without a name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.battle.state import PHASES
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets import inks
from skirmish.sheets.cut_pages import SMALL_WORD, CutPageHead, CutSize, cut_rows
from skirmish.sheets.layout.columns import SideBySide
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Cell, Flowable, Gap, NewPage, Stack, depth
from skirmish.sheets.layout.fonts import LABEL, TITLE
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import GAP, INCH, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.state_markers import MARKER_SIZE, MARKERS_IN_ROW, all_markers, draw_marker
from skirmish.sheets.tags import TAG_SIZE, draw_tag, tags_of
from skirmish.sheets.templates import (
    WORK_LENGTH,
    Foxhole,
    RingTemplate,
    Sandbags,
    StickPart,
    Sticks,
    Wire,
)
from skirmish.tabletop.measure import inches

TURNS_IN_ROW = 10
"""How many turns of the track stand in a row: as many as fit the width of either paper."""
TURN_SIZE = CutSize(0.72 * INCH, 0.55 * INCH)
"""The size of a turn of the track."""
PHASE_SIZE = CutSize(1.8 * INCH, 0.8 * INCH)
"""The size of a phase of the track."""
TAGS_IN_ROW = 11
"""How many tags stand in a row: as many as fit the width of either paper."""
STICKS = {6: 6, 12: 6, 24: 8, 36: 9}
"""The range sticks: by the distance that each measures, the length of its pieces, both in inches.
No piece is longer than the paper."""
SOME_WORKS = {"entrenchment": 6, "sandbags": 2, "barbed_wire": 12}
"""How many works of each type are printed where neither the user nor an army sets the number: they
fill a page."""
SET_DOWN_WITHIN = 3
"""Within how many inches of a vehicle passengers get out of it and into it: "within 3in" [78]."""
_PHASE_NAME = Style(LABEL, 10.5, 10.5)
_TRACK_NUMBER = Style(TITLE, 17, 17, "centre")


@as_pdf
def markers_pdf(
    leaf: Leaf,
    army: Army | None = None,
    *,
    works: Mapping[str, int] | None = None,
    catalog: Catalog | None = None,
    revision: str | None = None,
) -> PdfDocument:
    """Markers, tags, works, range sticks and rings to cut out.

    The tags have the codes of ``army``; without an army there are some tags of every type.
    ``works``: how many of each to print, by id; without these, as many as the army has, or else
    some of each. ``revision``: that of the data, for the footer; None: of the data installed here;
    empty: the footer has none.

    The document asks to be printed unscaled, and every page has rulers to check that.
    """
    if catalog is None:
        catalog = library.catalog()
    tags = _tags(catalog, army)
    works_to_cut = _works(_needed_works(army, works), leaf.measure)
    # The works follow the tags on the same page if both fit it. If not, they begin a page: they are
    # as long as in play, and what is left of a page rarely has room for them.
    if works_to_cut and depth([*tags, *works_to_cut], leaf.measure) > leaf.depth:
        works_to_cut = [NewPage("Works"), *works_to_cut]
    story = [
        *_markers(catalog),
        NewPage("Tags"),
        *tags,
        *works_to_cut,
        NewPage("Range sticks"),
        *_sticks(catalog),
        NewPage("Rings"),
        *_rings(catalog),
    ]
    part = SheetPart(leaf, story, "Markers", "Markers and templates", GAME, revision=revision)
    return PdfDocument(f"{GAME}: markers and templates", "To cut out, at true scale", [part])


def _needed_works(army: Army | None, works: Mapping[str, int] | None) -> Mapping[str, int]:
    """How many works of each id are printed: those asked for, those of the army, or some."""
    if works is not None:
        return works
    if army is not None:
        return army.army_list.works
    return SOME_WORKS


def _markers(catalog: Catalog) -> list[Flowable]:
    """The markers to cut out, and below them the track of turns and phases that they go on."""
    last = catalog.basic_game.last_turn
    turns = [TrackTurn(turn, is_last=turn == last) for turn in range(1, last + 1)]
    phases = [TrackPhase(number, name) for number, name in enumerate(PHASES.values(), 1)]
    text = "Print on card and cut along the thin lines. The turn markers go on the track below."
    return [
        CutPageHead("Markers", text),
        *cut_rows(draw_marker, all_markers(), MARKER_SIZE, MARKERS_IN_ROW),
        Gap(5 * MM),
        *cut_rows(_draw_turn, turns, TURN_SIZE, TURNS_IN_ROW, has_cut_lines=False),
        Gap(2 * MM),
        *cut_rows(_draw_phase, phases, PHASE_SIZE, len(PHASES), has_cut_lines=False),
    ]


class TrackTurn(NamedTuple):
    """A turn of the track."""

    number: int
    is_last: bool


def _draw_turn(canvas: Canvas, turn: TrackTurn, x: float, y: float) -> None:
    """The number of a turn in a frame; the last turn says so, in the accent."""
    width, height = TURN_SIZE
    ink, weight = inks.BLACK, NORMAL
    if turn.is_last:
        ink, weight = inks.ACCENT, 2
    canvas.pen(ink, weight)
    canvas.rect(x + 2, y + 2, width - 4, height - 4, fill=0)
    write(canvas, x + width / 2, y + 12.5, str(turn.number), _TRACK_NUMBER._replace(ink=ink))
    if turn.is_last:
        write(canvas, x + width / 2, y + 5.2, "LAST", SMALL_WORD._replace(ink=ink), track=0.6)


class TrackPhase(NamedTuple):
    """A phase of the track, by its number and its name."""

    number: int
    name: str


def _draw_phase(canvas: Canvas, phase: TrackPhase, x: float, y: float) -> None:
    """The number and the name of a phase in a frame, which is heavy if the mover acts in it."""
    width, height = PHASE_SIZE
    weight = NORMAL
    # The sides act in turn: the mover in the odd phases, the other side in the even ones.
    mover_acts = phase.number % 2 == 1
    if mover_acts:
        weight = 2
    canvas.pen(inks.BLACK, weight)
    canvas.rect(x + 2, y + 2, width - 4, height - 4, fill=0)
    write(canvas, x + 9, y + height - 20, str(phase.number), _TRACK_NUMBER._replace(align="left"))
    write(canvas, x + 26, y + height - 18, phase.name, _PHASE_NAME)


def _tags(catalog: Catalog, army: Army | None) -> list[Flowable]:
    """The tags below their heading."""
    which = "Some of each type"
    if army is not None:
        which = f"The codes of {army.army_list.name}"
    text = f"{which}, as on rosters and screen. Guys are rounded, armored models heavily framed."
    heading = CutPageHead("Tags", text)
    rows = cut_rows(draw_tag, list(tags_of(catalog, army)), TAG_SIZE, TAGS_IN_ROW)
    return _below_heading(heading, rows)


def _works(counts: Mapping[str, int], width: float) -> list[Flowable]:
    """The works below their heading: wire stands beside the others. Empty if there are none."""
    wire, entrenchments = counts.get("barbed_wire", 0), counts.get("entrenchment", 0)
    # An entrenchment is a foxhole or a sandbag line: half of them are printed as each, and the one
    # left over from an odd number as a foxhole.
    entrenched_by_sandbags = entrenchments // 2
    foxholes = entrenchments - entrenched_by_sandbags
    sandbags = entrenched_by_sandbags + counts.get("sandbags", 0)
    works: list[Flowable] = [Foxhole() for _ in range(foxholes)]
    works += [Sandbags() for _ in range(sandbags)]
    if not works and not wire:
        return []

    text = f"Each is {inches(WORK_LENGTH / INCH)} long."
    if entrenchments:
        text += " An entrenchment is a foxhole or a sandbag line."
    cells = []
    wire_left = 0.0
    if works:
        cells.append(Cell(0, WORK_LENGTH, Stack(_spaced(works))))
        wire_left = WORK_LENGTH + 5 * MM
    if wire:
        room = width - wire_left
        cells.append(Cell(wire_left, room, Stack(_coils(wire, room))))
    return [Gap(GAP), *_below_heading(CutPageHead("Works", text), [SideBySide(cells)])]


def _below_heading(heading: CutPageHead, rows: Sequence[Drawing]) -> list[Flowable]:
    """The heading and the rows below it. Where these go on to another page, the heading stands
    above them there too."""
    for row in rows:
        row.head = heading
    return [heading, *rows]


def _spaced(works: Sequence[Flowable]) -> Iterator[Flowable]:
    """The works with a gap below each, along which they are cut apart."""
    for work in works:
        yield work
        yield Gap(2.2)


def _coils(count: int, width: float) -> Iterator[Wire]:
    """So many pieces of wire in rows, as many in a row as there is room for."""
    in_row = int(width // Wire.WIDE)
    for in_rows_above in range(0, count, in_row):
        yield Wire(min(in_row, count - in_rows_above))


def _sticks(catalog: Catalog) -> list[Flowable]:
    """The range sticks in pieces, each with the weapons that reach as far as the stick."""
    parts = []
    for distance, piece_length in STICKS.items():
        label = _weapons_reaching(catalog, distance)
        for begin in range(0, distance, piece_length):
            parts.append(StickPart(distance, begin, begin + piece_length, label))
    text = "Cut out the pieces and glue each onto the flap of the previous one, edge to edge."
    return [CutPageHead("Range sticks", text), Sticks(parts)]


def _weapons_reaching(catalog: Catalog, distance: int) -> str:
    """What stands on a stick: the names of the weapons that reach so many inches."""
    names = []
    for weapon in catalog.weapons.values():
        # A weapon with another reach at guys is named on the sticks of both.
        if weapon.range == distance:
            names.append(weapon.name)
        elif weapon.guys and weapon.guys.range == distance:
            names.append(f"{weapon.name} at guys")
    return f"Reach of {', '.join(names)}"


def _rings(catalog: Catalog) -> list[Flowable]:
    """The quarter ring for repeat fire, and the half ring around a vehicle."""
    fire = catalog.fire
    # ``exact``: the distance up to which the man aimed at is the one who dies.
    repeat, exact = inches(fire.repeat_within), inches(fire.exact_within)
    unload = inches(SET_DOWN_WITHIN)
    quarter_ring = RingTemplate(
        fire.repeat_within,
        title=f"REPEAT FIRE WITHIN {repeat.upper()}",
        text="Put the corner on the first man who was hit, with a machine gun on the last: anyone "
        "the edge covers may be next, if he is in range and sight and was not shot at before. "
        f"Within {exact} of the shooter, the man aimed at dies.",
        inner=fire.exact_within,
        inside=f"THE MAN AIMED AT DIES WITHIN {exact.upper()}",
    )
    half_ring = RingTemplate(
        SET_DOWN_WITHIN,
        title=f"IN AND OUT WITHIN {unload.upper()}",
        text=f"Lay the straight edge along the vehicle: passengers get out within {unload} of it, "
        "touching no enemy, and start the turn there to get in.",
    )
    text = "Cut along the outer lines: a quarter ring around a man, half a ring for a vehicle."
    return [CutPageHead("Rings", text), quarter_ring, Gap(8 * MM), half_ring]
