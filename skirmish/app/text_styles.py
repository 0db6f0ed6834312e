"""The styles of text on the screen, as Textual names them: colours are variables of the theme."""

from __future__ import annotations

from textual.content import Content

from skirmish.tabletop.page import Party, Tone

KEY = "$accent bold"
"""The style of keys, and of what is chosen."""
DIM = "$foreground 65%"
"""The style of what matters less."""
STRONG = "bold"
"""The style of what matters more."""
HEAD = "$primary bold"
"""The style of headings."""
TONES: dict[Tone, str] = {
    "": "",
    "quiet": DIM,
    "strong": STRONG,
    "good": "$success bold",
    "bad": "$error bold",
}
"""The styles of sentences, by their tone."""
PARTY_COLOURS = ("$side-first", "$side-second")
"""The colours of the side that moves first, and of the other. Where both have a nation,
`in_colours` replaces them by the colours of these nations."""


def party_colour(party: Party) -> str:
    """The colour of a side, and another one for what belongs to none."""
    if party is None:
        return "$accent"
    return PARTY_COLOURS[party]


def in_colours(content: Content, colours: tuple[str, str]) -> Content:
    """The content with ``PARTY_COLOURS`` replaced by the two side colours of these names:
    ``german`` is ``$side-german``."""
    spans = []
    for span in content.spans:
        style = span.style
        if isinstance(style, str):
            for party_variable, colour in zip(PARTY_COLOURS, colours, strict=True):
                style = style.replace(party_variable, f"$side-{colour}")
        spans.append(span._replace(style=style))
    return Content(content.plain, spans)
