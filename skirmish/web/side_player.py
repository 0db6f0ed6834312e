"""Who plays one side from a phone: taps become the keys of the game, and the state becomes a
``SidePage``. Nothing is stored here but orders: what is half put together comes from the phone with
every tap, so that neither a lost connection nor a new server loses it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.extras import preview, remark, unless_it_fails
from skirmish.player import AnyCommand, AnyDraft, Player, check_lines
from skirmish.session import AnySession
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.command_pages import answers_in_words, is_marked
from skirmish.tabletop.commands import half_typed, pressed, read
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.page import Block, Note, Page, Paragraph, Party, Table, capital
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
    Option,
    Picks,
    Slot,
    TouchKey,
    UnfitAnswer,
    Words,
    keyed,
    options_of,
)
from skirmish.web.side_view import NOTHING, Button, Question, SidePage

ALREADY_ANSWERED = "Already answered. Your tap was not carried out; this is how it stands now."
# Taps that are no keys of the game.
BACK = "back"
"""Takes back the last tap of the unfinished order."""
INSIST = "insist"
"""Gives the order of the draft against the rules' advice. With a key behind it, as in ``insist
space``, it gives the order of that key's command, which has no question and so no draft."""
UNDO = "undo"
"""Takes back the last order."""
SIDE = "side"
"""The name of the answer that says which side a command is about."""
ESCAPE = "escape"
NAMED_KEYS = (ENTER, SPACE, BACKSPACE, TAB, ESCAPE)
"""Keys with a name, which are sent as they are."""
MOST_TAPS = 100
"""The most taps of one order."""
LONGEST_TAP = 400
"""The most characters of one tap, as a text is one."""
DIGIT_KEYS = tuple(TouchKey(digit, digit) for digit in "1234567890")
"""The keys of a number."""
MOST_NUMBER_KEYS = 13
"""The most numbers that are offered one by one."""
JOURNAL_LINES = 40
"""The lines of the journal that are sent."""


T = TypeVar("T")


class InHand(NamedTuple):
    """What another player has tapped or typed since the last order. ``side`` is PLAYERS for the
    app, at which all sides are played."""

    side: Viewer
    keys: tuple[str, ...]


class BegunDraft(NamedTuple):
    """What a player puts together: whose it is, and how far it has come."""

    side: Viewer
    draft: AnyDraft


