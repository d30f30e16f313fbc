"""Evenings together: a vote on an hour, at which a slow game is played live. Models are in `webapp.models`."""
