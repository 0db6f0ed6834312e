"""A flow chart as data: questions with a yes and a no, actions with a next node, ends.

A node is a box of the printed chart. Where it is not known which box an arrow leads to, the node
has those that ``may`` follow instead, and the players choose. They can also jump to any node; the
journal has their path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.data_file import DataError, Problem, read, suggest
from skirmish.tabletop.page import Step, Steps, Table, table

NodeKind = Literal["question", "act", "end"]
"""A box that asks yes or no, one that says what to do, and one at which the chart ends."""
ARROWS: dict[NodeKind, tuple[str, ...]] = {"question": ("yes", "no"), "act": ("then",), "end": ()}
"""The arrows that lead on from each kind of node."""


class Node(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One box of the chart."""

    kind: NodeKind
    text: str
    yes: str = ""
    """The node that follows a question that is answered with yes."""
    no: str = ""
    """The node that follows a question that is answered with no."""
    then: str = ""
    """The node that follows an action."""
    may: tuple[str, ...] = ()
    """The nodes that could follow, where it is not known which does."""
    does: str = ""
    """What the game computes here, by a name that the game knows; empty for nothing."""
    source: str = ""
    """How its arrows are known: a code that the file of the charts explains."""


class Walked(msgspec.Struct, frozen=True):
    """A step of a path: a node, by its id, and the answer that was given there."""

    node: str
    answer: str


class Flow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chart of ``nodes`` by their ids. ``start``: the node to begin at; by default the first."""

    id: str = ""
    title: str
    start: str = ""
    nodes: dict[str, Node]

    @property
    def first(self) -> str:
        """The id of the node to begin at; empty in a chart without nodes."""
        return self.start or next(iter(self.nodes), "")

    def answers(self, node_id: str) -> dict[str, str]:
        """The answers to a node by name, each with the id of its next node: ``yes`` and ``no``,
        ``then``, or the ids of the nodes that may follow. Empty at an end."""
        box = self.nodes[node_id]
        if box.may:
            return {name: name for name in box.may}
        if box.kind == "question":
            return {"yes": box.yes, "no": box.no}
        if box.kind == "act":
            return {"then": box.then}
        return {}

    def after(self, node_id: str, answer: str) -> str:
        """The id of the next node after an answer. An answer that is the id of a node is a jump to
        it. Raises LookupError."""
        answers = self.answers(node_id)
        # A node may have the id "yes" or "no": the answer is meant then.
        if answer in answers:
            return answers[answer]
        if answer in self.nodes:
            return answer
        raise LookupError(f"{answer!r} is no answer here; {suggest(answer, answers)}")

    def walk(self, path: tuple[Walked, ...]) -> str:
        """The id of the node at the end of a path. Raises LookupError for an invalid path."""
        node_id = self.first
        for step in path:
            if step.node != node_id:
                raise LookupError(f"the path is at {node_id}, not at {step.node}")
            node_id = self.after(node_id, step.answer)
        return node_id

    def steps(self, path: tuple[Walked, ...]) -> Steps:
        """The path as steps of a page, with the node at which it ends."""
        rows = []
        for step in path:
            node = self.nodes[step.node]
            rows.append(Step(node.text, "done", _answer_as_shown(step.answer)))
        last = self.nodes[self.walk(path)]
        if last.kind == "end":
            rows.append(Step(last.text, "done"))
        else:
            rows.append(Step(last.text, "now"))
        return Steps(tuple(rows))

    def as_table(self) -> Table:
        """Every box, and where its answers lead."""
        rows = []
        for id, node in self.nodes.items():
            arrows = [f"{answer}: {target}" for answer, target in self.answers(id).items()]
            rows.append((id, node.text, " / ".join(arrows)))
        return table(["Box", "", "Goes on"], rows)

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the chart: arrows that lead to no node, nodes that have other arrows
        than their kind, nodes that nothing leads to."""
        if self.first not in self.nodes:
            yield Problem(f"{self.id}.start", f"no node {self.first!r}.")
            return
        for node_id in self.nodes:
            yield from self._arrow_problems(node_id)
        # A box that nothing leads to is most likely a mistyped arrow.
        reached = reachable(self)
        for node_id in self.nodes:
            if node_id not in reached:
                yield Problem(f"{self.id}.nodes.{node_id}", "nothing leads here.")

    def _arrow_problems(self, node_id: str) -> Iterator[Problem]:
        """What is wrong with the arrows of a node."""
        node = self.nodes[node_id]
        key = f"{self.id}.nodes.{node_id}"
        for answer, target in self.answers(node_id).items():
            if target not in self.nodes:
                yield Problem(f"{key}.{answer}", f"leads to {target!r}, which is no node.")
        if node.may:  # it has no arrows of its own
            return
        expected_arrows = ARROWS[node.kind]
        targets = {"yes": node.yes, "no": node.no, "then": node.then}
        present_arrows = {arrow for arrow, target in targets.items() if target}
        if present_arrows != set(expected_arrows):
            names = " and ".join(expected_arrows) or "none"
            yield Problem(key, f"a node of kind {node.kind} has {names}.")


class OpenChart(NamedTuple):
    """A chart that players follow, and the ``path`` of boxes that they have answered."""

    flow: Flow
    path: tuple[Walked, ...]

    @property
    def box_id(self) -> str:
        """The id of the present box."""
        return self.flow.walk(self.path)

    @property
    def box(self) -> Node:
        """The present box."""
        return self.flow.nodes[self.box_id]


def read_flows(raw: Mapping[str, Any], file: str) -> dict[str, Flow]:
    """The charts of a file by their ids; raises DataError."""
    flows = {}
    problems: list[Problem] = []
    for id, flow in read(raw, dict[str, Flow], file).items():
        flows[id] = replace(flow, id=id)
        problems += flows[id].problems()
    if problems:
        raise DataError(file, problems)
    return flows


def reachable(flow: Flow) -> set[str]:
    """The ids of all nodes to which answers lead from the start, without jumps."""
    reached, waiting = {flow.first}, [flow.first]
    while waiting:
        for target in flow.answers(waiting.pop()).values():
            if target in flow.nodes and target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def _answer_as_shown(answer: str) -> str:
    """An answer as the path shows it; empty for an action, which is only done."""
    if answer == "then":
        return ""
    if answer in ("yes", "no"):
        return answer
    return f"on to {answer}"
