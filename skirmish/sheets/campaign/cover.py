"""The cover of the campaign book: how the campaign went, at a glance. Numbers without a name are
points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from skirmish.games.plastic.campaign import pages
from skirmish.games.plastic.campaign.state import CampaignSide, CampaignState, Fought
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.fonts import TITLE as TITLE_FACE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import fitted, in_largest_size, write
from skirmish.sheets.paper import MM, Leaf

_COVER_GAME = Style(HEAD, 13, 13, ink=inks.WHITE)
_COVER_TITLE = Style(TITLE_FACE, 64, 64, ink=inks.WHITE)
_COVER_RESULT = Style(MEDIUM, 19, 19, ink=inks.WHITE)
_COVER_SIDE = Style(TITLE_FACE, 26, 26)
_COVER_GROUP = Style(MEDIUM, 14, 14)
_WAY_PLACE = Style(HEAD, 11, 11, "right")
_WAY_RUNG = Style(MEDIUM, 11, 11)
_WAY_SIDE = Style(LABEL, 11, 11)
_WAY_NUMBER = Style(HEAD, 11, 11, "centre")


class CampaignCover(Drawing):
    """The first page: title and result on a band, below it both sides with their groups, then the
    course of the marker."""

    BAND, STRIPE = 190.0, 8.0
    """The heights of the band of the title and of the stripe below it, in points."""
    INSET = 8 * MM
    """The space at both ends of the page, and between the sides."""

    def __init__(
        self, leaf: Leaf, state: CampaignState, side_looks: tuple[SideInk, SideInk]
    ) -> None:
        self.state, self.side_looks = state, side_looks
        self.TALL = leaf.depth

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self._paint_band(canvas, x, top, width)
        column = (width - 3 * self.INSET) / 2
        left, below_band = x + self.INSET, top - self.BAND - 60
        foot_of_sides = below_band
        for side, look in zip(self.state.setup.sides, self.side_looks, strict=True):
            foot = self._paint_side(canvas, (left, below_band), column, side, look)
            foot_of_sides = min(foot_of_sides, foot)
            left += column + self.INSET
        # The way of the marker stands at the foot of the page, as high as there is room.
        foot_of_page = top - self.TALL
        way = MarkerWay(self.state, self.side_looks, tallest=foot_of_sides - foot_of_page - 30)
        way.paint(canvas, x + self.INSET, foot_of_page + way.TALL, width - 2 * self.INSET)

    def _paint_band(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The title of the campaign and how it stands, white on the band."""
        inset = self.INSET
        foot_of_band = top - self.BAND
        title = self.state.setup.file.title.upper()
        sizes = (64, 54, 44, 36, 28, 22, 16)
        title_style = in_largest_size(title, _COVER_TITLE, width - 2 * inset, sizes)
        result = pages.headline(self.state)
        with canvas.bar(x, foot_of_band, width, self.BAND, inks.BAND):
            write(canvas, x + inset, top - 48, "WWII PLASTIC SKIRMISH", _COVER_GAME, track=4.2)
            write(canvas, x + inset, top - 112, title, title_style)
            write(canvas, x + inset, top - 150, result, _COVER_RESULT)
        middle_of_stripe = foot_of_band - self.STRIPE / 2
        rule(canvas, x, x + width, middle_of_stripe, self.STRIPE, ink=inks.ACCENT)

    def _paint_side(
        self,
        canvas: Canvas,
        corner: tuple[float, float],
        room: float,
        side: CampaignSide,
        look: SideInk,
    ) -> float:
        """A side with who commands it and its groups, its name at the left ``corner``; returns the
        level of the last line."""
        x, level = corner
        style = in_largest_size(
            side.name, _COVER_SIDE._replace(ink=look.ink), room, (26, 22, 18, 15)
        )
        write(canvas, x, level, fitted(side.name, style, room), style)
        lines = []
        commander = pages.commanded_by(self.state, side.id)
        if commander:
            lines.append(commander)
        lines += [f"{group.name}, {group.quality}" for group in self.state.of_side(side.id)]
        for line in lines:
            level -= 20
            write(canvas, x, level, fitted(line, _COVER_GROUP, room), _COVER_GROUP)
        return level


