"""The force quality (green, veteran, ...) by which men draw whether they are pinned or may move on
("Troop Quality, Command and Control"). It is the side's; in a battle of a campaign contingents have
their own, and men of several draw by the worst of them, or as a ruling has it by that of most of
them. At the end: who digs in as an engineer does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from skirmish.games.plastic.battle.agenda import ToCheck
from skirmish.games.plastic.battle.names import row_named
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.setup import Contingent
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Quality
from skirmish.games.plastic.rules.checks import worst_quality
from skirmish.games.plastic.scenarios.happenings import Trait


def quality_of_contingent(state: State, contingent: Contingent) -> Quality | None:
    """The quality of a contingent: its own, or that of its side. None where the side plays without
    force quality."""
    quality = state.quality_of(contingent.side)
    if quality is None or contingent.quality is None:
        return quality
    return state.setup.catalog.qualities[contingent.quality]


def quality_of_row(state: State, row: str) -> Quality | None:
    """The quality by which men of a row are pinned; None for a text that is no row, and without
    force quality."""
    name = row_named(row)
    if name is None:
        return None
    return quality_of_contingent(state, state.setup.contingent_by_id[name.contingent])


def qualities_here(state: State, side: str) -> dict[Contingent, Quality | None]:
    """The contingents of a side with somebody on the table, in the order of the battle, each with
    its quality."""
    here = {}
    for row in rows(state, side):
        if row.here and row.contingent not in here:
            here[row.contingent] = quality_of_contingent(state, row.contingent)
    return here


def qualities_differ(state: State, side: str) -> bool:
    """Whether contingents of a side on the table differ in quality, so that it matters who
    draws."""
    if not has_own_qualities(state, side):
        return False
    names = {quality.id for quality in qualities_here(state, side).values() if quality is not None}
    return len(names) > 1


def has_own_qualities(state: State, side: str) -> bool:
    """Whether contingents of a side have qualities of their own, and force quality is played."""
    return state.quality_of(side) is not None and goes_by_group(state, side)


def goes_by_group(state: State, side: str) -> bool:
    """Whether contingents of a side have qualities of their own, be force quality played or not."""
    own = [part.quality for part in state.setup.contingents if part.side == side]
    return any(quality is not None for quality in own)


def quality_of_check(state: State, task: ToCheck) -> Quality | None:
    """The quality by which a check is drawn: that of the row that was shot at, if there is one;
    else as of ``quality_of_group`` for the contingent that was named."""
    if task.row is not None:
        return quality_of_row(state, task.row)
    return quality_of_group(state, task.side, task.contingent)


def quality_of_group(state: State, side: str, contingent: str) -> Quality | None:
    """The quality of a contingent by its id; in a campaign a contingent is called a group. For an
    empty id that of all of the side who are on the table together: where contingents differ, the
    worst of them, or that of most (C18)."""
    named = state.setup.contingent_by_id.get(contingent)
    if named is not None:
        return quality_of_contingent(state, named)
    if not has_own_qualities(state, side):
        return state.quality_of(side)
    if most_decide(state):
        return _of_most(state, side) or state.quality_of(side)
    return _worst(qualities_here(state, side).values()) or state.quality_of(side)


def most_decide(state: State) -> bool:
    """Whether men of several groups test as most of them do, not as the worst (C18)."""
    campaign = state.setup.campaign
    return campaign is not None and campaign.answers.get("C18") == "most"


def _of_most(state: State, side: str) -> Quality | None:
    """The quality that most pieces of a side on the table have; of two that as many have, the
    worse. None if nobody is there."""
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


def digs_as_engineer(state: State, row: Row, *, national: bool = True) -> bool:
    """Whether the guys of a row dig as engineers. ``national``: also if only a trait of their
    nation says so, as of some riflemen. For clearing wire such a trait does not count."""
    if row.unit.digs == "engineer":
        return True
    nation = state.nation_of(row.side)
    if national and nation is not None and row.unit.id in nation.digs_as_engineers:
        return True
    traits = filter(row.concerned_by, state.setup.happenings(Trait))
    return any(trait.effect == "counts_as_engineer" for trait in traits)
