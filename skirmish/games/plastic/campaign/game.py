"""A campaign as the shell knows it: set-up, commands, pages, and the battles that belong to it.

Its battles are games of their own in the store. ``links`` says which they are, and ``with_linked``
gives the campaign what came of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, TypeAlias

from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle.orders import AnyOrder, Appoint
from skirmish.games.plastic.battle.record import opening as battle_opening
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.campaign import commands, events, orders, pages
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.campaign_file import (
    POOL,
    CampaignFile,
    GroupFile,
    SideFile,
    may_be_in_pool,
    scenario_of,
)
from skirmish.games.plastic.campaign.events import CampaignEvent
from skirmish.games.plastic.campaign.facts import facts_of
from skirmish.games.plastic.campaign.fielding import BattleBooks, mark_of_battle, opening, owners
from skirmish.games.plastic.campaign.groups import PLACES, CampaignGroup, UnitTerms
from skirmish.games.plastic.campaign.orders import CampaignOrder
from skirmish.games.plastic.campaign.state import (
    ArmyLimits,
    CampaignSetup,
    CampaignSide,
    CampaignState,
)
from skirmish.games.plastic.campaign.terms import CampaignTerms, ReturnTable
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.games.plastic.rules.army import LONGEST_GROUP, Army
from skirmish.games.plastic.rules.catalog import Catalog, together
from skirmish.games.plastic.setup_form.names import A_PLAYER
from skirmish.games.plastic.setup_form.option_fields import PRESETS
from skirmish.games.plastic.setup_form.side_fields import DRAWS, commanders
from skirmish.tabletop.chance import Source
from skirmish.tabletop.commands import Command
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import PLAYERS, Document, Game, JournalLine, Seed, StoredArmy, Viewer
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.linked_games import Linked, LinkedGame
from skirmish.tabletop.page import Beside, Block, Heading, Page, Paragraph
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.side_colours import looks
from skirmish.tabletop.slots import Words, form_choice
from skirmish.tabletop.typed import plain

CampaignPlay: TypeAlias = Play[CampaignState, CampaignOrder, CampaignEvent]
BATTLE_KIND = "plastic"
"""The id of the game whose battles are fought."""
# The choices of the form: the answer that is stored, its words, a note.
CARDS = (
    ("program", "the program draws", "Space draws all cards of an evening at once."),
    ("own", "own cards or d12, typed in", "You draw and type the ranks: 7 q 3."),
)
QUALITY = (
    ("off", "for honour only", "Groups gain marks and honours, and fight all alike."),
    ("on", "in battle too", "Each group tests at its own force quality."),
)
RULES = (
    ("usual", "the usual ones", PRESETS["usual"].note),
    ("first_game", "none: only moving, firing and counting", PRESETS["first_game"].note),
    ("everything", "all of them", PRESETS["everything"].note),
)
SIDES_HEADING, RULES_HEADING = "SIDES", "RULES"
"""The headings of the form."""
RETURN_TABLE = "C22"
"""The ruling that says by which table the cards for the lost are read."""


class CampaignBooks(BattleBooks, frozen=True, kw_only=True):
    """What campaigns are opened with, besides what battles are opened with. ``rulings`` of the base
    are those of battles."""

    files: Mapping[str, CampaignFile]
    """The campaigns by id."""
    terms: PresetBook
    """The rulings of campaigns (C1, C2, ...) and their presets."""
    tables: Mapping[str, ReturnTable]
    """The tables of returns, by the answers to C22."""
    weights: Callable[[], CommanderWeights] | None = None
    """The weights of the program's commander, who may command a side in its battles."""
    templates: Mapping[str, Army] = {}
    """Ready armies, for a campaign without groups of its own."""
    broken: tuple[DataError, ...] = ()
    """What is wrong with the files that cannot be read."""

    def terms_of(self, answers: Mapping[str, str]) -> CampaignTerms:
        """The numbers that these answers stand for."""
        return CampaignTerms(answers, self.tables[answers[RETURN_TABLE]])


