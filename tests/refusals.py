"""Every refusal that a package can give, found in its sources."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

OWN_RULES = (".companion.", ".campaign.")
"""Packages with rules that the reference of the flagship does not have."""


def refusals_of(*packages: ModuleType) -> Iterator[tuple[str, str]]:
    """Code and rule of every refusal in the modules of these packages."""
    for package in packages:
        for listed in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(listed.name)
            has_own_rules = any(part in listed.name for part in OWN_RULES)
            if module.__file__ is None or has_own_rules:
                continue
            if listed.name == "skirmish.tabletop.refusal":
                continue
            for call in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                    continue
                if call.func.id in ("Refusal", "nonsense"):
                    given = [*call.args, *(word.value for word in call.keywords)]
                    named = {word.arg: word.value for word in call.keywords}
                    code = named.get("code", given[0])
                    rule = named.get("rule", call.args[2] if len(call.args) > 2 else None)
                    yield _value(code, module), _value(rule, module) if rule else ""


def _value(node: ast.expr, module: object) -> str:
    """What an argument says: a string, also one put together of the module's own names."""
    found = eval(compile(ast.Expression(node), "", "eval"), vars(module))
    assert isinstance(found, str)
    return found
