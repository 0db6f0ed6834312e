"""Who is shown what, and when: the phone that was tapped at once, the other phones right after it,
televisions last."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from time import monotonic
from typing import Any

from skirmish.web.open_games import OpenGame
from skirmish.web.phone import Phone
from skirmish.web.side_player import SidePlayer
from skirmish.web.side_view import SidePage

DRAFTS_EVERY = 0.25
"""Seconds between two changes of the odds of what others put together."""
TELEVISIONS_WAIT = 0.1
"""Seconds after news until televisions are shown it: the app paints its own screen before that, and
whoever is asked for something answers on it."""
OTHERS_WAIT = 0.2
"""Seconds for which the others wait for a slow phone."""


class Delivery:
    """Shows phones and televisions how their game stands."""

    def __init__(self) -> None:
        self._slow: set[asyncio.Task[None]] = set()
        """Messages to phones that do not take them yet. asyncio drops a task unless somebody holds
        it."""

    async def show_tapped(self, game: OpenGame, phone: Phone, player: SidePlayer) -> None:
        """Show a phone the page after its tap. It is sent even if nothing has changed on it, so
        that the phone knows that its tap has arrived."""
        await self._show(game, phone, player, game.seen_by(phone.link.viewer).page(player))

    async def show_news(self, game: OpenGame, *, orders_were_given: bool) -> None:
        """Show phones and televisions what is due to be shown to them. ``orders_were_given``: since
        the last call, by others than these phones."""
        # Orders are shown at once. Drafts change with every tap, and their odds take long.
        drafts_wait = monotonic() - game.last_shown_at <= DRAFTS_EVERY
        if orders_were_given or (game.has_new_drafts and not drafts_wait):
            game.has_new_drafts = False
            game.last_shown_at = monotonic()
            await self.show_all(game)
        if orders_were_given and game.televisions_due_at is None:
            game.televisions_due_at = monotonic() + TELEVISIONS_WAIT
        if game.televisions_due_at is not None and monotonic() > game.televisions_due_at:
            game.televisions_due_at = None
            televisions = [phone for phone in game.phones if phone.is_television]
            await self._send_together([self.show_television(game, each) for each in televisions])

    async def show_all(self, game: OpenGame, except_on: Phone | None = None) -> None:
        """Show all phones of a game how it stands, but not the one where it is shown already.
        Televisions have their turn later."""
        messages = []
        for phone in game.phones:
            if phone is not except_on and not phone.is_television:
                messages.append(self._refresh(game, phone))
        await self._send_together(messages)

    async def show_television(self, game: OpenGame, television: Phone) -> None:
        """Send a television what the room sees, unless it shows that already."""
        message = game.seen_by(None).wall_message()
        if message != television.wall_message:
            television.wall_message = message
            await television.send_encoded(message)

    async def _refresh(self, game: OpenGame, phone: Phone) -> None:
        """Show a phone how the game stands, unless it shows that already. What was tapped on it
        stays, if it still has a meaning, and so does its notice until something happens."""
        viewer = phone.link.viewer
        others = game.in_hand_of_others(phone)
        player = game.player(viewer, game.journal_length, phone.keys, others)
        # Once something has happened, nobody is interested in why the last tap did nothing.
        if phone.journal_length == game.journal_length:
            player.notice = phone.notice
            player.press_to_insist = phone.press_to_insist
        page = game.seen_by(viewer).page(player)
        if page != phone.page:
            await self._show(game, phone, player, page)

    async def _show(self, game: OpenGame, phone: Phone, player: SidePlayer, page: SidePage) -> None:
        """Send a phone the page of its player."""
        phone.journal_length = game.journal_length
        phone.keys = player.keys
        phone.notice = player.notice
        phone.press_to_insist = player.press_to_insist
        phone.page = page
        await phone.send_page(game.seen_by(phone.link.viewer).html(page))

    async def _send_together(self, messages: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Send several messages at the same time. A phone that does not take its message keeps
        nobody waiting: the message goes on in the background."""
        tasks = [asyncio.create_task(message) for message in messages]
        if not tasks:  # ``asyncio.wait`` refuses to wait for nothing
            return
        sent, slow = await asyncio.wait(tasks, timeout=OTHERS_WAIT)
        for task in slow:
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
        for task in sent:
            task.result()  # raises the error of a task that failed
