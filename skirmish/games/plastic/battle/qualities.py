"""The force quality (green, veteran, ...) by which men draw whether they are pinned or may move on
("Troop Quality, Command and Control").

A side has one quality. In a battle of a campaign its contingents may have their own: then men of
several contingents draw by the worst of them or, by ruling C18, by that of most of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from skirmish.games.plastic.battle.agenda import ToCheck
from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Quality
from skirmish.games.plastic.rules.checks import worst_quality


def quality_of_contingent(state: State, contingent: Contingent) -> Quality | None:
    """The quality of a contingent: its own, or that of its side. None where the side plays without
    force quality."""
    quality = state.quality_of(contingent.side)
    if quality is None or contingent.quality is None:
        return quality
    return state.setup.catalog.qualities[contingent.quality]


def quality_of_row(state: State, row: str) -> Quality | None:
    """The quality by which men of a row are pinned; None if the id is not that of a row, or if the
    side plays without force quality."""
    name = row_named(row)
    if name is None:
        return None
    return quality_of_contingent(state, state.setup.contingent_by_id[name.contingent])


def qualities_here(state: State, side: str) -> dict[Contingent, Quality | None]:
    """The quality of each contingent of a side that has somebody on the table, in the order of the
    rows."""
    here = {}
    for row in rows(state, side):
        if row.here and row.contingent not in here:
            here[row.contingent] = quality_of_contingent(state, row.contingent)
    return here


def qualities_differ(state: State, side: str) -> bool:
    """Whether contingents of a side on the table differ in quality, so that it matters who
    draws."""
    if not plays_qualities_of_contingents(state, side):
        return False
    names = {quality.id for quality in qualities_here(state, side).values() if quality is not None}
    return len(names) > 1


def plays_qualities_of_contingents(state: State, side: str) -> bool:
    """Whether force quality is played, and contingents of a side have qualities of their own."""
    return state.quality_of(side) is not None and contingents_have_qualities(state, side)


def contingents_have_qualities(state: State, side: str) -> bool:
    """Whether contingents of a side have qualities of their own, even if force quality is not
    played."""
    own = [part.quality for part in state.setup.contingents if part.side == side]
    return any(quality is not None for quality in own)


def quality_of_check(state: State, task: ToCheck) -> Quality | None:
    """The quality by which a check is drawn: that of the row that was shot at; without one, that of
    the group that the check is for."""
    if task.row is not None:
        return quality_of_row(state, task.row)
    return quality_of_group(state, task.side, task.contingent)


def quality_of_group(state: State, side: str, contingent: str) -> Quality | None:
    """The quality of the contingent with this id; campaigns call it a group. An empty id stands for
    all of the side who are on the table: where their qualities differ, they draw by the worst, or
    by that of most of them (C18)."""
    named = state.setup.contingent_by_id.get(contingent)
    if named is not None:
        return quality_of_contingent(state, named)
    if not plays_qualities_of_contingents(state, side):
        return state.quality_of(side)
    if most_decide(state):
        return _of_most(state, side) or state.quality_of(side)
    return _worst(qualities_here(state, side).values()) or state.quality_of(side)


def most_decide(state: State) -> bool:
    """Whether men of several groups test as most of them do, not as the worst (C18)."""
    campaign = state.setup.campaign
    return campaign is not None and campaign.answers.get("C18") == "most"


def _of_most(state: State, side: str) -> Quality | None:
    """The quality that most pieces of a side on the table have; if as many have another, the worse
    of the two. None if nobody is there."""
    pieces: Counter[str] = Counter()
    qualities: dict[str, Quality] = {}
    for row in rows(state, side):
        quality = quality_of_contingent(state, row.contingent)
        if quality is not None and row.here:
            pieces[quality.id] += len(row.here)
            qualities[quality.id] = quality
    if not pieces:
        return None
    most = max(pieces.values())
    return _worst(qualities[id] for id, count in pieces.items() if count == most)


def _worst(qualities: Iterable[Quality | None]) -> Quality | None:
    """The worst of these qualities; None if there is none."""
    return worst_quality([quality for quality in qualities if quality is not None])
