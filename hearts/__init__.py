"""Hearts: the rules of play, and the state of a game as a fold over its turns.

Pure: opens no file (but in `__main__`), reads no clock, draws no random number that was not handed in.
"""
