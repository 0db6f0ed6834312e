"""All that the screens show of a battle, asked without a screen; keys pressed in its prompts."""

from __future__ import annotations

from random import Random

from skirmish.app.battle.journal_words import journal
from skirmish.app.battle.mode import BackTo, DraftError, Mode, Void
from skirmish.app.battle.news import everything, news
from skirmish.app.battle.openings import _OPENINGS, insisted, opened
from skirmish.app.battle.ordering import at_rest
from skirmish.app.battle.outlook_words import in_all
from skirmish.app.battle.panels import Sight, _lines
from skirmish.app.battle.paragraph import paragraph_of
from skirmish.app.battle.prompt_again import Judging, Looking
from skirmish.app.battle.shot_words import lines_of
from skirmish.app.battle.tabs import tabs
from skirmish.app.battle.verdict_words import reason, word
from skirmish.app.battle.victory_words import victory
from skirmish.app.battle.what_if_words import Room
from skirmish.app.battle.what_if_words import strip as what_ifs
from skirmish.app.questions.shot import next_question
from textual.content import Content

from skirmish.app.battle import words
from skirmish.app.battle.keys import strip as keys_strip
from skirmish.app.follow import words as follow
from skirmish.app.follow.words import Watching
from skirmish.app.page_view import painted
from skirmish.games.plastic.battle.decide import why_not
from skirmish.games.plastic.battle.lines import known_next, lines, whole_journal, why_not_void
from skirmish.games.plastic.battle.orders import Add, AnyOrder, Correct, MarkPinned
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.view import seen, seen_status
from skirmish.games.plastic.luck import luck_page
from skirmish.games.plastic.report import report_page, state_page, summary_page
from skirmish.games.plastic.totals import result
from skirmish.tabletop.page_text import as_markdown, as_text
from skirmish.tabletop.typed import plain

WIDTH, HEIGHT = 120, 40
KEYS = [*"abcdefghijklmnopqrstuvwxyz", *"0123456789" * 2, "space", "enter", "tab", "escape",
        "backspace", "up", "down", "left", "right"]  # fmt: skip


def ask_all(play: BattlePlay) -> None:
    """Battle, one question at a time, journal, summary, luck, report, and what onlookers see."""
    state = play.state
    the_table(play, at_rest(state))
    words.who_line(state, plain, WIDTH), tabs(play, "both", {}, WIDTH), keys_strip(state, WIDTH)
    word(play), reason(play), news(play), everything(play), whole_journal(play)
    for line in lines(play):
        why_not_void(play, line)
    for side in state.setup.sides:
        known_next(play, side.id)
    for page in (summary_page(play), luck_page(play), state_page(play)):
        painted(page, WIDTH)
    report = report_page(play, "today")
    as_text(report), as_markdown(report)
    if state.outcome is not None:
        result(state)
    for eyes in (None, state.setup.sides[0].id):
        shown = seen(play, eyes)
        standings = seen_status(state, eyes)
        follow.awaited(shown.state), follow.due_lines(shown.state, standings)
        follow.fires(shown.state), follow.eyes(shown.state, eyes)
        victory(shown.state, plain, WIDTH, standings)
        the_table(shown, Watching(), prompts=False)


def the_table(play: BattlePlay, mode: Mode, *, prompts: bool = True) -> None:
    """Clock, both sides, the shot in hand with its odds, victory and the journal."""
    state = play.state
    words.clock_line(state, WIDTH), victory(state, plain, WIDTH)
    for side in state.setup.sides:
        for whole in (False, True):
            sight = Sight(WIDTH, HEIGHT, wide=True, whole=whole)
            _lines(state, side.id, mode, plain, sight, letters_on=True)
    assert isinstance(journal(play, mode, plain, (WIDTH, HEIGHT)), Content)
    if prompts:
        prompt(play, mode)


def prompt(play: BattlePlay, mode: Mode) -> None:
    """What a prompt says, on the battle screen and as a question."""
    state = play.state
    lines_of(mode, play, "full"), in_all(state, mode, "full", WIDTH)
    what_ifs(state, mode, "full", Room(plain, WIDTH, 6)), paragraph_of(play, mode, None)
    mode.marked(), mode.naming(state), mode.picks_rows(state), mode.begun
    next_question(play, mode, (), "full")


def press_keys(play: BattlePlay, random: Random, presses: int) -> None:
    """Keys in every prompt in turn: each leads on, gives an order that can be given or is refused,
    or is answered with a sentence."""
    for what in ("", *_OPENINGS, "look", "judge"):
        mode = _prompt(play, what)
        for _ in range(presses if mode else 0):
            mode = _pressed(play, mode, random.choice(KEYS)) or at_rest(play.state)


def _prompt(play: BattlePlay, what: str) -> Mode | None:
    state = play.state
    try:
        match what:
            case "":
                step = at_rest(state)
            case "look":
                step = Looking.opened(play)
            case "judge":
                step = Judging.opened(state, state.judged[-1].shot.id) if state.judged else None
            case _:
                step = opened(what, state)
    except DraftError as error:
        in_words(error)
        return None
    return _stepped(play, step)


def _pressed(play: BattlePlay, mode: Mode, key: str) -> Mode | None:
    try:
        return _stepped(play, mode.press(key, play))
    except DraftError as error:
        in_words(error)
        return mode


def _stepped(play: BattlePlay, step: object) -> Mode | None:
    if isinstance(step, Mode):
        prompt(play, step)
        return step
    if isinstance(step, Void):
        play.after(play.consider_void(step.numbers))
    elif isinstance(step, BackTo):
        play.after(play.consider_back(step.number))
    elif step is not None:
        give(play, step)  # type: ignore[arg-type]
    return None


def give(play: BattlePlay, order: AnyOrder) -> None:
    """The order can be given, or is refused with a sentence; so can what ``!`` makes of it."""
    refusal = why_not(play.state, order)
    if refusal is None:
        return
    assert refusal.says
    for insisting in insisted(order, play.state):
        again = why_not(play.state, insisting)
        assert again is None or again.says


def in_words(error: Exception) -> None:
    assert str(error)


def every_row(play: BattlePlay) -> None:
    """Plus, minus and pinned, of every row."""
    for side in play.state.setup.sides:
        for row in rows(play.state, side.id):
            for by in (-99, -1, 1, 99):
                give(play, Correct(row=row.key, by=by))
            give(play, Add(row=row.key))
            give(play, MarkPinned(row.key))
