"""The rules in our own words, in paragraphs: what F1 shows, and what ``skirmish rules`` prints.

Begin with ``paragraph`` (what a paragraph is) and ``lookup`` (how one is found: a person searches
for words, the program asks for a topic, which names the place where the paragraph helps: ``refusal
range`` when a shot is refused for its range, ``ask casualty`` when the program asks who falls,
``phase 2``, ``limit budget``). ``search`` finds words, ``charts`` makes the tables below a
paragraph.

The paragraphs come from ``data/plastic/texts/reference.toml`` and, for the printed quick reference,
a shorter file of the same format; ``reading`` reads and checks both. Numbers in a text come from
the catalog (``numbers``): ``{fire.exact_within:in}`` is the number of that name, in inches;
``{=2:in}`` is a number that is stated only in this text. A number outside braces is a mistake.
"""
