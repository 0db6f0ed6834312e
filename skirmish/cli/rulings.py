"""Rulings on the command line: the option ``--rulings`` of every game, and the command ``rulings``,
which lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Protocol, cast

import typer

from skirmish import resources
from skirmish.cli.console import CommandError, harmless, say, say_json, say_wrapped
from skirmish.cli.files import LARGEST_TEXT, AsJson, bytes_of
from skirmish.registry import Listed, load
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.presets import Preset, PresetBook
from skirmish.tabletop.rulings import Ruling, RulingBook
from skirmish.tabletop.text_width import clipped

INDENT = " " * 3
"""The indent of an answer and of a preset."""
HANGING = " " * 5
"""The indent of their further lines, and of those of a question."""


class HasPresets(Protocol):
    """A game whose book of rulings has presets: Beach Head, and every companion."""

    book: PresetBook


def rulings_option(
    *earlier_names: str, help: str = "P18=ace_hits or a file; may be repeated."
) -> Any:
    """The option ``--rulings``; names that it had in earlier versions are still understood."""
    return typer.Option("--rulings", *earlier_names, metavar="NAMES", help=help, show_default=False)


def named_rulings(options: Iterable[str], book: RulingBook[Any]) -> dict[str, str]:
    """The answers by ruling that these options name. Each option is a ruling with its answer
    (``P18=ace_hits``), a preset of the book, several of these separated by commas, or a TOML file
    with a table of rulings, such as an army file. Where two name the same ruling, the later one
    counts. Raises CommandError."""
    presets: Mapping[str, Preset] = {}
    if isinstance(book, PresetBook):  # the book of WWII Plastic Skirmish has no presets
        presets = book.presets
    answers: dict[str, str] = {}
    for text in options:
        for word in _words_of(text, presets):
            answers |= _answers_of(word, book, presets)
    problems = list(book.problems(answers))
    if problems:
        raise CommandError("\n".join(map(str, problems)))
    return answers


def _words_of(text: str, presets: Mapping[str, Preset]) -> list[str]:
    """The parts of an option between its commas: ``P18=ace_hits,P2=half``."""
    # Where no preset and no answer can be meant, the text is the name of a file, which may have
    # commas of its own.
    is_file_name = not presets and "=" not in text
    words = text.split(",")
    if is_file_name:
        words = [text]
    stripped_words = [word.strip() for word in words]
    return [word for word in stripped_words if word]


def _answers_of(
    word: str, book: RulingBook[Any], presets: Mapping[str, Preset]
) -> Mapping[str, str]:
    """The answers by ruling that one word stands for. Raises CommandError."""
    name, equals, answer = word.partition("=")
    name = name.strip()
    if equals:
        return {name.upper(): answer.strip().lower()}
    if name.lower() in presets:
        return presets[name.lower()].answers
    ruling = book.rulings.get(name.upper())
    if ruling is not None:
        raise CommandError(
            f"--rulings {name}: write an ID and an answer, as in {_example_of_choice(ruling)}."
        )
    if presets and "." not in name:  # with a dot it may be the name of a file
        raise CommandError(
            f"--rulings: “{clipped(name, 40)}” is no preset; {suggest(name, presets)} "
            f"Single rulings are written as in {_example_of_choice(_first_choice(book))}."
        )
    return _of_file(word)


def _example_of_choice(ruling: Ruling) -> str:
    """How an answer to a ruling is chosen: ``B7=tank``. It is the last answer, since the first is
    mostly the default, which needs no choosing."""
    return f"{ruling.id}={list(ruling.answers)[-1]}"


def _first_choice(book: RulingBook[Any]) -> Ruling:
    """The first ruling of a game that leaves something to choose."""
    rulings: Iterable[Ruling] = book.rulings.values()
    return next(ruling for ruling in rulings if len(ruling.answers) > 1)


def _of_file(name: str) -> dict[str, str]:
    """The answers by ruling in a TOML file: its table ``rulings``, or all of it. Raises
    CommandError."""
    data, shown_name = bytes_of(name, LARGEST_TEXT, "file of rulings")
    # A character that is not UTF-8 is harmless in a comment, and makes an answer unknown.
    text = data.decode("utf-8-sig", "replace")
    content: Any = resources.parse(text, shown_name)
    # An army file has its rulings in a table beside its units; a file of rulings is one itself.
    table = content.get("rulings", content)
    if not _is_table_of_texts(table):
        raise CommandError(
            f"{harmless(name)}: has no table of rulings; write lines such as "
            'P2 = "half" under [rulings].'
        )
    answers: dict[str, str] = table
    return answers


def _is_table_of_texts(content: Any) -> bool:
    """Whether what a TOML file holds is a table without numbers, lists or tables in it."""
    if not isinstance(content, dict):
        return False
    return all(isinstance(entry, str) for entry in content.values())


def add_rulings(app: typer.Typer, kind: Listed, command: str) -> None:
    """Add the command ``rulings`` to those of a game that ``HasPresets``; ``command`` is how the
    commands of that game begin, for the example in the help."""

    def rulings(
        which: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Only these.")] = None,
        as_json: AsJson = False,
    ) -> None:
        book = cast("HasPresets", load(kind.id)).book
        shown: Sequence[Ruling] = list(book.rulings.values())
        presets = list(book.presets.values())
        if which:
            shown = _named(which, book)
            presets = []
        if as_json:
            say_json({"presets": presets, "rulings": shown})
            return
        for ruling in shown:
            _say_ruling(ruling)
        if presets:
            say("\nPresets:")
        for preset in presets:
            _say_preset(preset)

    about = (
        "List the gaps in the rules and their rulings.\n\n"
        "The default is marked with *; a gap with one ruling leaves nothing to choose. A preset "
        "names several rulings at once. A single one is chosen as ID=ANSWER.\n\n"
        f"Example: {command} rulings"
    )
    app.command("rulings", help=about)(rulings)


def _named(ids: Iterable[str], book: PresetBook) -> Sequence[Ruling]:
    """The rulings with these IDs; raises CommandError."""
    rulings = []
    for typed in ids:
        id = typed.upper()
        if id not in book.rulings:
            raise CommandError(f"There is no ruling “{id[:20]}”; {book.span}.")
        rulings.append(book.rulings[id])
    return rulings


def _say_ruling(ruling: Ruling) -> None:
    """Print the question of a ruling and its answers, with a mark at the default."""
    question = f"{ruling.id}  {ruling.title}: {ruling.question}"
    say_wrapped(question, hanging=HANGING)
    for name, text in ruling.answers.items():
        mark = " "
        if name == ruling.default:
            mark = "*"
        line = f"{name}: {text}"
        if len(ruling.answers) == 1:  # nobody chooses it, so nobody needs its name
            line = text
        say_wrapped(f"{mark} {line}", INDENT, HANGING)


def _say_preset(preset: Preset) -> None:
    """Print a preset with its answers."""
    line = f"{preset.id}: {preset.about}"
    if preset.answers:
        answers = [f"{name}={answer}" for name, answer in preset.answers.items()]
        line += f" ({' '.join(answers)})"
    say_wrapped(line, INDENT, HANGING)
