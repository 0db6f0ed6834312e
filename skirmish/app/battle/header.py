"""The lines above and below a battle: the clock, the tabs, who moves and who fires; the strip of
keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_lowercase, digits
from typing import Any, Literal, cast, get_args

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content

from skirmish.app.battle.forces import DIM, KEY, Formatter
from skirmish.app.binding import keys, signs
from skirmish.app.page_view import shortened
from skirmish.app.play.ordering import INSIST, PHONES, REDO
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.commands import AGAIN, AGREED, DECLARED, FINISH, LOSSES, MOVES
from skirmish.games.plastic.commands.sides import Declared
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.page import capital
from skirmish.tabletop.typed import plain

Tab = Literal["both_sides", "first_side", "second_side", "journal_page", "due_page"]
"""The pages, by the names of their keys."""
TABS: tuple[Tab, ...] = get_args(Tab)
NAME = 12
"""Cells of a side's name in its tab."""
STRONG = "bold"
WIDE_CLOCK = 100
"""Columns from which the clock line names every phase."""


def clock_line(state: State, width: int) -> Content:
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


def who_line(state: State, formatted: Formatter, width: int) -> Content:
    setup = state.setup
    if state.outcome:
        winner = state.outcome.winner
        over = "A draw"
        if winner:
            over = plain(setup.does(winner, "win", "wins", "").strip())
        over = shortened(over.upper(), width - 29)
        return Content.assemble(
            ("  THE BATTLE IS OVER   ", STRONG), (f"  {over}  ", f"{KEY} reverse")
        )
    flags = [(f"  {name.upper()} ", "$error bold reverse") for name in sorted(state.toggled)]
    moving = state.clock.phase == 1
    if moving:
        before = "MOVEMENT OVER" if state.movement_over else "MOVE"
        note = formatted(" at anyone who moves more than 2\u00a0in")
    else:
        before, note = "", " in contact only" if state.clock.phase in (3, 4) else ""
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
    who = f"{before}: {mover.upper()}" if moving else capital(turn)
    line = Content.assemble((f"  {who}  ", style), "  ", fires, *flags)
    left = width - line.cell_length
    return Content.assemble(line, (note, DIM)) if len(note) <= left else line


def tab_line(state: State, now: Tab, shown: Callable[[str], str], width: int) -> Content:
    """A tab with its key for each page, the current one marked; at the right, as far as there is
    room, how the sides draw. ``shown`` displays the key of that name."""
    sides = (shortened(side.people, NAME) for side in state.setup.sides)
    line = Content("").join(
        Content.assemble(
            (f" {shown(one)}", KEY),
            (f" {plain(name)} ", "bold reverse" if one == now else ""),
        ).stylize(f"@click=screen.turn_to('{one}')")
        for one, name in zip(TABS, ("Both", *sides, "Journal", "Due"), strict=True)
    )
    room = width - line.cell_length
    for words in _sources(state):
        if cell_len(words) + 2 <= room:
            return Content.assemble(line, " " * (room - cell_len(words)), (words, DIM))
    return line


def side_of(tab: Tab, setup: Setup) -> str | None:
    one, other = setup.sides
    return {"first_side": one.id, "second_side": other.id}.get(tab)


def _sources(state: State) -> Iterator[str]:
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


# ------------------------------------------------------------------ keys

TOPIC = "battle"


PAGES = (
    ("both_sides", "f3", "turn_to('both_sides')", "", "Both sides side by side"),
    ("first_side", "f4", "turn_to('first_side')", "", "All the numbers of the first side"),
    ("second_side", "f5", "turn_to('second_side')", "", "All the numbers of the second side"),
    ("journal_page", "f6", "turn_to('journal_page')", "", "The journal"),
    ("due_page", "f7,U", "turn_to('due_page')", "", "All that is due, and how victory stands"),
)


def _rows(declared: Iterable[Declared]) -> Iterator[tuple[str, str, str, str, str]]:
    return ((one.verb, one.key, f"press('{one.key}')", "", one.help) for one in declared)


