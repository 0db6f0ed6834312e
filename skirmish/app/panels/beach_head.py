"""The beach as a picture: the sea on top, then each line of defence as a gauge, squads and tanks on
the sand between them."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.text_styles import KEY
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
"""What the gauge of each defence is drawn with."""
NAME_COLUMNS = 11
"""Columns of a defence's name."""
BESIDE_GAUGE = 26
"""Columns of everything beside a gauge: key, name, points, change."""
SHORTEST_GAUGE = 8
"""The fewest columns of a gauge."""
LONGEST_GAUGE = 40
"""The most columns of a gauge: two for each of the 20 points that most defences have."""
SQUAD_SIGN = "i"
CLEARED_SIGN = "."
"""The part of a defence that is cleared."""
WAVES = "~~ ~~~ ~ ~~~~ "
WAVES_BEFORE_WORDS = 4
"""Columns of waves before the words about landing craft."""
ASHORE_INDENT = "   "
"""What stands before squads and tanks, so that they begin where the names of defences do."""
SEA, SAND, DIM = "$secondary", "$warning", "$foreground 60%"
FULL_NAMES_FROM = 60
"""Columns from which tanks have their full names."""


def panel(state: BeachState, width: int, *, tall: bool) -> Content:
    """The whole beach, a line for each thing on it; ``tall``: with empty lines between them. Squads
    and tanks stand behind the first defence, which is in the water."""
    seaward, *inland = [name for name in FROM_SEA_INLAND if name not in state.setup.left_out]
    ashore = Content("\n").join([_squads(state, width), _tanks(state, width)])
    lines = [_sea(state, width), _defence(state, seaward, width), ashore]
    for name in inland:
        lines.append(_defence(state, name, width))
    between = "\n"
    if tall:
        between = "\n\n"
        lines[-1] += Content("\n")  # between the beach and what is below it
    return Content(between).join(lines)


def _sea(state: BeachState, width: int) -> Content:
    """Waves, with words about the landing craft that were hit in place of some of them."""
    words = ""
    # A hit hampers the landings of the next turn, and of that turn only.
    if state.craft_hit:
        words = " landing craft hit: felt next turn "
    elif state.craft_hit_before:
        words = " landing craft hit last turn "
    waves = WAVES * (width // len(WAVES) + 1)  # at least as long as the line
    before = waves[:WAVES_BEFORE_WORDS]
    after = waves[WAVES_BEFORE_WORDS + len(words) : width]
    return Content.assemble((before, SEA), (words, "$error bold"), (after, SEA))


def _defence(state: BeachState, name: DefenceId, width: int) -> Content:
    """``3 Barbed wire ****......  12/20 -4``: its key while it may be chosen, a triangle while it
    is the target, its points, and how they changed in this turn."""
    points, points_at_start = state.defences[name], state.setup.points()[name]
    may_be_chosen = state.ask is not None and name in state.ask.targets
    is_target = state.roll is not None and state.roll.task.target == name
    key = " "
    if may_be_chosen:
        key = str(FROM_SEA_INLAND.index(name) + 1)  # the digits of the command begin with 1
    elif is_target:
        key = "▶"
    name_style, points_style = "", ""
    if may_be_chosen or is_target:
        name_style, points_style = "bold", "bold"
    elif not points:
        points_style = DIM
    gauge_columns = max(SHORTEST_GAUGE, min(width - BESIDE_GAUGE, LONGEST_GAUGE))
    line = Content.assemble(
        (f" {key} ", KEY),
        (f"{state.ruleset.defence_of(name).name:<{NAME_COLUMNS}} ", name_style),
        gauge(points, points_at_start, SIGNS[name], gauge_columns),
        (f" {points:>3}/{points_at_start:<2}", points_style),
        (_change_in_turn(state, name), KEY),
    )
    if may_be_chosen:
        return _button(line, key)
    return line


def _change_in_turn(state: BeachState, name: DefenceId) -> str:
    """`` -4``: how the points of a defence changed in this turn; empty if they did not."""
    change = state.defences[name] - state.turn_start.defences[name]
    if not change:
        return ""
    return f" {change:+d}"


def _button(content: Content, key: str) -> Content:
    """The content as a button: a click presses the key."""
    return content.stylize(f"@click=screen.press('{key}')")


def gauge(points: int, points_at_start: int, sign: str, columns: int) -> Content:
    """The strength of a defence, drawn with its ``sign``; in words if it is destroyed."""
    if not points:
        return Content.styled(" cleared ".center(columns, CLEARED_SIGN), DIM)
    # Craters may make more ditches than there were at the start: then the gauge is full.
    points_of_full_gauge = max(points, points_at_start)
    standing = round(columns * points / points_of_full_gauge)
    # However it is rounded, a lost point shows, and so does the last one that is left.
    if points < points_at_start:
        standing = min(standing, columns - 1)
    standing = max(standing, 1)
    cleared = columns - standing
    return Content.assemble((sign * standing, "$primary"), (CLEARED_SIGN * cleared, DIM))


def _squads(state: BeachState, width: int) -> Content:
    """A sign for each squad, in groups of a dozen, since each dozen counts for the modifiers; in
    words where there are too many for the line."""
    if not state.squads:
        return Content.assemble((ASHORE_INDENT, SAND), ("nobody ashore", DIM))
    noun = "squads"
    if state.squads == 1:
        noun = "squad "  # as wide as the plural, so that the signs stay where they are
    head = f"{ASHORE_INDENT}{state.squads:>2} {noun} "
    dozens, rest = divmod(state.squads, state.ruleset.dozen)
    groups = [SQUAD_SIGN * state.ruleset.dozen] * dozens
    if rest:
        groups.append(SQUAD_SIGN * rest)
    drawn = " ".join(groups)
    if len(drawn) > width - len(head):
        drawn = f"{dozens} dozen"
        if rest:
            drawn += f" and {rest}"
    return Content.assemble((head, "bold"), (drawn, SAND))


def _tanks(state: BeachState, width: int) -> Content:
    """How many tanks of each kind are ashore."""
    if not state.tanks:
        return Content.assemble((ASHORE_INDENT, SAND), ("no tanks ashore", DIM))
    kinds: list[Content] = []
    for tank in state.ruleset.tank:
        count = state.tanks.count(tank.id)
        if count:
            kinds.append(_tanks_of_kind(state, tank, count, width))
    return Content.assemble(ASHORE_INDENT, Content("  ").join(kinds))


def _tanks_of_kind(state: BeachState, tank: Tank, count: int, width: int) -> Content:
    """``2 gun tanks``; as a button with its digit while the player chooses which kind loses a
    tank."""
    text = Content(f"{count} {_tank_name(tank, count, width)}")
    if state.ask is None or tank.id not in state.ask.kinds:
        return text
    digit = str(state.ask.kinds.index(tank.id) + 1)  # the digits of the command begin with 1
    return _button(Content.assemble((digit, KEY), " ", text.stylize("bold")), digit)


def _tank_name(tank: Tank, count: int, width: int) -> str:
    """The full name where there is room for it, else the id of the kind as a short one."""
    if width >= FULL_NAMES_FROM:
        singular, plural = tank.noun, tank.names
    else:
        singular, plural = str(tank.id), f"{tank.id}s"
    if count == 1:
        return singular
    return plural
