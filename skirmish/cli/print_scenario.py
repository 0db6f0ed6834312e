"""``skirmish print scenario``: one sheet, or all of them as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint, harmless

if TYPE_CHECKING:
    from skirmish.games.plastic.scenarios.scenario import Scenario


def scenario(
    which: Annotated[
        str,
        typer.Argument(
            metavar="N|all", help="A scenario's number, 1 to 10, or all.", show_default=False
        ),
    ],
    *,
    ruling: Annotated[
        list[str] | None,
        typer.Option("--ruling", metavar="ID=ANSWER", help="Change a ruling; may be repeated."),
    ] = None,
    form: Form = False,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print a scenario sheet, or all of them in one file.

    The file is scenario-NN-NAME.pdf (for all of them scenarios.pdf, with bookmarks) in the current
    folder unless -o is given. With --form, figures, options and turns can be ticked on a tablet.

    Example: skirmish print scenario 10 --ruling P80=american_16
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver

    chosen = _chosen(which)
    answers = _answers(ruling or [])

    from skirmish.sheets.file_names import SCENARIOS, scenario_name
    from skirmish.sheets.scenario.sheet import scenarios_pdf

    data = scenarios_pdf(
        chosen,
        library.catalog(),
        library.rulings(),
        paper=paper.value,
        answers=answers,
        revision=shelf.revision(),
        use=ink.value,
        form=form,
    )
    if len(chosen) > 1:
        deliver(data, output, SCENARIOS, force, "Scenario sheets")
    else:
        deliver(data, output, scenario_name(chosen[0]), force, "Scenario sheet")


def _chosen(which: str) -> list[Scenario]:
    """The scenarios that ``which`` means; raises Complaint."""
    from skirmish import library

    known, which = library.scenarios(), which.strip()
    if which.casefold() == "all":
        return list(known.values())
    number = int(which) if which.isdecimal() and len(which) < 4 else 0
    if number not in known:
        raise Complaint(
            f"There is no scenario {harmless(which) or '“”'}; use a number from {min(known)} to "
            f"{max(known)}, or all. `skirmish scenarios` lists them."
        )
    return [known[number]]


def _answers(written: list[str]) -> dict[str, str]:
    """``P80=american_16`` and so on as a choice of answers; raises Complaint."""
    from skirmish import library

    answers = {}
    for text in written:
        name, equals, answer = text.partition("=")
        if not equals:
            raise Complaint(
                f"--ruling {harmless(text)}: write an ID and an answer, such as P80=american_16."
            )
        answers[name.strip().upper()] = answer.strip()
    problems = [str(problem) for problem in library.rulings().problems(answers, "--ruling")]
    if problems:
        raise Complaint("\n".join(problems))
    return answers