class SidePlayer(Player):
    """One tap of a phone, or one look at the state. ``side`` is its side, PLAYERS for all sides,
    None for a spectator; ``visible_play`` returns the play as that side may see it now; ``keys``
    are the taps since its journal had that length, ``others`` those of other players. An order
    counts only as the next entry after those. ``shared`` is what was worked out in the present
    state for all phones of the side."""

    def __init__(
        self,
        session: AnySession,
        side: Viewer,
        visible_play: Callable[[], Play[Any, Any, Any]],
        journal_length: int,
        keys: Sequence[str] = (),
        *,
        others: Sequence[InHand] = (),
        shared: Callable[[], dict[Hashable, Any]] | None = None,
    ) -> None:
        self.side = side
        self.visible_play = visible_play
        self.journal_length = journal_length
        self.others = tuple(others)
        self._shared = shared
        self.keys: tuple[str, ...] = ()
        self.notice = ""
        """Why the tap did nothing."""
        self.gave_order = False
        """The tap has given an order."""
        self.press_to_insist = ""
        """What a tap on "Do it anyway" sends; empty where nothing is advised against."""
        super().__init__(session)
        self._begin_with(tuple(keys))

    def _begin_with(self, keys: tuple[str, ...]) -> None:
        """Begin anew, with these taps if they have a meaning."""
        self.begin()
        self.keys = ()
        if not keys:
            return
        untouched = self.draft
        self.draft = half_typed(untouched, self.commands, keys)
        if self.draft is not untouched:
            self.keys = keys

    def once(self, name: Hashable, build: Callable[[], T]) -> T:
        """The result of ``build``, worked out once for the present state and all phones of the
        side; the ``name`` holds whatever else it depends on."""
        # "keyless" is ``Player``'s name for the command that a first answer begins. That command
        # also depends on whom this side waits for, which its name does not hold: it is not shared.
        if self._shared is None or name == "keyless":
            return super().once(name, build)
        results = self._shared()
        if name not in results:
            results[name] = build()
        result: T = results[name]
        return result

    # ------------------------------------------------------------------ what is this side's

    @property
    def state(self) -> Any:
        """The state as this side may see it; that of the session has everything."""
        return self.visible_play().state

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """The commands of this side; of the ones that are about either side, its own half. One that
        would cut another player off waits for him."""
        if self.side is None:
            return ()
        return self.once(("own commands", self.waits_for), self._own_commands)

    def _own_commands(self) -> tuple[AnyCommand, ...]:
        waits_for = self.waits_for
        own_commands = []
        for command in super().commands:
            if not self.is_own(command):
                continue
            own_half = self._own_half(command)
            is_possible = not own_half.why_not
            if waits_for and is_possible and self.game.cuts_off(self.session.state, own_half):
                own_half = replace(own_half, why_not=waits_for)
            own_commands.append(own_half)
        return tuple(own_commands)

    def _own_half(self, command: AnyCommand) -> AnyCommand:
        """A command about either side as one about this side: the side is given, so the toggle that
        would change it goes."""
        if SIDE not in command.given or self.side == PLAYERS:
            return command
        toggles = command.toggles

        def without_side(facts: Any) -> tuple[Any, ...]:
            if callable(toggles):
                offered = toggles(facts)
            else:
                offered = toggles
            return tuple(toggle for toggle in offered if toggle.name != SIDE)

        return replace(command, given={**command.given, SIDE: self.side}, toggles=without_side)

    @property
    def prompt(self) -> AnyCommand | None:
        """The open question, if it is this side's."""
        return self.once("own prompt", self._own_prompt)

    def _own_prompt(self) -> AnyCommand | None:
        prompt = self.game.prompt(self.state)
        if prompt is None or not self.is_own(prompt):
            return None
        return prompt

    @property
    def is_asked(self) -> bool:
        """Whether an open question is this side's; also if none is open at all."""
        asked = self.game.sides_asked(self.session.state)
        return not asked or self.side == PLAYERS or self.side in asked

    def is_own(self, command_or_order: Any) -> bool:
        """Whether a command, a prompt or an order belongs to this side."""
        if self.side is None:  # a spectator
            return False
        if self.side == PLAYERS:
            return True
        return self.side in self.game.sides_of(self.session.state, command_or_order)

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
        asked = self.game.sides_asked(self.session.state)
        if asked and self.side not in asked:
            return f"{self._called(asked)} must answer first."
        # A command with words for others, such as a shot, concerns this side: until it is given or
        # called off, this side does not go on.
        for side, draft in self.drafts_of_others:
            if side in players and side != self.side and draft.command.words_for_others is not None:
                label = draft.command.label
                must = f"{self._called([side])} must {label[:1].lower()}{label[1:]}"
                return f"{must} first, or call it off."
        return ""

    def _called(self, sides: Collection[str | None]) -> str:
        """Sides at the start of a sentence. "must" is right behind a nation and behind the name of
        an army alike."""
        state = self.session.state
        return " and ".join(self.game.side_name(state, side) for side in sides if side is not None)

    @property
    def drafts_of_others(self) -> list[BegunDraft]:
        """What the other players put together while nobody is asked anything."""
        return self.once(("drafts", self.others), self._drafts)

    def _drafts(self) -> list[BegunDraft]:
        # A question interrupts whatever was begun.
        if self.game.prompt(self.state) is not None:
            return []
        commands = super().commands
        drafts = []
        for in_hand in self.others:
            draft = half_typed(None, commands, in_hand.keys)
            if draft is not None and _is_begun(draft):
                drafts.append(BegunDraft(in_hand.side, draft))
        return drafts

    @property
    def held_up(self) -> str:
        """Who waits for this side, in a sentence; empty: nobody."""
        state = self.session.state
        players = self.game.players(state)
        others = [side for side in players if side != self.side]
        is_asked_alone = list(self.game.sides_asked(state)) == [self.side]
        if self.side not in players or not others or not is_asked_alone:
            return ""
        return f"{self._called(others)} must wait for your answer."

    # ------------------------------------------------------------------ taps

    async def tap(self, press: str) -> None:
        """Carry out a tap; ``notice`` then has the reason if it could not be."""
        if len(self.session.play.entries) != self.journal_length:
            self.notice = ALREADY_ANSWERED
        elif press == UNDO:
            if self.may_undo:
                await self.carry_out(self.session.undo(self.journal_length))
        elif press == BACK:
            self._begin_with(self.keys[:-1])
        elif press == INSIST:
            await self.insist()
        elif press.startswith(f"{INSIST} "):
            await self._insist_on(press.removeprefix(f"{INSIST} "))
        elif self.side is not None:
            await self._tap_key(press)
            if self.may_insist:
                self.press_to_insist = self._press_to_insist(press)

    def _press_to_insist(self, press: str) -> str:
        """What gives the order that a tap gave and the rules advise against."""
        # The draft with its answers is still there. A command without a question leaves none, so
        # its key is sent again.
        if self.draft is not None:
            return INSIST
        return f"{INSIST} {press}"

    async def _tap_key(self, press: str) -> None:
        """A tap on a command or an answer. It is remembered as long as it only leads to an
        unfinished order."""
        before = self.draft
        try:
            await self.take(tapped(self.draft, self.commands, press))
        except UnfitAnswer as unfit:
            self.say(unfit.message, unfit.key_note)
            return
        is_refused = bool(self.notice)
        has_changed = self.draft is not before
        if has_changed and not is_refused and not self.gave_order:
            self.keys = (*self.keys, press)

    async def _insist_on(self, key: str) -> None:
        """Give the order of a command without a question against the rules' advice."""
        await self._tap_key(key)
        if self.may_insist:
            self.notice = ""
            await self.insist()

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders of this side, each only as the next of the entries that the phone shows."""
        for order in orders:
            if not self.is_own(order):
                self.say("This is not your side's to do.")
                return False
            if self.waits_for and self.game.cuts_off(self.session.state, order):
                self.say(self.waits_for)
                return False
            if not await self.carry_out(self.session.give(order, self.journal_length), order):
                return False
        return True

    def changed(self) -> None:
        """Called by `Player` when an order was stored: the phone's taps are part of it, and the
        next order counts after it."""
        self.gave_order = True
        self.keys = ()
        self.journal_length += 1

    async def take(self, draft: AnyDraft) -> None:
        await super().take(draft)
        # After its order a command may begin again, or another follow it: as if its key had been
        # tapped.
        if self.gave_order and self.draft is not None and self.draft.command.key:
            self.keys = (self.draft.command.key,)

    def say(self, sentence: str, key_note: str = "") -> None:
        """Say on the page why a tap did nothing."""
        del key_note  # a thumb has no keys
        self.notice = sentence

    def to_check(self) -> str:
        """Which lines of the journal players should check again, of those that this side may
        read."""
        numbers = self.game.to_check(self.session.play)
        if not numbers:
            return ""
        readable = {line.number for line in self.game.journal(self.session.play, self.side)}
        return check_lines([number for number in numbers if number in readable])

    async def failed(self, error: StoreError | RecordError) -> None:
        if isinstance(error, Outrun):
            self.notice = ALREADY_ANSWERED
        else:
            self.notice = f"This could not be saved, so it did not happen. {error}"

    @property
    def may_undo(self) -> bool:
        """Whether the last order was this side's, and may be taken back from here."""
        acts = self.session.play.acts
        if self.side is None or len(acts) < 2:  # the first act is the opening
            return False
        last_order = acts[-1].order
        if last_order is None:
            return False
        if self.side == PLAYERS:
            return True
        # Whose an order is depends on the state in which it was given.
        before = self.session.play.state_after(acts[-2].number)
        return self.side in self.game.sides_of(before, last_order)


