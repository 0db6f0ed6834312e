"""What must not end the program: a key that comes too late, and an extra that cannot be had.

Keys wait until the screen in front is built and has done what the keys before asked of it; then
they are the next screen's. What still reaches a screen that has closed is dropped. An extra (odds,
advice, a picture, a page) that fails leaves one plain line, and its reason in the log; a screen
that is one (``EXTRA``) closes. An error in the game itself ends the app, with a sentence; all that
was shown is stored by then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from traceback import walk_tb
from typing import Any
from weakref import WeakSet

from textual import events
from textual._context import active_message_pump  # whose error it is; nothing public tells that
from textual.actions import ActionParseResult
from textual.command import CommandPalette
from textual.dom import DOMNode, NoScreen
from textual.widget import Widget
from textual.worker import NoActiveWorker, Worker, WorkerFailed, get_current_worker

from skirmish.app.host import Host, Screen
from skirmish.extras import LOG, missing

PATIENCE = 5.0
"""Seconds that a key waits for a screen that is at work."""
LOOK = 0.02
"""Seconds between two looks whether that has closed meanwhile."""
SOON = 0.005
"""Seconds between two looks whether a window has opened."""
OPENS = frozenset({"default", "look", "print", "resume", "window"})
"""Groups of workers for which a key waits: they open a window or another screen, for which it is
meant, or they read the list that it chooses from. Others only fill in what takes longer to find."""
_log = logging.getLogger("skirmish")


class Palette(CommandPalette, Screen[Any]):
    """Textual's, which people leave with two keys where one would do."""

    def _action_command_list(self, action: str) -> None:
        """Textual fails on a page up or down in lines that are not laid out yet."""
        with suppress(KeyError):
            super()._action_command_list(action)


# ------------------------------------------------------------------ the app


