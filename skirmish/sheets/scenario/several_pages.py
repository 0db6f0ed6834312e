"""A scenario sheet that does not fit on one page: on the two sides of a leaf, or in sequence over
as many pages as it takes, which only a scenario of one's own may need."""

from __future__ import annotations

from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import RuleHead
from skirmish.sheets.layout.flow import Block, Gap, NewPage, Spring, depth
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.scenario.content import (
    ABOVE_TURN_NOTE,
    STEPPED_NOTE,
    balanced,
    each_with_gap_above,
    headed,
    with_gap_above,
)
from skirmish.sheets.scenario.sheet_blocks import (
    ABOVE_FOOT,
    BETWEEN_NOTES,
    EASES,
    Ease,
    SheetBlocks,
)
from skirmish.sheets.scenario.sheet_top import SheetTop

BACK_NAME = "To play"
"""What the back of a leaf is for. The front is for setting up."""
PAGES_OF_LEAF = 2


def two_sides(sheet: SheetBlocks) -> Block | None:
    """The sheet on two sides, set as loosely as possible; None if it does not fit even closely. If
    it can be, the orders of battle stand beside each other, as on one page."""
    for forces_across in (False, True):
        for ease in EASES:
            story = _TwoSides(sheet, ease, forces_across=forces_across).story()
            if story is not None:
                return story
    return None


def in_sequence(sheet: SheetBlocks) -> Block:
    """Everything in order: set as loosely as fits on one leaf; if nothing does, as loosely as is
    tried here, since then close setting gains nothing."""
    # The loosest ease is not tried: with an army of this size it never fits on a leaf, and without
    # that it would only take more leaves.
    eases = EASES[1:]
    for ease in eases:
        story = _sequence(sheet, ease)
        if len(SheetPart(sheet.page, story, "").pages) <= PAGES_OF_LEAF:
            return story
    return _sequence(sheet, eases[0])


def _sequence(sheet: SheetBlocks, ease: Ease) -> Block:
    """Everything in order, at this ease."""
    content, style = sheet.content, ease.text_style
    story: Block = [
        content.title(),
        Gap(ease.gap),
        content.situation(style),
        Gap(ease.gap),
        content.victory(style),
        Gap(ease.gap),
    ]
    if sheet.map:
        story += [sheet.map, Gap(ease.gap)]
    blocks = [
        headed("Special rules", content.rules(style)),
        sheet.laying(ease),
        [sheet.forces_with(sheet.blocks_below_forces(style), ease.gap)],
        [*content.weapons(ease.weapon_row), *_whole_turn(sheet)],
        content.track,
        headed("Notes", balanced(content.notes(STEPPED_NOTE), sheet.width)),
    ]
    for block in blocks:
        story += with_gap_above(ease.gap, block)
    return story


def _whole_turn(sheet: SheetBlocks) -> Block:
    """The fullest account of the turn."""
    notes = sheet.content.turn(sheet.content.turn_accounts[0], styles.NOTE)
    return each_with_gap_above(ABOVE_TURN_NOTE, notes)


class _TwoSides:
    """The sheet at one ease with what is needed to set up on the front, to play on the back.
    ``forces_across``: each order of battle takes the whole width, the shorter one on the front;
    with hundreds of men an order of battle does not fit otherwise."""

    def __init__(self, sheet: SheetBlocks, ease: Ease, *, forces_across: bool) -> None:
        self.sheet, self.ease, self.content = sheet, ease, sheet.content
        self.forces_across = forces_across

    def story(self) -> Block | None:
        """Both sides; None if one of them does not fit on its page."""
        top = SheetTop(self.sheet, self.ease)
        notes = self.content.notes(self.ease.note_style)
        notes_beside = top.notes_with_room(notes)
        front = [*top.story(notes=notes_beside), *self._below_map(top)]
        foot = with_gap_above(ABOVE_FOOT, self.content.track)
        # The notes that do not fit beside the map stand below it, else above the turn track.
        other_notes = balanced(notes[len(notes_beside) :], self.sheet.width, BETWEEN_NOTES)
        front_with_notes = [*front, *with_gap_above(self.ease.gap, other_notes)]
        if self._height(front_with_notes) <= self.sheet.page.depth:
            front = front_with_notes
        else:
            foot = [*with_gap_above(ABOVE_FOOT, other_notes), *foot]
        back = self._back()
        foot_height = self._height(foot)
        room_on_back = self.sheet.page.depth - foot_height
        if self._height(front) > self.sheet.page.depth or self._height(back) > room_on_back:
            return None
        # What happened in the battle is not needed to play, so it is told only if it fits.
        history = with_gap_above(self.ease.gap, self.content.history(self.ease.text_style))
        if self._height([*front, *history]) <= self.sheet.page.depth:
            front += history
        return [*front, NewPage(BACK_NAME), *back, Spring(room_below=foot_height), *foot]

    def _height(self, block: Block) -> float:
        """The points that a block takes across the page."""
        return depth(block, self.sheet.width)

    def _below_map(self, top: SheetTop) -> Block:
        """The front below its upper part: what to lay, the other rules, perhaps a force."""
        rules = balanced(top.rules_below, self.sheet.width)
        blocks = [
            self.sheet.laying(self.ease),
            headed("Special rules", rules, "from beside the map"),
        ]
        if self.forces_across:
            shorter, _ = self._forces_by_height()
            blocks.append(shorter)
        story: Block = []
        for block in blocks:
            story += with_gap_above(self.ease.gap, block)
        return story

    def _back(self) -> Block:
        """Forces, weapons and turn, without the turn track at the foot."""
        scenario = self.content.scenario
        title = f"{scenario.number} · {scenario.title}"
        weapons = self.content.weapons(self.ease.weapon_row)
        return [
            RuleHead(title, f"{BACK_NAME}; the map is overleaf"),
            Gap(3),
            *self._forces_on_back(),
            *with_gap_above(self.ease.gap, weapons),
            *_whole_turn(self.sheet),
        ]

    def _forces_on_back(self) -> Block:
        """Both orders of battle, or the longer one if each takes the whole width; and the blocks
        below them. The rules that do not fit beside the map are on the front."""
        blocks = self.sheet.blocks_below_forces(self.ease.text_style)
        if not self.forces_across:
            return [self.sheet.forces_with(blocks, self.ease.gap)]
        _, longer = self._forces_by_height()
        forces = list(longer)
        for block in blocks:
            forces += with_gap_above(self.ease.gap, block)
        return forces

    def _forces_by_height(self) -> tuple[Block, Block]:
        """The shorter order of battle and the longer one, each across the page."""
        first, second = self.content.forces(self.sheet.width)
        if self._height(first) <= self._height(second):
            return first, second
        return second, first
