"""Maps on paper: the battlefield of a scenario drawn to scale, in colour or sparing with ink."""
