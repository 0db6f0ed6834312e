"""The set-up of a battle, with no app around it."""

from __future__ import annotations

from typing import Any

from skirmish import library, registry
from skirmish.app.play.setup import GameSetup
from skirmish.app.play.setup_lines import explanation_of, label_of
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.game import PlasticGame
from skirmish.store.settings import Settings
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.set_up_form import Field


def scenario_form(number: int, **liked: Any) -> SetupForm:
    """The set-up of a scenario as it is proposed with these settings."""
    game = registry.load("plastic").equipped((), Settings(**liked))
    return SetupForm(game, {"battle": str(number)})


def form_of(screen: GameSetup | SetupForm) -> SetupForm:
    form = screen.form if isinstance(screen, GameSetup) else screen
    assert form is not None
    return form


class Line:
    """A line of the form as it stands."""

    def __init__(self, form: SetupForm, field: Field) -> None:
        self.form, self.field, self.slot = form, field, field.slot
        self.id = field.slot.name

    @property
    def value(self) -> Any:
        return self.form.answers[self.id]

    @property
    def says(self) -> str:
        now = self.form.field(self.id)
        assert now is not None
        return now.slot.shown(self.value)

    @property
    def told(self) -> str:
        now = self.form.field(self.id)
        assert now is not None
        return explanation_of(now, self.form.answers)

    @property
    def usual(self) -> bool:
        return not self.form.is_changed(self.field)

    @property
    def label(self) -> str:
        return label_of(self.field)

    @property
    def folded(self) -> str:
        return self.field.fold.id if self.field.fold else ""


def lines(screen: GameSetup | SetupForm) -> list[Line]:
    form = form_of(screen)
    return [Line(form, field) for field in form.fields]


def line(screen: GameSetup | SetupForm, name: str) -> Line:
    return next(one for one in lines(screen) if one.id == name)


def choose(screen: GameSetup | SetupForm, **values: Any) -> None:
    """Choose by line; ``__`` in a name stands for a colon."""
    form = form_of(screen)
    for name, value in values.items():
        known = line(form, name.replace("__", ":"))
        form.answer(known.id, value)
        assert known.value == value


def asked(screen: GameSetup | SetupForm) -> set[str]:
    """The rulings that the form lists."""
    return {one.id for one in lines(screen) if one.id in library.rulings().rulings}


def begun(screen: GameSetup | SetupForm) -> Setup:
    form, seeds = form_of(screen), iter(range(1, 99))
    assert isinstance(form.game, PlasticGame)
    return form.game.form.setup(form.answers, lambda: next(seeds))


def units(setup: Setup, side: str) -> list[str]:
    return [piece.unit for piece in setup.pieces if piece.side == side]
