"""Who plays one side from a phone: taps become the keys of the game, and the state becomes a
``SidePage``. Nothing is stored here but orders: what is half put together comes from the phone with
every tap, so that neither a lost connection nor a new server loses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.extras import extra, preview, remark
from skirmish.session import AnyCommand, AnyDraft, AnySession, Player
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.command_pages import given, is_marked
from skirmish.tabletop.commands import half_typed, pressed, read
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.journal import Play, RecordError
from skirmish.tabletop.page import Block, Note, Page, Paragraph, Table, capital, mapped
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    SPACE,
    TAB,
    ChooseSeveral,
    Confirm,
    Dice,
    Either,
    Number,
    Picks,
    Slot,
    UnfitAnswer,
    Words,
    keyed,
)
from skirmish.web.side_view import NOTHING, Button, Question, SidePage

ALREADY = "Already answered. Your tap was not carried out; this is how it stands now."
BACK, INSIST, UNDO = "back", "insist", "undo"
"""Taps that are no keys."""
SIDE = "side"
"""The answer in which commands about either side hold the side."""
ESCAPE = "escape"
KEYS = (ENTER, SPACE, BACKSPACE, TAB, ESCAPE)
MOST_KEYS = 100
LONGEST_TAP = 400
DIGITS = tuple((one, one) for one in "1234567890")
FEW = 13
"""The most numbers that are offered one by one."""
_SENTENCE = re.compile(r"(?<=[.?]) +|(?<=\w!) +")
"""The end of a sentence, but not the key ``!`` in front of one."""
_KEY = re.compile(
    r"^[!+=] |\b(Esc|Space|Backspace|Tab|[Pp]ress|[Tt]ype)\b|(then|,) Enter\b"
    r"|\bEnter(:| (accepts|adds|alone|brings|counts|ends|means|takes)\b)"
)
LINES = 40
"""The lines of the journal that are sent."""


T = TypeVar("T")


class InHand(NamedTuple):
    """What another player has tapped or typed since the last order."""

    side: Viewer
    keys: tuple[str, ...]


class SidePlayer(Player):
    """One tap of a phone, or one look at the state. ``side`` is its side, PLAYERS for all sides,
    None for a spectator; ``look`` returns the play as that side may see it now; ``keys`` are the
    taps since entry ``at``, ``others`` those of other players. An order counts only as the next
    after that entry. ``shared`` is what was found in the present state for all phones of the
    side."""

    def __init__(
        self,
        session: AnySession,
        side: Viewer,
        look: Callable[[], Play[Any, Any, Any]],
        at: int,
        keys: Sequence[str] = (),
        *,
        others: Sequence[InHand] = (),
        shared: Callable[[], dict[Hashable, Any]] | None = None,
    ) -> None:
        self.side, self.look, self.at = side, look, at
        self.others = tuple(others)
        self._shared = shared
        self.keys: tuple[str, ...] = ()
        self.notice = ""
        self.given = False
        super().__init__(session)
        self._begin_with(tuple(keys))

    def _begin_with(self, keys: tuple[str, ...]) -> None:
        """Begin anew, with these taps if they have a meaning."""
        self.begin()
        begun = self.draft
        draft = half_typed(begun, self.commands, keys) if keys else begun
        self.draft, self.keys = draft, () if draft is begun else keys

    def once(self, name: Hashable, build: Callable[[], T]) -> T:
        """What ``build`` finds in the present state, by all that it depends on beside it."""
        if self._shared is None or name == "keyless":
            return super().once(name, build)
        known = self._shared()
        if name not in known:
            known[name] = build()
        found: T = known[name]
        return found

    # ------------------------------------------------------------------ what is this side's

    @property
    def state(self) -> Any:
        return self.look().state

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """Those of this side; of the ones that are about either side, its own half. One that would
        cut another player off waits for him."""
        if self.side is None:
            return ()
        return self.once(("own commands", self.waits_for), self._own_commands)

    def _own_commands(self) -> tuple[AnyCommand, ...]:
        own = [self._own_half(one) for one in super().commands if self.may(one)]
        waits = self.waits_for
        if not waits:
            return tuple(own)
        cuts_off = partial(self.game.cuts_off, self.session.state)
        held = []
        for command in own:
            off = cuts_off(command) and not command.why_not
            held.append(replace(command, why_not=waits) if off else command)
        return tuple(held)

    # ------------------------------------------------------------------ the others

    @property
    def waits_for(self) -> str:
        """Whose answer comes before this side goes on in the turn, in a sentence; empty:
        nobody's."""
        return self.once(("waits for", self.others), self._waits_for)

    def _waits_for(self) -> str:
        players = self.game.players(self.session.state)
        if self.side not in players:
            return ""
        asked = self.game.asked(self.session.state)
        if asked and self.side not in asked:
            return f"{self._called(asked)} answer first."
        for side, draft in self.drafts:
            if side in players and side != self.side and draft.command.told is not None:
                # "must" is right for a nation and for the name of an army alike.
                begun = f'{self._called([side])} must finish the order "{draft.command.label}"'
                return f"{begun} first, or step back from it."
        return ""

    def _called(self, sides: Collection[str | None]) -> str:
        """Sides at the start of a sentence."""
        state = self.session.state
        return " and ".join(self.game.called(state, side) for side in sides if side is not None)

    @property
    def drafts(self) -> list[tuple[Viewer, AnyDraft]]:
        """What the other players put together while nobody is asked anything."""
        return self.once(("drafts", self.others), self._drafts)

    def _drafts(self) -> list[tuple[Viewer, AnyDraft]]:
        if self.game.prompt(self.state) is not None:
            return []
        commands = super().commands
        found = []
        for begun in self.others:
            draft = half_typed(None, commands, begun.keys)
            if draft is not None and (draft.begun or draft.command.key):
                found.append((begun.side, draft))
        return found

    @property
    def held_up(self) -> str:
        """Who waits for this side, in a sentence; empty: nobody."""
        state = self.session.state
        players = self.game.players(state)
        others = [side for side in players if side != self.side]
        asked = self.game.asked(state)
        if self.side not in players or not others or [*asked] != [self.side]:
            return ""
        return f"{self._called(others)} wait for your answer."

    def _own_half(self, command: AnyCommand) -> AnyCommand:
        if SIDE not in command.given or self.side == PLAYERS:
            return command
        toggles = command.toggles
        return replace(
            command,
            given={**command.given, SIDE: self.side},
            toggles=lambda facts: tuple(
                one
                for one in (toggles(facts) if callable(toggles) else toggles)
                if one.name != SIDE
            ),
        )

    @property
    def prompt(self) -> AnyCommand | None:
        return self.once("own prompt", self._own_prompt)

    def _own_prompt(self) -> AnyCommand | None:
        asked = self.game.prompt(self.state)
        return asked if asked is not None and self.may(asked) else None

    @property
    def is_asked(self) -> bool:
        """Whether an open question is this side's; also if none is open at all."""
        asked = self.game.asked(self.session.state)
        return not asked or self.side == PLAYERS or self.side in asked

    def may(self, given: Any) -> bool:
        """Whether a command, a prompt or an order belongs to this side."""
        if self.side is None or self.side == PLAYERS:
            return self.side is not None
        return self.side in self.game.sides_of(self.session.state, given)

    # ------------------------------------------------------------------ taps

    async def tap(self, press: str) -> None:
        """Carry out a tap; ``notice`` then has the reason if it could not be."""
        if len(self.session.play.entries) != self.at:
            self.notice = ALREADY
        elif press == UNDO:
            if self.undoes:
                await self.carry_out(self.session.undo(self.at))
        elif press == BACK:
            self._begin_with(self.keys[:-1])
        elif press == INSIST:
            await self.insist()
        elif self.side is not None:
            before = self.draft
            try:
                await self.take(tapped(self.draft, self.commands, press))
            except UnfitAnswer as unfit:
                self.notice = str(unfit)
            else:
                if not (self.given or self.notice or self.draft is before):
                    self.keys = (*self.keys, press)

    async def give(self, orders: Sequence[Any]) -> bool:
        for order in orders:
            if not self.may(order):
                self.say("This is not your side's to do.")
                return False
            if self.waits_for and self.game.cuts_off(self.session.state, order):
                self.say(self.waits_for)
                return False
            if not await self.carry_out(self.session.give(order, self.at), order):
                return False
        return True

    def changed(self) -> None:
        self.given, self.keys = True, ()
        self.at += 1

    async def take(self, draft: AnyDraft) -> None:
        await super().take(draft)
        if self.given and self.draft is not None and self.draft.command.key:
            self.keys = (self.draft.command.key,)  # it begins again, or another follows

    def say(self, sentence: str) -> None:
        self.notice = sentence

    async def failed(self, error: StoreError | RecordError) -> None:
        saved = "This could not be saved, so it did not happen. "
        self.notice = ALREADY if isinstance(error, Outrun) else f"{saved}{error}"

    @property
    def insists(self) -> bool:
        """Whether the refused order can be given against the rules' advice."""
        return self._anyway is not None

    @property
    def undoes(self) -> bool:
        """Whether the last order was this side's, and may be taken back from here."""
        play = self.session.play
        if self.side is None or len(play.acts) < 2 or play.acts[-1].order is None:
            return False
        last, before = play.acts[-1].order, play.state_after(play.acts[-2].number)
        return self.side == PLAYERS or self.side in self.game.sides_of(before, last)


