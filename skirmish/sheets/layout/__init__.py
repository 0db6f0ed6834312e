"""The building blocks of all sheets, from the page down to the letter.

A sheet is a *story*: a list of flowables (``flow``) that ``pages`` breaks onto pages and binds into
a PDF. ``title_band``, ``blocks``, ``boxes`` and ``tables`` are the flowables that sheets share,
``text`` sets paragraphs and lines, ``fonts`` and ``styles`` hold the typefaces. Begin with
``drawing.Drawing``, which all our own flowables are, and ``pages.SheetPart``.

Nothing here knows a game, except ``symbols``. Lengths are points unless a name or a docstring says
otherwise, and y grows upward, as in the format. Every PDF is the same to the byte each time it is
made: no clock, no random number without a seed."""
