"""Rules that the players apply on their own map, as sentences for the rules page and for paper: the
program does not know the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.tabletop.data_file import Strict
from skirmish.tabletop.page import Block, Heading, Items


class Explained(Strict, frozen=True, kw_only=True):
    """A heading with its sentences."""

    title: str
    lines: tuple[str, ...]


def explained_of(explained: Iterable[Explained]) -> Iterator[Block]:
    """Each heading, and its sentences below it as a list."""
    for rules in explained:
        yield Heading(rules.title)
        yield Items(rules.lines)