def _rules_of_a_campaign() -> list[Block]:
    """The rules in short."""
    blocks: list[Block] = [Heading("The rules of a campaign")]
    blocks += [Paragraph(text, lead=lead) for lead, text in RULES_TEXT]
    return blocks


class CampaignGame(Game[CampaignState, CampaignOrder, CampaignEvent]):
    """A campaign of WWII Plastic Skirmish. ``ended`` are the facts of its battles that are over, by
    number, as they are stored now. ``books`` is called whenever they are needed: the player's own
    files may change while the program runs."""

    id, name, noun = "campaign", "Campaign", "campaign"
    order, event = CampaignOrder, CampaignEvent

    def __init__(self, books: Callable[[], CampaignBooks]) -> None:
        self._books = books
        self._armies: Mapping[str, Army] = {}
        self.ended: Mapping[int, BattleFacts] = {}

    # ------------------------------------------------------------------ set-up

    def fields(self, answers: Mapping[str, Any]) -> tuple[Field, ...]:
        books = self._books()
        rows = []
        for id, file in books.files.items():
            note = f"At most {file.last_battle} battles. {file.history}"
            rows.append((id, file.title, note))
        first = Field(slot=form_choice("campaign", "Which campaign is it?", rows, "Campaign"))
        file = books.files[answers.get("campaign", rows[0][0])]
        fields = [first]
        fields += self._army_fields(file)
        for side in file.sides:
            people = _people(side, books.catalog)
            name = Words(
                name=f"player_{side.id}",
                label=f"{people}: commanded by",
                text=f"Who commands the {people}?",
                default="",
                longest=20,
            )
            draws = form_choice(
                f"draws_{side.id}",
                f"Who draws or rolls for the {people} in battle?",
                DRAWS,
                f"{people}: who draws",
            )
            fields.append(Field(slot=name, group=SIDES_HEADING))
            program = form_choice(
                f"program_{side.id}",
                f"Who commands the {people} in battle?",
                commanders(),
                f"{people}: in battle",
            )
            fields.append(Field(slot=draws, group=SIDES_HEADING))
            fields.append(Field(slot=program, group=SIDES_HEADING))
        choices = (
            ("options", "Which optional rules are played?", RULES, "Optional rules"),
            ("quality", "What is the quality of groups for?", QUALITY, "Force quality"),
            ("cards", "Who draws the cards for the lost?", CARDS, "Cards for the lost"),
        )
        for id, text, options, label in choices:
            fields.append(Field(slot=form_choice(id, text, options, label), group=RULES_HEADING))
        return (*fields, *books.terms.fields())

    def equipped(self, armies: Iterable[StoredArmy], settings: Any) -> CampaignGame:
        """The game with the stored ``armies`` for a campaign without groups of its own; one that
        cannot be read is left out with a warning."""
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

    def _army_of(self, side: SideFile, answers: Mapping[str, Any]) -> Army | None:
        """The army that a side without groups of its own brings; None: it has groups."""
        if side.groups:
            return None
        armies = self._all_armies()
        # The form always has an answer, which for the second side is another army than for the
        # first. Who opens a campaign without the form and names none gets the first for both.
        id = answers.get(f"army_{side.id}") or next(iter(armies))
        if id not in armies:
            raise nonsense("army", f"There is no army {id!r}.")
        return armies[id]

    def _all_armies(self) -> dict[str, Army]:
        """The player's own armies, then the ready ones that are no larger than a usual pool, the
        largest first. There is always one: ready armies come with the program."""
        ready = []
        for name, army in self._books().templates.items():
            if army.spent <= POOL:
                ready.append((name, army))
        ready.sort(key=lambda name_and_army: -name_and_army[1].spent)
        return {**self._armies, **dict(ready)}

    def _army_fields(self, file: CampaignFile) -> Iterator[Field]:
        """Which army each side without groups of its own brings."""
        armies = list(self._all_armies().items())
        for side in file.sides:
            if side.groups:
                continue
            rows = []
            for id, army in armies:
                about = f"{army.spent} points"
                if army.terms:
                    about = f"{army.terms}, {about}"
                words = f"{plain(army.army_list.name)}: {about}"
                rows.append((id, words, "Its groups become the groups of the campaign."))
            slot = form_choice(
                f"army_{side.id}", f"Which is the {side.name.lower()}?", rows, side.name
            )
            yield Field(slot=slot, group=SIDES_HEADING)
            # A form proposes the first row: to the second side that is another army.
            armies = [*armies[1:], armies[0]]

    def follow(self, changed: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._books().terms.follow(changed, answers)

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[CampaignEvent]:
        books = self._books()
        file = books.files[answers.get("campaign", next(iter(books.files)))]
        rulings = _campaign_rulings(file, books, answers)
        terms = books.terms_of(rulings)
        armies = {side.id: self._army_of(side, answers) for side in file.sides}
        _refuse_dear_armies(armies.values(), terms.pool)
        # Drawn in this order: a campaign that is opened again with the same seed has both alike.
        mark = f"c{seed():013x}"
        cards = Source("deck")
        if answers.get("cards") != "own":
            # Without a seed the players draw the cards themselves.
            cards = Source("deck", seed=seed())
        setup = CampaignSetup(
            mark=mark,
            file=file,
            sides=_sides(file, books.catalog, answers, armies),
            groups=tuple(_groups(file, armies)),
            units=_units(file, books),
            works=_works(books.catalog),
            lists=_lists(file, books),
            titles=_titles(file, books),
            rulings=rulings,
            named=books.terms.named(rulings),
            table=books.tables[rulings[RETURN_TABLE]],
            source=cards,
            options=PRESETS[answers.get("options", "usual")].options,
            draws={side.id: answers.get(f"draws_{side.id}", "deck") for side in file.sides},
            programs=_programs(file, answers),
            quality=answers.get("quality") == "on",
            limits=_limits_of_battles(books, terms),
            revision=books.revision,
        )
        return [events.CampaignOpened(setup=setup)]

    def title(self, state: CampaignState) -> str:
        return state.setup.file.title

    # ------------------------------------------------------------------ its battles

    def links(self, state: CampaignState) -> tuple[Linked, ...]:
        """The battles that were set up, oldest first; the last one is opened if it is missing."""
        links = []
        for fought in state.fought:
            if fought.conceded_by:
                continue
            is_fought_now = state.step == "battle" and fought.number == state.battle
            known_entries = 0
            if fought.facts is not None:
                known_entries = fought.facts.entries
            opens = None
            if is_fought_now:
                opens = self._opening_of(state)
            links.append(
                Linked(
                    kind=BATTLE_KIND,
                    mark=mark_of_battle(state.setup, fought),
                    label=f"battle {fought.number}",
                    opens=opens,
                    first_orders=partial(self._appointments, state),
                    reads=True,
                    known_entries=known_entries,
                    goes_on=is_fought_now,
                )
            )
        return tuple(links)

    def _opening_of(self, state: CampaignState) -> Callable[[], Entry[Any, Any]]:
        """What makes the first entry of the battle that is being fought; called only if the store
        has no such battle yet."""

        def opens() -> Entry[Any, Any]:
            try:
                setup = opening(state, state.fought[-1], self._books(), state.seed)
            except ValueError as error:
                raise nonsense("setup", str(error)) from None
            return battle_opening(setup)

        return opens

    def _appointments(self, state: CampaignState, battle: State) -> list[AnyOrder]:
        """The orders with which a battle begins that has just been opened: they appoint the
        program's commander of each side that is left to him."""
        appointments: list[AnyOrder] = []
        of_campaign = battle.setup.campaign
        if of_campaign is None or not state.setup.programs:
            return appointments
        weights = self._books().weights
        for number, (side, campaign_side) in enumerate(of_campaign.sides.items()):
            temperament = state.setup.programs.get(campaign_side)
            if temperament is not None and weights is not None:
                seed = state.seed + number
                appointments.append(
                    Appoint(side=side, temperament=temperament, seed=seed, weights=weights())
                )
        return appointments

    def with_linked(self, linked: Iterable[LinkedGame]) -> CampaignGame:
        """The game with the ends of its battles as they are stored."""
        ended = {}
        for stored in linked:
            if stored.play is not None:
                facts = facts_of(stored.play)
                if facts is not None:
                    ended[facts.battle] = facts
        game = copy(self)
        game.ended = ended
        return game

    # ------------------------------------------------------------------ what can be done

    def commands(self, state: CampaignState) -> tuple[Command[CampaignOrder], ...]:
        return tuple(commands.commands(state, self.ended))

    def prompt(self, state: CampaignState) -> Command[CampaignOrder] | None:
        return commands.prompt(state)

    def players(self, state: CampaignState) -> Mapping[str, str]:
        return {side.id: side.name for side in state.setup.sides}

    def side_name(self, state: CampaignState, side: str) -> str:
        return f"The {state.people(side)}"

    def colours(self, state: CampaignState) -> tuple[str, str]:
        first, second = state.setup.sides
        signs = looks(first.nation or first.id, second.nation or second.id)
        return signs[0].name, signs[1].name

    def sides_of(
        self, state: CampaignState, given: Command[CampaignOrder] | CampaignOrder
    ) -> Collection[str]:
        return commands.sides_of(state, given)

    # ------------------------------------------------------------------ what is shown

    def page(self, state: CampaignState, viewer: Viewer = PLAYERS) -> Page:
        return pages.campaign_page(state, viewer)

    def situation(self, state: CampaignState, viewer: Viewer = PLAYERS) -> Page:
        return pages.situation(state, viewer, self.ended)

    def due(self, play: CampaignPlay, viewer: Viewer = PLAYERS) -> Page:
        blocks: list[Block] = []
        for fought in play.state.fought:
            facts = self.ended.get(fought.number)
            if fought.facts is None or facts is None or facts.digest == fought.facts.digest:
                continue
            text = f"Battle {fought.number} has changed since it was counted: "
            text += _difference(play.state, fought.facts, facts)
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
        """Of the enemy's choices a commander reads that they were made, and not what they are."""
        match event:
            case events.ForcesChosen(side=side) | events.ReplacementsListed(side=side):
                if viewer not in (PLAYERS, side):
                    return f"The {state.people(side)} have chosen."
        return event.narrate(state)

    def first_steps(self, state: CampaignState) -> Page | None:
        if state.fought:
            return None
        left: list[Block] = []
        if state.setup.file.history:
            left = [Heading("Where and when"), Paragraph(state.setup.file.history)]
        return Page("", (Beside(tuple(left), tuple(_rules_of_a_campaign())),))

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
        blocks += _rules_of_a_campaign()
        blocks += book.blocks(answers)
        return Page(title, tuple(blocks))

    def documents(self) -> tuple[Document, ...]:
        return (
            Document(id="position", title="The campaign", build=lambda play: self.page(play.state)),
            Document(id="report", title="The report", build=self.report),
        )

    def facts(self, play: CampaignPlay) -> dict[str, Any]:
        state = play.state
        return {
            "battle": state.battle,
            "step": state.step,
            "marker": state.marker,
            "points": state.points,
            "outcome": state.outcome.winner if state.outcome else None,
            "groups": {
                group.name: {
                    "side": group.side,
                    "quality": group.quality,
                    "marks": group.marks,
                    "ready": group.ready,
                    "away": group.away,
                    "captured": group.total("prisoner"),
                    "gone": group.gone,
                }
                for group in state.groups.values()
            },
        }

    # ------------------------------------------------------------------ its journal

    def why_not_void(self, play: CampaignPlay, line: JournalLine) -> str:
        """Everything later builds on a battle, a card or a purchase; a name or an honour stands by
        itself."""
        entries = {entry.number: entry for entry in play.live}
        independent = orders.Rename | orders.GiveHonour | orders.HandOver
        for number in line.entry_numbers:
            entry = entries.get(number)
            if entry is not None and not isinstance(entry.order, independent):
                return "Later lines build on this one; go back to it instead."
        return ""

    def check(self, state: CampaignState) -> None:
        """Raises ValueError where a journal from elsewhere has more men somewhere than there are,
        or fewer than none."""
        for group in state.groups.values():
            # All that ever belonged to the group: those of the start, those bought, and the change
            # by guys who became riflemen when their weapons broke down (``turned``).
            origins = (group.strength, group.recruits, group.turned)
            for unit in {*group.strength, *group.recruits, *group.turned}:
                counts = [group.count(place, unit) for place in PLACES]
                if min(counts) < 0:
                    raise ValueError(f"{group.name} has fewer than none of a unit")
                if sum(counts) != sum(origin.get(unit, 0) for origin in origins):
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
        "scenario whom its lists name. Who is missing is attached for this battle and leaves "
        "after it. The defender of a free battle has works for his position.",
    ),
    (
        "The lost.",
        "A card is drawn for each lost model, each lost guy and each party of up to three lost "
        "riflemen. It says ready, away for one battle, captured, or gone. Who holds the field "
        "draws by the better line.",
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
        "A side may give up a battle before it is counted. The enemy has won it, nobody is lost.",
    ),
)
"""The rules in short, for looking up; the rulings follow them."""


