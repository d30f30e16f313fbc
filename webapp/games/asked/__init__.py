"""The questions of a game: to whom, at their turn or before it, and in which order a visit shows them."""
