"""What both screens that play a battle have in common, the full screen and the one that asks one
question at a time: the rule that F1 opens, and the way to the summary."""

from __future__ import annotations

from skirmish import library
from skirmish.app.battle.summary import SummaryScreen
from skirmish.app.play.ordering import OrderingScreen
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.game import PlasticGame, topics
from skirmish.tabletop.refusal import Refusal

LOOKING_BACK = "mode looking"
"""The topic of the rules for whoever walks through the journal."""


class BattleOrderingScreen(OrderingScreen):
    """A screen that takes the orders of a battle."""

    game: PlasticGame

    @property
    def in_force(self) -> InForce:
        """The rulings of this battle, which the rules show beside each gap."""
        answers = self.state.setup.rulings
        return InForce(answers=answers, origin="as in this battle", scenario=self.scenario_number)

    @property
    def scenario_number(self) -> int | None:
        """The number of the scenario; None for a battle of two armies."""
        setup: Setup = self.state.setup
        if setup.scenario is None:
            return None
        return setup.scenario.number

    @property
    def paragraph(self) -> str:
        """The id of the rule that F1 opens: that behind a refusal, if there is one, or else that of
        what is going on. Empty if no rule is about it."""
        reference = library.reference()
        paragraph = None
        refusal = self._refusal_to_explain
        if refusal is not None:
            paragraph = reference.about(refusal.code, refusal.rule)
        if paragraph is None:
            paragraph = reference.on(*self._topics_now)
        if paragraph is None:
            return ""
        return paragraph.id

    @property
    def _refusal_to_explain(self) -> Refusal | None:
        """The last refusal, or else the advice against the order that is ready to be given."""
        if self.refusal is not None:
            return self.refusal
        draft = self.draft
        if draft is not None and draft.begun and draft.ready:
            return self.advice_against(draft)
        return None

    @property
    def _topics_now(self) -> list[str]:
        """The topics of the rules that fit what is going on, the nearest first."""
        topics_of_battle = list(topics(self.session.play, self.draft))
        if self.journal_cursor is not None:
            return [LOOKING_BACK, *topics_of_battle]
        return topics_of_battle

    def action_summary(self) -> None:
        self.app.push_screen(SummaryScreen(self.session, self.open_journal))
