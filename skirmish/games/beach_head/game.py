"""Beach Head as the shell knows it: set-up, what can be done, what is asked, its pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from skirmish.games.beach_head import rules_told
from skirmish.games.beach_head.commands import SHORE, commands, prompt
from skirmish.games.beach_head.decide import decide
from skirmish.games.beach_head.events import AnyEvent, Opened, Settled
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.manual import Manual, read_manual, signs
from skirmish.games.beach_head.orders import (
    AnyOrder,
)
from skirmish.games.beach_head.policies_cards import uses
from skirmish.games.beach_head.readings import Readings, Ruling, read_readings
from skirmish.games.beach_head.rebuilding import Rebuilding, look_at
from skirmish.games.beach_head.scores import Score, Table, by_table, places, rank, score_of
from skirmish.games.beach_head.setup import Setup, prepared
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import (
    about,
    comes_to,
    headline,
    journal,
    sum_told,
    tell,
)
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import (
    Choose,
    Command,
    Draft,
    Option,
    Words,
)
from skirmish.tabletop.game import PLAYERS, Field, Fold, Game, JournalLine, Seed, Verdict, Viewer
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.page import (
    Block,
    Facts,
    Gauge,
    Heading,
    Items,
    Note,
    Page,
    Paragraph,
    Step,
    Steps,
    table,
)
from skirmish.tabletop.refusal import nonsense

OWN = "own"
VARIANTS = (
    ("normandy", "Normandy", "A British or Canadian beach, with all four types of tanks."),
    ("omaha", "Omaha", "The American beach: no funny tanks, and no anti-tank ditches."),
)
BEACHES = [(id, name) for id, name, _ in VARIANTS]
DICE = (
    ("program", "the program rolls", "Space rolls the dice."),
    (OWN, "own dice, typed in", "You roll and type what your dice show: 4, or 163 for three dice."),
)
DECKS = (
    ("program", "the program deals", "A hand of up to seven cards, played by rank."),
    (OWN, "own deck, typed in", "You draw from your own deck and type the ranks: 7 q 0 (a ten)."),
    ("none", "without cards", "Dice alone: quicker, and far bloodier."),
)


class BeachHeadGame(Game[State, AnyOrder, AnyEvent]):
    """Beach Head with its numbers and its rulings; ``revision`` names the state of both."""

    id, name = "beach_head", "Beach Head"
    about = "A solo game of dice and cards on a D-Day beach: eighteen phases a turn."
    order, event = AnyOrder, AnyEvent
    voids = False

    def __init__(self, manual: Manual, book: Readings, revision: str = "") -> None:
        self.manual, self.book, self.revision = manual, book, revision

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        del answers
        presets = [(one.id, one.name, one.about) for one in self.book.presets.values()]
        presets.append((OWN, "your own", "High scores are kept for each reading."))
        choices = [
            _chosen("variant", "Which beach is it?", VARIANTS, "Beach"),
            _chosen("reading", "How are the gaps in the text read?", presets),
            _chosen("dice", "Who rolls?", DICE),
            _chosen("cards", "Who deals?", DECKS),
        ]
        player = Words(name="player", text="Which name goes into the high scores?", longest=20,
                       usual="")  # fmt: skip
        gaps = [
            Field(slot=_gap(one), fold=Fold("gaps", "One by one"), help=f"{one.id}. {one.question}")
            for one in self.book.rulings.values()
            if one.mode == "live" and len(one.answers) > 1
        ]
        two, others = [Field(slot=slot) for slot in choices[:2]], choices[2:]
        return (*two, *gaps, *(Field(slot=slot) for slot in others), Field(slot=player))

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        """A preset answers every gap, and other answers may be a preset or have no name."""
        if changed == "reading" and (preset := self.book.presets.get(answers["reading"])):
            return {**answers, **self.book.answered(preset.answers)}
        if changed in self.book.rulings:
            gaps = {name: answers[name] for name in self.book.rulings if name in answers}
            named = self.book.named(gaps)
            return {**answers, "reading": named if named in self.book.presets else OWN}
        return answers

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[AnyEvent]:
        """The opening. Rulings that are not among the answers are those of the preset."""
        preset = self.book.presets.get(answers.get("reading", ""))
        usual = dict(preset.answers) if preset else {}
        chosen = {name: answers[name] for name in self.book.rulings if name in answers}
        cards = answers.get("cards", "program")
        try:
            setup = prepared(
                self.manual,
                self.book,
                rulings=usual | chosen,
                variant=answers.get("variant", "normandy"),
                dice=Source("die", None if answers.get("dice") == OWN else seed()),
                cards=None if cards == "none" else Source("deck", None if cards == OWN else seed()),
                player=answers.get("player", ""),
                revision=self.revision,
            )
        except ValueError as error:
            raise nonsense("no_ruling", str(error)) from None
        return [Opened(setup=setup)]

    def title(self, state: State) -> str:
        """The beach, and whose game it is."""
        player = state.setup.player
        return f"{state.setup.title}: {player}" if player else state.setup.title

    # ------------------------------------------------------------------ rules

    def decide(self, state: State, order: AnyOrder) -> list[AnyEvent]:
        """What happens when ``order`` is given; raises Refused."""
        return decide(state, order)

    def evolve(self, state: State | None, event: AnyEvent) -> State:
        """The state after ``event``."""
        return evolve(state, event)

    def over(self, state: State) -> bool:
        """Whether the beach is taken."""
        return state.over

    # ------------------------------------------------------------------ what can be done

    def commands(self, state: State) -> tuple[Command[AnyOrder], ...]:
        """Go on, run on, and the cards of the hand by their ranks."""
        return commands(state)

    def stops(self, state: State) -> bool:
        """Running on ends where something is to be decided: a German roll only while a card could
        soften it."""
        if state.over or state.ask is not None:
            return True
        return state.roll is not None and state.now.side == "german" and bool(uses(state))

    def prompt(self, state: State) -> Command[AnyOrder] | None:
        """What only the player can say."""
        return prompt(state)

    # ------------------------------------------------------------------ what is shown

    def page(self, state: State, viewer: Viewer = PLAYERS) -> Page:
        """The beach, what is ashore, the roll and the hand."""
        del viewer
        start = state.setup.points()
        gauges: list[Block] = [
            Gauge(state.setup.manual.defence_of(name).name, state.defences[name], start[name],
                  "" if state.defences[name] else "cleared")
            for name in SHORE
            if name not in state.setup.left_out
        ]  # fmt: skip
        note = Note(" ".join(self._set_up_as(state)))
        return Page(self.name, (*gauges, Facts(tuple(_ashore(state))), *_table(state), note))

    def _set_up_as(self, state: State) -> Iterator[str]:
        """Whose dice and cards, and which rulings."""
        dice = "Your own dice" if state.dice.typed else "The program's dice"
        cards = "no cards"
        if state.deck is not None:
            cards = "your own cards" if state.deck.typed else "the program's cards"
        yield f"{dice}, {cards}."
        rulings = state.setup.rulings
        if others := self.book.departures(rulings):
            told = ", ".join(f"{one.id} {rulings[one.id]}" for one, _ in others)
            yield f"Rulings other than the default: {told}."

    def facts(self, play: Play[State, AnyOrder, AnyEvent]) -> dict[str, Any]:
        """Set-up, turn, phase, what is left and what is lost; the ladder."""
        state, setup = play.state, play.state.setup
        return {
            "variant": setup.variant,
            "reading": setup.reading,
            "player": setup.player,
            "turn": state.turn,
            "phase": state.phase,
            "waiting": _waiting(state),
            "casualties": state.casualties,
            "squads": state.squads,
            "tanks": {tank.id: state.tanks.count(tank.id) for tank in setup.manual.tank},
            "tanks_lost": state.tanks_lost,
            "craft_hit": state.craft_hit,
            "craft_hit_before": state.craft_hit_before,
            "hand": [str(card) for card in state.hand],
            "defences": {
                one.id: state.defences[one.id]
                for one in setup.manual.defence
                if one.id not in setup.left_out
            },
            "ladder": [
                {"phase": rung.phase.id, "standing": rung.standing, "says": rung.words}
                for rung in ladder(play)
            ],
        }

    def situation(self, state: State) -> Page:
        """The roll on the table with what it comes to."""
        return Page("", tuple(_roll(state)))

    def phases(self, play: Play[State, AnyOrder, AnyEvent]) -> Steps:
        """The ladder of the turn."""
        states = {"done": "done", "now": "now", "skipped": "skipped", "ahead": "next"}
        return Steps(
            tuple(
                Step(
                    f"{rung.number} {rung.phase.name}{' twice' if rung.again else ''}",
                    states[rung.standing],  # type: ignore[arg-type]
                    rung.words,
                    rung.short,
                )
                for rung in ladder(play)
            )
        )

    def headline(self, state: State) -> str:
        """Where it stands, in a line."""
        return headline(state)

    def turn(self, state: State) -> int:
        """The turn."""
        return state.turn

    def journal(
        self, play: Play[State, AnyOrder, AnyEvent], viewer: Viewer = PLAYERS, *, last: int = 0
    ) -> list[JournalLine]:
        """A line for each phase in which anything happened."""
        del viewer
        return journal(play, last or None)

    def rebuilding(self) -> Rebuilding:
        """Every order is decided again, and a game of today must be set up as today's are."""
        return Rebuilding(self.manual, self.book, self.revision)

    def look_at(self, state: State) -> None:
        """What the screens ask, and what no beach can hold."""
        look_at(state)
        super().look_at(state)

    def narrate(self, state: State, event: AnyEvent, viewer: Viewer = PLAYERS) -> str:
        """One event as a sentence."""
        del viewer
        return tell(state, event)

    def verdict(self, play: Play[State, AnyOrder, AnyEvent]) -> Verdict | None:
        entry, state = play.live[-1], play.states[-2:][0]
        for event in entry.events:
            if isinstance(event, Settled) and state.roll is not None:
                german = state.now.side == "german" and event.total > 0
                return Verdict(text=str(event.total), reason=about(state, state.roll.task),
                               tone="bad" if german else "good")  # fmt: skip
        return None

    def advice(self, state: State) -> Iterator[Page]:
        """The choices with what each should cost; NumPy loads here."""
        from skirmish.games.beach_head.advice import advising  # noqa: PLC0415

        for found in advising(state):
            yield Page("Advice", tuple(_advice(found)))

    def scores(self, finished: Iterable[tuple[int, str, State]], mine: int = 0) -> Page:
        """A table for each beach and reading, the fewest squads lost first."""
        found = [score_of(state, ended=ended, game=number) for number, ended, state in finished]
        return Page("Beach Head: high scores",
                    tuple(self._scores([one for one in found if one], mine)))  # fmt: skip

    def score_rows(self, finished: Iterable[tuple[int, str, State]]) -> list[dict[str, Any]]:
        """Each score with its place in its table."""
        found = [score_of(state, ended=ended, game=number) for number, ended, state in finished]
        return [
            {
                "place": place,
                "variant": one.table.variant,
                "reading": one.table.reading,
                "casualties": one.casualties,
                "turns": one.turns,
                "alive": one.alive,
                "cards": one.hand,
                "player": one.player,
                "ended": one.ended,
                "game": one.game,
            }
            for rows in by_table(one for one in found if one).values()
            for place, one in places(rows)
        ]

    def place(self, finished: Iterable[tuple[int, str, State]], mine: int) -> str:
        """Which place it has in its table."""
        found = [score_of(state, ended=ended, game=number) for number, ended, state in finished]
        scores = [one for one in found if one]
        score = next((one for one in scores if one.game == mine), None)
        if score is None:
            return ""
        at, among = rank(score, scores)
        whose = self._table_name(score.table)
        if among == 1:
            return f"Your first finished game: {whose}."
        best = " It is your best so far." if at == 1 else ""
        return f"Place {at} of {among} games: {whose}.{best}"

    def rating(self, state: State) -> str:
        """The share of games in which the program lost more; NumPy loads here."""
        from skirmish.games.beach_head.advice import surpassed  # noqa: PLC0415

        share, games = surpassed(state)
        return (
            f"You lost fewer squads than the program in {100 * share:.0f}% of {games:,} games "
            "that it played on this beach, by the same rulings."
        )

    def _table_name(self, found: Table) -> str:
        preset = self.book.presets.get(found.reading)
        reading = preset.name[:1].lower() + preset.name[1:] if preset else found.reading
        bare = "" if found.hand else ", without cards"
        return f"{dict(BEACHES)[found.variant]}, {reading}{bare}"

    def _scores(self, scores: list[Score], mine: int) -> Iterator[Block]:
        if not scores:
            yield Paragraph("No game is finished yet. The fewer squads lost, the better.")
        for found, rows in by_table(scores).items():
            games = "1 game" if len(rows) == 1 else f"{len(rows)} games"
            yield Heading(f"{self._table_name(found)}: {games}")
            mark = next((at for at, one in enumerate(rows) if one.game == mine), None)
            yield table(
                ["", "Lost", "Turns", "Alive", "Player", "Date"],
                [
                    (str(at), str(one.casualties), str(one.turns), str(one.alive),
                     one.player or "-", one.ended[:10])
                    for at, one in places(rows)
                ],
                numbers=(0, 1, 2, 3),
                mark=mark,
            )  # fmt: skip

    def rules(self, state: State | None = None) -> Page:
        """The rules in our own words, with the gaps and their answers."""
        setup = None if state is None else state.setup
        if setup is None:
            setup = prepared(self.manual, self.book, dice=Source("die"))
        now = state.now if state is not None and state.phase is not None else None
        return Page("The rules of Beach Head", tuple(_rules(setup, self.book, now)))


