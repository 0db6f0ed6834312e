"""A surface for the map painter that writes SVG, not a page: the same drawing on a television.

Begin with ``SvgPen``, which takes inches of the table as every pen does. Its ``SvgCanvas`` offers
what the painter uses of the canvas of a sheet. Colours are custom properties that are named after
the inks of the palette, so that one file is paper in the light and paper under a lamp in the dark.
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
"""The faces of a map, as files for browsers: cut down to the letters of Europe."""
_FOLDER = Path(__file__).parents[1] / "fonts"
_LAMP = (0.77, 0.75, 0.70)
"""What is left of a light ink under a lamp: its red, green and blue."""
_DARK = 110 / 255
"""An ink without a brighter part than this is a line or a side, and stays as it is."""
_JOINS = ("miter", "round", "bevel")
_CAPS = ("butt", "round", "square")
"""What SVG calls joins and caps, by the numbers that PDF has for them."""


def under_a_lamp(ink: Ink) -> Ink:
    """The ink in a dark room: what is light comes down and grows warmer, dark lines stay."""
    if max(ink) < _DARK:
        return ink
    red, green, blue = (part * left for part, left in zip(ink, _LAMP, strict=True))
    return red, green, blue


def hex_code(ink: Ink) -> str:
    """``#1b1b18``."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in ink)


class _State(msgspec.Struct):
    """What ``saveState`` remembers. ``groups`` are those opened since."""

    fill: Ink = (0.0, 0.0, 0.0)
    stroke: Ink = (0.0, 0.0, 0.0)
    weight: float = 1.0
    dash: tuple[float, ...] = ()
    join: int = 0
    cap: int = 0
    groups: int = 0


class _Words(NamedTuple):
    """A text in the drawing, as a reader sees it."""

    text: str
    size: float


class SvgCanvas:
    """A canvas that writes SVG, with those methods of a sheet's canvas that maps use. ``size``:
    points across and upward; ``words`` are the texts that were written."""

    sparing = False

    def __init__(self, size: tuple[float, float], palette: MapPalette = COLOUR) -> None:
        self.size = size
        self.words: list[_Words] = []
        self._names = _names_of(palette)
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
        self._open(f'transform="scale({across:.4g} {upward:.4g})"')

    def clipPath(self, path: PDFPathObject, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802
        del stroke, fill  # a map never draws the path of a clip
        self._clips += 1
        outline = f'<path d="{_outline(path.getCode())}"/>'
        self._parts.append(f'<clipPath id="c{self._clips}">{outline}</clipPath>')
        self._open(f'clip-path="url(#c{self._clips})"')

    def _open(self, attribute: str) -> None:
        """Begin a group; it ends where the state is restored."""
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
        outline = "M" + "L".join(_points(x, y) for x, y in corners)
        if closed:
            outline += "Z"
        self._draw(f'path d="{outline}"', 1, int(closed))

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self._draw(f'path d="M{_points(x1, y1)}L{_points(x2, y2)}"', 1, 0)

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
        # SVG draws no rectangle with a negative width or height, which a page takes.
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
        """Add an element with the inks of the state, as far as it is stroked and filled."""
        looks = []
        if fill:
            looks.append(f"f-{self._property_of(self._state.fill)}")
        if stroke:
            looks.append(f"s-{self._property_of(self._state.stroke)}")
        attributes = f' class="{" ".join(looks)}"'
        if stroke:
            attributes += self._line_attributes()
        self._parts.append(f"<{element}{attributes}/>")

    def _line_attributes(self) -> str:
        """How a line is drawn now; what is not named is as SVG has it by default."""
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
        """The name of an ink's property: that of the palette, or for a side's ink its code."""
        name = self._names.get(ink, hex_code(ink).replace("#", "ink-"))
        self._used[name] = ink
        return name

    # ------------------------------------------------------------------ words

    def letter(self, lettering: Lettering, ink: Ink, halo: Ink | None) -> None:
        """Writes words around the origin, with a ``halo`` if that has an ink."""
        x, y = lettering.begin
        looks = f"f-{self._property_of(ink)}"
        if halo is not None:
            looks += f" halo s-{self._property_of(halo)}"
        spans = []
        for face, text in lettering.runs:
            spans.append(f"<tspan font-family={quoteattr(face)}>{escape(text)}</tspan>")
        spacing = ""
        if lettering.track:
            spacing = f' letter-spacing="{_short(lettering.track)}"'
        # The drawing is upside down, since it is measured upward; its words stand upright again.
        self._parts.append(
            f'<text transform="scale(1 -1)" x="{_short(x)}" y="{_short(-y)}" '
            f'font-size="{_short(lettering.size)}"{spacing} class="{looks}">{"".join(spans)}</text>'
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
        """The style sheet: the faces, the inks by day and by night, what each class has of them."""
        for face, file in _FACES.items():
            yield _face_rule(face, file)
        yield _properties(self._used, _unchanged)
        yield f"@media (prefers-color-scheme:dark){{{_properties(self._used, under_a_lamp)}}}"
        for name in self._used:
            yield f".f-{name}{{fill:var(--{name})}}.s-{name}{{stroke:var(--{name})}}"
        # Letters of a page have no kerning, and it is their widths that the words were placed by.
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
    """The names of the inks; of two that are alike the first."""
    names: dict[Ink, str] = {}
    for name in palette.__struct_fields__:
        if name not in NOT_INKS:
            names.setdefault(getattr(palette, name), name.replace("_", "-"))
    return names


def _properties(inks: dict[str, Ink], as_seen: Callable[[Ink], Ink]) -> str:
    """The inks by the names of their properties, in one light."""
    values = [f"--{name}:{hex_code(as_seen(ink))}" for name, ink in inks.items()]
    return f":root{{{';'.join(values)}}}"


def _unchanged(ink: Ink) -> Ink:
    return ink


@cache
def _face_rule(face: Face, file: str) -> str:
    """The face as a part of the file: a picture on a page may fetch nothing."""
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
    """A path in the words of SVG, from those of a page: numbers first, then what they are for."""
    words: list[str] = []
    numbers: list[float] = []
    for word in code.split():
        match word:
            case "m" | "l" | "c":
                words.append(word.upper() + _points(*numbers))
                numbers = []
            case "h":
                words.append("Z")
            case "re":
                x, y, width, height = numbers
                across, upward = _short(width), _short(height)
                words.append(f"M{_points(x, y)}h{across}v{upward}h{_short(-width)}Z")
                numbers = []
            case "n":
                numbers = []
            case _:
                numbers.append(float(word))
    return "".join(words)
