"""Grand Tactical Series: the chits, the points, checks and fire at the edge of the big map."""
