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
from skirmish.sheets.layout.boxes import (
    BOXES_IN_FIVE,
    LOST,
    UNMARKED,
    Box,
    Boxes,
    box_width,
    numbered_boxes,
)
from skirmish.sheets.layout.flow import Flowable, with_next
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.text import paragraph

MOST_BOXES = 1000
"""The most boxes of an army's track. Where only a higher loss beats the army, each box stands for
several losses."""
NUMBERED_EVERY = 5
"""The last of so many boxes has its number in it."""
TRACKED_LOSSES = 105
"""The boxes of a blank track, one for each loss; no usual army is beaten later."""
BOXES_IN_ROW = 15
"""Boxes in a row of a blank track."""


def loss_track_of_army(army: Army, growth: float = 1.0) -> list[Flowable]:
    """The track of an army: a box for each potential loss up to the one that beats it, which is
    framed. In a long track a box stands for several losses. ``growth``: the factor for the
    boxes."""
    if not army.strength:
        return section("Loss track", [paragraph("The army is empty.")])
    beaten_at = army.break_at
    losses_in_box = _losses_in_box(beaten_at)
    # The loss at which each box is full. The last box may stand for fewer losses than the others.
    losses = [*range(losses_in_box, beaten_at, losses_in_box), beaten_at]
    codes = _track_codes(losses)
    boxes = []
    for number, (loss, code) in enumerate(zip(losses, codes, strict=True), 1):
        boxes.append(Box(code, field=FormField(f"tick-losses-{number}", f"Loss {loss}")))
    text = f"Beaten at {beaten_at} of {army.strength}."
    if losses_in_box > 1:
        text += f" Each box is {losses_in_box}."
    track = Boxes(boxes, box_width(codes, growth), ink_of_last=inks.ACCENT, growth=growth)
    return loss_section(track, army.catalog, f"beaten at {beaten_at}", text)


def _losses_in_box(beaten_at: int) -> int:
    """How many losses a box stands for: of 1, 5, 10, 50, 100 and so on the least with which a track
    to the loss ``beaten_at`` is not too long."""
    power_of_ten = 1
    while True:
        for losses in (power_of_ten, 5 * power_of_ten):
            if beaten_at <= losses * MOST_BOXES:
                return losses
        power_of_ten *= 10


def loss_track_of_side(state: State, side: Side, growth: float = 1.0) -> list[Flowable]:
    """The track of a side in a battle: a box for each potential dead guy up to the loss that beats
    it, with its losses struck out. Empty where the break point is not played or the side has no
    strength; ``growth``: the factor for the boxes."""
    if not side.breaks or not side_strength(state, side.id):
        return []
    beaten_at, lost = breaking_loss(state, side.id), state.loss.get(side.id, 0)
    losses = range(1, beaten_at + 1)
    codes = _track_codes(losses)
    boxes = []
    for loss, code in zip(losses, codes, strict=True):
        if loss <= lost:
            boxes.append(Box(code, LOST))
        else:
            field = FormField(f"tick-{side.id}-losses-{loss}", f"{side.people}: loss {loss}")
            boxes.append(Box(code, UNMARKED, field))
    track = Boxes(boxes, box_width(codes, growth), growth=growth)
    return loss_section(track, state.setup.catalog, f"{lost} lost, beaten at {beaten_at}")


def blank_loss_track(width: float, catalog: Catalog) -> list[Flowable]:
    """A track to be used for any army, in rows of ``BOXES_IN_ROW`` boxes as large as ``width``
    allows."""
    spaces = (BOXES_IN_ROW // BOXES_IN_FIVE - 1) * Boxes.BETWEEN_FIVES
    # The boxes are square: as wide as a row allows, and as high.
    side_of_box = (width - spaces) / BOXES_IN_ROW
    growth = side_of_box / Boxes.TALL
    codes = _track_codes(range(1, TRACKED_LOSSES + 1))
    boxes = Boxes(numbered_boxes(codes, "losses", "Loss"), box_width(codes, growth), growth=growth)
    return loss_section(boxes, catalog, hint="Ring the box that beats you.")


def _track_codes(losses: Sequence[int]) -> list[str]:
    """What stands in the boxes of a track, each of which is full at one of these ``losses``: in
    every fifth box and in the last that number, in the others nothing."""
    codes = []
    for number, loss in enumerate(losses, 1):
        code = ""
        if number % NUMBERED_EVERY == 0 or number == len(losses):
            code = str(loss)
        codes.append(code)
    return codes


def loss_section(boxes: Boxes, catalog: Catalog, aside: str = "", hint: str = "") -> list[Flowable]:
    """A loss track below its head and the sentence that says how many boxes to tick. ``aside``: the
    words beside the head; ``hint``: a sentence after that one."""
    strength = catalog.strength
    text = f"Tick {strength.guy} for a guy, {strength.model} for a model lost. {hint}"
    what_to_tick = with_next(paragraph(text, styles.SMALL))
    return section("Loss track", [what_to_tick, boxes], aside, between=1.2)
