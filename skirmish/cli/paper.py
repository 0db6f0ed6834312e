"""``skirmish print``: rosters and scenario sheets as PDF."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from skirmish.cli.army import ANY_ARMY, army_at
from skirmish.cli.speaking import Complaint, harmless, say

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Print rosters and scenarios.")


class Paper(StrEnum):
    """The papers that a sheet is laid out for."""

    A4 = "a4"
    LETTER = "letter"


Output = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="A file or a folder; - is stdout."),
]
Sheet = Annotated[Paper, typer.Option("--paper", help="The size of the paper.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")]


@app.command()
def roster(
    army: Annotated[str, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)],
    output: Output = None,
    paper: Sheet = Paper.A4,
    force: Force = False,
) -> None:
    """Print an army's roster.

    It is called roster-NAME.pdf and stands in this folder unless -o says otherwise.
    An army that is not legal is printed too, with what it breaks.

    Example: skirmish print roster my-army.toml --paper letter
    """
    from skirmish import shelf
    from skirmish.cli.army_lines import broken
    from skirmish.cli.files import deliver
    from skirmish.sheets.file_names import roster_name
    from skirmish.sheets.roster import roster_pdf

    found = army_at(army)
    data = roster_pdf(found, paper=paper.value, revision=shelf.revision())
    deliver(data, output, roster_name(found.listed), force, "Roster")
    if output != "-" and broken(found):
        say("The army is not legal; the roster says why.")


@app.command()
def scenario(
    number: Annotated[
        int, typer.Argument(metavar="N", help="Its number, 1 to 10.", show_default=False)
    ],
    ruling: Annotated[
        list[str] | None,
        typer.Option(
            "--ruling", metavar="ID=ANSWER", help="Answer a ruling otherwise; may stand often."
        ),
    ] = None,
    output: Output = None,
    paper: Sheet = Paper.A4,
    force: Force = False,
) -> None:
    """Print a scenario's sheet.

    It is called scenario-NN-NAME.pdf and stands in this folder unless -o says otherwise.

    Example: skirmish print scenario 10 --ruling P80=american_16
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver

    scenarios = library.scenarios()
    if number not in scenarios:
        raise Complaint(
            f"There is no scenario {number}; they run from {min(scenarios)} to {max(scenarios)}, "
            "and `skirmish scenarios` lists them."
        )
    answers = _answers(ruling or [])
    chosen = scenarios[number]

    from skirmish.sheets.file_names import scenario_name
    from skirmish.sheets.scenario_sheet import scenario_pdf

    data = scenario_pdf(
        chosen,
        library.catalog(),
        library.rulings(),
        paper=paper.value,
        answers=answers,
        revision=shelf.revision(),
    )
    deliver(data, output, scenario_name(chosen), force, "Scenario sheet")


def _answers(written: list[str]) -> dict[str, str]:
    """``P80=american_16`` and so on as a choice of answers; raises Complaint."""
    from skirmish import library

    answers = {}
    for text in written:
        name, equals, answer = text.partition("=")
        if not equals:
            raise Complaint(
                f"--ruling {harmless(text)}: write a ruling and its answer, as in P80=american_16."
            )
        answers[name.strip().upper()] = answer.strip()
    problems = [str(problem) for problem in library.rulings().problems(answers, "--ruling")]
    if problems:
        raise Complaint("\n".join(problems))
    return answers
