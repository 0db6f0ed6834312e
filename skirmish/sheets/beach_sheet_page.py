"""Both sides of the play sheet of Beach Head, block by block."""

from __future__ import annotations

from itertools import product

from skirmish.games.beach_head import wording
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.ruleset import Phase, Remove, Rulings, Setup, signs
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.wording import bunkers_add, headline, phase_lines, tanks_ashore
from skirmish.sheets.beach_sheet_phases import Cards, Ladder, phases, results, tables_of
from skirmish.sheets.beach_sheet_picture import Beach
from skirmish.sheets.beach_sheet_tracks import (
    Ashore,
    DefenceTrack,
    Filled,
    TankTrack,
    TurnTrack,
    lost,
)
from skirmish.sheets.layout.blocks import Head, NoteLine, TitleBand
from skirmish.sheets.layout.flowables import Flowable, Gap, NewPage, Stack, depth
from skirmish.sheets.layout.pages import Part, Title, bound
from skirmish.sheets.layout.tables import LEAST_GAP, beside, spread
from skirmish.sheets.layout.text import LEAD, SMALL, paragraph, terms
from skirmish.sheets.paper import GAP, GUTTER, MM, InkUse, leaf

GAME = "Beach Head"
FRONT, BACK = "The turn", "The beach"
VARIANTS = {"normandy": "Normandy", "omaha": "Omaha Beach"}
AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases: as much as the paper has room for."""
RESULT = (
    ("Player", 0.3),
    ("Date", 0.18),
    ("Taken in turn", 0.17),
    ("Squads lost (the score)", 0.18),
    ("Still ashore", 0.17),
)


def pages(
    game: Setup | State, book: Rulings, paper: str, use: InkUse, *, form: bool, ended: str
) -> bytes:
    """Front and back as a PDF."""
    state = Opened(setup=game).apply(None) if isinstance(game, Setup) else game
    setup = state.setup
    page = leaf(paper)
    sides = _Sides(state, book, page.measure, form=form, ended=ended)
    tall = page.depth - LEAST_GAP

    def left(blocks: list[Flowable]) -> float:
        return tall - depth(blocks, page.measure) - LEAST_GAP * (len(blocks) - 1)

    for elsewhere, air in product((False, True), AIRS):  # many readings go to the back
        front = sides.front(air, elsewhere)
        if left(front) >= 0:
            break
    for short in (True, False):
        back = sides.back(short, elsewhere)
        if left(back) >= 0:
            break
    lines = int((left(back) - LEAST_GAP - Head.TALL - GAP) // NoteLine.TALL)
    if lines > 0:
        back.append(Stack([Head("Notes"), *(NoteLine() for _ in range(lines))]))
    one, other = (spread(blocks, page.measure, tall) for blocks in (front, back))
    revision = f"data revision {setup.revision}" if setup.revision else ""
    footer = (GAME, VARIANTS[setup.variant], sides.reading, revision)
    part = Part(page, [*one, NewPage(BACK), *other], FRONT, " · ".join(filter(None, footer)))
    title = Title(f"{GAME}: play sheet", "Skirmish", "Phases, tables, cards and tracks to tick")
    return bound([part], title, use)


class _Sides:
    """The blocks of each side, for a column of ``width``."""

    def __init__(
        self, state: State, book: Rulings, width: float, *, form: bool, ended: str
    ) -> None:
        self.ended = ended
        self.state, self.book, self.width, self.form = state, book, width, form
        self.setup, self.ruleset = state.setup, state.setup.ruleset
        self.begun = Opened(setup=state.setup).apply(None)

    @property
    def reading(self) -> str:
        """How the text is read, in a few words."""
        preset = self.book.presets.get(self.setup.reading)
        return preset.name.lower() if preset else "own readings"

    def front(self, air: float, elsewhere: bool) -> list[Flowable]:
        """The beach, the phases, the tables, the cards; readings unless they stand elsewhere."""
        width, ruleset = self.width, self.ruleset
        wins = " and ".join(one.name.lower() for one in ruleset.defence if one.wins)
        blocks: list[Flowable] = [
            Stack([self._band("1", FRONT), Gap(1.6 * MM), Beach(self.setup)]),
            Stack(
                [
                    Head("The turn", f"until {wins} are gone; the fewer squads lost, the better"),
                    phases(self.begun, width, air),
                    *self._otherwise(elsewhere),
                ]
            ),
            Stack(
                [
                    Head("Tables", "a result off a table counts as the nearest row"),
                    Gap(0.6 * MM),
                    results(list(tables_of(self.begun).values()), width),
                ]
            ),
            Stack(
                [
                    Head("Cards", "any suit; on German dice too"),
                    Gap(0.6 * MM),
                    Cards(ruleset),
                    Gap(1.2 * MM),
                    paragraph(self._hand(), SMALL),
                ]
            ),
        ]
        return blocks

    def back(self, short: bool, readings: bool) -> list[Flowable]:
        """What is ticked, and the result; the turn in ``short`` and the ``readings`` if wanted."""
        half = (self.width - GUTTER) / 2
        aside = "cross off from the left: the first open box tells what is left"
        defences = [
            DefenceTrack(one, self.state, self._holds(one.id), form=self.form)
            for one in self.ruleset.defence
            if one.id not in self.setup.left_out
        ]
        each = max(step.modifiers.per_dozen for phase in self.ruleset.phase for step in phase.step)
        ashore = Stack(
            [
                Head(
                    "Squads ashore", f"before each row: what its dozens of {self.ruleset.dozen} add"
                ),
                Gap(0.8 * MM),
                Ashore(self.state, each, form=self.form),
            ]
        )
        lands = [one.id for one in self.ruleset.tank if self.setup.landed_as(one.id) == one.id]
        losses: list[Flowable] = [
            Stack(
                [Head("Squads lost", "the score"), Gap(0.8 * MM), lost(self.state, form=self.form)]
            ),
            Stack(
                [
                    Head("Tanks ashore", "tick when it lands, rub out when lost"),
                    Gap(0.8 * MM),
                    *(TankTrack(self.state, kind, form=self.form) for kind in lands),
                ]
            ),
        ]
        late = max(phase.from_turn for phase in self.ruleset.phase)
        names = ", ".join(one.name.lower() for one in self.ruleset.phase if one.from_turn == late)
        turn = Stack(
            [
                Head("Turns", f"craft hit: felt in the next turn; from turn {late} on: {names}"),
                Gap(0.8 * MM),
                TurnTrack(self.state, late, form=self.form),
            ]
        )
        blocks: list[Flowable] = [
            Stack([self._band("2", BACK), *self._stands()]),
            Stack([Head("Defences", aside), *defences]),
            beside([ashore], losses, self.width, half / (self.width - GUTTER)),
            turn,
        ]
        if short:
            ladder = Ladder(self.begun)
            blocks.append(Stack([Head("The turn in short", "told on side 1"), Gap(MM), ladder]))
        if readings:
            blocks.append(Stack([Head("Read otherwise than usual"), Gap(MM), self._readings()]))
        return [*blocks, Stack([Head("Result"), Gap(0.8 * MM), self._result()])]

    def _result(self) -> Flowable:
        """Who played; once the game is over, what it came to."""
        state = self.state
        came = (state.turn, state.casualties, state.squads) if state.over else ("", "", "")
        written = (self.setup.player, self.ended if state.over else "", *map(str, came))
        return Filled(RESULT, written)

    def _band(self, number: str, title: str) -> Flowable:
        return _Band(
            "Side",
            number,
            GAME,
            first=title,
            second=VARIANTS[self.setup.variant],
            last=f"A solo game of dice and cards; {self.reading}",
        )

    def _stands(self) -> list[Flowable]:
        """Where a game stands that is being played."""
        state = self.state
        if not state.turn:
            return []
        says = headline(state)
        says = f"{says[:1].upper()}{says[1:]}."
        if not state.over:
            ashore = [wording.number(state.squads, "squad"), *tanks_ashore(state)]
            says += f" Ashore: {', '.join(ashore)}."
        if state.hand:
            says += f" In hand: {signs(sorted(state.hand))}."
        if state.discard and not state.over:
            says += f" Discarded: {signs(sorted(state.discard))}; all other cards are in the deck."
        if state.tanks_lost:
            says += f" Tanks lost: {state.tanks_lost}."
        return [Gap(1.6 * MM), paragraph(says, LEAD, lead="As it stands:")]

    def _hand(self) -> str:
        """The limits of the hand, in a line."""
        hand = self.ruleset.hand
        return (
            f"Fill the hand to {hand.full} at the start of a turn, then exchange up to "
            f"{hand.redraw} cards once; keep {hand.keep} at its end. When the deck is empty, the "
            "discards are shuffled. Modifiers still apply to a die that a card has set."
        )

    def _otherwise(self, elsewhere: bool) -> list[Flowable]:
        """The readings that are not the usual ones, below the phases; or which, and where."""
        found = self.book.departures(self.setup.rulings)
        if not found:
            return []
        if not elsewhere:
            return [Gap(1.2 * MM), self._readings("Rulings other than the default:")]
        names = ", ".join(ruling.id for ruling, _ in found)
        says = f"Rulings other than the default (see side 2): {names}."
        return [Gap(1.2 * MM), paragraph(says, SMALL)]

    def _readings(self, lead: str = "") -> Flowable:
        """Each reading with its answer."""
        found = self.book.departures(self.setup.rulings)
        answers = [(f"{ruling.id} {ruling.title}:", answer) for ruling, answer in found]
        return terms([(lead, ""), *answers] if lead else answers, SMALL)

    def _played(self, phase: Phase) -> bool:
        return not phase_lines(self.begun, phase)[0].never

    def _holds(self, name: str) -> str:
        """What a defence does as long as points of it are left."""
        found: list[str] = []
        if next(one for one in self.ruleset.defence if one.id == name).wins:
            found.append("must be gone to win")
        hampers = [
            f"{phase.name.lower()} {step.modifiers.traps:+d}"
            for phase in self.ruleset.phase
            for step in phase.step
            if name == "traps"
            and step.modifiers.traps
            and not phase_lines(self.begun, phase)[0].never
        ]
        if hampers:
            found.append(f"while any is left: {', '.join(hampers)}")
        for phase in self.ruleset.phase:
            if phase.skipped_without == name:
                found.append(f"none left: no {phase.name.lower()} phase")
            for step in phase.step:
                if name == "bunkers" and (adds := bunkers_add(self.begun, step.modifiers)):
                    found.append(f"{phase.name.lower()} {', '.join(adds)}")
        barred: dict[str, list[str]] = {}
        for number, phase in enumerate(self.ruleset.phase, 1):
            for step in phase.step:
                if not isinstance(step, Remove):
                    continue
                if name not in self.begun.gone_first(phase, step):
                    continue
                if self._played(phase):
                    barred.setdefault(step.targets[0], []).append(str(number))
        kept: dict[tuple[str, ...], list[str]] = {}
        for what, who in barred.items():
            kept.setdefault(tuple(who), []).append(what)
        found += [
            f"keeps phase{'s' * (len(who) > 1)} {', '.join(who)} off the {' and '.join(what)}"
            for who, what in kept.items()
        ]
        says = "; ".join(found)
        return f"{says[:1].upper()}{says[1:]}." if says else ""


class _Band(TitleBand):
    """Lower than on other sheets: there is much below it."""

    TALL = 13 * MM
