"""Colours. Nothing is told by colour alone: letters, words and marks say it too."""

from textual.theme import Theme

NIGHT = Theme(
    name="skirmish-night",
    dark=True,
    primary="#a3b072",
    secondary="#8fa3b8",
    accent="#e0a458",
    warning="#e0a458",
    error="#d9705c",
    success="#a3b072",
    foreground="#e8e4d4",
    background="#16180f",
    surface="#1e2116",
    panel="#2a2e1e",
)
