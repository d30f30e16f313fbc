"""Reads incoming mail: a pure function from bytes to what the sender typed."""
