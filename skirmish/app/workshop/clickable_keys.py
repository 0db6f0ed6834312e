"""Keys that are written on the map page, in a line or in the palette: each can be clicked, and then
does what it does when it is pressed."""

from __future__ import annotations

import re
from string import ascii_letters

from textual.content import Content

from skirmish.app.text_styles import DIM, KEY

KEY_NAMES = {
    "Enter": "enter",
    "Space": "space",
    "Esc": "escape",
    "Tab": "tab",
    "⌫": "backspace",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "+": "plus",
    "-": "minus",
    "=": "equals_sign",
    ";": "semicolon",
    ":": "colon",
    "'": "apostrophe",
    "^": "circumflex_accent",
    "/": "slash",
    ">": "greater_than_sign",
    "@": "at",
    **{letter: letter for letter in ascii_letters},
}
"""Keys as they are written on the page, and what Textual calls them."""
SIGN_OF_KEY = {name: sign for sign, name in KEY_NAMES.items() if len(sign) == 1 and sign != "⌫"}
"""The characters that keys type, by their names: a key that is clicked comes without its character.
Backspace types none."""
_KEY_IN_LINE = re.compile(
    r"""
    (?<!\S)  # at the beginning of a word
    (?P<key>Enter|Space|Esc|Tab|⌫|[\[\]+;:'-]|[bcgikmnvx])
    (?P<does>:?\ [a-z]+|)  # what it does; nothing at the end of a sentence
    (?![^\s,.:])  # at the end of a word
    """,
    re.VERBOSE,
)
"""A key in a line about keys, with the first word of what it does: ``Enter sets`` of ``Enter sets
it``, ``n: its`` of ``n: its corners``. The letters are those that are keys in such lines: ``a`` in
``sets a corner`` is none."""


def with_clickable_keys(line: str) -> Content:
    """A line about keys, in which each key can be clicked."""
    pieces: list[Content] = []
    end = 0
    for key in _KEY_IN_LINE.finditer(line):
        pieces.append(Content.styled(line[end : key.start()], DIM))
        key_and_word = Content.assemble((key["key"], KEY), (key["does"], DIM))
        pieces.append(clickable(key_and_word, key["key"]))
        end = key.end()
    pieces.append(Content.styled(line[end:], DIM))
    return Content("").join(pieces)


def clickable(content: Content, key: str) -> Content:
    """A content that does, when it is clicked, what this key of ``KEY_NAMES`` does."""
    return content.stylize(f"@click=app.simulate_key('{KEY_NAMES[key]}')")
