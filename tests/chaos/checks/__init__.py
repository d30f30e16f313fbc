"""Checks of what must be true when everything runs again and has come to rest, whatever was broken before.

Each check is a function of the `Aftermath` that yields a sentence for each violation.
"""
