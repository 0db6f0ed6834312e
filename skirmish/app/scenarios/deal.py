"""The screen that deals battles: what is asked for (``deal_choices``) above, three proposals side
by side below."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library, scenario_editing
from skirmish.app.armies import owned_figures
from skirmish.app.asking import TextEntry
from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.scenarios.deal_choices import DealChoices, Term
from skirmish.app.scenarios.map_picture import in_rows, inks_of, picture
from skirmish.app.text_styles import DIM, HEAD, KEY, STRONG
from skirmish.games.plastic.dealing.codes import SEEDS, CodedDeal, code_of, decoded
from skirmish.games.plastic.dealing.deal import Dealt, deal
from skirmish.games.plastic.dealing.proposals import (
    PROPOSALS,
    DealRequest,
    proposals,
    with_another_table,
    with_other_forces,
)
from skirmish.games.plastic.dealing.wishes import NoSuchBattleError
from skirmish.games.plastic.rules.army import counts_in_words
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.wording import date_in_words

NO_FIGURES = "You have entered no figures yet; {key} enters them."
LONGEST_TYPED = 80
"""The most characters of a typed code, with spaces in it."""
ASKED_EDGES = 4
"""Columns at both sides of what is asked for, as in the style sheet."""
NARROWEST_MAP = 16
"""The fewest columns in which a map is drawn. Before the screen is laid out, its columns have no
width at all."""
PAGE_ROWS = 8
"""Rows by which the page keys scroll a battle."""


class Proposal(NamedTuple):
    """A battle that was dealt."""

    coded: CodedDeal
    """The wishes and the seed from which it was dealt."""
    code: str
    """What a player types to have it dealt again."""
    dealt: Dealt
    scenario: Scenario
    """The dealt battle as a scenario that is in no file yet."""


class DealScreen(Screen[None]):
    """Deals three battles at once. A letter changes what is asked for, and deals anew; one of the
    three is always chosen, which Enter plays. Whatever is played, printed or saved becomes one of
    the player's own scenarios."""

    CSS_PATH = "deal.tcss"
    TOPIC: ClassVar[str] = "deal"
    HELP = (
        "Three battles are dealt: a table, two forces and what they fight for. Left and right, or "
        "a digit, choose one of them; up and down scroll it. Enter takes it into your scenarios "
        "and sets it up. Letters change what is dealt. Points are those of the larger side."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "deal",
        ("again", "d", "deal", "Deal", "Deal three other battles"),
        ("forces", "f", "other_forces", "Forces", "Keep the table, deal other forces"),
        ("table", "m", "another_table", "Table", "Keep the forces, deal another table"),
        ("play", "enter", "play", "Play", "Take the chosen battle and set it up"),
        ("save", "s", "save", "", "Take the chosen battle into your scenarios"),
        ("print", "p", "print", "Print", "Take the chosen battle and print its sheet"),
        ("edit", "e", "edit", "Edit", "Take the chosen battle and change it in the workshop"),
        ("left", "left", "choose_next(-1)", "", "Choose the battle on the left"),
        ("right", "right", "choose_next(1)", "", "Choose the battle on the right"),
        ("up", "up,k", "read(-1)", "", "Scroll the chosen battle up"),
        ("down", "down,j", "read(1)", "", "Scroll the chosen battle down"),
        ("page_up", "pageup", f"read(-{PAGE_ROWS})", "", "Scroll the chosen battle up a page"),
        (
            "page_down",
            "pagedown,space",
            f"read({PAGE_ROWS})",
            "",
            "Scroll the chosen battle down a page",
        ),
        ("first", "1", "choose(0)", "", "Choose the first battle"),
        ("second", "2", "choose(1)", "", "Choose the second battle"),
        ("third", "3", "choose(2)", "", "Choose the third battle"),
        ("theme", "t", "turn('theme')", "", "Another theme"),
        ("region", "w", "turn('region')", "", "Another region"),
        ("nation", "n", "turn('nation')", "", "Another nation that fights"),
        ("enemy", "v", "turn('enemy')", "", "Another nation that it fights against"),
        ("year", "a", "turn('year')", "", "Another year"),
        ("size", "z", "turn('size')", "", "Another size of the table"),
        ("points", "o", "turn('points')", "", "Other points"),
        ("length", "l", "turn('length')", "", "A shorter or a longer battle"),
        ("owned", "y", "turn('owned')", "", "Only what you own, or anything"),
        ("code", "c", "type_code", "", "Type the code of a battle, which is dealt again"),
        ("figures", "g", "figures", "", "Enter the figures and the terrain that you own"),
        ("leave", "escape", "app.pop_screen", "Back", "Back"),
    )

    def __init__(self, seed: int | None = None) -> None:
        """``seed`` decides which battles are dealt; None: others each time the screen opens."""
        super().__init__()
        self._chance = random.Random(seed)
        self._choices = DealChoices()
        self._owned: dict[str, int] = {}
        """The player's figures and terrain, by the ids of the pieces."""
        self._proposals: list[Proposal] = []
        self._chosen = 0
        """The place of the chosen battle among the proposals, from 0; its key is one more."""
        self._why_none = ""
        """Why there are no proposals, in a sentence."""
        self._saved_numbers: dict[str, int] = {}
        """The numbers of the scenarios that battles were saved as, by the codes of the battles."""

    @property
    def paragraph(self) -> str:
        return "setting-up"

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static("DEAL A BATTLE", classes="title", id="heading", markup=False)
        yield Static("", id="asked", markup=False)
        with Horizontal(id="proposals"):
            for place in range(PROPOSALS):
                with VerticalScroll(id=f"proposal-{place}", classes="proposal", can_focus=False):
                    yield Static("", id=f"text-{place}", markup=False)
        yield Foot()

    def action_figures(self) -> None:
        from skirmish.app.armies.own_figures import FiguresScreen

        self.app.push_screen(FiguresScreen(self.skirmish))

    async def on_screen_resume(self) -> None:
        owned_before, self._owned = self._owned, await owned_figures(self.skirmish.stored)
        # Figures were entered meanwhile. Proposals stay until battles are dealt again; without any,
        # the reason that is shown may no longer hold.
        if self._owned != owned_before and not self._proposals:
            self._deal_anew()

    async def on_mount(self) -> None:
        # The first battles need the figures, and are dealt before ``on_screen_resume`` is called.
        self._owned = await owned_figures(self.skirmish.stored)
        self._deal_anew()

    def on_resize(self) -> None:
        self.call_after_refresh(self._paint)

    def settings_changed(self) -> None:
        self._paint()

    # ------------------------------------------------------------------ dealing

    def action_deal(self) -> None:
        self._deal_anew()

    def action_turn(self, name: str) -> None:
        """Change a term of what is asked for, and deal battles for it."""
        self._choices.turn(name)
        self._deal_anew()

    @work(exclusive=True, group="deal")
    async def _deal_anew(self) -> None:
        """Deal three battles for what is asked for; where there are none, show why."""
        self._paint()  # shows what is asked for now; dealing takes a moment
        seed = self._chance.randrange(SEEDS)
        request = self._choices.request(self._owned)
        # All that the player owns cannot be dealt before any figures are entered.
        has_figures = request.figures is not None
        if self._choices.all_owned_is_asked and not has_figures:
            self._proposals = []
            self._why_none = NO_FIGURES.format(key=self.skirmish.key("deal.figures", "g"))
            self._paint()
            return
        try:
            new_proposals = await asyncio.to_thread(_three_proposals, request, seed)
        except NoSuchBattleError as error:
            self._proposals = []
            self._why_none = str(error)
        else:
            self._proposals = new_proposals
            self._why_none = ""
            self._chosen = 0
        self._paint()

    def action_other_forces(self) -> None:
        self._deal_chosen_again(with_other_forces)

    def action_another_table(self) -> None:
        self._deal_chosen_again(with_another_table)

    @work(exclusive=True, group="deal")
    async def _deal_chosen_again(
        self, change: Callable[[CodedDeal, random.Random], CodedDeal]
    ) -> None:
        """Deal the chosen battle again, with that change to what it is dealt from."""
        if not self._proposals:
            return
        chosen = self._chosen  # the player may choose another one while it is dealt
        coded = change(self._proposals[chosen].coded, self._chance)
        try:
            self._proposals[chosen] = await asyncio.to_thread(_proposal, coded)
        except NoSuchBattleError as error:
            # The battle that was to be changed stays.
            self.app.notify(str(error), markup=False)
        self._paint()

    @work(exclusive=True, group="window")
    async def action_type_code(self) -> None:
        """Ask for the code of a battle, and deal it in the place of the chosen one."""
        entry = TextEntry(
            "The code of a battle",
            "Type it as it stands on the sheet; small letters and spaces do not matter.",
            check=_proposal_of_typed,
            longest=LONGEST_TYPED,
        )
        typed = await self.app.push_screen_wait(entry)
        if typed is None:
            return
        # Dealt once more, since the window has only checked the code.
        proposal = await asyncio.to_thread(_proposal_of_typed, typed)
        if self._proposals:
            self._proposals[self._chosen] = proposal
        else:
            self._proposals, self._chosen = [proposal], 0
        self._paint()

    # ------------------------------------------------------------------ the chosen battle

    def action_choose(self, place: int) -> None:
        if place < len(self._proposals):
            self._chosen = place
            self._paint()

    def action_choose_next(self, step: int) -> None:
        if self._proposals:
            self.action_choose((self._chosen + step) % len(self._proposals))

    def action_read(self, rows: int) -> None:
        """Scroll the chosen battle, whose text is longer than a small screen: up if ``rows`` are
        less than 0."""
        self.query_one(f"#proposal-{self._chosen}").scroll_relative(y=rows, animate=False)

    async def action_save(self) -> None:
        number = await self._take()
        if number is not None:
            text = f"Scenario {number} is among your own now. `skirmish scenario` changes it."
            self.app.notify(text, markup=False)

    async def action_play(self) -> None:
        from skirmish.app.play.setup import GameSetup

        number = await self._take()
        if number is not None:
            given = {"battle": str(number)}
            self.app.push_screen(GameSetup("plastic", given, rules_paragraph="scenario-rules"))

    async def action_edit(self) -> None:
        number = await self._take()
        if number is not None:
            self.skirmish.show("workshop", number)

    async def action_print(self) -> None:
        from skirmish.app.printing import print_document

        number = await self._take()
        if number is not None:
            scenario = library.own_scenarios()[number]
            self.run_worker(print_document(self.skirmish, "scenario", [scenario]))

    async def _take(self) -> int | None:
        """Take the chosen battle into the player's own scenarios, if it is not among them yet.
        Returns its number; None if there is no battle, or if it could not be saved, about which the
        player gets a message."""
        if not self._proposals:
            return None
        proposal = self._proposals[self._chosen]
        async with self.skirmish.reporting("The battle could not be saved"):
            if proposal.code not in self._saved_numbers:
                saved = await asyncio.to_thread(
                    scenario_editing.save_deal, proposal.dealt, proposal.code
                )
                self._saved_numbers[proposal.code] = saved.number
            return self._saved_numbers[proposal.code]
        return None  # saving failed, and the error was reported

    # ------------------------------------------------------------------ painting

    def _paint(self) -> None:
        """Show what is asked for, and what was dealt."""
        if self.is_left:
            return
        self.query_one("#asked", Static).update(self._request_text())
        for place in range(PROPOSALS):
            column = self.query_one(f"#proposal-{place}")
            column.set_class(bool(self._proposals) and place == self._chosen, "chosen")
            text = Content("")
            if place < len(self._proposals):
                text = self._proposal_text(place, column.scrollable_content_region.width)
            elif place == 0 and self._why_none:  # once is enough, in the first column
                text = Content(self._why_none)
            self.query_one(f"#text-{place}", Static).update(text)

    def _request_text(self) -> Content:
        """What is asked for, each term with its key."""
        terms = [self._term_text(term) for term in self._choices.terms()]
        return Content("\n").join(in_rows(terms, self.app.size.width - ASKED_EDGES))

    def _term_text(self, term: Term) -> Content:
        """A term with the key that changes it; a click does so as well."""
        key = self.skirmish.key(f"deal.{term.name}", term.default_key)
        text = Content.assemble((key, KEY), f" {term.label}: ", (term.value, STRONG))
        return text.stylize(f"@click=screen.turn('{term.name}')")

    def _proposal_text(self, place: int, width: int) -> Content:
        """The dealt battle of that place in so many columns: its title, theme and date, map,
        situation, forces, victory, balance and code."""
        proposal = self._proposals[place]
        scenario = proposal.scenario
        measured = self.skirmish.measured
        title_style = STRONG
        if place == self._chosen:
            title_style = HEAD
        title = Content.assemble((f"{place + 1} ", KEY), (scenario.title.upper(), title_style))
        theme = library.dealing().themes[proposal.coded.wishes.theme]
        assert scenario.ends_after is not None  # every dealt battle has a last turn
        turns = scenario.ends_after.turn
        theme_and_time = f"{theme.name}, {date_in_words(scenario.date)}, {turns} turns"
        lines = [title, Content.styled(theme_and_time, DIM)]
        lines += picture(scenario, max(width, NARROWEST_MAP), inks_of(self.skirmish))
        lines += [Content(""), Content(measured(scenario.situation)), Content("")]
        for side in scenario.sides:
            lines.append(_force_text(side))
        lines += [Content(""), Content(measured(scenario.victory.text))]
        lines += [Content(""), Content.styled(proposal.dealt.balance, DIM)]
        lines += [Content.styled(f"Code {proposal.code}", DIM)]
        return Content("\n").join(lines)


def _force_text(side: ScenarioSide) -> Content:
    """The name of a side, and its figures and works."""
    units = total_counts(contingent.units for contingent in side.contingents)
    works = total_counts(contingent.works for contingent in side.contingents)
    pieces = counts_in_words({**units, **works}, library.catalog())
    return Content.assemble((side.name, STRONG), f": {pieces}")


def _three_proposals(request: DealRequest, seed: int) -> list[Proposal]:
    """Three battles for what is asked for. Raises NoSuchBattleError."""
    return [_proposal(coded) for coded in proposals(request, seed, library.dealing())]


def _proposal(coded: CodedDeal) -> Proposal:
    """The battle of a code, dealt. Raises NoSuchBattleError."""
    books = library.dealing()
    dealt = deal(coded.wishes, coded.seed, books)
    code = code_of(coded.wishes, coded.seed, books)
    return Proposal(coded, code, dealt, scenario_editing.dealt_scenario(dealt, code))


def _proposal_of_typed(typed: str) -> Proposal:
    """The battle of a typed code. Raises ValueError with a sentence for what is not such a code."""
    return _proposal(decoded(typed, library.dealing()))
