"""The lines above and below a battle: the clock, the tabs, who moves and who fires; the strip of
keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_lowercase, digits
from typing import Any, Literal, NamedTuple, cast, get_args

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content

from skirmish.app.battle.forces import DIM, KEY, Formatter
from skirmish.app.binding import KeyGroup, keys, signs
from skirmish.app.play.big_letters import low_letters
from skirmish.app.play.ordering import INSIST, LINKED, PHONES, REDO
from skirmish.app.text_rows import shortened
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.commands import (
    AGAIN,
    AGREED,
    COUNTS_AND_PHASES,
    DECLARED,
    FINISH,
    MOVES,
    WITHDRAW,
)
from skirmish.games.plastic.commands.sides import Declared
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.page import capital
from skirmish.tabletop.typed import plain

Tab = Literal["both_sides", "first_side", "second_side", "journal_page", "due_page"]
"""The pages, by the names of their keys."""
TABS: tuple[Tab, ...] = get_args(Tab)
NAME = 12
"""Cells of a side's name in its tab."""
STRONG = "bold"
ALARM = "$error bold reverse"
WIDE_CLOCK = 100
"""Columns from which the clock line names every phase, and tabs stand apart."""
TAB_GAP = "  "
"""Between two tabs, where there is room."""
LEAST_TITLE, LEAST_NAME = 8, 12
"""The fewest columns of a battle's title, and of a side's name."""
AROUND_NAMES, AROUND_TURN, AROUND_RESULT = 20, 8, 6
"""Columns of the line of who moves and who fires that are no names; of ``Turn of ``; of the edges
around who has won."""
MOVEMENT = 1
"""The phase in which a side moves."""


def clock_line(state: State, width: int) -> Content:
    """The battle, its turn and the phases, the current one in brackets."""
    setup, clock = state.setup, state.clock
    last = ""
    if setup.ends_after:
        last = f"/{setup.ends_after.turn}"
    parts: list[Content | tuple[str, str]] = [(f"  TURN {clock.turn}{last}  ", KEY)]
    for phase, name in PHASES.items():
        if phase == clock.phase:
            parts.append((f"[{phase} {name.upper()}]", KEY))
        elif width >= WIDE_CLOCK:
            parts.append((f" {phase} {name.lower()} ", DIM))
        else:
            parts.append((f" {phase} ", DIM))
    after = Content.assemble(*parts)
    title = shortened(plain(setup.title).upper(), max(width - after.cell_length, LEAST_TITLE))
    return Content.assemble((title, STRONG), after)


def turn_picture(state: State) -> list[Content]:
    """The number of the turn in three rows, to be read from across the table, as the start of the
    three lines of the head; all of the same width."""
    rows = low_letters(str(state.clock.turn)).split("\n")
    return [Content.styled(f" {row}  ", f"{KEY} on $background") for row in rows]


class WhoActs(NamedTuple):
    """``Americans move``, and the side that does."""

    words: str
    side: str


def who_acts(state: State) -> list[WhoActs]:
    """Who moves, while there is movement, and who fires, in two words each."""
    setup, acting = state.setup, []
    if state.clock.phase == MOVEMENT and not state.movement_over:
        acting.append(
            WhoActs(setup.does(state.mover, "move", "moves", article="").strip(), state.mover)
        )
    firer = state.firing_side
    acting.append(WhoActs(setup.does(firer, "fire", "fires", article="").strip(), firer))
    return acting


