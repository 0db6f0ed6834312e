"""Beach Head: one player, a hand of cards, and seven defences to be cleared off a beach."""
