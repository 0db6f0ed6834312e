"""The key map: every binding of the program by its id, and the keys that a player gives it instead
of its own. Two bindings clash if both work on the same screen.

The list is collected from the classes that have bindings: all modules of the app are imported once,
when somebody wants to change a key."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

APP_PACKAGE = "skirmish.app"
SAME_EVERYWHERE = (
    *("enter", "escape", "up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
    *("tab", "shift+tab", "backspace", "f1", "question_mark"),
    *("ctrl+c", "ctrl+q", "ctrl+p"),
)
"""Keys with the same meaning on every screen."""
SENT_FOR_OTHERS = ("ctrl+m", "ctrl+h", "ctrl+i", "ctrl+j", "ctrl+left_square_bracket")
"""What terminals send for some of them: Ctrl+M and Ctrl+J for Enter, Ctrl+H for Backspace, Ctrl+I
for Tab, Ctrl+[ for Esc."""
DIGITS = "0123456789"
"""They type numbers, or choose a line by its number."""
FIXED = frozenset((*SAME_EVERYWHERE, *SENT_FOR_OTHERS, *DIGITS))
"""Keys that the player can neither take from a binding nor give to one."""
SIGN = ".sign_"
"""Part of the ids of letters and digits that name rows and numbers, as in ``battle.sign_a``."""


class BoundKeys(NamedTuple):
    """The default ``keys`` of a binding, what it does (``tooltip``), and the names of the classes
    of the ``screens`` on which it works."""

    id: str
    keys: tuple[str, ...]
    tooltip: str
    screens: frozenset[str]

    @property
    def topic(self) -> str:
        """What its screen is about, as at the beginning of its id."""
        return self.id.partition(".")[0]

    @property
    def is_changeable(self) -> bool:
        """Whether the player can give it another key: not if all its keys are fixed, or if it names
        rows."""
        names_rows = SIGN in self.id
        return not names_rows and not FIXED.issuperset(self.keys)

    def keys_now(self, key_map: Mapping[str, str]) -> tuple[str, ...]:
        """Its keys under a key map."""
        if self.id in key_map:
            return tuple(key_map[self.id].split(","))
        return self.keys

    def with_key(self, key: str) -> str:
        """The entry of the key map that gives it ``key``; fixed keys that it has, such as Esc, it
        keeps."""
        fixed_keys = [fixed for fixed in self.keys if fixed in FIXED]
        return ",".join([*fixed_keys, key])


def classes_with_keys() -> list[type[DOMNode]]:
    """The app, its screens and their widgets, from all modules."""
    package = importlib.import_module(APP_PACKAGE)
    for module in pkgutil.walk_packages(package.__path__, f"{APP_PACKAGE}."):
        importlib.import_module(module.name)
    node_classes: dict[type[DOMNode], None] = {}  # a set that keeps the order
    to_visit: list[type[DOMNode]] = [DOMNode]
    while to_visit:
        node_class = to_visit.pop()
        if node_class not in node_classes:
            node_classes[node_class] = None
            to_visit += node_class.__subclasses__()
    # Textual's own classes have no bindings that the player may change.
    return [each for each in node_classes if each.__module__.startswith(f"{APP_PACKAGE}.")]


def every_key() -> dict[str, BoundKeys]:
    """The keys of every binding that has an id, by that id."""
    # Sorted, so that what several classes bind always has its keys in the same order.
    classes = sorted(classes_with_keys(), key=_full_name)
    all_screens = frozenset(each.__name__ for each in classes if issubclass(each, Screen))
    by_id: dict[str, BoundKeys] = {}
    for node_class in classes:
        screens: frozenset[str] = frozenset()  # of a widget: unknown until all are collected
        if issubclass(node_class, App):
            screens = all_screens
        elif issubclass(node_class, Screen):
            screens = frozenset({node_class.__name__})
        for bound in _keys_of_class(node_class, screens):
            earlier = by_id.get(bound.id, bound)
            by_id[bound.id] = _together(earlier, bound)
    return _with_screens_of_widgets(by_id)


def _full_name(node_class: type) -> tuple[str, str]:
    return node_class.__module__, node_class.__qualname__


def _keys_of_class(node_class: type[DOMNode], screens: frozenset[str]) -> Iterator[BoundKeys]:
    """Each key of a class by itself, inherited ones as well, if its binding has an id."""
    # Textual's list of a class with those of its base classes; BINDINGS has only its own. None: it
    # has no bindings at all.
    for key, binding in node_class._merged_bindings or ():
        if binding.id is not None:
            tooltip = binding.tooltip or binding.description
            yield BoundKeys(binding.id, (key,), tooltip, screens)


def _together(first: BoundKeys, second: BoundKeys) -> BoundKeys:
    """A binding with the keys and screens of both, each once."""
    all_keys = tuple(dict.fromkeys((*first.keys, *second.keys)))
    return first._replace(keys=all_keys, screens=first.screens | second.screens)


def _with_screens_of_widgets(by_id: Mapping[str, BoundKeys]) -> dict[str, BoundKeys]:
    """The same bindings, those of widgets with their screens as well. No class says on which
    screens a widget stands: it is taken to be on those with bindings of the same topic."""
    screens_of_topic: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for bound in by_id.values():
        screens_of_topic[bound.topic] |= bound.screens
    complete = {}
    for id, bound in by_id.items():
        screens = bound.screens or screens_of_topic[bound.topic]
        complete[id] = bound._replace(screens=screens)
    return complete


def why_not(
    bindings: Mapping[str, BoundKeys], key_map: Mapping[str, str], id: str, key: str
) -> str | None:
    """Why the binding ``id`` cannot have a key, as a sentence; None if it can. ``bindings``: the
    keys of all bindings by their ids."""
    if key in FIXED:
        return "That key does the same on every screen and cannot be reassigned."
    screens = bindings[id].screens
    for rival in bindings.values():
        meets_rival = rival.id != id and not screens.isdisjoint(rival.screens)
        if not meets_rival or key not in rival.keys_now(key_map):
            continue
        if SIGN in rival.id:
            return (
                "That key names a row or a number in a battle. Use a capital, a symbol or an F key."
            )
        does = rival.tooltip[:1].lower() + rival.tooltip[1:]
        return f"That key is taken ({rival.topic}: {does}). Reassign that one first."
    return None


def problems(bindings: Mapping[str, BoundKeys], key_map: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a key map that somebody wrote by hand, a sentence each."""
    from skirmish.tabletop.data_file import suggest

    for id, wanted_keys in key_map.items():
        bound = bindings.get(id)
        if bound is None:
            yield f"keys: there is no {id}; {suggest(id, bindings)}"
        elif not bound.is_changeable:
            yield f"keys.{id}: this key cannot be changed; remove the line."
        else:
            for key in wanted_keys.split(","):
                # Its own keys are right even where others have them, but only as they stand there:
                # in "a, b" the second is " b", which Textual does not know.
                if key in bound.keys:
                    continue
                reason = why_not(bindings, key_map, id, key.strip())
                if reason:
                    yield f"keys.{id} = {key}: {reason}"