def _difference(state: CampaignState, before: BattleFacts, after: BattleFacts) -> str:
    """What has changed in a battle since it was counted, for a sentence that ends with it."""
    lost_before = sum(piece.fate == "lost" for piece in before.pieces)
    lost_after = sum(piece.fate == "lost" for piece in after.pieces)
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


def _campaign_rulings(
    file: CampaignFile, books: CampaignBooks, answers: Mapping[str, Any]
) -> dict[str, str]:
    """The answers to the rulings of campaigns (C1, C2, ...). A campaign has a preset of its own,
    which counts where nobody has chosen another."""
    chosen = books.terms.chosen(answers)
    # The answer ``rulings`` names a preset; ``chosen`` has taken it into account already.
    if "rulings" not in answers and file.preset in books.terms.presets:
        chosen = {**books.terms.presets[file.preset].answers, **chosen}
    return books.terms.answered(chosen)


def _refuse_dear_armies(armies: Iterable[Army | None], pool: int) -> None:
    """Raises Refused if an army costs more than a side may spend."""
    for army in armies:
        if army is not None and army.spent > pool:
            name = plain(army.army_list.name)
            text = f"{name} costs {army.spent} points; a side buys for {pool} (C1)."
            raise nonsense("pool", text)


def _programs(file: CampaignFile, answers: Mapping[str, Any]) -> dict[str, TemperamentId]:
    """The sides whose battles the program commands, with its character."""
    programs = {}
    for side in file.sides:
        temperament = answers.get(f"program_{side.id}", A_PLAYER)
        if temperament != A_PLAYER:
            programs[side.id] = temperament
    return programs