def game(tables: Mapping[str, Any], revision: str = "") -> BeachHeadGame:
    """The game out of its files; raises DataError."""
    return BeachHeadGame(read_manual(tables["game"]), read_readings(tables["rulings"]), revision)


# ------------------------------------------------------------------ set-up


def _chosen(
    name: str, text: str, values: Sequence[tuple[str, str, str]], label: str = ""
) -> Choose:
    options = tuple(Option(value=id, label=label, note=note) for id, label, note in values)
    return Choose(name=name, text=text, options=options, usual=values[0][0], label=label)


def _gap(ruling: Ruling) -> Choose:
    answers = [(id, sentence, "") for id, sentence in ruling.answers.items()]
    slot = _chosen(ruling.id, ruling.question, answers)
    return Choose(name=ruling.id, text=ruling.question, options=slot.options, usual=ruling.default,
                  label=ruling.title)  # fmt: skip


# ------------------------------------------------------------------ pages


def _ashore(state: State) -> Iterator[tuple[str, str]]:
    yield "Turn", str(max(state.turn, 1))
    yield "Ashore", f"{state.squads} squads"
    tanks = [
        f"{count} {tank.noun if count == 1 else tank.names}"
        for tank in state.setup.manual.tank
        if (count := state.tanks.count(tank.id))
    ]
    yield "Tanks", ", ".join(tanks) or "none"
    yield "Lost", f"{state.casualties} squads, {state.tanks_lost} tanks"
    if state.craft_hit or state.craft_hit_before:
        when = "this turn, felt in the next" if state.craft_hit else "last turn"
        yield "Landing craft hit", when


