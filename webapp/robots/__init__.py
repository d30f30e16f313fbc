"""The robot at work: playing for a seat, advising its player, reviewing what was played."""
