"""The players' answers: casualties, models, their own draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, orders
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.rows import find, riders_possible, rows
from skirmish.games.plastic.battle.state import Finished, State
from skirmish.games.plastic.battle.victory import end_proposed, hopeless
from skirmish.games.plastic.board import condition
from skirmish.games.plastic.commands.judging import SUIT_OPTIONS, Corrected, OwnDraws
from skirmish.games.plastic.commands.sides import AnyCommand, BattleNow
from skirmish.games.plastic.commands.turn import count_slots, counted, finished, who_won
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.slots import Choose, Option, Picks, Slot

WHY = {
    "shot": "the shot",
    "breakdown": "the breakdown test",
    "pin": "the pin test",
    "command": "command",
    "entrench": "digging in",
    "table": "reinforcements",
    "lot": "the draw before play",
}
"""The purpose of a draw as a sentence."""
LOTS: dict[agenda.LotKind, str] = {
    "terrain": "who places terrain first",
    "side": "who chooses an edge",
}


def prompt(state: State) -> AnyCommand | None:
    """The open question; None if any order is possible. An offer of another shot is no question:
    any other order declines it."""
    if state.outcome is not None:
        return None
    end = end_proposed(state)
    if end is not None:
        return _the_end(state, end)
    match state.ask:
        case agenda.CasualtyAsk() as ask:
            return _who_dies(state, ask)
        case agenda.PieceAsk() as ask:
            return _which_one(state, ask)
        case agenda.InsideAsk() as ask:
            return _who_was_inside(state, ask)
        case agenda.ChoiceAsk() as ask:
            return _choice(state, ask)
        case agenda.DrawAsk(rank=None) as ask:
            return _draw(state, ask)
        case agenda.DrawAsk() as ask:
            return _suit(ask)
        case agenda.OutcomeAsk(count=True):
            first, *rest = count_slots(state)
            first = replace(first, large="TIME IS UP, COUNT.")
            slots = (first, *rest)
            return Command(label="Count", slots=slots, topic="ask outcome", make=counted)
        case agenda.OutcomeAsk():
            won = who_won(state)
            slot = replace(won, text=f"TIME IS UP. {won.text}")
            return _asked("The end", slot, finished, "ask outcome")
    return None


def _asked(
    label: str, slot: Slot, make: Callable[..., orders.AnyOrder], topic: str, **more: Any
) -> AnyCommand:
    return Command(label=label, slots=(slot,), make=make, topic=topic, **more)


def _the_end(state: State, end: Finished) -> AnyCommand:
    """Proposed once, when a side can no longer win. It has no default: somebody who types the next
    shot ahead must not end the battle with the Space behind it."""
    result = "It is a draw"
    if end.winner is not None:
        result = state.setup.does(end.winner, "win", "wins", "The")
    text = f"{end.reason} {result} if you end it now."
    options = (
        Option(value="end", key="e", label="end the battle"),
        Option(value="on", key="p", label="play it out; you are not asked again"),
    )
    slot = Choose(
        name="answer",
        large="THE END?",
        text=text,
        options=options,
        by_key_only=True,
        keys="e ends it, p plays it out.",
    )

    def make(answer: str) -> orders.AnyOrder:
        if answer == "end":
            return orders.Finish(winner=end.winner, reason=end.reason)
        return orders.PlayOut(sides=hopeless(state))

    return _asked("The end", slot, make, "ask end")


def _who_dies(state: State, ask: agenda.CasualtyAsk) -> AnyCommand:
    choose = state.setup.does(ask.side, "choose", "chooses", "The")
    options = tuple(
        replace(BattleNow(state).option(row, f"{len(row.in_sight)} there"), most=len(row.in_sight))
        for key in ask.rows
        if (row := find(state, key)) is not None
    )

    def unknown(letter: str) -> str:
        if any(row.letter == letter for row in rows(state, ask.side)):
            return f"{letter} may not be chosen. Enter accepts the man proposed."
        return BattleNow(state).no_row(ask.side, letter)

    if ask.count == 1:
        one = Choose(
            name="row",
            rows=True,
            options=options,
            default=ask.proposed[0],
            unknown=unknown,
            large="WHO DIES?",
            text=f"{choose} any man of the group in sight.",
        )
        return _asked("Who dies", one, lambda row: orders.Give((row,)), "ask casualty")
    alike = Counter(row.unit.short for row in rows(state, ask.side))
    short = tuple(replace(one, label=_man(state, alike, one)) for one in options)
    several = Picks(
        name="dead",
        options=short,
        most=ask.count,
        default=Counter(ask.proposed),
        large="WHO DIES?",
        text=f"{choose} {_of_all(state, ask)} men.",
        unknown=unknown,
    )

    def preview(facts: Answers) -> Page:
        dead = facts.get("dead") or {}
        left = Counter(ask.proposed[: ask.count - sum(dead.values())])
        rest = several.shown(left) if left else "no more"
        text = f"{several.shown(dead)}; then {rest}" if dead else rest
        return Page("", (Paragraph(text, tone="strong"),))

    def make(dead: Mapping[str, int]) -> orders.AnyOrder:
        return orders.Give(tuple(row for row, count in dead.items() for _ in range(count)))

    return _asked("Who dies", several, make, "ask casualty", preview=preview)


def _man(state: State, alike: Mapping[str, int], option: Option) -> str:
    """``Rifle``; with his group in brackets if the side has several rows of that name."""
    row = find(state, option.value)
    assert row is not None
    if alike[row.unit.short] > 1:
        return f"{row.unit.short} ({row.contingent.name})"
    return row.unit.short


def _of_all(state: State, ask: agenda.CasualtyAsk) -> str:
    """``3 of 4``: the others are exact hits."""
    shots = [(one.shot, int(one.hit)) for one in state.judged]
    shots += [(one.shot, one.hits) for one in state.counts]
    volley = max(shots, key=lambda one: one[0].id)[0].volley if shots else 0
    hits = sum(count for shot, count in shots if volley and shot.volley == volley)
    return f"{ask.count} of {hits}" if hits > ask.count else f"{ask.count}"


def _which_one(state: State, ask: agenda.PieceAsk) -> AnyCommand:
    row = find(state, ask.row)
    name = state.setup.of(ask.side, row.unit.name if row else "model")
    codes = {piece: piece_code(piece) for piece in ask.pieces}
    numbers = ", ".join(code[1:] for code in codes.values())
    options = tuple(
        Option(value=piece, label=code, key=code[1:], note=condition(state, piece))
        for piece, code in codes.items()
    )
    which = Choose(
        name="piece",
        options=options,
        unknown=lambda typed: f"{typed} is not one of them: {numbers}.",
        large="WHICH ONE?",
        text=f"One {name} was hit. The numbers are those of the roster.",
    )
    return _asked("Which one", which, orders.Point, "ask piece")


def _who_was_inside(state: State, ask: agenda.InsideAsk) -> AnyCommand:
    unit = state.unit(ask.carrier)
    options = tuple(
        BattleNow(state).option(row, f"{len(row.in_sight)} there")
        for row in riders_possible(state, ask.side)
    )
    riders = Picks(
        name="riders",
        options=options,
        default={},
        default_text="nobody was inside",
        large="WHO WAS INSIDE?",
        text=f"{unit.name} {piece_code(ask.carrier)} is lost: up to {unit.seats} guys.",
        unknown=partial(BattleNow(state).no_row, ask.side),
    )
    return _asked("Inside", riders, orders.Inside, "ask inside")


def _choice(state: State, ask: agenda.ChoiceAsk) -> AnyCommand:
    options = tuple(
        Option(value=nth, label=words, key=str(nth + 1)) for nth, words in enumerate(ask.options)
    )
    text = f"{state.setup.does(ask.side, 'choose', 'chooses', 'The')}."
    slot = Choose(name="option", options=options, large=ask.question.upper(), text=text)
    return _asked("Choose", slot, orders.ChooseResult, "ask choice")


def _draw(state: State, ask: agenda.DrawAsk) -> AnyCommand:
    word = "ROLL" if ask.die else "DRAW"
    text = f"{BattleNow(state).people(ask.side)}, for {drawn_for(state, ask)}."
    corrects = _typed_before(state)
    slot = OwnDraws(name="draws", large=word, text=text, die=ask.die, corrects=corrects)
    return _asked(word.capitalize(), slot, _shown, f"check {ask.why}", takes_back=True)


def _typed_before(state: State) -> bool:
    """Whether draws of the present volley have been typed that may be put right."""
    for task in state.agenda:
        if isinstance(task, agenda.ToVolley):
            return task.shots + task.done > 1
    return False


def _shown(draws: tuple[Draw, ...] | Corrected) -> orders.AnyOrder:
    if isinstance(draws, Corrected):
        return orders.Retype(numbers=draws.numbers, more=draws.more)
    return orders.Show(draws)


def drawn_for(state: State, ask: agenda.DrawAsk) -> str:
    """The purpose of a draw; in a volley with its gun: ``Machinegun 3 of 6, 4 hits so far``."""
    for task in state.agenda:
        if isinstance(task, agenda.ToCast) and ask.why == "lot":
            return LOTS[task.lot]
        if isinstance(task, agenda.ToVolley) and ask.why in ("shot", "breakdown"):
            unit = state.unit(task.shot.piece).short
            of = task.fired + len(task.pieces)
            hits = f"{len(task.hits)} hit{'' if len(task.hits) == 1 else 's'} so far"
            test = f"{WHY['breakdown']} of " if ask.why == "breakdown" else ""
            return f"{test}{unit} {task.fired} of {of}, {hits}"
    return WHY[ask.why]


def _suit(ask: agenda.DrawAsk) -> AnyCommand:
    rank = ask.rank or 1
    name = Draw(rank, "").rank_words
    slot = Choose(
        name="suit",
        options=SUIT_OPTIONS,
        large=f"WHICH SUIT is the {name}?",
        text="The suit matters here.",
        key_note="Backspace undoes the draw.",
    )
    return _asked("Suit", slot, lambda suit: orders.Show((Draw(rank, suit),)), "check shot")
