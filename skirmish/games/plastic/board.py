"""The present state of a battle in words: its rows, what is due, the verdict of the last shot.

Who shows a battle passes a state that its viewer may see (``battle/view.py``): nothing is left out
here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from skirmish.games.plastic.battle.agenda import CheckKind, DrawAsk
from skirmish.games.plastic.battle.deployment import deployment_now
from skirmish.games.plastic.battle.events import (
    Added,
    Aimed,
    AnyEvent,
    Ceased,
    ChargesDrawn,
    Checked,
    DrawsUnused,
    HitsCounted,
    Judged,
    LotCast,
    Recalled,
    Shuffled,
    TableDrawn,
    Tested,
    TurnEnded,
    Volleyed,
)
from skirmish.games.plastic.battle.known_draws import known_next
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.names import piece_code, weapon_slot
from skirmish.games.plastic.battle.orders.casualties import WEAPON_SLOTS
from skirmish.games.plastic.battle.orders.charges import charges_left
from skirmish.games.plastic.battle.orders.commanders_fire import has_fire_left
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.orders.resolution import waiting_for
from skirmish.games.plastic.battle.orders.scenario_orders import count_servable
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.qualities import (
    plays_qualities_of_contingents,
    quality_of_contingent,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.reminders import limits_now, reminders_now
from skirmish.games.plastic.battle.rows import Row, find_row, row_of, rows
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.battle.strength import beating_loss, side_strength
from skirmish.games.plastic.battle.victory_questions import VictoryStatus
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.explanation import without_draw
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, ranks_that_hit
from skirmish.games.plastic.scenarios.happenings import Charges
from skirmish.tabletop.chance import Draw, spell
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import (
    Block,
    CounterStack,
    Heading,
    Items,
    Page,
    Paragraph,
    Stacks,
    Table,
    Token,
    Tone,
    capital,
    table,
    without_empty_columns,
)


def inside_words(state: State, carrier: str) -> str:
    """``10r 2m``: the known riders of a model, by the letters of their rows."""
    counts: Counter[str] = Counter()
    for rider in state.riders_of(carrier):
        row = find_row(state, row_of(state, rider))
        if row:
            counts[row.letter] += 1
        else:
            counts["?"] += 1
    return " ".join(f"{count}{letter}" for letter, count in counts.items())


def condition(state: State, piece: str) -> str:
    """A model's differences from others of its row: riders and damage."""
    parts = []
    riders = inside_words(state, piece)
    if riders:
        parts.append(riders)
    elif state.unit(piece).seats:
        # Nobody aboard is known of: it is empty only if a player has recorded that.
        if piece in state.recorded:
            parts.append("empty")
        else:
            parts.append("load unknown")
    if piece in state.unserved:
        parts.append("not served")
    if any(weapon_slot(piece, slot) in state.disarmed for slot in WEAPON_SLOTS):
        parts.append("disarmed")
    return ", ".join(parts) or "undamaged"


FAR_MOVE = 2
"""Inches: who has moved further in phase 1 may be fired at ("Movement")."""
ROOM_FOR_ALL = 400
"""More columns than the facts of any row take, where nothing limits them."""


def row_status(state: State, row: Row, room: int = ROOM_FOR_ALL) -> str:
    """The important facts about a row in at most ``room`` columns, the most important first."""
    return _joined(_facts(state, row, room), room)


def status_beside_ready(state: State, row: Row) -> str:
    """The important facts about a row, to stand beside a sentence that says how many can fire: so
    without that."""
    facts = _facts(state, row, ROOM_FOR_ALL)
    if row.ready_count:
        facts = (fact for fact in facts if fact.about != "readiness")
    return _joined(facts, ROOM_FOR_ALL)


class RowFact(NamedTuple):
    """A fact about a row, and the shorter words for it where there is no room."""

    text: str
    shorter: str = ""
    about: Literal["", "readiness"] = ""
    is_usual: bool = False  # so that a list of exceptions leaves it out


def _joined(facts: Iterable[RowFact], room: int) -> str:
    """The facts with commas between them, as many as fit in ``room`` columns."""
    shown = ""
    for fact in facts:
        for words in filter(None, (fact.text, fact.shorter)):
            longer = words
            if shown:
                longer = f"{shown}, {words}"
            if len(longer) <= room:
                shown = longer
                break
    return shown


