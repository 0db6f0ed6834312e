"""A page of blocks as HTML, for a browser. Texts are escaped by MarkupSafe; no style and no script
is in the markup, since the content security policy of our pages forbids them. Begin with
``as_html``, which has a function for each kind of block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from markupsafe import Markup, escape

from skirmish.tabletop import page as blocks
from skirmish.tabletop.page import mapped
from skirmish.tabletop.page_words import as_table, steps_words
from skirmish.tabletop.typed import plain

EMPTY = Markup("")
"""No HTML at all, for a part that has nothing to show."""
_ALIGNED_RIGHT = Markup(' class="number"')
"""The attribute of a cell that is aligned right."""
DRAWING_WIDTH = 100
"""The width of bars and curves in units of their drawing. The style sheet stretches the drawing to
its size on the screen."""
BAR_HEIGHT = 8
"""The height of a bar in the same units."""
CURVES_HEIGHT = 40
"""The height of curves in the same units."""
CHITS_IN_ROW, CHIT_ROWS = 4, 4
"""The most chits beside and above one another for which the drawn mug has room."""
MOST_POINTS = 300
"""The most points of a curve. A phone cannot show more, and a long battle has thousands."""


def as_html(page: blocks.Page, formatted: Callable[[str], str] = plain) -> Markup:
    """The blocks of a page, without its title. ``formatted`` is applied to every text. The highest
    headings become those of level 2, since the browser's page has a title of level 1."""
    formatted_page = mapped(page, formatted)
    levels = [
        block.level for block in formatted_page.in_one_column() if isinstance(block, blocks.Heading)
    ]
    # All headings move by the same number of levels, so that a part of a section still is one:
    # somebody who has the page read out goes from heading to heading. Level 1 is the highest.
    highest_level = min(levels, default=2)
    levels_down = 2 - highest_level
    return _html_of(formatted_page.blocks, levels_down, between="\n")


def joined(parts: Iterable[Markup]) -> Markup:
    """Pieces of HTML, one directly after another."""
    return EMPTY.join(parts)


def class_of(*names: str) -> Markup:
    """The class attribute with these names; nothing if all of them are empty."""
    classes = " ".join(filter(None, names))
    if not classes:
        return EMPTY
    return Markup(' class="{}"').format(classes)


def _html_of(column: Iterable[blocks.Block], levels_down: int, between: str = "") -> Markup:
    """Blocks below one another."""
    return Markup(between).join(_block(block, levels_down) for block in column)


def _block(block: blocks.Block, levels_down: int) -> Markup:
    """One block; each kind has a function of its own."""
    if isinstance(block, blocks.TextBlock):
        return _text(block, levels_down)
    if isinstance(block, blocks.BoardBlock):
        return _board(block)
    match block:
        case blocks.Facts():
            return _facts(block.rows)
        case blocks.Gauge():
            return _gauge(block)
        case blocks.Table():
            return _table(block)
        case blocks.Pairs():
            return _table(as_table(block))
        case blocks.Curves():
            return _curves(block) + _table(as_table(block))
        case blocks.Bars():
            return _bars(block)
        case blocks.Steps():
            return _steps(block)
        case blocks.Choices():
            return _choices(block)
        case blocks.Beside():
            return _beside(block, levels_down)
        case blocks.Picture():
            # Pictures are drawn on paper only. The blocks around them say what they show.
            return EMPTY


def _text(block: blocks.TextBlock, levels_down: int) -> Markup:
    """A block of sentences."""
    match block:
        case blocks.Heading():
            return _heading(block, levels_down)
        case blocks.Paragraph():
            return _paragraph(block)
        case blocks.Banner():
            return _banner(block)
        case blocks.Items():
            return _items(block)
        case blocks.Note():
            return _note(block.text)


def _board(block: blocks.BoardBlock) -> Markup:
    """What lies on the table of a board game."""
    match block:
        case blocks.SquareBoard():
            return _squares(block)
        case blocks.Stacks():
            return _stacks(block)
        case blocks.Tracks():
            return joined(map(_track, block.rows))
        case blocks.Mug():
            return _mug(block)
        case blocks.BoardKey():
            return _board_key(block)


# ------------------------------------------------------------------ words


def _heading(heading: blocks.Heading, levels_down: int) -> Markup:
    tag = f"h{heading.level + levels_down}"
    line = Markup("<{0}{1}>{2}{3}</{0}>")
    return line.format(tag, _party_class(heading.party), heading.text, _small(heading.aside))


