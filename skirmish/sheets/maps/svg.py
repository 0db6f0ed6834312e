"""Draws a map as SVG, for a television, with the functions that draw it on a page.

Begin with ``SvgPen``, which takes inches of the table as every pen does. Its ``SvgCanvas`` has
those methods of a page's canvas that maps use, and so their names. Colours are custom properties
of CSS, named after the inks of the palette. Each has two values in the same file: one as bright as
paper by day, and one as bright as paper under a lamp for browsers that are set to dark colours.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import msgspec
from reportlab.pdfgen.pathobject import PDFPathObject  # type: ignore[import-untyped]

from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL, MEDIUM, Face
from skirmish.sheets.maps.palette import COLOUR, NOT_INKS, MapPalette
from skirmish.sheets.maps.pen import Lettering, Pen

_FONT_FILES: dict[Face, str] = {
    MEDIUM: "BarlowCondensed_500Medium",
    LABEL: "BarlowCondensed_600SemiBold",
    HEAD: "BarlowCondensed_700Bold",
    ITALIC: "BarlowSemiCondensed_400Regular_Italic",
}
"""The font files of a map's faces for browsers, which hold only letters of European languages."""
_FONT_FOLDER = Path(__file__).parents[1] / "fonts"
_LEFT_UNDER_LAMP = (0.77, 0.75, 0.70)
"""The shares of a light ink's red, green and blue that are left under a lamp."""
_DARK_BELOW = 110 / 255
"""An ink whose red, green and blue are all below this is dark, as those of lines and sides are: it
stays as it is."""
_JOINS = ("miter", "round", "bevel")
_CAPS = ("butt", "round", "square")
"""What SVG calls joins and caps, by the numbers that PDF has for them."""


def under_a_lamp(ink: Ink) -> Ink:
    """The ink in a dark room: light inks become darker and warmer, dark ones stay."""
    if max(ink) < _DARK_BELOW:
        return ink
    red, green, blue = ink
    red_left, green_left, blue_left = _LEFT_UNDER_LAMP
    return red * red_left, green * green_left, blue * blue_left


