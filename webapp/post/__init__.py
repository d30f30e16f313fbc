"""The mails that leave: which are owed, when each goes, by whose wishes, and what became of it."""
