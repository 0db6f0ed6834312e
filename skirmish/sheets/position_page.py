"""The page of a position: the moment on top, the turns left, both sides beside one another; below
them the rules of the scenario and what is still to come."""

from __future__ import annotations

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.sheets.band import TitleBand
from skirmish.sheets.flow import Column, Pages, Title
from skirmish.sheets.ink import SIDES, InkUse
from skirmish.sheets.marks import box_width
from skirmish.sheets.paper import GAP, GUTTER, MM, leaf
from skirmish.sheets.piece import Gap, Piece
from skirmish.sheets.position_rules import special_rules
from skirmish.sheets.position_shared import known, stands, to_come, to_write, turns_left
from skirmish.sheets.position_side import side_block
from skirmish.sheets.roster_boxes import key_of
from skirmish.sheets.roster_state import every_mark, groups

GAME = "WWII Plastic Skirmish"


def pages(play: BattlePlay, paper: str, use: InkUse) -> bytes:
    """The position as a PDF."""
    state, page = play.state, leaf(paper)
    made = Pages(page)
    x, width = page.margin, page.measure
    half = (width - GUTTER) / 2
    beyond = x + half + GUTTER
    top: list[Piece] = [_band(state), Gap(GAP), stands(play), Gap(GAP)]
    everybody = [one for side in state.setup.sides for one in groups(state, side.id, firing=True)]
    top += [*turns_left(state), Gap(0.6 * MM), *key_of(every_mark(everybody), box_width([]))]
    top.append(Gap(GAP))
    spot = made.pour(top, x, width, made.start)
    left, right = (
        side_block(state, side, look, half)
        for side, look in zip(state.setup.sides, SIDES, strict=True)
    )
    spot = made.side_by_side([Column(left, x, half), Column(right, beyond, half)], spot)
    spot = made.pour([Gap(GAP)], x, width, spot)
    below = [
        Column(column, at, half) for column, at in zip(_below(state), (x, beyond), strict=True)
    ]
    spot = made.side_by_side(below, spot)
    made.pour([Gap(GAP), *to_write(state, spot.top - page.bottom - GAP)], x, width, spot)
    turn = f"turn {state.clock.turn}, phase {state.clock.phase}"
    title = Title(f"{state.setup.title}: {turn}", "Skirmish", f"{GAME}: battle position")
    return made.pdf(title, " · ".join(("Position", state.setup.title, turn, GAME)), use)


def _below(state: State) -> tuple[list[Piece], list[Piece]]:
    """Special rules beside what is to be borne in mind and what is still to come; where there are
    none, these two beside one another."""
    rules, mind, come = special_rules(state), known(state), to_come(state)
    if not rules:
        return mind, come
    return rules, [*mind, Gap(GAP), *come] if come else mind


def _band(state: State) -> Piece:
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
