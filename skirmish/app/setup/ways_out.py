"""From set-up to the first turn, with everything saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.app.host import Host
from skirmish.app.questions.seen import FIRST_EVENING
from skirmish.app.setup.lines import Line, Secret
from skirmish.games.plastic.battle.orders import Seal
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.options import FIRST_GAME
from skirmish.tabletop.refusal import Refused

if TYPE_CHECKING:
    from skirmish.app.battle.kept import BattleSession

SMALL = "The Short Evening"
"""The template that both sides of the first evening have."""
FIRST_SIDES = ("Americans", "Germans")


async def first_evening(app: Host) -> None:
    """Two small armies of the same list without optional rules, one question at a time."""
    from skirmish import library
    from skirmish.games.plastic.battle.opening import Chosen, from_armies
    from skirmish.tabletop.chance import Source

    small = next(army for army in library.templates() if army.listed.name == SMALL)
    one, other = (replace(small, listed=replace(small.listed, name=name)) for name in FIRST_SIDES)
    seed = app.seed()
    sources = (Source(seed=seed), Source(seed=seed + 1))
    chosen = Chosen(options=FIRST_GAME)
    setup = from_armies(one, other, library.rulings(), sources=sources, chosen=chosen)
    await begin(app, replace(setup, title=FIRST_EVENING), (), questions=True)


async def begin(app: Host, setup: Setup, lines: Iterable[Line], *, questions: bool = False) -> None:
    """Save the battle, then show it over home, which is where its Esc shall lead."""
    from skirmish.app.battle.kept import BATTLES
    from skirmish.app.session import Session
    from skirmish.games.plastic.battle.record import opening
    from skirmish.store.errors import StoreError

    try:
        kept = await Session.opened(BATTLES, app.stored, setup.title, opening(setup))
    except StoreError as error:
        await app.tell("The battle could not be saved", str(error))
        return
    trouble = await _seal(kept, lines)
    app.home()
    await app.show("questions" if questions or app.settings.questions else "battle", kept)
    if trouble:
        await app.tell("The sealed note was not saved", trouble)


async def _seal(kept: BattleSession, lines: Iterable[Line]) -> str:
    """Save what was written in secret, in its envelope; what went wrong, if anything did."""
    from skirmish.store.errors import StoreError

    for line in lines:
        if isinstance(line, Secret) and line.text:
            try:
                await kept.give(Seal(side=line.id.removeprefix("seal:"), text=line.text))
            except (Refused, StoreError) as error:
                return f"{error} Seal it on the battle screen."
    return ""
