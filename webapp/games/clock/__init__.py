"""How long a game waits: hours, pace, deadlines, reminders, spare days, presence, rest."""
