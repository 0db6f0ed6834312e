"""What the battle screen says above: clock, sources, who moves and who fires, sides and rows."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.battle.keys import clicked
from skirmish.app.battle.mode import Mode, Said, Tone
from skirmish.app.battle.prompt_lists import riders_in_words
from skirmish.app.fitting import Told, shortened
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, break_alarm, break_at, side_strength
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.rules.catalog import DECK, DIE, Weapon
from skirmish.games.plastic.rules.firing_table import short
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.typed import plain

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
WIDE_CLOCK = 100
"""Columns from which every phase has its name in the clock line."""
MIN_PLAYER = 5
"""Below so many columns a commander's name is left out of the title of his side."""
NUMBERS = "range guys/armored/unarmored "
"""What stands above the numbers of the rows on a wide screen."""


def painted(lines: list[Said]) -> Content:
    """Text with tones as content; nothing in it is markup. A key that is named can be clicked."""
    return Content("\n").join(
        Content.assemble(*(_piece(text, tone) for text, tone in line)) for line in lines
    )


def _piece(text: str, tone: Tone) -> Content:
    piece = Content.styled(text, STYLES[tone]) if STYLES[tone] else Content(text)
    action = clicked(text) if tone == "key" else None
    return piece.stylize(f"@click=screen.{action}") if action else piece


def clock_line(state: State, width: int) -> Content:
    """Title, turn, the four phases with the present one marked, in so many columns."""
    setup, clock = state.setup, state.clock
    wide = width >= WIDE_CLOCK
    last = f"/{setup.ends_after.turn}" if setup.ends_after else ""
    parts: list[Content | tuple[str, str]] = [(f"  TURN {clock.turn}{last}  ", KEY)]
    for phase, name in PHASES.items():
        now = phase == clock.phase
        other = f" {phase} {name.lower()} " if wide else f" {phase} "
        text = f"[{phase} {name.upper()}]" if now else other
        parts.append((text, KEY if now else DIM))
    after = Content.assemble(*parts)
    title = shortened(plain(setup.title).upper(), max(width - after.cell_length, 8))
    return Content.assemble((title, STRONG), after)


def sources(play: BattlePlay) -> Iterator[str]:
    """How both sides use the program and what is left of their decks: in full, then shorter."""
    state = play.state
    whole, brief = [], []
    for side in state.setup.sides:
        source = state.sources[state.source_of(side.id)]
        level = state.levels[side.id]
        if level == "ledger":
            what = short = "deck partly unknown"
        elif source.kind == "die":
            what = short = f"{'own ' if source.typed else ''}d{DIE}"
        else:
            what = f"{'own deck, ' if source.typed else ''}{source.left(DECK)} cards left"
            short = f"{source.left(DECK)} cards"
        whole.append(f"{plain(side.people)}: {level}, {what}")
        brief.append("" if level == "ledger" else short)
    yield "   ".join(whole)
    yield " | ".join(part or "losses only" for part in brief)
    yield " | ".join((part or "-").removesuffix(" cards") for part in brief)


def who_line(state: State, told: Told, width: int) -> Content:
    """Who moves and, in the strongest words of the screen, who fires, in so many columns."""
    setup = state.setup
    if state.outcome:
        winner = state.outcome.winner
        over = f"{plain(setup.side_by_id[winner].people)} WIN" if winner else "A DRAW"
        over = shortened(over.upper(), width - 29)
        return Content.assemble(
            ("  THE BATTLE IS OVER   ", STRONG), (f"  {over}  ", f"{KEY} reverse")
        )
    flags = [(f"  {name.upper()} ", "$error bold reverse") for name in sorted(state.toggled)]
    moving = state.clock.phase == 1
    if moving:
        before = "MOVEMENT OVER" if state.movement_over else "MOVE"
        says = told(" at anyone who moves more than 2\u00a0in")
    else:
        before, says = "", " in contact only" if state.clock.phase in (3, 4) else ""
    flagged = sum(len(name) for name, _ in flags)
    room = (width - len(before) - 20 - flagged) // 2
    mover, firer = (
        shortened(plain(setup.side_by_id[side].people), max(room, 12))
        for side in (state.mover, state.firing_side)
    )
    fires = (f"  FIRE: {firer.upper()}  ", f"{KEY} reverse")
    style = f"{STRONG} reverse" if moving else DIM
    if moving and state.movement_over:
        style = "$error bold reverse"
    turn = shortened(plain(setup.of(state.mover, "turn")), max(room, 12) + 8)
    who = f"{before}: {mover.upper()}" if moving else f"{turn[:1].upper()}{turn[1:]}"
    line = Content.assemble((f"  {who}  ", style), "  ", fires, *flags)
    left = width - line.cell_length
    return Content.assemble(line, (says, DIM)) if len(says) <= left else line


