"""Draws a map as SVG, for a television, with the functions that draw it on a page.

Begin with ``SvgPen``, which takes inches of the table as every pen does. Its ``SvgCanvas`` has
those methods of a page's canvas that maps use, and so their names. Colours are custom properties
named after the inks of the palette: so one file is as bright as paper by day, and as paper under a
lamp where the browser is set to dark colours.
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

_FACES: dict[Face, str] = {
    MEDIUM: "BarlowCondensed_500Medium",
    LABEL: "BarlowCondensed_600SemiBold",
    HEAD: "BarlowCondensed_700Bold",
    ITALIC: "BarlowSemiCondensed_400Regular_Italic",
}
"""The files of a map's faces for browsers, which have only the letters of Europe."""
_FOLDER = Path(__file__).parents[1] / "fonts"
_LAMP = (0.77, 0.75, 0.70)
"""The shares of a light ink's red, green and blue that are left under a lamp."""
_DARK = 110 / 255
"""An ink whose red, green and blue are all below this is dark, as those of lines and sides are: it
stays as it is."""
_JOINS = ("miter", "round", "bevel")
_CAPS = ("butt", "round", "square")
"""What SVG calls joins and caps, by the numbers that PDF has for them."""


def under_a_lamp(ink: Ink) -> Ink:
    """The ink in a dark room: light inks become darker and warmer, dark ones stay."""
    if max(ink) < _DARK:
        return ink
    red, green, blue = ink
    red_left, green_left, blue_left = _LAMP
    return red * red_left, green * green_left, blue * blue_left


def hex_code(ink: Ink) -> str:
    """The ink as a colour of CSS: ``#1b1b18``."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in ink)


class _State(msgspec.Struct):
    """How the canvas draws now, which ``saveState`` remembers. ``groups``: how many groups of the
    file were opened since the last ``saveState``; they end with its ``restoreState``."""

    fill: Ink = (0.0, 0.0, 0.0)
    stroke: Ink = (0.0, 0.0, 0.0)
    weight: float = 1.0
    dash: tuple[float, ...] = ()
    join: int = 0
    cap: int = 0
    groups: int = 0


class _Words(NamedTuple):
    """A text that was written, with its size in points."""

    text: str
    size: float


class SvgCanvas:
    """A canvas that writes SVG, with those methods of a page's canvas that maps use. ``size``:
    points across and upward; ``words`` are the texts that were written."""

    sparing = False
    """Ink is not spared on a screen; the functions that draw ask every canvas."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = size
        self.words: list[_Words] = []
        self._names = _names_of(COLOUR)
        self._parts: list[str] = []
        self._clips = 0
        self._state = _State()
        self._saved: list[_State] = []
        self._used: dict[str, Ink] = {}
        """The inks in use, by the names of their properties."""

    # ------------------------------------------------------------------ states

    def saveState(self) -> None:  # noqa: N802  (as the PDF library calls it, like its neighbours)
        self._saved.append(self._state)
        self._state = msgspec.structs.replace(self._state, groups=0)

    def restoreState(self) -> None:  # noqa: N802
        self._parts.append("</g>" * self._state.groups)
        self._state = self._saved.pop()

    def translate(self, x: float, y: float) -> None:
        self._open(f'transform="translate({_points(x, y)})"')

    def rotate(self, degrees: float) -> None:
        if degrees:
            self._open(f'transform="rotate({_short(degrees)})"')

    def scale(self, across: float, upward: float) -> None:
        # A factor needs more places than a length in points.
        self._open(f'transform="scale({across:.4g} {upward:.4g})"')

    def clipPath(self, path: PDFPathObject, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802
        del stroke, fill  # a map never draws the path of a clip
        self._clips += 1
        outline = f'<path d="{_outline(path.getCode())}"/>'
        self._parts.append(f'<clipPath id="c{self._clips}">{outline}</clipPath>')
        self._open(f'clip-path="url(#c{self._clips})"')

    def _open(self, attribute: str) -> None:
        """Begins a group, which ends where the state is restored."""
        self._parts.append(f"<g {attribute}>")
        self._state.groups += 1

    # ------------------------------------------------------------------ pens

    def pen(self, ink: Ink, weight: float, fill: Ink | None = None) -> None:
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
        outline = "M" + "L".join(_points(x, y) for x, y in corners)
        if closed:
            outline += "Z"
        self._draw(f'path d="{outline}"', stroke=1, fill=int(closed))

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._draw(f'path d="M{_points(x1, y1)}L{_points(x2, y2)}"', stroke=1, fill=0)

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
        """How a line is drawn now; an attribute with the default of SVG is left out."""
        state = self._state
        attributes = f' stroke-width="{state.weight:.3g}"'
        if state.join:
            attributes += f' stroke-linejoin="{_JOINS[state.join]}"'
        if state.cap:
            attributes += f' stroke-linecap="{_CAPS[state.cap]}"'
        if state.dash:
            attributes += f' stroke-dasharray="{" ".join(_short(part) for part in state.dash)}"'
        return attributes

    def _property_of(self, ink: Ink) -> str:
        """The name of an ink's custom property: that in the palette or, for a side's ink, its
        colour code. The property is noted for the style sheet."""
        name = self._names.get(ink, hex_code(ink).replace("#", "ink-"))
        self._used[name] = ink
        return name

    # ------------------------------------------------------------------ words

    def letter(self, lettering: Lettering, ink: Ink, halo: Ink | None) -> None:
        """Writes words around the origin, with a ``halo`` if that has an ink."""
        x, y = lettering.baseline_start
        classes = f"f-{self._property_of(ink)}"
        if halo is not None:
            classes += f" halo s-{self._property_of(halo)}"
        spans = []
        for face, text in lettering.runs:
            spans.append(f"<tspan font-family={quoteattr(face)}>{escape(text)}</tspan>")
        spacing = ""
        if lettering.track:
            spacing = f' letter-spacing="{_short(lettering.track)}"'
        # ``text`` turns the whole drawing over, since its coordinates run upward and those of SVG
        # downward; words are turned over once more.
        place = f'x="{_short(x)}" y="{_short(-y)}"'
        letters = f'font-size="{_short(lettering.size)}"{spacing} class="{classes}"'
        self._parts.append(
            f'<text transform="scale(1 -1)" {place} {letters}>{"".join(spans)}</text>'
        )
        self.words.append(_Words("".join(text for _, text in lettering.runs), lettering.size))

    # ------------------------------------------------------------------ the file

    def text(self, name: str) -> str:
        """The whole file; ``name`` is what a screen reader says of it."""
        across, upward = (_short(side) for side in self.size)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {upward}" '
            f'role="img"><title>{escape(name)}</title><style>{"".join(self._rules())}</style>'
            f'<g fill="none" transform="matrix(1 0 0 -1 0 {upward})">{"".join(self._parts)}</g>'
            "</svg>"
        )

    def _rules(self) -> Iterator[str]:
        """The style sheet: the faces, the inks by day and by night, and the classes: ``f-`` fills
        with an ink, ``s-`` strokes with it."""
        for face, file in _FACES.items():
            yield _face_rule(face, file)
        yield _properties(self._used, _unchanged)
        yield f"@media (prefers-color-scheme:dark){{{_properties(self._used, under_a_lamp)}}}"
        for name in self._used:
            yield f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}"
        # Words were placed by the widths that they have on a page, where there is no kerning.
        yield "text{font-kerning:none}.halo{paint-order:stroke;stroke-linejoin:round;"
        yield f"stroke-width:{COLOUR.halo_weight}}}"


