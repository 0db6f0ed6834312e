"""The cover of the book: one map bled off the page, the title in stencil, and a small map of the
war with the places of the scenarios.

The outline map is our own drawing, of some two hundred points; longitude and latitude are drawn as
they are, since a plain projection is right enough at this size. Within a drawing, numbers without a
name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.inks import from_hex
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import BOLD, HEAD, MEDIUM, TITLE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import fitted, line_width, write
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.tabletop import plane
from skirmish.tabletop.number_words import number_word

BLEED = 5 * MM
"""How far the cover is drawn beyond the page, which is more than any print shop asks for. What is
beyond the bleed that a book is printed with is cut off."""
WEST, SOUTH, EAST, NORTH = -10.5, 28.8, 47.5, 59.6
"""The edges of the outline map, in degrees."""
LAND, SEA, _COAST_INK = from_hex("B9AF8D"), from_hex("474A3E"), from_hex("26281F")
"""The inks of the outline map."""
PALE, WARM, _LINE = from_hex("CFC7AE"), from_hex("EFA186"), from_hex("6C6E60")
"""The inks on the bands: of dates, of the numbers of scenarios, and of the lines between
scenarios."""
_TITLE_BAND, _FOOT_BAND = 232.0, 214.0
"""The heights of the bands above and below the map, in points."""
_STRIPE = 8.0
"""The height of the stripe below the title."""
LEAST_LINES = 10
"""The list beside the outline map has room for at least so many scenarios."""
_MARGIN = 42.0
"""Points from the edges of the cover to the words on its bands."""
_OUTLINE_WIDTH, _OUTLINE_HEIGHT = 250.0, 168.0
"""The size of the outline map, in points."""
_OUTLINE_LOW = 24.0
"""Its lower edge, in points above the foot of the page."""


class BattlePlace(NamedTuple):
    """Where a scenario was fought: its name in short, longitude and latitude, and how far right and
    up from there its number stands, in points."""

    name: str
    longitude: float
    latitude: float
    number_offset: tuple[float, float]


PLACES = {
    "overmatched": BattlePlace("Poland", 18.6, 51.6, (16, 9)),
    "stupid_is_as_stupid_does": BattlePlace("Florennes", 4.6, 50.25, (17, -12)),
    "a_sterling_performance": BattlePlace("Sidi Haneish", 27.6, 31.2, (-1, 20)),
    "a_shattering_and_grievous_loss": BattlePlace("Tobruk", 23.95, 32.05, (-12, 14)),
    "the_assault_on_red_october": BattlePlace("Stalingrad", 44.5, 48.75, (-13, 15)),
    "kidney_ridge": BattlePlace("El Alamein", 28.9, 30.8, (14, 17)),
    "kursk_north": BattlePlace("Kursk, north", 36.3, 52.3, (-12, 12)),
    "kursk_south": BattlePlace("Kursk, south", 36.7, 51.05, (12, -13)),
    "hold_until_relieved": BattlePlace("Bénouville", -0.27, 49.25, (14, 15)),
    "dog_beach": BattlePlace("Omaha Beach", -0.88, 49.37, (-18, 8)),
}
"""By the id of the scenario. Other scenarios have no number on the outline map."""

# Each land is a closed line of corners, by longitude and latitude in degrees. Lands that reach
# beyond the outline map have corners outside it.
COASTS: tuple[tuple[tuple[float, float], ...], ...] = (
    # Europe and the Levant: from Gibraltar round by the Atlantic, the North Sea and the Baltic,
    # then back along the Black Sea and the Mediterranean.
    (
        (-5.6, 36.0), (-6.4, 36.8), (-7.4, 37.2), (-8.9, 37.0), (-8.8, 38.4), (-9.4, 38.8),
        (-8.9, 40.2), (-8.7, 41.6), (-9.2, 43.0), (-8.0, 43.7), (-5.8, 43.6), (-3.6, 43.5),
        (-1.8, 43.4), (-1.3, 44.6), (-1.1, 45.6), (-2.2, 47.2), (-3.0, 47.6), (-4.6, 47.9),
        (-4.7, 48.5), (-3.2, 48.8), (-1.7, 48.6), (-1.6, 49.2), (-1.9, 49.7), (-1.2, 49.6),
        (-1.0, 49.35), (0.2, 49.4), (0.3, 49.7), (1.5, 50.2), (1.7, 50.9), (3.1, 51.3),
        (4.2, 52.0), (4.8, 52.9), (6.0, 53.4), (7.2, 53.6), (8.2, 53.6), (8.9, 54.0), (8.6, 54.6),
        (8.2, 55.5), (8.1, 56.5), (8.6, 57.1), (9.8, 57.4), (10.6, 57.7), (10.3, 56.9),
        (10.9, 56.4), (10.2, 55.8), (9.6, 55.2), (10.0, 54.6), (11.0, 54.3), (12.4, 54.3),
        (13.4, 54.5), (14.2, 53.9), (16.4, 54.4), (18.3, 54.8), (19.0, 54.3), (20.0, 54.9),
        (21.1, 55.6), (21.0, 56.9), (21.8, 57.6), (22.7, 57.7), (23.4, 57.0), (24.3, 57.2),
        (24.4, 58.2), (23.5, 58.7), (23.6, 59.2), (25.6, 59.6), (28.0, 59.5), (30.0, 60.0),
        (30.0, 61.0), (50.0, 61.0), (50.0, 40.4), (41.6, 41.5), (41.4, 42.6), (39.6, 43.6),
        (38.0, 44.4), (37.2, 45.1),
        (37.8, 46.6), (39.2, 47.2), (37.4, 47.0), (35.2, 46.3), (34.9, 45.8), (36.5, 45.4),
        (35.3, 45.0), (34.0, 44.4), (33.5, 44.9), (32.6, 45.4), (33.4, 46.0), (31.6, 46.6),
        (30.6, 46.3), (29.7, 45.2), (28.7, 44.2), (28.0, 43.3), (27.7, 42.5), (28.2, 41.6),
        (29.1, 41.2), (28.0, 41.0), (26.8, 40.5), (26.0, 40.8), (24.4, 40.9), (24.2, 40.3),
        (23.3, 40.2), (22.7, 40.5), (22.7, 39.7), (23.2, 39.2), (22.9, 38.9), (23.7, 38.4),
        (24.0, 37.7), (23.2, 37.9), (22.8, 37.5), (23.1, 36.5), (22.4, 36.7), (21.7, 36.9),
        (21.3, 37.8), (22.4, 38.2), (21.2, 38.4), (20.7, 39.0), (20.0, 39.7), (19.4, 40.6),
        (19.5, 41.7), (18.4, 42.5), (16.8, 43.3), (15.2, 44.2), (14.7, 45.1), (13.7, 44.9),
        (13.7, 45.7), (12.4, 45.4), (12.4, 44.4), (13.6, 43.6), (14.2, 42.5), (15.2, 41.9),
        (16.1, 41.8), (16.2, 41.4), (17.6, 40.8), (18.5, 40.2), (18.3, 39.8), (17.0, 40.4),
        (16.6, 39.8), (17.1, 39.1), (16.5, 38.4), (15.8, 37.9), (15.8, 38.6), (16.2, 38.8),
        (15.6, 40.0), (14.5, 40.7), (13.0, 41.2), (11.8, 42.1), (10.5, 42.9), (10.2, 43.9),
        (8.9, 44.4), (8.0, 43.9), (6.6, 43.2), (4.8, 43.4), (3.4, 43.3), (3.1, 42.4), (3.2, 41.9),
        (1.2, 41.1), (0.3, 40.2), (-0.3, 39.4), (0.2, 38.8), (-0.6, 38.0), (-1.4, 37.5),
        (-2.2, 36.8), (-4.4, 36.7),
    ),
    # Great Britain.
    (
        (-5.7, 50.1), (-4.6, 50.4), (-3.6, 50.3), (-2.4, 50.6), (-1.0, 50.8), (0.9, 50.9),
        (1.4, 51.2), (0.6, 51.5), (1.4, 52.0), (1.7, 52.6), (0.9, 52.9), (0.2, 52.9), (0.2, 53.5),
        (-0.4, 54.4), (-1.4, 55.0), (-2.1, 55.8), (-3.2, 56.0), (-2.6, 56.4), (-2.0, 57.2),
        (-2.1, 57.7), (-4.0, 57.7), (-3.2, 58.5), (-5.0, 58.6), (-5.6, 57.6), (-6.2, 56.7),
        (-5.5, 55.8), (-4.7, 55.6), (-5.0, 54.8), (-3.4, 54.9), (-3.2, 54.1), (-3.0, 53.4),
        (-4.4, 53.2), (-4.2, 52.6), (-5.2, 51.9), (-4.2, 51.6), (-3.0, 51.5), (-4.2, 51.2),
    ),
    # Ireland.
    (
        (-6.4, 52.2), (-8.2, 51.8), (-10.0, 51.8), (-9.4, 52.8), (-9.9, 53.6), (-8.6, 54.2),
        (-8.4, 55.0), (-7.2, 55.3), (-5.6, 54.5), (-6.1, 53.6),
    ),
    # Scandinavia.
    (
        (5.0, 61.2), (5.2, 60.0), (5.7, 58.8), (7.0, 58.0), (8.4, 58.3), (10.4, 59.3), (11.2, 58.8),
        (11.9, 57.6), (12.7, 56.2), (13.0, 55.4), (14.2, 55.5), (14.6, 56.1), (16.0, 56.2),
        (16.6, 57.4), (17.0, 58.6), (18.6, 59.6), (17.4, 60.7), (17.4, 61.2),
    ),
    # Zealand and Funen as one.
    ((9.8, 55.3), (10.8, 55.5), (11.2, 55.7), (12.5, 56.0), (12.4, 55.3), (11.8, 54.7),
     (10.6, 54.9)),
    # Africa, and Asia Minor round to the Levant; it overlaps Europe in the Caucasus.
    (
        (-12.0, 27.0), (-10.2, 29.2), (-9.7, 31.0), (-8.4, 33.2), (-6.4, 34.6), (-5.9, 35.7),
        (-4.4, 35.2), (-2.6, 35.3), (-0.6, 35.8), (1.2, 36.5), (3.6, 36.9), (6.4, 37.0),
        (9.8, 37.3), (11.0, 37.0), (10.4, 36.3), (11.1, 35.4), (10.1, 34.3), (10.8, 33.6),
        (12.4, 32.8), (14.2, 32.6), (15.3, 32.2), (15.6, 31.4), (17.4, 30.8), (19.2, 30.3),
        (20.1, 31.1), (20.0, 32.2), (21.6, 32.9), (23.2, 32.3), (25.0, 31.7), (27.2, 31.3),
        (29.0, 30.9), (30.4, 31.5), (32.2, 31.2), (34.2, 31.3), (35.0, 32.8), (35.9, 34.6),
        (35.8, 36.2), (36.1, 36.8), (34.6, 36.7), (33.2, 36.1), (31.2, 36.7), (30.4, 36.4),
        (29.2, 36.3), (27.4, 37.0), (26.4, 38.2), (26.9, 39.2), (26.2, 40.0), (27.6, 40.4),
        (29.0, 40.5), (29.2, 41.1), (31.4, 41.3), (33.4, 42.0), (35.2, 42.0), (36.4, 41.3),
        (38.4, 41.0), (41.2, 41.4), (43.5, 43.5), (50.0, 43.5), (50.0, 27.0),
    ),
    # Sicily, Sardinia, Corsica, Crete, Cyprus, the Balearic Islands.
    ((12.5, 37.9), (13.4, 38.2), (15.6, 38.2), (15.2, 36.8), (14.2, 37.0)),
    ((8.4, 39.1), (9.6, 39.2), (9.7, 40.8), (9.2, 41.2), (8.2, 40.8)),
    ((8.6, 42.1), (9.4, 43.0), (9.4, 41.9), (9.0, 41.4)),
    ((23.6, 35.5), (24.8, 35.4), (26.3, 35.2), (24.8, 34.9), (23.6, 35.2)),
    ((32.4, 35.0), (33.0, 35.3), (34.5, 35.6), (33.6, 34.8)),
    ((2.4, 39.6), (3.4, 39.8), (3.1, 39.3)),
)  # fmt: skip


class Cover(Drawing):
    """The whole first page. ``sheet_map``: the map between the bands, drawn beyond the edges of the
    page; None in a book without maps. ``facts``: what follows the years in the last line of the
    title, such as ``maps at one inch to the foot`` and whose work it is; empty ones are left
    out."""

    def __init__(
        self,
        page: Leaf,
        scenarios: Sequence[Scenario],
        sheet_map: SheetMap | None,
        facts: Sequence[str],
    ) -> None:
        self.page, self.scenarios, self.sheet_map, self.facts = page, scenarios, sheet_map, facts
        # It takes all the height that its page has between the margins.
        self.TALL = page.depth

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        page = self.page
        canvas.saveState()
        # From here on, 0 and 0 are the lower left corner of the paper: the cover does not keep to
        # the margins.
        canvas.translate(x - page.margin - page.inner, top - page.top)
        if self.sheet_map:
            self._paint_map(canvas, self.sheet_map)
        self._paint_title(canvas)
        self._paint_foot(canvas)
        canvas.restoreState()

    def _paint_map(self, canvas: Canvas, sheet_map: SheetMap) -> None:
        """The map between the two bands, from edge to edge of the paper."""
        page = self.page
        low, high = _FOOT_BAND, page.height - _TITLE_BAND
        canvas.saveState()
        edge = canvas.beginPath()
        edge.rect(-BLEED, low, page.width + 2 * BLEED, high - low)
        canvas.clipPath(edge, stroke=0, fill=0)
        # Large enough to fill the space between the bands in both directions; what is too much of
        # the map is cut off above and below, or at the right.
        map_width, map_height = sheet_map.table.size
        scale = max((page.width + 2 * BLEED) / map_width, (high - low) / map_height)
        middle = (low + high) / 2
        sheet_map.stamp(canvas, -BLEED, middle - map_height * scale / 2, scale)
        canvas.restoreState()

    def _paint_title(self, canvas: Canvas) -> None:
        """The upper band: the game, the title, and where and when the battles were fought."""
        page = self.page
        low = page.height - _TITLE_BAND
        self._paint_band(canvas, low, _TITLE_BAND + BLEED, inks.BAND)
        self._paint_band(canvas, low - _STRIPE, _STRIPE, inks.ACCENT)
        game = Style(HEAD, 13, 13, ink=self._on_band(canvas, from_hex("E3D9BC")))
        write(canvas, _MARGIN, page.height - 74, GAME.upper(), game, track=4.2)
        self._paint_book_title(canvas, page.height - 138)
        white = self._on_band(canvas, inks.WHITE)
        places = Style(MEDIUM, 19, 19, ink=white)
        write(canvas, _MARGIN, page.height - 176, self._places_line(), places)
        facts = [fact for fact in (years_of(self.scenarios), *self.facts) if fact]
        pale = Style(MEDIUM, 11.5, 11.5, ink=self._on_band(canvas, PALE))
        write(canvas, _MARGIN, page.height - 206, " · ".join(facts), pale)

    def _paint_book_title(self, canvas: Canvas, level: float) -> None:
        """The number of battles, as large as fits between the margins."""
        title = Style(TITLE, 69, 69, ink=self._on_band(canvas, inks.WHITE))
        words = number_of_battles(len(self.scenarios))
        while line_width(words, title) > self.page.width - 2 * _MARGIN:
            title = title._replace(size=title.size - 1)
        # Large letters have more empty space at their left: moved out, they align with the lines
        # above and below.
        write(canvas, _MARGIN - 3, level, words, title)

    def _places_line(self) -> str:
        """From where to where the scenarios lead, or where the only one was fought."""
        first, last = self.scenarios[0], self.scenarios[-1]
        if len(self.scenarios) == 1:
            return _place(first)
        return f"The scenarios, from {_place(first)} to {_place(last)}"

    def _paint_band(self, canvas: Canvas, low: float, tall: float, ink: inks.Ink) -> None:
        """A band across the page and beyond, up from ``low``; where ink is spared, its outline
        only."""
        page = self.page
        canvas.pen(ink, 1.4, ink)
        if canvas.sparing:
            canvas.pen(ink, 1.4, inks.WHITE)
        canvas.rect(-BLEED, low, page.width + 2 * BLEED, tall, stroke=int(canvas.sparing), fill=1)

    def _on_band(self, canvas: Canvas, ink: inks.Ink) -> inks.Ink:
        """The ink of words on a band, which is paper where ink is spared."""
        if canvas.sparing:
            return inks.BLACK
        return ink

    def _paint_foot(self, canvas: Canvas) -> None:
        """The lower band: the outline map, and beside it the list of the scenarios."""
        page = self.page
        self._paint_band(canvas, -BLEED, _FOOT_BAND + BLEED, inks.BAND)
        # A stripe on its upper edge, thinner than the one below the title.
        self._paint_band(canvas, _FOOT_BAND, 3, inks.ACCENT)
        outline = _OutlineMap(canvas, _MARGIN, _OUTLINE_LOW, _OUTLINE_WIDTH, _OUTLINE_HEIGHT)
        outline.paint()
        # Few scenarios stand no farther apart than ``LEAST_LINES`` of them would.
        step = _OUTLINE_HEIGHT / max(LEAST_LINES, len(self.scenarios))
        left = _MARGIN + _OUTLINE_WIDTH + 22
        right = page.width - _MARGIN
        # The list begins at the upper edge of the map. The baseline of a line is 3.2 points below
        # its middle.
        level = _OUTLINE_LOW + _OUTLINE_HEIGHT - step / 2 - 3.2
        for scenario in self.scenarios:
            place = PLACES.get(scenario.id)
            if place:
                outline.mark(str(scenario.number), place)
            self._paint_line(canvas, left, level, right, scenario)
            level -= step

    def _paint_line(
        self, canvas: Canvas, left: float, level: float, right: float, scenario: Scenario
    ) -> None:
        """A scenario of the list: number, place, date."""
        number = Style(HEAD, 10.5, 10.5, "right", self._on_band(canvas, WARM))
        write(canvas, left + 12, level, str(scenario.number), number)
        name = Style(BOLD, 10.2, 10.2, ink=self._on_band(canvas, inks.WHITE))
        place = fitted(_place(scenario), name, 120)  # the date needs the rest of the line
        write(canvas, left + 20, level, place, name)
        date = Style(MEDIUM, 9.6, 9.6, "right", self._on_band(canvas, PALE))
        write(canvas, right, level, wording.date_in_words(scenario.date), date)
        if scenario is not self.scenarios[-1]:
            rule(canvas, left, right, level - 4.9, 0.3, ink=_LINE)


def years_of(scenarios: Sequence[Scenario]) -> str:
    """The years in which the battles were fought: ``1939 – 1945``."""
    # Dates are written as 1941-06-22, or shorter where the day is not known.
    years = [scenario.date[:4] for scenario in scenarios]
    return f"{min(years)} – {max(years)}"


def number_of_battles(count: int) -> str:
    """The title of a book: ``TEN BATTLES``."""
    noun = "battles"
    if count == 1:
        noun = "battle"
    return f"{number_word(count)} {noun}".upper()


def _place(scenario: Scenario) -> str:
    """The name in short of the place where a scenario was fought, or its title."""
    if scenario.id in PLACES:
        return PLACES[scenario.id].name
    return scenario.title


class _OutlineMap:
    """Europe and North Africa in a frame with its lower left corner at ``x`` and ``y``."""

    def __init__(self, canvas: Canvas, x: float, y: float, wide: float, tall: float) -> None:
        self.canvas, self.x, self.y, self.wide, self.tall = canvas, x, y, wide, tall

    def _on_paper(self, longitude: float, latitude: float) -> tuple[float, float]:
        """The point of a place on the cover."""
        return (
            self.x + (longitude - WEST) / (EAST - WEST) * self.wide,
            self.y + (latitude - SOUTH) / (NORTH - SOUTH) * self.tall,
        )

    def paint(self) -> None:
        """The land on the sea, cut off at the frame; in lines only where ink is spared."""
        canvas = self.canvas
        sea, land = SEA, LAND
        if canvas.sparing:
            sea, land = inks.WHITE, inks.WHITE
        canvas.saveState()
        edge = canvas.beginPath()
        edge.rect(self.x, self.y, self.wide, self.tall)
        canvas.clipPath(edge, stroke=0, fill=0)
        canvas.pen(_COAST_INK, 0.7, sea)
        canvas.rect(self.x, self.y, self.wide, self.tall, stroke=0, fill=1)
        # All coasts first: where two lands meet, their fillings cover the lines between them.
        canvas.pen(_COAST_INK, 1.4, land)
        canvas.setLineJoin(1)  # round corners
        outlines = []
        for coast in COASTS:
            smooth = plane.curved(coast, closed=True, steps=3)
            outlines.append([self._on_paper(*point) for point in smooth])
        for outline in outlines:
            canvas.shape(*outline, stroke=1, fill=0)
        for outline in outlines:
            canvas.shape(*outline, stroke=0, fill=1)
        canvas.restoreState()
        canvas.pen(LAND, 0.8)
        if canvas.sparing:
            canvas.pen(inks.BLACK, 0.8)
        canvas.rect(self.x, self.y, self.wide, self.tall, fill=0)

    def mark(self, number: str, place: BattlePlace) -> None:
        """A dot at the place, and the number of its scenario beside it."""
        canvas = self.canvas
        x, y = self._on_paper(place.longitude, place.latitude)
        right, high = x + place.number_offset[0], y + place.number_offset[1]
        canvas.pen(inks.ACCENT, 0.9, inks.ACCENT)
        canvas.line(x, y, right, high)
        canvas.circle(x, y, 1.9, stroke=0, fill=1)
        canvas.pen(inks.WHITE, 0.9, inks.ACCENT)
        style = Style(HEAD, 9.2, 9.2, "centre", inks.WHITE)
        canvas.circle(right, high, 7.2, fill=1)
        write(canvas, right, high - 3.3, number, style)
