"""Cards that we have played for a player, as pages and mails say it."""

PLAYED = (
    "Trick 2: We played 9♠ for you: it hardly mattered which.",
    "Trick 3: We played K♥ for you: it hardly mattered which.",
    "Trick 4: We played 5♣ for you: every card that you could play was worth the same.",
)
