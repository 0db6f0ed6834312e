"""The fields of PDF forms: boxes to tick, buttons to choose from, and frames to write in.

Each is laid over what is drawn, on a form only: on any other sheet, and without a ``field``, the
functions of this module do nothing. Every field of a file has a name of its own. The parts of a
name are joined by hyphens, since the format reserves the full stop for fields within fields."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFString  # type: ignore[import-untyped]

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas

_PRINTED = 4
"""The flag of a field that is printed and not only shown."""
_SEVERAL_LINES = 4096
"""The flag of a text field with several lines."""
_FONT_OF_TYPED_TEXT = "Helvetica"
"""A typeface that every PDF program has."""
_CROSS = "(8)"
"""A cross, which is the 8 in the typeface of signs (ZapfDingbats) that every PDF program has. The
brackets mark a text in the PDF format."""
_HIGHEST_OF_ONE_LINE = 3
"""Lines of type: a text field that is higher takes several lines."""

Corner: TypeAlias = tuple[float, float]
"""The x and y of the corner of a field, in points."""
Room: TypeAlias = tuple[float, float]
"""The width and height of a field, in points."""


class FormField(NamedTuple):
    """A form field: its name for programs, its tooltip for people. The names of boxes to tick begin
    with ``tick``, those of buttons with ``choose``, those of texts with ``write``."""

    name: str
    tooltip: str


def lay_tick(
    canvas: Canvas,
    field: FormField | None,
    x: float,
    y: float,
    size: float,
    *,
    ticked: bool = False,
) -> None:
    """A box to tick with its lower left corner at (x, y); it shows a cross when ticked."""
    if not canvas.is_form or field is None:
        return
    shared = _shared_appearance(canvas, size)
    # In the words of the PDF format: a button (/Btn) with two appearances (/AP), of which /AS is
    # the one that shows; /MK has the sign for programs that draw it themselves, and /V the value,
    # which an empty box does not have.
    entries = f"/AP {shared.appearance}/AS/Off/FT/Btn/MK {shared.sign}"
    if ticked:
        entries = f"/AP {shared.appearance}/AS/Yes/FT/Btn/MK {shared.sign}/V/Yes"
    _lay_field(canvas, field, entries, (x, y), (x + size, y + size))


def lay_text(
    canvas: Canvas,
    field: FormField | None,
    corner: Corner,
    room: Room,
    size: float = 10,
) -> None:
    """A text field in a ``room`` with this lower left ``corner``, set in type of that ``size``. A
    high field takes several lines."""
    if not canvas.is_form or field is None:
        return
    x, y = corner
    width, height = room
    _, font = canvas.acroForm.makeFont(_FONT_OF_TYPED_TEXT)
    flags = ""
    if height > _HIGHEST_OF_ONE_LINE * size:
        flags = f"/Ff {_SEVERAL_LINES}"
    # A text field (/Tx) that is written in this font (Tf) and size, in black (0 g) (/DA).
    entries = f"/DA(/{font} {size:g} Tf 0 g)/FT/Tx{flags}"
    _lay_field(canvas, field, entries, (x, y), (x + width, y + height))


def lay_choice(
    canvas: Canvas,
    field: FormField | None,
    x: float,
    y: float,
    size: float,
    *,
    value: str,
    chosen: bool = False,
) -> None:
    """One of several buttons that share a ``field``, with its lower left corner at (x, y). Choosing
    its ``value`` clears the others."""
    if not canvas.is_form or field is None:
        return
    # "Relative": x and y count from the canvas's origin, wherever that has been moved.
    canvas.acroForm.radioRelative(
        name=field.name,
        value=value,
        selected=chosen,
        tooltip=field.tooltip,
        x=x,
        y=y,
        size=size,
        buttonStyle="cross",  # a dot would hide what stands below it
        shape="square",  # has no outline here; in a round field the mark would be in the corner
        borderWidth=0,
        borderColor=None,
        fillColor=None,
        textColor=None,
        fieldFlags="radio",
    )


def _lay_field(
    canvas: Canvas, field: FormField, entries: str, lower_left: Corner, upper_right: Corner
) -> None:
    """Adds a field to the form; ``entries``: those of its kind, besides its name and place. They
    are written here and not by the PDF library, as short as possible, since a book has two thousand
    fields. The tab key reaches the fields in the order in which they are laid."""
    # Only forms need this module, and loading it takes time.
    from reportlab.pdfbase.acroform import PDFFromString  # type: ignore[import-untyped]  # noqa: PLC0415

    left, bottom = canvas.absolutePosition(*lower_left)
    right, upper = canvas.absolutePosition(*upper_right)
    rect = f"{left:.1f} {bottom:.1f} {right:.1f} {upper:.1f}"
    form, document = canvas.acroForm, canvas._doc
    name = PDFString(fonts.clean(field.name)).format(document)
    tooltip = PDFString(fonts.clean(field.tooltip)).format(document)
    texts = f"/T{name.decode('latin-1')}/TU{tooltip.decode('latin-1')}"
    widget = f"<<{entries}/F {_PRINTED}/Rect[{rect}]/Subtype/Widget{texts}>>"
    annotation = PDFFromString(widget)
    canvas._addAnnotation(annotation)
    form.fields.append(form.getRef(annotation))


class TickAppearance(NamedTuple):
    """References to what stands in the file: the appearance of boxes of a size, ticked and not, and
    the sign for programs that draw the cross themselves."""

    appearance: str
    sign: str


def _shared_appearance(canvas: Canvas, size: float) -> TickAppearance:
    """The appearance shared by all boxes of that size within a file, since a thousand separate ones
    would make it heavy. It is added to the file when the first box needs it."""
    form = canvas.acroForm
    appearances: dict[float, TickAppearance] = canvas.tick_appearances
    # Sizes that differ by a rounding error share their appearance.
    rounded_size = round(size, 3)
    if rounded_size not in appearances:
        states = {}
        for state in ("Yes", "Off"):
            picture = form.checkboxAP("N", state, buttonStyle="cross", borderWidth=0, size=size)
            states[state] = form.getRef(picture)
        # N: how it looks normally, that is, not while the mouse is on it. CA: the sign.
        appearance = form.getRefStr(PDFDictionary({"N": PDFDictionary(states)}))
        sign = form.getRefStr(PDFDictionary({"CA": _CROSS}))
        appearances[rounded_size] = TickAppearance(appearance, sign)
    return appearances[rounded_size]