def tapped(draft: AnyDraft | None, commands: Sequence[AnyCommand], press: str) -> AnyDraft:
    """The draft after a tap: a key, several characters for one answer, or a line. Raises
    UnfitAnswer."""
    if press.endswith("\n"):
        return read(draft, commands, press)
    if press in KEYS or len(press) == 1:
        return pressed(draft, commands, SPACE if press == " " else press)
    name = draft.slot.name if draft is not None and draft.slot is not None else ""
    for sign in press:
        if draft is not None and (draft.slot is None or draft.slot.name != name):
            break
        draft = pressed(draft, commands, SPACE if sign == " " else sign)
    if draft is None:
        raise UnfitAnswer("Nothing was tapped.")
    return draft


# ------------------------------------------------------------------ what it sees


def board_page(player: SidePlayer, whose: str) -> SidePage:
    """What all who see the same have on their page."""
    game, play, state = player.game, player.look(), player.state
    return SidePage(
        at=len(player.session.play.entries),
        keys=(),
        title=game.title(state),
        whose=whose,
        headline=capital(game.clock(state, player.side)),
        over=game.over(state),
        waiting="" if player.is_asked else game.waiting(player.session.state, player.side),
        held_up=player.held_up,
        asked=player.is_asked and bool(game.asked(player.session.state)),
        verdict=game.verdict(play, player.side),
        situation=game.situation(state, player.side),
        due=extra("What is due is", lambda: game.due(play, player.side), note_page),
        board=game.forces(player.session.state, player.side),
        phases=game.phases(play),
        journal=tuple(game.journal(play, player.side, last=LINES)),
    )


