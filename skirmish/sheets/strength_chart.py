"""The chart below a casualty strip: what each side had left of its strength after each turn.

Numbers without a name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from skirmish.games.plastic.casualties import CasualtyStrip, SideCourse
from skirmish.sheets import inks
from skirmish.sheets.casualty_turns import ABOVE, NAMES_WIDTH, StripTurn, TurnPlace
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, rule
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import in_largest_size, line_width, write
from skirmish.sheets.paper import HAIR, HEAVY

CHART_HEIGHT = 50.0
"""The height of the chart in points."""
CAPTION = Style(HEAD, 8.4, 8.4, ink=inks.BAND)
"""The type of a caption at the left of a strip."""
_LEVEL = Style(MEDIUM, 7, 7, "right", inks.QUIET)
_KEY = Style(LABEL, 7.6, 6.8)
_KEY_SIZES = (7.6, 7.2, 6.8)
"""The sizes of the words in the key, tried in this order."""
_DASH = 4, 1.6
"""The points of line and of gap in the line of the side with hollow marks."""


class StrengthChart:
    """A line of steps for each side, from all of its strength downward. ``looks``: those of the
    sides by their ids; ``turns``: those in the band of the strip above the chart."""

    def __init__(
        self, strip: CasualtyStrip, looks: Mapping[str, SideInk], turns: Sequence[StripTurn]
    ) -> None:
        self.strip, self.looks, self.turns = strip, looks, turns

    def draw(
        self, canvas: Canvas, places: Sequence[TurnPlace], x: float, top: float, width: float
    ) -> None:
        """Draws the chart with its caption and its key. ``places``: where the turns are."""
        lowest_share = self._lowest_share()

        def height_of(share: float) -> float:
            """Where a share of the strength is on the paper."""
            return top - CHART_HEIGHT * (1 - share) / (1 - lowest_share)

        write(canvas, x, top - 8, "STRENGTH LEFT", CAPTION, track=0.6)
        middle_share = (1 + lowest_share) / 2
        for share in (1.0, middle_share, lowest_share):
            rule(canvas, x + NAMES_WIDTH, x + width, height_of(share), HAIR, ink=inks.FAINT)
            # The topmost number hangs below its line, so that it stays within the chart.
            drop = 0.0
            if share == 1.0:
                drop = 5.4
            baseline = height_of(share) - drop + 1
            write(canvas, x + NAMES_WIDTH - 3, baseline, f"{share:.0%}", _LEVEL)
        for half, side in enumerate(self.strip.sides):
            # The key of the second side is a line below that of the first.
            self._draw_key(canvas, side, half, x, top - 21 - 11 * half)
            self._draw_course(canvas, side, places, height_of)

    def _lowest_share(self) -> float:
        """The share of the strength at the foot of the chart: a half, or nothing if a side has lost
        more than half."""
        if any(side.share_lost > 0.5 for side in self.strip.sides):
            return 0.0
        return 0.5

    def _draw_key(
        self, canvas: Canvas, side: SideCourse, half: int, x: float, baseline: float
    ) -> None:
        """A piece of the line of a side, and what the side has left at the end. ``half``: the half
        of the strip that shows the losses of the side."""
        look = self.looks[side.side]
        canvas.saveState()
        canvas.pen(look.ink, HEAVY)
        if not look.solid:
            canvas.setDash(*_DASH)
        canvas.line(x, baseline + 2.4, x + 12, baseline + 2.4)
        canvas.restoreState()
        share_left = f"{1 - side.share_lost:.0%}"
        text, room = f"{share_left} {side.people}", NAMES_WIDTH - 36
        style = _KEY._replace(ink=look.ink)
        if line_width(text, style._replace(size=_KEY_SIZES[-1])) > room:
            # A name that would be cut is replaced by the half of the strip that is the side's.
            text = f"{share_left} below"
            if half == ABOVE:
                text = f"{share_left} above"
        write(canvas, x + 15, baseline, text, in_largest_size(text, style, room, _KEY_SIZES))

    def _draw_course(
        self,
        canvas: Canvas,
        side: SideCourse,
        places: Sequence[TurnPlace],
        height_of: Callable[[float], float],
    ) -> None:
        """The line of a side. ``height_of``: where a share of its strength is on the paper."""
        look = self.looks[side.side]
        share_before = _share_left(side, self.turns[0].number - 1)
        path = canvas.beginPath()
        path.moveTo(places[0].left, height_of(share_before))
        for turn, place in zip(self.turns, places, strict=True):
            share = _share_left(side, turn.number)
            # A loss shows at the end of its turn.
            path.lineTo(place.right, height_of(share_before))
            path.lineTo(place.right, height_of(share))
            share_before = share
        canvas.saveState()
        canvas.pen(look.ink, 1.6)
        if not look.solid:
            canvas.setDash(*_DASH)
        canvas.drawPath(path)
        canvas.restoreState()


def _share_left(side: SideCourse, turn: int) -> float:
    """The share of its strength that a side had left at the end of a turn; turn 0 is the beginning
    of the battle."""
    if turn == 0 or not side.strength:
        return 1.0
    # ``left`` begins with turn 1.
    strength_left = side.left[turn - 1]
    return strength_left / side.strength
