"""A view, a hand, a sheet, a table in words and faces: what people read, for pages and mails alike."""
