"""Every key of the program by the id of its binding, and which other key it may have instead.

The list is made of the bindings themselves: all modules of the app are read once, when somebody
wants to change a key. Two bindings clash where a screen would have both.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

FIXED = frozenset(
    {"enter", "escape", "up", "down", "left", "right", "pageup", "pagedown", "home", "end"}
    | {"tab", "shift+tab", "backspace", "f1", "question_mark"}
    | set("0123456789")
    | {f"ctrl+{sign}" for sign in ("c", "q", "p", "m", "h", "i", "j", "left_square_bracket")}
)
"""Keys that mean the same everywhere (digits are numbers), and what terminals send for them."""
SIGN = ".sign_"
"""Stands in the ids of letters and digits that name rows and numbers, as in ``battle.sign_a``."""


class Bound(NamedTuple):
    """A binding under its id: its own ``keys``, on which ``screens`` (names of their classes) it
    works, how it is shown where it keeps its own key."""

    id: str
    keys: tuple[str, ...]
    tooltip: str
    screens: frozenset[str]
    display: str | None = None

    @property
    def topic(self) -> str:
        return self.id.partition(".")[0]

    @property
    def movable(self) -> bool:
        """Whether it can have another key: not what is the same everywhere, nor the rows."""
        return SIGN not in self.id and not FIXED.issuperset(self.keys)

    def keys_now(self, chosen: Mapping[str, str]) -> tuple[str, ...]:
        """The keys that it has where the player has ``chosen`` some."""
        return tuple(chosen[self.id].split(",")) if self.id in chosen else self.keys

    def with_key(self, key: str) -> str:
        """What the settings keep where it is to have ``key``: Esc or an arrow it has besides
        remain."""
        return ",".join([*(own for own in self.keys if own in FIXED), key])


def binders() -> Iterator[type[DOMNode]]:
    """The app, its screens and the parts of them that have keys, every module read."""
    package = importlib.import_module("skirmish.app")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    seen: set[type[DOMNode]] = set()
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
                if kind.__module__.startswith(f"{package.__name__}."):
                    yield kind


def own_bindings(kind: type[DOMNode]) -> list[Binding]:
    return list(Binding.make_bindings(vars(kind).get("BINDINGS", ())))


def every_key() -> dict[str, Bound]:
    """All bindings with an id, by that id."""
    kinds = sorted(binders(), key=lambda kind: (kind.__module__, kind.__qualname__))
    screens = {kind.__name__: kind for kind in kinds if issubclass(kind, Screen)}
    found: dict[str, Bound] = {}
    for kind in kinds:
        if issubclass(kind, App):
            works_on = set(screens)
        else:
            works_on = {name for name, screen in screens.items() if _inherits(screen, kind)}
        for binding in own_bindings(kind):
            if binding.id is None:
                continue
            known = found.get(binding.id)
            keys = (*known.keys, binding.key) if known else (binding.key,)
            on = works_on | (known.screens if known else set())
            found[binding.id] = Bound(
                binding.id,
                tuple(dict.fromkeys(keys)),
                binding.tooltip or binding.description,
                frozenset(on),
                binding.key_display,
            )
    return {name: _placed(bound, found.values()) for name, bound in found.items()}


def _inherits(screen: type[DOMNode], kind: type[DOMNode]) -> bool:
    """Whether the keys of ``kind`` work on a screen: a viewer's has none of the players'."""
    for base in screen.__mro__:
        if base is kind:
            return True
        if not vars(base).get("_inherit_bindings", True):  # Textual's, which tells it nowhere else
            return False
    return False


def _placed(bound: Bound, others: Iterable[Bound]) -> Bound:
    """A part of a screen has no screen of its own here: it works where its topic does."""
    if bound.screens:
        return bound
    same = [other.screens for other in others if other.topic == bound.topic]
    return bound._replace(screens=frozenset().union(*same))


def clash(
    known: Mapping[str, Bound], chosen: Mapping[str, str], name: str, key: str
) -> Bound | None:
    """Who has ``key`` already on a screen where ``name`` works; None: nobody."""
    mine = known[name]
    for other in known.values():
        if other.id != name and key in other.keys_now(chosen) and mine.screens & other.screens:
            return other
    return None


def why_not(
    known: Mapping[str, Bound], chosen: Mapping[str, str], name: str, key: str
) -> str | None:
    """Why a binding cannot have a key, as a sentence; None: it can."""
    if key in FIXED:
        return "That key does the same on every screen and cannot be reassigned."
    other = clash(known, chosen, name, key)
    if other is None:
        return None
    if SIGN in other.id:
        return "That key names a row or a number in a battle. Use a capital, a symbol or an F key."
    return f"That key is taken ({other.topic}: {_lower(other.tooltip)}). Reassign that one first."


def problems(known: Mapping[str, Bound], chosen: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the keys of a settings file, a sentence for each."""
    from skirmish.tabletop.reading import suggest

    for name, keys in chosen.items():
        bound = known.get(name)
        if bound is None:
            yield f"keys: there is no {name}; {suggest(name, known)}"
            continue
        if not bound.movable:
            yield f"keys.{name}: this key cannot be changed; remove the line."
            continue
        for key in keys.split(","):
            if key in bound.keys:
                continue
            if reason := why_not(known, chosen, name, key.strip()):
                yield f"keys.{name} = {key}: {reason}"


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
