"""The command line: everything that needs no full screen, as plain text.

``commands`` names every command with its module; begin to read there. Each command is a function
whose parameters are its options and whose docstring is its help. What every game has (list, show,
journal, export, import, play, follow, scores) is in ``games``; ``line_play`` plays by lines;
``console`` and ``files`` are the only ones that print, and that read and write files. An error that
the user can correct is a ``CommandError`` with a whole sentence; ``run`` prints it.

Only the module of the typed command is loaded, so that a short answer stays quick: an import that
takes long stands inside the function that needs it. No command asks a game for its rules by name;
it works for all of them, or belongs to the module of its game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import NoReturn


def run(args: list[str] | None = None, app: Callable[..., object] | None = None) -> NoReturn:
    """Run the command in ``args`` (default: ``sys.argv``) and exit. ``app`` opens the full-screen
    app, for commands that end in it.

    Exit codes: 0 done, 1 an illegal army or a battle imported in part, 2 an error that the user can
    correct (a sentence on stderr explains it), 130 interrupted, 141 the output was closed early.
    """
    from skirmish.cli import console

    console.prepare()
    sys.exit(_exit_code(args, app))


def _exit_code(args: list[str] | None, app: Callable[..., object] | None) -> int:
    """Run the command; its exit code, as ``run`` has them."""
    from skirmish.cli import console

    words = args
    if words is None:
        words = sys.argv[1:]
    try:
        code = _run_without_parser(words)
        if code is None:
            code = _run_with_parser(words, app)
        console.finish()
    except console.OutputClosed:
        console.silence()
        return 141
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        sentence = _sentence_for(error)
        if sentence is None:
            raise
        console.complain(sentence)
        return 2
    return code


def _run_without_parser(words: list[str]) -> int | None:
    """Run a command that needs no parser (which loads slowly), or return None."""
    match words:
        case ["scenarios", *rest] if rest in ([], ["--json"]):
            from skirmish.cli import lookups

            lookups.say_scenarios(as_json=bool(rest))
            return 0
        case ["resolve", *rest] if len(rest) < 2 and (not rest or _is_no_option(rest[0])):
            from skirmish.cli import lookups

            file = "-"
            if rest:
                file = rest[0]
            if not lookups.answer_file(file):
                return 2
            return 0
    return None


def _is_no_option(word: str) -> bool:
    """Whether a word names a file; ``-`` is stdin."""
    return word == "-" or not word.startswith("-")


def _run_with_parser(words: list[str], app: Callable[..., object] | None) -> int:
    """Have typer read the words and run the command; its exit code."""
    import typer
    from typer.main import get_command

    from skirmish.cli.commands import application

    try:
        code = get_command(application(words)).main(
            words, prog_name="skirmish", standalone_mode=False, obj=app
        )
    except typer.Abort:
        return 130
    if isinstance(code, int):
        return code
    return 0  # what a command returned otherwise is no exit code


def _sentence_for(error: Exception) -> str | None:
    """The message for an error that the user can correct; None for a bug."""
    from skirmish.cli.console import CommandError
    from skirmish.games.plastic.army_file import CodeError
    from skirmish.games.plastic.odds.pack import OddsError
    from skirmish.games.plastic.questions import QuestionError
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.data_file import DataError

    ours = CommandError | DataError | StoreError | CodeError | OddsError | QuestionError
    if isinstance(error, ours):
        return str(error)
    if isinstance(error, OSError):
        sentence = f"{(error.strerror or str(error)).lower()}."
        if error.filename:
            sentence = f"{error.filename}: {sentence}"
        return sentence
    # A usage error of typer, whose class has moved between versions.
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    # Some parsers put "Value error, " before the words of a check of ours.
    message = _sentence_about_number(error) or str(format_message()).replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    if context is None or type(error).__name__ == "NoArgsIsHelpError":
        return message  # of the latter it is the help itself
    return f"{message}\nFor help: {context.command_path} --help"


def _sentence_about_number(error: Exception) -> str | None:
    """The message where a number of another kind or range is expected; None for other errors. The
    parser's wording differs between versions, so it is recognized by a few words."""
    from skirmish.tabletop.text_width import clipped

    wrong = str(getattr(error, "message", ""))
    right = _right_number(wrong)
    if not right:
        return None
    options = getattr(getattr(error, "param", None), "opts", None) or ["This"]
    typed = _typed_number(error, wrong)
    if not typed:
        return f"{options[0]} takes {right}."
    return f"{options[0]} takes {right}, not “{clipped(typed, 40)}”."


def _right_number(wrong: str) -> str:
    """Which number would be right, by the parser's message; empty where it wants none."""
    bound = re.search(r"(less|greater) than or equal to (-?[0-9.]+)", wrong)
    if bound and bound[1] == "less":
        return f"at most {bound[2]}"
    if bound:
        return f"at least {bound[2]}"
    if "valid integer" in wrong:
        return "a whole number, such as 3"
    if "valid number" in wrong or "valid float" in wrong:
        return "a number, such as 6 or 2.5"
    return ""


def _typed_number(error: Exception, wrong: str) -> str | None:
    """What was typed: newer parsers quote it in the message, others have it in the cause."""
    quoted = re.match(r"'(.*)' is not", wrong, re.S)
    if quoted:
        return quoted[1]
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return None
    typed: str | None = errors()[0].get("input")
    return typed
