"""The pages of a game: the beach as it stands, and the rules by which it is played."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from skirmish.games.beach_head import phase_words, roll_words, wording
from skirmish.games.beach_head.commands import FROM_SEA_INLAND
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import number
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import Block, Facts, Gauge, Heading, Note, Paragraph
from skirmish.tabletop.presets import PresetBook


def board(state: BeachState, book: PresetBook, *, with_roll: bool) -> Iterator[Block]:
    """The beach, what the player counts, and the rulings in force; ``with_roll``: also the roll on
    the table."""
    yield from _gauges(state)
    yield Facts(tuple(_facts(state)))
    if with_roll:
        yield from roll_on_table(state)
    yield Note(_dice_cards_and_rulings(state, book))


def _gauges(state: BeachState) -> Iterator[Block]:
    """How much is left of each kind of defence of this beach."""
    points_at_start = state.setup.points()
    for defence_id in FROM_SEA_INLAND:
        if defence_id in state.setup.left_out:
            continue
        left = state.defences[defence_id]
        note = ""
        if not left:
            note = "cleared"
        name = state.ruleset.defence_of(defence_id).name
        yield Gauge(name, left, points_at_start[defence_id], note)


def _facts(state: BeachState) -> Iterator[tuple[str, str]]:
    """What the player counts besides the defences, each with its name."""
    # The first turn has not begun before the first order.
    yield "Turn", str(max(state.turn, 1))
    yield "Ashore", number(state.squads, "squad")
    yield "Tanks", ", ".join(wording.tanks_ashore(state)) or "none"
    yield "Lost", f"{number(state.casualties, 'squad')}, {number(state.tanks_lost, 'tank')}"
    if state.craft_hit:
        yield "Landing craft hit", "this turn, felt in the next"
    elif state.craft_hit_before:
        yield "Landing craft hit", "last turn"
    if state.deck is not None and not state.over:
        yield "Hand", signs(sorted(state.hand)) or "no cards"


def roll_on_table(state: BeachState) -> Iterator[Block]:
    """The roll on the table; at the end, how the game ended."""
    roll = state.roll
    if state.over:
        lost = number(state.casualties, "squad").capitalize()
        text = f"{lost} lost in {state.turn} turns; {state.squads} stand at the end."
        yield Paragraph(text, lead="The beach is taken.")
    elif roll is not None:
        yield Heading(roll_words.purpose(state, roll.task), 3)
        rows = [("Roll", roll_words.sum_text(state, roll))]
        if roll.faces:
            rows.append(("Result", roll_words.result(state, roll)))
        yield Facts(tuple(rows))
        if not roll.faces and state.ask is None:
            yield Note("Play cards first; then roll.")


def waited_for(state: BeachState) -> str | None:
    """What the game waits for, in words: an answer, or that a roll on the table is accepted. None
    if it only waits to go on."""
    question = wording.prompt_text(state)
    if question and not state.over:
        return question
    roll = state.roll
    if roll is not None and roll.faces:
        rolled = f"{roll_words.sum_text(state, roll)}: {roll_words.result(state, roll)}"
        return f"{roll_words.purpose(state, roll.task)}. Rolled {rolled}."
    return None


def _dice_cards_and_rulings(state: BeachState, book: PresetBook) -> str:
    """Whose dice and cards are used, and which rulings differ from the default."""
    dice = "The program's"
    if state.dice.typed:
        dice = "Your own"
    if state.deck is None:
        cards = "no"
    elif state.deck.typed:
        cards = "your own"
    else:
        cards = "the program's"
    text = f"{dice} dice, {cards} cards."
    rulings = state.setup.rulings
    departures = [f"{ruling.id} {rulings[ruling.id]}" for ruling, _ in book.departures(rulings)]
    if departures:
        text += f" Rulings other than the default: {', '.join(departures)}."
    return text


def rules(setup: BeachSetup, book: PresetBook, state: BeachState | None) -> Iterator[Block]:
    """The rules of this set-up: first the phase that is played now and the rulings that differ from
    the default, last all rulings. ``state`` is None for the rules of a game that nobody plays."""
    ruleset = setup.ruleset
    # The text of a phase is made from a state. Made from the opening, it leaves out what has
    # happened since.
    opening = BeachOpened(setup=setup).apply(None)
    if state is not None and state.phase is not None:
        yield Heading(f"Now: {state.present_phase.name}")
        yield Paragraph(phase_words.phase_text(opening, state.present_phase))
    yield from book.differing(setup.rulings)
    yield Heading("The aim")
    yield Paragraph(
        "The beach is taken when all bunkers and trenches are gone. Your score is the number "
        "of squads lost on the way: the fewer, the better. You cannot lose, and there is no "
        "last turn."
    )
    yield Heading("A turn")
    for number_of_phase, phase in enumerate(ruleset.phase, 1):
        lead = f"{number_of_phase} {phase.name}."
        yield Paragraph(phase_words.phase_text(opening, phase), lead=lead)
    yield from _rules_of_cards(ruleset)
    yield Heading("Tanks")
    for tank in ruleset.tank:
        yield Paragraph(f"{tank.about}.", lead=f"{tank.name}.")
    yield from book.blocks(setup.rulings)


def _rules_of_cards(ruleset: Ruleset) -> Iterator[Block]:
    """How cards are held and played, and what each rank does."""
    yield Heading("Cards")
    yield Paragraph(
        "A card is played on any die that lies on the table and does not count yet, German "
        f"ones too. You fill up to {ruleset.hand.full} and keep {ruleset.hand.keep} at the end "
        "of a turn."
    )
    for card in sorted(ruleset.card, key=attrgetter("rank")):
        lead = f"{signs([Draw(card.rank)])} {card.name}."
        yield Paragraph(wording.card_use(ruleset, card), lead=lead)