def _limits_of_battles(books: CampaignBooks, terms: CampaignTerms) -> ArmyLimits | None:
    """The purchase limits of armies, where they bind what is brought to a battle (C2)."""
    if not terms.limits_when_fielding:
        return None
    return ArmyLimits(books.catalog, books.rulings.answered({}))


def _people(side: SideFile, catalog: Catalog) -> str:
    """What the men of a side are called: by its own name, or by its nation."""
    if side.name:
        return side.name
    if side.nation is not None:
        return catalog.nations[side.nation].people
    return side.id.capitalize()


def _sides(
    file: CampaignFile,
    catalog: Catalog,
    answers: Mapping[str, Any],
    armies: Mapping[str, Army | None],
) -> tuple[CampaignSide, CampaignSide]:
    """The two sides; one with an army is called as the army."""
    names = []
    for side in file.sides:
        army = armies[side.id]
        if army is None:
            names.append(_people(side, catalog))
        else:
            names.append(plain(army.army_list.name))
    if names[0] == names[1]:
        # Sentences must tell two sides of one name apart.
        names = [f"{names[0]} 1", f"{names[1]} 2"]
    sides = []
    for side, name in zip(file.sides, names, strict=True):
        army = armies[side.id]
        people, nation = name, side.nation
        if army is not None:
            people, nation = f"men of {name}", army.army_list.nation
        player = plain(str(answers.get(f"player_{side.id}", "")))
        sides.append(
            CampaignSide(id=side.id, name=name, people=people, nation=nation, player=player)
        )
    first, second = sides
    return first, second


