"""What a plan has played, as pages and mails say it."""

PLAYED = (
    "Trick 2: Your plan played 9♠, your highest card that did not win.",
    "Trick 3: Your plan discarded K♥, your highest heart.",
    "Trick 4: Your plan played 5♣: every card that you could play was worth the same.",
)
