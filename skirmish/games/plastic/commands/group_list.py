"""The list of both sides' groups with the squares in which the commander takes them to be, and the
question whether a group is elsewhere. "The commander" is the program's, here and below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING

from skirmish.games.plastic.battle.commanders import Commander, TableGroup
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.commanders_order import errors_refused
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.typed_places import LONGEST_LINE, read_places
from skirmish.tabletop.commands import Answers
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Slot, Words

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.headquarters.enemy_turn import EnemyTurn

ELSEWHERE = "Is a group elsewhere than listed? (+: in cover)"
ELSEWHERE_KEYS = "2d5 3e4n: 2 in D5, 3 in upper E4; 2c: other cover; 2-3: lost 3; 2 off."
# The same where the list takes some groups to have moved on.
ELSEWHERE_OR_MOVED_ON = "Is a group elsewhere than listed? (+: in cover; →: it goes on)"
MOVED_ON_KEYS = "23^ 4d5n: 2 and 3 went up 6 in, 4 to upper D5; 5=: it has not moved."
OFF_TABLE = "off"
"""What is listed, and typed, in place of the square of a group that is not on the table."""
NO_SIGN = "–"
"""What is listed in place of a letter where there are more groups than letters: such a group can
only be moved by its own order."""
# The end of the id of a group that was formed when the commander was appointed
# (``headquarters.appointing``).
_FORMED = re.compile(r":group_(?P<number>\d+)$")


# ------------------------------------------------------------------ the question


def where_slot(commander: Commander, *, some_moved_on: bool) -> Slot:
    """Whether a group is elsewhere than listed. ``some_moved_on``: the list takes some of the
    enemy's groups to have moved on."""
    text, key_note = ELSEWHERE, ELSEWHERE_KEYS
    if some_moved_on:
        text, key_note = ELSEWHERE_OR_MOVED_ON, MOVED_ON_KEYS
    return Words(
        name="where",
        large="WHERE ARE THEY?",
        text=text,
        key_note=key_note,
        # Enter alone: no group is elsewhere.
        default=(),
        write=enter_leaves_the_list,
        longest=LONGEST_LINE,
        read=partial(read_places, groups_by_sign(commander)),
    )


def enter_leaves_the_list(places: object) -> str:
    """What Enter alone means at a question about where groups are, for the hint below it."""
    del places
    return "they stand as listed"


def enemies_moved_on(battle: BattleNow, side: str) -> Mapping[str, TableGroup]:
    """The enemy's groups that are taken to have moved on, by their ids, as they stand after that
    move. None of them where the commander refuses to work (``Refused``): players can still say
    where everybody is."""
    with suppress(Refused), errors_refused():
        return enemy_turn_of(battle.state, side).gone_on
    return {}


def enemy_turn_of(state: State, side: str) -> EnemyTurn:
    """The commander of a side at work in the enemy's turn. Raises KeyError if it has none."""
    # It loads NumPy, which only a battle with a commander needs.
    from skirmish.games.plastic.battle.headquarters.enemy_turn import enemy_turn  # noqa: PLC0415

    return enemy_turn(state, side)


# ------------------------------------------------------------------ what players type for a group


def groups_by_sign(commander: Commander) -> dict[str, TableGroup]:
    """Each group by what players type for it: letters for the commander's own groups, numbers for
    the enemy's. A group that was there from the start keeps its sign when others are lost."""
    by_sign = {}
    for number, group in _numbered(commander.groups):
        if number <= len(ascii_lowercase):
            by_sign[ascii_lowercase[number - 1]] = group
    for number, group in _numbered(commander.enemies):
        by_sign[str(number)] = group
    return by_sign


def sign_of(commander: Commander, id: str) -> str:
    """What players type for the group with this id; a dash if there is nothing."""
    for sign, group in groups_by_sign(commander).items():
        if group.id == id:
            return sign
    return NO_SIGN