def _groups_of_army(army: Army) -> tuple[GroupFile, ...]:
    """The groups into which its player divided an army, free men included, without what can only
    be attached."""
    groups = []
    for block in army.blocks():
        units = together([block.units, block.free])
        owned = {unit: count for unit, count in units.items() if may_be_in_pool(unit, army.catalog)}
        if owned:
            name = plain(block.name)
            if not army.army_list.groups:
                # An army that was not divided is a single block, which has no name of its own.
                name = plain(army.army_list.name)
            groups.append(GroupFile(name=name[:LONGEST_GROUP], units=owned))
    return tuple(groups)


def _groups(file: CampaignFile, armies: Mapping[str, Army | None]) -> Iterable[CampaignGroup]:
    """The groups of both sides as they begin: everybody is ready."""
    for side in file.sides:
        army = armies[side.id]
        groups, nation = side.groups, side.nation
        if army is not None:
            groups, nation = _groups_of_army(army), army.army_list.nation
        for number, group in enumerate(groups, 1):
            units = {unit: count for unit, count in group.units.items() if count}
            yield CampaignGroup(
                id=f"{side.id}-{number}",
                side=side.id,
                name=group.name,
                nation=group.nation or nation,
                front=group.front,
                enters=group.enters,
                strength=units,
                quality=group.quality,
                ready=dict(units),
            )


