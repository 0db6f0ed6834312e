"""A page as HTML, for a browser. Texts are escaped by MarkupSafe; no style and no script stands in
the markup, so that the strictest content security policy holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from markupsafe import Markup, escape

from skirmish.tabletop import page as data
from skirmish.tabletop.page import mapped
from skirmish.tabletop.page_text import as_table
from skirmish.tabletop.typed import plain

_NUMBER, _NOTHING = Markup(' class="number"'), Markup("")
WIDE, HIGH = 100, 40
"""The units in which bars and curves are drawn."""
CURVE = 300
"""The most points of a curve."""


def as_html(page: data.Page, formatted: Callable[[str], str] = plain, *, lower: int = 1) -> Markup:
    """The blocks of a page, without its title. ``formatted`` is applied to every text; a heading
    of level 1 becomes one of level ``1 + lower``."""
    blocks = mapped(page, formatted).blocks
    return Markup("\n").join(_block(block, lower) for block in blocks)


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def _block(block: data.Block, lower: int) -> Markup:
    match block:
        case data.Heading(text=text, level=level, aside=aside, party=party):
            head = Markup("<{0}{1}>{2}{3}</{0}>")
            return head.format(f"h{level + lower}", _party(party), text, _small(aside))
        case data.Paragraph():
            return _paragraph(block)
        case data.Banner(text=text, lines=lines):
            below = joined(map(_paragraph, lines))
            return Markup('<p class="banner">{}</p>{}').format(text, below)
        case data.Items(lines=lines):
            items = joined(Markup("<li>{}</li>").format(line) for line in lines)
            return Markup("<ul>{}</ul>").format(items)
        case data.Facts(rows=rows):
            return _facts(rows)
        case data.Gauge(name=name, value=value, full=full, note=note):
            bar = _bar(value / full if full else 0)
            text = Markup('<p class="gauge"><span>{}</span>{}<b>{} of {}</b>{}</p>')
            return text.format(name, bar, value, full, _small(note))
        case data.Table():
            return _table(block)
        case data.Pairs():
            return _table(as_table(block))
        case data.Curves():
            return _curves(block) + _table(as_table(block))
        case data.Bars(rows=rows, full=full):
            most = full or max((one.value for one in rows), default=0) or 1
            line = Markup('<p class="gauge"><span>{}</span>{}<b>{}</b></p>')
            return joined(line.format(one.name, _bar(one.value / most), one.note) for one in rows)
        case data.Steps(rows=rows):
            return Markup('<ol class="steps">{}</ol>').format(joined(map(_step, rows)))
        case data.Choices(rows=rows):
            return Markup('<ul class="choices">{}</ul>').format(joined(map(_choice, rows)))
        case data.Note(text=text):
            return Markup('<p class="quiet">{}</p>').format(text) if text else Markup("")
        case data.Beside(left=left, right=right):
            halves = (joined(_block(one, lower) for one in half) for half in (left, right))
            return Markup('<div class="beside"><div>{}</div><div>{}</div></div>').format(*halves)
        case data.Picture():
            return Markup("")


def class_of(*names: str) -> Markup:
    """The attribute with these names, none of them if all are empty."""
    found = " ".join(filter(None, names))
    return Markup(' class="{}"').format(found) if found else Markup("")


def _party(party: data.Party, *names: str) -> Markup:
    return class_of(*names, "" if party is None else f"party{party}")


def _small(text: str) -> Markup:
    return Markup(" <small>{}</small>").format(text) if text else Markup("")


def _paragraph(one: data.Paragraph) -> Markup:
    lead = Markup("<b>{}</b> ").format(one.lead) if one.lead else ""
    aside = Markup("<small>{}</small> ").format(one.aside) if one.aside else ""
    return Markup("<p{}>{}{}{}</p>").format(class_of(one.tone), lead, aside, one.text)


def _facts(rows: Iterable[tuple[str, str]]) -> Markup:
    line = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
    return Markup("<dl>{}</dl>").format(joined(line.format(*row) for row in rows))


def _step(step: data.Step) -> Markup:
    state = "" if step.state == "next" else step.state
    said = Markup(' <span class="spoken">({})</span>').format(state) if state else ""
    now = Markup(' aria-current="step"') if step.state == "now" else ""
    line = Markup("<li{}{}>{}{}{}</li>")
    return line.format(class_of(state), now, step.text, said, _small(step.note))


def _choice(one: data.Choice) -> Markup:
    mark = Markup(" <b>✓</b>") if one.mark else ""
    more = _small(one.why_not or one.note)
    weak = class_of("quiet" if one.why_not else "")
    return Markup("<li{}>{}{}{}</li>").format(weak, one.text, mark, more)


# ------------------------------------------------------------------ what is drawn


def _bar(share: float, party: data.Party = None) -> Markup:
    """Beside it stands the number, so that it needs no words of its own."""
    bar = Markup(
        '<svg{} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{:.1f}" height="8"/></svg>'
    )
    return bar.format(_party(party, "bar"), WIDE * min(max(share, 0), 1))


def _table(table: data.Table) -> Markup:
    heads = joined(
        Markup(f'<th scope="col"{_kind(one)}>{escape(one.title)}</th>') for one in table.columns
    )
    body = joined(_row(table, at) for at in range(len(table.rows)))
    whole = Markup(
        '<div class="wide" tabindex="0" role="group" aria-label="{}"><table>'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    )
    return whole.format(_named(table), heads, body)


def _named(table: data.Table) -> str:
    return "Table: " + ", ".join(one.title for one in table.columns if one.title)


def _row(table: data.Table, at: int) -> Markup:
    row, bare = table.rows[at], len(table.rows) - table.totals
    most = table.full or max((_number(one[-1]) for one in table.rows[:bare]), default=0) or 1
    cells = []
    for column, cell in zip(table.columns, row, strict=True):
        bar = _bar(_number(cell) / most, table.party) if column.bar and at < bare else ""
        # Tables are most of a page, and ``Markup.format`` takes most of the time.
        cells.append(f"<td{_kind(column)}>{escape(cell)}{bar}</td>")
    marks = class_of("mark" * (at == table.mark), "total" * (at >= bare))
    return Markup(f"<tr{marks}>{''.join(cells)}</tr>")


def _kind(column: data.Column) -> Markup:
    return _NUMBER if column.number else _NOTHING


def _number(cell: str) -> float:
    return float(cell) if cell.isdigit() else 0.0


def _curves(curves: data.Curves) -> Markup:
    """Both curves on one scale; the table below them has their numbers."""
    sampled = [one.sampled(min(len(one.values) - 1, CURVE)) for one in curves.rows]
    high = max((abs(value) for one in sampled for value in one), default=0) or 1
    lines = joined(
        Markup('<polyline class="party{}" points="{}"/>').format(
            nth,
            " ".join(
                f"{WIDE * at / max(len(one) - 1, 1):.1f},{HIGH / 2 * (1 - value / high):.1f}"
                for at, value in enumerate(one)
            ),
        )
        for nth, one in enumerate(sampled)
    )
    drawn = Markup(
        '<svg class="curves" viewBox="0 0 {0} {1}" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="M0 {2}H{0}"/>{3}</svg>'
    )
    return drawn.format(WIDE, HIGH, HIGH // 2, lines)
