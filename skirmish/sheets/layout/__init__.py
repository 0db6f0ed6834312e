"""The building blocks of all sheets, from the page down to the letter.

A sheet is a *story*: a list of flowables. ``pages`` breaks it onto pages, ``pdf_document`` binds
these into a PDF, drawn on a ``sheet_canvas``, and ``press`` prepares it for a printer. ``flow`` and
``columns`` have the flowables that hold others; ``title_band``, ``blocks``, ``boxes``, ``grids``,
``tables`` and ``qr_code`` those that sheets share. ``text`` sets paragraphs, ``text_lines`` single
lines; ``fonts`` and ``styles`` hold the typefaces; ``form_fields`` makes a sheet a form. Begin with
``drawing.Drawing``, which all our own flowables are, and ``pages.SheetPart``.

Nothing here knows a game, except ``symbols``. Lengths are points unless a name or a docstring says
otherwise, and y grows upward, as in the format. Every PDF is the same to the byte each time it is
made: no clock, no random number without a seed."""
