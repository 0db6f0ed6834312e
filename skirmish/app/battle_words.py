"""What the battle screen says above: clock, sources, who moves and who fires, sides and rows."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.mode import Mode, Said
from skirmish.app.prompt_lists import riders_in_words
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import break_alarm, break_at, side_strength
from skirmish.games.plastic.battle.telling import PHASES
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.firing_table import short

DIM = "$foreground 60%"
STRONG = "bold"
KEY = "$accent bold"
STYLES = {
    "": "",
    "key": KEY,
    "strong": STRONG,
    "dim": DIM,
    "alarm": "$error bold",
    "chosen": f"{KEY} reverse",
}
"""How each tone is painted."""

NEAR = 0.8
"""From this share of the break point on, a side's losses are an alarm."""
BEFORE = 24
"""Columns of a row's letter, name and numbers."""


def painted(lines: list[Said]) -> Content:
    """Text with tones as content; nothing in it is markup."""
    return Content("\n").join(
        Content.assemble(*((text, STYLES[tone]) for text, tone in line)) for line in lines
    )


def clock_line(state: State, wide: bool) -> Content:
    """Title, turn, the four phases with the present one marked."""
    setup, clock = state.setup, state.clock
    last = f"/{setup.ends_after.turn}" if setup.ends_after else ""
    room = 28 if wide else 24
    title = setup.title if len(setup.title) <= room else setup.title[: room - 1] + "…"
    parts: list[Content | tuple[str, str]] = [
        (title.upper(), STRONG),
        (f"  TURN {clock.turn}{last}  ", KEY),
    ]
    for phase, name in PHASES.items():
        now = phase == clock.phase
        text = f"[{phase} {name.upper()}]" if now else f" {phase} {name.lower() if wide else ''}"
        parts.append((text, KEY if now else DIM))
    return Content.assemble(*parts)


def sources_line(play: BattlePlay) -> Content:
    """How each side uses the program, what is left of its deck, what comes after an undo."""
    state = play.state
    parts: list[tuple[str, str]] = []
    for side in state.setup.sides:
        source = state.sources[state.source_of(side.id)]
        level = state.levels[side.id]
        if level == "ledger":
            what = "deck partly unknown"
        elif source.kind == "die":
            what = f"{'own ' if source.typed else ''}d{DIE}"
        else:
            what = f"{'own ' if source.typed else ''}deck {source.left(DECK)} left"
        parts.append((f"{side.people}: ", DIM))
        parts.append((f"{level.capitalize()}, {what}", DIM))
        parts.append(("   ", ""))
    return Content.assemble(*parts)


def who_line(state: State) -> Content:
    """Who moves and, in the strongest words of the screen, who fires."""
    setup = state.setup
    if state.outcome:
        winner = state.outcome.winner
        over = f"WON BY: {setup.side_by_id[winner].people}" if winner else "A DRAW"
        return Content.assemble(
            ("  THE BATTLE IS OVER   ", STRONG), (f"  {over.upper()}  ", f"{KEY} reverse")
        )
    mover, firer = (
        setup.side_by_id[side].people.upper() for side in (state.mover, state.firing_side)
    )
    fires = (f"  FIRE: {firer}  ", f"{KEY} reverse")
    flags = [(f"  {name.upper()} ", "$error bold reverse") for name in sorted(state.toggled)]
    if state.clock.phase == 1:
        if state.movement_over:
            move = (f"  MOVEMENT OVER: {mover}  ", "$error bold reverse")
        else:
            move = (f"  MOVE: {mover}  ", f"{STRONG} reverse")
        return Content.assemble(move, "  ", fires, (" at who moves over 2 in", DIM), *flags)
    contact = " in contact only" if state.clock.phase in (3, 4) else ""
    turn = (f"  Turn of: {setup.side_by_id[state.mover].people}  ", DIM)
    return Content.assemble(turn, fires, (contact, DIM), *flags)