def side_page(player: SidePlayer, board: SidePage) -> SidePage:
    """The page of one player on his ``board``. The last result leaves when he puts something
    together, or something is put together against him."""
    draft = player.in_hand
    against = player.once(("against", player.others), partial(against_page, player))
    begun = player.draft is not None and (player.draft.begun or bool(player.draft.command.key))
    commands: dict[str, list[Button]] = {}
    if player.draft is None or not (player.draft.begun or player.draft.command.key):
        keyed = [one for one in player.commands if one.key not in ("", ESCAPE)]
        for one in [one for one in keyed if one.word] or keyed:
            button = _command(one)
            if button.why_not and one.why_not == player.waits_for:
                button = replace(button, why_not="", off=True)  # it is said once, above them
            commands.setdefault(one.group, []).append(button)
        if player.undoes:
            commands.setdefault("", []).append(Button(press=UNDO, text="Undo my last order"))
    insist = Button(press=INSIST, text="Do it anyway") if player.insists else None
    return replace(
        board,
        keys=player.keys,
        notice=without_keys(player.notice),
        question=None if draft is None else question_of(draft, insist, player.command(ESCAPE)),
        commands=tuple((group, tuple(buttons)) for group, buttons in commands.items()),
        waiting=board.waiting or player.waits_for,
        verdict=None if begun or against.blocks else board.verdict,
        against=against,
    )


def against_page(player: SidePlayer) -> Page:
    """What another player is putting together that concerns this one, in a sentence, with its odds
    as this viewer may know them."""
    for side, draft in player.drafts:
        if side == player.side:
            continue
        if draft.command.told is None and side != PLAYERS:
            continue
        page = _preview(draft)
        told = draft.command.told(draft.so_far, player.side) if draft.command.told else ""
        if not (told or page.blocks):
            continue
        if not told:
            return page
        first, *more = page.blocks or (Paragraph(""),)
        if isinstance(first, Paragraph) and first.lead:
            # Its lead names the units as he does who fires; here the sentence does.
            more = [replace(first, lead=""), *more]
        return Page("", (Paragraph(told, tone="strong"), *more))
    return NOTHING


def without_keys(text: str, instead: str | None = None) -> str:
    """The sentences that do not speak of a keyboard; ``instead``, or all of them, if each does."""
    found = " ".join(one for one in _SENTENCE.split(text) if not _KEY.search(one))
    return found or (text if instead is None else instead)


def _command(one: AnyCommand) -> Button:
    note = "" if one.word else without_keys(one.help, "")
    main, why_not = one.key == SPACE and not one.why_not, without_keys(one.why_not)
    return Button(press=one.key, text=one.label, note=note, why_not=why_not, main=main)


