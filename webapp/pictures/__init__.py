"""Draws pictures, for mails and for what other sites show of a link."""
