"""The set-up of a game without a full screen: fields answered by options, then line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from skirmish.cli.speaking import Complaint, harmless, say, say_page, typed_lines
from skirmish.tabletop.reading import suggest

if TYPE_CHECKING:
    from skirmish.tabletop.form import SetupForm
    from skirmish.tabletop.game import Field


_RULING, _OF_A_KIND = re.compile(r"[A-Z]+\d+"), re.compile(r":.*")


def setting(text: str) -> tuple[str, str]:
    """The name and the value of an option. Raises Complaint."""
    name, equals, value = text.partition("=")
    if not equals:
        raise Complaint(f"--set takes NAME=VALUE, not {harmless(text)[:40]!r}.")
    return name.strip(), value.strip()


def answer_form(form: SetupForm, given: dict[str, str], defaults: bool) -> None:
    """Answer what is ``given`` by options, then ask for the rest. Raises Complaint for an option
    that names no field, and where the input ends too early."""
    left = dict(given)
    while field := next((one for one in form.fields if one.slot.name in left), None):
        name = field.slot.name
        try:
            form.answer(name, form.read(name, left.pop(name)))
        except ValueError as unfit:
            raise Complaint(f"--set {name}: {unfit}") from None
    for name in left:
        hint = _suggested(name, [one.slot.name for one in form.fields])
        raise Complaint(f"--set {name}: the set-up of a {form.game.noun} has no such line; {hint}")
    asked = set(given)
    while field := next(
        (one for one in form.fields if not one.fold and one.slot.name not in asked), None
    ):
        asked.add(field.slot.name)
        if not defaults or form.answers[field.slot.name] is None:
            form.answer(field.slot.name, _asked(form, field))


def _suggested(name: str, known: list[str]) -> str:
    """The nearest name, else all of them, those of a kind together: ``player:…``, ``P11``."""
    kinds = dict.fromkeys(_RULING.sub("P11 and other rulings", one) for one in known)
    short = dict.fromkeys(_OF_A_KIND.sub(":…", one) for one in kinds)
    near = suggest(name, known)
    return near if near.startswith("did") else suggest(name, short)


def _asked(form: SetupForm, field: Field) -> Any:
    from skirmish.tabletop.command_pages import draft_page
    from skirmish.tabletop.commands import Command, Draft
    from skirmish.tabletop.slots import UnfitAnswer

    slot = field.slot
    draft: Draft[Any] = Draft(command=Command(label="", make=dict, slots=(slot,)))
    say_page(draft_page(draft), title=False)
    for line in typed_lines():
        try:
            return form.read(slot.name, line.strip())
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise Complaint(f"The input ended before “{slot.text}” was answered; nothing was stored.")
