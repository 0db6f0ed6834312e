"""Something that a player can do now, with the answers that it needs and the facts that keys
change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

from skirmish.tabletop.page import Page
from skirmish.tabletop.slots import Choose, Slot

Answers: TypeAlias = Mapping[str, Any]
"""Answers by the name of their slot or toggle."""


class Toggle(msgspec.Struct, frozen=True, kw_only=True):
    """A key that changes a fact of a draft, such as whether the target is in cover."""

    name: str
    """The name of the fact among the answers. The key turns it on or off, unless the toggle
    ``sets`` answers or ``opens`` a command."""
    key: str
    label: str
    sets: Answers | None = None
    """The answers that the key gives, such as the next weapon."""
    mark: bool = False
    """Whether the fact differs from its default value, which a mark beside the label shows."""
    asks: Choose | None = None
    """The question for the fact, with its ``name``, where one question is asked at a time; its
    answer is the value of the fact."""
    opens: Callable[[], Command[Any]] | None = None
    """Makes the command that opens in place of the draft; then no fact is changed."""
    why_not: str = ""
    """Why it changes nothing now."""


class OnOff(NamedTuple):
    """A fact that holds or not: its name among the answers, the key that changes it, and the
    label."""

    name: str
    key: str
    label: str


def on_off_toggles(facts: Iterable[OnOff], answers: Answers) -> tuple[Toggle, ...]:
    """The toggles of these facts; a mark stands beside those that hold."""
    toggles = []
    for name, key, label in facts:
        holds = bool(answers.get(name))
        toggles.append(Toggle(name=name, key=key, label=label, mark=holds))
    return tuple(toggles)


def cycling_toggle(name: str, key: str, value: Any, labels: Mapping[Any, str]) -> Toggle:
    """A toggle that goes through several values in their order, from the present ``value`` to the
    one after it. ``labels``: every value with its label; the first is the default one."""
    values = list(labels)
    next_value = values[0]  # also after a value that has no label
    if value in values:
        next_value = values[(values.index(value) + 1) % len(values)]
    label = labels.get(value, str(value))
    is_changed = value != values[0]
    return Toggle(name=name, key=key, label=label, sets={name: next_value}, mark=is_changed)


class Forecast(msgspec.Struct, frozen=True):
    """The expected result of a command, for newcomers: the words in ``large`` letters, the sentence
    above them (``text``), and further sentences below."""

    large: str = ""
    text: str = ""
    sentences: tuple[str, ...] = ()


O = TypeVar("O")  # noqa: E741  (an order)


class Command(msgspec.Struct, Generic[O], frozen=True, kw_only=True):
    """Something that a player can do now, or could do but for ``why_not``. If it is the open
    question of the game, it is a prompt."""

    label: str
    make: Callable[..., O]
    """Returns the order. It is called with the answers by name, those of toggles included."""
    key: str = ""
    """Empty: the command begins with its first answer."""
    slots: tuple[Slot, ...] | Callable[[Answers], tuple[Slot, ...]] = ()
    """The answers that it needs; a function where they depend on the answers so far."""
    toggles: tuple[Toggle, ...] | Callable[[Answers], tuple[Toggle, ...]] = ()
    """The keys that change its facts; a function where they depend on the answers so far."""
    given: Answers = {}
    """Default answers that a toggle may change."""
    why_not: str = ""
    """Why it cannot be given now; empty: it can be."""
    word: str = ""
    """Its label on the strip of keys; empty: it does not stand there."""
    group: str = ""
    """Its heading in the help."""
    help: str = ""
    topic: str = ""
    """Its name in the rules look-up."""
    preview: Callable[[Answers], Page] | None = None
    """Its expected result, by the answers so far."""
    advised_against: Callable[[Answers], bool] | None = None
    """Whether the order that the answers make is refused or advised against, as the preview says
    then. Nothing is said there of the key that would give it."""
    words_for_others: Callable[[Answers, str | None], str] | None = None
    """What another player reads, by the id of his side, while it is put together; None stands for a
    spectator. A command with such words, such as a shot, concerns the others: they go on in the
    turn only when it is given or dropped."""
    forecast: Callable[[Answers], Forecast] | None = None
    """Its expected result in sentences, where one question is asked at a time."""
    verb: str = ""
    """Its id in the program, and in a player's own key map."""
    repeat: bool = False
    """Its order is given again and again until the game stops (``Game.stops_repeating``)."""
    reopens: bool = False
    """The command begins again once its order was given."""
    by_key_only: bool = False
    """The command begins only by its key, never by itself after an order."""
    leads_to: str = ""
    """The key of another command that begins once its order was given."""
    why_not_after: Callable[[O], str] | None = None
    """The command may follow a complete draft of another command at once: its key gives that order
    first, without Space. For that order the function says why this command cannot follow; empty if
    it can."""
    seeded: bool = False
    """``make`` takes a fresh ``seed`` too."""
    takes_back: bool = False
    """Of a prompt: Esc undoes the order that led to it."""
