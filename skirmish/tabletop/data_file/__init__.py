"""Data files: a mapping from TOML or JSON becomes a typed value, or a list of everything that is
wrong with it.

Begin with ``reading`` (``read``). If msgspec rejects a value, ``wrong_forms`` words every fault of
form, and ``reading`` puts plausible values in place of the wrong ones, so that the rest can be
checked in the same round; both ask ``value_types`` what an annotation means. ``problem`` is a fault
with its key, and ``suggestions`` end its sentence. ``references`` finds the ids in a value,
``writing`` turns a value back into a table.
"""

from __future__ import annotations

from skirmish.tabletop.data_file.problem import DataError, Problem, key_of_part
from skirmish.tabletop.data_file.reading import (
    UNREADABLE,
    Strict,
    read,
    read_question,
    read_single_question,
)
from skirmish.tabletop.data_file.references import DataPart, Refers, doubles, parts, resolved
from skirmish.tabletop.data_file.suggestions import nearest_name, suggest
from skirmish.tabletop.data_file.value_types import fields
from skirmish.tabletop.data_file.writing import table_of

__all__ = [
    "UNREADABLE",
    "DataError",
    "DataPart",
    "Problem",
    "Refers",
    "Strict",
    "doubles",
    "fields",
    "key_of_part",
    "nearest_name",
    "parts",
    "read",
    "read_question",
    "read_single_question",
    "resolved",
    "suggest",
    "table_of",
]
