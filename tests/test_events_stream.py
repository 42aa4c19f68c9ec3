import threading
import time

from web.events import HEARTBEAT_S, KEPT_STATES, Broadcaster, Message, Stream, Subscriber


def written(message):
    return f'"{message.body}"'


def drained(subscriber):
    """Give all that waits, then close."""
    subscriber.close()
    found = []
    while (message := subscriber.next(0)) is not None:
        found.append(message)
    return found


def test_messages_come_in_order_and_only_numbered_ones_carry_an_id():
    subscriber = Subscriber()
    subscriber.put(Message("state", "a", 7))
    subscriber.put(Message("clock", "b"))
    subscriber.close()
    pieces = list(Stream(subscriber, written, lambda: False))
    assert pieces == [b"retry: 2000\n\n", b'event: state\nid: 7\ndata: "a"\n\n', b'event: clock\ndata: "b"\n\n']


def test_of_unnumbered_messages_of_a_kind_only_the_newest_is_kept():
    subscriber = Subscriber()
    for body in ("old", "new"):
        subscriber.put(Message("reading", body))
    subscriber.put(Message("clock", "c"))
    assert [message.body for message in drained(subscriber)] == ["new", "c"]


def test_every_state_is_kept_up_to_a_limit_and_then_the_oldest_goes():
    subscriber = Subscriber()
    for number in range(KEPT_STATES + 3):
        subscriber.put(Message("state", None, number))
    assert [message.number for message in drained(subscriber)] == list(range(3, KEPT_STATES + 3))


def test_a_silent_stream_gives_a_comment_before_ten_seconds_are_over():
    times = iter([0.0, HEARTBEAT_S, HEARTBEAT_S, HEARTBEAT_S + 1])
    subscriber = Subscriber()
    stream = iter(Stream(subscriber, written, lambda: False, lambda: next(times)))
    assert next(stream).startswith(b"retry")
    assert next(stream).startswith(b":")
    assert HEARTBEAT_S < 10


def test_a_stream_ends_when_its_page_is_gone():
    gone = iter([False, True])
    assert list(Stream(Subscriber(), written, lambda: next(gone))) == [b"retry: 2000\n\n"]


def test_a_message_wakes_a_waiting_stream_at_once():
    subscriber = Subscriber()
    threading.Timer(0.05, lambda: subscriber.put(Message("clock", 1))).start()
    start = time.monotonic()
    assert subscriber.next(10) == Message("clock", 1)
    assert time.monotonic() - start < 5


def test_a_broadcaster_tells_all_and_takes_no_more_than_its_limit():
    broadcaster = Broadcaster(2)
    pages = [broadcaster.subscribe(), broadcaster.subscribe()]
    assert broadcaster.subscribe() is None
    broadcaster.publish(Message("clock", 1))
    assert [drained(page) for page in pages] == [[Message("clock", 1)]] * 2


def test_a_page_that_left_makes_room_and_is_told_nothing_more():
    broadcaster = Broadcaster(1)
    page = broadcaster.subscribe()
    broadcaster.leave(page)
    broadcaster.publish(Message("clock", 1))
    assert (len(broadcaster), drained(page)) == (0, [])
    assert broadcaster.subscribe() is not None


def test_shutting_ends_every_stream_and_opens_no_more():
    broadcaster = Broadcaster(2)
    page = broadcaster.subscribe()
    broadcaster.shut()
    assert list(Stream(page, written, lambda: False)) == [b"retry: 2000\n\n"]
    assert broadcaster.subscribe() is None
