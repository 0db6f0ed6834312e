"""The lines above and below a battle: the clock, the tabs, who moves and who fires; the strip of
keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_lowercase, digits
from typing import Any, Literal, NamedTuple, cast, get_args

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content

from skirmish.app.battle.forces import FAINT, Formatter
from skirmish.app.binding import KeyGroup, keys, signs
from skirmish.app.play.big_letters import low_letters
from skirmish.app.play.ordering import INSIST_BINDING, LINKED_BINDING, PHONES_BINDING, REDO_BINDING
from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import KEY, STRONG
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
from skirmish.games.plastic.commands.declaring import Declared
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.commands import Command, Draft
from skirmish.tabletop.page import capital
from skirmish.tabletop.typed import plain

Tab = Literal["both_sides", "first_side", "second_side", "journal_page", "due_page"]
"""The pages, by the names of their keys."""
TABS: tuple[Tab, ...] = get_args(Tab)
ALARM = "$error bold reverse"
"""The style of what players must not overlook: that the movement is over, and special rules."""
WIDE_CLOCK = 100
"""Columns from which the clock line names every phase, and tabs stand apart."""
NAME_IN_TAB = 12
"""The most columns of a side's name in its tab."""
TAB_GAP = "  "
"""Stands between two tabs, where there is room."""
LEAST_GAP = 2
"""The fewest columns between the last tab and how the sides draw."""
LEAST_TITLE = 8
"""The fewest columns of a battle's title."""
LEAST_NAME = 12
"""The fewest columns of a side's name in the line of who moves and who fires."""
COLUMNS_BESIDE_NAMES = 20
"""Columns of that line that are neither a name, a flag nor the word before who moves."""
COLUMNS_OF_TURN_OF = 8
"""Columns that ``turn of`` adds to a side's name in that line."""
RESULT_EDGES = 6
"""Columns of the edges around who has won."""
MOVEMENT = 1
"""The phase in which a side moves."""


def clock_line(state: State, width: int) -> Content:
    """The battle, its turn and the phases, the current one in brackets."""
    setup, clock = state.setup, state.clock
    of_turns = ""
    if setup.ends_after:
        of_turns = f"/{setup.ends_after.turn}"
    parts: list[Content | tuple[str, str]] = [(f"  TURN {clock.turn}{of_turns}  ", KEY)]
    for phase, name in PHASES.items():
        if phase == clock.phase:
            parts.append((f"[{phase} {name.upper()}]", KEY))
        elif width >= WIDE_CLOCK:
            parts.append((f" {phase} {name.lower()} ", FAINT))
        else:
            parts.append((f" {phase} ", FAINT))
    turn_and_phases = Content.assemble(*parts)
    room = max(width - turn_and_phases.cell_length, LEAST_TITLE)
    title = shortened(plain(setup.title).upper(), room)
    return Content.assemble((title, STRONG), turn_and_phases)


def turn_picture(state: State) -> list[Content]:
    """The number of the turn in three rows of one width, to be read from across the table: each of
    the three lines of the head begins with one of them."""
    rows = low_letters(str(state.clock.turn)).split("\n")
    return [Content.styled(f" {row}  ", f"{KEY} on $background") for row in rows]


class WhoActs(NamedTuple):
    """``Americans move``, and the side that does."""

    words: str
    side: str


def who_acts(state: State) -> list[WhoActs]:
    """Who moves, while there is movement, and then who fires, in two words each."""
    mover, firer = state.mover, state.firing_side
    acting = []
    if state.clock.phase == MOVEMENT and not state.movement_over:
        acting.append(WhoActs(_side_does(state, mover, "move", "moves"), mover))
    acting.append(WhoActs(_side_does(state, firer, "fire", "fires"), firer))
    return acting


def _side_does(state: State, side: str, plural: str, singular: str) -> str:
    """``Americans fire``: a side, without an article, and what it does."""
    # The empty article leaves its space in front of the name.
    return state.setup.does(side, plural, singular, article="")


