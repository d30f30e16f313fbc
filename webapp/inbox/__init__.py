"""Mails that come in: what each of them is, and what its writer typed."""