class GuardedApp(Host):
    """Hands keys on one after the other, and only to what is there."""

    _started = False

    def __init__(self, *about: Any, **more: Any) -> None:
        super().__init__(*about, **more)
        self._slow: WeakSet[Worker[Any]] = WeakSet()

    def on_ready(self) -> None:
        self._started = True

    async def on_event(self, event: events.Event) -> None:
        """Keys, clicks and pastes wait for the screen that they are meant for."""
        if isinstance(event, (events.Key, events.MouseDown, events.MouseUp, events.Paste)):
            await self._caught_up()
            if not self.is_running:
                return  # the app is closing
            if isinstance(event, events.MouseDown) and self._on_what_has_gone(event):
                return
        await super().on_event(event)

    def _on_what_has_gone(self, click: events.MouseDown) -> bool:
        """Whether it is on a widget that was taken away and is painted still, which Textual fails
        on."""
        widget, _ = self.screen.get_widget_and_offset_at(int(click.x), int(click.y))
        return widget is not None and widget is not self.screen and widget.parent is None

    async def _caught_up(self) -> None:
        """Until the screen in front is built, it and what has its focus have nothing to do, and
        what it was asked for, a window or another screen, is in front."""
        ends = monotonic() + PATIENCE
        done: list[DOMNode] = []
        while monotonic() < ends:
            waiting = [node for node in self._addressed() if node not in done]
            if waiting:
                done.append(waiting[0])
                await self._idle(waiting[0], ends)
            elif self._opening():
                await asyncio.sleep(SOON)
            else:
                return
        self._slow.update(self.workers)  # what takes so long holds up one key, not each

    async def _idle(self, node: DOMNode, ends: float) -> None:
        """Until that has done what it was asked for before, or has closed."""
        idle = asyncio.Event()
        if not node.call_later(idle.set):
            return  # it is closing
        while not idle.is_set() and not self._has_gone(node) and monotonic() < ends:
            with suppress(TimeoutError):
                await asyncio.wait_for(idle.wait(), LOOK)

    def _opening(self) -> bool:
        """Whether a worker of the screen in front is about to open something over it."""
        return any(
            worker.group in OPENS
            and not worker.is_finished
            and worker not in self._slow
            and isinstance(worker.node, Widget)
            and self._in_front(worker.node)
            for worker in self.workers
        )

    def _addressed(self) -> Sequence[DOMNode]:
        """What a key goes through, the innermost first; nothing while the app closes."""
        stack = self.screen_stack
        focused = stack[-1].focused if stack else None
        if focused is None:
            return stack[-1:]
        return [node for node in focused.ancestors_with_self if node is not self]

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """What a key or a click does, unless that is no longer, or not yet, on the screen."""
        node = default_namespace
        if isinstance(node, Widget) and not (node.size and self._in_front(node)):
            return False
        try:
            return await super().run_action(action, node, namespaces)
        except Exception as error:
            if self._left_out(node, error):
                return True
            if not self._has_gone(node):
                raise
            _log.warning("%s was too late for %r", action, node, exc_info=True)
            return True

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette())

    def _in_front(self, node: Widget) -> bool:
        try:
            return self.is_running and node.screen is self.screen and self.screen.is_mounted
        except NoScreen:
            return False

    def _has_gone(self, node: object) -> bool:
        """Whether its screen has closed, or the whole app is closing."""
        try:
            closing = self._started and not self.is_running
            return closing or (isinstance(node, Widget) and node.screen not in self.screen_stack)
        except NoScreen:
            return True

    async def _close_all(self) -> None:
        """Close every screen, also where a worker that waited for one to close was cancelled and
        has taken the task of that screen with it."""
        for _ in range(len(self.screen_stack) + 1):
            try:
                return await super()._close_all()
            except asyncio.CancelledError as cancelled:
                self._only_a_screen(cancelled)

    async def _flush_next_callbacks(self) -> None:
        try:
            await super()._flush_next_callbacks()
        except asyncio.CancelledError as cancelled:
            self._only_a_screen(cancelled)  # Textual waits here a second time for what has closed

    def _only_a_screen(self, cancelled: asyncio.CancelledError) -> None:
        """Go on, unless it is the app itself that is being cancelled."""
        task = asyncio.current_task()
        if task is None or task.cancelling() or self.is_running:
            raise cancelled
        _log.warning("A screen was cancelled while it closed", exc_info=cancelled)

    def _handle_exception(self, error: Exception) -> None:
        """The error of a screen that has closed was of no consequence; any other ends the app."""
        node: object = active_message_pump.get(None)
        if isinstance(error, WorkerFailed):
            try:
                node = get_current_worker().node
            except NoActiveWorker:
                node = None
        if self._has_gone(node):
            _log.warning("Too late for %r", node, exc_info=error)
            return
        if self._left_out(node, getattr(error, "error", error)):
            return
        _log.critical("The program broke down", exc_info=error)
        super()._handle_exception(error)

    def _left_out(self, node: object, error: Exception) -> bool:
        """Close the screen of that node if it is an extra over another, and tell it in one line;
        so too where the extra failed while it was made, and is not in front yet."""
        found = None if not isinstance(node, Widget) or self._has_gone(node) else node.screen
        if not (isinstance(found, Screen) and found.EXTRA and found in self.screen_stack[1:]):
            found = self._made_in_vain(error)
        if found is None:
            return False
        self.leave_out(found.EXTRA, error)
        while found in self.screen_stack:
            self.pop_screen()
        return True

    def _made_in_vain(self, error: Exception) -> Screen[Any] | None:
        """The extra whose making raised the error."""
        for frame, _ in walk_tb(error.__traceback__):
            made = frame.f_locals.get("self")
            if isinstance(made, Screen) and made.EXTRA and made not in self.screen_stack:
                return made
        return None

    def leave_out(self, name: str, error: BaseException | bool = True) -> None:
        self.call_later(self.show_message, "Something went wrong", missing(name, error))

    def _fatal_error(self) -> None:
        self.panic(
            "Skirmish broke down. Everything it had shown is stored: start it again to go on. "
            f"The details are in {LOG}, beside the database (skirmish db path)."
        )
