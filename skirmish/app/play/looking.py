"""A cursor in the journal, to make a line void, to go back to it, or to judge its shot again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from skirmish.tabletop.game import Game, JournalLine
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Block, Choice, Choices, Note, Page, Paragraph
from skirmish.tabletop.slots import UnfitAnswer

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPlay: TypeAlias = Play[Any, Any, Any]


LOOKS_BACK = 200
"""The most lines it goes back; older ones are in the journal."""


class Looking(msgspec.Struct, frozen=True):
    """The cursor on the line ``number``. ``asked``: what Enter confirms."""

    number: int
    asked: Literal["", "void", "back"] = ""


def lines_of(game: AnyGame, play: AnyPlay) -> list[JournalLine]:
    return [line for line in game.journal(play, last=LOOKS_BACK) if line.number > 1]


def opened(game: AnyGame, play: AnyPlay) -> Looking:
    """At the newest line; raises UnfitAnswer if there is none."""
    found = lines_of(game, play)
    if not found:
        raise UnfitAnswer("Nothing has happened yet.")
    return Looking(found[-1].number)


def moved(looking: Looking, key: str, game: AnyGame, play: AnyPlay) -> Looking | None:
    """The cursor after a key; None if it closes. Raises UnfitAnswer."""
    found = lines_of(game, play)
    at = _at(found, looking.number)
    if at is None:
        return None
    line = found[at]
    match key:
        case "up":
            return Looking(found[max(at - 1, 0)].number)
        case "down":
            return Looking(found[at + 1].number) if at + 1 < len(found) else None
        case "escape" | "backspace":
            return Looking(line.number) if looking.asked else None
        case "v":
            if why_not := game.why_not_void(play, line):
                raise UnfitAnswer(why_not)
            return Looking(line.number, "void")
        case "b":
            if line is found[-1]:
                raise UnfitAnswer("This is the last line; Backspace undoes it.")
            return Looking(line.number, "back")
    judges = ", Tab judges its shot again" * _judges(game)
    raise UnfitAnswer(f"v makes this line void, b goes back to here{judges}.")


def _judges(game: AnyGame) -> bool:
    return type(game).judged_again is not Game.judged_again


def page(looking: Looking, game: AnyGame, play: AnyPlay) -> Page:
    found = lines_of(game, play)
    at = _at(found, looking.number)
    if at is None:
        return Page("")
    line = found[at]
    below: tuple[Block, ...] = ()
    keys: tuple[tuple[str, str], ...]
    match looking.asked:
        case "void":
            later = ", ".join(map(str, game.dependents(play, line)))
            warns = f"Check the lines that depend on it: {later}. They do not change."
            lead, keys = "VOID?", (("enter", "makes it void"), ("escape", "leaves it"))
            known = type(game).dependents is not Game.dependents
            nothing = "No later line depends on it." if known else "Later lines do not change."
            below = (Paragraph(warns, tone="bad") if later else Note(nothing),)
        case "back":
            warns = f"{len(found) - at - 1} later lines are undone; Ctrl+Y redoes them."
            lead, keys = "BACK TO HERE?", (("enter", "goes back"), ("escape", "stays"))
            below = (Paragraph(warns, tone="bad"),)
        case _:
            lead = "LOOKING BACK"
            judge = (("tab", "judge its shot again"),) if _judges(game) else ()
            keys = (("v", "make void"), ("b", "go back to here"), *judge, ("escape", "leave"))
    choices = Choices(tuple(Choice(key, words) for key, words in keys))
    text = f"{line.number} {line.text}"
    return Page("", (Paragraph(text, lead=lead, tone="strong"), *below, choices))


def _at(found: Sequence[JournalLine], number: int) -> int | None:
    return next((at for at, line in enumerate(found) if line.number == number), None)
