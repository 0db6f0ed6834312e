"""Any page of any game as PDF: Platypus flows its blocks, so that no heading is separated from its
text.

Begin with ``document``, which tries out how much of a page fits on how many sheets. ``column``
turns each block of a page into what is printed of it, with ``tables`` to read and to fill in, and
with ``charts``. In all of them, numbers without a name are points, chosen by eye."""
