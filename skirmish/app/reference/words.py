"""A rule as the screen shows it: title, text, tables, and how its gaps are filled here."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content

from skirmish import library
from skirmish.app.reference.in_force import InForce
from skirmish.games.plastic.reference import Filled, Paragraph
from skirmish.games.plastic.reference_charts import chart, laid_out


def told(
    paragraph: Paragraph, in_force: InForce, width: int, measured: Callable[[str], str]
) -> Content:
    """Everything about a rule but where else to look; its tables in ``width`` cells."""
    answers = library.rulings().defaults() | dict(in_force.answers)
    lines = [
        Content.styled(paragraph.title, "bold $accent"),
        Content.styled(paragraph.chapter, "$foreground 65%"),
    ]
    for text in paragraph.text:
        lines += [Content(""), Content(measured(text))]
    for name in paragraph.charts:
        lines.append(Content(""))
        head, *rows = laid_out(chart(name, library.catalog(), answers), width, measured)
        lines.append(Content.styled(head, "bold"))
        lines += [Content(row) for row in rows]
    filled = library.reference().filled(paragraph, answers, in_force.scenario)
    if filled:
        lines += [Content(""), Content.styled(f"RULINGS, {in_force.whose}", "bold $primary")]
    lines += [_filled(one, measured) for one in filled]
    return Content("\n").join(lines)


def nothing_found(query: str, near: list[Paragraph]) -> Content:
    """No rule has all of these words."""
    shown = query if len(query) <= 40 else f"{query[:39]}…"
    lines = [Content(f"No rule contains “{shown}”.")]
    if near:
        titles = ", ".join(one.title for one in near)
        lines += [Content(""), Content(f"Did you mean: {titles}?")]
    return Content("\n").join(lines)


def _filled(one: Filled, measured: Callable[[str], str]) -> Content:
    return Content.assemble(
        (f"{one.ruling.id} ", "$accent bold"),
        (f"{one.ruling.title}. ", "bold"),
        (f"{measured(one.ruling.question)} ", "$foreground 65%"),
        ("" if one.usual else "NOT THE DEFAULT: ", "$warning bold"),
        measured(one.answer),
    )