def tapped(draft: AnyDraft | None, commands: Sequence[AnyCommand], press: str) -> AnyDraft:
    """The draft after a tap: a key such as ``space``, several characters for one answer such as
    ``12``, or a line, which ends with a line break. Raises UnfitAnswer."""
    if press.endswith("\n"):
        return read(draft, commands, press)
    if press in NAMED_KEYS or len(press) == 1:
        return pressed(draft, commands, _key_of_character(press))
    answered = _slot_name(draft)
    for character in press:
        # The rest is for this answer only: once it is complete, no key of it may answer the next.
        if draft is not None and (draft.slot is None or draft.slot.name != answered):
            break
        draft = pressed(draft, commands, _key_of_character(character))
    if draft is None:
        raise UnfitAnswer("Nothing was tapped.")
    return draft


def _key_of_character(character: str) -> str:
    """The key that types a character; that of the space has a name."""
    if character == " ":
        return SPACE
    return character


def _slot_name(draft: AnyDraft | None) -> str:
    """The name of the open question of a draft; empty if there is none."""
    if draft is None or draft.slot is None:
        return ""
    return draft.slot.name


def _is_begun(draft: AnyDraft) -> bool:
    """Whether a player has begun something: a command by its key, or an answer."""
    return draft.begun or bool(draft.command.key)


