"""The order of what players do.

Every key, click and paste waits in one queue until all that came before it is complete: its order
stored, the next question asked, a screen opened or closed. What others wrote into a game takes its
turn in the same queue.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakSet

from textual import events
from textual.dom import DOMNode, NoScreen
from textual.widget import Widget
from textual.worker import Worker

from skirmish.app.base_screen import Screen
from skirmish.app.host import Host

PATIENCE = 5.0
"""Seconds that a key waits for a screen which a worker is about to open, and that the key which
quits waits for its turn."""
CLOSED_CHECKS = 0.02
"""Seconds between checks whether a screen that is waited for has closed meanwhile."""
OPENED_CHECKS = 0.005
"""Seconds between checks whether a window has opened."""
OPENS = frozenset({"default", "look", "print", "resume", "window"})
"""Groups of workers that a key waits for: they open a window or screen that the key is meant for,
or read the list that it chooses from. Other workers run on. ``default`` is what Textual calls the
group of workers that are given none."""


class NewsTurn(NamedTuple):
    """Something that is not typed and changes what keys mean: ``show`` runs when its turn comes, if
    its ``screen`` is still in front."""

    screen: Widget
    show: Callable[[], Awaitable[None]]


Turn: TypeAlias = events.InputEvent | events.Paste | NewsTurn
"""What waits in the queue."""
TAKE_TURNS = (events.Key, events.MouseDown, events.MouseUp, events.Paste)
"""Events that wait for their turn. Movements of the mouse and its wheel only change what is
seen."""


class TurnsApp(Host):
    """An app that handles one key, click or paste after the other.

    Textual passes a key from queue to queue: that of the app, of the focused widget, of its screen,
    and of the app again, where bindings are looked up. Keys typed ahead would overtake one another
    on this way. So a key leaves the queue ``_turns`` only when the key before it has gone all the
    way (``_pass_through``) and everything it led to is complete (``_come_to_rest``).
    """

    _started = False
    """Whether the first screen has been shown."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._slow: WeakSet[Worker[Any]] = WeakSet()
        """Workers that a key has waited for in vain: no other key waits for them."""
        self._turns: deque[Turn] = deque()
        self._arrived = asyncio.Event()
        """Set while a turn waits."""
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
    def waiting_messages(self) -> int:
        """The number of things that are not complete yet: what `Host.waiting_messages` counts, and
        the keys that wait for their turn."""
        return super().waiting_messages + len(self._turns)

    async def on_event(self, event: events.Event) -> None:
        """Queue what is typed, pasted or clicked. An event that comes back from a widget
        (``is_forwarded``) has had its turn."""
        if isinstance(event, TAKE_TURNS) and not event.is_forwarded:
            self._queue(event)
            if self._is_quit(event):
                self._quitting = asyncio.create_task(self._quit_at_last(event))
        else:
            await super().on_event(event)

    def simulate_key(self, key: str) -> None:
        """Textual calls it for a click on a key at the foot of the screen. The click has had its
        turn, so its key comes before whatever was typed after it."""
        self._queue(events.Key(key, None), first=True)

    def after_typed_keys(self, screen: Widget, show: Callable[[], Awaitable[None]]) -> None:
        """Run ``show`` between two keys, unless ``screen`` has been left by then."""
        self.call_later(self._queue, NewsTurn(screen, show))  # behind keys that are arriving

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
                return
            if not self._turns:
                continue  # they were dropped meanwhile, with a screen that failed as it opened
            turn = self._turns.popleft()
            try:
                await self._carry_out(turn)
            except Exception as error:
                self._handle_exception(error)

    async def _carry_out(self, turn: Turn) -> None:
        """Hand a turn to Textual and wait until every widget on its way has handled it."""
        if isinstance(turn, NewsTurn):
            await self._show_news(turn)
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

    async def _show_news(self, turn: NewsTurn) -> None:
        """Run what shows the news on its screen, unless that has been left."""
        if not self._is_in_front(turn.screen):
            return
        is_queued = turn.screen.call_later(turn.show)
        if is_queued:  # a screen that is being closed takes no more calls
            await self._pass_through([turn.screen])

    def _is_quit(self, turn: Turn) -> bool:
        """Whether a turn is the key that quits the program."""
        if not isinstance(turn, events.Key):
            return False
        bindings = self._bindings.key_to_bindings.get(turn.key, [])
        return any(binding.action == "quit" for binding in bindings)

    async def _quit_at_last(self, key: Turn) -> None:
        """Quit even if what came before the key never ends. As long as the queue becomes shorter,
        the key waits for its turn like any other."""
        while key in self._turns:
            length_before = len(self._turns)
            await asyncio.sleep(PATIENCE)
            if len(self._turns) >= length_before:
                break
        if key in self._turns:
            await self.action_quit()

    def _drop_typed_ahead(self) -> None:
        """Drop all turns but the key that quits."""
        self._turns = deque(turn for turn in self._turns if self._is_quit(turn))

    def _stop_turns(self) -> None:
        """Stop taking turns, since the app closes."""
        for task in (self._taking_turns, self._quitting):
            if task is not None:
                task.cancel()

    # ------------------------------------------------------------------ what a key waits for

    async def _come_to_rest(self) -> None:
        """Wait until the screen in front is built, it and the focused widget are idle, and the
        screen or window that it was opening is in front."""
        deadline = monotonic() + PATIENCE
        while self.is_running:
            await self._until_focus_is_idle()
            if self._held_by_work():
                deadline = monotonic() + PATIENCE  # the time of long work does not count
            elif not self._is_opening():
                return
            if monotonic() >= deadline:
                self._slow.update(self.workers)  # a slow screen delays one key and not every key
                return
            await asyncio.sleep(OPENED_CHECKS)

    async def _until_focus_is_idle(self) -> None:
        """Wait until the widgets in focus are idle, and those too that they have built and given
        the focus meanwhile."""
        rested: list[DOMNode] = []
        busy = self._widgets_in_focus()
        while busy:
            await self._pass_through(busy)
            rested += busy
            busy = [node for node in self._widgets_in_focus() if node not in rested]

    def _held_by_work(self) -> bool:
        """Whether the next key must wait for long work of the screen in front, since it was typed
        for what comes after the work. Esc and a click are meant for the window that reports the
        work, and do not wait."""
        if not self.screen_stack or not self._turns:
            return False
        screen, turn = self.screen_stack[-1], self._turns[0]
        if not isinstance(screen, Screen) or not screen.AT_WORK:
            return False
        if isinstance(turn, events.Key):
            return turn.key != "escape"
        return isinstance(turn, events.Paste)

    async def _pass_through(self, widgets: Sequence[DOMNode]) -> None:
        """Wait until these widgets, innermost first, and then the app have handled what was sent to
        them, and what each of them passed on to the next."""
        for node in (*widgets, self):
            await self._until_idle(node)

    async def _until_idle(self, node: DOMNode) -> None:
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
            if isinstance(worker.node, Widget) and self._is_in_front(worker.node):
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

    def _is_in_front(self, node: Widget) -> bool:
        """Whether a widget is on the screen in front."""
        try:
            return self.is_running and node.screen is self.screen and self.screen.is_mounted
        except NoScreen:
            return False

    def _has_gone(self, node: object) -> bool:
        """Whether a widget's screen has been left, or the app is closing."""
        try:
            # An app that has not started yet does not run either, and is not closing.
            is_closing = self._started and not self.is_running
            if is_closing:
                return True
            if not isinstance(node, Widget):  # the app itself, or no node at all
                return False
            return node.screen not in self.screen_stack
        except NoScreen:
            return True
