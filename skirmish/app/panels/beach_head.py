"""The beach as a picture: the sea on top, then each line of defence as a gauge, squads and tanks on
the sand between them."""

from __future__ import annotations

from textual.content import Content

from skirmish.games.beach_head.commands import SHORE
from skirmish.games.beach_head.ruleset import DefenceId
from skirmish.games.beach_head.state import BeachState

SIGNS: dict[DefenceId, str] = {
    "traps": "×",
    "mines": "o",
    "wire": "*",
    "walls": "█",
    "ditches": "v",
    "bunkers": "▄",
    "trenches": "=",
}
NAME, AROUND = 11, 26
"""Columns of a defence's name, and of everything beside its gauge."""
LONGEST = 40
"""The most columns of a gauge: two for a point."""
SQUAD = "i"
GONE = "."
SEA, SAND, KEY, DIM = "$secondary", "$warning", "$accent bold", "$foreground 60%"
ROOMY = 60
"""Columns from which tanks have their full names."""


def panel(state: BeachState, width: int, *, tall: bool) -> Content:
    """The whole beach, a line for each thing on it; ``tall``: with sand between."""
    first, *others = [one for one in SHORE if one not in state.setup.left_out]
    ashore = Content("\n").join([_squads(state, width), _tanks(state, width)])
    inland = [_defence(state, one, width) for one in others]
    lines = [_sea(state, width), _defence(state, first, width), ashore, *inland]
    return Content("\n\n" if tall else "\n").join(lines)


def _sea(state: BeachState, width: int) -> Content:
    hit = " landing craft hit last turn " if state.craft_hit_before else ""
    if state.craft_hit:
        hit = " landing craft hit: felt next turn "
    waves = "~~ ~~~ ~ ~~~~ " * (width // 14 + 1)
    return Content.assemble(
        (waves[:4], SEA), (hit, "$error bold"), (waves[4 + len(hit) : width], SEA)
    )


def _defence(state: BeachState, name: DefenceId, width: int) -> Content:
    left, start = state.defences[name], state.setup.points()[name]
    free = state.ask is not None and name in state.ask.targets
    target = state.roll.task.target if state.roll else None
    key = str(SHORE.index(name) + 1) if free else ("▶" if target == name else " ")
    called = state.ruleset.defence_of(name).name
    cells = max(8, min(width - AROUND, LONGEST))
    changed = left - state.at_turn.defences[name]
    style = "bold" if free or target == name else ""
    line = Content.assemble(
        (f" {key} ", KEY),
        (f"{called:<{NAME}} ", style),
        gauge(left, start, SIGNS[name], cells),
        (f" {left:>3}/{start:<2}", style or ("" if left else DIM)),
        (f" {changed:+d}" if changed else "", KEY),
    )
    return line.stylize(f"@click=screen.press('{key}')") if free else line


def gauge(left: int, start: int, sign: str, cells: int) -> Content:
    """The strength of a defence, drawn with its ``sign``; in words if it is destroyed."""
    if not left:
        return Content.styled(" cleared ".center(cells, GONE), DIM)
    full = max(left, start)
    stands = min(max(round(cells * left / full), 1), cells if left >= start else cells - 1)
    return Content.assemble((sign * stands, "$primary"), (GONE * (cells - stands), DIM))


def _squads(state: BeachState, width: int) -> Content:
    if not state.squads:
        return Content.assemble(("   ", SAND), ("nobody ashore", DIM))
    noun = "squad " if state.squads == 1 else "squads"
    head = f"   {state.squads:>2} {noun} "
    dozen = state.ruleset.dozen
    groups = [SQUAD * min(dozen, state.squads - first) for first in range(0, state.squads, dozen)]
    drawn = " ".join(groups)
    if len(drawn) > width - len(head):
        full, rest = divmod(state.squads, dozen)
        drawn = f"{full} dozen" + (f" and {rest}" if rest else "")
    return Content.assemble((head, "bold"), (drawn, SAND))


def _tanks(state: BeachState, width: int) -> Content:
    if not state.tanks:
        return Content.assemble(("   ", SAND), ("no tanks ashore", DIM))
    asked = state.ask.kinds if state.ask else ()
    pieces: list[Content] = []
    for tank in state.ruleset.tank:
        if count := state.tanks.count(tank.id):
            short = tank.id if count == 1 else f"{tank.id}s"
            name = (tank.noun if count == 1 else tank.names) if width >= ROOMY else short
            piece = Content(f"{count} {name}")
            if tank.id in asked:  # one of these must be lost
                digit = asked.index(tank.id) + 1
                piece = Content.assemble((f"{digit}", KEY), " ", piece.stylize("bold"))
                piece = piece.stylize(f"@click=screen.press('{digit}')")
            pieces.append(piece)
    return Content.assemble("   ", Content("  ").join(pieces))
