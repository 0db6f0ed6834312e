"""Robustness: what fails, and what then happens.

An extra (odds, advice, a picture, a page) that fails is replaced by one plain line, and its error
goes to the log. A screen that is an extra (``FAILURE``) closes, and so does any screen that fails
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
from skirmish.extras import LOG, logged_failure

NOT_OPENED = (
    "That screen could not be opened. Nothing is lost, and you can go on. The details are in "
    f"{LOG}, beside the database (skirmish db path)."
)
_log = logging.getLogger("skirmish")


def _node_of_worker() -> object:
    """The node that the current worker works for; None if no worker runs."""
    try:
        return get_current_worker().node
    except NoActiveWorker:
        return None


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
            failed_extra = self._failed_extra(node, error)
            if failed_extra is not None:
                self._close_extra(failed_extra, error)
            elif self._has_gone(node):
                _log.warning("%s was too late for %r", action, node, exc_info=True)
            else:
                raise
            return True  # it is handled: Textual need not look for another action of the key

    def action_command_palette(self) -> None:
        """Open our own palette instead of Textual's."""
        if not isinstance(self.screen, CommandPalette):
            from skirmish.app.palette import Palette  # like all screens, after the first paint

            self.push_screen(Palette())

    async def _close_all(self) -> None:
        """Close every screen. A worker that awaits a screen is cancelled when the app closes, which
        cancels the task of that screen too. Textual's own closing is interrupted by this, with
        screens still open, so it is begun again, at most once for each screen."""
        self._stop_turns()
        # Each screen can interrupt it once, so the attempt after these succeeds.
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
        """Close the screen that has failed, if it is an extra or has not been opened yet; ignore
        errors of closed screens; any other error ends the app."""
        node: object = active_message_pump.get(None)
        # Textual wraps the error of a worker. Only the error itself has a traceback, which shows
        # where it was raised; Textual's own handling gets it wrapped.
        cause: BaseException = error
        if isinstance(error, WorkerFailed):
            node = _node_of_worker()
            cause = error.error
        if self._has_gone(node):
            _log.warning("Too late for %r", node, exc_info=cause)
            return
        failed_extra = self._failed_extra(node, cause)
        if failed_extra is not None:
            self._close_extra(failed_extra, cause)
            return
        unopened = self._unopened_screen_of(node)
        if unopened is not None:
            self._close_unopened(unopened, cause)
            return
        _log.critical("The program broke down", exc_info=cause)
        super()._handle_exception(error)

    def _screen_of(self, node: object) -> Screen[Any] | None:
        """The screen of ours that a node is on, or that it is; None if there is none."""
        if not isinstance(node, Widget) or self._has_gone(node):
            return None
        screen = node.screen
        if isinstance(screen, Screen):
            return screen
        return None

    def _unopened_screen_of(self, node: object) -> Screen[Any] | None:
        """The screen of a node if it has never been shown yet. The first screen counts as none:
        nothing would be left below it."""
        screen = self._screen_of(node)
        if screen is None or screen.was_shown or screen is self.screen_stack[0]:
            return None
        return screen

    def _close_unopened(self, screen: Screen[Any], error: BaseException) -> None:
        """Close a screen that has failed while it opened, and say so in a window. What was typed
        ahead was meant for that screen, and is dropped."""
        from skirmish.app.windows import MessageScreen  # after the first paint, as above

        _log.critical("%r could not be opened", screen, exc_info=error)
        self._drop_typed_ahead()
        for callback in screen._result_callbacks:
            if callback is not None and callback.future is not None:
                callback.future.cancel()  # else a worker would wait for its answer for ever
        self._pop_with_all_above(screen)
        if not isinstance(screen, MessageScreen):  # whose window would fail again
            self.call_later(self.show_message, "Something went wrong", NOT_OPENED)

    def _failed_extra(self, node: object, error: BaseException) -> Screen[Any] | None:
        """The extra that has failed: the screen of the node, or a screen that failed in its
        constructor; None if it was no extra."""
        extra = self._extra_of(node)
        if extra is None:
            extra = self._extra_half_made(error)
        return extra

    def _close_extra(self, screen: Screen[Any], error: BaseException) -> None:
        """Close a screen that is an extra, and show one line instead."""
        self.leave_out(screen.FAILURE, error)
        self._pop_with_all_above(screen)

    def _pop_with_all_above(self, screen: Screen[Any]) -> None:
        """Close a screen with what it has opened above itself."""
        while screen in self.screen_stack:
            self.pop_screen()

    def _extra_of(self, node: object) -> Screen[Any] | None:
        """The screen of a node if it is an extra. The first screen counts as none: nothing would be
        left below it."""
        screen = self._screen_of(node)
        if screen is not None and screen.FAILURE and screen in self.screen_stack[1:]:
            return screen
        return None

    def _extra_half_made(self, error: BaseException) -> Screen[Any] | None:
        """The extra whose constructor failed. It never became a node of the app, so it is looked
        for in the stack frames of the error."""
        for frame, _ in walk_tb(error.__traceback__):
            owner = frame.f_locals.get("self")
            if isinstance(owner, Screen) and owner.FAILURE and owner not in self.screen_stack:
                return owner
        return None

    def leave_out(self, failure: str, error: BaseException | None = None) -> None:
        """Log the ``error`` of an extra, by default the one that is being handled, and show a line
        about it. ``failure`` is that line without its full stop: "The odds are not available"."""
        self.call_later(self.show_message, "Something went wrong", logged_failure(failure, error))

    def _fatal_error(self) -> None:
        """Instead of Textual's traceback, say that nothing is lost."""
        self.panic(
            "Skirmish broke down. Everything it had shown is stored: start it again to go on. "
            f"The details are in {LOG}, beside the database (skirmish db path)."
        )
