"""Beach Head as the shell uses it: set-up, commands, prompts and pages; what its pages say is in
``wording``, its rules are in ``orders`` and ``events``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import events, wording
from skirmish.games.beach_head.card_values import uses
from skirmish.games.beach_head.commands import FROM_SEA_INLAND, commands, prompt
from skirmish.games.beach_head.orders import BeachOrder
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset, Variant, read_ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import number
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.game import PLAYERS, Game, JournalLine, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.page import (
    Block,
    Facts,
    Gauge,
    Heading,
    Note,
    Page,
    Paragraph,
    Step,
    Steps,
    Tone,
    capital,
)
from skirmish.tabletop.presets import OWN, PresetBook, read_presets
from skirmish.tabletop.scores import Score
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Words, form_choice

BeachPlay: TypeAlias = Play[BeachState, BeachOrder, events.BeachEvent]
BeachEntry: TypeAlias = Entry[BeachOrder, events.BeachEvent]

# Choices of the set-up form: the answer, its name, and what it means.
VARIANTS = (
    ("normandy", "Normandy", "A British or Canadian beach, with all four types of tanks."),
    ("omaha", "Omaha", "The American beach: no funny tanks, and no anti-tank ditches."),
)
DICE = (
    ("program", "the program rolls", "Space rolls the dice."),
    (OWN, "own dice, typed in", "You roll and type what your dice show: 4, or 163 for three dice."),
)
DECKS = (
    ("program", "the program deals", "A hand of up to seven cards, played by rank."),
    (OWN, "own deck, typed in", "You draw from your own deck and type the ranks: 7 q 0 (a ten)."),
    ("none", "without cards", "Dice alone: quicker, and far bloodier."),
)
PRINTED = "printed"
"""The preset with every ruling as the rules are printed."""
GREATEST_NUMBER = 1_000
"""No number of a stored game may be greater: dice and loops are made of them."""


class Gain(NamedTuple):
    """An event's effect on the turn, ``-4 bunkers``: its ``sign``, the ``amount`` (0: it is not
    counted), the ``noun``, and its ``short`` form (empty: the number says it all). The noun may be
    in the singular, as that of a tank, or in the plural, as the ids of defences are: ``_singular``
    and ``_plural`` know the endings of all of them, and a new defence may need another there."""

    sign: str
    amount: int
    noun: str
    short: str


class TurnSoFar(NamedTuple):
    """What the phases of this turn have come to, by their ids: the gains of those played, why the
    others were skipped, and which an Admiral repeated."""

    gained: dict[str, list[Gain]]
    skipped: dict[str, wording.SkipReason]
    repeated: set[str]


class BeachHeadGame(Game[BeachState, BeachOrder, events.BeachEvent]):
    """Beach Head by these numbers and rulings; ``revision`` identifies both."""

    id, name = "beach_head", "Beach Head"
    order, event = BeachOrder, events.BeachEvent
    voids = False  # every roll follows from those before it; only the last order is taken back
    comparison = "The fewer squads lost, the better."

    def __init__(self, ruleset: Ruleset, book: PresetBook, revision: str = "") -> None:
        self.ruleset, self.book, self.revision = ruleset, book, revision

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return (
            Field(slot=form_choice("variant", "Which beach is it?", VARIANTS, "Beach")),
            *self.book.fields("Scores are compared only under the same rulings."),
            Field(slot=form_choice("dice", "Who rolls?", DICE)),
            Field(slot=form_choice("cards", "Who deals?", DECKS)),
            Field(
                slot=Words(
                    name="player",
                    text="Which name goes into the high scores?",
                    longest=20,
                    default="",
                )
            ),
        )

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.book.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[events.BeachEvent]:
        dice = _source("die", answers.get("dice", "program"), seed)
        cards: Source | None = None
        if answers.get("cards") != "none":
            cards = _source("deck", answers.get("cards", "program"), seed)
        setup = self.setup(
            self.book.chosen(answers),
            variant=answers.get("variant", "normandy"),
            dice=dice,
            cards=cards,
            player=answers.get("player", ""),
        )
        return [events.BeachOpened(setup=setup)]

    def completed(self, event: events.BeachEvent) -> events.BeachEvent:
        if not isinstance(event, events.BeachOpened):
            return event
        rulings = self.book.completed(event.setup.rulings)
        return replace(event, setup=replace(event.setup, rulings=rulings))

    def setup(
        self,
        rulings: Mapping[str, str] = {},
        *,
        dice: Source,
        cards: Source | None = None,
        variant: Variant = "normandy",
        player: str = "",
        revision: str | None = None,
    ) -> BeachSetup:
        """A set-up with today's numbers, under the default rulings but for these. Without ``cards``
        it is played with dice alone; ``revision``: of the numbers and rulings, None for today's.
        Raises ValueError (a sentence) for unknown rulings."""
        answers = self.book.answered(rulings)
        if revision is None:
            revision = self.revision
        return BeachSetup(
            ruleset=self.ruleset,
            rulings=answers,
            named=self.book.named(answers),
            version=2,  # 1 is that of journals which name none (see ``BeachSetup``)
            dice=dice,
            cards=cards,
            variant=variant,
            player=player,
            revision=revision,
        )

    def title(self, state: BeachState) -> str:
        setup = state.setup
        if setup.player:
            return f"{setup.title}: {setup.player}"
        return setup.title

    def over(self, state: BeachState) -> bool:
        return state.over

    def commands(self, state: BeachState) -> tuple[Command[BeachOrder], ...]:
        return commands(state)

    def stops(self, state: BeachState) -> bool:
        """Whether running on stops here, since there is a decision. Of the rolls only German ones
        stop it, and only if a card could soften them."""
        if state.over or state.ask is not None:
            return True
        is_german_roll = state.roll is not None and state.present_phase.side == "german"
        return is_german_roll and bool(uses(state))

    def prompt(self, state: BeachState) -> Command[BeachOrder] | None:
        return prompt(state)

    def check_opening(self, entry: BeachEntry) -> None:
        """Raises ValueError for an invalid opening: a current game must match a current set-up;
        older ones are judged by their own numbers."""
        if len(entry.events) != 1 or not isinstance(entry.events[0], events.BeachOpened):
            raise ValueError(f"entry {entry.number} is not the opening of a game")
        setup = entry.events[0].setup
        if not _is_fresh(setup):
            raise ValueError("its dice or cards were used before the game began")
        if setup.revision != self.revision:
            if _greatest_number(setup.ruleset) > GREATEST_NUMBER:
                text = f"it has numbers beyond {GREATEST_NUMBER}; no game of Beach Head has"
                raise ValueError(text)
            return
        if setup.ruleset != self.ruleset:
            raise ValueError("its numbers are not those of Beach Head")
        answers = self.book.answered(setup.rulings)
        if setup.rulings != answers or setup.named != self.book.named(answers):
            raise ValueError("its rulings are not those that it names")

    def check(self, state: BeachState) -> None:
        """Raises ValueError where a journal from elsewhere leads to what no game comes to: its
        numbers may be older ones, or those of somebody's own making."""
        if any(points < 0 for points in state.defences.values()) or state.squads < 0:
            raise ValueError("there is less than nothing on the beach")
        # Asked for what it does not know, the ruleset raises StopIteration, which refuses the
        # journal as well.
        ruleset = state.ruleset
        for tank in state.tanks:
            ruleset.tank_of(tank)
        for defence in state.defences:
            ruleset.defence_of(defence)
        for card in (*state.hand, *state.discard):
            ruleset.card_of(card)

    def headline(self, state: BeachState) -> str:
        return wording.headline(state)

    def turn(self, state: BeachState) -> int:
        return state.turn

    def page(self, state: BeachState, viewer: Viewer = PLAYERS) -> Page:
        return Page(self.title(state), tuple(self._board(state)))

    def _board(self, state: BeachState) -> Iterator[Block]:
        """The beach, what the players count, the roll on the table, and by what rulings it is
        played."""
        yield from _gauges(state)
        yield Facts(tuple(_facts(state)))
        yield from _roll(state)
        yield Note(self._conditions(state))

    def _conditions(self, state: BeachState) -> str:
        """Whose dice and cards, and which rulings differ from the default."""
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
        departures = [
            f"{ruling.id} {rulings[ruling.id]}" for ruling, _ in self.book.departures(rulings)
        ]
        if departures:
            text += f" Rulings other than the default: {', '.join(departures)}."
        return text

    def situation(self, state: BeachState, viewer: Viewer = PLAYERS) -> Page:
        return Page("", tuple(_roll(state)))

    def phases(self, play: BeachPlay) -> Steps:
        return Steps(tuple(_steps(play)))

    def facts(self, play: BeachPlay) -> dict[str, Any]:
        state, setup = play.state, play.state.setup
        phases = []
        for phase, step in zip(setup.ruleset.phase, _steps(play), strict=True):
            standing: str = step.state
            # Every phase still to come is "next" on the screen; exports have called it "ahead"
            # from the beginning, and programs read them.
            if standing == "next":
                standing = "ahead"
            phases.append({"phase": phase.id, "standing": standing, "says": step.note})
        return {
            "variant": setup.variant,
            "reading": setup.named,
            "player": setup.player,
            "turn": state.turn,
            "phase": state.phase,
            "casualties": state.casualties,
            "squads": state.squads,
            "tanks_lost": state.tanks_lost,
            "craft_hit": state.craft_hit,
            "craft_hit_before": state.craft_hit_before,
            "waiting": _waiting(state),
            "tanks": {tank.id: state.tanks.count(tank.id) for tank in setup.ruleset.tank},
            "hand": [str(card) for card in state.hand],
            "defences": {defence.id: state.defences[defence.id] for defence in setup.defences},
            "ladder": phases,
        }

    def verdict(self, play: BeachPlay, viewer: Viewer = PLAYERS) -> Verdict | None:
        """The total of the roll that the last order settled."""
        before = play.state_before
        if before.roll is None or play.ends_with_void:
            return None
        for event in play.live[-1].events:
            if isinstance(event, events.Settled):
                reason = wording.purpose(before, before.roll.task)
                tone: Tone = "good"
                if before.present_phase.side == "german" and event.total > 0:
                    tone = "bad"
                return Verdict(text=str(event.total), reason=reason, tone=tone)
        return None

    def journal(
        self, play: BeachPlay, viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        """One line per phase with events, newest last; the ``last`` entries suffice if given."""
        live = play.live
        first = 1  # the opening has no line
        if last:
            first = max(1, len(live) - last)
        state = play.states[first - 1]  # before the first of these entries
        lines: list[_PhaseOfJournal] = []
        for entry in live[first:]:
            for event in entry.events:
                # Told in the state before it.
                text, state = event.narrate(state), event.apply(state)
                if not text:
                    continue
                # A phase that begins, is skipped or takes the beach has a line of its own.
                if not lines or isinstance(event, events.Begun | events.Skipped | events.Won):
                    only_begun = isinstance(event, events.Begun)
                    lines.append(_PhaseOfJournal(state.turn, entry.number, only_begun))
                lines[-1].add(event, text)
        return [line.as_line() for line in lines if line.has_events]

    def advice(self, state: BeachState) -> Iterator[Page]:
        # Here and below: the advice simulates, and the game is played without loading NumPy.
        from skirmish.games.beach_head.advice import advising  # noqa: PLC0415

        for advice in advising(state):
            yield advice.page()

    def rating(self, state: BeachState) -> str:
        from skirmish.games.beach_head.advice import placed_among_games  # noqa: PLC0415

        placing = placed_among_games(state)
        return (
            f"You lost fewer squads than the program in {100 * placing.share:.0f}% of "
            f"{placing.games:,} games that it played on this beach, by the same rulings."
        )

    def score(self, state: BeachState) -> Score:
        """The score of a game. Only games on the same beach, with the same rulings and kind of
        cards, compare."""
        setup = state.setup
        with_cards = setup.cards is not None
        beaches = {id: name for id, name, _ in VARIANTS}
        beach = beaches[setup.variant]
        table = f"{beach}, {self._rulings_name(setup)}"
        if not with_cards:
            table += ", without cards"
        return Score(
            table=table,
            # The printed rules come before other readings, games with cards before those without.
            order=(setup.named != PRINTED, not with_cards, setup.variant, setup.named),
            # Less is better: fewer lost, then fewer turns, then more who stand at the end.
            worth=(state.casualties, state.turn, -state.squads),
            cells={
                "Lost": state.casualties,
                "Turns": state.turn,
                "Alive": state.squads,
                "Player": setup.player or "-",
            },
            data={
                "variant": setup.variant,
                "reading": setup.named,
                "casualties": state.casualties,
                "turns": state.turn,
                "alive": state.squads,
                "cards": with_cards,
                "player": setup.player,
            },
        )

    def _rulings_name(self, setup: BeachSetup) -> str:
        """The preset's name inside a sentence, or the rulings that differ."""
        preset = self.book.presets.get(setup.named)
        if preset is None:
            return setup.named
        return preset.name[:1].lower() + preset.name[1:]

    def rules(self, state: BeachState | None = None) -> Page:
        setup = self.setup({}, dice=Source("die"))
        if state is not None:
            setup = state.setup
        return Page("The rules of Beach Head", tuple(self._rules(setup, state)))

    def _rules(self, setup: BeachSetup, state: BeachState | None) -> Iterator[Block]:
        """The rules of this set-up: first the phase that is played now, last the rulings."""
        ruleset = setup.ruleset
        # As the game begins: the rules are told without what has happened since.
        begun = events.BeachOpened(setup=setup).apply(None)
        if state is not None and state.phase is not None:
            yield Heading(f"Now: {state.present_phase.name}")
            yield Paragraph(wording.phase_text(begun, state.present_phase))
        yield from self.book.differing(setup.rulings)
        yield Heading("The aim")
        yield Paragraph(
            "The beach is taken when all bunkers and trenches are gone. Your score is the number "
            "of squads lost on the way: the fewer, the better. You cannot lose, and there is no "
            "last turn."
        )
        yield Heading("A turn")
        for number_of_phase, phase in enumerate(ruleset.phase, 1):
            lead = f"{number_of_phase} {phase.name}."
            yield Paragraph(wording.phase_text(begun, phase), lead=lead)
        yield from _rules_of_cards(ruleset)
        yield Heading("Tanks")
        for tank in ruleset.tank:
            yield Paragraph(f"{tank.about}.", lead=f"{tank.name}.")
        yield from self.book.blocks(setup.rulings)


def _rules_of_cards(ruleset: Ruleset) -> Iterator[Block]:
    """How cards are held and played, and what each rank does."""
    yield Heading("Cards")
    yield Paragraph(
        "A card is played on any die that lies on the table and does not count yet, German "
        f"ones too. You fill up to {ruleset.hand.full} and keep {ruleset.hand.keep} at the end "
        "of a turn."
    )
    for rank in sorted(card.rank for card in ruleset.card):
        card = ruleset.card_of(Draw(rank))
        lead = f"{signs([Draw(rank)])} {card.name}."
        yield Paragraph(wording.card_use(ruleset, card), lead=lead)


def game(tables: Mapping[str, Any], revision: str = "") -> BeachHeadGame:
    """The game by its data files, ``game`` and ``rulings``. Raises DataError."""
    book = read_presets(tables["rulings"], "beach_head/rulings.toml")
    return BeachHeadGame(read_ruleset(tables["game"]), book, revision)


# ------------------------------------------------------------ set-up


def _source(kind: Literal["die", "deck"], whose: str, seed: Seed) -> Source:
    """The program's dice or deck, with a seed of their own; without one they are typed in."""
    if whose == OWN:
        return Source(kind, seed=None)
    return Source(kind, seed())


def _is_fresh(setup: BeachSetup) -> bool:
    """Whether nothing has been rolled or drawn yet."""
    if setup.dice != Source("die", setup.dice.seed):
        return False
    return setup.cards is None or setup.cards == Source("deck", setup.cards.seed)


def _greatest_number(ruleset: Ruleset) -> int:
    """The greatest number in a ruleset, also inside its dice, as ``9999d6``. Nine
    digits are enough to see it, and Python does not convert thousands of them."""
    text = msgspec.json.encode(ruleset).decode()
    return max(int(digits[:9]) for digits in re.findall(r"\d+", text))


# ------------------------------------------------------------ the journal


class _PhaseOfJournal:
    """A line of the journal while it grows: a phase, and the sentences of what happened in it.
    ``number`` is that of its first entry; ``begun``: its first sentence only names the phase."""

    def __init__(self, turn: int, number: int, begun: bool) -> None:
        self.turn = turn
        self.number = number
        self.begun = begun
        self.texts: list[str] = []
        self.drawn: list[Draw] = []
        """The cards that the last sentence lists."""

    def add(self, event: events.BeachEvent, text: str) -> None:
        """Appends the sentence of an event, or completes an unfinished one. Cards drawn one after
        another are listed together."""
        if isinstance(event, events.Drew):
            self.drawn.append(event.card)
            if len(self.drawn) > 1:
                self.texts[-1] = events.drew_text(self.drawn)
                return
        else:
            self.drawn.clear()
        # After an unfinished sentence the text goes on with a small letter. So does the first text:
        # it may complete a sentence of an entry that is not shown.
        if self.texts and not self.texts[-1].endswith(events.UNFINISHED):
            text = capital(text)
        self.texts.append(text)

    @property
    def has_events(self) -> bool:
        """Whether anything happened in it: a line that only names a phase is left out."""
        return len(self.texts) > 1 or not self.begun

    def as_line(self) -> JournalLine:
        """A roll that waits for the player to choose is closed as it stands."""
        text = " ".join(self.texts)
        if text.endswith(events.UNFINISHED):
            text = f"{text.removesuffix(events.UNFINISHED)}."
        return JournalLine(self.turn, (self.number,), text)


# ------------------------------------------------------------ the board


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
    """What the players count beside the defences, by its name."""
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


def _roll(state: BeachState) -> Iterator[Block]:
    """The roll on the table; at the end, how the game ended."""
    roll = state.roll
    if state.over:
        lost = number(state.casualties, "squad").capitalize()
        text = f"{lost} lost in {state.turn} turns; {state.squads} stand at the end."
        yield Paragraph(text, lead="The beach is taken.")
    elif roll is not None:
        yield Heading(wording.purpose(state, roll.task), 3)
        rows = [("Roll", wording.sum_text(state, roll))]
        if roll.faces:
            rows.append(("Result", wording.result(state, roll)))
        yield Facts(tuple(rows))
        if not roll.faces and state.ask is None:
            yield Note("Play cards first; then roll.")


def _waiting(state: BeachState) -> str | None:
    """What the game waits for: an answer, or a roll that lies on the table."""
    roll = state.roll
    question = wording.prompt_text(state)
    if question and not state.over:
        return question
    if roll is not None and roll.faces:
        rolled = f"{wording.sum_text(state, roll)}: {wording.result(state, roll)}"
        return f"{wording.purpose(state, roll.task)}. Rolled {rolled}."
    return None


# ------------------------------------------------------------ the phases of this turn


def _steps(play: BeachPlay) -> Iterator[Step]:
    """Every phase with its results so far, or the reason for skipping it; a phase that an Admiral
    repeats has the results of both."""
    state, turn = play.state, _turn_so_far(play)
    for number_of_phase, phase in enumerate(state.ruleset.phase, 1):
        name = f"{number_of_phase} {phase.name}"
        if phase.id in turn.repeated:
            name += " twice"
        # A phase that was played and is skipped when it is repeated shows what it came to.
        if phase.id in turn.gained:
            is_now = phase.id == state.phase and not state.over
            yield _played_step(name, turn.gained[phase.id], is_now=is_now)
        elif phase.id in turn.skipped:
            reason, short_reason = turn.skipped[phase.id]
            yield Step(name, "skipped", reason, short_reason)
        else:
            yield Step(name, "next")


def _played_step(name: str, gained: Sequence[Gain], *, is_now: bool) -> Step:
    """A phase that goes on or is over, with what it came to."""
    words = ", ".join(summed(gained))
    abbreviated = " ".join(summed(gained, abbreviated=True))
    if is_now:
        return Step(name, "now", words, abbreviated)
    return Step(name, "done", words or "nothing", abbreviated)


def _turn_so_far(play: BeachPlay) -> TurnSoFar:
    """What happened in each phase of the present turn."""
    turn = TurnSoFar(gained={}, skipped={}, repeated=set())
    # What happens before the first phase belongs to no phase, and no step shows it.
    phase: str = ""
    for before, event in _this_turn(play):
        match event:
            case events.Begun():
                phase = event.phase
                turn.gained.setdefault(phase, [])
                if event.again:
                    turn.repeated.add(phase)
            case events.Skipped():
                reason = wording.why_skipped(before, event.phase_in(before), event.why)
                turn.skipped[event.phase] = reason
            case _:
                gain = _gain_of(event, play.state.ruleset)
                if gain is not None:
                    turn.gained.setdefault(phase, []).append(gain)
    return turn


def _this_turn(play: BeachPlay) -> Iterator[tuple[BeachState, events.BeachEvent]]:
    """The events of the present turn, each with the state before it. The order that begins the turn
    may have begun in the turn before; its first events are left out."""
    turn = play.state.turn
    first = _first_entry_of(turn, play)
    state = play.states[first - 1]
    for entry in play.live[first:]:
        for event in entry.events:
            before, state = state, event.apply(state)
            if state.turn == turn:
                yield before, event


def _first_entry_of(turn: int, play: BeachPlay) -> int:
    """The index in ``live`` of the entry in which the turn begins; the number of entries if it has
    not begun."""
    # A state of ``states`` is the one after the entry of ``live`` with the same index. It is sought
    # from the end, since the present turn is the last of many.
    for index in range(len(play.states) - 1, 0, -1):
        if play.states[index - 1].turn < turn:
            return index
    return len(play.states)


def _gain_of(event: events.BeachEvent, ruleset: Ruleset) -> Gain | None:
    """What an event adds to its phase; None for what is not worth a word."""
    match event:
        case events.Removed(points=points) if points:
            return Gain("-", points, event.target, "")
        case events.Dug(points=points) if points:
            return Gain("+", points, event.target, "")
        case events.SquadsLanded(squads=squads) if squads:
            return Gain("+", squads, "squad", "")
        case events.Killed(squads=squads) if squads:
            return Gain("-", squads, "squad", "")
        case events.TankLanded(kind=None):
            return Gain("", 0, "none lands", "none lands")
        case events.TankLanded(kind=str(kind)):
            return Gain("+", 1, ruleset.tank_of(kind).noun, "tank")
        case events.TankLost(kind=kind):
            return Gain("-", 1, ruleset.tank_of(kind).noun, "tank")
        case events.CraftHit():
            return Gain("", 0, "landing craft hit", "craft hit")
        case events.Passed(why="no_tank"):
            return Gain("", 0, "no tank to hit", "no tank")
        case events.Drew():
            return Gain("", 1, "card", "card")
    return None


def summed(gained: Sequence[Gain], *, abbreviated: bool = False) -> list[str]:
    """Adds up the counted gains, in order of first appearance: ``-4 bunkers``."""
    sums: dict[tuple[str, str], int] = {}
    for gain in gained:
        noun = gain.noun
        if abbreviated:
            noun = gain.short
        sums[gain.sign, noun] = sums.get((gain.sign, noun), 0) + gain.amount
    return [_counted(sign, amount, noun) for (sign, noun), amount in sums.items()]


def _counted(sign: str, amount: int, noun: str) -> str:
    """``-4 bunkers``, ``+1 tank``; only the number or only the noun where the other is missing."""
    if not amount:
        return noun
    if not noun:
        return f"{sign}{amount}"
    if amount == 1:
        return f"{sign}1 {_singular(noun)}"
    return f"{sign}{amount} {_plural(noun)}"


def _singular(noun: str) -> str:
    """The singular of ``trenches``, ``ditches``, ``mines``; nouns without an ending stay."""
    if noun.endswith("ches"):
        return noun.removesuffix("es")
    return noun.removesuffix("s")


def _plural(noun: str) -> str:
    """The plural of ``squad`` or ``tank``; ``bunkers`` and ``wire`` stay as they are."""
    if noun.endswith(("s", "wire")):
        return noun
    return f"{noun}s"
