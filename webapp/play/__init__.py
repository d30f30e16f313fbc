"""The path of a turn: who plays it, what follows from it, and what else changes whom a running game waits for."""
