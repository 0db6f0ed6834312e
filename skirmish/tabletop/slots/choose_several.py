"""Some of several options, such as the units of a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from skirmish.tabletop.slots.option import Option, options_by_labels, refuse_disabled
from skirmish.tabletop.slots.option_keys import (
    KeyedOption,
    keyed,
    keys_of,
    named_options,
    refused_with_offer,
)
from skirmish.tabletop.slots.slot import Slot, UnfitAnswer


class ChooseSeveral(Slot, frozen=True, kw_only=True):
    """From ``least`` to ``most`` of several options, as a tuple in the order of choice."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    """The usual 99 is no limit: no question has so many options."""

    greedy: ClassVar[bool] = True

    @property
    def proposed(self) -> Any:
        # Where none need be chosen, Enter alone chooses none.
        if self.default is None and self.least == 0:
            return ()
        return self.default

    def takes(self, sign: str, typed: str = "") -> bool:
        name_so_far = self.marked(typed).unfinished + sign
        if named_options(self.options, name_so_far):
            return True
        # Anywhere in a key, and not only at its beginning: it may be the second letter of a key of
        # which the first is typed.
        return any(sign in key for key in keys_of(self.options))

    @property
    def key_hint(self) -> str:
        most = min(self.most, len(self.options))
        if self.least == 0:
            number = f"up to {most}"
        elif self.least < most:
            number = f"{self.least} to {most}"
        else:
            number = f"{most}"
        return f"Choose {number}, then press Enter."

    def marked(self, typed: str) -> TypedMarks:
        """The options that the keys typed so far select. A key selects its option, and typed again
        takes it back; several options may share a key, which then selects one after the other, and
        at last takes all of them back. Raises UnfitAnswer."""
        # A list, since a dictionary would have room for one option by key.
        with_keys = [*keyed(self.options), *named_options(self.options)]
        chosen: list[Option] = []
        key = ""
        for sign in typed.replace(",", "").replace(" ", ""):
            key += sign
            options = _with_key(with_keys, key)
            if options:
                # Options that share a key are alike, such as cards of one rank. So the first is
                # tried for all of them.
                first_options = options[:1]
                refuse_disabled(first_options)
                chosen = _toggled(chosen, options)
                key = ""
            elif not _begins_key(with_keys, key):
                raise refused_with_offer(self, self.options)
        return TypedMarks(chosen, unfinished=key)

    def parse(self, typed: str, done: bool) -> tuple[Any, ...] | None:
        """The values of the marked options, once it is ``done``; at once where one ends the
        choice."""
        chosen, unfinished = self._marked_or_labelled(typed, done)
        if done and unfinished:
            raise UnfitAnswer(f"Type the rest of “{unfinished}”, or its letter.")
        # An option that ends the choice is all of it: what was marked before falls away.
        if chosen and chosen[-1].ends:
            return (chosen[-1].value,)
        if len(chosen) > self.most:
            raise UnfitAnswer(f"Choose at most {self.most}; Backspace takes a mark back.")
        if not done:
            return None
        if len(chosen) < self.least:
            raise UnfitAnswer(f"Choose {self.least - len(chosen)} more.")
        return tuple(option.value for option in chosen)

    def _marked_or_labelled(self, typed: str, done: bool) -> TypedMarks:
        """The options that were typed by their keys; in a whole line they may be typed by their
        labels instead, as they are shown. Raises UnfitAnswer."""
        try:
            return self.marked(typed)
        except UnfitAnswer:
            labelled: list[Option] = []
            if done:
                labelled = options_by_labels(self.options, typed)
            if not labelled:
                raise
        refuse_disabled(labelled)
        return TypedMarks(labelled, unfinished="")

    def shown(self, value: Any) -> str:
        labels = [option.label for option in self.options if option.value in value]
        return ", ".join(labels) or "none"


class TypedMarks(NamedTuple):
    """The options that a row of keys selects, and the unfinished key at its end."""

    options: list[Option]
    unfinished: str


def _with_key(with_keys: Sequence[KeyedOption], typed: str) -> list[Option]:
    """The options of a key. For a capital letter that is no key, those of its small letter."""
    exact = [option for key, option in with_keys if key == typed]
    if exact:
        return exact
    return [option for key, option in with_keys if key == typed.lower()]


def _begins_key(with_keys: Sequence[KeyedOption], typed: str) -> bool:
    """Whether a key begins as it was typed, or as its small letters do."""
    return any(key.startswith((typed, typed.lower())) for key, _ in with_keys)


def _toggled(chosen: list[Option], options: Sequence[Option]) -> list[Option]:
    """What is chosen after a key that these options share: with the next of them; without any once
    all are chosen."""
    for option in options:
        if option not in chosen:
            return [*chosen, option]
    return [option for option in chosen if option not in options]
