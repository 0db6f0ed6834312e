"""The loss tracks of rosters: of an army before a battle, of a side in a battle, and of a blank
roster. Players tick a box for each potential dead guy that they lose."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import section
from skirmish.sheets.layout.boxes import LOST, UNMARKED, Box, Boxes, box_width, numbered_boxes
from skirmish.sheets.layout.flow import (
    Flowable,
    with_next,
)
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.text import paragraph

MOST_BOXES = 1000
"""In a longer loss track each box stands for several losses."""
NUMBERED_EVERY = 5
"""The last of so many boxes has its number in it."""
TRACKED_LOSSES = 105
"""Boxes of a blank track; no usual army is beaten later."""
IN_ROW = 15
"""Boxes in a row of a blank track."""


def loss_track_of_army(army: Army, growth: float = 1.0) -> list[Flowable]:
    """The track of an army: a box for each potential loss up to the one that beats it, which is
    framed. In a long track a box stands for several losses. ``growth``: the factor for the
    boxes."""
    if not army.strength:
        return section("Loss track", [paragraph("The army is empty.")])
    end = army.break_at
    step = _losses_in_box(end)
    # The last box stands for the losses that are left, which may be fewer.
    losses = [*range(step, end, step), end]
    codes = _track_codes(losses)
    boxes = []
    for number, (loss, code) in enumerate(zip(losses, codes, strict=True), 1):
        boxes.append(Box(code, field=FormField(f"tick-losses-{number}", f"Loss {loss}")))
    text = f"Beaten at {end} of {army.strength}."
    if step > 1:
        text += f" Each box is {step}."
    track = Boxes(boxes, box_width(codes, growth), inks.ACCENT, growth=growth)
    return loss_boxes(track, army.catalog, f"beaten at {end}", text)


def _losses_in_box(end: int) -> int:
    """How many losses a box stands for: of 1, 5, 10, 50, 100 and so on the least with which a track
    to ``end`` is not too long."""
    unit = 1
    while True:
        for losses in (unit, 5 * unit):
            if end <= losses * MOST_BOXES:
                return losses
        unit *= 10


def loss_track_of_side(state: State, side: Side, growth: float = 1.0) -> list[Flowable]:
    """The track of a side in a battle: a box for each potential dead guy up to the loss that beats
    it, with its losses struck out. Empty where the break point is not played or the side has no
    strength; ``growth``: the factor for the boxes."""
    if not side.breaks or not side_strength(state, side.id):
        return []
    break_point, lost = breaking_loss(state, side.id), state.loss.get(side.id, 0)
    losses = range(1, break_point + 1)
    codes = _track_codes(losses)
    boxes = []
    for number, code in zip(losses, codes, strict=True):
        if number <= lost:
            boxes.append(Box(code, LOST))
        else:
            tooltip = f"{side.people}: loss {number}"
            boxes.append(Box(code, UNMARKED, FormField(f"tick-{side.id}-losses-{number}", tooltip)))
    track = Boxes(boxes, box_width(codes, growth), growth=growth)
    return loss_boxes(track, state.setup.catalog, f"{lost} lost, beaten at {break_point}")


def blank_loss_track(width: float, catalog: Catalog) -> list[Flowable]:
    """A track to be used for any army, in rows of ``IN_ROW`` boxes as large as ``width`` allows."""
    spaces = (IN_ROW // NUMBERED_EVERY - 1) * Boxes.BETWEEN_FIVES
    # The boxes are square: as wide as a row allows, and as high.
    growth = (width - spaces) / IN_ROW / Boxes.TALL
    codes = _track_codes(range(1, TRACKED_LOSSES + 1))
    boxes = Boxes(numbered_boxes(codes, "losses", "Loss"), box_width(codes, growth), growth=growth)
    return loss_boxes(boxes, catalog, hint="Ring the box that beats you.")


def _track_codes(losses: Sequence[int]) -> list[str]:
    """What stands in the boxes of a track, of which each reaches to one of these ``losses``: that
    number in every fifth box and in the last, nothing in the others."""
    codes = []
    for number, loss in enumerate(losses, 1):
        code = ""
        if number % NUMBERED_EVERY == 0 or number == len(losses):
            code = str(loss)
        codes.append(code)
    return codes


def loss_boxes(boxes: Boxes, catalog: Catalog, aside: str = "", hint: str = "") -> list[Flowable]:
    """The loss track below its head; ``hint``: a sentence after the one that says what to tick."""
    strength = catalog.strength
    text = f"Tick {strength.guy} for a guy, {strength.model} for a model lost. {hint}"
    rule = with_next(paragraph(text, styles.SMALL))
    return section("Loss track", [rule, boxes], aside, between=1.2)