class MarkerWay(Drawing):
    """The ladder with the marker's way over it: a level line for each rung, and for each battle a
    disc with its number in the ink of who won it, where the marker stood then. An arrow leads to
    where it stands now. At most ``tallest`` points high."""

    FARTHEST = 58.0
    """The most points from a rung to the next."""
    ABOVE = 16.0
    """Points for the words above the highest rung, and for those below the lowest."""
    NAMES = 0.36
    """The share of the width for the names of the rungs."""
    DISC = 9.0
    """The radius of a disc."""
    ARROW, ARROW_HALF = 11.0, 5.0
    """The length of the arrow's head and half its breadth, in points."""

    def __init__(
        self,
        state: CampaignState,
        side_looks: tuple[SideInk, SideInk],
        tallest: float = math.inf,
    ) -> None:
        self.state = state
        self.rungs = {rung.place: rung for rung in state.setup.file.ladder}
        self.looks = dict(zip(state.setup.ids, side_looks, strict=True))
        # The marker may stand beyond an end of the ladder.
        self.highest = max(*self.rungs, state.marker)
        places = self.highest - min(*self.rungs, state.marker) + 1
        self.apart = min(self.FARTHEST, (tallest - 2 * self.ABOVE) / places)
        self.TALL = 2 * self.ABOVE + places * self.apart

    def _level(self, top: float, place: int) -> float:
        """The line of a rung, or of a place beyond the ends of the ladder."""
        return top - self.ABOVE - (self.highest - place + 0.5) * self.apart

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self._paint_rungs(canvas, x, top, width)
        begin = x + self.NAMES * width + 16
        # There is room for a disc for each battle that may be fought, and for the arrow.
        across = (x + width - begin) / (self.state.setup.last_battle + 1)
        centres = []
        for index, fought in enumerate(self.state.fought):
            centres.append((begin + index * across, self._level(top, fought.marker)))
        end = (begin + len(centres) * across, self._level(top, self.state.marker))
        self._paint_way(canvas, [*centres, end])
        for centre, fought in zip(centres, self.state.fought, strict=True):
            self._paint_disc(canvas, centre, fought)

    def _paint_rungs(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The lines of the rungs with their places and names, and the way in which each side pushes
        the marker."""
        state = self.state
        first, second = state.setup.sides
        names_end = x + self.NAMES * width
        for place, rung in self.rungs.items():
            level = self._level(top, place)
            rule(canvas, names_end, x + width, level, 0.5, ink=inks.FAINT)
            write(canvas, x + 18, level - 3, pages.place_words(place), _WAY_PLACE)
            room = names_end - x - 30
            title = state.setup.title_of(rung)
            style = in_largest_size(title, _WAY_RUNG, room, (11, 10, 9))
            write(canvas, x + 24, level - 3, fitted(title, style, room), style)
        # The winner of a battle pushes the marker: the first side up, the second down.
        for side, level, arrow in (
            (first, top - 11, "\N{UPWARDS ARROW}"),
            (second, top - self.TALL + 5, "\N{DOWNWARDS ARROW}"),
        ):
            style = _WAY_SIDE._replace(ink=self.looks[side.id].ink)
            words = fitted(f"{arrow} {side.name}", style, width - self.NAMES * width)
            write(canvas, names_end, level, words, style)

    def _paint_way(self, canvas: Canvas, points: Sequence[tuple[float, float]]) -> None:
        """A line from point to point, with the head of an arrow at the last."""
        # Before the first battle there is nothing but the point where the marker stands.
        if len(points) == 1:
            return
        canvas.pen(inks.ACCENT, 2.2, inks.ACCENT)
        for start, end in pairwise(points):
            canvas.line(*start, *end)
        start, tip = points[-2], points[-1]
        run, rise = tip[0] - start[0], tip[1] - start[1]
        length = math.hypot(run, rise)
        # A step of one point along the last line.
        step_x, step_y = run / length, rise / length
        foot_x, foot_y = tip[0] - self.ARROW * step_x, tip[1] - self.ARROW * step_y
        # From the middle of the head's foot to one of its corners, at right angles to the line.
        aside_x, aside_y = self.ARROW_HALF * -step_y, self.ARROW_HALF * step_x
        canvas.shape(
            tip,
            (foot_x + aside_x, foot_y + aside_y),
            (foot_x - aside_x, foot_y - aside_y),
        )

    def _paint_disc(self, canvas: Canvas, centre: tuple[float, float], fought: Fought) -> None:
        """Filled or hollow as the winner's marks are; grey if nobody has won."""
        winner = self.state.winner_of(fought)
        look = SideInk(inks.QUIET, solid=False)
        if winner is not None:
            look = self.looks[winner]
        body, ink = inks.WHITE, look.ink
        if look.solid:
            body, ink = look.ink, inks.WHITE
        canvas.pen(look.ink, 1.4, body)
        canvas.circle(*centre, self.DISC, fill=1)
        number = _WAY_NUMBER._replace(ink=ink)
        write(canvas, centre[0], centre[1] - 3.4, str(fought.number), number)
