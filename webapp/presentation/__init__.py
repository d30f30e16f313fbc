"""A view, a hand, a score sheet in words and faces, for pages and mails alike."""
