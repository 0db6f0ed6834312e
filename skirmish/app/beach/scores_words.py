"""The high scores in words: a table for each beach and reading, and the place of one game."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from skirmish import library
from skirmish.app.fitting import padded
from skirmish.games.beach_head.scores import Score, Table, by_table, rank
from skirmish.store.moments import date
from skirmish.tabletop.typed import plain

KEY, DIM, STRONG = "$accent bold", "$foreground 65%", "bold"
BEACHES = {"normandy": "Normandy", "omaha": "Omaha"}
PLAYER = 20
"""Columns of a player's name."""
HEAD = f"{'':>4} {'lost':>5} {'turns':>6} {'alive':>6}  {'player':<{PLAYER}} {'date':<10}"
"""Whether there were cards stands above each table."""


def table_told(table: Table) -> str:
    """``Normandy, as printed, without cards``."""
    bare = "" if table.hand else ", without cards"
    return f"{BEACHES[table.variant]}, {reading_told(table.reading)}{bare}"


def reading_told(reading: str) -> str:
    """``as printed``; a reading of one's own by the answers that differ."""
    presets = library.beach_readings().presets
    named = presets[reading].name if reading in presets else reading
    return f"{named[:1].lower()}{named[1:]}" if reading in presets else named


def place_told(score: Score, scores: Sequence[Score]) -> Content:
    """The place of a game that has just ended."""
    place, among = rank(score, scores)
    where = table_told(score.table)
    if among == 1:
        return Content(f"Your first finished game: {where}.")
    best = Content.styled("  Your best so far." if place == 1 else "", KEY)
    return Content.assemble("Place ", (str(place), KEY), f" of {among} games: {where}.", best)


def scores_told(scores: Sequence[Score], most: int, mine: int = 0) -> Content:
    """Every table with its best ``most``; the game ``mine`` is marked, and told where it stands if
    it is further down."""
    if not scores:
        return Content("No game is finished yet. The fewer squads lost, the better.")
    blocks = [_block(table, rows, most, mine) for table, rows in by_table(scores).items()]
    return Content("\n\n").join(blocks)


def _block(table: Table, rows: Sequence[Score], most: int, mine: int) -> Content:
    lines = [Content.styled(table_told(table).upper(), "$primary bold"), Content.styled(HEAD, DIM)]
    shown = list(enumerate(rows, 1))
    lines += [_line(at, score, mine) for at, score in shown[:most]]
    lines += [_line(at, score, mine) for at, score in shown[most:] if score.game == mine]
    if len(rows) > most:
        lines.append(Content.styled(f"     {len(rows)} games in all", DIM))
    return Content("\n").join(lines)


def _line(at: int, score: Score, mine: int) -> Content:
    mark = "▶" if score.game == mine else " "
    player = padded(plain(score.player) or "-", PLAYER)
    said = (
        f"{mark}{at:>3} {score.casualties:>5} {score.turns:>6} {score.alive:>6}  "
        f"{player} {date(score.ended) if score.ended else ''}"
    )
    return Content.styled(said, KEY if score.game == mine else "")
