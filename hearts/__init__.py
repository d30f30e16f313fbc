"""Hearts: the rules of play, and the state of a game as a fold over its turns.

The package is pure: except in `__main__` it opens no file, and it reads no clock and uses no randomness but what the
caller passes in.
"""
