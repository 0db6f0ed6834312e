"""A campaign as a game of the registry: its set-up, commands, pages and journal, and the battles
that belong to it.

Its battles are games of their own in the store. ``links`` says which they are, and ``with_linked``
returns the game that knows how they ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, TypeAlias

from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle.orders import AnyOrder, Appoint
from skirmish.games.plastic.battle.record import opening as battle_opening
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.campaign import commands, events, orders, pages
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.battle_opening import mark_of_battle, opening
from skirmish.games.plastic.campaign.events import CampaignEvent
from skirmish.games.plastic.campaign.facts import facts_of
from skirmish.games.plastic.campaign.groups import PLACES, CampaignGroup
from skirmish.games.plastic.campaign.orders import CampaignOrder
from skirmish.games.plastic.campaign.recount import changed_battles
from skirmish.games.plastic.campaign.set_up import CampaignBooks, CampaignForm
from skirmish.games.plastic.campaign.situation import situation_page
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.rules.army import Army
from skirmish.tabletop.commands import Command
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import (
    PLAYERS,
    Document,
    Game,
    JournalLine,
    PlayerSettings,
    Seed,
    StoredArmy,
    Viewer,
)
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.linked_games import GameLink, LinkedGame
from skirmish.tabletop.page import Beside, Block, Heading, Page, Paragraph
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.side_colours import looks

CampaignPlay: TypeAlias = Play[CampaignState, CampaignOrder, CampaignEvent]
BATTLE_KIND = "plastic"
"""The id of the game whose battles are fought."""


class CampaignGame(Game[CampaignState, CampaignOrder, CampaignEvent]):
    """A campaign of WWII Plastic Skirmish."""

    id, name, noun = "campaign", "Campaign", "campaign"
    order, event = CampaignOrder, CampaignEvent

    def __init__(self, books: Callable[[], CampaignBooks]) -> None:
        # Called whenever books are needed: the player's own files may change while the program
        # runs.
        self._books = books
        self._armies: Mapping[str, Army] = {}
        """The armies that the player has stored, by their ids."""
        self.ended_battles: Mapping[int, BattleFacts] = {}
        """The facts of its battles that are over, by number, as they are stored now."""

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        return self._form().fields(answers)

    def equipped(self, armies: Iterable[StoredArmy], settings: PlayerSettings) -> CampaignGame:
        """The game with the stored ``armies``, for campaigns without groups of their own. Armies
        and campaigns that cannot be read are left out with a warning."""
        books = self._books()
        readable: dict[str, Army] = {}
        warnings = [f"{error}\nThis campaign is left out." for error in books.broken]
        for army in armies:
            try:
                readable[army.id] = from_body(army.body, books.catalog, books.rulings, army.name)
            except DataError as error:
                warnings.append(f"{error} The army is left out.")
        game = copy(self)
        game.warnings = tuple(warnings)
        game._armies = readable
        return game

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._books().terms.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[CampaignEvent]:
        return [events.CampaignOpened(setup=self._form().setup(answers, seed))]

    def _form(self) -> CampaignForm:
        return CampaignForm(self._books(), self._armies)

    def title(self, state: CampaignState) -> str:
        return state.setup.file.title

    # ------------------------------------------------------------------ its battles

    def links(self, state: CampaignState) -> tuple[GameLink, ...]:
        """The battles that were set up, oldest first. The one that is being fought has an opening,
        with which it is made if the store does not have it yet."""
        links = []
        for fought in state.fought:
            if fought.conceded_by:
                continue
            is_fought_now = state.step == "battle" and fought.number == state.battle
            # How much of its journal was counted: only a longer one has to be read again.
            known_entries = 0
            if fought.facts is not None:
                known_entries = fought.facts.entries
            opens = None
            if is_fought_now:
                opens = self._opening_of_battle_now(state)
            links.append(
                GameLink(
                    kind=BATTLE_KIND,
                    mark=mark_of_battle(state.setup, fought),
                    label=f"battle {fought.number}",
                    opens=opens,
                    first_orders=partial(self._appointments, state),
                    needs_play=True,
                    known_entries=known_entries,
                    goes_on=is_fought_now,
                )
            )
        return tuple(links)

    def _opening_of_battle_now(self, state: CampaignState) -> Callable[[], Entry[Any, Any]]:
        """A function that makes the first entry of the battle that is being fought. It is called
        only if the store has no such battle yet."""

        def opens() -> Entry[Any, Any]:
            try:
                setup = opening(state, state.fought[-1], self._books(), state.seed)
            except ValueError as error:
                raise nonsense("setup", str(error)) from None
            return battle_opening(setup)

        return opens

    def _appointments(self, state: CampaignState, battle: State) -> list[AnyOrder]:
        """The first orders of a battle that has just been opened: they appoint the program as the
        commander of the sides that were left to it."""
        appointments: list[AnyOrder] = []
        link = battle.setup.campaign
        if link is None or not state.setup.programs:
            return appointments
        read_weights = self._books().weights
        if read_weights is None:
            return appointments
        for number, (side, campaign_side) in enumerate(link.sides.items()):
            temperament = state.setup.programs.get(campaign_side)
            if temperament is not None:
                # Each commander has a seed of his own.
                seed = state.seed + number
                appointments.append(
                    Appoint(side=side, temperament=temperament, seed=seed, weights=read_weights())
                )
        return appointments

    def with_linked(self, linked: Iterable[LinkedGame]) -> CampaignGame:
        """The game with the facts of its battles that are over, as they are stored."""
        ended_battles = {}
        for stored in linked:
            if stored.play is not None:
                facts = facts_of(stored.play)
                if facts is not None:
                    ended_battles[facts.battle] = facts
        game = copy(self)
        game.ended_battles = ended_battles
        return game

    # ------------------------------------------------------------------ what can be done

    def commands(self, state: CampaignState) -> tuple[Command[CampaignOrder], ...]:
        return tuple(commands.commands(state, self.ended_battles))

    def prompt(self, state: CampaignState) -> Command[CampaignOrder] | None:
        return commands.prompt(state)

    def players(self, state: CampaignState) -> Mapping[str, str]:
        return {side.id: side.name for side in state.setup.sides}

    def side_name(self, state: CampaignState, side: str) -> str:
        return f"The {state.people(side)}"

    def colours(self, state: CampaignState) -> tuple[str, str]:
        first, second = state.setup.sides
        signs_of_first, signs_of_second = looks(
            first.nation or first.id, second.nation or second.id
        )
        return signs_of_first.name, signs_of_second.name

    def sides_of(
        self, state: CampaignState, command_or_order: Command[CampaignOrder] | CampaignOrder
    ) -> Collection[str]:
        return commands.sides_of(state, command_or_order)

    # ------------------------------------------------------------------ what is shown

    def page(self, state: CampaignState, viewer: Viewer = PLAYERS) -> Page:
        return pages.campaign_page(state, viewer)

    def situation(self, state: CampaignState, viewer: Viewer = PLAYERS) -> Page:
        return situation_page(state, viewer, self.ended_battles)

    def due(self, play: CampaignPlay, viewer: Viewer = PLAYERS) -> Page:
        """The battles that were changed in their own journals after they were counted."""
        blocks: list[Block] = []
        for changed in changed_battles(play.state, self.ended_battles):
            text = f"Battle {changed.now.battle} has changed since it was counted: "
            text += _difference(play.state, changed.counted, changed.now)
            key_note = f"{commands.NEW_END_KEY} takes the new end."
            blocks.append(Paragraph(text, tone="strong", key_note=key_note))
        return Page("", tuple(blocks))

    def headline(self, state: CampaignState) -> str:
        return pages.headline(state)

    def clock(self, state: CampaignState, viewer: Viewer = PLAYERS) -> str:
        return pages.clock(state)

    def over(self, state: CampaignState) -> bool:
        return state.outcome is not None

    def turn(self, state: CampaignState) -> int:
        return state.battle

    def narrate(self, state: CampaignState, event: CampaignEvent, viewer: Viewer = PLAYERS) -> str:
        """The sentence of an event. A commander reads that the enemy has chosen, and not what."""
        match event:
            case events.ForcesChosen(side=side) | events.ReplacementsListed(side=side):
                if viewer not in (PLAYERS, side):
                    return f"The {state.people(side)} have chosen."
        return event.narrate(state)

    def first_steps(self, state: CampaignState) -> Page | None:
        if state.fought:
            return None
        history: list[Block] = []
        if state.setup.file.history:
            history = [Heading("Where and when"), Paragraph(state.setup.file.history)]
        return Page("", (Beside(tuple(history), tuple(_rules_in_short())),))

    def summary(self, play: CampaignPlay) -> Page:
        return pages.history(play.state)

    def rules(self, state: CampaignState | None = None) -> Page:
        book = self._books().terms
        blocks: list[Block] = []
        answers: Mapping[str, str] = book.defaults()
        title = self.name
        if state is not None:
            answers, title = state.setup.rulings, state.setup.file.title
            if state.setup.file.history:
                blocks.append(Paragraph(state.setup.file.history))
            blocks += book.differing(answers)
        blocks += _rules_in_short()
        blocks += book.blocks(answers)
        return Page(title, tuple(blocks))

    def documents(self) -> tuple[Document, ...]:
        return (
            Document(id="position", title="The campaign", build=lambda play: self.page(play.state)),
            Document(id="report", title="The report", build=self.report),
        )

    def facts(self, play: CampaignPlay) -> dict[str, Any]:
        state = play.state
        winner = None
        if state.outcome is not None:
            winner = state.outcome.winner
        return {
            "battle": state.battle,
            "step": state.step,
            "marker": state.marker,
            "points": state.points,
            "outcome": winner,
            "groups": {group.name: _group_facts(group) for group in state.groups.values()},
        }

    # ------------------------------------------------------------------ its journal

    def why_not_void(self, play: CampaignPlay, line: JournalLine) -> str:
        """Why a line cannot be made void: all later lines build on a battle, a card or a purchase.
        A name, an honour or a new player changes nothing else."""
        live_entries = {entry.number: entry for entry in play.live}
        independent = orders.Rename | orders.GiveHonour | orders.HandOver
        for number in line.entry_numbers:
            entry = live_entries.get(number)
            if entry is not None and not isinstance(entry.order, independent):
                return "Later lines build on this one; go back to it instead."
        return ""

    def check(self, state: CampaignState) -> None:
        """Raises ValueError if the journal, which may come from elsewhere, has made men out of
        nothing or lost them without a trace."""
        for group in state.groups.values():
            # All that ever belonged to the group: those of the start and those bought. ``turned``
            # adds the guys who became another unit to that, and takes them off their old unit.
            ever_owned = Counter(group.strength)
            ever_owned.update(group.recruits)
            ever_owned.update(group.turned)
            for unit, number in ever_owned.items():
                counts = [group.count(place, unit) for place in PLACES]
                if min(counts) < 0:
                    raise ValueError(f"{group.name} has fewer than none of a unit")
                if sum(counts) != number:
                    raise ValueError(f"men of {group.name} are lost or made without an entry")


RULES_TEXT = (
    (
        "The ladder.",
        "The marker starts in the middle. A victory moves it one rung, up for the first side and "
        "down for the second; a draw leaves it. Beyond an end the campaign is won. After the last "
        "battle it ends anyway: the side on whose half the marker stands has won; in the middle "
        "the points decide.",
    ),
    (
        "Before a battle.",
        "Each side brings ready men of its groups: to a free battle up to the allowance, to a "
        "scenario those that its lists name. Men who are missing are attached for this battle "
        "and leave after it. The defender of a free battle has works for his position.",
    ),
    (
        "The lost.",
        "A card is drawn for each lost model, each lost guy and each party of up to three lost "
        "riflemen. It says ready, away for one battle, captured, or gone. The side that holds the "
        "field draws by the better line.",
    ),
    (
        "Replacements.",
        "Each side buys what its groups lack of their strength at the start, and may save some "
        "points. The loser gets more points, or the choice of ground.",
    ),
    (
        "Quality.",
        "A group that brought at least half its strength and lost at most a quarter of it gains a "
        "mark. Marks make it regular, then elite. Many recruits cost a mark, or a step.",
    ),
    (
        "Conceding.",
        "A side may give up a battle before it is counted. The enemy has won it, and nobody is "
        "lost.",
    ),
)
"""The rules in short, for looking up; the rulings follow them."""


def _rules_in_short() -> list[Block]:
    """The rules of campaigns in short, under a heading."""
    blocks: list[Block] = [Heading("The rules of a campaign")]
    blocks += [Paragraph(text, lead=lead) for lead, text in RULES_TEXT]
    return blocks


def _group_facts(group: CampaignGroup) -> dict[str, Any]:
    """What the facts of a campaign say of a group."""
    return {
        "side": group.side,
        "quality": group.quality,
        "marks": group.marks,
        "ready": group.ready,
        "away": group.away,
        "captured": group.total("prisoner"),
        "gone": group.gone,
    }


def _number_lost(facts: BattleFacts) -> int:
    """How many pieces both sides lost in a battle."""
    return len([piece for piece in facts.pieces if piece.fate == "lost"])


def _difference(state: CampaignState, before: BattleFacts, after: BattleFacts) -> str:
    """What has changed in a battle since it was counted, as the end of a sentence."""
    lost_before, lost_after = _number_lost(before), _number_lost(after)
    losses = "as many lost"
    if lost_after < lost_before:
        losses = f"{lost_before - lost_after} fewer lost"
    elif lost_after > lost_before:
        losses = f"{lost_after - lost_before} more lost"
    if after.winner == before.winner:
        return f"{losses}, the same winner."
    if after.winner is None:
        return f"{losses}, and it is a draw now."
    return f"{losses}, and the {state.people(after.winner)} have won it now."
