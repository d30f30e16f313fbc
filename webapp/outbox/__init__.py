"""Which mails are queued and when they go, and what became of them."""