def _facts(state: State, row: Row, room: int) -> Iterator[RowFact]:
    """The facts about a row, the most important first; who is inside in ``room`` columns."""
    unserved = [piece for piece in row.here if piece in state.unserved]
    if unserved:
        # Until it is fuelled, nothing else about it matters.
        yield RowFact(f"{len(row.here) - len(unserved)} of {len(row.here)} fuelled")
        return
    if row.waiting:
        yield RowFact(f"{len(row.waiting)} to arrive")
    # Before readiness: who is not there cannot be ready.
    if row.hidden:
        yield RowFact(f"{len(row.hidden)} hidden")
    if row.pinned == 1:
        yield RowFact("PINNED")
    elif row.pinned:
        yield RowFact(f"{row.pinned} PINNED")
    inside = _inside(state, row, room)
    if inside:
        yield RowFact(inside)
    readiness = _readiness(row, carries=bool(inside))
    if readiness:
        is_usual = readiness in (READY, UNARMED)
        yield RowFact(readiness, about="readiness", is_usual=is_usual)
    if row.aboard:
        # Where they sit is shown if there is room.
        yield RowFact(_where_aboard(state, row), f"{len(row.aboard)} aboard")
    if row.exited:
        yield RowFact(f"{row.exited} exited")


READY, UNARMED = "ready", "unarmed"
"""The usual readiness of a row, which a list of exceptions does not name."""


def _readiness(row: Row, *, carries: bool) -> str:
    """Who has not fired yet; empty where nobody could."""
    if not row.weapons:
        # Of a truck the load is stated, which is enough.
        if carries:
            return ""
        return UNARMED
    if row.ready_count == len(row.here):
        return READY
    if row.ready_count:
        return f"{row.ready_count} ready"
    # Passengers do not fire, so all aboard is no sign that they have.
    if len(row.aboard) < len(row.here) or not row.aboard:
        return "fired"
    return ""


def _where_aboard(state: State, row: Row) -> str:
    """``3 aboard K1, 2 aboard K2``."""
    riding = Counter(state.aboard[piece] for piece in row.aboard)
    parts = []
    # All carriers in their order, so that every row names them in the same one.
    for carrier in dict.fromkeys(state.aboard.values()):
        if riding[carrier]:
            parts.append(f"{riding[carrier]} aboard {piece_code(carrier)}")
    return ", ".join(parts)


def _inside(state: State, row: Row, room: int) -> str:
    """Who rides in the models of a row, shortened to ``room`` columns."""
    if not row.unit.seats:
        return ""
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        if all(piece in state.recorded for piece in row.here):
            return "empty"
        return ""
    if len(row.here) == 1:
        inside = inside_words(state, loaded[0])
    else:
        inside = ", ".join(f"{piece_code(piece)} {inside_words(state, piece)}" for piece in loaded)
    if len(inside) <= room:
        return inside
    return f"{sum(len(state.riders_of(piece)) for piece in loaded)} aboard"


# ------------------------------------------------------------------ the whole board


def board(state: State, statuses: Sequence[VictoryStatus]) -> Page:
    """The clock, the firing side, and both forces by block and row with their victory status.
    ``statuses`` are those the viewer may see."""
    terms = Paragraph(state.setup.victory, lead="Victory:")
    return Page(state.setup.title, (*clock_lines(state), *forces(state, statuses), terms))


def clock_lines(state: State) -> Iterator[Paragraph]:
    """Turn, phase, firing side and open question; after the end, the winner."""
    people = {side.id: side.people for side in state.setup.sides}
    if state.outcome:
        won = "A draw"
        if state.outcome.winner:
            won = f"{people[state.outcome.winner]} win"
        yield Paragraph(f"The battle is over. {won}. {state.outcome.reason}")
        return
    clock = state.clock
    yield Paragraph(
        f"Turn {clock.turn}, {people[clock.side]} to move, phase {clock.phase}: "
        f"{PHASES[clock.phase]}."
    )
    firing = f"{people[state.firing_side]} fire"
    if clock.phase == 1:
        firing += f" at anyone who moves more than {inches(FAR_MOVE)}"
    if clock.phase in CLOSE_PHASES:
        firing += " in contact only"
    sentences = [f"{firing}."]
    if state.movement_over:
        sentences.append("Movement is over.")
    for name in sorted(state.toggled):
        sentences.append(_covers_the_table(name))
    if state.is_dark:
        sentences.append("It is dark.")
    yield Paragraph(" ".join(sentences))
    refusal = waiting_for(state)
    if refusal:
        yield Paragraph(refusal.message)


