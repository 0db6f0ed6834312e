"""Commands whose name is two words, beside one that takes the first: ``odds table`` is a command
of its own, and ``odds rifle tank`` is still ``odds`` with its arguments."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class TwoWords(TyperGroup):
    """Takes the first two words for a command where there is one of that name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """As its base does, the two words made one."""
        both = " ".join(args[:2])
        if len(args) > 1 and both in self.commands:
            args = [both, *args[2:]]
        return super().resolve_command(ctx, args)
