"""A flow chart as data: questions with a yes and a no, actions with a next node, ends.

Where an arrow of the chart is unknown, a node is ``unsure``: it offers the nodes that may follow
and the players choose. Any node can be jumped to; the path stays in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.data_file import DataError, Problem, read, suggest
from skirmish.tabletop.page import Step, Steps, Table, table

NodeKind = Literal["question", "act", "end"]


class Node(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One box of the chart. ``then`` follows an action, ``yes`` and ``no`` a question; ``may`` are
    the nodes that could follow where the chart is unsure. ``does`` names what the game computes
    here."""

    kind: NodeKind
    text: str
    yes: str = ""
    no: str = ""
    then: str = ""
    may: tuple[str, ...] = ()
    does: str = ""
    source: str = ""


class Walked(msgspec.Struct, frozen=True):
    node: str
    answer: str


class Flow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``start``: the first node, if none is named."""

    id: str = ""
    title: str
    start: str = ""
    nodes: dict[str, Node]

    @property
    def first(self) -> str:
        return self.start or next(iter(self.nodes), "")

    def answers(self, node: str) -> dict[str, str]:
        """The answers to a node by name, each with its next node: ``yes`` and ``no``, ``then``, or
        the nodes that may follow, by their ids. Empty at an end."""
        one = self.nodes[node]
        if one.may:
            return {name: name for name in one.may}
        if one.kind == "question":
            return {"yes": one.yes, "no": one.no}
        return {"then": one.then} if one.kind == "act" else {}

    def after(self, node: str, answer: str) -> str:
        """The next node after an answer; the id of any node is a jump. Raises LookupError."""
        known = self.answers(node)
        if answer in known:
            return known[answer]
        if answer in self.nodes:
            return answer
        raise LookupError(f"{answer!r} is no answer here; {suggest(answer, known)}")

    def walk(self, path: tuple[Walked, ...]) -> str:
        """The node at the end of a path. Raises LookupError for an invalid path."""
        at = self.first
        for one in path:
            if one.node != at:
                raise LookupError(f"the path is at {at}, not at {one.node}")
            at = self.after(at, one.answer)
        return at

    def steps(self, path: tuple[Walked, ...]) -> Steps:
        """The path for a page, with its last node."""
        rows = [Step(self.nodes[one.node].text, "done", _answered(one.answer)) for one in path]
        at = self.nodes[self.walk(path)]
        return Steps((*rows, Step(at.text, "done" if at.kind == "end" else "now")))

    def as_table(self) -> Table:
        rows = [(id, one.text, " / ".join(f"{a}: {to}" for a, to in self.answers(id).items()))
                for id, one in self.nodes.items()]  # fmt: skip
        return table(["Box", "", "Goes on"], rows)

    def problems(self) -> Iterator[Problem]:
        """Arrows without a target, nodes without a way out, questions without both answers."""
        if self.first not in self.nodes:
            yield Problem(f"{self.id}.start", f"no node {self.first!r}.")
            return
        for name, node in self.nodes.items():
            key = f"{self.id}.nodes.{name}"
            for answer, target in self.answers(name).items():
                if target not in self.nodes:
                    yield Problem(f"{key}.{answer}", f"leads to {target!r}, which is no node.")
            wants = {"question": ("yes", "no"), "act": ("then",), "end": ()}[node.kind]
            has = {field for field in ("yes", "no", "then") if getattr(node, field)}
            if not node.may and has != set(wants):
                yield Problem(
                    key, f"a node of kind {node.kind} has {' and '.join(wants) or 'none'}."
                )
        reached = reachable(self)
        for name in self.nodes:
            if name not in reached:
                yield Problem(f"{self.id}.nodes.{name}", "nothing leads here.")


def read_flows(raw: Mapping[str, Any], file: str) -> dict[str, Flow]:
    """The charts of a file by their ids; raises DataError."""
    found = {id: replace(one, id=id) for id, one in read(raw, dict[str, Flow], file).items()}
    if problems := [problem for flow in found.values() for problem in flow.problems()]:
        raise DataError(file, problems)
    return found


def reachable(flow: Flow) -> set[str]:
    """Every node that answers lead to from the start."""
    found, open_ = {flow.first}, [flow.first]
    while open_:
        for target in flow.answers(open_.pop()).values():
            if target in flow.nodes and target not in found:
                found.add(target)
                open_.append(target)
    return found


def _answered(answer: str) -> str:
    return {"then": "", "yes": "yes", "no": "no"}.get(answer, f"on to {answer}")