def _covers_the_table(name: str) -> str:
    """What is said of a state that a card started, such as a sandstorm."""
    return f"{name.capitalize()} covers the table."


def forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    """Both sides with their losses and their rows."""
    yield from _forces(state, statuses, partial(_rows, state))


def grouped_forces(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Block]:
    """The forces for a narrow page: the rows of each group behind one another, and the terms of
    victory."""
    yield from _forces(state, statuses, partial(_groups, state))
    yield Paragraph(state.setup.victory, lead="Victory:")


def _forces(
    state: State,
    statuses: Sequence[VictoryStatus],
    rows_of: Callable[[str, Literal[0, 1]], Iterator[Block]],
) -> Iterator[Block]:
    """Both sides: the name, losses and victory, and the rows as ``rows_of`` shows them."""
    status_by_side = {status.side: status for status in statuses}
    # Each side has the colour of its party: 0 is that of the first side.
    parties: tuple[Literal[0, 1], Literal[0, 1]] = (0, 1)
    for party, side in zip(parties, state.setup.sides, strict=True):
        name = side.people
        if side.player:
            name = f"{side.people} ({side.player})"
        yield Heading(name, 3, party=party)
        yield Items(tuple(_status_lines(state, side.id, status_by_side.get(side.id))))
        yield from rows_of(side.id, party)


def _status_lines(state: State, side: str, status: VictoryStatus | None) -> Iterator[str]:
    """Losses, victory, who draws, works; ``status`` is None if the viewer may not see it."""
    losses = f"{state.loss.get(side, 0)} of {side_strength(state, side)} strength lost"
    break_point = beating_loss(state, side)
    if break_point:
        losses += f", break point {break_point}"
    yield f"{losses}."
    if status:
        yield f"{state.setup.side_by_id[side].people} {status.text}."
        if not status.can_win:
            yield can_no_longer_win(state, side)
    yield _who_draws(state, side)
    catalog_works = state.setup.catalog.works
    works = []
    for work, count in state.works.get(side, {}).items():
        if work in catalog_works:
            works.append(catalog_works[work].named(count))
        else:
            # Typed in during the battle: not one of the catalog.
            works.append(f"{count} {work}")
    if works:
        yield f"{', '.join(works)}."


def can_no_longer_win(state: State, side: str) -> str:
    """``The Germans can no longer win.``"""
    return f"{state.setup.the(side, 'The')} can no longer win."


def _who_draws(state: State, side: str) -> str:
    """``Referee: the program draws; 31 cards left.``"""
    level, source = state.levels[side], state.sources[state.source_of(side)]
    if level == "ledger":
        return "Ledger: losses and the clock only."
    who = "the player"
    if level == "referee":
        who = "the program"
    if source.kind == "die":
        return f"{level.capitalize()}: {who} rolls a die."
    return f"{level.capitalize()}: {who} draws; {source.left(DECK)} cards left."


def _rows(state: State, side: str, party: Literal[0, 1]) -> Iterator[Table]:
    """The rows of a side as a table; unlike ``_groups`` it has no colour of its party."""
    del party
    side_rows = rows(state, side)
    if not side_rows:
        return
    contingents = {row.contingent.id for row in side_rows}
    are_named = names_groups(state, side, len(contingents))
    removable = ["Notes"]
    if not are_named:
        removable.append("Group")
    cells = []
    for row in side_rows:
        contingent_name = ""
        if are_named:
            contingent_name = group_name(state, row.contingent)
        left = f"{len(row.alive)} of {row.total}"
        cells.append((row.letter, row.unit.name, left, note(state, row), contingent_name))
    titles = ("", "Unit", "Left", "Notes", "Group")
    yield without_empty_columns(table(titles, cells, numbers=(2,)), removable)


