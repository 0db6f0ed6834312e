"""How a command of the battle is declared, and what it has besides in the present state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.resolution import Order
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.tabletop.commands import Answers, Command, Toggle
from skirmish.tabletop.page import Page
from skirmish.tabletop.slots import Slot

FIRE, TURN, MOVEMENT, CORRECTIONS, BATTLE = "Fire", "Turn", "Movement", "Corrections", "Battle"
"""The headings of the help."""
AnyCommand = Command[AnyOrder]
"""A command of the battle, whichever of its orders it gives."""


class CommandParts(msgspec.Struct, frozen=True, kw_only=True):
    """What a command has in the present state besides its declaration. The fields are those of
    ``Command``, and ``on_strip``. Where the order, the label, the word or the reason is None,
    ``Declared.command`` finds it out. Functions get the answers so far, which are called ``facts``
    everywhere; ``make`` gets each of them by its name."""

    make: Callable[..., AnyOrder] | None = None
    """Makes the order of the answers; None: their names are the fields of the order."""
    slots: tuple[Slot, ...] | Callable[[Answers], tuple[Slot, ...]] = ()
    """What is asked. An answer has the name of its slot."""
    toggles: tuple[Toggle, ...] | Callable[[Answers], tuple[Toggle, ...]] = ()
    """What a key switches meanwhile; that is an answer, too."""
    given: Answers = {}
    """Answers that hold until a toggle changes them."""
    label: str | None = None
    """What it is called; None: as declared."""
    word: str | None = None
    """What it is called on the key strip, even while something is asked; empty: it is not shown
    there; None: as declared, and not while something is asked."""
    why_not: str | None = None
    """Why it cannot be given now; empty: it can; None: what the kind of its order says."""
    on_strip: bool = True
    """Whether the key strip may show it; False: it never does, whatever its ``word``."""
    preview: Callable[[Answers], Page] | None = None
    """What the order would do."""
    words_for_others: Callable[[Answers, str | None], str] | None = None
    """What another player, by the id of his side (None: a spectator), reads while it is being
    answered."""
    why_not_after: Callable[[AnyOrder], str] | None = None
    """If there is such a function, the command may follow a complete draft of another one at once:
    its key gives the order of that one first, without Space. The function says why it cannot follow
    that order; empty: it can."""
    seeded: bool = False
    """Whether ``make`` takes a fresh ``seed`` too."""
    reopens: bool = False
    """Whether it begins again by itself after its order."""
    by_key_only: bool = False
    """Whether it never begins by itself after an order, but only when its key is typed."""


def no_parts(battle: BattleNow) -> CommandParts:
    """The parts of a command that asks for nothing."""
    del battle
    return CommandParts()


class Declared(NamedTuple):
    """A command of the battle as the key map and the help have it, whatever the state."""

    key: str
    verb: str
    group: str
    """The heading of the help under which it stands."""
    order: type[Order]
    """The kind of order that it gives."""
    label: str
    """What it is called, unless the state says otherwise."""
    detail: str = ""
    """What the help says of it behind the label, mostly an example of what is typed."""
    word: str = ""
    """What it is called on the key strip, if that is not the verb."""
    parts: Callable[[BattleNow], CommandParts] = no_parts
    """What it has besides in the present state."""

    @property
    def help(self) -> str:
        """The label with the detail, as in ``Unload: Ok``."""
        if not self.detail:
            return self.label
        return f"{self.label}: {self.detail}"

    def command(self, battle: BattleNow) -> AnyCommand:
        """The command in the present state."""
        parts = self.parts(battle)
        label, why_not, make = parts.label, parts.why_not, parts.make
        if label is None:
            label = self.label
        if why_not is None:
            why_not = battle.why_not(self.order)
        if make is None:
            make = self.order
        return Command(
            key=self.key,
            verb=self.verb,
            group=self.group,
            topic=f"mode {self.verb}",  # the rules look-up has a topic for each verb
            help=self.help,
            label=label,
            word=self._word_of(parts, battle),
            why_not=why_not,
            make=make,
            slots=parts.slots,
            toggles=parts.toggles,
            given=parts.given,
            preview=parts.preview,
            words_for_others=parts.words_for_others,
            why_not_after=parts.why_not_after,
            seeded=parts.seeded,
            reopens=parts.reopens,
            by_key_only=parts.by_key_only,
        )

    def _word_of(self, parts: CommandParts, battle: BattleNow) -> str:
        """The word on the key strip; empty where the command is not shown there."""
        if not parts.on_strip:
            return ""
        if parts.word is not None:
            return parts.word
        # While something is asked, the strip has the keys of the question.
        if battle.why_waits:
            return ""
        return self.word or self.verb.replace("_", " ")


def key(
    sign: str,
    verb: str,
    group: str,
    order: type[Order],
    label: str,
    *,
    detail: str = "",
    word: str = "",
) -> Callable[[Callable[[BattleNow], CommandParts]], Declared]:
    """Declares a command with the key ``sign``: a decorator of the function that returns its parts.
    The name of that function then stands for the ``Declared`` command."""
    # The function that is decorated is the one field still missing, ``parts``.
    return partial(Declared, sign, verb, group, order, label, detail, word)
