"""The outbox: which mails are queued, when they are sent, and what became of them."""