def _groups(state: State, side: str, party: Literal[0, 1]) -> Iterator[Stacks]:
    """The rows of a side by their contingents, each with who is left of it and what is unusual."""
    groups: dict[str, list[Token]] = {}
    for row in rows(state, side):
        left = f"{len(row.alive)} of {row.total}"
        aside = ", ".join(filter(None, (left, note(state, row))))
        token = Token(row.unit.name, key=row.letter, aside=aside)
        groups.setdefault(group_name(state, row.contingent), []).append(token)
    stacks = []
    for name, tokens in groups.items():
        place = ""
        if names_groups(state, side, len(groups)):
            place = name
        stacks.append(CounterStack(place, tuple(tokens)))
    if stacks:
        yield Stacks(tuple(stacks), party)


def names_groups(state: State, side: str, count: int) -> bool:
    """Whether the contingents of a side are named, of which there are ``count``: the name of the
    only one would say nothing, unless it has a force quality of its own."""
    return count > 1 or plays_qualities_of_contingents(state, side)


def group_name(state: State, contingent: Contingent) -> str:
    """The name of a contingent; with its force quality where contingents have their own."""
    quality = None
    if plays_qualities_of_contingents(state, contingent.side):
        quality = quality_of_contingent(state, contingent)
    if quality is None:
        return contingent.name
    return f"{contingent.name}, {quality.name.lower()}"


def note(state: State, row: Row) -> str:
    """What is unusual about a row: who cannot fire, who is where. Empty if nothing is."""
    if not row.alive:
        if row.exited:
            return f"{row.exited} exited"
        return "all lost"
    if not row.here:
        return f"arrive turn {row.contingent.enters}"
    exceptions = (fact for fact in _facts(state, row, ROOM_FOR_ALL) if not fact.is_usual)
    return _joined(exceptions, ROOM_FOR_ALL)


def victory(state: State, statuses: Sequence[VictoryStatus]) -> Iterator[Paragraph]:
    """Each side's goal and progress, including break points, until the battle is over."""
    if state.outcome is not None:
        return
    for status in statuses:
        # In a line of its own, which nothing can push off the screen.
        if not status.can_win:
            yield Paragraph(can_no_longer_win(state, status.side), tone="bad")
    for status in statuses:
        if status.text:
            people = state.setup.side_by_id[status.side].people
            yield Paragraph(f"{status.text}.", lead=people)


def allowed_now(state: State) -> Iterator[Paragraph]:
    """What may be done in this phase, for those who watch."""
    if state.outcome is not None:
        return
    if state.clock.phase == 1 and state.movement_over:
        yield Paragraph(state.setup.moves_no_more(state.mover))
    elif state.clock.phase == 1:
        moves = state.setup.does(state.mover, "move", "moves", article="The")
        enemy = state.setup.the(state.firing_side, "The")
        far = inches(FAR_MOVE)
        yield Paragraph(f"{moves} now. {enemy} may fire at anyone who moves more than {far}.")
    elif state.clock.phase in CLOSE_PHASES:
        yield Paragraph("Only units in contact with the enemy may fight now.")
    for name in sorted(state.toggled):
        yield Paragraph(_covers_the_table(name))


# ------------------------------------------------------------------ what is due


def due(play: BattlePlay) -> Iterator[Paragraph]:
    """Everything due now, the most pressing first; without victory."""
    state, events = play.state, last_events(play)
    if state.outcome is not None:
        return
    yield from _draws_known_again(play)
    yield from _decks_to_shuffle(state, events)
    yield from _tables_drawn(state, events)
    yield from _lots_drawn(state, events)
    yield from _commander_waits(state)
    yield from _weather(state)
    yield from _waves(state, due_now=True)
    to_serve = count_servable(state)
    if to_serve:
        yield Paragraph(f"{to_serve} can be served now: press S, then the letter", lead="S")
    yield from _waves(state, due_now=False)
    yield from _limits(state)
    yield from _reminders(state)
    yield from _set_up_areas(play)


def _commander_waits(state: State) -> Iterator[Paragraph]:
    """That the program's commander has something to say now, with the key that asks him."""
    mover, firing, phase = state.mover, state.firing_side, state.clock.phase
    commander = state.commanders.get(mover)
    if commander is not None and phase == 1 and not commander.advises:
        number = len(commander.orders)
        if commander.turn != state.clock.turn:
            who = state.setup.the(mover)
            yield Paragraph(f"The program commands {who}: press W for its orders", lead="W")
            return
        if number == 1:
            yield Paragraph("1 order waits to be carried out: press W", lead="W")
            return
        if number:
            yield Paragraph(f"{number} orders wait to be carried out: press W", lead="W")
            return
    commander = state.commanders.get(firing)
    if commander is not None and phase in (1, 2) and not commander.advises:
        who = state.setup.the(firing)
        asks = "its fire"
        if phase == 1:
            asks = "what it waits for"
        elif not has_fire_left(state, firing):
            yield Paragraph(f"The program has no shot left for {who}: > goes on", lead="W")
            return
        yield Paragraph(f"The program commands {who}: press W for {asks}", lead="W")


