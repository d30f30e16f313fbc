"""Random deals that agree with what a seat knows: every unseen card is in a slot that may hold it and has room for it.

Slots are the seats, and after the last one a slot for the cards that nobody holds. A deal is drawn card by card; the
probability of a slot grows with the room left there and with the card's weight in it. Plain functions on the lists of
`bits`.
"""

from hearts.robot.bits import CHANCES, FREE, HELD, MAY, PLACES, PLAYERS, ROOM, TWICE, Numbers, below


def deal_unseen(
    state: Numbers, rules: Numbers, known: Numbers, unseen: Numbers, groups: Numbers, work: Numbers
) -> None:
    """Adds the cards `unseen` to the slots of `state` at random, by its own generator, and in accordance with `known`.

    `groups` are the ends of the groups in `unseen`; each is shuffled by itself, and those with the least choice come
    first.
    """
    _shuffle(state, unseen, groups)
    slots = rules[PLAYERS] + 1
    for slot in range(slots):
        work[FREE + slot] = known[ROOM + slot]
    for index in range(len(unseen)):
        slot = _draw(state, slots, unseen[index], known, work)
        if slot < 0:
            slot = _make_room(slots, index, known, unseen, work)
        work[PLACES + index] = slot
        work[FREE + slot] -= 1
    for index in range(len(unseen)):
        bit, slot = 1 << unseen[index], work[PLACES + index]
        if state[HELD + slot] & bit:
            state[TWICE + slot] |= bit
        state[HELD + slot] |= bit


def _shuffle(state: Numbers, unseen: Numbers, groups: Numbers) -> None:
    start = 0
    for group in range(len(groups)):
        for index in range(groups[group] - 1, start, -1):
            other = start + below(state, index - start + 1)
            card = unseen[index]
            unseen[index] = unseen[other]
            unseen[other] = card
        start = groups[group]


def _draw(state: Numbers, slots: int, card: int, known: Numbers, work: Numbers) -> int:
    """A random slot for `card`; -1 if none that may hold it has room."""
    total = 0
    for slot in range(slots):
        if known[MAY + slot] >> card & 1:
            total += work[FREE + slot] * known[CHANCES + slot * 52 + card]
    if total == 0:
        return -1
    ticket = below(state, total)
    for slot in range(slots):
        if known[MAY + slot] >> card & 1:
            ticket -= work[FREE + slot] * known[CHANCES + slot * 52 + card]
            if ticket < 0:
                return slot
    return -1


def _make_room(slots: int, index: int, known: Numbers, unseen: Numbers, work: Numbers) -> int:
    """A slot for the card at `index`, from which an earlier card is moved away; any slot with room if none can move."""
    card = unseen[index]
    for earlier in range(index):
        slot = work[PLACES + earlier]
        if known[MAY + slot] >> card & 1:
            for free in range(slots):
                if work[FREE + free] > 0 and known[MAY + free] >> unseen[earlier] & 1:
                    work[PLACES + earlier] = free
                    work[FREE + free] -= 1
                    work[FREE + slot] += 1
                    return slot
    for slot in range(slots):
        if work[FREE + slot] > 0:
            return slot
    return slots - 1
