"""The player of one side on a phone: taps become the keys of the game, and the state of the game
becomes a ``SidePage``. Only complete orders are stored. The phone sends the taps of its unfinished
order again with every new tap, so neither a lost connection nor a restarted server loses them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.extras import preview, remark, unless_it_fails
from skirmish.player import KEYLESS, AnyCommand, AnyDraft, Player, check_lines
from skirmish.session import AnySession
from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.command_pages import answers_in_words, is_marked
from skirmish.tabletop.commands import Answers, Toggle, half_typed, pressed, read
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.journal import Play
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.page import Block, Note, Page, Paragraph, Party, Table, capital
from skirmish.tabletop.slots import (
    BACKSPACE,
    ENTER,
    ESCAPE,
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
from skirmish.web.side_view import NOTHING, Button, CommandGroup, Question, SidePage

ALREADY_ANSWERED = "Already answered. Your tap was not carried out; this is how it stands now."
# What a phone sends for the buttons that are no keys of the game.
BACK = "back"
"""Takes back the last tap of the unfinished order."""
INSIST = "insist"
"""Gives the order of the draft against the rules' advice. With a key behind it, as in ``insist
space``, it gives the order of that key's command, which has no question and so no draft."""
UNDO = "undo"
"""Takes back the last order."""

SIDE_ANSWER = "side"
"""The name of the answer that says which side a command is about."""
NAMED_KEYS = (ENTER, SPACE, BACKSPACE, TAB, ESCAPE)
"""The keys that are known by a name rather than by the character that they type."""
MOST_TAPS = 100
"""The most taps of one order."""
LONGEST_TAP = 400
"""The most characters that a tap sends. Sending a written text counts as one tap."""
DIGIT_KEYS = tuple(TouchKey(digit, digit) for digit in "1234567890")
"""The keys on which a number is typed digit by digit."""
MOST_NUMBER_KEYS = 13
"""The most numbers that have a key each; of more, the digits are typed."""
JOURNAL_LINES = 40
"""How many of the latest lines of the journal are sent."""


T = TypeVar("T")


class InHand(NamedTuple):
    """The keys of the unfinished order of another player. ``side`` is PLAYERS if they were typed in
    the app, where all sides are played."""

    side: Viewer
    keys: tuple[str, ...]


class BegunDraft(NamedTuple):
    """The unfinished order of another player. ``side`` is PLAYERS for that of the app."""

    side: Viewer
    draft: AnyDraft


