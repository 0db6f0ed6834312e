"""The command palette: everything that the screen's keys do now, as ``army: print the roster``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.types import IgnoreReturnCallbackType


class Command(NamedTuple):
    """A line of the palette: ``says`` (``topic: what it does``), its key, what it runs."""

    says: str
    key: str
    run: IgnoreReturnCallbackType


class EveryKey(Provider):
    """The bindings of the screen beneath that can be used now, by their tooltips."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(_shown(command), command.run, text=command.says)

    async def search(self, query: str) -> Hits:
        """Those that what is typed may mean."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.says)
            if score > 0:
                yield Hit(score, _shown(command), command.run, text=command.says)

    def _commands(self) -> Iterator[Command]:
        topic = str(getattr(self.screen, "TOPIC", "here"))
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not (active.enabled and binding.tooltip) or binding.action in seen:
                continue
            if binding.action == "command_palette":
                continue
            seen.add(binding.action)
            group = "skirmish" if active.node is self.app else topic
            does = f"{binding.tooltip[:1].lower()}{binding.tooltip[1:]}"
            run = partial(self.app.run_action, binding.action, default_namespace=active.node)
            yield Command(f"{group}: {does}", self.app.get_key_display(binding), run)


def _shown(command: Command) -> Content:
    return Content.assemble(command.says, "  ", (command.key, "$accent bold"))
