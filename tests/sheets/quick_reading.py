"""Content streams of PDFs, read quickly: pypdf reads them sign by sign, and half the time of the
tests of sheets went there. What this does not know it leaves to pypdf."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import Any

from pypdf.generic import ArrayObject, ContentStream, read_object

_TOKEN = re.compile(
    rb"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+))(?=[\s\[\]()/<])"
    rb"|(?P<other>/[^\s()<>\[\]{}/%]+|\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f]*>)"
    rb"|(?P<array>[\[\]])"
    rb"|(?P<operator>[A-Za-z'\"][A-Za-z0-9*]*)(?=\s|$))",
    re.DOTALL,
)
_parsed_by_pypdf = ContentStream._parse_content_stream
_objects: dict[Any, dict[bytes, Any]] = {}
"""What each token is, by encoding."""


@cache
def _object(token: bytes, encoding: Any) -> Any:
    return read_object(BytesIO(token), None, encoding)


def _parsed(self: ContentStream, stream: BytesIO) -> None:
    data = stream.getvalue()
    operations: list[tuple[Any, bytes]] = []
    operands: list[Any] = []
    array: ArrayObject | None = None
    end, match = 0, _TOKEN.scanner(data).match  # type: ignore[attr-defined]
    encoding = None if isinstance(self.forced_encoding, dict) else self.forced_encoding
    known = _objects.setdefault(encoding, {})
    while found := match():
        end, kind = found.end(), found.lastgroup
        token = found[kind]
        if kind == "operator":
            if token == b"BI":
                break
            operations.append((operands, token))
            operands = []
        elif token == b"[":
            array = ArrayObject()
        elif token == b"]":
            operands.append(array)
            array = None
        else:
            one = known.get(token)
            if one is None:
                one = known[token] = read_object(BytesIO(token + b" "), None, encoding)
            (operands if array is None else array).append(one)
    if data[end:].strip() or encoding is not self.forced_encoding:
        _parsed_by_pypdf(self, stream)
    else:
        self._operations = operations


ContentStream._parse_content_stream = _parsed  # type: ignore[method-assign,assignment]