class SidePlayer(Player):
    """The player of a side for as long as the server handles one tap, or makes one page.

    ``side``: PLAYERS for all sides, None for a spectator.
    ``visible_play``: returns the play as that side may see it now.
    ``journal_length``: the length of the journal that the phone shows. Its orders are only given
    if the journal still has that length, so nobody acts on a state that he has not seen.
    ``keys``: the taps of the phone's unfinished order.
    ``others``: the unfinished orders of other players.
    ``shared``: returns the results worked out so far for all phones of the side in the present
    state, by their names (``once``); new ones are added to them. None: nothing is shared."""

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
        """Why the tap did nothing; empty if it did something."""
        self.has_changed_game = False
        """Whether the tap has given an order, or taken one back."""
        self.press_to_insist = ""
        """What a tap on "Do it anyway" sends; empty where nothing is advised against."""
        super().__init__(session)
        self._begin_with(tuple(keys))

    def _begin_with(self, keys: tuple[str, ...]) -> None:
        """Begin a new draft and apply these taps to it; they are dropped if any of them has lost
        its meaning."""
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
        side. Whatever else it depends on must be part of the ``name``."""
        # KEYLESS (see ``Player.draft_in_hand``) is not shared: whether its command can be given
        # depends also on the unfinished orders of others, which differ from phone to phone.
        if self._shared is None or name == KEYLESS:
            return super().once(name, build)
        results = self._shared()
        if name not in results:
            results[name] = build()
        result: T = results[name]
        return result

    # ------------------------------------------------------------------ what belongs to this side

    @property
    def state(self) -> Any:
        """The state as this side may see it; ``session.state`` also has what is hidden from it."""
        return self.visible_play().state

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """The commands that this side can give, each about this side only. One that would cut
        another player off cannot be given until that player has finished."""
        if self.side is None:
            return ()
        return self.once(("own commands", self.why_wait), self._own_commands)

    def _own_commands(self) -> tuple[AnyCommand, ...]:
        why_wait = self.why_wait
        own_commands = []
        for command in super().commands:
            if not self.is_own(command):
                continue
            own_command = self._about_this_side(command)
            is_possible = not own_command.why_not
            if why_wait and is_possible and self.game.cuts_off(self.session.state, own_command):
                own_command = replace(own_command, why_not=why_wait)
            own_commands.append(own_command)
        return tuple(own_commands)

    def _about_this_side(self, command: AnyCommand) -> AnyCommand:
        """A command that can be about either side, with this side fixed: the toggle that would
        change the side is left out. Any other command stays as it is."""
        if SIDE_ANSWER not in command.given or self.side == PLAYERS:
            return command
        toggles = command.toggles

        def toggles_without_side(answers: Answers) -> tuple[Toggle, ...]:
            if callable(toggles):
                offered = toggles(answers)
            else:
                offered = toggles
            return tuple(toggle for toggle in offered if toggle.name != SIDE_ANSWER)

        own_given = {**command.given, SIDE_ANSWER: self.side}
        return replace(command, given=own_given, toggles=toggles_without_side)

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
        """Whether the game waits for an answer of this side."""
        sides_asked = self.game.sides_asked(self.session.state)
        if self.side == PLAYERS:
            return bool(sides_asked)
        return self.side in sides_asked

    def is_own(self, command_or_order: Any) -> bool:
        """Whether a command, a prompt or an order belongs to this side."""
        if self.side is None:  # a spectator
            return False
        if self.side == PLAYERS:
            return True
        return self.side in self.game.sides_of(self.session.state, command_or_order)

    # ------------------------------------------------------------------ other players

    @property
    def why_wait(self) -> str:
        """Who must act before this side may go on with the turn, as a sentence; empty: nobody."""
        return self.once(("why wait", self.others), self._why_wait)

    def _why_wait(self) -> str:
        players = self.game.players(self.session.state)
        if self.side not in players:
            return ""
        sides_asked = self.game.sides_asked(self.session.state)
        if sides_asked and self.side not in sides_asked:
            return f"{self._names_of(sides_asked)} must answer first."
        for side, draft in self.drafts_of_others:
            is_of_opponent = side in players and side != self.side
            # Only a command with words for others, such as a shot, concerns this side.
            if is_of_opponent and draft.command.words_for_others is not None:
                action = _with_small_letter(draft.command.label)
                return f"{self._names_of([side])} must {action} first, or call it off."
        return ""

    def _names_of(self, sides: Collection[str | None]) -> str:
        """The names of sides, as at the start of a sentence. Its verb should be "must", which fits
        the singular and the plural: a side may be called the Germans, or 1st Army."""
        state = self.session.state
        return " and ".join(self.game.side_name(state, side) for side in sides if side is not None)

    @property
    def drafts_of_others(self) -> list[BegunDraft]:
        """The unfinished orders of the other players; none while the game asks a question."""
        return self.once(("drafts", self.others), self._drafts_of_others)

    def _drafts_of_others(self) -> list[BegunDraft]:
        # A question interrupts every unfinished order.
        if self.game.prompt(self.state) is not None:
            return []
        commands = super().commands
        drafts = []
        for in_hand in self.others:
            draft = half_typed(None, commands, in_hand.keys)
            if draft is not None and draft.in_hand:
                drafts.append(BegunDraft(in_hand.side, draft))
        return drafts

    @property
    def held_up(self) -> str:
        """Who waits for this side's answer, as a sentence; empty: nobody."""
        state = self.session.state
        players = self.game.players(state)
        opponents = [side for side in players if side != self.side]
        # If another side is asked too, it does not wait: it has to answer itself.
        is_only_one_asked = list(self.game.sides_asked(state)) == [self.side]
        if self.side not in players or not opponents or not is_only_one_asked:
            return ""
        return f"{self._names_of(opponents)} must wait for your answer."

    # ------------------------------------------------------------------ taps

    async def tap(self, press: str) -> None:
        """Carry out a tap; if that is not possible, ``notice`` says why. ``press`` is what the
        button sends: a key, an answer, or one of BACK, INSIST and UNDO."""
        # The phone still showed an earlier state when it was tapped.
        if len(self.session.play.entries) != self.journal_length:
            self.notice = ALREADY_ANSWERED
        elif press == UNDO:
            if self.may_undo:  # otherwise the page has no such button, and the message is made up
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
                self.press_to_insist = self._insisting_press(press)

    def _insisting_press(self, press: str) -> str:
        """What a button must send to give the order of this tap, which the rules advise against."""
        # The refused order can be made again from the draft, which still has its answers. A command
        # without a question leaves no draft, so its key is sent again.
        if self.draft is not None:
            return INSIST
        return f"{INSIST} {press}"

    async def _tap_key(self, press: str) -> None:
        """Carry out a tap on a command or an answer. It is added to ``keys`` if the order is still
        unfinished after it."""
        draft_before = self.draft
        try:
            await self.take(tapped(self.draft, self.commands, press))
        except UnfitAnswer as unfit:
            self.say(unfit.message, unfit.key_note)
            return
        is_refused = bool(self.notice)
        has_new_draft = self.draft is not draft_before
        if has_new_draft and not is_refused and not self.has_changed_game:
            self.keys = (*self.keys, press)

    async def _insist_on(self, key: str) -> None:
        """Give the order of a command without a question against the rules' advice. The key is
        tapped first, since only an order that was just refused can be insisted on."""
        await self._tap_key(key)
        if self.may_insist:
            self.notice = ""  # the refusal, which is now overruled
            await self.insist()

    async def give(self, orders: Sequence[Any]) -> bool:
        """Give orders if they belong to this side, up to the first that fails; returns whether all
        were carried out. An order fails if the journal has entries that the phone does not show."""
        for order in orders:
            if not self.is_own(order):
                self.say("This is not your side's to do.")
                return False
            if self.why_wait and self.game.cuts_off(self.session.state, order):
                self.say(self.why_wait)
                return False
            # ``carry_out`` waits for this. It shows a refusal, or calls ``changed`` once the order
            # is stored, so that the next order is given with the longer journal.
            storing = self.session.give(order, self.journal_length)
            if not await self.carry_out(storing, order):
                return False
        return True

    def changed(self) -> None:
        """After an order, or the undoing of one, was stored: the taps are used up, and the journal
        is longer by this entry."""
        self.has_changed_game = True
        self.keys = ()
        self.journal_length += 1

    async def take(self, draft: AnyDraft) -> None:
        """Continue with a draft, as ``Player.take`` does."""
        await super().take(draft)
        # After an order the same command, or the one that follows it, may have begun by itself.
        # That is remembered as if its key had been tapped.
        if self.has_changed_game and self.draft is not None and self.draft.command.key:
            self.keys = (self.draft.command.key,)

    def say(self, sentence: str, key_note: str = "") -> None:
        """Show on the page why a tap did nothing."""
        del key_note  # a phone has no keys
        self.notice = sentence

    def sentence_to_check(self) -> str:
        """The sentence that asks to check lines of the journal after a correction; it names only
        lines that this side may read."""
        numbers = self.game.to_check(self.session.play)
        if not numbers:
            return ""
        readable = {line.number for line in self.game.journal(self.session.play, self.side)}
        return check_lines([number for number in numbers if number in readable])

    async def failed(self, error: StoreError | RecordError) -> None:
        """Show why an order could not be stored."""
        if isinstance(error, Outrun):  # another player's order was stored first
            self.notice = ALREADY_ANSWERED
        else:
            self.notice = f"This could not be saved, so it did not happen. {error}"

    @property
    def may_undo(self) -> bool:
        """Whether the last order was this side's, and may be taken back from here."""
        acts = self.session.play.acts
        if self.side is None or len(acts) < 2:  # the first act is the opening, which stays
            return False
        last_order = acts[-1].order
        if last_order is None:  # a void, which belongs to no side
            return False
        if self.side == PLAYERS:
            return True
        # Whose an order is depends on the state in which it was given.
        state_before = self.session.play.state_after(acts[-2].number)
        return self.side in self.game.sides_of(state_before, last_order)