# ------------------------------------------------------------------ what it sees


def board_page(player: SidePlayer, whose: str) -> SidePage:
    """What all who see the same have on their page."""
    game = player.game
    side = player.side
    # With what is hidden: the game leaves that out for the side that it is given.
    whole_state = player.session.state
    play = player.visible_play()
    state = player.state
    waiting = ""
    if not player.is_asked:
        waiting = game.waiting(whole_state, side)
    return SidePage(
        journal_length=len(player.session.play.entries),
        keys=(),
        title=game.title(state),
        whose=whose,
        headline=capital(game.clock(state, side)),
        over=game.over(state),
        party=_party_of(game.players(whole_state), side),
        colours=game.colours(whole_state),
        waiting=waiting,
        held_up=player.held_up,
        asked=player.is_asked and bool(game.sides_asked(whole_state)),
        verdict=game.verdict(play, side),
        situation=game.situation(state, side),
        due=unless_it_fails(
            partial(game.due, play, side), instead=note_page, missing="What is due is"
        ),
        board=game.forces(whole_state, side),
        phases=game.phases(play),
        journal=tuple(game.journal(play, side, last=JOURNAL_LINES)),
    )


def _party_of(players: Iterable[str], side: Viewer) -> Party:
    """Whether a side is the first or the second of two, or the only one; None for any other."""
    in_order = list(players)
    if len(in_order) > 0 and in_order[0] == side:
        return 0
    if len(in_order) == 2 and in_order[1] == side:
        return 1
    return None


def side_page(player: SidePlayer, board: SidePage) -> SidePage:
    """The page of one player on his ``board``. The last result leaves when he puts something
    together, or something is put together against him."""
    against = player.once(("against", player.others), partial(against_page, player))
    is_begun = player.draft is not None and _is_begun(player.draft)
    verdict = board.verdict
    if is_begun or against.blocks:
        verdict = None
    commands: tuple[tuple[str, tuple[Button, ...]], ...] = ()
    if not is_begun:
        commands = _command_buttons(player)
    return replace(
        board,
        keys=player.keys,
        notice=player.notice,
        question=_question(player),
        commands=commands,
        waiting=board.waiting or player.waits_for,
        verdict=verdict,
        against=against,
    )


