"""The beach as a picture: the sea on top, then each line of defence as a gauge, squads and tanks on
the sand between them."""

from __future__ import annotations

from textual.content import Content

from skirmish.games.beach_head.commands import FROM_SEA_INLAND
from skirmish.games.beach_head.ruleset import DefenceId, Tank
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
NAME = 11
"""Columns of a defence's name."""
AROUND = 26
"""Columns of everything beside a gauge: key, name, points, change."""
SHORTEST = 8
"""The fewest columns of a gauge."""
LONGEST = 40
"""The most columns of a gauge: two for a point."""
SQUAD = "i"
"""A squad ashore."""
GONE = "."
"""The part of a defence that is cleared."""
WAVES = "~~ ~~~ ~ ~~~~ "
SEA, SAND, KEY, DIM = "$secondary", "$warning", "$accent bold", "$foreground 60%"
ROOMY = 60
"""Columns from which tanks have their full names."""


def panel(state: BeachState, width: int, *, tall: bool) -> Content:
    """The whole beach, a line for each thing on it; ``tall``: with sand between. Squads and tanks
    stand behind the first defence, which is in the water."""
    seaward, *inland = [name for name in FROM_SEA_INLAND if name not in state.setup.left_out]
    ashore = Content("\n").join([_squads(state, width), _tanks(state, width)])
    lines = [_sea(state, width), _defence(state, seaward, width), ashore]
    for name in inland:
        lines.append(_defence(state, name, width))
    between = "\n"
    if tall:
        between = "\n\n"
        lines[-1] += Content("\n")  # and none of it touches what is below
    return Content(between).join(lines)


def _sea(state: BeachState, width: int) -> Content:
    """Waves, with the landing craft that were hit."""
    hit = ""
    # A hit hampers the landings of the next turn, and of that turn only.
    if state.craft_hit:
        hit = " landing craft hit: felt next turn "
    elif state.craft_hit_before:
        hit = " landing craft hit last turn "
    waves = WAVES * (width // len(WAVES) + 1)
    # The words take the place of some waves behind the first four signs.
    before, after = waves[:4], waves[4 + len(hit) : width]
    return Content.assemble((before, SEA), (hit, "$error bold"), (after, SEA))


def _defence(state: BeachState, name: DefenceId, width: int) -> Content:
    """``3 Wire  ****......  12/30 -4``: its key while it may be chosen, a triangle while it is the
    target, its points, and how they changed in this turn."""
    left, start = state.defences[name], state.setup.points()[name]
    may_be_chosen = state.ask is not None and name in state.ask.targets
    is_target = state.roll is not None and state.roll.task.target == name
    key = " "
    if may_be_chosen:
        key = str(FROM_SEA_INLAND.index(name) + 1)
    elif is_target:
        key = "▶"
    name_style, points_style = "", ""
    if may_be_chosen or is_target:
        name_style, points_style = "bold", "bold"
    elif not left:
        points_style = DIM
    change = ""
    left_before = state.at_turn.defences[name]  # when the turn began
    if left != left_before:
        change = f" {left - left_before:+d}"
    cells = max(SHORTEST, min(width - AROUND, LONGEST))
    line = Content.assemble(
        (f" {key} ", KEY),
        (f"{state.ruleset.defence_of(name).name:<{NAME}} ", name_style),
        gauge(left, start, SIGNS[name], cells),
        (f" {left:>3}/{start:<2}", points_style),
        (change, KEY),
    )
    if may_be_chosen:
        return _pressing(line, key)
    return line


def _pressing(content: Content, key: str) -> Content:
    """The content as a button: a click presses the key."""
    return content.stylize(f"@click=screen.press('{key}')")


def gauge(left: int, start: int, sign: str, cells: int) -> Content:
    """The strength of a defence, drawn with its ``sign``; in words if it is destroyed. Craters may
    make more ditches than there were: then the gauge is full."""
    if not left:
        return Content.styled(" cleared ".center(cells, GONE), DIM)
    full = max(left, start)
    standing = round(cells * left / full)
    if left < start:  # a lost point always shows
        standing = min(standing, cells - 1)
    standing = max(standing, 1)  # and so does the last one that is left
    return Content.assemble((sign * standing, "$primary"), (GONE * (cells - standing), DIM))


def _squads(state: BeachState, width: int) -> Content:
    """A sign for each squad, in dozens, which count for the modifiers; in words where they are too
    many for the line."""
    if not state.squads:
        return Content.assemble(("   ", SAND), ("nobody ashore", DIM))
    noun = "squads"
    if state.squads == 1:
        noun = "squad "
    head = f"   {state.squads:>2} {noun} "
    dozens, rest = divmod(state.squads, state.ruleset.dozen)
    groups = [SQUAD * state.ruleset.dozen] * dozens
    if rest:
        groups.append(SQUAD * rest)
    drawn = " ".join(groups)
    if len(drawn) > width - len(head):
        drawn = f"{dozens} dozen"
        if rest:
            drawn += f" and {rest}"
    return Content.assemble((head, "bold"), (drawn, SAND))


def _tanks(state: BeachState, width: int) -> Content:
    """How many tanks of each kind are ashore."""
    if not state.tanks:
        return Content.assemble(("   ", SAND), ("no tanks ashore", DIM))
    kinds: list[Content] = []
    for tank in state.ruleset.tank:
        count = state.tanks.count(tank.id)
        if count:
            kinds.append(_tanks_of_kind(state, tank, count, width))
    return Content.assemble("   ", Content("  ").join(kinds))


def _tanks_of_kind(state: BeachState, tank: Tank, count: int, width: int) -> Content:
    """``2 gun tanks``; with its digit while one of a kind must be lost."""
    text = Content(f"{count} {_tank_name(tank, count, width)}")
    if state.ask is None or tank.id not in state.ask.kinds:
        return text
    digit = str(state.ask.kinds.index(tank.id) + 1)
    return _pressing(Content.assemble((digit, KEY), " ", text.stylize("bold")), digit)


def _tank_name(tank: Tank, count: int, width: int) -> str:
    """The full name where there is room for it, else the short one."""
    if width >= ROOMY:
        singular, plural = tank.noun, tank.names
    else:
        singular, plural = str(tank.id), f"{tank.id}s"
    if count == 1:
        return singular
    return plural