def _table(state: State) -> Iterator[Block]:
    """The roll with its sum and what it comes to; the hand."""
    yield from _roll(state)
    if state.deck is not None and not state.over:
        yield Facts((("Hand", signs(sorted(state.hand)) or "no cards"),))


def _roll(state: State) -> Iterator[Block]:
    roll = state.roll
    if state.over:
        squads = "squad" if state.casualties == 1 else "squads"
        yield Paragraph(
            f"{state.casualties} {squads} lost in {state.turn} turns; {state.squads} stand at the "
            "end.", lead="The beach is taken.",
        )  # fmt: skip
        return
    if roll is not None:
        yield Heading(about(state, roll.task), 3)
        rows = [("Roll", sum_told(state, roll))]
        rows += [("Result", comes_to(state, roll))] if roll.faces else []
        yield Facts(tuple(rows))
        if not roll.faces and state.ask is None:
            yield Note("Play cards first; then roll.")


def _waiting(state: State) -> str | None:
    """What the game waits for, as a sentence; None where it only has to go on."""
    if found := prompt(state):
        return Draft(command=found).slots[0].text
    if state.roll is not None and state.roll.faces:
        said = f"{about(state, state.roll.task)}: {sum_told(state, state.roll)}"
        return f"Rolled for {said}. Now: {comes_to(state, state.roll)}."
    return None