def _question(player: SidePlayer) -> Question | None:
    draft = player.draft_in_hand
    if draft is None:
        return None
    insist = None
    if player.press_to_insist:
        insist = Button(press=player.press_to_insist, text="Do it anyway")
    return question_of(draft, insist, player.command(ESCAPE))


def _command_buttons(player: SidePlayer) -> tuple[tuple[str, tuple[Button, ...]], ...]:
    """What a player can begin, under the headings of the help."""
    # Esc is a button of its own. A game that has words for its strip of keys means those commands
    # to be seen; without any such word all of them are.
    with_key = [command for command in player.commands if command.key not in ("", ESCAPE)]
    with_word = [command for command in with_key if command.word]
    groups: dict[str, list[Button]] = {}
    for command in with_word or with_key:
        button = _command_button(command)
        if button.why_not and command.why_not == player.waits_for:
            # The sentence stands once above all of them.
            button = replace(button, why_not="", off=True)
        groups.setdefault(command.group, []).append(button)
    if player.press_to_insist and player.draft is None:
        # A command without a question was advised against; on a phone there is no key for it.
        anyway = Button(press=player.press_to_insist, text="Do it anyway")
        groups = {"": [anyway], **groups}
    if player.may_undo:
        groups.setdefault("", []).append(Button(press=UNDO, text="Undo my last order"))
    return tuple((group, tuple(buttons)) for group, buttons in groups.items())


def against_page(player: SidePlayer) -> Page:
    """What another player is putting together that concerns this one, in a sentence, with its odds
    as this viewer may know them."""
    for side, draft in player.drafts_of_others:
        if side == player.side:
            continue
        # The app is at the table, where everybody sees it: what is put together there is shown to
        # the phones even without a sentence for them.
        if draft.command.words_for_others is None and side != PLAYERS:
            continue
        odds = _preview(draft)
        sentence = ""
        if draft.command.words_for_others is not None:
            sentence = draft.command.words_for_others(draft.so_far, player.side)
        if sentence:
            return _with_sentence(sentence, odds)
        if odds.blocks:
            return odds
    return NOTHING


def _with_sentence(sentence: str, odds: Page) -> Page:
    """The odds below a sentence that says who fires at whom. Their own first paragraph names the
    units in the words of him who fires: of one with a lead only the lead is left out, one without a
    lead altogether."""
    blocks: list[Block] = [Paragraph(sentence, tone="strong")]
    if odds.blocks:
        first, *others = odds.blocks
        if isinstance(first, Paragraph) and first.lead:
            blocks.append(replace(first, lead=""))
        blocks.extend(others)
    return Page("", tuple(blocks))


def _command_button(command: AnyCommand) -> Button:
    """The button that begins a command. That of Space, which goes on, is the proposed one."""
    note = ""
    if not command.word:  # a command with a word is on the strip of keys, and known by it
        note = command.help
    return Button(
        press=command.key,
        text=command.label,
        note=note,
        why_not=command.why_not,
        main=command.key == SPACE and not command.why_not,
    )