BINDINGS: list[BindingType] = [
    *keys(
        TOPIC,
        ("draw", "space", "press('space')", "", "Fire the shot in hand: draw a card"),
        ("same", "full_stop", "same", "same", "Repeat the last shot or volley as it was"),
        INSIST,
        *_rows(LOSSES),
        ("undo", "backspace", "press('backspace')", "undo",
         "Undo the last order; in a question, one step back"),
        ("undo_now", "ctrl+z", "undo", "undo",
         "Undo the last order, also where a card, a roll or a number is typed"),
        *_rows((AGAIN,)),
        ("questions", "f2", "questions", "guided",
         "One question at a time, in large words, for children and newcomers"),
        ("summary", "Y", "summary", "summary", "Summary"),
        *_rows(MOVES),
        ("look_back", "up", "press('up')", "look back",
         "Walk back through the journal. Below a shot: what if"),
        ("look_on", "down", "press('down')", "",
         "Walk on. Below a shot: what if; Enter chooses one"),
        ("journal", "J", "journal", "journal", "The whole journal"),
        *_rows(AGREED),
        ("rulings", "G", "rulings", "rulings", "The rulings of this battle on gaps in the rules"),
        ("print", "P", "print", "print", "Print the sheet, rosters, position or report"),
        PHONES,
        *_rows((FINISH,)),
        ("accept", "enter", "press('enter')", "",
         "Accept what is proposed; bring on the wave that is due"),
        ("step_back", "escape", "press('escape')", "",
         "Drop what is typed, then the whole command; stop repeat fire"),
        REDO,
        ("rows_after", "pagedown", "page(4)", "", "Scroll the rows down"),
        ("rows_before", "pageup", "page(-4)", "", "Scroll the rows up"),
        *PAGES,
        ("scenario", "f8", "scenario", "map",
         "The scenario's map and pages; F8 again comes back"),
        ("row_left", "left", "walk('left')", "", "Choose rows with the arrows"),
        ("row_right", "right", "walk('right')", "", "Choose rows with the arrows"),
        ("home", "H", "home", "home", "Home; the battle is saved"),
    ),
    *signs(TOPIC, ascii_lowercase + digits),
]  # fmt: skip
"""In the order of the strip. Letters and digits, which name rows and numbers, cannot be
remapped."""
BY_VERB: dict[str, Binding] = {
    str(one.id).removeprefix("battle."): one for one in cast("list[Binding]", BINDINGS)
}
_GROUPS: dict[str, tuple[str, ...]] = {
    "Fire": ("draw", "same", "insist"),
    "Turn": (),
    "Movement": (),
    "Corrections": ("undo", "undo_now", "redo", "look_back", "look_on", "accept", "step_back"),
    "Screen": (*TABS, "scenario", "row_left", "row_right", "rows_after", "rows_before",
               "questions"),
    "Battle": ("journal", "summary", "rulings", "print", "phones", "home"),
}  # fmt: skip
"""The headings of the help with the bindings below each."""


def _words_now(
    state: State, commands: Sequence[Command[Any]], draft: Draft[Any] | None
) -> dict[str, str]:
    """The verbs to show on the strip now with their words; Space only if it fires."""
    going = state.outcome is None
    resting = going and state.ask is None
    asked = state.ask is not None and not isinstance(state.ask, RepeatAsk)
    typing = asked and draft is not None and draft.typing
    worth = {
        "undo": going and not typing,
        "undo_now": going and typing,
        "questions": resting and state.shots == 0,
        "summary": not going,
        "look_back": resting,
        "same": resting and state.shots > 0 and not (draft and draft.command.key),
        "scenario": state.setup.scenario is not None,
    }
    own = {one.verb: one.word for one in reversed(commands) if one.word and not one.why_not}
    if draft is None or draft.command.verb != "draw" or not draft.confirms:
        own.pop("draw", None)
    return {
        verb: own.get(verb, key.description)
        for verb, key in BY_VERB.items()
        if verb in own or (key.show and worth.get(verb, True))
    }


def help_groups(
    state: State, commands: Sequence[Command[Any]], draft: Draft[Any] | None
) -> list[tuple[str, list[str]]]:
    """Titles with binding ids: first the keys that are useful now, then all others by group."""
    now = [verb for verb in _words_now(state, commands, draft) if not BY_VERB[verb].show]
    if state.ask is not None:
        now = ["accept", *now, "undo"]
    groups = [("You can do this now", now)]
    for title, verbs in _GROUPS.items():
        every = [*verbs, *(one.verb for one in DECLARED if one.group == title)]
        groups.append((title, [verb for verb in every if verb not in now]))
    return [(title, [f"{TOPIC}.{verb}" for verb in verbs]) for title, verbs in groups if verbs]


def strip(
    state: State,
    commands: Sequence[Command[Any]],
    width: int,
    shown: Callable[[str], str],
    draft: Draft[Any] | None = None,
) -> Content:
    """The clickable keys that are useful now, as many as fit, ``?`` last."""
    last = ("?", "keys", "app.show_help")
    words = _words_now(state, commands, draft).items()
    room, chosen = width, []
    for key, word, action in (
        last, *((shown(verb), word, f"screen.{BY_VERB[verb].action}") for verb, word in words)
    ):  # fmt: skip
        piece = Content.assemble((f" {key}", KEY), f" {word} ").stylize(f"@click={action}")
        if piece.cell_length <= room:
            chosen.append(piece)
            room -= piece.cell_length
    return Content("").join([*chosen[1:], *chosen[:1]])
