"""The command line: everything that needs no full screen, as plain text.

``commands`` names every command with its module; begin to read there. Each command is a function
whose parameters are its options and whose docstring is its help. What every game has (list, show,
journal, export, import, play, follow, scores) is in ``games``; ``stored_games`` finds the game that
is meant; ``new_game`` and ``line_play`` set up and play by lines; ``console`` alone prints, and
``files`` reads and writes files. An error that the user can correct is a ``CommandError`` with a
whole sentence; ``run`` prints it.

Only the module of the typed command is loaded, so that a short answer stays quick: an import that
takes long stands inside the function that needs it. No command asks a game for its rules by name;
it works for all of them, or belongs to the module of its game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import NoReturn, TypeAlias

OpenApp: TypeAlias = Callable[..., object]
"""The function that opens the full-screen app. Its argument is the number of a battle to follow;
without it the app begins at home."""


def run(args: list[str] | None = None, open_app: OpenApp | None = None) -> NoReturn:
    """Run the command in ``args`` (default: ``sys.argv``) and exit. ``open_app`` is for commands
    that end in the full-screen app.

    Exit codes: 0 done, 1 an illegal army or a battle imported in part, 2 an error that the user can
    correct (a sentence on stderr explains it), 130 interrupted, 141 the output was closed early.
    """
    from skirmish.cli import console

    console.prepare()
    sys.exit(_exit_code(args, open_app))


def _exit_code(args: list[str] | None, open_app: OpenApp | None) -> int:
    """Run the command; its exit code is one of those that ``run`` lists."""
    from skirmish.cli import console

    words = args
    if words is None:
        words = sys.argv[1:]
    try:
        code = _run_without_parser(words)
        if code is None:
            code = _run_with_parser(words, open_app)
        console.finish()
    except console.OutputClosed:
        console.silence()
        return console.OUTPUT_CLOSED
    except KeyboardInterrupt:
        return console.INTERRUPTED
    except Exception as error:
        sentence = _sentence_for(error)
        if sentence is None:
            raise
        console.complain(sentence)
        return console.FAILED
    return code


def _run_without_parser(words: list[str]) -> int | None:
    """Run a command whose words are so simple that they need no parser, which loads slowly; its
    exit code. None for all other commands: nothing was run."""
    match words:
        case ["scenarios"]:
            return _list_scenarios(as_json=False)
        case ["scenarios", "--json"]:
            return _list_scenarios(as_json=True)
        case ["resolve"]:
            return _resolve("-")
        case ["resolve", file] if file == "-" or not file.startswith("-"):  # no option
            return _resolve(file)
    return None


def _list_scenarios(*, as_json: bool) -> int:
    """``skirmish scenarios``; its exit code."""
    from skirmish.cli import console, lookups

    lookups.say_scenarios(as_json)
    return console.DONE


def _resolve(file: str) -> int:
    """``skirmish resolve FILE``; its exit code."""
    from skirmish.cli import console, questions

    if questions.answer_about_shots(file):
        return console.DONE
    return console.FAILED


def _run_with_parser(words: list[str], open_app: OpenApp | None) -> int:
    """Have typer read the words and run the command; its exit code. A command finds ``open_app`` in
    the ``obj`` of its context."""
    import typer
    from typer.main import get_command

    from skirmish.cli import console
    from skirmish.cli.commands import application

    try:
        command = get_command(application(words))
        # In its standalone mode the parser would print the errors and end the program itself.
        code = command.main(words, prog_name="skirmish", standalone_mode=False, obj=open_app)
    except typer.Abort:  # what the parser makes of ctrl+c
        return console.INTERRUPTED
    if isinstance(code, int):
        return code
    return console.DONE  # a command that ends normally returns None


def _sentence_for(error: Exception) -> str | None:
    """The message for an error that the user can correct; None for a bug."""
    from skirmish.cli.console import CommandError
    from skirmish.games.plastic.army_file import CodeError
    from skirmish.games.plastic.odds.pack import OddsError
    from skirmish.games.plastic.questions import QuestionError
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.data_file import DataError

    correctable = CommandError | DataError | StoreError | CodeError | OddsError | QuestionError
    if isinstance(error, correctable):
        return str(error)
    if isinstance(error, OSError):
        return _sentence_of_system(error)
    return _sentence_of_parser(error)


def _sentence_of_system(error: OSError) -> str:
    """The message for an error of the operating system, with the file if it names one."""
    from skirmish.tabletop.typed import reason

    sentence = f"{reason(error)}."
    if error.filename:
        return f"{error.filename}: {sentence}"
    return sentence


def _sentence_of_parser(error: Exception) -> str | None:
    """The message for words that the parser refuses; None for any other error. The class of such an
    error has moved between versions of typer, so it is known by its attributes."""
    format_message = getattr(error, "format_message", None)
    if format_message is None:
        return None
    sentence = _sentence_about_number(error)
    if sentence is None:
        # Some versions of the parser put "Value error, " before a message of this program.
        sentence = str(format_message()).replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    is_help_itself = type(error).__name__ == "NoArgsIsHelpError"
    if context is None or is_help_itself:
        return sentence
    return f"{sentence}\nFor help: {context.command_path} --help"


def _sentence_about_number(error: Exception) -> str | None:
    """The sentence for a number that is none, or outside its range; None for other errors. The
    parser's wording differs between versions, so it is recognized by a few words."""
    from skirmish.tabletop.text_width import clipped

    message = str(getattr(error, "message", ""))
    expected = _expected_number(message)
    if not expected:
        return None
    option = _option_of(error)
    typed = _typed_number(error, message)
    if not typed:
        return f"{option} takes {expected}."
    return f"{option} takes {expected}, not “{clipped(typed, 40)}”."


def _option_of(error: Exception) -> str:
    """The name of the option that the parser refuses, as it is typed first: ``--port``."""
    parameter = getattr(error, "param", None)
    names = getattr(parameter, "opts", None)
    if not names:
        return "This"
    return str(names[0])


def _expected_number(message: str) -> str:
    """Which number the parser's message asks for; empty where it is not about a number."""
    bound = re.search(r"(?P<order>less|greater) than or equal to (?P<limit>-?[0-9.]+)", message)
    if bound:
        if bound["order"] == "less":
            return f"at most {bound['limit']}"
        return f"at least {bound['limit']}"
    if "valid integer" in message:
        return "a whole number, such as 3"
    if "valid number" in message or "valid float" in message:
        return "a number, such as 6 or 2.5"
    return ""


def _typed_number(error: Exception, message: str) -> str | None:
    """What was typed instead of a number; None if the error does not hold it. Newer parsers quote
    it in the message, others have it in the cause."""
    quoted = re.match(r"'(?P<typed>.*)' is not", message, re.S)
    if quoted:
        return quoted["typed"]
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return None
    typed: str | None = errors()[0].get("input")
    return typed