def question_of(
    draft: AnyDraft, insist: Button | None = None, leave: AnyCommand | None = None
) -> Question | None:
    """What a draft still needs, and every way to answer it by a tap; None if nothing. ``leave`` is
    the command of Esc."""
    slot = draft.slot
    if slot is None:
        return None
    large, gap, text = draft.text.partition("  ")
    asked = without_keys(text if gap else large, "").strip()
    slots = list(draft.next_slots())
    touch = next((found for one in slots if (found := touch_of(one))), ())
    options = tuple(_options(draft, slots))
    confirm = _confirm(draft, slot, options)
    if confirm is not None:
        options = tuple(replace(one, main=False) for one in options)
    toggles = tuple(
        Button(press=one.key, text=one.label, mark=is_marked(one, draft)) for one in draft.toggles
    )
    # a slot that only a confirmation answers has nothing to write
    confirms = slot.firm or isinstance(slot, Confirm)
    writes = not (options or touch or draft.ready or confirms)
    return Question(
        text=asked or ("" if gap else draft.command.label),
        large=large if gap else "",
        given=(words,) if (words := given(draft)) else (),
        typed=_typed(slot, draft.typed) if draft.typed else "",
        options=options,
        pad=tuple(Button(press=press, text=label) for press, label in touch),
        longest_text=getattr(slot, "longest", LONGEST_TAP) if writes else 0,
        secret=writes and isinstance(slot, Words) and slot.secret,
        hint=without_keys(_hint(draft, slot), ""),
        toggles=(*toggles, *((insist,) if insist else ())),
        preview=_preview(draft),
        confirm=confirm,
        back=_back(draft, leave),
    )


def _preview(draft: AnyDraft) -> Page:
    """The odds, without the keys in front of what could be changed: a thumb has the toggles."""
    page = preview(draft)
    blocks = tuple(map(_without_key_column, page.blocks))
    return mapped(replace(page, blocks=blocks), without_keys)


def _without_key_column(block: Block) -> Block:
    if not isinstance(block, Table) or not block.rows or block.columns[0].title:
        return block
    if any(len(row[0]) > 1 for row in block.rows):
        return block
    rows = tuple(row[1:] for row in block.rows)
    return replace(block, columns=block.columns[1:], rows=rows)


def _hint(draft: AnyDraft, slot: Slot) -> str:
    """What the keys beside the answers to another question are for; else what is accepted."""
    if slot.optional and not draft.ready:
        return slot.text
    tapped = bool(getattr(slot, "options", ())) or touch_of(slot) not in ((), DIGITS)
    return "" if tapped or isinstance(slot, Words | Confirm) else slot.hint


def touch_of(slot: Slot) -> tuple[tuple[str, str], ...]:
    """The keys that type an answer without options, as ``Slot.touch``."""
    match slot:
        case Either():
            return tuple(key for way in slot.ways for key in touch_of(way))
        case Number(low=low, high=high, optional=False) if low >= 0 and high - low < FEW:
            return tuple((f"{one}\n", str(one)) for one in range(low, high + 1))
        case Number(low=low):
            return DIGITS if low >= 0 else (*DIGITS, ("-", "–"))
        case Dice(low=low, high=high):
            ends = "\n" if slot.count == 1 else " " if slot.spaced else ""
            return tuple((f"{face}{ends}", str(face)) for face in range(low, high + 1))
    return slot.touch


def _typed(slot: Slot, typed: str) -> str:
    """An unfinished answer, in words if it means something already."""
    found = slot.so_far(typed)
    return slot.shown(found) if found else slot.echo(typed)


def _back(draft: AnyDraft, leave: AnyCommand | None) -> Button | None:
    if draft.begun or draft.command.key:
        return Button(press=BACK, text="Back")
    return None if leave is None or leave.why_not else Button(press=ESCAPE, text=leave.label)


def _options(draft: AnyDraft, slots: Sequence[Slot]) -> Iterator[Button]:
    slot = draft.slot
    picked = slot.picked(draft.typed)[0] if isinstance(slot, Picks) else {}
    marked = slot.marked(draft.typed)[0] if isinstance(slot, ChooseSeveral) else []
    found = [option for one in slots for option in getattr(one, "options", ())]
    for key, option in keyed(found):
        count = picked.get(option.value, 0)
        against = None if option.against is None else option.against()
        why_not = option.why_not
        if against is not None and against.firm:
            why_not = against.message
        yield Button(
            press=key,
            text=f"{count} {option.label}" if count else option.label,
            note=remark(option) if against is None else against.message,
            why_not=without_keys(why_not),
            weak=against is not None,
            mark=bool(count) or option in marked,
            main=slot is not None and option.value == slot.proposed,
        )


def _confirm(draft: AnyDraft, slot: Slot, options: Sequence[Button]) -> Button | None:
    """None also if a tap on the proposed option does the same."""
    if not draft.confirms:
        return None
    more = [one for one in draft.slots if one.name not in draft.answers and one is not slot]
    words = draft.command.word or draft.command.label
    if not draft.ready and not (more and all(one.optional for one in more)):
        if not more and any(one.main for one in options):
            return None
        words = "OK" if draft.typed or slot.proposed is None else slot.shown(slot.proposed)
    return Button(press=ENTER, text=capital(words), main=True)


def note_page(text: str) -> Page:
    return Page("", (Note(text),))
