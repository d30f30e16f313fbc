"""Properties of random hands under random rules, for all rules, seats and cards."""

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hearts.cards import FACES, Cards, card_text
from hearts.check import record_turns
from hearts.deal import deal, pack
from hearts.game import IllegalTurn, Stage, apply, legal, replay, why_not
from hearts.record import parse_record, record_of, record_text
from hearts.score import hand_score, is_over, outcome
from hearts.seats import Seat, every_seat, sides
from hearts.turns import Deal, MoonChoice, Pass, Play
from hearts.view import view
from tests.hearts.builders import codes, options_of, random_games
from tests.hearts.plain import PlainHand, after_passing, passed_to
from tests.hearts.plain import pack as plain_pack
from tests.hearts.strategies import any_rules

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=30)


def everything_in(game):
    """All cards of the game, wherever they are."""
    return sum(game.held, Cards.of(game.plays) + game.deal.kitty)


@FEW
@given(any_rules(), SEEDS)
def test_a_card_is_always_legal_and_none_lost_or_doubled(rules, seed):
    for _, _, game in random_games(rules, random.Random(seed), 2):
        assert everything_in(game) == pack(rules)
        for seat in every_seat(rules.players):
            awaited = game.stage is Stage.PLAY and seat in game.to_act
            assert bool(legal(game, seat)) == awaited
            assert not legal(game, seat) - game.held[seat]


@FEW
@given(any_rules(), SEEDS)
def test_legal_apply_and_why_not_always_agree_on_every_card(rules, seed):
    rng = random.Random(seed)
    for game, _, _ in random_games(rules, rng, 1):
        for seat in {*game.to_act[:1], rng.choice(every_seat(rules.players))}:
            allowed = legal(game, seat)
            for card in FACES:
                assert (card in allowed) == (why_not(game, seat, card) is None) == is_taken(game, Play(seat, card))


def is_taken(game, turn):
    try:
        apply(game, turn)
    except IllegalTurn:
        return False
    return True


@FEW
@given(any_rules(), SEEDS)
def test_points_taken_and_left_over_add_up_to_the_pack(rules, seed):
    for game, _, after in random_games(rules, random.Random(seed), 3):
        if len(after.scores) == len(game.scores):
            continue
        last = max((number for number, won_by in enumerate(after.won, 1) if won_by is not None), default=0)
        nobodys = [card_text(card) for card in after.plays[last * rules.players :]]
        if not last:
            nobodys += codes(after.deal.kitty)
        lost = sum(card[1] == "H" for card in nobodys) + rules.queen_points * nobodys.count("QS")
        assert sum(after.scores[-1].taken) == rules.pack_total - lost


@FEW
@given(any_rules(), SEEDS)
def test_a_games_record_can_be_read_back_and_replayed(rules, seed):
    *_, (_, _, game) = steps = list(random_games(rules, random.Random(seed), 2))
    stop = random.Random(seed).randrange(len(steps))
    turns = [turn for _, turn, _ in steps]
    for upto, end in ((turns, game), (turns[: stop + 1], steps[stop][2])):
        text = record_text(record_of(rules, ["Ann"] * rules.players, upto))
        assert record_text(parse_record(text)) == text
        assert replay(rules, record_turns(parse_record(text))) == end


@FEW
@given(any_rules(), SEEDS)
def test_two_implementations_of_the_rules_agree(rules, seed):
    """Legal cards, winners, points and totals against the plain version, which shares no code."""
    options = options_of(rules)
    plain = None
    for game, turn, after in random_games(rules, random.Random(seed), 3):
        if isinstance(turn, Deal):
            held = dealt = [codes(cards) for cards in turn.held]
            assert sorted(sum(held, codes(turn.kitty))) == sorted(plain_pack(options))
            if not passed_to(options, after.hand):
                plain = PlainHand(options, turn.dealer, dealt, held, after.hand)
        elif isinstance(turn, Pass) and after.stage is Stage.PLAY:
            held = after_passing(options, after.hand, dealt, [codes(cards) for cards in after.passes])
            plain = PlainHand(options, after.deal.dealer, dealt, held, after.hand)
        elif isinstance(turn, Play):
            assert game.to_act == (plain.seat,)
            assert set(codes(legal(game, plain.seat))) == plain.legal()
            plain.play(card_text(turn.card))
            assert after.broken == plain.broken
            assert [trick.winner for trick in after.tricks] == [won_by for _, _, won_by in plain.tricks]
        if len(after.scores) > len(game.scores):
            score = after.scores[-1]
            assert plain.done
            result = plain.scores(codes(after.deal.kitty), game.totals, score.moon_choice)
            assert result == {
                "taken": list(score.taken),
                "moon": score.moon,
                "points": list(score.points),
                "totals": list(score.totals),
                "over": after.stage is Stage.OVER,
            }


