"""PDFs, written and read quickly. pypdf reads content streams sign by sign and each font anew on
each page, ReportLab writes each number and measures each word anew: more than half the time of the
tests of sheets went there. What this does not know it leaves to pypdf."""

from __future__ import annotations

import re
import sys
from array import array
from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from typing import Any

from pypdf.generic import (
    ArrayObject,
    ContentStream,
    DictionaryObject,
    FloatObject,
    NumberObject,
    read_object,
)
from pypdf.generic._font import Font
from reportlab.lib import rl_accel
from reportlab.pdfbase import pdfdoc, ttfonts
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas, pathobject, textobject

SOME = 48
_STRING = re.compile(rb"(\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>|[\[\]])", re.DOTALL)
_PLAIN = re.compile(
    rb"[-+]?(?:\d+\.?\d*|\.\d+)|/[^\s()<>\[\]{}/%]+|(?P<operator>[A-Za-z'\"][A-Za-z0-9*]*)"
)
_parsed_by_pypdf = ContentStream._parse_content_stream
_objects: dict[Any, dict[bytes, Any]] = {}
"""What each token is, by encoding."""
_operators: set[bytes] = set()


_streams: OrderedDict[tuple[bytes, Any], list[Any]] = OrderedDict()
"""The last that were read: most tests read the pages of one document."""


def _parsed(self: ContentStream, stream: BytesIO) -> None:
    data = stream.getvalue()
    if not isinstance(self.forced_encoding, dict) and (data, self.forced_encoding) in _streams:
        self._operations = _streams[data, self.forced_encoding]
        return
    encoding = None if isinstance(self.forced_encoding, dict) else self.forced_encoding
    operations = _operations(data, encoding) if encoding is self.forced_encoding else None
    if operations is None:
        _parsed_by_pypdf(self, stream)
        return
    self._operations = _streams[data, encoding] = operations
    if len(_streams) > SOME:
        _streams.popitem(last=False)


def _object(token: bytes, encoding: Any) -> Any:
    if token[0] in b"/(<":
        return read_object(BytesIO(token + b" "), None, encoding)
    return FloatObject(token.decode()) if b"." in token else NumberObject(token)


def _operations(data: bytes, encoding: Any) -> list[tuple[Any, bytes]] | None:
    operations: list[tuple[Any, bytes]] = []
    operands: list[Any] = []
    array: ArrayObject | None = None
    known = _objects.setdefault(encoding, {})
    for at, part in enumerate(_STRING.split(data)):
        for token in [part] if at % 2 else part.split():
            if token in _operators:
                operations.append((operands, token))
                operands = []
            elif (one := known.get(token)) is not None:
                (operands if array is None else array).append(one)
            elif token == b"[":
                array = ArrayObject()
            elif token == b"]":
                operands.append(array)
                array = None
            else:
                plain = None if at % 2 else _PLAIN.fullmatch(token)
                if (not plain and not at % 2) or token == b"BI":
                    return None
                if plain and plain["operator"]:
                    _operators.add(token)
                    operations.append((operands, token))
                    operands = []
                else:
                    one = known[token] = _object(token, encoding)
                    (operands if array is None else array).append(one)
    return operations


ContentStream._parse_content_stream = _parsed  # type: ignore[method-assign,assignment]


_font_of = Font.from_font_resource


def _font(resource: DictionaryObject) -> Font:
    known: Font | None = getattr(resource, "font", None)
    if known is None:
        known = resource.font = _font_of(resource)  # type: ignore[attr-defined]
    return known


Font.from_font_resource = _font  # type: ignore[method-assign,assignment]

_number = lru_cache(1 << 16)(rl_accel.fp_str)


def _numbers(*numbers: Any) -> str:
    several = numbers[0] if len(numbers) == 1 and isinstance(numbers[0], tuple | list) else numbers
    return " ".join(map(_number, several))


for _module in (canvas, pathobject, pdfdoc, textobject):
    _module.fp_str = _numbers


@lru_cache(1 << 16)
def _advance(face: Any, text: str) -> int:
    widths, default = face.charWidths.get, face.defaultWidth
    return sum(widths(ord(sign), default) for sign in text)


def _width(self: TTFont, text: str, size: float, encoding: str = "utf8") -> float:
    return 0.001 * size * _advance(self.face, text)


TTFont.stringWidth = _width


def _checksum(data: bytes) -> int:
    words = array("I", data + b"\0" * (-len(data) % 4))
    if sys.byteorder == "little":
        words.byteswap()
    return sum(words) & 0xFFFFFFFF


ttfonts.calcChecksum = _checksum
