"""Each field of an event that holds text says in its type what of it others may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from stage import scenario

from skirmish.games.plastic.battle.events import Added, NoteAdded
from skirmish.games.plastic.battle.setup import Level
from skirmish.games.plastic.battle.shown import (
    GONE,
    OWN,
    PublicText,
    Secrets,
    marks_of,
)
from skirmish.games.plastic.battle.state import Clock, Event
from skirmish.games.plastic.battle.view import secret_to, view
from skirmish.tabletop.chance import Draw

HARMLESS = (Clock, Draw, Level)
"""Types with text that tells nothing of a piece."""


def kinds(base: type[Event] = Event) -> Iterator[type[Event]]:
    for kind in base.__subclasses__():
        if kind.__module__.startswith("skirmish."):
            yield kind
            yield from kinds(kind)


def holds_text(annotation: Any) -> bool:
    if annotation in HARMLESS or get_origin(annotation) is Literal:
        return False
    if annotation is str or annotation is Any:
        return True
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return any(holds_text(one) for one in get_type_hints(annotation).values())
    return any(holds_text(one) for one in get_args(annotation))


def unmarked(kind: type[Event]) -> list[str]:
    """The fields of a kind of event that hold text and do not say who may see it."""
    annotations = get_type_hints(kind)
    marks = marks_of(kind)
    fields = [one.name for one in msgspec.structs.fields(kind)]
    return [name for name in fields if holds_text(annotations[name]) and name not in marks]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_a_field_with_text_says_what_of_it_others_may_see(kind: type[Event]) -> None:
    assert unmarked(kind) == []


def test_a_new_field_of_text_is_found() -> None:
    class Betrayed(Event, frozen=True, kw_only=True, tag="betrayed"):
        where: str
        by: dict[str, int]
        often: int
        said: PublicText = ""

    assert unmarked(Betrayed) == ["where", "by"]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_what_an_event_shows_by_itself_it_shows_in_its_own_way(kind: type[Event]) -> None:
    if OWN in marks_of(kind).values():
        assert kind.seen is not Event.seen


def test_a_piece_that_hides_is_in_no_field_that_names_it() -> None:
    table = scenario(3)
    secret = secret_to("british", table.state)
    secrets = Secrets.of(table.state.setup, secret, view(table.state, "british").setup)
    hidden = min(secret)
    for kind in kinds():
        for name, mark in marks_of(kind).items():
            if mark.names_pieces and mark is not marks_of(Added).get(name):
                several = mark.as_others_see((hidden,), secrets)
                assert several in (GONE, ()) or mark.as_others_see(hidden, secrets) is GONE


def test_a_note_is_everybodys() -> None:
    table = scenario(3)
    secret = secret_to("british", table.state)
    secrets = Secrets.of(table.state.setup, secret, view(table.state, "british").setup)
    assert NoteAdded(text="a word").seen(secrets) == NoteAdded(text="a word")