def _reminders(state: State) -> Iterator[Paragraph]:
    """What the scenario reminds of; with the key that reveals units while some are hidden."""
    text = reminders_now(state)
    if not text:
        return
    key = ""
    if state.hidden:
        key = "R"
    yield Paragraph(text, lead=key, tone="quiet")


def coming(state: State) -> Iterator[Paragraph]:
    """Weather and reinforcements, for spectators: without the players' keys."""
    if state.outcome is None:
        yield from _weather(state)
        yield from _waves(state, due_now=True, keys=False)
        yield from _waves(state, due_now=False)


def _weather(state: State) -> Iterator[Paragraph]:
    """What a card of a certain rank and suit has started and the next one ends, as a sandstorm."""
    for card, weather in state.setup.toggling.items():
        if weather.state in state.toggled:
            text = f"nobody sees beyond {inches(weather.sight_in)}; the next {card.words} ends it."
            yield Paragraph(text, lead=f"{weather.state.upper()}:", tone="bad")
    for darkness in state.darkness:
        text = f"nobody sees beyond {inches(darkness.sight_in)}"
        if darkness.before_turn is not None:
            text += f" before turn {darkness.before_turn}"
        yield Paragraph(f"{text}.", lead="DARK:", tone="bad")
    yield from _charges(state)


def _charges(state: State) -> Iterator[Paragraph]:
    """What has been blown up, and charges that are still to be drawn for, or to be cut."""
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


def agreed_before_play(state: State) -> Iterator[Paragraph]:
    """The answers in words that the players gave before play. Other answers, such as yes and no,
    are seen by what they changed."""
    for question, answer in state.setup.answers.items():
        if isinstance(answer, str):
            yield Paragraph(answer, lead=f"{question.replace('_', ' ').capitalize()}:")


def _draws_known_again(play: BattlePlay) -> Iterator[Paragraph]:
    """Draws that were taken back come again, and both players know them."""
    setup = play.state.setup
    for side in setup.sides:
        draws = known_next(play, side.id)
        if not draws:
            continue
        noun = "roll"
        if draws[0].is_card:
            noun = "card"
        if len(draws) == 1:
            what_comes = f"{setup.owned_by(side.id, noun)} is still the {draws[0].words}"
        else:
            shown = draws[:8]  # more would fill the screen
            what_comes = f"{setup.owned_by(side.id, f'{noun}s')} are still {spell(shown)}"
        yield Paragraph(f"Undone. The next {what_comes}.", tone="strong")