def tapped(draft: AnyDraft | None, commands: Sequence[AnyCommand], press: str) -> AnyDraft:
    """The draft after a tap that sends a key (``space``), several characters of one answer
    (``12``), or a line, which ends with a line break. Raises UnfitAnswer."""
    if press.endswith("\n"):
        return read(draft, commands, press)
    if press in NAMED_KEYS or len(press) == 1:
        return pressed(draft, commands, _key_of_character(press))
    # Without a draft this is empty: then only the first character counts, which begins a draft.
    asked_name = _slot_name(draft)
    for character in press:
        # Once the answer is complete, the other characters are dropped: none may answer the next
        # question.
        if draft is not None and (draft.slot is None or draft.slot.name != asked_name):
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


def _with_small_letter(label: str) -> str:
    """A label as it stands within a sentence."""
    return f"{label[:1].lower()}{label[1:]}"


def _slot_name(draft: AnyDraft | None) -> str:
    """The name of the open question of a draft; empty if there is none."""
    if draft is None or draft.slot is None:
        return ""
    return draft.slot.name


# ------------------------------------------------------------------ the page of a side


def board_page(player: SidePlayer, whose: str) -> SidePage:
    """What is the same on the pages of all phones of a side: everything but what is being put
    together, which ``side_page`` adds. ``whose`` is the name of the side, or who else the page is
    for."""
    game = player.game
    side = player.side
    # The state with what is hidden, for those methods of the game that look at all of it and leave
    # out by themselves what the given side may not know.
    whole_state = player.session.state
    play = player.visible_play()
    state = player.state
    sides_asked = game.sides_asked(whole_state)
    waiting = ""
    if sides_asked and not player.is_asked:
        waiting = game.waiting(whole_state, side)
    return SidePage(
        journal_length=len(player.session.play.entries),
        keys=(),
        title=game.title(state),
        whose=whose,
        is_for_spectator=side is None,
        headline=capital(game.clock(state, side)),
        over=game.over(state),
        party=_party_of(game.players(whole_state), side),
        colours=game.colours(whole_state),
        waiting=waiting,
        held_up=player.held_up,
        asked=player.is_asked,
        verdict=game.verdict(play, side),
        situation=game.situation(state, side),
        due=unless_it_fails(
            partial(game.due, play, side), instead=note_page, failure="What is due is not available"
        ),
        board=game.forces(whole_state, side),
        phases=game.phases(play),
        journal=tuple(game.journal(play, side, last=JOURNAL_LINES)),
    )