def hex_code(ink: Ink) -> str:
    """The ink as a colour of CSS: ``#1b1b18``."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in ink)


class _DrawingState(msgspec.Struct):
    """How the canvas draws now, which ``saveState`` remembers. ``open_groups``: how many groups of
    the file were opened since the last ``saveState``; they end with its ``restoreState``."""

    fill: Ink = (0.0, 0.0, 0.0)
    stroke: Ink = (0.0, 0.0, 0.0)
    weight: float = 1.0
    dash: tuple[float, ...] = ()
    join: int = 0
    cap: int = 0
    open_groups: int = 0


class _WrittenText(NamedTuple):
    """A text that was written, with the size of its type in points."""

    text: str
    size: float


class SvgCanvas:
    """A canvas that writes SVG, with those methods of a page's canvas that maps use. ``size``:
    points across and upward; ``words`` are the texts that were written."""

    sparing = False
    """Ink is not spared on a screen; the functions that draw ask every canvas."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = size
        self.words: list[_WrittenText] = []
        self._ink_names = _ink_names_of(COLOUR)
        self._parts: list[str] = []
        """What was drawn so far, as pieces of the file."""
        self._clip_count = 0
        self._state = _DrawingState()
        self._saved_states: list[_DrawingState] = []
        self._used_inks: dict[str, Ink] = {}
        """The inks in use, by the names of their properties."""

    # ------------------------------------------------------------------ states

    def saveState(self) -> None:  # noqa: N802  (as the PDF library calls it, like its neighbours)
        self._saved_states.append(self._state)
        self._state = msgspec.structs.replace(self._state, open_groups=0)

    def restoreState(self) -> None:  # noqa: N802
        self._parts.append("</g>" * self._state.open_groups)
        self._state = self._saved_states.pop()

    def translate(self, x: float, y: float) -> None:
        self._open_group(f'transform="translate({_numbers(x, y)})"')

    def rotate(self, degrees: float) -> None:
        if degrees:  # without a turn no group is needed
            self._open_group(f'transform="rotate({_short(degrees)})"')

    def scale(self, across: float, upward: float) -> None:
        # A factor needs more places than a length in points.
        self._open_group(f'transform="scale({across:.4g} {upward:.4g})"')

    def clipPath(self, path: PDFPathObject, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802
        del stroke, fill  # a map never draws the path of a clip
        self._clip_count += 1
        clip_id = f"c{self._clip_count}"
        outline = f'<path d="{_outline(path.getCode())}"/>'
        self._parts.append(f'<clipPath id="{clip_id}">{outline}</clipPath>')
        self._open_group(f'clip-path="url(#{clip_id})"')

    def _open_group(self, attribute: str) -> None:
        """Begins a group with an attribute for all in it. It ends where the state is restored."""
        self._parts.append(f"<g {attribute}>")
        self._state.open_groups += 1

    # ------------------------------------------------------------------ pens

    def pen(self, ink: Ink, weight: float, fill: Ink | None = None) -> None:
        """Sets the ink and the weight of lines, and the ink that fills; None: that stays."""
        self._state.stroke, self._state.weight = ink, weight
        if fill is not None:
            self._state.fill = fill

    def setFillColor(self, ink: Ink) -> None:  # noqa: N802
        self._state.fill = ink

    def setStrokeColor(self, ink: Ink) -> None:  # noqa: N802
        self._state.stroke = ink

    def setLineWidth(self, weight: float) -> None:  # noqa: N802
        self._state.weight = weight

    def setLineJoin(self, join: int) -> None:  # noqa: N802
        self._state.join = join

    def setLineCap(self, cap: int) -> None:  # noqa: N802
        self._state.cap = cap

    def setDash(self, dash: Sequence[float]) -> None:  # noqa: N802
        self._state.dash = tuple(dash)

    # ------------------------------------------------------------------ shapes

    def beginPath(self) -> PDFPathObject:  # noqa: N802
        return PDFPathObject()

    def drawPath(self, path: PDFPathObject, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802
        outline = _outline(path.getCode())
        if outline:
            self._draw(f'path d="{outline}"', stroke, fill)

    def shape(self, *corners: tuple[float, float], closed: bool = True) -> None:
        """Draws lines through the corners; a closed shape is filled, too."""
        outline = "M" + "L".join(_numbers(x, y) for x, y in corners)
        if closed:
            outline += "Z"
        self._draw(f'path d="{outline}"', stroke=1, fill=int(closed))

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._draw(f'path d="M{_numbers(x1, y1)}L{_numbers(x2, y2)}"', stroke=1, fill=0)

    def rect(  # noqa: PLR0917  (the PDF library's own order)
        self, x: float, y: float, width: float, height: float, stroke: int = 1, fill: int = 0
    ) -> None:
        self.roundRect(x, y, width, height, 0, stroke, fill)

    def roundRect(  # noqa: N802, PLR0917
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        radius: float,
        stroke: int = 1,
        fill: int = 0,
    ) -> None:
        # A page accepts a negative width or height, SVG does not.
        left, low = min(x, x + width), min(y, y + height)
        place = f'x="{_short(left)}" y="{_short(low)}"'
        size = f'width="{_short(abs(width))}" height="{_short(abs(height))}"'
        rounded = ""
        if radius:
            rounded = f' rx="{_short(radius)}"'
        self._draw(f"rect {place} {size}{rounded}", stroke, fill)

    def circle(self, x: float, y: float, radius: float, stroke: int = 1, fill: int = 0) -> None:
        self._draw(f'circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}"', stroke, fill)

    def _draw(self, element: str, stroke: int, fill: int) -> None:
        """Adds an element with the classes of its inks, as far as it is filled and stroked."""
        classes = []
        if fill:
            classes.append(f"f-{self._property_of(self._state.fill)}")
        if stroke:
            classes.append(f"s-{self._property_of(self._state.stroke)}")
        attributes = f' class="{" ".join(classes)}"'
        if stroke:
            attributes += self._line_attributes()
        self._parts.append(f"<{element}{attributes}/>")

    def _line_attributes(self) -> str:
        """The weight of lines as they are drawn now, then the attributes that are not at the
        defaults of SVG."""
        state = self._state
        # A weight needs more places than a length: the thinnest line is a quarter of a point.
        attributes = f' stroke-width="{state.weight:.3g}"'
        if state.join:
            attributes += f' stroke-linejoin="{_JOINS[state.join]}"'
        if state.cap:
            attributes += f' stroke-linecap="{_CAPS[state.cap]}"'
        if state.dash:
            attributes += f' stroke-dasharray="{_numbers(*state.dash)}"'
        return attributes

    def _property_of(self, ink: Ink) -> str:
        """The name of an ink's custom property: that in the palette or, for a side's ink, its
        colour code. The property is noted for the style sheet."""
        name = self._ink_names.get(ink)
        if name is None:
            name = hex_code(ink).replace("#", "ink-")
        self._used_inks[name] = ink
        return name

    # ------------------------------------------------------------------ words

    def letter(self, lettering: Lettering, ink: Ink, halo: Ink | None) -> None:
        """Writes words around the origin. ``halo``: the ink of the outline that sets them off from
        the map; None: without one."""
        x, y = lettering.baseline_start
        classes = f"f-{self._property_of(ink)}"
        if halo is not None:
            classes += f" halo s-{self._property_of(halo)}"
        spans = []
        whole_text = ""
        for face, text in lettering.runs:
            spans.append(f"<tspan font-family={quoteattr(face)}>{escape(text)}</tspan>")
            whole_text += text
        spacing = ""
        if lettering.track:
            spacing = f' letter-spacing="{_short(lettering.track)}"'
        # The whole drawing is turned upside down (``as_file``); words are turned back.
        place = f'x="{_short(x)}" y="{_short(-y)}"'
        letters = f'font-size="{_short(lettering.size)}"{spacing} class="{classes}"'
        self._parts.append(
            f'<text transform="scale(1 -1)" {place} {letters}>{"".join(spans)}</text>'
        )
        self.words.append(_WrittenText(whole_text, lettering.size))

    # ------------------------------------------------------------------ the file

    def as_file(self, name: str) -> str:
        """The text of the whole file; ``name`` is what a screen reader says of it."""
        width, height = (_short(side) for side in self.size)
        # The coordinates of a page run upward, those of SVG downward: all is turned upside down.
        turned_over = f"matrix(1 0 0 -1 0 {height})"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'role="img"><title>{escape(name)}</title><style>{"".join(self._css_rules())}</style>'
            f'<g fill="none" transform="{turned_over}">{"".join(self._parts)}</g>'
            "</svg>"
        )

    def _css_rules(self) -> Iterator[str]:
        """The style sheet: the faces, the inks by day and under a lamp, and the classes: ``f-``
        fills with an ink, ``s-`` strokes with it."""
        for face, file in _FONT_FILES.items():
            yield _face_rule(face, file)
        yield _ink_rule(self._used_inks, _by_day)
        lamp_rule = _ink_rule(self._used_inks, under_a_lamp)
        yield f"@media (prefers-color-scheme:dark){{{lamp_rule}}}"
        for name in self._used_inks:
            yield f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}"
        # Words were placed by the widths that they have on a page, where there is no kerning.
        yield "text{font-kerning:none}"
        halo_width = COLOUR.halo_weight
        yield f".halo{{paint-order:stroke;stroke-linejoin:round;stroke-width:{halo_width}}}"


