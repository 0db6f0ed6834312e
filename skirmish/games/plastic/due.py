"""What is due in a battle now: decks to shuffle, reinforcements to bring on, orders that wait,
limits and reminders of the scenario. The players see it below the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skirmish.games.plastic.battle.deployment import deployment_now
from skirmish.games.plastic.battle.events import (
    Added,
    AnyEvent,
    ChargesDrawn,
    LotCast,
    Shuffled,
    TableDrawn,
    TurnEnded,
)
from skirmish.games.plastic.battle.known_draws import known_next_draws
from skirmish.games.plastic.battle.lines import last_events
from skirmish.games.plastic.battle.orders.charges import charges_left
from skirmish.games.plastic.battle.orders.commanders_fire import has_fire_left
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.orders.scenario_orders import count_servable
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.reminders import limits_now, reminders_now
from skirmish.games.plastic.battle.rows import find_row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.games.plastic.scenarios.happenings import Charges
from skirmish.tabletop.chance import spell
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Paragraph, capital

MOST_DRAWS_SHOWN = 8
"""More known draws would fill the screen."""


def due(play: BattlePlay) -> Iterator[Paragraph]:
    """Everything that is due now, the most pressing first. Where a single key does something about
    it, the paragraph has this key as its ``lead``."""
    state, events = play.state, last_events(play)
    if state.outcome is not None:
        return
    yield from _draws_known_again(play)
    yield from _decks_to_shuffle(state, events)
    yield from _tables_drawn(state, events)
    yield from _lots_drawn(state, events)
    yield from commander_waits(state)
    yield from _weather(state)
    yield from _darkness(state)
    yield from _charges(state)
    yield from _waves(state, due_now=True)
    servable = count_servable(state)
    if servable:
        yield Paragraph(f"{servable} can be served now: press S, then the letter", lead="S")
    yield from _waves(state, due_now=False)
    yield from _limits(state)
    yield from _reminders(state)
    yield from _set_up_areas(play)


def commander_waits(state: State) -> Iterator[Paragraph]:
    """What the program has to say as the commander of a side: first its orders for the side that
    moves, and once these are carried out, the fire of the other side."""
    text = _orders_of_commander(state) or _fire_of_commander(state)
    if text:
        yield Paragraph(text, lead="W")


def _orders_of_commander(state: State) -> str:
    """What is to be done for the orders of the side that moves; empty if nothing is."""
    commander = state.commanders.get(state.mover)
    # Nobody has to carry out the orders of an adviser.
    if commander is None or commander.advises or state.clock.phase != 1:
        return ""
    # Its last orders were for an earlier turn.
    if commander.turn != state.clock.turn:
        return f"The program commands {state.setup.the(state.mover)}: press W for its orders"
    match len(commander.orders):
        case 0:
            return ""
        case 1:
            return "1 order waits to be carried out: press W"
        case count:
            return f"{count} orders wait to be carried out: press W"


def _fire_of_commander(state: State) -> str:
    """What is to be done for the fire of the other side; empty if nothing is."""
    side, phase = state.firing_side, state.clock.phase
    commander = state.commanders.get(side)
    # In phases 3 and 4 its men in contact fight like a player's, without orders of its own.
    if commander is None or commander.advises or phase not in (1, 2):
        return ""
    who = state.setup.the(side)
    # While the enemy moves, it only says at whom it means to fire.
    if phase == 1:
        return f"The program commands {who}: press W for what it waits for"
    if not has_fire_left(state, side):
        return f"The program has no shot left for {who}: > goes on"
    return f"The program commands {who}: press W for its fire"


def _reminders(state: State) -> Iterator[Paragraph]:
    """What the scenario reminds the players of; while units are hidden, with the key that reveals
    them."""
    text = reminders_now(state)
    if not text:
        return
    key = ""
    if state.hidden:
        key = "R"
    yield Paragraph(text, lead=key, tone="quiet")


def coming(state: State) -> Iterator[Paragraph]:
    """Weather, darkness, charges and reinforcements for spectators, without the players' keys."""
    if state.outcome is None:
        yield from _weather(state)
        yield from _darkness(state)
        yield from _charges(state)
        yield from _waves(state, due_now=True, with_keys=False)
        yield from _waves(state, due_now=False)