def _units(file: CampaignFile, books: BattleBooks) -> dict[str, UnitTerms]:
    """The units of the rules, and those that scenarios of the ladder have of their own."""
    catalog = books.catalog
    for rung in file.rungs:
        scenario = scenario_of(rung, books.scenarios)
        if scenario is not None:
            catalog = catalog.with_variants(scenario.variants)
    return {id: UnitTerms(unit.name, unit.price, unit.is_guy) for id, unit in catalog.units.items()}


def _works(catalog: Catalog) -> dict[str, UnitTerms]:
    """The works of the rules."""
    return {id: UnitTerms(work.name, work.price, guy=False) for id, work in catalog.works.items()}


def _lists(file: CampaignFile, books: BattleBooks) -> dict[str, dict[str, dict[str, int]]]:
    """The lists of the scenarios of the ladder, by the rung's scenario and by side; of several
    options the first."""
    lists: dict[str, dict[str, dict[str, int]]] = {}
    for rung in file.rungs:
        scenario = scenario_of(rung, books.scenarios)
        if scenario is None:
            continue
        by_side: dict[str, dict[str, int]] = {side.id: {} for side in file.sides}
        campaign_sides = owners(file, scenario)
        for side in scenario.sides:
            wanted = by_side[campaign_sides[side.id]]
            for contingent in side.contingents:
                units = dict(contingent.units)
                for choice in contingent.choices:
                    for unit, count in choice.one_of[0].items():
                        units[unit] = units.get(unit, 0) + count
                for unit, count in units.items():
                    wanted[unit] = wanted.get(unit, 0) + count
        lists[str(rung.scenario)] = by_side
    return lists


def _titles(file: CampaignFile, books: BattleBooks) -> dict[str, str]:
    """The titles of the scenarios of the ladder, by the rung's scenario."""
    titles = {}
    for rung in file.rungs:
        scenario = scenario_of(rung, books.scenarios)
        if scenario is not None:
            titles[str(rung.scenario)] = scenario.title
    return titles