def question_of(
    draft: AnyDraft, insist: Button | None = None, leave: AnyCommand | None = None
) -> Question | None:
    """What a draft still needs, and every way to answer it by a tap; None if nothing. ``leave`` is
    the command of Esc."""
    slot = draft.slot
    if slot is None:
        return None
    asking = draft.shown_slot or slot
    text = asking.text
    if not text and not asking.large:
        text = draft.command.label
    slots = list(draft.next_slots())
    options = tuple(_option_buttons(draft, slots))
    confirm = _confirm_button(draft, slot, options)
    if confirm is not None:
        # Two buttons in the strong colour would leave open which of them is proposed.
        options = tuple(replace(option, main=False) for option in options)
    pad = _pad_buttons(slots)
    is_written = not options and not pad and _is_written(draft, slot)
    longest_text = 0
    if is_written and isinstance(slot, Words):
        longest_text = slot.longest
    elif is_written:
        longest_text = LONGEST_TAP
    return Question(
        text=text,
        large=asking.large,
        given=_answers_so_far(draft),
        typed=_typed_so_far(slot, draft.typed),
        options=options,
        pad=pad,
        longest_text=longest_text,
        secret=is_written and isinstance(slot, Words) and slot.secret,
        hint=_hint(draft, slot),
        toggles=_toggle_buttons(draft, insist),
        preview=_preview(draft),
        confirm=confirm,
        back=_back_button(draft, leave),
    )


def _is_written(draft: AnyDraft, slot: Slot) -> bool:
    """Whether a text may be written as the answer of a slot without options and keys. One that only
    a confirmation answers has nothing to write, nor has a draft that is ready."""
    is_confirmation = slot.only_enter or isinstance(slot, Confirm)
    return not draft.ready and not is_confirmation


def _answers_so_far(draft: AnyDraft) -> tuple[str, ...]:
    words = answers_in_words(draft)
    if not words:
        return ()
    return (words,)


def _pad_buttons(slots: Sequence[Slot]) -> tuple[Button, ...]:
    """The keys of the first of these slots that has any: the open question, and those that may be
    answered in its place."""
    for slot in slots:
        touch = touch_of(slot)
        if touch:
            return tuple(Button(press=key.types, text=key.label) for key in touch)
    return ()


def _toggle_buttons(draft: AnyDraft, insist: Button | None) -> tuple[Button, ...]:
    toggles = []
    for toggle in draft.toggles:
        mark = is_marked(toggle, draft)
        toggles.append(Button(press=toggle.key, text=toggle.label, mark=mark))
    if insist is not None:
        toggles.append(insist)
    return tuple(toggles)


def _preview(draft: AnyDraft) -> Page:
    """The odds, without the keys in front of what could be changed: a thumb has the toggles."""
    page = preview(draft)
    return replace(page, blocks=tuple(map(_without_key_column, page.blocks)))


def _without_key_column(block: Block) -> Block:
    """A table without its first column, if that has no title and holds single letters: keys."""
    if not isinstance(block, Table) or not block.rows or block.columns[0].title:
        return block
    for row in block.rows:
        if len(row[0]) > 1:
            return block
    rows = tuple(row[1:] for row in block.rows)
    return replace(block, columns=block.columns[1:], rows=rows)


def _hint(draft: AnyDraft, slot: Slot) -> str:
    """The line below the question: what an answer may be, or the optional question that may be
    answered first."""
    # Where the open question is optional, the page asks the first one that must be answered
    # (``Draft.shown_slot``); the optional one is then the hint.
    if slot.optional and not draft.ready:
        return slot.text
    # Buttons that are answers need no hint; digits alone do not tell what they count.
    is_tapped = bool(options_of(slot)) or touch_of(slot) not in ((), DIGIT_KEYS)
    if is_tapped or isinstance(slot, Words | Confirm):
        return ""
    return slot.keyless_hint


def touch_of(slot: Slot) -> tuple[TouchKey, ...]:
    """The keys that type an answer without options."""
    match slot:
        case Either():
            keys: list[TouchKey] = []
            for way in slot.ways:
                keys.extend(touch_of(way))
            return tuple(keys)
        case Number(low=low, high=high, optional=False) if (
            low >= 0 and high - low < MOST_NUMBER_KEYS
        ):
            return _keys_of_numbers(low, high, end="\n")
        case Number(low=low) if low >= 0:
            return DIGIT_KEYS
        case Number():
            return (*DIGIT_KEYS, TouchKey("-", "–"))
        case Dice(low=low, high=high) if slot.count == 1:
            return _keys_of_numbers(low, high, end="\n")
        case Dice(low=low, high=high) if slot.keeps_spaces:
            return _keys_of_numbers(low, high, end=" ")
        case Dice(low=low, high=high):
            return _keys_of_numbers(low, high, end="")
    return slot.touch_keys