def side_title(state: State, side_id: str, width: int, after: str = "") -> Content:
    """A side's name with its losses, in so many columns; an alarm where it is near its break
    point. ``after`` stands at the right, above the numbers of the rows."""
    side = state.setup.side_by_id[side_id]
    lost, whole = state.loss.get(side_id, 0), side_strength(state, side_id)
    at = break_at(state, side_id)
    alarm = break_alarm(state, side_id)
    ends = f", breaks at {at}" if at is not None else ""
    if at is None and lost >= alarm:
        ends = ", half lost"
    near = lost >= NEAR * alarm and whole
    losses = f"  {lost} of {whole} lost{ends}"
    people = plain(side.people).upper()
    if cell_len(people) + len(losses) > width:  # fewer words for a long name
        losses = f"  {lost}/{whole} lost{ends.replace('breaks at', 'break')}"
    room = width - len(losses)
    name = shortened(people, max(room, 8))
    player = f" {plain(side.player)}" if side.player else ""
    player = shortened(player, room - cell_len(name)) if room - cell_len(name) > MIN_PLAYER else ""
    line = Content.assemble(
        (name, "bold $primary"),
        (player, "$primary"),
        (losses, "$error bold" if near else DIM),
    )
    gap = width - line.cell_length - len(after)
    return Content.assemble(line, " " * gap, (after, DIM)) if after and gap > 0 else line


def works_line(state: State, side: str) -> Content | None:
    """What is left of a side's entrenchments, wire and so on."""
    known = state.setup.catalog.works
    parts = []
    for work, count in state.works.get(side, {}).items():
        name = known[work].name if work in known else work
        parts.append(f"{count} {name}")
    return Content.styled(f"  {', '.join(parts)}", DIM) if parts else None


def row_line(
    state: State, row: Row, mode: Mode, told: Told, letters_on: bool, *, wide: bool, width: int
) -> Content:
    """One pool in ``width`` columns: letter, name, alive of total, who can still fire, who is
    where; on a wide screen its numbers stand at the right."""
    name = f"{row.unit.short:<13}"
    count = f"{len(row.alive):>3}/{row.total:<3}"
    marks = row_marks(row, mode, letters_on and bool(row.here))
    if not row.alive:
        gone = f"{row.exited} exited" if row.exited else "all lost"
        return Content.assemble(marks, (f" {name}{count} {gone}", "$foreground 40%"))
    if not row.here:
        return Content.assemble(marks, (f" {name}{count} arrive turn {row.contingent.enters}", DIM))
    stats = f"  {armament(row, told)} " if wide else ""
    room = max(width - BEFORE - len(stats), 6)
    return Content.assemble(
        marks,
        (f" {name}", row_style(row, mode)),
        count,
        (f" {status(state, row, room):<{room}}", "" if row.ready_count else DIM),
        (stats, DIM),
    )


def row_marks(row: Row, mode: Mode, letters_on: bool) -> Content:
    """The row's letter, before it ``>`` where it is chosen, ``*`` where the arrows are."""
    pointed, chosen = mode.pointer == row.key, row.key in mode.marked()
    mark = "*" if pointed else ">" if chosen else " "
    return Content.assemble((mark, KEY), (row.letter, KEY if letters_on else DIM))


def row_style(row: Row, mode: Mode) -> str:
    """How the row's name is painted."""
    if mode.pointer == row.key:
        return "$accent bold reverse"
    return "bold reverse" if row.key in mode.marked() else ""


def status(state: State, row: Row, room: int) -> str:
    """What matters of a row in at most ``room`` columns, the most telling first."""
    said = ""
    for part in _parts(state, row, room):
        short = part.partition(" aboard ")[0] + " aboard" if " aboard " in part else part
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
        parts.append(f"{len(row.aboard)} aboard{into}")
    if row.pinned:
        parts.insert(0, "PINNED" if row.pinned == 1 else f"{row.pinned} PINNED")
    if row.hidden:  # before all else: who is not there cannot be ready
        parts.insert(0, f"{len(row.hidden)} hidden")
    if row.waiting:
        parts.insert(0, f"{len(row.waiting)} to arrive")
    if row.exited:
        parts.append(f"{row.exited} exited")
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
    return f"{sum(len(state.riders_of(piece)) for piece in loaded)} aboard"


def armament(row: Row, told: Told) -> str:
    """The row's weapons as the firing table writes them in one line, each once: ``24" 8+/4*/3``,
    the range as the player measures."""
    weapons = {weapon.id: weapon for weapon in row.weapons}
    return "  ".join(_in_short(weapon, told) for weapon in weapons.values())


def _in_short(weapon: Weapon, told: Told) -> str:
    written = short(weapon)
    reach, _, numbers = written.partition('" ')
    measured = told(reach.replace("/", " to ") + "\u00a0in").replace(" to ", "/")
    unit = '"' if measured.endswith("in") else "cm"
    return f"{measured.partition(NO_BREAK)[0]}{unit} {numbers}"
