"""Tells what stays of a game: its hands relived, its result, the book of its table, and pictures of them."""
