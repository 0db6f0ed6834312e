"""Colours. Nothing is shown by colour alone: letters, words and marks repeat it."""

from __future__ import annotations

from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

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
PAPER = Theme(
    name="skirmish-paper",
    dark=False,
    primary="#4c5a22",
    secondary="#33506e",
    accent="#8a4b08",
    warning="#8a4b08",
    error="#a02c18",
    success="#4c5a22",
    foreground="#22231c",
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