def who_line(state: State, formatted: Formatter, width: int) -> Content:
    """Who moves and who fires; or who has won."""
    if state.outcome:
        return _winner_line(state, width)
    flags = _flags(state)
    # The names of both sides share what is left of the line.
    left_for_names = width - COLUMNS_BESIDE_NAMES - sum(map(len, flags))
    if state.clock.phase == MOVEMENT:
        word, style = _movement_word(state)
        name_columns = max((left_for_names - len(word)) // 2, LEAST_NAME)
        mover_in_words = f"{word}: {_name_in_capitals(state, state.mover, name_columns)}"
    else:
        name_columns = max(left_for_names // 2, LEAST_NAME)
        whose_turn = plain(state.setup.owned_by(state.mover, "turn"))
        mover_in_words = capital(shortened(whose_turn, name_columns + COLUMNS_OF_TURN_OF))
        style = FAINT
    firer = _name_in_capitals(state, state.firing_side, name_columns)
    line = Content.assemble(
        (f"  {mover_in_words}  ", style),
        "  ",
        (f"  FIRE: {firer}  ", f"{KEY} reverse"),
        *((flag, ALARM) for flag in flags),
    )
    note = _who_may_be_shot(state, formatted)
    if len(note) <= width - line.cell_length:
        return Content.assemble(line, (note, FAINT))
    return line


def _flags(state: State) -> list[str]:
    """The special rules of the scenario that are on now, such as dust, and the dark."""
    flags = [f"  {name.upper()} " for name in sorted(state.toggled)]
    if state.is_dark:
        flags.append("  DARK ")
    return flags


def _name_in_capitals(state: State, side: str, columns: int) -> str:
    """``AMERICANS`` in at most so many columns."""
    return shortened(plain(state.setup.side_by_id[side].people), columns).upper()


class StyledWord(NamedTuple):
    """A word and its style."""

    word: str
    style: str


def _movement_word(state: State) -> StyledWord:
    """What stands before the name of the side whose movement it is."""
    if state.movement_over:
        return StyledWord("MOVEMENT OVER", ALARM)
    return StyledWord("MOVE", f"{STRONG} reverse")


def _who_may_be_shot(state: State, formatted: Formatter) -> str:
    """Who alone may be fired at in this phase, to stand behind who fires; empty if anyone may."""
    if state.clock.phase == MOVEMENT:
        return formatted(" at anyone who moves more than 2\u00a0in")
    if state.clock.phase in CLOSE_PHASES:
        return " in contact only"
    return ""


def _winner_line(state: State, width: int) -> Content:
    """The line that says that the battle is over, and who has won it."""
    result = "A draw"
    if state.outcome and state.outcome.winner:
        winner = state.outcome.winner
        result = plain(_side_does(state, winner, "win", "wins"))
    over = "  THE BATTLE IS OVER   "
    result = shortened(result.upper(), width - len(over) - RESULT_EDGES)
    return Content.assemble((over, STRONG), (f"  {result}  ", f"{KEY} reverse"))


def tab_line(state: State, open_tab: Tab, key_shown: Callable[[str], str], width: int) -> Content:
    """A tab with its key for each page, the open one marked; at the right, in as many words as have
    room, how the sides draw. ``key_shown`` returns the key of a tab as the player has it."""
    first, second = state.setup.sides
    names: dict[Tab, str] = {
        "both_sides": "Both",
        "first_side": shortened(first.people, NAME_IN_TAB),
        "second_side": shortened(second.people, NAME_IN_TAB),
        "journal_page": "Journal",
        "due_page": "Due",
    }
    # Tabs stand apart on the same screens on which ``clock_line``, which has a column less, names
    # every phase.
    is_wide = width - 1 >= WIDE_CLOCK
    line = Content("")
    for tab, name in names.items():
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
    for words in _how_sides_draw(state):
        gap = room - cell_len(words)
        if gap >= LEAST_GAP:
            return Content.assemble(line, " " * gap, (words, FAINT))
    return line


def side_of_tab(tab: Tab, setup: Setup) -> str | None:
    """The side whose table a page is; None for any other page."""
    first, second = setup.sides
    if tab == "first_side":
        return first.id
    if tab == "second_side":
        return second.id
    return None


def _how_sides_draw(state: State) -> Iterator[str]:
    """How both sides draw: in full, in brief, and in as few signs as possible."""
    whole, brief, briefest = [], [], []
    for side in state.setup.sides:
        level = state.levels[side.id]  # how the side uses the program: referee, clerk, ledger
        words = _source_words(state, side.id)
        whole.append(f"{plain(side.people)}: {level}, {words.whole}")
        if level == "ledger":  # the program neither draws nor judges for this side
            brief.append("losses only")
            briefest.append("-")  # no number of cards
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
        return SourceWords("deck partly unknown", brief="", briefest="")
    if source.kind == "die":
        die = f"d{DIE}"
        if source.typed:  # the die is the player's
            die = f"own d{DIE}"
        return SourceWords(die, die, die)
    left = source.cards_left(DECK)
    whole = f"{left} cards left"
    if source.typed:  # the deck is the player's
        whole = f"own deck, {left} cards left"
    return SourceWords(whole, f"{left} cards", str(left))


# ------------------------------------------------------------------ keys

TOPIC = "battle"


class KeyRow(NamedTuple):
    """A binding as ``keys`` takes it: its name (``verb``), its key, the action, the word on the key
    strip (empty if it is not shown there), and its line in the help."""

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


def _key_rows(declared: Iterable[Declared]) -> Iterator[KeyRow]:
    """Bindings for the commands that the game declares. Their words on the strip depend on the
    state of the battle, so that they have none here."""
    for command in declared:
        yield KeyRow(command.verb, command.key, f"press('{command.key}')", "", command.help)


# Each row as in ``KeyRow``.
BINDINGS: list[BindingType] = [
    *keys(
        TOPIC,
        ("draw", "space", "press('space')", "", "Fire the shot in hand: draw a card"),
        ("same", "full_stop", "same", "same", "Repeat the last shot or volley as it was"),
        INSIST_BINDING,
        *_key_rows(COUNTS_AND_PHASES),
        ("undo", "backspace", "press('backspace')", "undo",
         "Undo the last order; in a question, one step back"),
        ("undo_now", "ctrl+z", "undo", "undo",
         "Undo the last order, also where a card, a roll or a number is typed"),
        *_key_rows((AGAIN,)),
        ("questions", "f2", "questions", "guided",
         "One question at a time, in large words, for children and newcomers"),
        ("summary", "Y", "summary", "summary", "Summary"),
        *_key_rows(MOVES),
        ("look_back", "up", "press('up')", "look back",
         "Walk back through the journal. Below a shot: what if"),
        ("look_on", "down", "press('down')", "",
         "Walk on. Below a shot: what if; Enter chooses one"),
        ("journal", "J", "journal", "journal", "The whole journal"),
        *_key_rows(AGREED),
        ("rulings", "G", "rulings", "rulings", "The rulings of this battle on gaps in the rules"),
        ("print", "P", "print", "print", "Print the sheet, rosters, position or report"),
        PHONES_BINDING,
        LINKED_BINDING,
        *_key_rows((FINISH, WITHDRAW)),
        ("accept", "enter", "press('enter')", "",
         "Accept what is proposed; bring on the wave that is due"),
        ("step_back", "escape", "press('escape')", "",
         "Drop what is typed, then the whole command; stop repeat fire"),
        REDO_BINDING,
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
"""The bindings, in the order of the strip. Letters and digits, which name rows and numbers, cannot
be remapped."""
BY_VERB: dict[str, Binding] = {
    str(binding.id).removeprefix(f"{TOPIC}."): binding
    for binding in cast("list[Binding]", BINDINGS)
}
"""The bindings by their names without the topic."""
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
"""The headings of the help, each with the bindings of the screen itself. ``help_groups`` adds the
commands that the game declares under the same headings."""


def _words_now(
    state: State, commands: Sequence[Command[Any]], draft: Draft[Any] | None
) -> dict[str, str]:
    """The verbs to show on the strip now with their words, in the order of the strip."""
    usefulness = _useful_now(state, draft)
    words_of_commands: dict[str, str] = {}
    for command in commands:
        if command.word and not command.why_not:
            # Of several commands with one verb the first counts.
            words_of_commands.setdefault(command.verb, command.word)
    space_fires = (
        draft is not None
        and draft.command.verb == "draw"
        and draft.can_confirm
        and not draft.advised_against
    )
    if not space_fires:  # "draw" is the Space bar
        words_of_commands.pop("draw", None)
    words = {}
    for verb, binding in BY_VERB.items():
        if verb in words_of_commands:
            words[verb] = words_of_commands[verb]
        elif binding.show and usefulness.get(verb, True):
            words[verb] = binding.description
    return words


def _useful_now(state: State, draft: Draft[Any] | None) -> dict[str, bool]:
    """Whether each of the screen's own keys that are not always useful is useful now. Keys that are
    not named here always are."""
    goes_on = state.outcome is None
    # While a question waits, keys that neither answer nor undo would only be in the way.
    nothing_asked = goes_on and state.ask is None
    must_answer = state.ask is not None and not isinstance(state.ask, RepeatAsk)
    # Where a card or a number is typed, Backspace deletes it, and only Ctrl+Z undoes.
    answer_is_typed = must_answer and draft is not None and draft.next_is_typed
    # What the game asks by itself has no key; a command that the player began has one.
    begun_command = draft is not None and draft.command.key != ""
    return {
        "undo": goes_on and not answer_is_typed,
        "undo_now": goes_on and answer_is_typed,
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
    # Only commands of the game: the screen's own keys, whose words on the strip are always the same
    # (``show``), stay in the groups below.
    useful = [verb for verb in _words_now(state, commands, draft) if not BY_VERB[verb].show]
    if state.ask is not None:  # Enter accepts what is proposed, Backspace goes a step back
        useful = ["accept", *useful, "undo"]
    verbs_by_title = {"You can do this now": useful}
    for title, own_verbs in _GROUPS.items():
        verbs = [*own_verbs, *_verbs_of_game(state, title)]
        verbs_by_title[title] = [verb for verb in verbs if verb not in useful]
    groups = []
    for title, verbs in verbs_by_title.items():
        if verbs:
            groups.append(KeyGroup(title, [f"{TOPIC}.{verb}" for verb in verbs]))
    return groups


def _verbs_of_game(state: State, title: str) -> Iterator[str]:
    """The commands that the game declares under a heading."""
    for command in DECLARED:
        only_in_campaigns = command is WITHDRAW and state.setup.campaign is None
        if command.group == title and not only_in_campaigns:
            yield command.verb


def key_strip(
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