class SvgPen(Pen):
    """A pen for an ``SvgCanvas``."""

    canvas: SvgCanvas

    def _letter(self, lettering: Lettering, ink: Ink, *, halo: bool) -> None:
        around = None
        if halo:
            around = self.inks.halo
        self.canvas.letter(lettering, ink, around)


def _names_of(palette: MapPalette) -> dict[Ink, str]:
    """The names of the inks as they stand in the file; of two names for the same colour, the first
    one."""
    names: dict[Ink, str] = {}
    for name in palette.__struct_fields__:
        if name not in NOT_INKS:
            names.setdefault(getattr(palette, name), name.replace("_", "-"))
    return names


def _properties(inks: dict[str, Ink], as_seen: Callable[[Ink], Ink]) -> str:
    """The rule that sets the custom properties to their inks, as they are seen in one light."""
    values = [f"--{name}:{hex_code(as_seen(ink))}" for name, ink in inks.items()]
    return f":root{{{';'.join(values)}}}"


def _unchanged(ink: Ink) -> Ink:
    return ink


@cache
def _face_rule(face: Face, file: str) -> str:
    """The rule that has a face with its data: browsers let a picture on a page load no file."""
    data = b64encode((_FOLDER / f"{file}.woff2").read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{data})"
    return f'@font-face{{font-family:"{face}";src:{source} format("woff2")}}'


def _short(number: float) -> str:
    """A number with one place after the point: a tenth of a point is no pixel of a television."""
    text = f"{number:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text


def _points(*numbers: float) -> str:
    """Numbers as they stand in a path."""
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
                parts.append(token.upper() + _points(*numbers))
                numbers = []
            case "h":
                parts.append("Z")
            case "re":
                x, y, width, height = numbers
                across, upward = _short(width), _short(height)
                parts.append(f"M{_points(x, y)}h{across}v{upward}h{_short(-width)}Z")
                numbers = []
            case "n":
                numbers = []
            case _:
                numbers.append(float(token))
    return "".join(parts)