@settings(max_examples=150)
@given(any_rules(), SEEDS, st.data())
def test_a_view_never_depends_on_cards_hidden_from_its_seat(rules, seed, data):
    """A seat's view stays the same if two cards that it has not seen are swapped in the deal, and play is the same."""
    steps = list(random_games(rules, random.Random(seed), 2))
    steps = steps[: data.draw(st.integers(1, len(steps)))]
    game, turns = steps[-1][2], [turn for _, turn, _ in steps]
    seat = data.draw(st.sampled_from(every_seat(rules.players)))
    other = replay_or_none(rules, swapped(game, turns, seat, data))
    assume(other is not None and same_in_public(game, other))
    assert view(other, seat) == view(game, seat)


def swapped(game, turns, seat, data):
    """The turns with two of the cards that `seat` has not seen exchanged in the last deal and the passes of others."""
    at = max(number for number, turn in enumerate(turns) if isinstance(turn, Deal))
    hidden = sorted({*hidden_from(game, seat)})
    assume(len(hidden) > 1)
    one, two = data.draw(st.lists(st.sampled_from(hidden), min_size=2, max_size=2, unique=True))

    def exchange(cards):
        ones, twos = cards.count(one), cards.count(two)
        return cards - Cards.of([one] * ones + [two] * twos) + Cards.of([two] * ones + [one] * twos)

    dealt = turns[at]
    held = [cards if number == seat else exchange(cards) for number, cards in enumerate(dealt.held)]
    kitty = dealt.kitty if view(game, seat).kitty is not None else exchange(dealt.kitty)
    after = [exchange_pass(turn, seat, exchange) for turn in turns[at + 1 :]]
    return [*turns[:at], Deal(dealt.dealer, tuple(held), kitty), *after]


def exchange_pass(turn, seat, exchange):
    return Pass(turn.seat, exchange(turn.cards)) if isinstance(turn, Pass) and turn.seat != seat else turn


def hidden_from(game, seat):
    """The faces of which this seat has seen no copy, computed without `view`."""
    seen = {*game.deal.held[seat], *game.held[seat], *game.plays}
    if view(game, seat).kitty is not None:
        seen |= set(game.deal.kitty)
    return [card for card in pack(game.rules).faces() if card not in seen]


def replay_or_none(rules, turns):
    try:
        return replay(rules, turns)
    except IllegalTurn:
        return None


def same_in_public(game, other):
    """Whether everybody at the table saw the same events."""
    return (game.stage, game.to_act, game.scores, game.won) == (other.stage, other.to_act, other.scores, other.won)


@settings(max_examples=100)
@given(any_rules(), SEEDS)
def test_two_implementations_of_the_scoring_agree_where_moons_are_common(rules, seed):
    """Random tricks, mostly for one side: play seldom produces them."""
    rng = random.Random(seed)
    turn = deal(rules, Seat(0), rng)
    plays = [card for cards in turn.held for card in cards]
    rng.shuffle(plays)
    shooters = rng.choice(sides(rules.players, partnership=rules.partnership))
    others = [*every_seat(rules.players), *[None] * (rules.packs == 2)]
    stray = rng.choice((0, 0, 0.1, 0.5))
    won = [rng.choice(others if rng.random() < stray else shooters) for _ in range(len(turn.held[0]))]
    before = tuple(rng.choice((-3, 0, 7, 24, 50, rules.target - 30, rules.target - 26)) for _ in range(rules.sides))
    number = rng.randint(1, 5)
    hand = outcome(rules, number, before, turn, plays, won)
    plain = PlainHand(options_of(rules), 0, list(map(codes, turn.held)), list(map(codes, turn.held)), number)
    players = rules.players
    plain.tricks = [(0, codes(plays[at * players : (at + 1) * players]), won_by) for at, won_by in enumerate(won)]
    for choice in MoonChoice:
        score = hand_score(hand, choice)
        assert plain.scores(codes(turn.kitty), before, choice) == {
            "taken": list(score.taken),
            "moon": score.moon,
            "points": list(score.points),
            "totals": list(score.totals),
            "over": is_over(rules, score.number, score.totals),
        }
