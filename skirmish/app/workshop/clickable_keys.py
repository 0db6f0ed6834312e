"""Keys that are written on the map page, in a line or in the palette. A click on one does the same
as the key."""

from __future__ import annotations

import re
from string import ascii_letters, punctuation

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
_TYPED_CHARACTERS = frozenset(ascii_letters + punctuation)
SIGN_OF_KEY = {name: written for written, name in KEY_NAMES.items() if written in _TYPED_CHARACTERS}
"""The character of each key that types one, by Textual's name: a key that is clicked comes with its
name only."""
_MARKED_KEY = re.compile(r"<(?P<key>\S[^ :>]*)(?P<does>[^>]*)>")
"""A key that can be clicked in a line, with the first word of what it does, such as ``sets`` in
``<Enter sets> it`` and ``: its`` in ``<n: its> corners``."""


def with_clickable_keys(line: str) -> Content:
    """A line about keys without its angle brackets; a click on what stands in a pair of them does
    what the key does."""
    parts: list[Content] = []
    end_of_last = 0
    for marked in _MARKED_KEY.finditer(line):
        text_between = line[end_of_last : marked.start()]
        parts.append(Content.styled(text_between, DIM))
        key_and_word = Content.assemble((marked["key"], KEY), (marked["does"], DIM))
        parts.append(clickable(key_and_word, marked["key"]))
        end_of_last = marked.end()
    parts.append(Content.styled(line[end_of_last:], DIM))
    return Content("").join(parts)


def clickable(content: Content, key: str) -> Content:
    """The content, so that a click on it does what this key of ``KEY_NAMES`` does."""
    return content.stylize(f"@click=app.simulate_key('{KEY_NAMES[key]}')")
