"""Reads and changes what applies to one player: preferences, card style, being away."""
