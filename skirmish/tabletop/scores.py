"""Scores: the results of the finished games of one kind, in tables of comparable games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from skirmish.tabletop.page import Block, Heading, Page, Paragraph, table


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. ``table``: the games it is compared with; tables are sorted by ``order``.
    ``worth``: lower is better. ``cells`` are shown by their titles, ``data`` is for other programs.
    ``ended``: the moment in ISO form; ``game``: its number in the store."""

    table: str = ""
    order: tuple[Any, ...] = ()
    worth: tuple[float, ...]
    cells: dict[str, int | str] = {}
    data: dict[str, Any] = {}
    ended: str = ""
    game: int = 0


def by_table(scores: Iterable[Score]) -> dict[str, list[Score]]:
    """The scores table by table, the best first; of equal scores the earlier first."""
    tables: dict[str, list[Score]] = {}
    for score in sorted(scores, key=lambda one: (one.order, one.worth, one.ended, one.game)):
        tables.setdefault(score.table, []).append(score)
    return tables


def rank(score: Score, scores: Iterable[Score]) -> tuple[int, int]:
    """The place of a score in its table, from 1, and the number of scores there, itself included.
    Equal scores share a place."""
    others = [one for one in scores if one.table == score.table and one.game != score.game]
    return sum(one.worth < score.worth for one in others) + 1, len(others) + 1


def scores_page(title: str, scores: Iterable[Score], mine: int, empty: str) -> Page:
    """A table for each group; game number ``mine`` is highlighted. ``empty``: the text without
    scores."""
    blocks: list[Block] = []
    for name, rows in by_table(scores).items():
        blocks.append(Heading(f"{name}: {len(rows)} game{'s' * (len(rows) > 1)}"))
        cells = list(rows[0].cells.items())
        numbers = [at for at, (_, value) in enumerate(cells, 1) if isinstance(value, int)]
        lines = [
            (str(rank(one, rows)[0]), *map(str, one.cells.values()), one.ended[:10]) for one in rows
        ]
        mark = next((at for at, one in enumerate(rows) if one.game == mine), None)
        titles = ["", *(column for column, _ in cells), "Date"]
        blocks.append(table(titles, lines, numbers=(0, *numbers), mark=mark))
    return Page(title, tuple(blocks or [Paragraph(empty)]))


def score_rows(scores: Iterable[Score]) -> list[dict[str, Any]]:
    """Each score with its place in its table, for other programs."""
    return [
        {"place": rank(one, rows)[0], **one.data, "ended": one.ended, "game": one.game}
        for rows in by_table(scores).values()
        for one in rows
    ]


def place(scores: list[Score], mine: int) -> str:
    """The place of game number ``mine`` among these, as a sentence."""
    score = next((one for one in scores if one.game == mine), None)
    if score is None:
        return ""
    at, among = rank(score, scores)
    if among == 1:
        return f"Your first finished game: {score.table}."
    best = " It is your best so far." if at == 1 else ""
    return f"Place {at} of {among} games: {score.table}.{best}"
