"""The state of an army: its sums, what is broken or still to do, how far each limit is used."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.app.armies.words import BAD, DIM, KEY, Keys, label
from skirmish.games.plastic.rules.advice import to_do
from skirmish.games.plastic.rules.army import THE_REST, Army
from skirmish.games.plastic.rules.breaches import Breach, mend, whole_or_half
from skirmish.games.plastic.rules.figures import Counts, figures, missing
from skirmish.games.plastic.rules.gauges import Gauge
from skirmish.tabletop.typed import plain

GROUP_KEYS = {"groups": "next", "new-group": "new", "dissolve": "dissolve"}
EIGHTHS = ("", *"▏▎▍▌▋▊▉")


def sums(army: Army, owned: Counts, key: Keys) -> Content:
    """Spent and left, strength and break point, free men, and what the box lacks if any figures
    are ``owned`` at all."""
    left = army.budget - army.spent
    still = f"{left} left" if left >= 0 else f"{-left} over"
    parts: list[Content | str | tuple[str, str]] = [
        (f"{army.spent}/{army.budget} spent, ", "bold"),
        (still, "bold" if left >= 0 else BAD),
        f"\nPDG {army.pdg}",
    ]
    parts.append(f", break point {army.break_at}" if army.pdg else "")
    for unit, free in army.free.items():
        paid = army.listed.count(unit)
        parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
    if owned:
        short = sum(missing(figures(army), owned).values())
        told = f"{short} figures short" if short else "you own every figure"
        parts += [(f"\n{key('figures', 'O')} ", KEY), told]
    return Content.assemble(*parts)


def group_words(army: Army, at: int | None, key: Keys) -> Content:
    """The groups with who is in them, number ``at`` marked, and who is in none."""
    listed = army.listed
    rest = {unit: n - listed.grouped(unit) for unit, n in listed.units.items()}
    blocks = [*((plain(group.name), group.units) for group in listed.groups), (THE_REST, rest)]
    parts: list[Content | str | tuple[str, str]] = [("\nGROUPS", "$primary bold")]
    for name, usual in (("groups", "G"), ("new-group", "A"), ("dissolve", "delete")):
        parts += [(f"  {key(name, usual)} ", KEY), GROUP_KEYS[name]]
    for number, (name, units) in enumerate(blocks):
        here = number == at
        who = ", ".join(f"{n} {army.catalog.units[u].short}" for u, n in units.items() if n)
        parts.append((f"\n{'►' if here else ' '} {name}: ", "$accent bold" if here else "bold"))
        parts.append(who or "nobody")
    return Content.assemble(*parts)


def breach_words(army: Army, found: list[Breach], key: Keys) -> Content:
    """Every breach as a sentence, the first with the key that repairs it. The order is given."""
    parts: list[Content | str | tuple[str, str]] = []
    standing = [breach for breach in found if breach.override is None]
    for index, breach in enumerate(standing):
        due = to_do(breach, army)
        title, style = ("STILL TO DO", "$warning bold") if due else ("BROKEN", BAD)
        parts += ["\n\n" if index else "\n", (f"{title}  ", style), breach.message]
        repair = mend(breach.repair, army)
        pressed = (f"\n{key('repair', 'R')} ", KEY) if index == 0 else "\n  "
        if repair:
            parts += [pressed, f"{repair[0].upper()}{repair[1:]}."]
        else:
            parts += [(f"\n{key('points', 'T')} ", KEY), "Change the points."]
    if len(standing) > 1:
        parts += ["\n\n", (f"{key('next-breach', 'B')} ", KEY), "Next breach"]
    for breach in found:
        if breach.override is not None:
            reason = f" ({plain(breach.override)})" if breach.override else ""
            parts += ["\n\n" if parts else "\n", ("WAIVED  ", "bold"), breach.message, reason]
    return Content.assemble(*parts)


def gauge_rows(army: Army, standing: list[Gauge], width: int) -> Content:
    """Each limit: a mark where it is not kept, its name, a bar, used and allowed."""
    named = [(gauge, _gauge_name(gauge, army), _gauge_sums(gauge)) for gauge in standing]
    wide = max((cell_len(name) for _, name, _ in named), default=0)
    long = max((len(sums_up) for _, _, sums_up in named), default=0)
    bar = max(0, width - wide - long - 4)
    rows = [Content("LIMITS").stylize("$primary bold")]
    for gauge, name, sums_up in named:
        mark, style = _gauge_mark(gauge, army)
        rows.append(
            Content.assemble(
                (f"{mark} ", style),
                (set_cell_size(name, wide), "" if gauge.kept else style),
                " ",
                *_bar(gauge, bar, style),
                f" {sums_up:>{long}}",
            )
        )
    return Content("\n").join(rows)


def _gauge_name(gauge: Gauge, army: Army) -> str:
    return label(gauge, army) + (", least" if gauge.limit.is_least else "")


def _gauge_sums(gauge: Gauge) -> str:
    return f"{whole_or_half(gauge.have)}/{whole_or_half(gauge.allowed)}"


def _gauge_mark(gauge: Gauge, army: Army) -> tuple[str, str]:
    if gauge.kept:
        return " ", "$success"
    if gauge.limit.id in army.listed.overrides:
        return "~", "$secondary"
    return ("…", "$warning bold") if gauge.limit.is_least else ("!", BAD)


def _bar(gauge: Gauge, long: int, style: str) -> Iterator[tuple[str, str]]:
    """A bar in eighths of a column, never quite full before the limit is reached."""
    share = gauge.have / gauge.allowed if gauge.allowed else Fraction(gauge.have > 0)
    eighths = min(long * 8, -(-share * long * 8 // 1))
    full, part = divmod(int(eighths), 8)
    if share < 1 and full == long and long:
        full, part = long - 1, 7
    yield "█" * full + EIGHTHS[part], style
    yield "░" * (long - full - (part > 0)), DIM