def _weather(state: State) -> Iterator[Paragraph]:
    """The weather that a card has started, such as a sandstorm; the next such card ends it."""
    for card, weather in state.setup.toggling.items():
        if weather.state in state.toggled:
            text = f"nobody sees beyond {inches(weather.sight_in)}; the next {card.words} ends it."
            yield Paragraph(text, lead=f"{weather.state.upper()}:", tone="bad")


def _darkness(state: State) -> Iterator[Paragraph]:
    """How far one sees in the dark, and until when."""
    for darkness in state.darkness:
        text = f"nobody sees beyond {inches(darkness.sight_in)}"
        if darkness.before_turn is not None:
            text += f" before turn {darkness.before_turn}"
        yield Paragraph(f"{text}.", lead="DARK:", tone="bad")


def _charges(state: State) -> Iterator[Paragraph]:
    """What has been blown up, and the charges for which a side still draws."""
    left = charges_left(state)
    for charges in state.setup.happenings(Charges):
        if charges.id in state.blown:
            yield Paragraph(f"{capital(charges.what)} is blown up.", lead="GONE:", tone="bad")
        elif charges.id in left:
            draw = state.setup.does(charges.side, "draw", "draws", article="The")
            text = f"{draw} for {charges.what} at the start of each of their turns"
            if charges.from_turn > state.clock.turn:
                text += f" from turn {charges.from_turn} on"
            text += f": {ranks_that_hit(charges.needs)} blows it up."
            yield Paragraph(text, lead="CHARGES:")


def _draws_known_again(play: BattlePlay) -> Iterator[Paragraph]:
    """The draws that both players know already, since they were undone and come again."""
    for source_id in _deck_and_die_ids(play.state):
        draws = known_next_draws(play, source_id)
        if not draws:
            continue
        noun = "roll"
        if draws[0].is_card:
            noun = "card"
        if len(draws) == 1:
            what_comes = f"{_of_source(play.state, source_id, noun)} is still the {draws[0].words}"
        else:
            shown = draws[:MOST_DRAWS_SHOWN]
            what_comes = f"{_of_source(play.state, source_id, f'{noun}s')} are still {spell(shown)}"
        yield Paragraph(f"Undone. The next {what_comes}.", tone="strong")


def _deck_and_die_ids(state: State) -> list[str]:
    """The ids of the decks and dice from which the sides draw: one for each side, or one for both
    (P23). The id is that of the side whose deck or die it is."""
    return list(dict.fromkeys(state.source_of(side.id) for side in state.setup.sides))


def _of_source(state: State, source_id: str, noun: str) -> str:
    """``German card``; only ``card`` where both sides draw from one deck."""
    if len(_deck_and_die_ids(state)) == 1:
        return noun
    return state.setup.owned_by(source_id, noun)