def _party_of(players: Iterable[str], side: Viewer) -> Party:
    """0 for the first side, 1 for the second of two; None for any other."""
    in_order = list(players)
    if in_order and in_order[0] == side:
        return 0
    if len(in_order) == 2 and in_order[1] == side:
        return 1
    return None


def side_page(player: SidePlayer, shared_page: SidePage) -> SidePage:
    """The page of one player: what all phones of the side show (``board_page``), with what is being
    put together by him and against him. While anything is, the last result is not shown."""
    against = player.once(("against", player.others), partial(against_page, player))
    is_begun = player.draft is not None and player.draft.in_hand
    verdict = shared_page.verdict
    if is_begun or against.blocks:
        verdict = None
    commands: tuple[CommandGroup, ...] = ()
    if not is_begun:
        commands = _command_groups(player)
    return replace(
        shared_page,
        keys=player.keys,
        notice=player.notice,
        question=_question(player),
        commands=commands,
        waiting=shared_page.waiting or player.why_wait,
        verdict=verdict,
        against=against,
    )


def _question(player: SidePlayer) -> Question | None:
    """What the player is asked next; None if nothing."""
    draft = player.draft_in_hand
    if draft is None:
        return None
    return question_of(draft, _insist_button(player), player.command(ESCAPE))


