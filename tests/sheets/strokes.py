"""What a page of a PDF draws, in points of the paper, whatever its transformations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pypdf import PdfReader
from pypdf.generic import ContentStream

Point = tuple[float, float]
Frame = tuple[float, float, float, float, float, float]
_PLAIN: Frame = (1, 0, 0, 1, 0, 0)
_MARKS = {b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh"}


class Shape(NamedTuple):
    """Corners of what was stroked or filled; a box when it was drawn as one."""

    points: tuple[Point, ...]
    is_box: bool
    clipped: bool
    """Whether it was drawn within an outline that may have cut it."""

    @property
    def size(self) -> tuple[float, float]:
        across, upward = zip(*self.points, strict=True)
        return max(across) - min(across), max(upward) - min(upward)


class Letters(NamedTuple):
    """A piece of text: where it begins and ends, and how large it really is set."""

    at: Point
    end: Point
    size: float


class Widths(NamedTuple):
    """How wide the letters of a font are from its first, in thousandths of its size."""

    first: int
    widths: list[float]

    @classmethod
    def of(cls, font: Any) -> Widths:
        return cls(int(font["/FirstChar"]), [float(width) for width in font["/Widths"]])


class Seen(NamedTuple):
    shapes: list[Shape]
    texts: list[Letters]


def _times(one: Frame, two: Frame) -> Frame:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = two
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s,
            e * p + f * r + t, e * q + f * s + u)  # fmt: skip


def _at(frame: Frame, x: float, y: float) -> Point:
    a, b, c, d, e, f = frame
    return a * x + c * y + e, b * x + d * y + f


def pages(reader: PdfReader) -> Iterator[Seen]:
    """Page after page."""
    page: Any
    known: dict[int, Widths] = {}
    for page in reader.pages:
        fonts = {}
        listed = page["/Resources"]["/Font"]
        for name in listed:
            reference = listed.raw_get(name)
            number = reference.idnum
            if number not in known:
                known[number] = Widths.of(reference.get_object())
            fonts[name] = known[number]
        yield seen(ContentStream(page.get_contents(), reader).operations, fonts)


def _width(text: Any, font: Widths) -> tuple[float, int, int]:
    """Thousandths of its size that a text takes, its letters, and the spaces among them."""
    letters = text if isinstance(text, bytes) else text.original_bytes
    wide = sum([font.widths[letter - font.first] for letter in letters])
    return wide, len(letters), letters.count(b" ")


def seen(operations: list[Any], fonts: dict[str, Widths]) -> Seen:
    """All that these operations leave on the paper."""
    found = Seen([], [])
    now, clipped, stack = _PLAIN, False, []
    parts: list[tuple[list[Point], bool]] = []
    gone = gap = 0.0
    lines, size, lead, space, clips, font = _PLAIN, 0.0, 0.0, 0.0, False, Widths(0, [])
    for values, name in operations:
        if name == b"q":
            stack.append((now, clipped, space, gap, size, font))
        elif name == b"Q":
            now, clipped, space, gap, size, font = stack.pop()
        elif name == b"cm":
            now = _times((*values,), now)  # type: ignore[arg-type]
        elif name == b"re":
            x, y, w, h = values
            corners = [_at(now, *p) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))]
            parts.append((corners, True))
        elif name == b"m":
            parts.append(([_at(now, *values)], False))
        elif name == b"l":
            parts[-1][0].append(_at(now, *values))
        elif name == b"c":
            parts[-1][0].append(_at(now, *values[4:]))
        elif name in (b"W", b"W*"):
            clips = True
        elif name in _MARKS or name == b"n":
            if name != b"n":
                found.shapes.extend(Shape(tuple(p), box, clipped) for p, box in parts)
            clipped, clips, parts = clipped or clips, False, []
        elif name == b"BT":
            lines, gone = _PLAIN, 0.0
        elif name == b"Tf":
            size, font = values[-1], fonts[values[0]]
        elif name == b"Tc":
            space = values[0]
        elif name == b"Tw":
            gap = values[0]
        elif name == b"TL":
            lead = values[0]
        elif name == b"Tm":
            lines, gone = (*values,), 0.0  # type: ignore[assignment]
        elif name in (b"Td", b"T*"):
            lines = _times((1, 0, 0, 1, *(values or (0, -lead))), lines)  # type: ignore[arg-type]
            gone = 0.0
        elif name == b"Tj":
            wide, count, gaps = _width(values[0], font)
            long = wide * size / 1000 + space * (count - 1) + gap * gaps
            frame = _times(_times((1, 0, 0, 1, gone, 0), lines), now)
            tall = (frame[2] ** 2 + frame[3] ** 2) ** 0.5
            found.texts.append(Letters(_at(frame, 0, 0), _at(frame, long, 0), size * tall))
            gone += long + space
        else:
            assert name not in (b"TJ", b"'", b'"', b"Tz", b"Ts"), name
    return found
