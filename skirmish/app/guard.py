"""Robustness: what fails, and what then happens.

An extra (odds, advice, a picture, a page) that fails is replaced by one plain line, and its error
goes to the log. A screen that is an extra (``EXTRA``) closes, and so does any screen that fails
while it opens. An error of a screen that has been left is only logged. Any other error ends the app
with a message; everything shown is stored by then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from traceback import walk_tb
from typing import Any

from textual._context import active_message_pump  # the node of an error, which has no public API
from textual.actions import ActionParseResult
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.widget import Widget
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from skirmish.app.base_screen import Screen
from skirmish.app.turns import TurnsApp
from skirmish.extras import LOG, not_available

NOT_OPENED = (
    "That screen could not be opened. Nothing is lost, and you can go on. The details are in "
    f"{LOG}, beside the database (skirmish db path)."
)
_log = logging.getLogger("skirmish")


class GuardedApp(TurnsApp):
    """Lets the game go on where an extra or a closed screen fails, and closes all screens."""

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action unless its widget is no longer, or not yet, on the screen."""
        node = default_namespace
        # A widget without a size has not been laid out yet.
        if isinstance(node, Widget) and not (node.size and self._is_in_front(node)):
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
        """Open our own palette instead of Textual's."""
        if not isinstance(self.screen, CommandPalette):
            from skirmish.app.palette import Palette

            self.push_screen(Palette())

    async def _close_all(self) -> None:
        """Close every screen. A worker that awaits a screen is cancelled when the app closes, which
        cancels the task of that screen too. Textual's own closing is interrupted by this, with
        screens still open, so it is begun again."""
        self._stop_turns()
        # Each screen can interrupt it once, so one attempt more than there are screens succeeds.
        for _ in range(len(self.screen_stack) + 1):
            try:
                return await super()._close_all()
            except asyncio.CancelledError as cancelled:
                self._raise_unless_of_a_screen(cancelled)

    async def _flush_next_callbacks(self) -> None:
        """As Textual does, but a screen that was cancelled does not stop it: Textual awaits a
        closed screen a second time here."""
        try:
            await super()._flush_next_callbacks()
        except asyncio.CancelledError as cancelled:
            self._raise_unless_of_a_screen(cancelled)

    def _raise_unless_of_a_screen(self, cancelled: asyncio.CancelledError) -> None:
        """Raise the cancellation again, unless it is that of a screen while the app closes: this is
        only logged, and the app goes on closing."""
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
        cause: BaseException = error
        if isinstance(error, WorkerFailed):
            cause = error.error
        if self._close_if_extra(node, cause):
            return
        if self._close_if_unopened(node, error):
            return
        _log.critical("The program broke down", exc_info=error)
        super()._handle_exception(error)

    def _close_if_unopened(self, node: object, error: Exception) -> bool:
        """If the screen of a node has failed while it opened, close it and say so in a window. What
        was typed ahead was meant for that screen, and is dropped. Returns whether it was closed."""
        if not isinstance(node, Widget) or self._has_gone(node):
            return False
        from skirmish.app.windows import MessageScreen

        screen = node.screen
        if not isinstance(screen, Screen) or screen.was_shown or screen is self.screen_stack[0]:
            return False
        _log.critical("%r could not be opened", screen, exc_info=error)
        self._drop_typed_ahead()
        for callback in screen._result_callbacks:
            if callback is not None and callback.future is not None:
                callback.future.cancel()  # else a worker would wait for its answer for ever
        while screen in self.screen_stack:
            self.pop_screen()
        if not isinstance(screen, MessageScreen):
            self.call_later(self.show_message, "Something went wrong", NOT_OPENED)
        return True

    def _close_if_extra(self, node: object, error: BaseException) -> bool:
        """If the screen of a node is an extra over another screen, or an extra has failed in its
        constructor, close it and show one line instead. Returns whether it was an extra."""
        screen = self._extra_of(node)
        if screen is None:
            screen = self._extra_half_made(error)
        if screen is None:
            return False
        self.leave_out(screen.EXTRA, error)
        while screen in self.screen_stack:  # with what it has opened above itself
            self.pop_screen()
        return True

    def _extra_of(self, node: object) -> Screen[Any] | None:
        """The screen of a node if it is an extra. The first screen counts as none: nothing would be
        left below it."""
        if not isinstance(node, Widget) or self._has_gone(node):
            return None
        screen = node.screen
        if isinstance(screen, Screen) and screen.EXTRA and screen in self.screen_stack[1:]:
            return screen
        return None

    def _extra_half_made(self, error: BaseException) -> Screen[Any] | None:
        """The extra whose constructor failed. It never became a node of the app, so it is looked
        for in the stack frames of the error."""
        for frame, _ in walk_tb(error.__traceback__):
            owner = frame.f_locals.get("self")
            if isinstance(owner, Screen) and owner.EXTRA and owner not in self.screen_stack:
                return owner
        return None

    def leave_out(self, missing: str, error: BaseException | None = None) -> None:
        """Log the ``error`` of an extra, by default the one that is being handled, and show a line
        that says that the extra is not available. ``missing`` begins it: "The odds are"."""
        self.call_later(self.show_message, "Something went wrong", not_available(missing, error))

    def _fatal_error(self) -> None:
        """Instead of Textual's traceback, say that nothing is lost."""
        self.panic(
            "Skirmish broke down. Everything it had shown is stored: start it again to go on. "
            f"The details are in {LOG}, beside the database (skirmish db path)."
        )
