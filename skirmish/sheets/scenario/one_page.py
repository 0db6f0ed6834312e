"""A scenario sheet on one page: as much of the account of the turn as fits on a page that is set
closely, and then the page set as loosely as that account allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.layout import styles
from skirmish.sheets.layout.columns import shortest_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, Spring, depth, height_of
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.paper import STEP
from skirmish.sheets.scenario.content import (
    ABOVE_TURN_NOTE,
    balanced,
    each_with_gap_above,
    headed,
    with_gap_above,
)
from skirmish.sheets.scenario.placement import (
    Placement,
    ScenarioNotesPlace,
    TurnNotePlace,
    placements,
)
from skirmish.sheets.scenario.sheet_blocks import (
    ABOVE_FOOT,
    BETWEEN_NOTES,
    EASES,
    Ease,
    SheetBlocks,
)
from skirmish.sheets.scenario.sheet_top import ABOVE_TURN_BESIDE_MAP, SheetTop
from skirmish.sheets.scenario.turn_notes import TurnNotes

ACCOUNTS_WITH_ALL_RULES = 2
"""Of the accounts of the turn (``ScenarioContent.turn_accounts``), so many from the first leave out
words only; the later ones leave out rules."""
USUAL_SPREAD = 2
"""For looser setting or larger type, the notes on the turn may be spread over this many places;
over more only if they do not fit otherwise."""
LARGE_TURN_TYPE = Style(BODY, 8, 9.4)
"""The type of the notes on the turn on a page with room. With less room it is ``styles.NOTE``, with
little ``CLOSE_TURN_TYPE``."""
CLOSE_TURN_TYPE = styles.NOTE._replace(leading=1.9 * STEP)
"""``styles.NOTE`` with its lines closer together."""
_CLOSEST = EASES[-1]
_BELOW_NOTES = 4.0
"""Points between the notes on the scenario and the turn track below them, where there is room."""


class TurnSetting(NamedTuple):
    """An account of the turn and how it is set. ``one_paragraph_across``: the notes that stand
    across the page are one paragraph; ``notes_divided``: to make room, the notes on the scenario
    stand in two places."""

    account: TurnNotes
    one_paragraph_across: bool = False
    notes_divided: bool = False
    style: Style = CLOSE_TURN_TYPE


class OnePageLayout:
    """Chooses how a sheet is set on one page."""

    def __init__(self, sheet: SheetBlocks) -> None:
        self.sheet = sheet
        self._pages: dict[Ease, _OnePage] = {}

    def story(self) -> Block | None:
        """The page; None if the sheet does not fit on one page."""
        fullest = self._fullest_turn()
        if fullest is None:
            return None
        return self._loosest_page(fullest)

    def _fullest_turn(self) -> TurnSetting | None:
        """The account with as much of the turn as fits on the closest page; None if even without
        the turn the rest does not fit.

        Rules of the turn are left out before a sheet takes two pages, as the quick reference has
        them, too. But before any rule is left out, the notes on the scenario are divided."""
        accounts = self.sheet.content.turn_accounts
        with_all_rules = accounts[:ACCOUNTS_WITH_ALL_RULES]
        undivided = self._fullest_of(with_all_rules, notes_divided=False)
        if undivided is not None:
            return undivided
        return self._fullest_of(accounts, notes_divided=True)

    def _fullest_of(
        self, accounts: Sequence[TurnNotes], *, notes_divided: bool
    ) -> TurnSetting | None:
        """The first of these accounts of the turn that fits on the closest page, in paragraphs if
        possible, else in one. The ``accounts`` are ordered from the fullest."""
        closest = self._page(_CLOSEST)
        # Most sheets hold the fullest account in paragraphs, so that is tried before the search.
        whole = TurnSetting(accounts[0], notes_divided=notes_divided)
        if closest.fits(whole):
            return whole
        # A binary search, since it takes long to lay out a page: where an account fits, all shorter
        # ones do.
        fullest: TurnSetting | None = None
        first, end = 0, len(accounts)
        while first < end:
            middle = (first + end) // 2
            setting = TurnSetting(
                accounts[middle], one_paragraph_across=True, notes_divided=notes_divided
            )
            if closest.fits(setting):
                fullest, end = setting, middle
            else:
                first = middle + 1
        if fullest is None:
            return None
        in_paragraphs = fullest._replace(one_paragraph_across=False)
        if closest.fits(in_paragraphs):
            return in_paragraphs
        return fullest

    def _loosest_page(self, setting: TurnSetting) -> Block:
        """The page with this account of the turn, set as loosely as possible, with the turn in
        larger type if there is room. Neither may spread the turn over many places."""
        in_note_type = setting._replace(style=styles.NOTE)
        in_large_type = setting._replace(style=LARGE_TURN_TYPE)
        page = self._page(_CLOSEST)
        closest_placement = page.placement_for(setting)
        assert closest_placement is not None, "this setting was found to fit on the closest page"
        most_places = max(closest_placement.spread, USUAL_SPREAD)
        # The eases are tried from close to loose: where one does not fit, none that is looser does.
        for ease in reversed(EASES[:-1]):
            looser = self._page(ease)
            if not looser.has_room(in_note_type, most_places):
                break
            page = looser
        # The larger type is tried first.
        for in_type in (in_large_type, in_note_type):
            if page.has_room(in_type, most_places):
                return page.story(in_type)
        # No looser page fits, so this is the closest one, on which the given setting fits.
        return page.story(setting)

    def _page(self, ease: Ease) -> _OnePage:
        """The page at an ease. It is laid out once, since that takes long."""
        if ease not in self._pages:
            self._pages[ease] = _OnePage(self.sheet, ease)
        return self._pages[ease]


class _TurnHeights(NamedTuple):
    """The height of each note on the turn with the gap above it: if it stands ``beside`` the map
    (empty without a map), and if it stands ``below`` an order of battle."""

    beside: Sequence[float]
    below: Sequence[float]


class _NotesByPlace(NamedTuple):
    """The notes on the scenario that stand ``beside`` the map, ``below`` an order of battle, and
    ``across`` the page."""

    beside: Sequence[Flowable]
    below: Sequence[Flowable]
    across: Sequence[Flowable]


class _OnePage:
    """A sheet on one page at one ease. The notes on the turn and on the scenario have no fixed
    place: each ``Placement`` is tried in turn until everything fits."""

    def __init__(self, sheet: SheetBlocks, ease: Ease) -> None:
        content = sheet.content
        self.sheet, self.ease, self.content = sheet, ease, content
        self._placements: dict[TurnSetting, Placement | None] = {}
        self.notes = content.notes(ease.note_style)
        # The blocks with a fixed place, in the order in which they stand on the page.
        self.top = SheetTop(sheet, ease)
        self.laying = with_gap_above(ease.gap, sheet.laying(ease))
        self.below_forces = sheet.blocks_below_forces(ease.text_style, self.top.rules_below)
        weapons = content.weapons(ease.weapon_row, ease.note_style)
        self.weapons = with_gap_above(ease.gap, weapons)
        self.track = with_gap_above(ABOVE_FOOT, content.track)
        around_forces = [
            *self.top.story(),
            *self.laying,
            Gap(ease.gap),
            *self.weapons,
            *self.track,
        ]
        self.room = sheet.page.depth - depth(around_forces, sheet.width)
        """The points for the orders of battle and for everything placed below them."""
        self._heights_below_forces = [
            depth(block, sheet.half) + ease.gap for block in self.below_forces
        ]

    # -------------------------------------------------------------- what fits

    def placement_for(self, setting: TurnSetting) -> Placement | None:
        """The best placement with which everything fits on the page; None if there is none."""
        if setting not in self._placements:
            self._placements[setting] = self._first_that_fits(setting)
        return self._placements[setting]

    def fits(self, setting: TurnSetting) -> bool:
        """Whether everything fits on the page with some placement."""
        return self.placement_for(setting) is not None

    def has_room(self, setting: TurnSetting, most_places: int) -> bool:
        """Whether everything fits with the turn in at most this many places."""
        placement = self.placement_for(setting)
        return placement is not None and placement.spread <= most_places

    def _first_that_fits(self, setting: TurnSetting) -> Placement | None:
        heights = self._turn_heights(setting)
        note_count = len(setting.account)
        for placement in placements(note_count, notes_divided=setting.notes_divided):
            if self._fits_with(placement, setting, heights):
                return placement
        return None

    def _turn_heights(self, setting: TurnSetting) -> _TurnHeights:
        """How high each note on the turn would be in either place."""
        pieces = self.content.turn(setting.account, setting.style)
        beside: list[float] = []
        if self.sheet.map is not None:
            for piece in pieces:
                height = height_of(piece, self.top.column_width)
                beside.append(height + ABOVE_TURN_BESIDE_MAP)
        below = [height_of(piece, self.sheet.half) + ABOVE_TURN_NOTE for piece in pieces]
        return _TurnHeights(beside, below)

    def _fits_with(self, placement: Placement, setting: TurnSetting, heights: _TurnHeights) -> bool:
        """Whether everything fits with this placement. What is quickest to find out comes first."""
        if self.top.is_full and TurnNotePlace.BESIDE_MAP in placement.turn_places:
            return False
        turn_height_beside = placement.height_in(TurnNotePlace.BESIDE_MAP, heights.beside)
        if not self.top.has_room(turn_height_beside, notes=[]):
            return False
        notes = self._notes_by_place(placement, turn_height_beside)
        if not self.top.has_room(turn_height_beside, notes.beside):
            return False
        turn_height_below = placement.height_in(TurnNotePlace.BELOW_FORCE, heights.below)
        heights_below = self._all_heights_below_forces(turn_height_below, notes)
        if self._least_column(heights_below) > self.room:
            return False
        columns = shortest_columns(heights_below, self.sheet.force_depths)
        blocks_across = self._across(setting, placement, notes)
        return depth(blocks_across, self.sheet.width) <= self.room - columns.height

    def _all_heights_below_forces(self, turn_height: float, notes: _NotesByPlace) -> list[float]:
        """The height of each block below the orders of battle with its gap; ``turn_height``: that
        of the notes on the turn which stand there."""
        heights = list(self._heights_below_forces)
        if turn_height:
            heights.append(turn_height + self.ease.gap)
        if notes.below:
            heights.append(depth(self._notes_below(notes), self.sheet.half) + self.ease.gap)
        return heights

    def _least_column(self, heights_below: Sequence[float]) -> float:
        """The taller column is at least this high, however the blocks are distributed: it has at
        least half of everything, and no column is shorter than its order of battle."""
        forces = self.sheet.force_depths
        half_of_everything = (math.fsum(heights_below) + math.fsum(forces)) / 2
        return max(*forces, half_of_everything)

    # -------------------------------------------------------------- what is placed

    def _notes_by_place(self, placement: Placement, turn_height_beside: float) -> _NotesByPlace:
        """The notes on the scenario by their places; ``turn_height_beside``: the points that
        the turn takes beside the map."""
        match placement.notes_place:
            case ScenarioNotesPlace.BESIDE_MAP:
                return _NotesByPlace(beside=self.notes, below=[], across=[])
            case ScenarioNotesPlace.BELOW_FORCE:
                return _NotesByPlace(beside=[], below=self.notes, across=[])
            case ScenarioNotesPlace.ABOVE_TRACK:
                return _NotesByPlace(beside=[], below=[], across=self.notes)
        # The other two places divide the notes: those with room beside the map stand there.
        beside = self.top.notes_with_room(self.notes, turn_height_beside)
        others = self.notes[len(beside) :]
        if placement.notes_place is ScenarioNotesPlace.DIVIDED_BELOW_FORCE:
            return _NotesByPlace(beside, below=others, across=[])
        return _NotesByPlace(beside, below=[], across=others)

    def _notes_below(self, notes: _NotesByPlace) -> Block:
        """The notes on the scenario that stand below an order of battle."""
        aside = ""
        if notes.beside:
            aside = "from beside the map"
        return headed("Notes", notes.below, aside)

    def _across(self, setting: TurnSetting, placement: Placement, notes: _NotesByPlace) -> Block:
        """What stands across the page, between the weapons and the turn track."""
        turn = self._turn_in(TurnNotePlace.ACROSS, setting, placement)
        return [*each_with_gap_above(ABOVE_TURN_NOTE, turn), *self._notes_across(notes)]

    def _turn_in(self, place: TurnNotePlace, setting: TurnSetting, placement: Placement) -> Block:
        """The notes on the turn that stand in a place. Only across the page may they run on as one
        paragraph: there the ends of paragraphs leave the most space empty."""
        as_one_paragraph = setting.one_paragraph_across and place is TurnNotePlace.ACROSS
        notes = placement.notes_in(place, setting.account)
        return self.content.turn(notes, setting.style, as_one_paragraph=as_one_paragraph)

    def _notes_across(self, notes: _NotesByPlace) -> Block:
        """The notes on the scenario that stand across the page, in two columns."""
        in_columns = balanced(notes.across, self.sheet.width, BETWEEN_NOTES)
        return with_gap_above(ABOVE_FOOT, in_columns)

    # -------------------------------------------------------------- the page

    def story(self, setting: TurnSetting) -> Block:
        """The page with this account of the turn, which must fit on it (``placement_for``)."""
        placement = self.placement_for(setting)
        assert placement is not None, "the page is asked only for a setting that fits"
        heights = self._turn_heights(setting)
        turn_height_beside = placement.height_in(TurnNotePlace.BESIDE_MAP, heights.beside)
        notes = self._notes_by_place(placement, turn_height_beside)
        turn_beside = self._turn_in(TurnNotePlace.BESIDE_MAP, setting, placement)
        turn_below = self._turn_in(TurnNotePlace.BELOW_FORCE, setting, placement)
        turn_across = self._turn_in(TurnNotePlace.ACROSS, setting, placement)
        below_forces = [
            *self.below_forces,
            each_with_gap_above(ABOVE_TURN_NOTE, turn_below),
            self._notes_below(notes),
        ]
        not_empty = [block for block in below_forces if block]
        return [
            *self.top.story(turn_beside, notes.beside),
            *self.laying,
            Gap(self.ease.gap),
            self.sheet.forces_with(not_empty, self.ease.gap),
            *self.weapons,
            *each_with_gap_above(ABOVE_TURN_NOTE, turn_across),
            *self._foot(notes),
        ]

    def _foot(self, notes: _NotesByPlace) -> Block:
        """The turn track at the foot of the page, and above it the notes that stand across the
        page."""
        width = self.sheet.width
        track = [Spring(room_below=depth(self.track, width)), *self.track]
        notes_across = self._notes_across(notes)
        if not notes_across:
            return track
        # Room that is left over goes below the notes first, then above them.
        foot_height = depth([*notes_across, *self.track], width)
        return [Spring(room_below=foot_height, left_over=_BELOW_NOTES), *notes_across, *track]