def side_title(state: State, side_id: str) -> Content:
    """A side's name with its losses; an alarm where it is near its break point."""
    side = state.setup.side_by_id[side_id]
    lost, whole = state.loss.get(side_id, 0), side_strength(state, side_id)
    at = break_at(state, side_id)
    alarm = break_alarm(state, side_id)
    ends = f", breaks at {at}" if at is not None else ""
    if at is None and lost >= alarm:
        ends = ", half lost"
    near = lost >= NEAR * alarm and whole
    return Content.assemble(
        (side.people.upper(), "bold $primary"),
        (f" {side.player}" if side.player else "", "$primary"),
        (f"  lost {lost} of {whole} PDG{ends}", "$error bold" if near else DIM),
    )


def works_line(state: State, side: str) -> Content | None:
    """What is left of a side's entrenchments, wire and so on."""
    known = state.setup.catalog.works
    parts = []
    for work, count in state.works.get(side, {}).items():
        name = known[work].name if work in known else work
        parts.append(f"{count} {name}")
    return Content.styled(f"  {', '.join(parts)}", DIM) if parts else None


def row_line(
    state: State, row: Row, mode: Mode, letters_on: bool, *, wide: bool, width: int
) -> Content:
    """One pool in ``width`` columns: letter, name, alive of total, who can still fire, who is
    where; on a wide screen its numbers stand at the right."""
    chosen = row.key in mode.marked()
    mark = ">" if chosen else " "
    name = f"{row.unit.short:<13}"
    count = f"{len(row.alive):>3}/{row.total:<3}"
    if not row.alive:
        gone = f"{row.exited} off" if row.exited else "all lost"
        return Content(f"{mark}{row.letter} {name}{count} {gone}").stylize("$foreground 40%")
    if not row.here:
        late = f"{mark}{row.letter} {name}{count} turn {row.contingent.enters}"
        return Content(late).stylize(DIM)
    stats = f"  {armament(row)} " if wide else ""
    style = "bold reverse" if chosen else ""
    room = max(width - BEFORE - len(stats), 6)
    return Content.assemble(
        (mark, KEY),
        (row.letter, KEY if letters_on else DIM),
        (f" {name}", style),
        count,
        (f" {status(state, row, room):<{room}}", "" if row.ready_count else DIM),
        (stats, DIM),
    )


def status(state: State, row: Row, room: int) -> str:
    """What matters of a row in at most ``room`` columns, the most telling first."""
    said = ""
    for part in _parts(state, row, room):
        short = part.partition(" in ")[0] + " in" if " in " in part else part
        for words in (part, short):  # where they sit is said if there is room
            longer = f"{said}, {words}" if said else words
            if len(longer) <= room:
                said = longer
                break
    return said


def _parts(state: State, row: Row, room: int) -> list[str]:
    parts = []
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        return [f"{len(row.here) - len(unserved)} of {len(row.here)} fuelled"]
    if inside := _inside(state, row, room):
        parts.append(inside)
    if not row.weapons:
        parts += [] if parts else ["unarmed"]
    elif row.ready_count == len(row.here):
        parts.append("ready")
    elif row.ready_count:
        parts.append(f"{row.ready_count} ready")
    elif not row.aboard or len(row.aboard) < len(row.here):
        parts.append("fired")
    if row.aboard:
        carriers = list(dict.fromkeys(piece_code(state.aboard[piece]) for piece in row.aboard))
        into = f" {carriers[0]}" if len(carriers) == 1 else ""
        parts.append(f"{len(row.aboard)} in{into}")
    if row.hidden:  # before all else: who is not there cannot be ready
        parts.insert(0, f"{len(row.hidden)} hidden")
    if row.waiting:
        parts.insert(0, f"{len(row.waiting)} later")
    if row.exited:
        parts.append(f"{row.exited} off")
    return parts


def _inside(state: State, row: Row, room: int) -> str:
    """Who is inside: of each model where there is room, else how many in all."""
    if not row.unit.seats:
        return ""
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        return "empty" if all(piece in state.recorded for piece in row.here) else ""
    each = " ".join(f"{piece_code(p)} {riders_in_words(state, p)}" for p in loaded)
    if len(row.here) == 1:
        each = riders_in_words(state, loaded[0])
    if len(each) <= room:
        return each
    return f"{sum(len(state.riders_of(piece)) for piece in loaded)} inside"


def armament(row: Row) -> str:
    """The row's weapons as the firing table writes them in one line, each once."""
    weapons = {weapon.id: weapon for weapon in row.weapons}
    return "  ".join(short(weapon) for weapon in weapons.values())
