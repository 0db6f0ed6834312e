"""The game as the shell uses it: set-up, commands, prompts and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from skirmish.games.beach_head import events, wording
from skirmish.games.beach_head.commands import SHORE, commands, prompt
from skirmish.games.beach_head.orders import BeachOrder
from skirmish.games.beach_head.policies import uses
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset, read_ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import number
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.game import PLAYERS, Field, Game, JournalLine, Seed, Verdict, Viewer
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
    capital,
)
from skirmish.tabletop.presets import OWN, PresetBook, read_presets
from skirmish.tabletop.scores import Score
from skirmish.tabletop.slots import Words, chosen

BeachPlay: TypeAlias = Play[BeachState, BeachOrder, events.BeachEvent]
BeachEntry: TypeAlias = Entry[BeachOrder, events.BeachEvent]

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
Gain: TypeAlias = tuple[str, int, str, str]
"""An event's effect on the turn: sign, amount (0: not counted), noun, and short form."""
GREATEST = 1_000


class BeachHeadGame(Game[BeachState, BeachOrder, events.BeachEvent]):
    """``revision`` identifies the numbers and the rulings."""

    id, name = "beach_head", "Beach Head"
    order, event = BeachOrder, events.BeachEvent
    voids = False
    comparison = "The fewer squads lost, the better."

    def __init__(self, ruleset: Ruleset, book: PresetBook, revision: str = "") -> None:
        self.ruleset, self.book, self.revision = ruleset, book, revision

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return (
            Field(slot=chosen("variant", "Which beach is it?", VARIANTS, "Beach")),
            *self.book.fields("Scores are compared only under the same rulings."),
            Field(slot=chosen("dice", "Who rolls?", DICE)),
            Field(slot=chosen("cards", "Who deals?", DECKS)),
            Field(slot=Words(name="player", text="Which name goes into the high scores?",
                             longest=20, default="")),
        )  # fmt: skip

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.book.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[events.BeachEvent]:
        cards = answers.get("cards", "program")
        setup = self.setup(
            self.book.chosen(answers),
            variant=answers.get("variant", "normandy"),
            dice=Source("die", None if answers.get("dice") == OWN else seed()),
            cards=None if cards == "none" else Source("deck", None if cards == OWN else seed()),
            player=answers.get("player", ""),
        )
        return [events.BeachOpened(setup=setup)]

    def completed(self, event: events.BeachEvent) -> events.BeachEvent:
        if not isinstance(event, events.BeachOpened):
            return event
        rulings = self.book.completed(event.setup.rulings)
        return msgspec.structs.replace(
            event, setup=msgspec.structs.replace(event.setup, rulings=rulings)
        )

    def setup(self, rulings: Mapping[str, str] = {}, **chosen: Any) -> BeachSetup:
        """A set-up with today's numbers; ``chosen`` are further fields of it. Raises ValueError (a
        sentence) for unknown rulings."""
        answers = self.book.answered(rulings)
        named, chosen = self.book.named(answers), {"revision": self.revision, **chosen}
        return BeachSetup(ruleset=self.ruleset, rulings=answers, named=named, version=2, **chosen)

    def title(self, state: BeachState) -> str:
        player = state.setup.player
        return f"{state.setup.title}: {player}" if player else state.setup.title

    def over(self, state: BeachState) -> bool:
        return state.over

    def commands(self, state: BeachState) -> tuple[Command[BeachOrder], ...]:
        return commands(state)

    def stops(self, state: BeachState) -> bool:
        """Stops where there is a decision: at a German roll only if a card could soften it."""
        if state.over or state.ask is not None:
            return True
        return state.roll is not None and state.now.side == "german" and bool(uses(state))

    def prompt(self, state: BeachState) -> Command[BeachOrder] | None:
        return prompt(state)

    def examine(self, entry: BeachEntry) -> None:
        """Raises ValueError for an invalid opening: a current game must match a current set-up;
        older ones are judged by their own numbers."""
        opened = entry.events[0] if len(entry.events) == 1 else None
        if not isinstance(opened, events.BeachOpened):
            raise ValueError(f"entry {entry.number} is not the opening of a game")
        setup = opened.setup
        fresh = Source("die", setup.dice.seed), setup.cards and Source("deck", setup.cards.seed)
        if (setup.dice, setup.cards) != fresh:
            raise ValueError("its dice or cards were used before the game began")
        if setup.revision != self.revision:
            numbers = re.findall(r"\d+", msgspec.json.encode(setup.ruleset).decode())
            if any(int(number[:9]) > GREATEST for number in numbers):
                raise ValueError(f"it has numbers beyond {GREATEST}; no game of Beach Head has")
        elif setup.ruleset != self.ruleset:
            raise ValueError("its numbers are not those of Beach Head")
        else:
            answers = self.book.answered(setup.rulings)
            if (setup.rulings, setup.named) != (answers, self.book.named(answers)):
                raise ValueError("its rulings are not those that it names")

    def check(self, state: BeachState) -> None:
        if any(points < 0 for points in state.defences.values()) or state.squads < 0:
            raise ValueError("there is less than nothing on the beach")
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
        setup, start = state.setup, state.setup.points()
        for name in SHORE:
            if name not in setup.left_out:
                left, called = state.defences[name], state.ruleset.defence_of(name).name
                yield Gauge(called, left, start[name], "" if left else "cleared")
        facts = [
            ("Turn", str(max(state.turn, 1))),
            ("Ashore", number(state.squads, "squad")),
            ("Tanks", ", ".join(wording.tanks_ashore(state)) or "none"),
            ("Lost", f"{number(state.casualties, 'squad')}, {number(state.tanks_lost, 'tank')}"),
        ]
        if state.craft_hit or state.craft_hit_before:
            when = "this turn, felt in the next" if state.craft_hit else "last turn"
            facts.append(("Landing craft hit", when))
        if state.deck is not None and not state.over:
            facts.append(("Hand", signs(sorted(state.hand)) or "no cards"))
        yield Facts(tuple(facts))
        yield from _roll(state)
        dice = "Your own" if state.dice.typed else "The program's"
        cards = "your own" if state.deck and state.deck.typed else "the program's"
        note = f"{dice} dice, {cards if state.deck else 'no'} cards."
        if others := self.book.departures(setup.rulings):
            listed = ", ".join(f"{one.id} {setup.rulings[one.id]}" for one, _ in others)
            note += f" Rulings other than the default: {listed}."
        yield Note(note)

    def situation(self, state: BeachState, viewer: Viewer = PLAYERS) -> Page:
        return Page("", tuple(_roll(state)))

    def phases(self, play: BeachPlay) -> Steps:
        return Steps(tuple(_steps(play)))

    def facts(self, play: BeachPlay) -> dict[str, Any]:
        state, setup = play.state, play.state.setup
        counted = "casualties", "squads", "tanks_lost", "craft_hit", "craft_hit_before"
        return {
            "variant": setup.variant,
            "reading": setup.named,
            "player": setup.player,
            **{name: getattr(state, name) for name in ("turn", "phase", *counted)},
            "waiting": _waiting(state),
            "tanks": {tank.id: state.tanks.count(tank.id) for tank in setup.ruleset.tank},
            "hand": [str(card) for card in state.hand],
            "defences": {one.id: state.defences[one.id] for one in setup.defences},
            "ladder": [
                {
                    "phase": one.id,
                    "standing": step.state.replace("next", "ahead"),
                    "says": step.note,
                }
                for one, step in zip(setup.ruleset.phase, _steps(play), strict=True)
            ],
        }

    def verdict(self, play: BeachPlay, viewer: Viewer = PLAYERS) -> Verdict | None:
        state, found = play.states[-2:][0], play.live[-1].events
        total = next((one.total for one in found if isinstance(one, events.Settled)), None)
        if total is None or state.roll is None:
            return None
        reason = wording.purpose(state, state.roll.task)
        german = state.now.side == "german" and total > 0
        return Verdict(text=str(total), reason=reason, tone="bad" if german else "good")

    def journal(
        self, play: BeachPlay, viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        """One line per phase with events, newest last; the ``last`` entries suffice if given."""
        live = play.live
        first = max(1, len(live) - last) if last else 1  # the opening has no line
        state = play.states[first - 1]
        lines: list[tuple[int, int, bool, list[str]]] = []
        for entry in live[first:]:
            for event in entry.events:
                text, state = event.narrate(state), event.apply(state)
                begun = isinstance(event, events.Begun)
                if text and (begun or isinstance(event, events.Skipped | events.Won) or not lines):
                    lines.append((state.turn, entry.number, begun, [text]))
                elif text:
                    _join(lines[-1][-1], text)
        return [  # a roll that waits for the player to choose is closed as it stands
            JournalLine(turn, (at,), re.sub(":$", ".", " ".join(texts)))
            for turn, at, begun, texts in lines
            if texts[1:] or not begun
        ]

    def advice(self, state: BeachState) -> Iterator[Page]:
        from skirmish.games.beach_head.advice import advising  # noqa: PLC0415

        for found in advising(state):
            yield found.page()

    def rating(self, state: BeachState) -> str:
        from skirmish.games.beach_head.advice import surpassed  # noqa: PLC0415

        share, games = surpassed(state)
        return (
            f"You lost fewer squads than the program in {100 * share:.0f}% of {games:,} games "
            "that it played on this beach, by the same rulings."
        )

    def score(self, state: BeachState) -> Score:
        """Only games on the same beach, with the same rulings and kind of cards, compare."""
        setup = state.setup
        cards = setup.cards is not None
        preset = self.book.presets.get(setup.named)
        named = preset.name[:1].lower() + preset.name[1:] if preset else setup.named
        beach = next(name for id, name, _ in VARIANTS if id == setup.variant)
        lost = {"casualties": state.casualties, "turns": state.turn, "alive": state.squads}
        return Score(
            table=f"{beach}, {named}{'' if cards else ', without cards'}",
            order=(setup.named != "printed", not cards, setup.variant, setup.named),
            worth=(state.casualties, state.turn, -state.squads),
            cells={"Lost": state.casualties, "Turns": state.turn, "Alive": state.squads,
                   "Player": setup.player or "-"},
            data={"variant": setup.variant, "reading": setup.named, **lost, "cards": cards,
                  "player": setup.player},
        )  # fmt: skip

    def rules(self, state: BeachState | None = None) -> Page:
        setup = state.setup if state else self.setup({}, dice=Source("die"))
        return Page("The rules of Beach Head", tuple(self._rules(setup, state)))

    def _rules(self, setup: BeachSetup, state: BeachState | None) -> Iterator[Block]:
        ruleset, begun = setup.ruleset, events.BeachOpened(setup=setup).apply(None)
        if state is not None and state.phase is not None:
            yield Heading(f"Now: {state.now.name}")
            yield Paragraph(wording.phase_text(begun, state.now))
        yield from self.book.differing(setup.rulings)
        yield Heading("The aim")
        yield Paragraph(
            "The beach is taken when all bunkers and trenches are gone. Your score is the number "
            "of squads lost on the way: the fewer, the better. You cannot lose, and there is no "
            "last turn."
        )
        yield Heading("A turn")
        for at, phase in enumerate(ruleset.phase, 1):
            yield Paragraph(wording.phase_text(begun, phase), lead=f"{at} {phase.name}.")
        yield Heading("Cards")
        yield Paragraph(
            "A card is played on any die that lies on the table and does not count yet, German "
            f"ones too. You fill up to {ruleset.hand.full} and keep {ruleset.hand.keep} at the end "
            "of a turn."
        )
        for card in sorted(ruleset.card, key=lambda card: card.rank):
            lead = f"{signs([Draw(card.rank)])} {card.name}."
            yield Paragraph(wording.card_use(ruleset, card), lead=lead)
        yield Heading("Tanks")
        yield from (Paragraph(f"{one.about}.", lead=f"{one.name}.") for one in ruleset.tank)
        yield from self.book.blocks(setup.rulings)


def game(tables: Mapping[str, Any], revision: str = "") -> BeachHeadGame:
    book = read_presets(tables["rulings"], "beach_head/rulings.toml")
    return BeachHeadGame(read_ruleset(tables["game"]), book, revision)


def _join(texts: list[str], more: str) -> None:
    """Appends a sentence, or completes an unfinished one. Cards drawn are listed together."""
    if more.startswith(events.DREW) and texts[-1].startswith(events.DREW):
        texts[-1] = f"{texts[-1][:-1]}{more.removeprefix(events.DREW)}"
    else:
        texts.append(more if texts[-1].endswith(":") else capital(more))


def _roll(state: BeachState) -> Iterator[Block]:
    roll = state.roll
    if state.over:
        lost = number(state.casualties, "squad").capitalize()
        text = f"{lost} lost in {state.turn} turns; {state.squads} stand at the end."
        yield Paragraph(text, lead="The beach is taken.")
    elif roll is not None:
        yield Heading(wording.purpose(state, roll.task), 3)
        rows = [("Roll", wording.sum_text(state, roll))]
        rows += [("Result", wording.result(state, roll))] if roll.faces else []
        yield Facts(tuple(rows))
        if not roll.faces and state.ask is None:
            yield Note("Play cards first; then roll.")


def _waiting(state: BeachState) -> str | None:
    roll = state.roll
    if (text := wording.prompt_text(state)) and not state.over:
        return text
    if roll is not None and roll.faces:
        rolled = f"{wording.sum_text(state, roll)}: {wording.result(state, roll)}"
        return f"{wording.purpose(state, roll.task)}. Rolled {rolled}."
    return None


def _steps(play: BeachPlay) -> Iterator[Step]:
    """Every phase with its results so far, or the reason for skipping it; a phase that an Admiral
    repeats has the results of both."""
    state, phase = play.state, ""
    gained: dict[str, list[Gain]] = {}
    skipped: dict[str, tuple[str, str]] = {}
    again: set[str] = set()
    for before, event in _this_turn(play):
        match event:
            case events.Begun(phase=phase):
                gained.setdefault(phase, [])
                again |= {phase} if event.again else set()
            case events.Skipped():
                skipped[event.phase] = wording.why_skipped(
                    before, event.phase_in(before), event.why
                )
            case _:
                gained.setdefault(phase, []).extend(_gain_of(event, state.ruleset))
    for at, one in enumerate(state.ruleset.phase, 1):
        name = f"{at} {one.name}{' twice' if one.id in again else ''}"
        if one.id in gained:  # perhaps skipped when it was to be played again
            now = one.id == state.phase and not state.over
            words = ", ".join(summed(gained[one.id])) or ("" if now else "nothing")
            short = " ".join(summed(gained[one.id], short=True))
            yield Step(name, "now" if now else "done", words, short)
        elif one.id in skipped:
            yield Step(name, "skipped", *skipped[one.id])
        else:
            yield Step(name, "next")


def _this_turn(play: BeachPlay) -> Iterator[tuple[BeachState, events.BeachEvent]]:
    turn, states = play.state.turn, play.states
    begins = (at for at in range(len(states) - 1, 0, -1) if states[at - 1].turn < turn)
    first = next(begins, len(states))
    state = states[first - 1]
    for entry in play.live[first:]:
        for event in entry.events:
            before, state = state, event.apply(state)
            if state.turn == turn:
                yield before, event


def _gain_of(event: events.BeachEvent, ruleset: Ruleset) -> Iterator[Gain]:
    match event:
        case events.Removed(points=points) if points:
            yield "-", points, event.target, ""
        case events.Dug(points=points) if points:
            yield "+", points, event.target, ""
        case events.SquadsLanded(squads=squads) if squads:
            yield "+", squads, "squad", ""
        case events.Killed(squads=squads) if squads:
            yield "-", squads, "squad", ""
        case events.TankLanded(kind=None):
            yield "", 0, "none lands", "none lands"
        case events.TankLanded(kind=kind) | events.TankLost(kind=kind):
            sign = "-" if isinstance(event, events.TankLost) else "+"
            yield sign, 1, ruleset.tank_of(str(kind)).noun, "tank"
        case events.CraftHit():
            yield "", 0, "landing craft hit", "craft hit"
        case events.Passed(why="no_tank"):
            yield "", 0, "no tank to hit", "no tank"
        case events.Drew():
            yield "", 1, "card", "card"


def summed(gained: Sequence[Gain], *, short: bool = False) -> list[str]:
    """Adds up the counted gains, in order of first appearance: ``-4 bunkers``."""
    sums: dict[tuple[str, str], int] = {}
    for sign, amount, what, brief in gained:
        key = sign, brief if short else what
        sums[key] = sums.get(key, 0) + amount
    return [_counted(sign, amount, what) for (sign, what), amount in sums.items()]


def _counted(sign: str, amount: int, what: str) -> str:
    if not (amount and what):
        return f"{sign}{amount}" if amount else what
    one = what.removesuffix("es") if what.endswith("ches") else what.removesuffix("s")
    several = what if what.endswith(("s", "wire")) else f"{what}s"
    return f"{sign}{amount} {one if amount == 1 else several}"
