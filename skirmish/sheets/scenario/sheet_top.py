"""The upper part of a scenario sheet: the title, the map, and the column of text beside it."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.sheets.layout.blocks import RuleHead
from skirmish.sheets.layout.columns import SideBySide
from skirmish.sheets.layout.flow import Block, Cell, Flowable, Gap, Stack, depth, height_of
from skirmish.sheets.paper import MM
from skirmish.sheets.scenario.content import GUTTER, each_with_gap_above
from skirmish.sheets.scenario.sheet_blocks import BETWEEN_NOTES, Ease, SheetBlocks

LEAST_TITLE = 10.0 * MM
"""The least height of the title."""
ABOVE_TURN_BESIDE_MAP = 2.4
"""Points above each note on the turn beside the map."""
_ABOVE_NOTES = 4.0
"""Points above the notes on the scenario beside the map, at least."""
_BELOW_RULE = 1.4
"""Points below each special rule beside the map."""


class SheetTop:
    """The upper part at one ease. Beside the map stand situation, victory, and as many special
    rules as fit; the others are in ``rules_below``, and without a map all of them are. Notes may
    follow in the same column, as far as there is room."""

    def __init__(self, sheet: SheetBlocks, ease: Ease) -> None:
        self.sheet, self.ease = sheet, ease
        content = sheet.content
        style = ease.text_style
        self._column: Block = [content.situation(style), Gap(4), content.victory(style)]
        self.rules_below: Sequence[Flowable] = content.rules(style)
        # All in points. Without a map there is no column beside it, and so no width and no room.
        self._column_left = 0.0
        self.column_width = 0.0
        self._room = 0.0
        if sheet.map is None:
            return
        self._column_left = sheet.map.across + GUTTER
        self.column_width = sheet.width - self._column_left
        self._room = height_of(sheet.map, sheet.width) - depth(self._column, self.column_width)
        self._fill_with_rules()

    def _fill_with_rules(self) -> None:
        """Moves rules from ``rules_below`` into the column, from the first one on, until the next
        does not fit."""
        head = [Gap(4), RuleHead("Special rules"), Gap(1)]
        room = self._room - depth(head, self.column_width)
        rules_beside: Block = []
        fitting = 0
        for rule in self.rules_below:
            rule_height = height_of(rule, self.column_width) + _BELOW_RULE
            if rule_height > room:
                break
            room -= rule_height
            rules_beside += [rule, Gap(_BELOW_RULE)]
            fitting += 1
        if fitting:
            self._column += [*head, *rules_beside]
            self._room = room
            self.rules_below = self.rules_below[fitting:]

    @property
    def is_full(self) -> bool:
        """Whether no notes may stand beside the map: there is no map, or the rules fill the column
        and continue below."""
        return self.sheet.map is None or bool(self.rules_below)

    def has_room(self, turn_height: float, notes: Sequence[Flowable]) -> bool:
        """Whether notes on the turn of this height, in points, and these notes on the scenario fit
        into the column."""
        # ``is_full`` is about notes on the turn as well, but whoever sets some beside the map has
        # asked it before.
        if not notes:
            return self._room - turn_height >= 0
        if self.is_full:
            return False
        notes_height = depth(_notes_at_foot(notes), self.column_width)
        return self._room - turn_height - notes_height - _ABOVE_NOTES >= 0

    def notes_with_room(
        self, notes: Sequence[Flowable], turn_height: float = 0.0
    ) -> Sequence[Flowable]:
        """The first of the notes on the scenario, as many as fit into the column together with
        notes on the turn of this height, in points."""
        for count in range(len(notes), 0, -1):
            if self.has_room(turn_height, notes[:count]):
                return notes[:count]
        return []

    def story(self, turn: Sequence[Flowable] = (), notes: Sequence[Flowable] = ()) -> Block:
        """The whole upper part, with these notes on the ``turn`` below the rules and these
        ``notes`` on the scenario at the foot of the column, level with the foot of the map."""
        sheet = self.sheet
        band = sheet.content.title(self.ease.band, least=LEAST_TITLE)
        title: Block = [band, Gap(self.ease.gap)]
        column = [*self._column, *each_with_gap_above(ABOVE_TURN_BESIDE_MAP, turn)]
        if sheet.map is None:
            return [*title, *column]
        if notes:
            at_foot = _notes_at_foot(notes)
            used = depth([*column, *at_foot], self.column_width)
            column += [Gap(height_of(sheet.map, sheet.width) - used), *at_foot]
        map_cell = Cell(0, sheet.map.across, sheet.map)
        text = Cell(self._column_left, self.column_width, Stack(column))
        return [*title, SideBySide([map_cell, text])]


def _notes_at_foot(notes: Sequence[Flowable]) -> Block:
    """Notes on the scenario below their head, as they stand at the foot of the map."""
    block: Block = [RuleHead("Notes")]
    for note in notes:
        block += [note, Gap(BETWEEN_NOTES)]
    return block
