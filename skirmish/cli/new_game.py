"""The set-up of a new game on a plain terminal: its fields are answered by ``--set NAME=VALUE``, by
typed lines, or by default."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from skirmish import registry
from skirmish.cli.console import CommandError, complain, harmless, say, say_page, typed_lines
from skirmish.cli.line_play import LinePlayer
from skirmish.registry import load
from skirmish.session import Session, at_once, fresh_seed, job_runner, with_typed_tables
from skirmish.store.settings import read_settings, settings_file
from skirmish.tabletop.command_pages import draft_page
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.data_file import nearest_name, suggest
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import StoredArmy
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Option, UnfitAnswer

if TYPE_CHECKING:
    from skirmish.store.database import Store

RENAMED_FIELDS = {"reading": "rulings"}
"""The names of fields of the set-up, by the names that they had in earlier versions."""
_AFTER_COLON = re.compile(r":.*")
"""What distinguishes the fields of a kind from one another: ``:germans`` in ``player:germans``."""


def new_game(store: Store, name: str, set_values: list[str], defaults: bool) -> LinePlayer:
    """Store a new game and return the player who plays it. ``set_values`` are the values of
    ``--set``; the fields that they leave open are prompted for, except that with ``defaults`` those
    with a proposed answer take it. Raises CommandError."""
    kind = registry.named(name)
    if kind is None:
        raise CommandError(f"There is no game “{name}”; {known_games()}.")
    loaded = load(kind.id)
    game = at_once(with_typed_tables(loaded, job_runner(store)))
    armies = [StoredArmy(str(army.id), army.name, army.body) for army in store.armies()]
    game = game.equipped(armies, read_settings(settings_file()))
    for warning in game.warnings:
        complain(warning)
    form = SetupForm(game)
    _answer_form(form, _options_by_name(set_values), defaults)
    try:
        opening = game.opening(form.answers, fresh_seed)
    except Refused as refused:
        raise CommandError(str(refused)) from None
    session = at_once(Session.opened(game, job_runner(store), opening))
    player = LinePlayer(session)
    for order in game.first_orders(form.answers, fresh_seed):
        at_once(session.give(order))
    return player


def known_games() -> str:
    """The names of all games, to end a sentence with: ``known are: battle, campaign``."""
    names = [kind.command for kind in registry.all_games()]
    if not names:
        return "none is installed"
    return f"known are: {', '.join(names)}"


def _options_by_name(set_values: Iterable[str]) -> dict[str, str]:
    """The answers that options ``--set`` give, by the names of their fields; raises
    CommandError."""
    options = {}
    for set_value in set_values:
        typed_name, equals, answer = set_value.partition("=")
        if not equals:
            raise CommandError(f"--set takes NAME=VALUE, not {harmless(set_value)[:40]!r}.")
        name = typed_name.strip()
        options[RENAMED_FIELDS.get(name, name)] = answer.strip()
    return options


def _answer_form(form: SetupForm, options: dict[str, str], defaults: bool) -> None:
    """Answer the fields by the ``options`` with their names, then prompt for the others. Raises
    CommandError for an option without a field, and where the input ends too early."""
    _answer_by_options(form, options)
    answered = set(options)
    field = _next_open(form, answered)
    while field is not None:
        name = field.slot.name
        answered.add(name)
        has_proposed_answer = form.answers[name] is not None
        if not (defaults and has_proposed_answer):
            form.answer(name, _typed_answer(form, field))
        field = _next_open(form, answered)


def _answer_by_options(form: SetupForm, options: dict[str, str]) -> None:
    """Answer the fields that have an option, in the order of the form. An answer may add fields to
    the form or remove some, so the next field is looked for after each."""
    unused = dict(options)
    field = _next_with_option(form, unused)
    while field is not None:
        name = field.slot.name
        try:
            form.answer(name, form.read(name, unused.pop(name)))
        except UnfitAnswer as unfit:
            raise CommandError(f"--set {name}: {unfit}") from None
        field = _next_with_option(form, unused)
    if unused:
        name = next(iter(unused))  # the first mistake is enough for a message
        hint = _suggested(name, form.fields)
        raise CommandError(
            f"--set {name}: the set-up of a {form.game.noun} has no such line; {hint}"
        )


def _next_with_option(form: SetupForm, options: Collection[str]) -> Field | None:
    """The first field that an option answers."""
    for field in form.fields:
        if field.slot.name in options:
            return field
    return None


def _next_open(form: SetupForm, answered: Collection[str]) -> Field | None:
    """The next field to prompt for; those that the form folds away keep their proposed answer."""
    for field in form.fields:
        if not field.fold and field.slot.name not in answered:
            return field
    return None


def _suggested(name: str, fields: Sequence[Field]) -> str:
    """The sentence that suggests a name of a field: the nearest one, or else all. The names of one
    kind are then a single entry, ``player:…`` or ``P11 and other rulings``."""
    field_names = [field.slot.name for field in fields]
    if nearest_name(name, field_names) is not None:
        return suggest(name, field_names)
    rulings = [field.slot.name for field in fields if field.is_ruling]
    entries = []
    for field in fields:
        entry = _AFTER_COLON.sub(":…", field.slot.name)
        if field.is_ruling and len(rulings) > 1:
            entry = f"{rulings[0]} and other rulings"
        if entry not in entries:
            entries.append(entry)
    return suggest(name, entries)


def _typed_answer(form: SetupForm, field: Field) -> Any:
    """The typed answer to a field; it is prompted for until it fits."""
    slot = field.slot
    # A field is printed as the slot of a command. Only its page is used: no order is made of it.
    draft: Draft[Any] = Draft(command=Command(label="", make=dict, slots=(slot,)))
    say_page(draft_page(draft, remark=_remark), title=False)
    for line in typed_lines():
        try:
            return form.read(slot.name, line.strip())
        except UnfitAnswer as unfit:
            say(harmless(str(unfit)))
    raise CommandError(f"The input ended before “{slot.text}” was answered; nothing was stored.")


def _remark(option: Option) -> str:
    """The note of an answer; empty where it only repeats the answer."""
    if option.note.rstrip(".") == option.label:
        return ""
    return option.note
