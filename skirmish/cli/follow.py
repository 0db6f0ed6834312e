"""``skirmish follow``: the full-screen app, opened at a battle that is fought elsewhere."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from skirmish.cli.speaking import Complaint


def follow(
    context: typer.Context,
    battle: Annotated[
        str | None,
        typer.Argument(
            metavar="[BATTLE]",
            help="A battle's number, or part of its title; by default the last one played.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Watch a battle that is being played elsewhere.

    It is played in another terminal or browser tab. Nothing can be changed from here, and hidden
    units are not shown.

    Example: skirmish follow overmatched
    """
    from skirmish.cli.kept import called, records
    from skirmish.registry import BATTLE
    from skirmish.store.place import find
    from skirmish.web import SERVED

    if SERVED not in os.environ and not all(s.isatty() for s in (sys.stdin, sys.stdout)):
        raise Complaint(
            "`skirmish follow` opens a full-screen app and needs a terminal; "
            "`skirmish battle show` and `skirmish battle log` work without one."
        )
    if battle is not None:
        number = called(battle, BATTLE)[0].id
    elif kept := records(BATTLE):
        number = kept[0].id
    else:
        raise Complaint(f"There are no battles in {find().location}, so there is none to follow.")
    context.obj(number)