def _advice(found: Any) -> Iterator[Block]:
    best, *others = found.options
    yield Paragraph(best.words, tone="good" if found.is_open else "")
    yield Paragraph(found.reason)
    if others:
        yield Note("The other choices, and how many more squads each costs:")
        rows = [
            ("" if one.more is None else f"{one.more:+.1f}" if one.differs else "same", one.words)
            for one in others
        ]
        yield Facts(tuple(rows))
    yield Note(found.note or "Playing it out …")


def _rules(setup: Setup, book: Readings, now: Any) -> Iterator[Block]:
    manual = setup.manual
    if now is not None:
        yield Heading(f"Now: {now.name}")
        yield Paragraph(rules_told.phase_told(manual, now, setup.left_out))
    if others := book.departures(setup.rulings):
        yield Heading("This game differs")
        for ruling, answer in others:
            yield Paragraph(f"{ruling.question} {answer}", lead=f"{ruling.id} {ruling.title}.")
    yield Heading("The aim")
    yield Paragraph(rules_told.aim())
    yield Heading("A turn")
    for number, one in enumerate(manual.phase, 1):
        said = rules_told.phase_told(manual, one, setup.left_out)
        yield Paragraph(said, lead=f"{number} {one.name}.")
    yield Heading("Cards")
    yield Paragraph(
        "A card is played on any die that lies on the table and does not count yet, German ones "
        f"too. You fill up to {manual.hand.full} and keep {manual.hand.keep} at the end of a turn."
    )
    for card in sorted(manual.card, key=lambda card: card.rank):
        rank = str(Draw(card.rank, "S"))[:-1]
        yield Paragraph(rules_told.card_use(manual, card), lead=f"{rank} {card.name}.")
    yield Heading("Tanks")
    yield Items(tuple(f"{one.name}: {one.about}." for one in manual.tank))
    yield Heading("Gaps in the text, and how this game fills them")
    for name, ruling in book.rulings.items():
        answer = setup.rulings.get(name, ruling.default)
        others_ = [says for other, says in ruling.answers.items() if other != answer]
        more = f" (Otherwise: {' '.join(others_)})" if others_ else ""
        yield Paragraph(
            f"{ruling.question} {ruling.answers.get(answer, answer)}{more}",
            lead=f"{name} {ruling.title}.",
        )