def _keys_of_numbers(low: int, high: int, end: str) -> tuple[TouchKey, ...]:
    """A key for each number; ``end`` is typed behind it: a line break ends the answer, a space ends
    one of several numbers. Dice of one digit need neither, so that it is empty."""
    return tuple(TouchKey(f"{number}{end}", str(number)) for number in range(low, high + 1))


def _typed_so_far(slot: Slot, typed: str) -> str:
    """An unfinished answer, in words if it means something already. Several that are chosen have
    their marks on the buttons; the keys behind them mean nothing to a thumb."""
    if not typed or isinstance(slot, ChooseSeveral):
        return ""
    answer = slot.so_far(typed)
    if answer:
        return slot.shown(answer)
    return slot.echo(typed)


def _back_button(draft: AnyDraft, leave: AnyCommand | None) -> Button | None:
    """One step back; where nothing is begun, what Esc does."""
    if _is_begun(draft):
        return Button(press=BACK, text="Back")
    if leave is None or leave.why_not:
        return None
    return Button(press=ESCAPE, text=leave.label)


def _option_buttons(draft: AnyDraft, slots: Sequence[Slot]) -> Iterator[Button]:
    """The answers that can be tapped: those of the open question, and of the questions that may be
    answered in its place."""
    slot = draft.slot
    counts: Mapping[Any, int] = {}
    if isinstance(slot, Picks):
        counts = slot.picked(draft.typed).counts
    marked: Sequence[Option] = ()
    if isinstance(slot, ChooseSeveral):
        marked = slot.marked(draft.typed).options
    offered: list[Option] = []
    for next_slot in slots:
        offered.extend(options_of(next_slot))
    for key, option in keyed(offered):
        button = _option_button(key, option)
        count = counts.get(option.value, 0)
        if count:
            button = replace(button, text=f"{count} {option.label}", mark=True)
        if option in marked:
            button = replace(button, mark=True)
        if slot is not None and option.value == slot.proposed:
            button = replace(button, main=True)
        yield button


def _option_button(key: str, option: Option) -> Button:
    """An answer as it stands before anything is chosen. One against which the rules speak can be
    tapped all the same, unless they are firm."""
    why_not = option.why_not
    if option.objection is None:
        return Button(press=key, text=option.label, note=remark(option), why_not=why_not)
    refusal = option.objection()
    if refusal is None:
        return Button(press=key, text=option.label, note=remark(option), why_not=why_not)
    if refusal.firm:
        why_not = refusal.message
    return Button(press=key, text=option.label, note=refusal.message, why_not=why_not, weak=True)


def _confirm_button(draft: AnyDraft, slot: Slot, options: Sequence[Button]) -> Button | None:
    """The button that ends the answer, or the whole order; None also if a tap on the proposed
    option does the same."""
    if not draft.can_confirm:
        return None
    later_slots = []
    for other in draft.slots:
        if other.name not in draft.answers and other is not slot:
            later_slots.append(other)
    only_optional_left = bool(later_slots) and all(later.optional for later in later_slots)
    if draft.ready or only_optional_left:
        # The tap gives the order, so the button has the name of the command.
        words = draft.command.word or draft.command.label
    elif not later_slots and any(option.main for option in options):
        return None
    elif draft.typed or slot.proposed is None:
        # It ends what was typed; the next question follows.
        words = "OK"
    else:
        # Nothing was typed: it gives the proposed answer.
        words = slot.shown(slot.proposed)
    return Button(press=ENTER, text=capital(words), main=True)


def note_page(text: str) -> Page:
    """A page with one line, for an extra that is not available."""
    return Page("", (Note(text),))