def _insist_button(player: SidePlayer) -> Button | None:
    """The button that gives an order against the rules' advice; None if none was just refused."""
    if not player.press_to_insist:
        return None
    return Button(press=player.press_to_insist, text="Do it anyway")


def _command_groups(player: SidePlayer) -> tuple[CommandGroup, ...]:
    """What a player can begin, under the headings of the help."""
    # The buttons by their heading.
    groups: dict[str, list[Button]] = {}
    insist = _insist_button(player)
    if insist is not None and player.draft is None:
        # A command without a question was refused. There is no question to which the button could
        # be added, so it is the first of the commands.
        groups[""] = [insist]
    for command in _commands_to_show(player):
        button = _command_button(command)
        if button.why_not and button.why_not == player.why_wait:
            # The page has this sentence once, above all commands.
            button = replace(button, why_not="", is_off=True)
        groups.setdefault(command.group, []).append(button)
    if player.may_undo:
        groups.setdefault("", []).append(Button(press=UNDO, text="Undo my last order"))
    return tuple(CommandGroup(heading, tuple(buttons)) for heading, buttons in groups.items())


def _commands_to_show(player: SidePlayer) -> list[AnyCommand]:
    """The commands that begin with a key, except that of Esc, which has a button of its own. If the
    game shows only some of them in the app's strip of keys, these are the ones to show here too."""
    with_key = [command for command in player.commands if command.key not in ("", ESCAPE)]
    # The strip shows the commands that have a short word for it.
    in_strip = [command for command in with_key if command.word]
    return in_strip or with_key


def against_page(player: SidePlayer) -> Page:
    """What another player is putting together that concerns this one: a sentence and the odds, as
    this side may know them; an empty page if there is nothing."""
    for side, draft in player.drafts_of_others:
        if side == player.side:
            continue
        # Everybody at the table can see the screen of the app. So what is put together there is
        # shown on the phones even without a sentence for them.
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
    """The odds below a sentence that says who fires at whom."""
    blocks: list[Block] = [Paragraph(sentence, tone="strong")]
    if odds.blocks:
        first, *others = odds.blocks
        # Odds begin with the units that fire, in the words of their player: as the lead of a
        # paragraph, or as a block of its own. The sentence says that in words for this side.
        if isinstance(first, Paragraph) and first.lead:
            blocks.append(replace(first, lead=""))
        blocks.extend(others)
    return Page("", tuple(blocks))


def _command_button(command: AnyCommand) -> Button:
    """The button that begins a command. Space is the key that goes on, so its command is the
    proposed one."""
    note = ""
    # Those in the app's strip of keys have a word, and players know them without the help.
    if not command.word:
        note = command.help
    return Button(
        press=command.key,
        text=command.label,
        note=note,
        why_not=command.why_not,
        is_proposed=command.key == SPACE and not command.why_not,
    )


