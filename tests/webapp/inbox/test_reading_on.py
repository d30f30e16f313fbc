"""Up to where a mailbox has been read."""

from webapp.inbox.reading_on import move_on, place_in


def test_a_mailbox_is_read_on_from_its_place(runtime):
    with runtime.database.writing() as session:
        assert place_in(session, "one", 1) == 0
        move_on(session, "one", 1, 7)
        move_on(session, "one", 1, 5)
    with runtime.database.reading() as session:
        assert (place_in(session, "one", 1), place_in(session, "two", 1)) == (7, 0)


def test_numbers_given_anew_begin_at_the_first(runtime):
    with runtime.database.writing() as session:
        move_on(session, "one", 1, 7)
        assert place_in(session, "one", 2) == 0
        move_on(session, "one", 2, 3)
        assert place_in(session, "one", 2) == 3