class SvgPen(Pen):
    """A pen for an ``SvgCanvas``."""

    canvas: SvgCanvas

    def _letter(self, lettering: Lettering, ink: Ink, *, halo: bool) -> None:
        halo_ink = None
        if halo:
            halo_ink = self.inks.halo
        self.canvas.letter(lettering, ink, halo_ink)


def _ink_names_of(palette: MapPalette) -> dict[Ink, str]:
    """The names of the inks as the file writes them. Where two inks are the same colour, the first
    name stands for both."""
    names: dict[Ink, str] = {}
    for name in palette.__struct_fields__:
        if name not in NOT_INKS:
            names.setdefault(getattr(palette, name), name.replace("_", "-"))
    return names


def _ink_rule(inks: dict[str, Ink], as_seen: Callable[[Ink], Ink]) -> str:
    """The rule that sets the custom properties to their inks, as they are seen in one light."""
    values = [f"--{name}:{hex_code(as_seen(ink))}" for name, ink in inks.items()]
    return f":root{{{';'.join(values)}}}"


def _by_day(ink: Ink) -> Ink:
    """The ink as it is on paper: unchanged."""
    return ink


@cache
def _face_rule(face: Face, file: str) -> str:
    """The rule that embeds the data of a face: within a picture, browsers load no other file."""
    data = b64encode((_FONT_FOLDER / f"{file}.woff2").read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{data})"
    return f'@font-face{{font-family:"{face}";src:{source} format("woff2")}}'


def _short(number: float) -> str:
    """A number with one place after the point: a tenth of a point is no pixel of a television."""
    text = f"{number:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text


def _numbers(*numbers: float) -> str:
    """Numbers as they stand in a path: ``12 4.5``."""
    return " ".join(map(_short, numbers))


def _outline(code: str) -> str:
    """A path of the PDF format as one of SVG. In PDF the operator comes after its numbers: ``m``
    moves, ``l`` draws a line, ``c`` a curve, ``h`` closes the path, ``re`` adds a rectangle, ``n``
    ends the path without drawing it."""
    parts: list[str] = []
    numbers: list[float] = []
    for token in code.split():
        match token:
            case "m" | "l" | "c":
                parts.append(token.upper() + _numbers(*numbers))
                numbers = []
            case "h":
                parts.append("Z")
            case "re":
                x, y, width, height = numbers
                across, upward = _short(width), _short(height)
                parts.append(f"M{_numbers(x, y)}h{across}v{upward}h{_short(-width)}Z")
                numbers = []
            case "n":
                numbers = []
            case _:
                numbers.append(float(token))
    return "".join(parts)