def _decks_to_shuffle(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """The players' own decks that they have to shuffle now; the program shuffles its own."""
    just_shuffled = {event.source for event in events if isinstance(event, Shuffled)}
    turn_is_over = any(isinstance(event, TurnEnded) for event in events)
    shuffling = []
    for source_id in _deck_and_die_ids(state):
        source = state.sources[source_id]
        if source.kind != "deck":
            continue
        clerk_shuffles = source.typed and source_id in just_shuffled
        ledger_shuffles = turn_is_over and _is_used_by_ledger(state, source_id)
        if clerk_shuffles or ledger_shuffles:
            shuffling.append(source_id)
    if len(shuffling) == len(state.setup.sides):
        yield Paragraph("Both sides shuffle their decks now.", tone="strong")
    elif shuffling:
        deck = _of_source(state, shuffling[0], "deck")
        yield Paragraph(f"Shuffle the {deck} now.", tone="strong")


def _is_used_by_ledger(state: State, source_id: str) -> bool:
    """Whether a side whose losses alone are recorded draws from that deck. What is drawn from it is
    not known, so it is due to be shuffled after each turn, whether or not it was used."""
    users = [side.id for side in state.setup.sides if state.source_of(side.id) == source_id]
    return any(state.levels[side] == "ledger" for side in users)


def _tables_drawn(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """What was drawn on tables and for charges, and the units that a side has chosen after a draw
    on a table."""
    table_is_drawn = any(isinstance(event, TableDrawn) for event in events)
    event_before: AnyEvent | None = None
    for event in events:
        # The explanation of a draw names the units that it brings, which are added at once.
        is_explained = isinstance(event_before, TableDrawn)
        if isinstance(event, TableDrawn):
            people = state.setup.side_by_id[event.side].people
            yield Paragraph(event.explain, lead=f"{people}, draw {event.nth}:")
        elif isinstance(event, ChargesDrawn):
            people = state.setup.side_by_id[event.side].people
            yield Paragraph(event.explain, lead=f"{people}, charges:")
        elif isinstance(event, Added) and table_is_drawn and not is_explained:
            # ``why`` is the place where they enter, or that they were added by hand.
            added = f"{_who_came(state, event)} {event.why}".rstrip()
            yield Paragraph(f"{added}.", lead="Added:")
        event_before = event


def _who_came(state: State, added: Added) -> str:
    """The units that were added, by their short names: ``5 Rifle, 1 Tank``."""
    counts = Counter(state.setup.unit(piece.unit).short for piece in added.pieces)
    return ", ".join(f"{count} {unit}" for unit, count in counts.items())


def _lots_drawn(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """The lots drawn before play, while they are the last thing that has happened."""
    people = {side.id: side.people for side in state.setup.sides}
    for event in events:
        if not isinstance(event, LotCast):
            continue
        drew = ", ".join(f"{people[side]} {draw}" for side, draw in event.draws.items())
        result = "a tie, draw again"
        if event.first and event.lot == "side":
            result = state.setup.does(event.first, "choose their edge", "chooses an edge")
        elif event.first:
            result = state.setup.does(event.first, "place terrain first", "places terrain first")
        yield Paragraph(f"{drew}: {result}.", lead="Drawn:")


def _waves(state: State, due_now: bool, *, with_keys: bool = True) -> Iterator[Paragraph]:
    """The reinforcements that may enter now, or (not ``due_now``) those that may later.
    ``with_keys``: the keys that bring them on are named."""
    for wave in waves(state):
        if wave.due_now != due_now:
            continue
        contingent = wave.contingent
        name = f"{state.setup.side_by_id[contingent.side].people}, {contingent.name}:"
        units = []
        for row_key, count in wave.units.items():
            row = find_row(state, row_key)
            if row:
                units.append(f"{count} {row.unit.short}")
        who = ", ".join(units)
        if contingent.place_of_entry:
            who += f", {contingent.place_of_entry}"
        if not due_now:
            turn = max(contingent.enters, state.clock.turn)
            yield Paragraph(f"Turn {turn}, {name} {who}.", tone="quiet")
        elif with_keys:
            yield Paragraph(f"{who}. Enter brings on all, A some.", lead=name)
        else:
            yield Paragraph(f"{who}. They may come on now.", lead=name)


def _limits(state: State) -> Iterator[Paragraph]:
    """In phase 1, what the scenario forbids the side that moves; and in the first turn without a
    limit, that it no longer holds."""
    if state.clock.phase != 1:
        return
    people = state.setup.side_by_id[state.mover].people
    for limit in limits_now(state):
        if limit.side == state.mover:
            yield Paragraph(limit.text, lead=f"{people}:")
    if state.setup.scenario is None:
        return
    for limit in state.setup.scenario.limits:
        if limit.before_turn == state.clock.turn and limit.side == state.mover:
            yield Paragraph(limit.text, lead=f"{people}, no longer in force:", tone="quiet")


def _set_up_areas(play: BattlePlay) -> Iterator[Paragraph]:
    """Where units are set up, until the first shot or the second phase of the battle."""
    state = play.state
    a_shot_is_fired = len(state.judged) > 0
    if state.clock.turn > 1 or state.clock.phase > 1 or a_shot_is_fired:
        return
    if state.setup.scenario is None:
        for line in deployment_now(state).splitlines():
            yield Paragraph(line)
    for contingent in state.setup.contingents:
        on_the_table = contingent.enters == 0
        comes_now = contingent.enters == 1 and contingent.side == state.mover
        if contingent.note and (on_the_table or comes_now):
            people = state.setup.side_by_id[contingent.side].people
            yield Paragraph(contingent.note, lead=f"{people}, {contingent.name}:")
