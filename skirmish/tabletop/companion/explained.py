"""Rules that the players apply on their own map, as sentences for the rules page and for paper: the
program does not know the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.tabletop.data_file import Strict
from skirmish.tabletop.page import Block, Heading, Items


class Explained(Strict, frozen=True, kw_only=True):
    """Rules with a title, a sentence on each of the ``lines``."""

    title: str
    lines: tuple[str, ...]


def explained_blocks(all_rules: Iterable[Explained]) -> Iterator[Block]:
    """The title of each of these rules as a heading, and its sentences below it as a list."""
    for rules in all_rules:
        yield Heading(rules.title)
        yield Items(rules.lines)
