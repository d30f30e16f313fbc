"""What a player wants at every table: preferences, card style, being away."""
