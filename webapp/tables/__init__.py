"""Brings people to a table: opens and fills it, serves its host, its seats and the lobby, starts the next game."""