def _numbered(groups: Sequence[TableGroup]) -> Iterator[tuple[int, TableGroup]]:
    """Groups with the numbers with which they were formed, from 1; those that came later have the
    numbers after the highest of these."""
    formed, later = {}, []
    for group in groups:
        match = _FORMED.search(group.id)
        if match is None:
            later.append(group)
        else:
            formed[int(match["number"])] = group
    yield from formed.items()
    highest = max(formed, default=0)
    yield from enumerate(later, start=highest + 1)


# ------------------------------------------------------------------ the list


def group_list(battle: BattleNow, side: str, facts: Answers) -> Page:
    """Both sides' groups with their squares. The enemy's come first, since the commander knows
    least about them."""
    del facts  # the list is the same whatever has been answered
    # What players type is read by the commander's own list, in which those who were lost since his
    # last orders still have their signs.
    commander = battle.state.commanders[side]
    signs = {group.id: sign for sign, group in groups_by_sign(commander).items()}
    moved_on = enemies_moved_on(battle, side)
    survivors = _without_the_lost(battle.state, side)
    blocks = []
    for groups in (survivors.enemies, survivors.groups):
        if groups:
            text = _each_in_its_square(battle, signs, groups, moved_on)
            people = battle.people(piece_side(groups[0].id))
            blocks.append(Paragraph(text, lead=people))
    return Page("", tuple(blocks))


def _without_the_lost(state: State, side: str) -> Commander:
    """The commander of a side with its groups as they are after the losses since its last orders;
    as they were then, where it refuses to work that out (``Refused``)."""
    with suppress(Refused), errors_refused():
        # Only a battle with a commander loads the tables of the map.
        from skirmish.games.plastic.battle.headquarters.command_post import (  # noqa: PLC0415
            command_post,
        )

        return command_post(state, side).after_losses
    return state.commanders[side]


def strength(battle: BattleNow, group: TableGroup) -> str:
    """``8r 1m``, or ``1t (10r aboard)``: how many of each row of the board are in a group."""
    members = group.known
    letters = {}
    for row in rows(battle.state, piece_side(group.id)):
        if row.contingent.id == members.contingent:
            letters[row.unit.id] = row.letter
    counts = _by_letter(letters, members.counts)
    if members.aboard:
        return f"{counts} ({_by_letter(letters, members.aboard)} aboard)"
    return counts


def _each_in_its_square(
    battle: BattleNow,
    signs: Mapping[str, str],
    groups: Sequence[TableGroup],
    moved_on: Mapping[str, TableGroup],
) -> str:
    """``a D5+ 8r, b G5 6r 1m.``: the letter or number of each group, its square (``+``: in cover)
    and its strength. A group that is taken to have moved on: ``2 D4→D5s+ 8r.``"""
    entries = []
    for group in groups:
        sign = signs.get(group.id, NO_SIGN)
        place = _place(group)
        if group.id in moved_on:
            place = _way_on(group, moved_on[group.id])
        entries.append(f"{sign} {place} {strength(battle, group)}")
    return f"{', '.join(entries)}."


def _place(group: TableGroup) -> str:
    """``D5``; ``D5+`` in cover."""
    if group.cell is None:
        return OFF_TABLE
    if group.cover:
        return f"{group.cell.square}+"
    return group.cell.square


def _way_on(before: TableGroup, after: TableGroup) -> str:
    """``D4→D5s``: a group has moved from D4 into the lower half of D5, written as players type
    it."""
    if before.cell is None or after.cell is None:
        return _place(after)
    way = f"{before.cell.square}→{after.cell.square}{_half_entered(before.cell, after.cell)}"
    if after.cover:
        return f"{way}+"
    return way


def _half_entered(start: GroundCell, end: GroundCell) -> str:
    """The half of its square in which a move ends: the left or right one after a move straight to
    the side, else the upper or lower one."""
    if end.row == start.row:
        if end.in_left_half:
            return "w"
        return "e"
    if end.in_lower_half:
        return "s"
    return "n"


def _by_letter(letters: Mapping[str, str], counts: Mapping[str, int]) -> str:
    """``8r 1m``: the counts of units, each with the letter of its row."""
    parts = [f"{count}{letters.get(unit, '')}" for unit, count in counts.items()]
    return " ".join(parts)
