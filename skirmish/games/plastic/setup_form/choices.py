"""A line of the form with a few answers to choose from, and the headings of its groups."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, form_choice

FORCES, SIDES, RULES = "FORCES", "SIDES", "OPTIONAL RULES"
RULINGS = "RULINGS WHERE THE RULES ARE SILENT"
"""The headings of the groups of the form."""
DEFAULT_IN_SETTINGS = "This is the default in your settings."
"""In the help beside a field: where its proposed answer comes from."""


def choice_field(
    group: str, name: str, *, text: str, label: str, rows: Sequence[AnswerRow], default: str = ""
) -> Field:
    """A field of a few answers, below the heading of its ``group``. ``text`` is its question and
    ``label`` its line in the form. The first answer is proposed, unless ``default`` is the id of
    another."""
    slot = form_choice(name, text, rows, label=label)
    if default:
        slot = replace(slot, default=default)
    return Field(slot=slot, group=group)
