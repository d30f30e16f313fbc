"""Emails that arrive: kept, matched to what was asked, acted on, answered."""
