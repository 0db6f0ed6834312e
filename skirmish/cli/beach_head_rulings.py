"""``skirmish beach-head rulings``: the gaps in its text, their answers, and the presets."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.games import AsJson
from skirmish.cli.speaking import Complaint, say, say_json, say_wrapped


def rulings(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="[B7]...", help="Only these.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the gaps in the rules and their rulings.

    The default is marked with *; a gap with one ruling leaves nothing to choose. A preset names
    several rulings at once. To choose one, give its name to --readings, as in B7=tank.

    Example: skirmish beach-head rulings B7 B18
    """
    from skirmish import library

    book = library.beach_rulings()
    names = [one.upper() for one in which or ()]
    for name in names:
        if name not in book.rulings:
            first, *_, last = book.rulings
            raise Complaint(f"There is no ruling “{name[:20]}”; they run from {first} to {last}.")
    shown = [book.rulings[name] for name in names] or list(book.rulings.values())
    if as_json:
        presets = [] if names else list(book.presets.values())
        say_json({"presets": presets, "rulings": shown})
        return
    for ruling in shown:
        say_wrapped(f"{ruling.id}  {ruling.title}: {ruling.question}", "", "     ")
        for name, says in ruling.answers.items():
            mark = "*" if name == ruling.default else " "
            chosen = f"{name}: " if len(ruling.answers) > 1 else ""
            say_wrapped(f"{mark} {chosen}{says}", "   ", "     ")
    if not names:
        say("\nPresets:")
        for preset in book.presets.values():
            told = " ".join(f"{name}={answer}" for name, answer in preset.answers.items())
            say_wrapped(
                f"{preset.id}: {preset.about}{f' ({told})' if told else ''}", "   ", "     "
            )
