"""Floor 2: the rules of each game. Games never import one another."""
