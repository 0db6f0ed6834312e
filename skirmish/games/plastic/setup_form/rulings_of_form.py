"""The rulings in the form: which answers are proposed, which matter in this battle, and on which of
them two armies disagree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.rulings_that_matter import (
    rulings_in_footnotes,
    rulings_that_matter,
)
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.rulings import PlasticRuling, PlasticRulingBook
from skirmish.games.plastic.setup_form.choices import (
    DEFAULT_IN_SETTINGS,
    RULINGS,
    choice_field,
)
from skirmish.games.plastic.setup_form.names import Answers
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import AnswerRow
from skirmish.tabletop.typed import plain

ALL_RULINGS = Fold(
    "rulings",
    "Rulings",
    "How you play where the rules leave a choice. If in doubt, keep the defaults.",
)
NOT_APPLIED = "The program does not apply this one; play it at the table."
"""In the help beside a ruling that players apply themselves: its mode is not ``live``."""


class RulingsOfForm(msgspec.Struct, frozen=True):
    """The rulings of a battle that is being set up."""

    book: PlasticRulingBook
    preferred_answers: Mapping[str, str]
    """The answers that the player prefers to the defaults of the book."""
    armies: tuple[Army, ...]
    """Both armies of the basic game; none in a scenario."""

    def defaults(self) -> dict[str, str]:
        """The proposed answers. Those that the armies were built with go before the player's own,
        and these before the book's. If the armies disagree, the answer of the player or the book
        stays if one of them has it; otherwise it is that of the first army."""
        defaults = {**self.book.defaults(), **self.preferred_answers}
        for ruling, built_with in self._built_with().items():
            # A list that was bought under one answer might be illegal under another.
            if defaults[ruling] not in built_with:
                first_army_has, *_ = built_with
                defaults[ruling] = first_army_has
        return defaults

    def disputed(self) -> dict[str, str]:
        """The ids of the rulings on which the armies disagree, each with the sentence that says
        so."""
        names = [plain(army.army_list.name) for army in self.armies]
        disputed = {}
        for id, built_with in self._built_with().items():
            have_different_answers = len(set(built_with)) > 1
            if have_different_answers:
                sentences = self.book.rulings[id].answers
                first_name, second_name = names
                first_answer, second_answer = built_with
                disputed[id] = (
                    f'Choose one: {first_name} was built with "{sentences[first_answer]}", '
                    f'{second_name} with "{sentences[second_answer]}"'
                )
        return disputed

    def _built_with(self) -> dict[str, list[str]]:
        """The answers with which the armies were built, by ruling; the first army's comes first."""
        built_with: dict[str, list[str]] = {}
        for army in self.armies:
            for ruling, answer in army.army_list.rulings.items():
                built_with.setdefault(ruling, []).append(answer)
        return built_with

    def chosen(self, answers: Answers) -> dict[str, str]:
        """The answers with which the battle is opened: those that differ from the book's, and all
        that were changed in this form. One that was changed back to the book's is among them, since
        otherwise the battle would take the answer with which an army was built."""
        rulings: dict[str, str] = {}
        for ruling, default in self.defaults().items():
            answer = answers.get(ruling, default)
            was_changed_here = answer != default
            is_of_book = answer == self.book.rulings[ruling].default
            if was_changed_here or not is_of_book:
                rulings[ruling] = answer
        return rulings

    # ------------------------------------------------------------------ fields

    def fields(self, answers: Answers, setup: Setup) -> Iterator[Field]:
        """The rulings that matter in the battle that the answers come to so far. Those on which the
        armies disagree are shown, the others are folded."""
        defaults, disputed = self.defaults(), self.disputed()
        in_footnotes: Collection[str] = ()
        if setup.scenario is not None:
            in_footnotes = rulings_in_footnotes(setup.scenario)
        for ruling in self._in_order(setup, disputed, in_footnotes):
            default = defaults[ruling.id]
            fold: Fold | None = ALL_RULINGS
            notice = ""
            if ruling.id in disputed:
                fold = None
                # The form shows its notices together, so one of these fields has it for all.
                first_disputed, *_ = disputed
                if ruling.id == first_disputed:
                    notice = self._disputed_notice(disputed)
            # Only of an answer that was not changed here can it be said whose default it is.
            is_default = answers.get(ruling.id, default) == default
            help = _ruling_help(
                ruling,
                disputed.get(ruling.id, ""),
                is_in_footnote=ruling.id in in_footnotes,
                is_preferred=ruling.id in self.preferred_answers and is_default,
            )
            field = _choice_of_answer(ruling, default)
            yield replace(field, fold=fold, help=help, notice=notice, is_ruling=True)

    def _in_order(
        self, setup: Setup, disputed: Collection[str], in_footnotes: Collection[str]
    ) -> list[PlasticRuling]:
        """The rulings to be asked: those that a footnote of the scenario raises come first, those
        that the program does not apply last."""
        rulings = list(rulings_that_matter(self.book, setup))
        for id in disputed:
            # The armies were built with it, so it matters even if this battle never asks for it.
            if self.book.rulings[id] not in rulings:
                rulings.append(self.book.rulings[id])

        def order_of(ruling: PlasticRuling) -> tuple[bool, bool]:
            # False sorts before True.
            is_in_no_footnote = ruling.id not in in_footnotes
            is_not_applied = ruling.mode != "live"
            return is_in_no_footnote, is_not_applied

        return sorted(rulings, key=order_of)

    def _disputed_notice(self, disputed: Collection[str]) -> str:
        """The sentence about rulings on which the armies disagree."""
        titles = ", ".join(self.book.rulings[id].title.lower() for id in disputed)
        return (
            f"The armies were built with different rulings: {titles}. The answers below hold for "
            "both armies."
        )


def _choice_of_answer(ruling: PlasticRuling, default: str) -> Field:
    """The field with the answers to a ruling, of which the ``default`` is proposed."""
    # The words are also the note: the line of a field may cut its label short.
    rows = [AnswerRow(id, words, words) for id, words in ruling.answers.items()]
    return choice_field(
        RULINGS,
        ruling.id,
        text=ruling.question,
        label=ruling.title,
        rows=rows,
        default=default,
    )


def _ruling_help(
    ruling: PlasticRuling, dispute: str, *, is_in_footnote: bool, is_preferred: bool
) -> str:
    """Why a ruling is asked for, where its proposed answer comes from, and its question.
    ``dispute``: the sentence that the armies disagree on it; empty if they do not."""
    sentences = []
    if dispute:
        sentences.append(dispute)
    if ruling.mode != "live":
        sentences.append(NOT_APPLIED)
    if is_in_footnote:
        sentences.append("A footnote of this scenario raises it.")
    if is_preferred and not dispute:
        sentences.append(DEFAULT_IN_SETTINGS)
    sentences.append(ruling.question)
    return " ".join(sentences)
