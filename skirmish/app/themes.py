"""The colours of the app: its themes, and what becomes of them on terminals of few colours.

Nothing is shown by colour alone: letters, words and marks repeat it. Begin with ``as_shown`` and
``style_variables``. ``colours`` is how many colours a terminal has, in the words of Rich:
``truecolor``, ``256``, ``standard`` for 16; None if that is not known.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from textual.theme import BUILTIN_THEMES, Theme

from skirmish.tabletop.ground_colours import GROUND_COLOURS
from skirmish.tabletop.side_colours import SIDE_COLOURS, STANDARD, Shade, ThemeColours

NIGHT = Theme(
    name="skirmish-night",
    dark=True,
    primary="#a3b072",
    secondary="#8fa3b8",
    accent="#e0a458",
    warning="#e0a458",
    error="#e07a66",
    success="#a3b072",
    foreground="#e8e4d4",
    background="#16180f",
    surface="#1e2116",
    panel="#2a2e1e",
)
PAPER = Theme(
    name="skirmish-paper",
    dark=False,
    primary="#4c5a22",
    secondary="#33506e",
    accent="#8a4b08",
    warning="#8a4b08",
    error="#a02c18",
    success="#4c5a22",
    foreground="#12130c",
    background="#f8f4e8",
    surface="#f0ecd6",
    panel="#ddd5bb",
)
ANSI = replace(
    BUILTIN_THEMES["ansi-dark"],
    name="skirmish-ansi",
    primary="ansi_green",
    secondary="ansi_cyan",
    accent="ansi_yellow",
    warning="ansi_yellow",
)
THEMES = {"night": NIGHT, "paper": PAPER, "ansi": ANSI}
"""The themes by their names in the settings."""

_EIGHT_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ANSI_NAMES = (
    *(f"ansi_{name}" for name in _EIGHT_COLOURS),
    *(f"ansi_bright_{name}" for name in _EIGHT_COLOURS),
)
"""Textual's names of a terminal's own 16 colours."""


class ColoursOf256(NamedTuple):
    """What replaces colours of a theme on a terminal of 256 colours: the backgrounds of the screen,
    of its parts, of bars and of the chosen line of a list; and the colour of errors."""

    background: str
    surface: str
    panel: str
    chosen: str
    error: str


# Terminals of 256 colours would show the greens and creams of the themes as black, yellow and pink,
# and the backgrounds could not be told apart.
COLOURS_OF_256 = {
    NIGHT.name: ColoursOf256(
        background="#141414", surface="#1f1f1f", panel="#333333", chosen="#3a3a3a", error="#d7875f"
    ),
    PAPER.name: ColoursOf256(
        background="#ffffff", surface="#f5f5f5", panel="#ebebeb", chosen="#ebebeb", error="#a02c18"
    ),
}
"""By the name of the theme."""
ACCENTS_OF_16 = {NIGHT.name: 11, PAPER.name: 1}
ERRORS_OF_16 = {NIGHT.name: 9, PAPER.name: 1}
"""Accents and errors on a terminal of 16 colours, as numbers in `STANDARD`, by the name of the
theme. The accent of paper is red: the colour nearest to its brown is a yellow that many terminals
make too light to be read on white."""
CHOSEN_STRENGTH_LIGHT, CHOSEN_STRENGTH_DARK = 20, 26
"""How much of the primary colour, in percent, is in the background of a chosen line. With so little
of it, letters in the accent stand out from that background with a contrast of 4.5 to 1."""
FADED_OPACITY, FADED_OPACITY_OF_16 = 0.4, 0.6
"""How opaque the text of what is gone is. It is more so on a terminal of 16 colours, none of whose
lighter greys can be seen on white."""


def as_shown(theme: Theme, colours: str | None) -> Theme:
    """A theme in the colours that the terminal has."""
    if colours == "standard" and theme.name in ACCENTS_OF_16:
        accent = STANDARD[ACCENTS_OF_16[theme.name]]
        error = STANDARD[ERRORS_OF_16[theme.name]]
        return replace(theme, accent=accent, warning=accent, error=error)
    if colours == "256" and theme.name in COLOURS_OF_256:
        of_256 = COLOURS_OF_256[theme.name]
        # Lists without colours of their own, such as that of the phones, mark their line so.
        variables = {**theme.variables, "block-cursor-blurred-background": of_256.chosen}
        return replace(
            theme,
            background=of_256.background,
            surface=of_256.surface,
            panel=of_256.panel,
            error=of_256.error,
            variables=variables,
        )
    return theme


def style_variables(theme: Theme, colours: str | None) -> dict[str, str]:
    """The colours that style sheets name besides those of a theme: of sides (``$side-german``), of
    the squares of a board (``$ground-sea``), of a ``$chosen`` line, and of what is gone
    (``$faded``)."""
    opacity = FADED_OPACITY
    if colours == "standard":
        opacity = FADED_OPACITY_OF_16
    variables = {
        "chosen": _chosen_background(theme, colours),
        "faded": _faded(theme.foreground or "ansi_default", opacity),
    }
    for name, side_colours in SIDE_COLOURS.items():
        ansi_name = ANSI_NAMES[_shade(side_colours, theme).of_16]
        variables[f"side-{name}"] = _colour(side_colours, theme, colours, ansi_name)
    for ground, ground_colours in GROUND_COLOURS.items():
        variables[f"ground-{ground}"] = _colour(ground_colours, theme, colours, "ansi_default")
    return variables


def _chosen_background(theme: Theme, colours: str | None) -> str:
    if colours == "256" and theme.name in COLOURS_OF_256:
        return COLOURS_OF_256[theme.name].chosen
    strength = CHOSEN_STRENGTH_LIGHT
    if theme.dark:
        strength = CHOSEN_STRENGTH_DARK
    return f"{theme.primary} {strength}%"


def _faded(colour: str, opacity: float) -> str:
    """A colour that lets through what is behind it: ``#12130c66``. A terminal's own colour, which
    has a name, cannot."""
    # The opacity is a part of the number. Textual also writes it ``#12130c 40%``, but where the
    # style of a text names a variable with that value, it drops the 40 %.
    if not colour.startswith("#"):
        return colour
    return f"{colour}{round(opacity * 255):02x}"


def _colour(
    colours_of_themes: ThemeColours, theme: Theme, colours: str | None, ansi_name: str
) -> str:
    """The colour for a theme, in those that the terminal has; ``ansi_name`` is its name in the
    theme of the terminal's own colours."""
    if theme.name == ANSI.name:
        return ansi_name
    return _shade(colours_of_themes, theme).shown(colours)


def _shade(colours_of_themes: ThemeColours, theme: Theme) -> Shade:
    """The shade for a dark theme or a light one."""
    if theme.dark:
        return colours_of_themes.dark
    return colours_of_themes.light
