"""The rosters of a battle as they stand: both sides one after the other, losses struck out."""

from __future__ import annotations

from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import break_alarm, side_strength
from skirmish.games.plastic.battle.view import view
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.sheets.band import Fact, Facts, TitleBand
from skirmish.sheets.flow import Pages, Part, Title, bound
from skirmish.sheets.ink import ACCENT, SIDES, InkUse, SideInk
from skirmish.sheets.marks import Head, box_width
from skirmish.sheets.own_notes import fill
from skirmish.sheets.paper import GAP, MM, Leaf, leaf
from skirmish.sheets.piece import Gap, Piece
from skirmish.sheets.roster_boxes import NONE, MarkedBoxes, Marks, key_of
from skirmish.sheets.roster_state import Group, enters, every_mark, groups, widest_box
from skirmish.sheets.roster_units import STANDING, Grid, firing_table, notes, sharing, ticked
from skirmish.sheets.words import ASIDE, COUNT, FORCE, SMALL, Words

GAME = "WWII Plastic Skirmish"
_GONE: Marks = frozenset({"lost"})


def pages(state: State, paper: str, use: InkUse) -> bytes:
    """Both rosters as one PDF, each from a page of its own on."""
    seen = view(state, None)
    page = leaf(paper)
    parts = [
        _roster(seen, side, look, page) for side, look in zip(seen.setup.sides, SIDES, strict=True)
    ]
    name = f"{state.setup.title}: rosters as they stand"
    return bound(parts, Title(name, "Skirmish", f"{GAME}: rosters of a battle"), use)


def _roster(state: State, side: Side, look: SideInk, page: Leaf) -> Part:
    made = Pages(page)
    width = page.measure
    found = groups(state, side.id, firing=False)
    nation = state.nation_of(side.id)
    firing = Firing(state.setup.catalog, state.setup.rulings, nation)
    flow: list[Piece] = [_band(state, side), Gap(1.6 * MM), _facts(state, side), Gap(GAP)]
    flow += _units(found, firing, look, width)
    if works := works_left(state, side):
        flow += [
            Head("Works left", "do not count as losses", look.ink),
            Gap(MM),
            Words(works),
            Gap(GAP),
        ]
    units = {row.row.unit.id: row.row.unit for group in found for row in group.rows}
    flow += firing_table(state.setup.catalog, firing, units.values(), width)
    if track := track_of_losses(state, side):
        flow += [*track, Gap(GAP)]
    flow += notes(units.values())
    fill(made, made.pour(flow, page.margin, width, made.start))
    turn = f"turn {state.clock.turn}"
    footer = " · ".join(("Roster as it stands", state.setup.title, side.people, turn, GAME))
    return Part(made, side.people, footer)


def _band(state: State, side: Side) -> Piece:
    nation, quality = state.nation_of(side.id), state.quality_of(side.id)
    traits = nation.name if nation else "Without nationalities"
    troops = f"{quality.name} troops" if quality else "Without force quality"
    first, second = traits, troops
    if side.player:
        first, second = f"Commanded by {side.player}", f"{traits}, {troops[:1].lower()}{troops[1:]}"
    last = f"{state.setup.title} · roster as it stands"
    turn = str(state.clock.turn)
    return TitleBand("Turn", turn, side.name.upper(), first=first, second=second, last=last)


def _facts(state: State, side: Side) -> Piece:
    own = [piece for piece in state.pieces() if piece.side == side.id and state.is_up(piece.id)]
    figures = sum(state.setup.unit(state.unit_of(piece.id)).is_guy for piece in own)
    whole, lost = side_strength(state, side.id), state.loss.get(side.id, 0)
    at = break_alarm(state, side.id)
    facts = [
        Fact("Figures left", str(figures)),
        Fact("Models left", str(len(own) - figures)),
        Fact("Potential dead guys", str(whole)),
        Fact("Lost", str(lost), ACCENT),
        Fact("Half of the strength" if not side.breaks else "Beaten at a loss of", str(at)),
    ]
    return Facts(facts)


def _units(found: list[Group], firing: Firing, look: SideInk, width: float) -> list[Piece]:
    grid, box = Grid(width, STANDING), widest_box(found)
    head = grid.heads()
    lines: list[Piece] = [Head("Units", "as they stand", look.ink), head]
    for group in found:
        if len(found) > 1:
            name = Words(group.contingent.name, FORCE)
            name.keep = True
            lines += [Gap(2), name]
            if any("to come" in marks for row in group.rows for marks in row.marks):
                note = Words(enters(group.contingent), ASIDE)
                note.keep = True
                lines.append(note)
        for standing in group.rows:
            row = standing.row
            left = Words(f"{len(row.alive)} of {row.total}", COUNT)
            stats = grid.unit(row.unit, firing, [left])
            lines += ticked(stats, standing.boxes(box), width, head)
    units = {row.row.unit.id: row.row.unit for group in found for row in group.rows}
    lines += sharing(units.values())
    return [*lines, *key_of(every_mark(found), box), Gap(GAP)]


def works_left(state: State, side: Side) -> str:
    """``2 sandbags, 4 barbed wire of 6``; empty where a side never had any."""
    catalog = state.setup.catalog
    left = state.works.get(side.id, {})
    told = []
    for work, had in side.works.items():
        if had:
            has = left.get(work, 0)
            begun = f" of {had}" if has < had else f" ({had} to begin with)" if has > had else ""
            told.append(f"{catalog.works[work].name}: {has}{begun}")
    return ". ".join(told) + "." if told else ""


def track_of_losses(state: State, side: Side, *, aside: str = "") -> list[Piece]:
    """A box for each potential dead guy up to the loss that beats the side, those lost struck; none
    where the break point is not played or nothing counts."""
    at, lost = break_alarm(state, side.id), state.loss.get(side.id, 0)
    if not side.breaks or not side_strength(state, side.id):
        return []
    codes = [str(n) if n % 5 == 0 or n == at else "" for n in range(1, at + 1)]
    marks = [_GONE if n <= lost else NONE for n in range(1, at + 1)]
    strength = state.setup.catalog.strength
    says = f"Strike {strength.guy} for a guy, {strength.model} for a model lost."
    boxes = MarkedBoxes(codes, box_width(codes), marks)
    head = Head("Loss track", aside or f"{lost} lost, beaten at {at}")
    return [head, Gap(1 * MM), Words(says, SMALL), Gap(1.2), boxes]
