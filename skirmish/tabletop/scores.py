"""Scores: the results of the finished games of one kind, in tables of comparable games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from skirmish.tabletop.page import Block, Heading, Page, Paragraph, table

LENGTH_OF_DATE = len("2026-05-01")
"""A moment in ISO form begins with its date."""


class FinishedGame(NamedTuple):
    """A finished game of the store: its number, the moment of its end (ISO), and its last state."""

    number: int
    ended: str
    state: Any


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one finished game, comparable with those of its table."""

    table: str = ""
    """The name of its table: scores are compared with those of the same table."""
    order: tuple[Any, ...] = ()
    """By it the tables are sorted. All scores of a table have the same."""
    worth: tuple[float, ...]
    """How good the result is: its most important number first, then what breaks ties. Lower is
    better, so that the best comes first when scores are sorted."""
    cells: dict[str, int | str] = {}
    """What the table shows of it, by the titles of the columns."""
    data: dict[str, Any] = {}
    """What other programs get of it."""
    ended: str = ""
    """The moment of the game's end, in ISO form; added when the score is read from the store."""
    game: int = 0
    """The game's number in the store; added when the score is read from there."""


def by_table(scores: Iterable[Score]) -> dict[str, list[Score]]:
    """The scores table by table, the best first; of equal scores the earlier first."""
    tables: dict[str, list[Score]] = {}
    for score in sorted(scores, key=_order_of_scores):
        tables.setdefault(score.table, []).append(score)
    return tables


def _order_of_scores(score: Score) -> tuple[Any, ...]:
    """The key for sorting: by tables, then the best first, then the earliest."""
    return score.order, score.worth, score.ended, score.game


class Rank(NamedTuple):
    """The ``place`` of a score in its table, from 1, and how many scores it is ``among``, itself
    included."""

    place: int
    among: int


def rank(score: Score, scores: Iterable[Score]) -> Rank:
    """The place of a score among those of its table. Equal scores share a place."""
    better = 0
    rivals = 0
    for rival in scores:
        # The score itself is added at the end.
        if rival.table != score.table or rival.game == score.game:
            continue
        rivals += 1
        if rival.worth < score.worth:
            better += 1
    return Rank(place=better + 1, among=rivals + 1)


def scores_page(title: str, scores: Iterable[Score], mine: int, empty: str) -> Page:
    """A page with all tables; game number ``mine`` is highlighted. ``empty`` is the text of a page
    without scores."""
    blocks: list[Block] = []
    for name, ranked in by_table(scores).items():
        number_of_games = "1 game"
        if len(ranked) > 1:
            number_of_games = f"{len(ranked)} games"
        blocks.append(Heading(f"{name}: {number_of_games}"))
        blocks.append(_table(ranked, mine))
    if not blocks:
        blocks.append(Paragraph(empty))
    return Page(title, tuple(blocks))


def _table(ranked: Sequence[Score], mine: int) -> Block:
    """The scores of one table: place, cells and date. All scores of a table have the same cells."""
    titles = [""]
    numbers = [0]  # the indices of the columns of numbers; the first has the places
    for column, (title, value) in enumerate(ranked[0].cells.items(), 1):
        titles.append(title)
        if isinstance(value, int):  # numbers stand at the right of their column
            numbers.append(column)
    titles.append("Date")
    rows = []
    for score in ranked:
        place = rank(score, ranked).place
        date = score.ended[:LENGTH_OF_DATE]
        rows.append((str(place), *map(str, score.cells.values()), date))
    return table(titles, rows, numbers=tuple(numbers), mark=_row_of_game(ranked, mine))


def _row_of_game(ranked: Sequence[Score], game: int) -> int | None:
    """The index of the row of this game; None if it has no score in the table."""
    for index, score in enumerate(ranked):
        if score.game == game:
            return index
    return None


def score_rows(scores: Iterable[Score]) -> list[dict[str, Any]]:
    """Each score with its place in its table, for other programs."""
    rows = []
    for ranked in by_table(scores).values():
        for score in ranked:
            place = rank(score, ranked).place
            rows.append({"place": place, **score.data, "ended": score.ended, "game": score.game})
    return rows


def place_in_words(scores: Sequence[Score], mine: int) -> str:
    """The place of game number ``mine`` among these, as a sentence; empty if it has no score."""
    for score in scores:
        if score.game == mine:
            return _place_sentence(score, scores)
    return ""


def _place_sentence(score: Score, scores: Sequence[Score]) -> str:
    """``Place 2 of 5 games: Normandy, with cards.``"""
    number, among = rank(score, scores)
    if among == 1:
        return f"Your first finished game: {score.table}."
    sentence = f"Place {number} of {among} games: {score.table}."
    if number == 1:
        return f"{sentence} It is your best so far."
    return sentence
