"""The options that all ``skirmish print`` commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Paper(StrEnum):
    """The papers that a sheet is laid out for."""

    A4 = "a4"
    LETTER = "letter"


class Ink(StrEnum):
    """The ways of using ink."""

    COLOUR = "colour"
    SAVER = "saver"


Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="A file or a folder; - is stdout."),
]
Sheet = Annotated[Paper, typer.Option("--paper", help="The size of the paper.")]
Inks = Annotated[Ink, typer.Option("--ink", help="In full colour, or sparing: no filled areas.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]
