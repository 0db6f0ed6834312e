"""Rulings on the command line: one option, read in one way for every game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from skirmish import resources
from skirmish.cli.console import CommandError, harmless, say, say_json, say_wrapped
from skirmish.cli.files import LARGEST, AsJson, bytes_of
from skirmish.registry import Listed, load
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.page_text import clipped
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.rulings import RulingBook


def rulings_option(*earlier: str, help: str = "P18=ace_hits or a file; may be repeated.") -> Any:
    return typer.Option("--rulings", *earlier, metavar="NAMES", help=help, show_default=False)


def named_rulings(given: Iterable[str], book: RulingBook[Any]) -> dict[str, str]:
    """The named answers, the last one counts: ``P18=ace_hits``, a preset of the book, several of
    these separated by commas, or a TOML file with a table of rulings (such as an army file). Raises
    CommandError."""
    presets = getattr(book, "presets", {})
    found: dict[str, str] = {}
    for text in given:
        several = text.split(",") if presets or "=" in text else [text]
        for word in filter(None, map(str.strip, several)):
            name, equals, answer = (part.strip() for part in word.partition("="))
            if equals:
                found[name.upper()] = answer.lower()
            elif name.lower() in presets:
                found |= presets[name.lower()].answers
            elif ruling := book.rulings.get(name.upper()):
                example = f"{ruling.id}={[*ruling.answers][-1]}"
                raise CommandError(f"--rulings {name}: write an ID and an answer, as in {example}.")
            elif presets and "." not in name:
                raise CommandError(
                    f"--rulings: “{clipped(name, 40)}” is no preset; {suggest(name, presets)} "
                    "Single rulings are written as in B7=tank."
                )
            else:
                found |= _of_file(word)
    if problems := list(book.problems(found)):
        raise CommandError("\n".join(map(str, problems)))
    return found


def _of_file(name: str) -> dict[str, str]:
    """The rulings of a file: its table of that name, or all of it."""
    data, called = bytes_of(name, LARGEST, "file of rulings")
    table: Any = resources.parse(data.decode("utf-8-sig", "replace"), called)
    table = table.get("rulings", table)
    if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
        raise CommandError(
            f"{harmless(name)}: has no table of rulings; write lines such as "
            'P2 = "half" under [rulings].'
        )
    return table


def add_rulings(app: typer.Typer, kind: Listed, command: str) -> None:
    """``rulings``, for a game with a book of them."""

    def rulings(
        which: Annotated[
            list[str] | None, typer.Argument(metavar="[ID]...", help="Only these.")
        ] = None,
        as_json: AsJson = False,
    ) -> None:
        book: PresetBook = load(kind.id).book  # type: ignore[attr-defined]
        names = [one.upper() for one in which or ()]
        for name in names:
            if name not in book.rulings:
                raise CommandError(f"There is no ruling “{name[:20]}”; {book.span}.")
        shown = [book.rulings[name] for name in names] or list(book.rulings.values())
        presets = [] if names else list(book.presets.values())
        if as_json:
            say_json({"presets": presets, "rulings": shown})
            return
        for ruling in shown:
            say_wrapped(f"{ruling.id}  {ruling.title}: {ruling.question}", "", "     ")
            for name, text in ruling.answers.items():
                mark = "*" if name == ruling.default else " "
                chosen = f"{name}: " if len(ruling.answers) > 1 else ""
                say_wrapped(f"{mark} {chosen}{text}", "   ", "     ")
        if presets:
            say("\nPresets:")
        for preset in presets:
            answers = " ".join(f"{name}={answer}" for name, answer in preset.answers.items())
            also = f" ({answers})" if answers else ""
            say_wrapped(f"{preset.id}: {preset.about}{also}", "   ", "     ")

    about = (
        "List the gaps in the rules and their rulings.\n\n"
        "The default is marked with *; a gap with one ruling leaves nothing to choose. A preset "
        "names several rulings at once. One is chosen by its ID and its answer, as in B7=tank.\n\n"
        f"Example: {command} rulings"
    )
    app.command("rulings", help=about)(rulings)
