"""What the game asks players in the middle of a battle: who dies, which model was hit, what they
drew. [72] is a paragraph of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, orders
from skirmish.games.plastic.battle.ending import hopeless_sides, proposed_end
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.rows import find_row, riders_possible, rows
from skirmish.games.plastic.battle.state import Finished, State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.commanders_fire import key_of_more_fire
from skirmish.games.plastic.commands.corrections import count_order, count_slots
from skirmish.games.plastic.commands.declaring import AnyCommand
from skirmish.games.plastic.commands.own_draws import SUIT_OPTIONS, Corrected, OwnDraws
from skirmish.games.plastic.commands.turn import finish_order, who_won
from skirmish.games.plastic.row_words import condition
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.slots import Choose, Option, Picks, Slot, UnfitAnswer

PURPOSES = {
    "shot": "the shot",
    "breakdown": "the breakdown test",
    "pin": "the pin test",
    "command": "command",
    "entrench": "digging in",
    "table": "reinforcements",
    "charges": "the charges",
    "lot": "the draw before play",
}
"""The purpose of a draw in words that follow "for", by the ``why`` of the question."""
LOTS: dict[agenda.LotKind, str] = {
    "terrain": "who places terrain first",
    "side": "who chooses an edge",
}
"""What a draw before the first turn decides, in words that follow "for"."""
SINGLE_SHOT = 0
"""The number of the volley of a shot that belongs to none."""


def prompt(state: State) -> AnyCommand | None:
    """The open question; None if any order is possible. An offer of another shot is no question:
    any other order declines it."""
    if state.outcome is not None:
        return None
    # An end is proposed only when no other question is open.
    end = proposed_end(state)
    if end is not None:
        return _end_now(state, end)
    match state.ask:
        case agenda.CasualtyAsk() as ask:
            return _who_dies(state, ask)
        case agenda.PieceAsk() as ask:
            return _which_model(state, ask)
        case agenda.InsideAsk() as ask:
            return _who_was_inside(state, ask)
        case agenda.ChoiceAsk() as ask:
            return _which_result(state, ask)
        case agenda.DrawAsk(rank=None) as ask:
            return _draw(state, ask)
        case agenda.DrawAsk(rank=int(rank)):
            return _which_suit(rank)
        case agenda.OutcomeAsk(count=True):
            return _what_counts(state)
        case agenda.OutcomeAsk():
            return _judged_winner(state)
    return None


def _judged_winner(state: State) -> AnyCommand:
    """The time of the scenario is up, and only the players can judge who has won."""
    slot = who_won(state)
    slot = replace(slot, text=f"TIME IS UP. {slot.text}")
    return _asked("The end", slot, finish_order, "ask outcome")


def _what_counts(state: State) -> AnyCommand:
    """The time of the scenario is up, and what the players count on the table decides."""
    # A question for each side whose number decides; the large words stand over the first.
    first, *others = count_slots(state)
    slots = (replace(first, large="TIME IS UP, COUNT."), *others)
    return Command(label="Count", slots=slots, topic="ask outcome", make=count_order)


def _asked(
    label: str,
    slot: Slot,
    make: Callable[..., orders.AnyOrder],
    topic: str,
    *,
    preview: Callable[[Answers], Page] | None = None,
    leads_to: str = "",
    takes_back: bool = False,
) -> AnyCommand:
    """A question of the game: a command without a key and with a single ``slot``. ``make`` is
    called with the answer, by the name of the slot; all the rest is as in ``Command``."""
    return Command(
        label=label,
        slots=(slot,),
        make=make,
        topic=topic,
        preview=preview,
        leads_to=leads_to,
        takes_back=takes_back,
    )


def _end_now(state: State, end: Finished) -> AnyCommand:
    """Proposed once, when a side can no longer win. It has no default: players who already type the
    next shot must not end the battle with the Space after it."""
    result = "It is a draw"
    if end.winner is not None:
        result = state.setup.does(end.winner, "win", "wins", article="The")
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
        key_sentence="e ends it, p plays it out.",
    )

    def make(answer: str) -> orders.AnyOrder:
        if answer == "end":
            return orders.Finish(winner=end.winner, reason=end.reason)
        # Every side that cannot win any more, so that the same end is not proposed for the other.
        return orders.PlayOut(sides=hopeless_sides(state))

    return _asked("The end", slot, make, "ask end")


def _who_dies(state: State, ask: agenda.CasualtyAsk) -> AnyCommand:
    """Whom the owner takes off: any man of the group in sight ("Removing Dead Guys" [72]). An exact
    hit kills the man shot at, and nothing is asked."""
    battle = BattleNow(state)
    options = []
    for row_key in ask.rows:
        row = find_row(state, row_key)
        if row is not None:
            # Men who hide, or ride inside, cannot die in place of those who were shot at.
            men_in_sight = len(row.in_sight)
            option = battle.option(row, f"{men_in_sight} there")
            options.append(replace(option, most=men_in_sight))
    # If the program commands the side that fired, its next shot is prepared after the answer.
    more_fire = key_of_more_fire(state, state.setup.enemy_of(ask.side).id)
    if ask.count == 1:
        return _which_man_dies(state, ask, options, more_fire)
    return _which_men_die(state, ask, options, more_fire)


def _which_man_dies(
    state: State, ask: agenda.CasualtyAsk, options: Sequence[Option], more_fire: str
) -> AnyCommand:
    """The question for a single man: one letter is the whole answer."""
    slot = Choose(
        name="row",
        rows=True,
        options=tuple(options),
        default=ask.proposed[0],
        refusal_of_unknown=partial(_refusal_of_letter, state, ask.side),
        large="WHO DIES?",
        text=f"{_owner_chooses(state, ask)} any man of the group in sight.",
    )
    return _asked("Who dies", slot, _order_for_man, "ask casualty", leads_to=more_fire)


def _which_men_die(
    state: State, ask: agenda.CasualtyAsk, options: Sequence[Option], more_fire: str
) -> AnyCommand:
    """The question for several men, each by a letter."""
    rows_by_name = Counter(row.unit.short for row in rows(state, ask.side))
    labelled = []
    for option in options:
        name = _name_of_man(state, rows_by_name, option)
        labelled.append(replace(option, label=name))
    casualties = Picks(
        name="dead",
        options=tuple(labelled),
        most=ask.count,
        default=Counter(ask.proposed),
        large="WHO DIES?",
        text=f"{_owner_chooses(state, ask)} {_number_to_choose(state, ask)} men.",
        refusal_of_unknown=partial(_refusal_of_letter, state, ask.side),
    )
    preview = partial(_dead_so_far, ask, casualties)
    return _asked(
        "Who dies", casualties, _order_for_men, "ask casualty", preview=preview, leads_to=more_fire
    )


def _owner_chooses(state: State, ask: agenda.CasualtyAsk) -> str:
    """``The Germans choose``."""
    return state.setup.does(ask.side, "choose", "chooses", article="The")


def _refusal_of_letter(state: State, side: str, letter: str) -> UnfitAnswer | None:
    """The refusal of a letter that is not among the options: the row may not be chosen, or the side
    has no such row."""
    for row in rows(state, side):
        if row.letter == letter:
            text = f"{letter} may not be chosen."
            return UnfitAnswer(text, key_note="Enter accepts the man proposed.")
    return BattleNow(state).no_row(side, letter)


def _dead_so_far(ask: agenda.CasualtyAsk, casualties: Picks, facts: Answers) -> Page:
    """Who has been chosen, and who else dies if Enter is pressed now."""
    chosen: Mapping[str, int] = facts.get("dead") or {}
    # The proposal is in order of preference: men chosen by hand replace the last ones of it.
    still_to_choose = ask.count - sum(chosen.values())
    still_proposed = Counter(ask.proposed[:still_to_choose])
    text = "no more"
    if still_proposed:
        text = casualties.shown(still_proposed)
    if chosen:
        text = f"{casualties.shown(chosen)}; then {text}"
    return Page("", (Paragraph(text, tone="strong"),))


def _order_for_man(row: str) -> orders.ChooseCasualties:
    """The order that takes a man of this row off."""
    return orders.ChooseCasualties((row,))


def _order_for_men(dead: Mapping[str, int]) -> orders.ChooseCasualties:
    """The order that takes several men off, given how many of each row; it names the row of each
    man."""
    rows_of_dead: list[str] = []
    for row, count in dead.items():
        rows_of_dead.extend([row] * count)
    return orders.ChooseCasualties(tuple(rows_of_dead))


def _name_of_man(state: State, rows_by_name: Mapping[str, int], option: Option) -> str:
    """``Rifle``, or ``Rifle (Rearguard)`` if the side has several rows of that name: once chosen, a
    man is shown without his letter. ``rows_by_name``: how many rows have each name."""
    row = find_row(state, option.value)
    assert row is not None, "each option is a row"
    if rows_by_name[row.unit.short] > 1:
        return f"{row.unit.short} ({row.contingent.name})"
    return row.unit.short


def _number_to_choose(state: State, ask: agenda.CasualtyAsk) -> str:
    """``3``, or ``3 of 4`` if the volley also had an exact hit, for which nothing is chosen."""
    hits = _hits_of_last_volley(state)
    if hits > ask.count:
        return f"{ask.count} of {hits}"
    return f"{ask.count}"


def _hits_of_last_volley(state: State) -> int:
    """The hits of the volley to which the last shot belongs; 0 if that was a single shot."""
    results = []
    for judged in state.judged:
        hits = 0
        if judged.hit:
            hits = 1
        results.append(_ShotHits(judged.shot, hits))
    # Of shots that were not drawn one by one, the players typed how many hit.
    for count in state.counts:
        results.append(_ShotHits(count.shot, count.hits))
    if not results:
        return 0
    last_volley = max(results, key=_number_of_shot).shot.volley
    if last_volley == SINGLE_SHOT:
        return 0
    return sum(result.hits for result in results if result.shot.volley == last_volley)


class _ShotHits(NamedTuple):
    """The hits of a shot, or of a row of a volley that was entered as one count."""

    shot: agenda.Shooting
    hits: int


def _number_of_shot(result: _ShotHits) -> int:
    """The number of a shot. Shots are numbered in the order in which they were fired."""
    return result.shot.id


def _which_model(state: State, ask: agenda.PieceAsk) -> AnyCommand:
    """Which of several models was hit, where they differ."""
    row = find_row(state, ask.row)
    unit = "model"
    if row is not None:
        unit = row.unit.name
    options = []
    for piece in ask.pieces:
        code = piece_code(piece)
        # The key is the code without its letter: 2 for K2.
        number = code[1:]
        note = condition(state, piece)
        options.append(Option(value=piece, label=code, key=number, note=note))
    all_numbers = ", ".join(option.key for option in options)
    their_unit = state.setup.owned_by(ask.side, unit)

    def refusal_of_number(typed: str) -> UnfitAnswer:
        return UnfitAnswer(f"{typed} is not one of them: {all_numbers}.")

    which = Choose(
        name="piece",
        options=tuple(options),
        refusal_of_unknown=refusal_of_number,
        large="WHICH ONE?",
        text=f"One {their_unit} was hit. The numbers are those of the roster.",
    )
    return _asked("Which one", which, orders.ChooseModel, "ask piece")


def _who_was_inside(state: State, ask: agenda.InsideAsk) -> AnyCommand:
    """Who is lost with a vehicle ("Killing vehicles kills what's inside" [78]). Enter means
    nobody."""
    unit = state.unit(ask.carrier)
    battle = BattleNow(state)
    possible = riders_possible(state, ask.side)
    options = tuple(battle.option(row, f"{len(row.in_sight)} there") for row in possible)
    riders = Picks(
        name="riders",
        options=options,
        # Most vehicles are empty when they are lost.
        default={},
        default_text="nobody was inside",
        large="WHO WAS INSIDE?",
        text=f"{unit.name} {piece_code(ask.carrier)} is lost: up to {unit.seats} guys.",
        refusal_of_unknown=partial(battle.no_row, ask.side),
    )
    return _asked("Inside", riders, orders.NameRiders, "ask inside")


def _which_result(state: State, ask: agenda.ChoiceAsk) -> AnyCommand:
    """One of the rows of a table between which the side may choose."""
    options = []
    for index, words in enumerate(ask.options):
        # The keys count from 1, as the printed table does; the order counts from 0.
        options.append(Option(value=index, label=words, key=str(index + 1)))
    text = f"{state.setup.does(ask.side, 'choose', 'chooses', article='The')}."
    slot = Choose(name="option", options=tuple(options), large=ask.question.upper(), text=text)
    return _asked("Choose", slot, orders.ChooseResult, "ask choice")


def _draw(state: State, ask: agenda.DrawAsk) -> AnyCommand:
    """The card or roll that players draw on the table and type."""
    word = "DRAW"
    if ask.die:
        word = "ROLL"
    text = f"{BattleNow(state).people(ask.side)}, for {drawn_for(state, ask)}."
    corrects = _has_earlier_draws(state)
    slot = OwnDraws(name="draws", large=word, text=text, die=ask.die, corrects=corrects)
    return _asked(word.capitalize(), slot, _order_of_draws, f"check {ask.why}", takes_back=True)


def _has_earlier_draws(state: State) -> bool:
    """Whether there are draws of the present volley that players can correct."""
    for task in state.agenda:
        if isinstance(task, agenda.ToVolley):
            # The shot whose draw is asked for counts as fired. Of earlier parties only the number
            # of shooters is known, each of whom fired at least once.
            shots_begun = task.shots + task.done
            return shots_begun > 1
    return False


def _order_of_draws(draws: tuple[Draw, ...] | Corrected) -> orders.AnyOrder:
    """The order that the answer comes to: the draws, or the correction of earlier ones."""
    if isinstance(draws, Corrected):
        return orders.Retype(numbers=draws.numbers, more=draws.more)
    return orders.Show(draws)


def drawn_for(state: State, ask: agenda.DrawAsk) -> str:
    """What a draw is for, in words that follow "for". For a shot of a volley it is who fires:
    ``Machinegun 3 of 6, 4 hits so far``."""
    for task in state.agenda:
        # ``ToCast`` has lots drawn.
        if isinstance(task, agenda.ToCast) and ask.why == "lot":
            return LOTS[task.lot]
        if isinstance(task, agenda.ToVolley) and ask.why in ("shot", "breakdown"):
            return _shot_of_volley(state, task, ask.why)
    return PURPOSES[ask.why]


def _shot_of_volley(state: State, task: agenda.ToVolley, why: agenda.DrawPurpose) -> str:
    """``Rifle 3 of 5, 1 hit so far``: which shooter of a volley a draw is for."""
    unit = state.unit(task.shot.piece).short
    # The shooter whose draw is asked for is the last of those who have fired.
    all_shooters = task.fired + len(task.pieces)
    number = f"{task.fired} of {all_shooters}"
    hits = f"{len(task.hits)} hits"
    if len(task.hits) == 1:
        hits = "1 hit"
    shooter = f"{unit} {number}, {hits} so far"
    if why == "breakdown":
        return f"{PURPOSES['breakdown']} of {shooter}"
    return shooter


def _which_suit(rank: int) -> AnyCommand:
    """The suit of a card of which only the rank was typed, where the suit decides: black cards miss
    a man in cover [74], and the queen of spades is a breakdown [76]."""
    name = Draw(rank, "").rank_words  # the name of a rank, whatever the suit

    def make(suit: str) -> orders.Show:
        return orders.Show((Draw(rank, suit),))

    slot = Choose(
        name="suit",
        options=SUIT_OPTIONS,
        large=f"WHICH SUIT is the {name}?",
        text="The suit matters here.",
        key_note="Backspace undoes the draw.",
    )
    return _asked("Suit", slot, make, "check shot")
