"""Formats games for people: views, hands and score sheets as text and card faces, for pages and mails alike."""
