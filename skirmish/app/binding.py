"""Keys as bindings, for the screens on which games are played."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase, digits
from typing import Protocol

from textual.binding import Binding, BindingType


class Listed(Protocol):
    """A key as a screen lists it: what it does, its word on the strip, what the help says."""

    @property
    def key(self) -> str: ...
    @property
    def shown(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def word(self) -> str: ...
    @property
    def tells(self) -> str: ...


def named(keys: Iterable[Listed], topic: str) -> list[BindingType]:
    """The keys that players may map to others."""
    return [
        Binding(
            key.key,
            key.action,
            key.word or key.tells,
            key_display=key.shown,
            tooltip=key.tells,
            id=f"{topic}.{key.verb}",
        )
        for key in keys
    ]


def bound(keys: Iterable[Listed], topic: str) -> list[BindingType]:
    """All of them, and letters and digits, which name rows and answers and are never mapped."""
    typed = [
        Binding(sign, f"press('{sign}')", show=False, id=f"{topic}.sign_{sign}")
        for sign in ascii_lowercase + digits
    ]
    return [*named(keys, topic), *typed]
