"""A volley followed from draw to draw, exactly.

What is followed is a *state*: how many cards of each part of the deck were drawn, and how many
shooters broke down. Cards share a part until a shooter distinguishes them, and again as soon as no
later one does (``parts``). While a part is undivided, any of its cards are equally likely to be
those drawn; so where a shooter divides it, the combinations are counted. That may be before he
fires, where it makes fewer parts.

Each state has a *weight*: a polynomial in the kills, whose coefficients count the orders of cards
that lead to the state with so many kills. It is packed into one integer (``polynomials``).

An example: two rifles that hit with ace to 4 fire at a group of two, from a full deck. For both
the deck has two parts, 16 cards that hit and 32 that miss. After the first shot one state has a
card of the first part drawn, with the weight 16x (x stands for a kill), another a card of the
second, with the weight 32. After the second shot the weights are 16·15x², 2·16·32x and 32·31, and
each of them divided by all 48·47 orders of two cards is the chance of so many kills.

While a deck *lasts*, that is, surely does not run out, it is enough to follow hits: the weight of
the misses is that of any card less that of the hits. That holds for the last shuffle of a longer
volley, too.

Shooters who are *alike* may be followed together (``alike_shooters``): each state is met once for
all of them. That is done where all fire at one group of which nobody is spared. Then weights with
all targets dead are dropped, and the chance of that result is what the others leave of 1.

Read ``sweep`` first, which goes from shooter to shooter, and then ``moves``, what a draw leads to:
these are all that a small volley needs. ``terms`` has what is fixed before the first draw,
``decks`` the shuffles, ``ending`` the way from weights to chances. The innermost loops run hundreds
of thousands of times: so states, moves and weights are structs, which are made as fast as tuples.
"""