def _paragraph(paragraph: blocks.Paragraph) -> Markup:
    lead = EMPTY
    if paragraph.lead:
        lead = Markup("<b>{}</b> ").format(paragraph.lead)
    aside = EMPTY
    if paragraph.aside:
        aside = Markup("<small>{}</small> ").format(paragraph.aside)
    line = Markup("<p{}>{}{}{}</p>")
    return line.format(class_of(paragraph.tone), lead, aside, paragraph.text)


def _banner(banner: blocks.Banner) -> Markup:
    below = joined(map(_paragraph, banner.lines))
    return Markup('<p class="banner">{}</p>{}').format(banner.text, below)


def _items(items: blocks.Items) -> Markup:
    line = Markup("<li>{}</li>")
    return Markup("<ul>{}</ul>").format(joined(map(line.format, items.lines)))


def _beside(pair: blocks.Beside, levels_down: int) -> Markup:
    halves = Markup('<div class="beside"><div>{}</div><div>{}</div></div>')
    return halves.format(_html_of(pair.left, levels_down), _html_of(pair.right, levels_down))


def _note(text: str) -> Markup:
    """A sentence that is less important than the rest; nothing if there is none."""
    if not text:
        return EMPTY
    return Markup('<p class="quiet">{}</p>').format(text)