def _decks_to_shuffle(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """Players shuffle their own decks; the program shuffles its own."""
    just_shuffled = {event.source for event in events if isinstance(event, Shuffled)}
    turn_is_over = any(isinstance(event, TurnEnded) for event in events)
    shuffling = []
    for side in state.setup.sides:
        source_id = state.source_of(side.id)
        source = state.sources[source_id]
        if source.kind != "deck":
            continue
        by_hand = source.typed and source_id in just_shuffled
        # Of a ledger's deck the program knows only that it is shuffled each turn.
        unseen_by_program = turn_is_over and state.levels[side.id] == "ledger"
        if by_hand or unseen_by_program:
            shuffling.append(side)
    if len(shuffling) == len(state.setup.sides):
        yield Paragraph("Both sides shuffle their decks now.", tone="strong")
    elif shuffling:
        deck = state.setup.owned_by(shuffling[0].id, "deck")
        yield Paragraph(f"Shuffle the {deck} now.", tone="strong")


def _tables_drawn(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """What draw tables brought, and units added by hand after one."""
    explained = [event.explain for event in events if isinstance(event, TableDrawn)]
    for event in events:
        if isinstance(event, TableDrawn):
            people = state.setup.side_by_id[event.side].people
            yield Paragraph(event.explain, lead=f"{people}, draw {event.nth}:")
        elif isinstance(event, ChargesDrawn):
            people = state.setup.side_by_id[event.side].people
            yield Paragraph(event.explain, lead=f"{people}, charges:")
        elif isinstance(event, Added) and explained:
            # What the table itself added stands in its explanation already.
            if any(event.why in text for text in explained):
                continue
            yield Paragraph(f"{_who_came(state, event)} {event.why}".rstrip() + ".", lead="Added:")


def _who_came(state: State, added: Added) -> str:
    """``5 Rifle, 1 Tank``."""
    counts = Counter(state.setup.unit(piece.unit).short for piece in added.pieces)
    return ", ".join(f"{count} {unit}" for unit, count in counts.items())


def _lots_drawn(state: State, events: list[AnyEvent]) -> Iterator[Paragraph]:
    """The lots drawn before play, until the first shot or phase."""
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


def _waves(state: State, due_now: bool, *, keys: bool = True) -> Iterator[Paragraph]:
    """Reinforcements that may enter now, or those that may later; ``keys``: with the keys that
    bring them on."""
    for wave in waves(state):
        if wave.due_now != due_now:
            continue
        contingent = wave.contingent
        name = f"{state.setup.side_by_id[contingent.side].people}, {contingent.name}:"
        units = []
        for key, count in wave.units.items():
            row = find_row(state, key)
            if row:
                units.append(f"{count} {row.unit.short}")
        who = ", ".join(units)
        if contingent.by:
            who += f", {contingent.by}"
        if not due_now:
            turn = max(contingent.enters, state.clock.turn)
            yield Paragraph(f"Turn {turn}, {name} {who}.", tone="quiet")
        elif keys:
            yield Paragraph(f"{who}. Enter brings on all, A some.", lead=name)
        else:
            yield Paragraph(f"{who}. They may come on now.", lead=name)


def _limits(state: State) -> Iterator[Paragraph]:
    """What the side that moves may not do; and on the turn it ends, that it ends."""
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
    """The set-up zones, until the first shot or phase."""
    state = play.state
    if state.clock.turn > 1 or state.clock.phase > 1 or state.judged:
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


# ------------------------------------------------------------------ the verdict


# To make all lines of a journal takes long, so only its end is looked at. Void lines are few in a
# row, and so are notes and counts after a shot; what is further back has been seen long ago.
LINES_TO_LOOK_AT = 3
LINES_SINCE_THE_SHOT = 12


def last_line(play: BattlePlay) -> BattleLine | None:
    """The last line of the journal that is not void."""
    for line in reversed(lines(play, LINES_TO_LOOK_AT)):
        if not line.void:
            return line
    return None


def last_events(play: BattlePlay) -> list[AnyEvent]:
    """The events of the last line of the journal; none before the first."""
    line = last_line(play)
    if line is None:
        return []
    return line.events


RESULT_WORDS = {
    "hit": "HIT",
    "cover": "COVER",
    "hull_down": "HULL",
    "miss": "MISS",
    "broken": "BROKEN",
    "holds": "HOLDS",
}
"""The result of a shot or a second draw in large letters."""
CHECK_WORDS: dict[CheckKind, tuple[str, str]] = {
    "pin": ("PINNED", "NOT PINNED"),
    "command": ("HALT", "MOVE"),
    "entrench": ("DUG IN", "TOO HARD"),
    "wire": ("CUT", "WIRE"),
}
"""A check in large letters: if its result is true, and if it is not."""
_TONES: dict[str, Tone] = {
    "hit": "good",
    "broken": "bad",
    "miss": "quiet",
    "cover": "quiet",
    "hull_down": "quiet",
}
"""The tone of a result, as the side that fires sees it; other results have none."""
_OF_A_VERDICT = Aimed | Ceased | Checked | HitsCounted | Judged | Tested | Volleyed
"""The events of orders that have a verdict, the present or the next one: after any other order
nothing stands in large letters."""


def verdict(play: BattlePlay) -> Verdict | None:
    """The verdict in one word, and its reason, one line for each part."""
    if play.state.outcome is not None:
        line = last_line(play)
        if line is None:
            return Verdict(text="OVER", reason="")
        return Verdict(text="OVER", reason=line.text)
    if not _is_of_the_last_order(play):
        return None
    judgment = _LastJudgment(play.state, last_shot(play), _check_is_newest(play))
    word, reasons = judgment.word(), list(judgment.reasons())
    if not word and not reasons:
        return None
    return Verdict(
        text=word, reason="\n".join(reasons), tone=judgment.tone(), draw=judgment.only_draw()
    )


class _LastJudgment(NamedTuple):
    """What stands as the verdict: a check, a shot or a volley, and the pin check that follows it.
    ``shot_events`` are those of the last line with a shot; ``check_is_newest``: the last check is
    of its own, not that of the shot."""

    state: State
    shot_events: list[AnyEvent]
    check_is_newest: bool

    @property
    def hits(self) -> int | None:
        """The hits of a volley so far; None if the shot is no volley."""
        return _volley_hits(self.shot_events)

    @property
    def has_shot(self) -> bool:
        """Whether a shot was judged, or counted by hand."""
        counted = any(isinstance(event, HitsCounted) for event in self.shot_events)
        return self.state.verdict is not None or counted

    @property
    def large_check(self) -> Checked | None:
        """The check whose result is the word; None if the word is that of the shot."""
        if self.state.verdict is None or self.check_is_newest:
            return self.state.checked
        return None

    @property
    def large_hits(self) -> int | None:
        """The hits of the volley whose sum is the word; None if it is that of a single draw."""
        # In the middle of a volley a second draw is a question of its own: BROKEN or HOLDS.
        second_draw = isinstance(self.state.verdict, Tested) and self.state.ceased is None
        if second_draw:
            return None
        return self.hits

    def word(self) -> str:
        """The large word; empty if there is none."""
        if self.large_check is not None:
            return _check_word(self.large_check)
        if not self.has_shot:
            return ""
        if self.large_hits is None:
            return RESULT_WORDS.get(last_result(self.state), "")
        return self._volley_word(self.large_hits)

    def tone(self) -> Tone:
        """The colour of the word: what is bad for those who are concerned is bad."""
        check = self.large_check
        if check is not None:
            if check.check == "pin" and check.result:
                return "bad"
            return ""
        if not self.has_shot:
            return ""
        if self.large_hits is None:
            return _TONES.get(last_result(self.state), "")
        if self._broken():
            return "bad"
        # A volley without a hit is a miss.
        if not self.large_hits:
            return _TONES["miss"]
        return "good"

    def only_draw(self) -> Draw | None:
        """The card or roll of the word; None for a volley, which has many."""
        if self.large_check is not None:
            return self.large_check.draw
        judgment = self.state.verdict
        if judgment is None or self.hits is not None:
            return None
        return judgment.draw

    def _broken(self) -> int:
        """The weapons that broke down in the volley."""
        broken = 0
        for event in self.shot_events:
            if isinstance(event, HitsCounted | Tested):
                broken += event.broken
        return broken

    def _volley_word(self, hits: int) -> str:
        """``2 HITS 1 BROKEN``."""
        broken = self._broken()
        word = f"{hits} HITS"
        if hits == 1:
            word = "1 HIT"
        if broken:
            word += f" {broken} BROKEN"
        return word

    def reasons(self) -> Iterator[str]:
        """What stands below the word, a line each."""
        state, judgment = self.state, self.state.verdict
        if isinstance(state.ask, DrawAsk) and judgment is None:
            # A card is asked for: what was checked before has nothing to do with it.
            return
        if not self.check_is_newest:
            if self.has_shot and self.hits is not None:
                yield from _volley_reasons(state, self.shot_events)
            elif judgment is not None:
                yield judgment.draw.words.upper()
                yield without_draw(judgment.explain, judgment.draw)
            yield from self._back_on_the_table()
            yield from self._not_needed()
        if state.checked is not None:
            yield self._check_reason(state.checked)

    def _back_on_the_table(self) -> Iterator[str]:
        """After a shot that was judged again: who has to be put back, as the other side may see no
        more of it than the verdict. Once it is settled who dies instead."""
        state = self.state
        if state.ask is not None:
            return
        back: list[str] = []
        for event in self.shot_events:
            if isinstance(event, Recalled):
                back += [piece for piece in event.back if piece not in state.lost]
        if back:
            yield f"Back on the table: {state.words.counted(back)}."

    def _not_needed(self) -> Iterator[str]:
        """The cards or rolls that were typed ahead and go back: who drew them has to know."""
        for event in self.shot_events:
            if isinstance(event, DrawsUnused):
                yield event.narrate(self.state)

    def _check_reason(self, checked: Checked) -> str:
        """What stands below the large word about a check."""
        if checked.check != "pin" or checked.draw is None:
            return checked.explain
        card = checked.draw.words
        if self.state.verdict is None or self.check_is_newest:
            return card.upper()
        # The large word is that of the shot, so this line has to say what came of the check.
        return f"{_check_word(checked)} ({card})"


def _check_word(checked: Checked) -> str:
    """The result of a check in large letters."""
    succeeded, failed = CHECK_WORDS[checked.check]
    if checked.result:
        return succeeded
    return failed


def _is_of_the_last_order(play: BattlePlay) -> bool:
    """Whether the last order has a verdict, which then stays on the screen. Notes and counts after
    it are no orders in this sense; any other order takes the verdict away, also one of players who
    only record losses. So does a void: the line before it was long seen, and would look as if it
    had just happened."""
    if play.ends_with_void:
        return False
    for line in reversed(lines(play, LINES_SINCE_THE_SHOT)):
        order = line.entries[0].order
        beside = order is not None and order.in_journal == "beside"
        if line.void or beside or not line.events:
            continue
        return any(isinstance(event, _OF_A_VERDICT) for event in line.events)
    return False


def last_result(state: State) -> str:
    """The result of the last judgment, one of ``RESULT_WORDS``; empty if there is none."""
    judgment = state.verdict
    if isinstance(judgment, Judged):
        if judgment.hit:
            return "hit"
        return judgment.saved_by or "miss"
    if isinstance(judgment, Tested):
        if judgment.broken:
            return "broken"
        return "holds"
    return ""


def last_shot(play: BattlePlay) -> list[AnyEvent]:
    """The events of the last line with a shot: counts and corrections may have followed."""
    # Nearly always it is the last line, and to make more of them takes time.
    latest = last_events(play)
    if _has_shot(latest):
        return latest
    for line in reversed(lines(play, LINES_SINCE_THE_SHOT)):
        if not line.void and _has_shot(line.events):
            return line.events
    return []


def _has_shot(events: list[AnyEvent]) -> bool:
    return any(isinstance(event, HitsCounted | Judged | Volleyed) for event in events)


def _volley_hits(shot_events: list[AnyEvent]) -> int | None:
    """The hits of a volley so far; None if the events are those of a single shot."""
    # Only a volley has the verdicts of several shots taken back in one line.
    rejudged = sum(isinstance(event, Recalled) for event in shot_events) > 1
    fired = any(isinstance(event, HitsCounted | Volleyed) for event in shot_events)
    if not rejudged and not fired:
        return None
    hits = 0
    ceased = None
    for event in shot_events:
        if isinstance(event, HitsCounted):
            hits += event.hits
        elif isinstance(event, Judged):
            hits += event.hit
        elif isinstance(event, Ceased):
            ceased = event
    # The end of a volley has the sum of all its lines.
    if ceased is not None:
        return ceased.hits
    return hits


def check_is_large(play: BattlePlay) -> bool:
    """Whether the large word is that of the last check."""
    return play.state.verdict is None or _check_is_newest(play)


def _check_is_newest(play: BattlePlay) -> bool:
    """Whether the last check is independent, not the pin test of the last shot."""
    events = last_events(play)
    checked = any(isinstance(event, Checked) for event in events)
    return checked and not any(isinstance(event, Judged) for event in events)


def _volley_reasons(state: State, shot_events: list[AnyEvent]) -> Iterator[str]:
    """The draws of a volley by what they did, and who did not fire any more."""
    hits, saved, misses = [], [], []
    was_counted = False
    not_fired = ""
    for event in shot_events:
        if isinstance(event, HitsCounted):
            was_counted = True
            yield event.narrate(state)
        elif isinstance(event, Judged):
            if event.hit:
                hits.append(str(event.draw))
            elif event.saved_by:
                saved.append(str(event.draw))
            else:
                misses.append(str(event.draw))
        elif isinstance(event, Ceased):
            not_fired = ""
            if event.unused:
                not_fired = event.not_fired
    if hits:
        yield f"hit: {' '.join(hits)}"
    elif not was_counted:
        yield "hit: none"
    if saved:
        yield f"saved: {' '.join(saved)}"
    if misses:
        yield f"miss: {' '.join(misses)}"
    if not_fired:
        yield not_fired
