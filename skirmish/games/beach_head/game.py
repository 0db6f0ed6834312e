"""Beach Head as the shell uses it: how it is set up and scored, and which journals are accepted.

Its pages are in ``pages``, its journal is in ``journal``, its sentences are in ``wording``,
``phase_words`` and ``roll_words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import events, pages, roll_words, turn_steps, wording
from skirmish.games.beach_head.card_values import card_uses
from skirmish.games.beach_head.commands import commands, prompt
from skirmish.games.beach_head.journal import BeachEntry, BeachPlay, journal_lines
from skirmish.games.beach_head.orders import BeachOrder
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset, Variant, read_ruleset
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.game import PLAYERS, Game, JournalLine, Seed, Verdict, Viewer
from skirmish.tabletop.page import Page, Steps, Tone
from skirmish.tabletop.presets import OWN, PresetBook, read_presets
from skirmish.tabletop.scores import Score
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Words, form_choice

# Choices of the set-up form: the answer, its name, and what it means.
VARIANTS = (
    AnswerRow("normandy", "Normandy", "A British or Canadian beach, with all four types of tanks."),
    AnswerRow("omaha", "Omaha", "The American beach: no funny tanks, and no anti-tank ditches."),
)
DICE = (
    AnswerRow("program", "the program rolls", "Space rolls the dice."),
    AnswerRow(
        OWN,
        "own dice, typed in",
        "You roll and type what your dice show: 4, or 163 for three dice.",
    ),
)
DECKS = (
    AnswerRow("program", "the program deals", "A hand of up to seven cards, played by rank."),
    AnswerRow(
        OWN, "own deck, typed in", "You draw from your own deck and type the ranks: 7 q 0 (a ten)."
    ),
    AnswerRow("none", "without cards", "Dice alone: quicker, and far bloodier."),
)
PRINTED = "printed"
"""The preset with every ruling as the rules are printed."""
GREATEST_NUMBER = 1_000
"""No number of a stored game may be greater: the program rolls as many dice as its numbers say."""


class BeachHeadGame(Game[BeachState, BeachOrder, events.BeachEvent]):
    """Beach Head by these numbers and rulings; ``revision`` identifies both."""

    id, name = "beach_head", "Beach Head"
    order, event = BeachOrder, events.BeachEvent
    can_void = False  # every roll follows from those before it; only the last order is taken back
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
        """A set-up with today's numbers; where ``rulings`` has no answer, the default is played.
        Without ``cards`` it is played with dice alone. ``revision`` is that of the numbers and
        rulings, None for today's. Raises ValueError (a sentence) for unknown rulings."""
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

    def stops_repeating(self, state: BeachState) -> bool:
        """Whether running on through the turn stops here, because there is something to decide. Of
        all rolls only German ones stop it, and only if a card could soften them."""
        if state.over or state.ask is not None:
            return True
        is_german_roll = state.roll is not None and state.present_phase.side == "german"
        return is_german_roll and bool(card_uses(state))

    def prompt(self, state: BeachState) -> Command[BeachOrder] | None:
        return prompt(state)

    def check_opening(self, entry: BeachEntry) -> None:
        """Raises ValueError for an invalid opening. A game of the present revision must have its
        numbers and rulings; one of an older revision is played by its own."""
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
        numbers may be older ones, or invented."""
        if any(points < 0 for points in state.defences.values()) or state.squads < 0:
            raise ValueError("there is less than nothing on the beach")
        # The ruleset raises StopIteration for an id that it does not know, and whoever checks a
        # journal refuses it for that, too.
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
        return Page(self.title(state), tuple(pages.board(state, self.book, with_roll=True)))

    def forces(self, state: BeachState, viewer: Viewer = PLAYERS) -> Page:
        # The situation has the roll on the table.
        return Page(self.title(state), tuple(pages.board(state, self.book, with_roll=False)))

    def situation(self, state: BeachState, viewer: Viewer = PLAYERS) -> Page:
        return Page("", tuple(pages.roll_on_table(state)))

    def phases(self, play: BeachPlay) -> Steps:
        return Steps(tuple(turn_steps.steps(play)))

    def facts(self, play: BeachPlay) -> dict[str, Any]:
        state, setup = play.state, play.state.setup
        phases = []
        for phase, step in zip(setup.ruleset.phase, turn_steps.steps(play), strict=True):
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
            "waiting": pages.waited_for(state),
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
                reason = roll_words.purpose(before, before.roll.task)
                tone: Tone = "good"
                if before.present_phase.side == "german" and event.total > 0:
                    tone = "bad"
                return Verdict(text=str(event.total), reason=reason, tone=tone)
        return None

    def journal(
        self, play: BeachPlay, viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        return journal_lines(play, last)

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
        beach = next(row for row in VARIANTS if row.value == setup.variant)
        table = f"{beach.label}, {self._rulings_name(setup)}"
        if not with_cards:
            table += ", without cards"
        return Score(
            table=table,
            # The printed rules come before other rulings, games with cards before those without.
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
        if preset is None:  # the answers are those of no preset, and named one by one
            return setup.named
        return preset.name[:1].lower() + preset.name[1:]

    def rules(self, state: BeachState | None = None) -> Page:
        setup = self.setup({}, dice=Source("die"))
        if state is not None:
            setup = state.setup
        return Page("The rules of Beach Head", tuple(pages.rules(setup, self.book, state)))


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
    """The greatest number in a ruleset, also inside its dice, as ``9999d6``. The first nine digits
    show that it is too great; thousands of them are more than Python converts."""
    text = msgspec.json.encode(ruleset).decode()
    return max(int(digits[:9]) for digits in re.findall(r"\d+", text))
