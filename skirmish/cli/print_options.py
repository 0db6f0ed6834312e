"""The options that all ``skirmish print`` commands share.

Paper and ink are those of the settings where they are not given; what stands in a command as their
default only holds for whoever has not set any.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from skirmish.store.settings import Settings


class Paper(StrEnum):
    """The papers that a sheet is laid out for."""

    A4 = "a4"
    LETTER = "letter"


class Ink(StrEnum):
    """The ways of using ink."""

    COLOUR = "colour"
    SAVER = "saver"


def _paper(context: typer.Context, given: Paper) -> Paper:
    return given if _is_given(context, "paper") else Paper(_liked().paper)


def _ink(context: typer.Context, given: Ink) -> Ink:
    return given if _is_given(context, "ink") else Ink(_liked().ink)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return context.resilient_parsing or (source is not None and source.name != "DEFAULT")


def _liked() -> Settings:
    """Raises DataError where the settings cannot be read: nobody wants a sheet on the paper that
    he has not got."""
    from skirmish.store.settings import place, read_settings

    return read_settings(place())


Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="File or folder to write; - is stdout."),
]
Sheet = Annotated[
    Paper,
    typer.Option(
        "--paper",
        case_sensitive=False,
        help="Paper size; by default as in the settings.",
        show_default=False,
        callback=_paper,
    ),
]
Inks = Annotated[
    Ink,
    typer.Option(
        "--ink",
        case_sensitive=False,
        help="Ink use; by default as in the settings.",
        show_default=False,
        callback=_ink,
    ),
]
Form = Annotated[bool, typer.Option("--form", help="Add boxes to tick in a PDF reader.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
