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
            help="Its number, or a part of its title; the last one played if left out.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Watch a battle that others fight.

    They play in another terminal or browser tab. Nothing can be changed from here, and who hides
    is not shown.

    Example: skirmish follow overmatched
    """
    from skirmish.cli.battle_kept import battle_called, battles
    from skirmish.served import SERVED
    from skirmish.store.place import find

    if SERVED not in os.environ and not all(s.isatty() for s in (sys.stdin, sys.stdout)):
        raise Complaint(
            "`skirmish follow` opens a full-screen app and needs a terminal for it; "
            "`skirmish battle show` and `skirmish battle log` tell of a battle without one."
        )
    if battle is not None:
        number = battle_called(battle)[0].id
    elif kept := battles():
        number = kept[0].id
    else:
        raise Complaint(f"No battle is kept yet in {find().location}: there is none to follow.")
    context.obj(number)
