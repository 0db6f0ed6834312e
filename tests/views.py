"""All that the screens show of a battle, asked without a screen; keys pressed in its prompts."""

from __future__ import annotations

from random import Random
from typing import Any

from fights import GAME, asked

from skirmish.app.battle import forces, header
from skirmish.app.battle.draft_lines import draft_lines
from skirmish.app.battle.follow import question_in_words
from skirmish.app.page_view import painted
from skirmish.games.plastic.battle.known_draws import known_next_draws
from skirmish.games.plastic.battle.orders import Add, AnyOrder, Correct, MarkPinned, why_not
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.view import seen, seen_status
from skirmish.games.plastic.board import victory
from skirmish.games.plastic.due import coming
from skirmish.games.plastic.game import topics
from skirmish.games.plastic.luck_page import luck_page
from skirmish.games.plastic.report import report_page, state_page, summary_page
from skirmish.games.plastic.totals import totals
from skirmish.tabletop.command_pages import draft_page, help_page
from skirmish.tabletop.commands import Draft, begin_with_key, chosen_rows, offered_rows, pressed
from skirmish.tabletop.page_markdown import as_markdown
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.slots import Choose, UnfitAnswer
from skirmish.tabletop.typed import plain

WIDTH = 120
KEYS = [*"abcdefghijklmnopqrstuvwxyz", *"0123456789" * 2, "space", "enter", "tab", "backspace"]


def ask_all(play: BattlePlay) -> None:
    """Battle, one question at a time, journal, summary, luck, report, and what onlookers see."""
    state = play.state
    GAME.check_screens(state), GAME.verdict(play), list(topics(play, asked(play)))
    the_table(play)
    commands = GAME.commands(state)
    header.who_line(state, plain, WIDTH), header.tab_line(state, "both_sides", str, WIDTH)
    header.key_strip(state, commands, WIDTH, str)
    for page in (GAME.due(play), GAME.page(state), help_page(commands)):
        painted(page, WIDTH), as_text(page)
    GAME.all_lines(play)
    for line in GAME.journal(play):
        GAME.why_not_void(play, line), GAME.dependents(play, line)
    for side in state.setup.sides:
        known_next_draws(play, side.id)
    for page in (summary_page(play), luck_page(play), state_page(play)):
        painted(page, WIDTH)
    report = report_page(play, "today")
    as_text(report), as_markdown(report)
    if state.outcome is not None:
        totals([state])
    for eyes in (None, state.setup.sides[0].id):
        shown = seen(play, eyes)
        statuses = seen_status(state, eyes)
        (
            question_in_words(shown.state),
            list(coming(shown.state)),
            list(victory(shown.state, statuses)),
        )
        list(GAME.progress(shown.state, statuses))
        GAME.page(state, eyes), GAME.journal(play, eyes)
        the_table(shown)


def the_table(play: BattlePlay) -> None:
    """The clock and both sides."""
    state = play.state
    header.clock_line(state, WIDTH)
    for side in state.setup.sides:
        for whole in (False, True):
            look = forces.SideLook(WIDTH, plain, coloured=True, has_whole_table=whole)
            forces.side_lines(state, side.id, look)


def prompt(draft: Draft[Any]) -> None:
    """What a draft says, put together by keys or one thing at a time."""
    (
        draft_page(draft),
        list(draft_lines(draft, WIDTH, plain, tall=True)),
        offered_rows(draft),
        chosen_rows(draft),
    )
    slot = draft.question()
    assert slot is None or slot.text


def press_keys(play: BattlePlay, random: Random, presses: int) -> None:
    """Keys in every command in turn: each leads on, gives an order that can be given or is refused,
    or is answered with a sentence."""
    commands = GAME.commands(play.state)
    drafts = [asked(play)]
    for one in commands:
        try:
            drafts.append(begin_with_key(commands, one.key) if one.key else Draft(command=one))
        except UnfitAnswer as unfit:
            in_words(unfit)
    for begins in drafts:
        draft = begins
        for _ in range(presses if begins else 0):
            draft = _pressed(play, draft, random.choice(KEYS)) or begins
    for begins in drafts:
        if begins is not None:
            _answered(play, begins, random, presses)


def _pressed(play: BattlePlay, draft: Draft[Any] | None, key: str) -> Draft[Any] | None:
    try:
        after = pressed(draft, GAME.commands(play.state), key)
    except UnfitAnswer as unfit:
        in_words(unfit)
        return draft
    return _whole(play, after)


def _answered(play: BattlePlay, draft: Draft[Any], random: Random, most: int) -> None:
    """One thing at a time, each answered with anything that is offered."""
    for _ in range(most):
        slot = draft.question()
        try:
            if isinstance(slot, Choose) and (able := [o for o in slot.options if not o.why_not]):
                after = draft.reply(random.choice(able).value)
            else:
                after = draft.confirmed()
        except UnfitAnswer as unfit:
            in_words(unfit)
            return
        found = _whole(play, after)
        if found is None:
            return
        draft = found


def _whole(play: BattlePlay, draft: Draft[Any]) -> Draft[Any] | None:
    if not draft.complete:
        prompt(draft)
        return draft
    try:
        give(play, draft.order(lambda: 7))
    except UnfitAnswer as unfit:
        in_words(unfit)
    return None


def give(play: BattlePlay, order: AnyOrder) -> None:
    """The order can be given, or is refused with a sentence; so can what ``!`` makes of it."""
    refusal = why_not(play.state, order)
    if refusal is None:
        return
    assert refusal.message
    found = GAME.anyway(play.state, order)
    for insisting in found.orders if found else ():
        again = why_not(play.state, insisting)
        assert again is None or again.message


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