def who_line(state: State, formatted: Formatter, width: int) -> Content:
    """Who moves and who fires; or who has won."""
    if state.outcome:
        return _winner_line(state, width)
    # States that cards have brought, such as dust, and the dark.
    flags = [(f"  {name.upper()} ", ALARM) for name in sorted(state.toggled)]
    if state.is_dark:
        flags.append(("  DARK ", ALARM))
    room = width - AROUND_NAMES - sum(len(flag) for flag, _ in flags)
    if state.clock.phase == MOVEMENT:
        moves = _moves_word(state)
        # The names of both sides share what is left of the line.
        name_columns = max((room - len(moves)) // 2, LEAST_NAME)
        mover = shortened(plain(state.setup.side_by_id[state.mover].people), name_columns)
        who = f"{moves}: {mover.upper()}"
        style = f"{STRONG} reverse"
        if state.movement_over:
            style = ALARM
    else:
        name_columns = max(room // 2, LEAST_NAME)
        turn = plain(state.setup.owned_by(state.mover, "turn"))
        who = capital(shortened(turn, name_columns + AROUND_TURN))
        style = DIM
    firer = shortened(plain(state.setup.side_by_id[state.firing_side].people), name_columns)
    fires = (f"  FIRE: {firer.upper()}  ", f"{KEY} reverse")
    line = Content.assemble((f"  {who}  ", style), "  ", fires, *flags)
    note = _who_may_be_shot(state, formatted)
    if len(note) <= width - line.cell_length:
        return Content.assemble(line, (note, DIM))
    return line


def _moves_word(state: State) -> str:
    """Before the name of the side that moves."""
    if state.movement_over:
        return "MOVEMENT OVER"
    return "MOVE"


def _who_may_be_shot(state: State, formatted: Formatter) -> str:
    """What limits fire in this phase; empty in a phase of fire without such a limit."""
    if state.clock.phase == MOVEMENT:
        return formatted(" at anyone who moves more than 2\u00a0in")
    if state.clock.phase in CLOSE_PHASES:
        return " in contact only"
    return ""


def _winner_line(state: State, width: int) -> Content:
    """That the battle is over, and who has won it."""
    result = "A draw"
    if state.outcome and state.outcome.winner:
        winner = state.outcome.winner
        result = plain(state.setup.does(winner, "win", "wins", article="").strip())
    over = "  THE BATTLE IS OVER   "
    result = shortened(result.upper(), width - len(over) - AROUND_RESULT)
    return Content.assemble((over, STRONG), (f"  {result}  ", f"{KEY} reverse"))


def tab_line(state: State, open_tab: Tab, key_shown: Callable[[str], str], width: int) -> Content:
    """A tab with its key for each page, the open one marked; at the right, as far as there is
    room, how the sides draw. ``key_shown`` displays the key of that name."""
    names = ["Both"]
    names += [shortened(side.people, NAME) for side in state.setup.sides]
    names += ["Journal", "Due"]
    # On the same screens as in ``clock_line``, which has ``>=``: this line has one column more.
    line, is_wide = Content(""), width > WIDE_CLOCK
    for tab, name in zip(TABS, names, strict=True):
        key_style, name_style = KEY, ""
        if tab == open_tab:
            name_style = "bold reverse"
            if is_wide:
                key_style = name_style
        key = (f" {key_shown(tab)}", key_style)
        label = Content.assemble(key, (f" {plain(name)} ", name_style))
        line += label.stylize(f"@click=screen.turn_to('{tab}')")
        if is_wide:
            line += Content(TAB_GAP)
    room = width - line.cell_length
    for words in _sources(state):
        if cell_len(words) + 2 <= room:
            return Content.assemble(line, " " * (room - cell_len(words)), (words, DIM))
    return line


def side_of(tab: Tab, setup: Setup) -> str | None:
    """The side whose table a page is; None for any other page."""
    first, second = setup.sides
    return {"first_side": first.id, "second_side": second.id}.get(tab)


def _sources(state: State) -> Iterator[str]:
    """How both sides draw, in fewer and fewer words."""
    whole, brief, briefest = [], [], []
    for side in state.setup.sides:
        level = state.levels[side.id]  # how the side uses the program: referee, clerk, ledger
        words = _source_words(state, side.id)
        whole.append(f"{plain(side.people)}: {level}, {words.whole}")
        if level == "ledger":  # the program neither draws nor judges for this side
            brief.append("losses only")
            briefest.append("-")
        else:
            brief.append(words.brief)
            briefest.append(words.briefest)
    yield "   ".join(whole)
    yield " | ".join(brief)
    yield " | ".join(briefest)


class SourceWords(NamedTuple):
    """What a side draws from: ``own deck, 31 cards left``, ``31 cards`` and ``31``."""

    whole: str
    brief: str
    briefest: str


def _source_words(state: State, side: str) -> SourceWords:
    """What a side draws from, in words."""
    source = state.sources[state.source_of(side)]
    if state.levels[side] == "ledger":  # the side draws cards that the program does not see
        return SourceWords("deck partly unknown", "", "")
    if source.kind == "die":
        die = f"d{DIE}"
        if source.typed:  # the die is the player's
            die = f"own d{DIE}"
        return SourceWords(die, die, die)
    left = source.left(DECK)
    whole = f"{left} cards left"
    if source.typed:  # the deck is the player's
        whole = f"own deck, {left} cards left"
    return SourceWords(whole, f"{left} cards", str(left))


# ------------------------------------------------------------------ keys

TOPIC = "battle"


class KeyRow(NamedTuple):
    """A binding as ``keys`` takes it: its name, its key, the action, the word on the key strip
    (empty if it is not shown there), and its line in the help."""

    verb: str
    key: str
    action: str
    word: str
    help: str


PAGES = (
    KeyRow("both_sides", "f3", "turn_to('both_sides')", "", "Both sides side by side"),
    KeyRow("first_side", "f4", "turn_to('first_side')", "", "All the numbers of the first side"),
    KeyRow("second_side", "f5", "turn_to('second_side')", "", "All the numbers of the second side"),
    KeyRow("journal_page", "f6", "turn_to('journal_page')", "", "The journal"),
    KeyRow(
        "due_page", "f7,U", "turn_to('due_page')", "", "All that is due, and how victory stands"
    ),
)


def _rows(declared: Iterable[Declared]) -> Iterator[KeyRow]:
    """Rows for ``keys`` of what the game declares. Their words on the strip depend on the state of
    the battle, so that they have none here."""
    for command in declared:
        yield KeyRow(command.verb, command.key, f"press('{command.key}')", "", command.help)


# Each row as in ``KeyRow``.
BINDINGS: list[BindingType] = [
    *keys(
        TOPIC,
        ("draw", "space", "press('space')", "", "Fire the shot in hand: draw a card"),
        ("same", "full_stop", "same", "same", "Repeat the last shot or volley as it was"),
        INSIST,
        *_rows(COUNTS_AND_PHASES),
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
        LINKED,
        *_rows((FINISH, WITHDRAW)),
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
    str(binding.id).removeprefix("battle."): binding for binding in cast("list[Binding]", BINDINGS)
}
_GROUPS: dict[str, tuple[str, ...]] = {
    "Fire": ("draw", "same", "insist"),
    "Turn": (),
    "Movement": (),
    "Corrections": ("undo", "undo_now", "redo", "look_back", "look_on", "accept", "step_back"),
    "Screen": (
        *TABS,
        "scenario",
        "row_left",
        "row_right",
        "rows_after",
        "rows_before",
        "questions",
    ),
    "Battle": ("journal", "summary", "rulings", "print", "phones", "linked", "home"),
}
"""The headings of the help with the bindings of the shell, which are those of the screen and not
of the game, below each; ``help_groups`` adds the commands that the game declares under the same
headings."""


def _words_now(
    state: State, commands: Sequence[Command[Any]], draft: Draft[Any] | None
) -> dict[str, str]:
    """The verbs to show on the strip now with their words; Space only if it fires."""
    useful = _useful_now(state, draft)
    words_of_commands: dict[str, str] = {}
    for command in commands:
        if command.word and not command.why_not:
            # Of several commands with one verb the first counts.
            words_of_commands.setdefault(command.verb, command.word)
    if draft is None or draft.command.verb != "draw" or not draft.confirms:
        words_of_commands.pop("draw", None)
    words = {}
    for verb, binding in BY_VERB.items():
        if verb in words_of_commands:
            words[verb] = words_of_commands[verb]
        elif binding.show and useful.get(verb, True):
            words[verb] = binding.description
    return words


def _useful_now(state: State, draft: Draft[Any] | None) -> dict[str, bool]:
    """Of the shell's own keys that are not always useful, whether each is now."""
    goes_on = state.outcome is None
    nothing_asked = goes_on and state.ask is None
    must_answer = state.ask is not None and not isinstance(state.ask, RepeatAsk)
    # Where a card or a number is typed, Backspace deletes it, and only Ctrl+Z undoes.
    is_typed = must_answer and draft is not None and draft.typing
    # What the game asks by itself has no key; a command that the player began has one.
    begun_command = draft is not None and draft.command.key != ""
    return {
        "undo": goes_on and not is_typed,
        "undo_now": goes_on and is_typed,
        "questions": nothing_asked and state.shots == 0,  # newcomers see it before the first shot
        "summary": not goes_on,
        "look_back": nothing_asked,
        "same": nothing_asked and state.shots > 0 and not begun_command,
        "scenario": state.setup.scenario is not None,
    }


def help_groups(
    state: State, commands: Sequence[Command[Any]], draft: Draft[Any] | None
) -> list[KeyGroup]:
    """First the keys that are useful now, then all others by group."""
    # The commands of the game: the keys of the shell itself (``show``) are in the groups below.
    useful = [verb for verb in _words_now(state, commands, draft) if not BY_VERB[verb].show]
    if state.ask is not None:
        useful = ["accept", *useful, "undo"]
    groups = [("You can do this now", useful)]
    for title, keys_of_the_shell in _GROUPS.items():
        verbs = list(keys_of_the_shell)
        for command in DECLARED:
            only_in_campaigns = command is WITHDRAW and state.setup.campaign is None
            if command.group == title and not only_in_campaigns:
                verbs.append(command.verb)
        groups.append((title, [verb for verb in verbs if verb not in useful]))
    with_ids = []
    for title, verbs in groups:
        if verbs:
            with_ids.append(KeyGroup(title, [f"{TOPIC}.{verb}" for verb in verbs]))
    return with_ids


def strip(
    state: State,
    commands: Sequence[Command[Any]],
    width: int,
    key_shown: Callable[[str], str],
    draft: Draft[Any] | None = None,
) -> Content:
    """The clickable keys that are useful now, as many as fit, ``?`` last."""
    help_key = _strip_key("?", "keys", "app.show_help")
    room = width - help_key.cell_length
    fitting = []
    for verb, word in _words_now(state, commands, draft).items():
        key = _strip_key(key_shown(verb), word, f"screen.{BY_VERB[verb].action}")
        if key.cell_length <= room:
            fitting.append(key)
            room -= key.cell_length
    return Content("").join([*fitting, help_key])


def _strip_key(key: str, word: str, action: str) -> Content:
    """A key of the strip: the key, the word for what it does, and the action of a click."""
    return Content.assemble((f" {key}", KEY), f" {word} ").stylize(f"@click={action}")
