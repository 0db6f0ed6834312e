"""What those who follow a battle are told beside the battle itself: no key of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from skirmish.app.page_view import DIM, KEY, STRONG
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    OutcomeAsk,
    PieceAsk,
    RepeatAsk,
    Why,
)
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.movement import waves
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus
from skirmish.tabletop.measure import inches

ONLOOKER = "spectator"


Said = list[tuple[str, str]]
"""A line of texts, each with its tone."""
STYLES = {"": "", "strong": STRONG, "dim": DIM, "key": KEY, "alarm": "$error bold"}


def painted(lines: Sequence[Said]) -> Content:
    """Texts with tones as content; nothing in it is markup."""
    return Content("\n").join(
        Content.assemble(*((text, STYLES[tone]) for text, tone in line)) for line in lines
    )


_DRAWS: dict[Why, str] = {
    "shot": "draw for the shot",
    "breakdown": "draw for breakdown",
    "pin": "draw for pinning",
    "command": "draw for command",
    "entrench": "draw for entrenching",
    "table": "draw on the scenario's table",
    "lot": "draw before play",
}


def awaited(state: State) -> Said:
    """What the battle waits for, if it is something that players are asked; else who is to go."""
    match state.ask:
        case DrawAsk(side=side, why=why):
            return [(people(state, side), "strong"), (f" {_DRAWS[why]}", "")]
        case CasualtyAsk(side=side, count=count):
            many = "who dies" if count == 1 else f"which {count} die"
            return [(people(state, side), "strong"), (f" choose {many}", "")]
        case PieceAsk(side=side):
            return [(people(state, side), "strong"), (" choose which model was hit", "")]
        case InsideAsk(side=side):
            return [(people(state, side), "strong"), (" choose who was inside", "")]
        case ChoiceAsk(side=side, question=question):
            return [(people(state, side), "strong"), (f" choose: {question}", "")]
        case RepeatAsk(shot=shot):
            return [(people(state, piece_side(shot.piece)), "strong"), (" may fire again", "")]
        case OutcomeAsk():
            return [("The last turn is over. The players decide who won.", "strong")]
    return []


def due_lines(state: State, outlook: Sequence[VictoryStatus]) -> list[Said]:
    """How it is won and how it stands, what goes on, who is still to come."""
    lines: list[Said] = [[("Victory: ", "strong"), (state.setup.victory, "")]]
    lines += standing_lines(state, outlook)
    if state.outcome is None:
        lines += [*_going_on(state), *_to_come(state)]
    return lines


def standing_lines(state: State, outlook: Sequence[VictoryStatus]) -> list[Said]:
    """What each side needs and has, break points included, as somebody sees it who looks on."""
    lines: list[Said] = []
    for one in outlook:
        own = f"{people(state, one.side).upper()} "
        line: Said = [(own, "strong"), (one.says, "")]
        if not one.can_win:
            line.append((f"{f'. {own}' if one.says else ''}can no longer win", "alarm"))
        lines.append(line)
    return lines


def people(state: State, side: str) -> str:
    """A side's plural."""
    return state.setup.side_by_id[side].people


def _going_on(state: State) -> Iterator[Said]:
    for card, kind in state.setup.toggling.items():
        if kind.state in state.toggled:
            says = f"nobody sees beyond {inches(kind.sight_in)}; the next {card.words} ends it."
            yield [(f"{kind.state.upper()}: ", "alarm"), (says, "")]


def _to_come(state: State) -> Iterator[Said]:
    for wave in waves(state):
        group, setup = wave.contingent, state.setup
        counts = ", ".join(
            f"{count} {setup.unit(row.rpartition('/')[2]).short}"
            for row, count in wave.units.items()
        )
        turn = max(group.enters, state.clock.turn)
        tone = "key" if wave.now else "dim"
        where = f", {group.by}" if group.by else ""
        says = f"{people(state, group.side)}, {group.name}: {counts}{where}"
        yield [("Now: " if wave.now else f"Turn {turn}: ", tone), (says, "")]


def fires(state: State) -> str:
    """Who fires, for the largest letters of the screen; nothing after the end."""
    return "" if state.outcome else f"{people(state, state.firing_side)} fire"


def eyes(state: State, side: str | None) -> str:
    """``spectator``, or ``Poles``: through whose eyes it is seen."""
    return ONLOOKER if side is None else people(state, side)
