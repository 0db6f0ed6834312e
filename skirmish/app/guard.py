"""The order of what players do, and robustness against what fails.

Every key, click and paste waits in one queue until all that came before it is complete: its order
stored, the next question asked, a screen opened or closed. What others wrote into a game takes its
turn in the same queue. An extra (odds, advice, a picture, a page) that fails is replaced by one
plain line, and its error goes to the log; a screen that is an extra (``EXTRA``) closes, and so does
any screen that fails while it opens. Another error in the game itself ends the app with a message;
everything shown is stored by then.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from traceback import walk_tb
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakSet

from textual import events
from textual._context import active_message_pump  # the node of an error, which has no public API
from textual.actions import ActionParseResult
from textual.command import CommandPalette
from textual.dom import DOMNode, NoScreen
from textual.widget import Widget
from textual.worker import NoActiveWorker, Worker, WorkerFailed, get_current_worker

from skirmish.app.host import Host, Screen
from skirmish.extras import LOG, not_available

PATIENCE = 5.0
"""Seconds that a key waits for a screen which a worker is about to open, and that the key which
quits waits for its turn."""
CLOSED_CHECKS = 0.02
"""Seconds between checks whether a screen that is waited for has closed meanwhile."""
OPENED_CHECKS = 0.005
"""Seconds between checks whether a window has opened."""
OPENS = frozenset({"default", "look", "print", "resume", "window"})
"""Groups of workers that a key waits for: they open a window or screen that the key is meant for,
or read the list that it chooses from. Other workers run on."""
NOT_OPENED = (
    "That screen could not be opened. Nothing is lost, and you can go on. The details are in "
    f"{LOG}, beside the database (skirmish db path)."
)
_log = logging.getLogger("skirmish")


# ------------------------------------------------------------------ the app


class NewsTurn(NamedTuple):
    """Something that is not typed and changes what keys mean: ``show`` runs when its turn comes, if
    its ``screen`` is still in front."""

    screen: Widget
    show: Callable[[], Awaitable[None]]


Turn: TypeAlias = events.InputEvent | events.Paste | NewsTurn
"""What waits in the queue."""
TYPED = (events.Key, events.MouseDown, events.MouseUp, events.Paste)
"""What waits for its turn. Movements of the mouse and its wheel only change what is seen."""


class GuardedApp(Host):
    """Handles one key after the other.

    Textual passes a key from queue to queue: that of the app, of the focused widget, of its screen,
    and of the app again, where bindings are looked up. Keys typed ahead would overtake one another
    on this way. So a key leaves the queue ``_turns`` only once the one before it has gone all of it
    (``_pass_through``) and whatever it led to has come to rest (``_come_to_rest``).
    """

    _started = False
    """Whether the first screen has been shown."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Workers that keys have waited for long enough.
        self._slow: WeakSet[Worker[Any]] = WeakSet()
        self._turns: deque[Turn] = deque()
        self._arrived = asyncio.Event()  # set while a turn waits
        self._taking_turns: asyncio.Task[None] | None = None
        self._quitting: asyncio.Task[None] | None = None

    def on_load(self) -> None:
        """Begin every task in its turn, on every Python. From 3.12 on Textual asks for eager tasks,
        with which a widget handles messages while it is still being made. A text that it is given
        between two layouts then keeps the size of the empty text before it, and is never
        painted."""
        asyncio.get_running_loop().set_task_factory(None)

    def on_ready(self) -> None:
        self._started = True

    # ------------------------------------------------------------------ one queue

    @property
    def waiting(self) -> int:
        """How much is waited for: what `Host.waiting` counts, and the keys that wait for their
        turn."""
        return super().waiting + len(self._turns)

    async def on_event(self, event: events.Event) -> None:
        """Queue what is typed, pasted or clicked. An event that comes back from a widget
        (``is_forwarded``) has had its turn."""
        if isinstance(event, TYPED) and not event.is_forwarded:
            self._queue(event)
            if self._is_quit(event):
                self._quitting = asyncio.create_task(self._quit_at_last(event))
        else:
            await super().on_event(event)

    def simulate_key(self, key: str) -> None:
        """A click on a key at the foot of the screen. The click has had its turn, so the key comes
        before whatever was typed after it."""
        self._queue(events.Key(key, None), first=True)

    def after_typed_keys(self, screen: Widget, show: Callable[[], Awaitable[None]]) -> None:
        """Run ``show`` between two keys, unless ``screen`` has been left by then."""
        self.call_later(self._queue, NewsTurn(screen, show))  # behind the keys on their way

    def _queue(self, turn: Turn, *, first: bool = False) -> None:
        """Let a turn wait behind the others, or before them all."""
        if first:
            self._turns.appendleft(turn)
        else:
            self._turns.append(turn)
        self._arrived.set()
        if self._taking_turns is None:
            self._taking_turns = asyncio.create_task(self._take_turns(), name="turns")

    async def _take_turns(self) -> None:
        """Carry out one turn after the other until the app closes."""
        while True:
            if not self._turns:
                self._arrived.clear()
                await self._arrived.wait()
            await self._come_to_rest()
            if not self.is_running:
                return  # the app is closing
            if not self._turns:
                continue  # those that waited were dropped with a screen that failed as it opened
            turn = self._turns.popleft()
            try:
                await self._carry_out(turn)
            except Exception as error:
                self._handle_exception(error)

    async def _carry_out(self, turn: Turn) -> None:
        """Hand a turn to Textual and wait until all whom it passes have handled it."""
        if isinstance(turn, NewsTurn):
            if self._in_front(turn.screen):
                is_queued = turn.screen.call_later(turn.show)
                if is_queued:  # not on a screen that is being closed
                    await self._pass_through([turn.screen])
            return
        widgets = self._widgets_in_focus()
        if isinstance(turn, events.MouseEvent):
            clicked, _ = self.screen.get_widget_and_offset_at(int(turn.x), int(turn.y))
            if clicked is not None and clicked is not self.screen:
                if clicked.parent is None:
                    return  # removed, but still painted: Textual would fail on it
                widgets = [node for node in clicked.ancestors_with_self if node is not self]
        await super().on_event(turn)
        await self._pass_through(widgets)

    def _is_quit(self, turn: Turn) -> bool:
        """Whether a turn is the key that quits the program."""
        if not isinstance(turn, events.Key):
            return False
        bindings = self._bindings.key_to_bindings.get(turn.key, [])
        return any(binding.action == "quit" for binding in bindings)

    async def _quit_at_last(self, key: Turn) -> None:
        """Quit even if what came before the key never ends. As long as the queue becomes shorter,
        the key has its turn like any other."""
        length_before = len(self._turns) + 1
        while key in self._turns and len(self._turns) < length_before:
            length_before = len(self._turns)
            await asyncio.sleep(PATIENCE)
        if key in self._turns:
            await self.action_quit()

    # ------------------------------------------------------------------ what a key waits for

    async def _come_to_rest(self) -> None:
        """Wait until the screen in front is built, it and the focused widget are idle, and the
        screen or window that it was opening is in front."""
        deadline = monotonic() + PATIENCE
        while self.is_running:
            # What they handled may have built further widgets, which come to rest in their turn.
            rested: list[DOMNode] = []
            busy = self._widgets_in_focus()
            while busy:
                await self._pass_through(busy)
                rested += busy
                busy = [node for node in self._widgets_in_focus() if node not in rested]
            if self._held_by_work():
                deadline = monotonic() + PATIENCE  # work may take as long as it takes
            elif not self._is_opening():
                return
            if monotonic() >= deadline:
                self._slow.update(self.workers)  # a slow screen delays one key, not each
                return
            await asyncio.sleep(OPENED_CHECKS)

    def _held_by_work(self) -> bool:
        """Whether the next key waits for work that takes long, since it was typed for what the work
        leads to. Esc and a click are meant for the window that tells of the work."""
        if not self.screen_stack or not self._turns:
            return False
        screen, turn = self.screen_stack[-1], self._turns[0]
        if not isinstance(screen, Screen) or not screen.AT_WORK:
            return False
        if isinstance(turn, events.Key):
            return turn.key != "escape"
        return isinstance(turn, events.Paste)

    async def _pass_through(self, widgets: Sequence[DOMNode]) -> None:
        """Wait until these widgets, innermost first, and then the app have handled what had been
        sent to them, with what each passed on to the next."""
        for node in (*widgets, self):
            await self._idle(node)

    async def _idle(self, node: DOMNode) -> None:
        """Wait until the widget has processed its messages, or has closed."""
        idle = asyncio.Event()
        if not node.call_later(idle.set):
            return  # it is closing
        while not idle.is_set() and not self._has_gone(node):
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), CLOSED_CHECKS)

    def _is_opening(self) -> bool:
        """Whether a worker of the screen in front is about to open another screen."""
        for worker in self.workers:
            may_open = worker.group in OPENS and not worker.is_finished
            if not may_open or worker in self._slow:
                continue
            if isinstance(worker.node, Widget) and self._in_front(worker.node):
                return True
        return False

    def _widgets_in_focus(self) -> Sequence[DOMNode]:
        """The widgets that a key bubbles through, innermost first; none while the app closes."""
        stack = self.screen_stack
        if not stack:
            return []
        screen = stack[-1]
        if screen.focused is None:
            return [screen]
        return [node for node in screen.focused.ancestors_with_self if node is not self]

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action unless its widget is no longer, or not yet, on the screen."""
        node = default_namespace
        # A widget without a size has not been laid out yet.
        if isinstance(node, Widget) and not (node.size and self._in_front(node)):
            return False
        try:
            return await super().run_action(action, node, namespaces)
        except Exception as error:
            if self._close_if_extra(node, error):
                return True
            if not self._has_gone(node):
                raise
            _log.warning("%s was too late for %r", action, node, exc_info=True)
            return True

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            from skirmish.app.palette import Palette

            self.push_screen(Palette())

    def _in_front(self, node: Widget) -> bool:
        """Whether a widget is on the screen in front."""
        try:
            return self.is_running and node.screen is self.screen and self.screen.is_mounted
        except NoScreen:
            return False

    def _has_gone(self, node: object) -> bool:
        """Whether a widget's screen has been left, or the app is closing."""
        try:
            # An app that has not started yet does not run either, and is not closing.
            closing = self._started and not self.is_running
            return closing or (isinstance(node, Widget) and node.screen not in self.screen_stack)
        except NoScreen:
            return True

    async def _close_all(self) -> None:
        """Close every screen. A worker that awaits a screen is cancelled when the app closes, and
        that cancels the task of this screen; Textual's own way of closing stops there, with screens
        still open, and is begun again."""
        for task in (self._taking_turns, self._quitting):
            if task is not None:
                task.cancel()
        # Every screen may stop it once; then it goes through.
        for _ in range(len(self.screen_stack) + 1):
            try:
                return await super()._close_all()
            except asyncio.CancelledError as cancelled:
                self._raise_unless_of_a_screen(cancelled)

    async def _flush_next_callbacks(self) -> None:
        try:
            await super()._flush_next_callbacks()
        except asyncio.CancelledError as cancelled:
            self._raise_unless_of_a_screen(cancelled)  # Textual awaits a closed screen twice here

    def _raise_unless_of_a_screen(self, cancelled: asyncio.CancelledError) -> None:
        """Raise the cancellation again, unless a screen was cancelled while the app closes: that
        is only logged, and the app goes on closing."""
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise cancelled  # this task itself is being cancelled
        if self.is_running:
            raise cancelled  # screens are closed while the app runs on; whoever asked must know
        _log.warning("A screen was cancelled while it closed", exc_info=cancelled)

    def _handle_exception(self, error: Exception) -> None:
        """Ignore errors of closed screens; any other error ends the app."""
        node: object = active_message_pump.get(None)
        if isinstance(error, WorkerFailed):
            try:
                node = get_current_worker().node
            except NoActiveWorker:
                node = None
        if self._has_gone(node):
            _log.warning("Too late for %r", node, exc_info=error)
            return
        cause = getattr(error, "error", error)  # that of a worker is wrapped in a WorkerFailed
        if self._close_if_extra(node, cause):
            return
        if self._close_if_unopened(node, error):
            return
        _log.critical("The program broke down", exc_info=error)
        super()._handle_exception(error)

    def _close_if_unopened(self, node: object, error: Exception) -> bool:
        """Close the screen of a node, with a sentence, if it has failed while it opened. What was
        typed ahead was meant for that screen. Returns whether it was so."""
        if not isinstance(node, Widget) or self._has_gone(node):
            return False
        from skirmish.app.windows import MessageScreen

        screen = node.screen
        if not isinstance(screen, Screen) or screen.opened or screen is self.screen_stack[0]:
            return False
        _log.critical("%r could not be opened", screen, exc_info=error)
        self._turns = deque(turn for turn in self._turns if self._is_quit(turn))
        for callback in screen._result_callbacks:
            if callback is not None and callback.future is not None:
                callback.future.cancel()  # or a worker would await an answer for ever
        while screen in self.screen_stack:
            self.pop_screen()
        if not isinstance(screen, MessageScreen):
            self.call_later(self.show_message, "Something went wrong", NOT_OPENED)
        return True

    def _close_if_extra(self, node: object, error: Exception) -> bool:
        """Close the screen of a node if it is an extra over another screen, with a one-line
        message; likewise if the extra failed while it was made. Returns whether it was one."""
        screen = self._extra_of(node)
        if screen is None:
            screen = self._made_in_vain(error)
        if screen is None:
            return False
        self.leave_out(screen.EXTRA, error)
        while screen in self.screen_stack:  # with what it has opened above itself
            self.pop_screen()
        return True

    def _extra_of(self, node: object) -> Screen[Any] | None:
        """The screen of a node, if the game goes on without it. The first screen never is: nothing
        would be left below it."""
        if not isinstance(node, Widget) or self._has_gone(node):
            return None
        screen = node.screen
        if isinstance(screen, Screen) and screen.EXTRA and screen in self.screen_stack[1:]:
            return screen
        return None

    def _made_in_vain(self, error: Exception) -> Screen[Any] | None:
        """The extra whose constructor failed. It never became a node: only the frames of the error
        know it."""
        for frame, _ in walk_tb(error.__traceback__):
            owner = frame.f_locals.get("self")
            if isinstance(owner, Screen) and owner.EXTRA and owner not in self.screen_stack:
                return owner
        return None

    def leave_out(self, missing: str, error: BaseException | None = None) -> None:
        """Log the ``error`` of an extra, else the one that is being handled, and show a line that
        says that it is not available. ``missing`` is the beginning of that line: "The odds are"."""
        self.call_later(self.show_message, "Something went wrong", not_available(missing, error))

    def _fatal_error(self) -> None:
        """Instead of Textual's traceback, say that nothing is lost."""
        self.panic(
            "Skirmish broke down. Everything it had shown is stored: start it again to go on. "
            f"The details are in {LOG}, beside the database (skirmish db path)."
        )
