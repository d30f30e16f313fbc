"""Sharing the result of a finished game with people who did not play."""