def _facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Names with their values."""
    line = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
    return Markup("<dl>{}</dl>").format(joined(line.format(name, value) for name, value in rows))


def _steps(steps: blocks.Steps) -> Markup:
    return Markup('<ol class="steps">{}</ol>').format(joined(map(_step, steps.rows)))


def _step(step: blocks.Step) -> Markup:
    """A phase of the turn. The eye sees its state by a colour and a sign; it is also in words, for
    somebody who has the page read out."""
    state_class = EMPTY
    spoken = EMPTY
    current = EMPTY
    if step.state != "next":  # a step that is still to come looks like any other text
        state_class = class_of(step.state)
        spoken = Markup(' <span class="spoken">({})</span>').format(step.state)
    if step.state == "now":
        current = Markup(' aria-current="step"')
    line = Markup("<li{}{}>{}{}{}</li>")
    return line.format(state_class, current, step.text, spoken, _small(step.note))


def _choices(choices: blocks.Choices) -> Markup:
    return Markup('<ul class="choices">{}</ul>').format(joined(map(_choice, choices.rows)))


def _choice(choice: blocks.Choice) -> Markup:
    quiet_class = EMPTY
    if choice.why_not:
        quiet_class = class_of("quiet")
    mark = EMPTY
    if choice.is_chosen:
        mark = Markup(" <b>✓</b>")
    remark = _small(choice.why_not or choice.note)
    return Markup("<li{}>{}{}{}</li>").format(quiet_class, choice.text, mark, remark)


def _small(text: str) -> Markup:
    """A remark in small letters; nothing if there is none."""
    if not text:
        return EMPTY
    return Markup(" <small>{}</small>").format(text)


def _party_class(party: blocks.Party, *names: str) -> Markup:
    """The class attribute with these names and the colour of a side."""
    if party is None:
        return class_of(*names)
    return class_of(*names, f"party{party}")


# ------------------------------------------------------------------ bars and tables


def _gauge(gauge: blocks.Gauge) -> Markup:
    share = 0.0
    if gauge.full:  # otherwise it is 0 of 0, and the bar is empty
        share = gauge.value / gauge.full
    line = Markup('<p class="gauge"><span>{}</span>{}<b>{} of {}</b>{}</p>')
    return line.format(gauge.name, _bar(share), gauge.value, gauge.full, _small(gauge.note))


def _bars(bars: blocks.Bars) -> Markup:
    scale = _scale(bars.full, (bar.value for bar in bars.rows))
    line = Markup('<p class="gauge"><span>{}</span>{}<b>{}</b></p>')
    return joined(
        line.format(bar.name, _bar(bar.value / scale, bar.party), bar.note) for bar in bars.rows
    )


def _scale(full: float, values: Iterable[float]) -> float:
    """The value that fills its drawing, such as a bar of full length: ``full``, or if that is 0 the
    highest of the values."""
    if full:
        return full
    highest = max(values, default=0)
    if highest:
        return highest
    return 1  # all values are 0, so any scale but 0, by which they would be divided, will do


def _bar(share: float, party: blocks.Party = None) -> Markup:
    """A bar that is filled by this share; one below 0 is empty, one above 1 full. It is not read
    out, since its number is beside it."""
    filled_width = DRAWING_WIDTH * min(max(share, 0), 1)
    bar = Markup(
        '<svg{classes} viewBox="0 0 {width} {height}" preserveAspectRatio="none" '
        'aria-hidden="true"><rect width="{filled_width:.1f}" height="{height}"/></svg>'
    )
    return bar.format(
        classes=_party_class(party, "bar"),
        width=DRAWING_WIDTH,
        height=BAR_HEIGHT,
        filled_width=filled_width,
    )


def _table(table: blocks.Table) -> Markup:
    titles = [column.title for column in table.columns if column.title]
    # A wide table scrolls in a box of its own; the keyboard must reach it, so it needs a name.
    whole = Markup(
        '<div class="wide" tabindex="0" role="group" aria-label="{}"><table>'
        "<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    )
    return whole.format("Table: " + ", ".join(titles), _column_heads(table), _table_rows(table))


def _column_heads(table: blocks.Table) -> Markup:
    heads = []
    for column in table.columns:
        if column.title:
            heads.append(f'<th scope="col"{_alignment(column)}>{escape(column.title)}</th>')
        else:
            heads.append("<td></td>")  # an empty heading would be read out as one
    return Markup("".join(heads))


def _table_rows(table: blocks.Table) -> Markup:
    """The rows. The last of them are sums, which have no bars: the bars of the others would be too
    short beside them."""
    first_total = len(table.rows) - table.totals
    # Only the last column can have bars.
    bar_values = [_number(row[-1]) for row in table.rows[:first_total]]
    scale = _scale(table.full, bar_values)
    rows = []
    for index, row in enumerate(table.rows):
        is_total = index >= first_total
        classes = []
        if index == table.mark:
            classes.append("mark")
        if is_total:
            classes.append("total")
        # Tables are most of a page, and ``Markup.format`` would take most of its time. So rows and
        # cells are plain strings, in which every text is escaped here.
        rows.append(f"<tr{class_of(*classes)}>{_cells(table, row, scale, is_total)}</tr>")
    return Markup("".join(rows))


def _cells(table: blocks.Table, row: tuple[str, ...], scale: float, is_total: bool) -> str:
    cells = []
    for column, cell in zip(table.columns, row, strict=True):
        bar = EMPTY
        if column.bar and not is_total:
            bar = _bar(_number(cell) / scale, table.party)
        cells.append(f"<td{_alignment(column)}>{escape(cell)}{bar}</td>")
    return "".join(cells)


def _alignment(column: blocks.Column) -> Markup:
    if column.number:
        return _ALIGNED_RIGHT
    return EMPTY


def _number(cell: str) -> float:
    """The number in a cell; 0 for any other text, such as a dash, so that its bar is empty."""
    if cell.isdigit():
        return float(cell)
    return 0.0


# ------------------------------------------------------------------ boards of companion games


def _squares(board: blocks.SquareBoard) -> Markup:
    """The squares of a board as a table, each with its name and in the colour of its ground."""
    rows = [Markup("<tr>{}</tr>").format(joined(map(_square, row))) for row in board.rows]
    whole = Markup(
        '<div class="wide" tabindex="0" role="group" aria-label="{}"><table class="squares">'
        "<tbody>{}</tbody></table></div>"
    )
    return whole.format(board.name, joined(rows))


def _square(square: blocks.Square) -> Markup:
    counters = EMPTY
    if square.counters:
        counters = Markup(" <b>{}</b>").format(" ".join(square.counters))
    cell = Markup("<td{}><small>{}</small> {}{}</td>")
    return cell.format(_ground_class(square.ground), square.name, " ".join(square.signs), counters)


def _ground_class(ground: blocks.SquareGround) -> Markup:
    return class_of(f"ground-{ground}")


def _stacks(stacks: blocks.Stacks) -> Markup:
    """Counters in stacks, each beside its place if it has one."""
    rows = []
    for stack in stacks.rows:
        tokens = joined(_token(token, stacks.party) for token in stack.tokens)
        pile = Markup('<ul class="tokens">{}</ul>').format(tokens)
        if not stack.place:
            rows.append(pile)
            continue
        line = Markup('<dl class="stacks"><div><dt>{}</dt><dd>{}</dd></div></dl>')
        rows.append(line.format(stack.place, pile))
    return joined(rows)


def _token(token: blocks.Token, party: blocks.Party) -> Markup:
    """A counter. The eye sees its steps and markers as signs; they are also in words, for somebody
    who has the page read out."""
    key = EMPTY
    if token.key:
        key = Markup("<b>{}</b> ").format(token.key)
    steps = EMPTY
    if token.steps:
        lost = max(token.full - token.steps, 0)
        pips = "▮" * token.steps + "▯" * lost
        drawn = Markup('<span class="steps-left" aria-hidden="true">{}</span>')
        spoken = Markup('<span class="spoken">, {}</span>')
        steps = drawn.format(pips) + spoken.format(steps_words(token))
    markers = []
    for marker in token.markers:
        sign = Markup(' <span aria-hidden="true">{}</span><span class="spoken">, {}</span>')
        markers.append(sign.format(marker.sign, marker.word))
    line = Markup("<li{}>{}{}{} {}{}</li>")
    aside = _small(token.aside)
    return line.format(_party_class(party), key, token.name, aside, steps, joined(markers))


def _track(track: blocks.TrackLine) -> Markup:
    """A track as boxes; one that is too long for them is a bar with its number."""
    if not track.is_drawn:
        return _gauge(blocks.Gauge(track.name, track.value, track.high))
    boxes = []
    for value in range(track.low, track.high + 1):
        mark = EMPTY
        if value == track.value:
            mark = Markup(' class="here" aria-current="true"')
        boxes.append(Markup("<li{}>{}</li>").format(mark, value))
    line = Markup('<div class="track"><span>{0}</span><ol aria-label="{0}">{1}</ol></div>')
    return line.format(track.name, joined(boxes))


def _mug(mug: blocks.Mug) -> Markup:
    """The mug, with as many of its chits as there is room for, piled up from its bottom; the facts
    beside it have their number."""
    chits = []
    drawn = min(mug.inside, CHITS_IN_ROW * CHIT_ROWS)
    for number in range(drawn):
        row, column = divmod(number, CHITS_IN_ROW)
        # In the units of the drawing below: the inside of its mug is from x = 4 to 48, its bottom
        # is at y = 58, and y grows downward. A chit is 8 wide and high, with a gap of 2 to the
        # next.
        x = 7 + 10 * column
        y = 46 - 10 * row
        chits.append(Markup('<rect x="{}" y="{}" width="8" height="8" rx="1"/>').format(x, y))
    drawing = Markup(
        '<svg class="mug" viewBox="0 0 70 62" aria-hidden="true">'
        '<path d="M4 4V54a4 4 0 0 0 4 4H44a4 4 0 0 0 4-4V4'
        'M48 18h8a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8h-8"/>'
        "{}</svg>"
    )
    beside = Markup('<div class="beside-mug">{}{}</div>')
    return beside.format(drawing.format(joined(chits)), _facts(mug.facts))


def _board_key(key: blocks.BoardKey) -> Markup:
    return Markup('<ul class="key">{}</ul>').format(joined(map(_key_sign, key.rows)))


def _key_sign(sign: blocks.KeySign) -> Markup:
    ground_class = EMPTY
    if sign.ground:
        ground_class = _ground_class(sign.ground)
    return Markup("<li><b{}>{}</b> {}</li>").format(ground_class, sign.sign, sign.meaning)


# ------------------------------------------------------------------ curves


def _curves(curves: blocks.Curves) -> Markup:
    """Both curves on one scale; the table below them has their numbers."""
    sampled = [_sampled(curve) for curve in curves.rows]
    scale = _scale(0, map(abs, chain.from_iterable(sampled)))
    lines = []
    # The first curve is that of the first side, and its class is party0.
    for party, values in enumerate(sampled):
        line = Markup('<polyline class="party{}" points="{}"/>')
        lines.append(line.format(party, _points(values, scale)))
    drawing = Markup(
        '<svg class="curves" viewBox="0 0 {0} {1}" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="M0 {2}H{0}"/>{3}</svg>'
    )
    height_of_zero = CURVES_HEIGHT // 2
    return drawing.format(DRAWING_WIDTH, CURVES_HEIGHT, height_of_zero, joined(lines))


def _sampled(curve: blocks.ValueCurve) -> list[float]:
    """The values of a curve after its first one, or so many of them as may be shown."""
    values_after_first = len(curve.values) - 1
    return curve.sampled(min(values_after_first, MOST_POINTS))


def _points(values: Sequence[float], scale: float) -> str:
    """The points of a curve, as SVG writes them: zero is in the middle, y grows downwards, and
    ``scale`` is the value at the upper edge."""
    gaps = max(len(values) - 1, 1)  # a single point has no gap, and x is divided by their number
    points = []
    for index, value in enumerate(values):
        x = DRAWING_WIDTH * index / gaps
        y = CURVES_HEIGHT / 2 * (1 - value / scale)
        points.append(f"{x:.1f},{y:.1f}")
    return " ".join(points)