def question_of(
    draft: AnyDraft, insist: Button | None = None, leave: AnyCommand | None = None
) -> Question | None:
    """The next question of a draft with every way to answer it by a tap; None if it has all its
    answers. ``insist`` is the button that overrules a refusal, ``leave`` the command of Esc."""
    slot = draft.slot
    if slot is None:
        return None
    # While nothing is typed, the page passes over an optional question.
    shown_slot = draft.shown_slot or slot
    slots = list(draft.next_slots())
    options = tuple(_option_buttons(draft, slots))
    confirm = _confirm_button(draft, slot, options)
    if confirm is not None:
        # The confirmation is proposed too, and only one button may have the colour of a proposal.
        options = tuple(replace(option, is_proposed=False) for option in options)
    pad = _pad_buttons(slots)
    is_written = not options and not pad and _can_be_written(draft, slot)
    longest_text = 0
    if is_written:
        longest_text = _longest_text(slot)
    return Question(
        text=_question_text(draft, shown_slot),
        large=shown_slot.large,
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


def _question_text(draft: AnyDraft, slot: Slot) -> str:
    """The words of a question; of one without any, the name of its command."""
    if not slot.text and not slot.large:
        return draft.command.label
    return slot.text


def _can_be_written(draft: AnyDraft, slot: Slot) -> bool:
    """Whether a slot without options and keys is answered by a written text: not if it only waits
    for a confirmation, nor if the draft has all the answers that it needs."""
    is_confirmation = slot.only_enter or isinstance(slot, Confirm)
    return not draft.ready and not is_confirmation


def _longest_text(slot: Slot) -> int:
    """The most characters that may be written as the answer of a slot."""
    if isinstance(slot, Words):
        return slot.longest
    return LONGEST_TAP


def _answers_so_far(draft: AnyDraft) -> tuple[str, ...]:
    """The lines that tell the answers given so far: one, or none if nothing is answered yet."""
    words = answers_in_words(draft)
    if not words:
        return ()
    return (words,)


def _pad_buttons(slots: Sequence[Slot]) -> tuple[Button, ...]:
    """The keys of the open question, or of the first question that may be answered in its place and
    has any."""
    for slot in slots:
        keys = touch_keys_of(slot)
        if keys:
            return tuple(Button(press=key.types, text=key.label) for key in keys)
    return ()


def _toggle_buttons(draft: AnyDraft, insist: Button | None) -> tuple[Button, ...]:
    """The facts that a tap changes; the button that overrules a refusal stands behind them."""
    toggles = []
    for toggle in draft.toggles:
        is_chosen = is_marked(toggle, draft)
        toggles.append(Button(press=toggle.key, text=toggle.label, is_chosen=is_chosen))
    if insist is not None:
        toggles.append(insist)
    return tuple(toggles)


def _preview(draft: AnyDraft) -> Page:
    """The odds, without the keys in front of what could be changed: a phone has buttons for it."""
    page = preview(draft)
    return replace(page, blocks=tuple(map(_without_key_column, page.blocks)))


def _without_key_column(block: Block) -> Block:
    """A table without its column of keys. That is a first column without a title in which no cell
    has more than one character."""
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
    # Buttons that are answers explain themselves; digits alone do not say how high a number may be.
    keys = touch_keys_of(slot)
    has_keys_for_answers = bool(keys) and keys != DIGIT_KEYS
    if options_of(slot) or has_keys_for_answers or isinstance(slot, Words | Confirm):
        return ""
    return slot.keyless_hint


def touch_keys_of(slot: Slot) -> tuple[TouchKey, ...]:
    """The keys on which an answer is typed that is not chosen from options; empty if there are
    none."""
    match slot:
        case Either():
            keys: list[TouchKey] = []
            for way in slot.ways:
                keys.extend(touch_keys_of(way))
            return tuple(keys)
        case Number():
            return _keys_of_number(slot)
        case Dice():
            return _keys_of_dice(slot)
    return slot.touch_keys


def _keys_of_number(slot: Number) -> tuple[TouchKey, ...]:
    """A key for each number if they are few, else the digits."""
    if slot.low < 0:
        minus_key = TouchKey("-", "–")
        return (*DIGIT_KEYS, minus_key)
    # An optional number is typed in front of another answer, as in ``15r``: no key may end it.
    numbers = slot.high - slot.low + 1
    if slot.optional or numbers > MOST_NUMBER_KEYS:
        return DIGIT_KEYS
    return _keys_of_numbers(slot.low, slot.high, end="\n")


def _keys_of_dice(slot: Dice) -> tuple[TouchKey, ...]:
    """A key for each face of a die. If one die is asked for, its key ends the answer. Of several
    dice, those with faces of two digits are typed with a space behind each."""
    end = ""
    if slot.count == 1:
        end = "\n"
    elif slot.keeps_spaces:
        end = " "
    return _keys_of_numbers(slot.low, slot.high, end)


def _keys_of_numbers(low: int, high: int, end: str) -> tuple[TouchKey, ...]:
    """A key for each number, which types the number and ``end`` behind it."""
    return tuple(TouchKey(f"{number}{end}", str(number)) for number in range(low, high + 1))


def _typed_so_far(slot: Slot, typed: str) -> str:
    """An unfinished answer, in words if it means something already."""
    # If several options may be chosen, the chosen ones are marked on their buttons.
    if not typed or isinstance(slot, ChooseSeveral):
        return ""
    answer = slot.so_far(typed)
    if answer:
        return slot.shown(answer)
    return slot.echo(typed)


def _back_button(draft: AnyDraft, leave: AnyCommand | None) -> Button | None:
    """The button that takes back the last tap. Where nothing is begun, it is the button of
    ``leave``, the command of Esc; None if there is no such command, or it cannot be given."""
    if draft.in_hand:
        return Button(press=BACK, text="Back")
    if leave is None or leave.why_not:
        return None
    return Button(press=ESCAPE, text=leave.label)


def _option_buttons(draft: AnyDraft, slots: Sequence[Slot]) -> Iterator[Button]:
    """The answers that can be tapped: those of the open question, and of the questions that may be
    answered in its place (``slots`` are all of them). Those that are chosen already are marked."""
    slot = draft.slot
    # How often each option is chosen, where it may be more than once.
    counts: Mapping[Any, int] = {}
    if isinstance(slot, Picks):
        counts = slot.picked(draft.typed).counts
    chosen: Sequence[Option] = ()
    if isinstance(slot, ChooseSeveral):
        chosen = slot.marked(draft.typed).options
    offered: list[Option] = []
    for next_slot in slots:
        offered.extend(options_of(next_slot))
    for key, option in keyed(offered):
        button = _option_button(key, option)
        count = counts.get(option.value, 0)
        if count:
            button = replace(button, text=f"{count} {option.label}", is_chosen=True)
        if option in chosen:
            button = replace(button, is_chosen=True)
        if slot is not None and option.value == slot.proposed:
            button = replace(button, is_proposed=True)
        yield button


def _option_button(key: str, option: Option) -> Button:
    """An answer as it stands before anything is chosen. If the rules only advise against it, it can
    be tapped all the same."""
    refusal = None
    if option.objection is not None:
        refusal = option.objection()
    if refusal is None:
        return Button(press=key, text=option.label, note=remark(option), why_not=option.why_not)
    why_not = option.why_not
    if refusal.firm:  # the rules forbid it
        why_not = refusal.message
    return Button(
        press=key, text=option.label, note=refusal.message, why_not=why_not, is_unwise=True
    )


def _confirm_button(draft: AnyDraft, slot: Slot, options: Sequence[Button]) -> Button | None:
    """The button that ends the answer, or the whole order; None if there is nothing to end, or if
    a tap on the proposed option does the same."""
    if not draft.can_confirm:
        return None
    later_slots = _later_slots(draft, slot)
    # Where no question follows, the button is named after the answer instead, further below.
    only_optional_follow = bool(later_slots) and all(later.optional for later in later_slots)
    if draft.ready or only_optional_follow:
        # The tap gives the order, so the button has the name of the command.
        return _enter_button(draft.command.word or draft.command.label)
    if not later_slots and any(option.is_proposed for option in options):
        # The last question, with a proposed option: tapping that option gives the same order.
        return None
    if draft.typed or slot.proposed is None:
        # The tap ends what was typed, and the next question follows.
        return _enter_button("OK")
    # Nothing was typed: the tap gives the proposed answer.
    return _enter_button(slot.shown(slot.proposed))


def _later_slots(draft: AnyDraft, slot: Slot) -> list[Slot]:
    """The slots without an answer besides ``slot``."""
    later_slots = []
    for other in draft.slots:
        is_answered = other.name in draft.answers
        if other is not slot and not is_answered:
            later_slots.append(other)
    return later_slots


def _enter_button(words: str) -> Button:
    """The button that does what Enter does."""
    return Button(press=ENTER, text=capital(words), is_proposed=True)


def note_page(sentence: str) -> Page:
    """A page with one sentence, which stands where an extra is not available."""
    return Page("", (Note(sentence),))
