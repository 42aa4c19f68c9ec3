"""What happens, told to every open page at once (server-sent events).

Each page has its own small queue: a slow or sleeping one loses only what is out of date, and holds up nobody.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

HEARTBEAT_S = 8.0
GLANCE_S = 0.5
RETRY_MS = 2000
KEPT_STATES = 32


class Message(NamedTuple):
    """One thing to tell: `kind` is the event's name, `body` what it is about, `number` its id or None."""

    kind: str
    body: object
    number: int | None = None


@dataclass
class Subscriber:
    """One open page's queue. Numbered messages are kept in order, of the others only the newest of each kind."""

    _waiting: deque[Message] = field(default_factory=deque)
    _bell: threading.Condition = field(default_factory=threading.Condition)
    _closed: bool = False

    def put(self, message: Message) -> None:
        """Queue a message; never blocks."""
        with self._bell:
            if message.number is None:
                self._drop(lambda old: old.kind == message.kind)
            self._waiting.append(message)
            numbered = [old for old in self._waiting if old.number is not None]
            if len(numbered) > KEPT_STATES:
                self._drop(lambda old: old is numbered[0])
            self._bell.notify()

    def _drop(self, stale: Callable[[Message], bool]) -> None:
        self._waiting = deque(old for old in self._waiting if not stale(old))

    def next(self, timeout_s: float) -> Message | None:
        """Wait for the next message; None when the time is over or the queue was closed."""
        with self._bell:
            self._bell.wait_for(lambda: self._waiting or self._closed, timeout_s)
            return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        """End the stream of this page."""
        with self._bell:
            self._closed = True
            self._bell.notify()

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed and not self._waiting


class Broadcaster:
    """Knows every open page; at most `limit` at once, later ones must ask for the state themselves."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._by_id: dict[int, Subscriber] = {}
        self._lock = threading.Lock()
        self._is_shut = False

    def subscribe(self) -> Subscriber | None:
        """Open a queue, or None when there are too many already."""
        subscriber = Subscriber()
        with self._lock:
            if self._is_shut or len(self._by_id) >= self._limit:
                return None
            self._by_id[id(subscriber)] = subscriber
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """Forget a page that went away."""
        with self._lock:
            self._by_id.pop(id(subscriber), None)

    def publish(self, message: Message) -> None:
        """Tell every open page."""
        with self._lock:
            subscribers = tuple(self._by_id.values())
        for subscriber in subscribers:
            subscriber.put(message)

    def shut(self) -> None:
        """End every stream, and open no more."""
        with self._lock:
            self._is_shut = True
            subscribers = tuple(self._by_id.values())
        for subscriber in subscribers:
            subscriber.close()

    def __len__(self) -> int:
        """Count the open pages."""
        return len(self._by_id)


@dataclass(frozen=True)
class Stream:
    """The text of one page's event stream: `write` turns a message into its JSON, `gone` tells that the page left."""

    subscriber: Subscriber
    write: Callable[[Message], str]
    gone: Callable[[], bool]
    now: Callable[[], float] = time.monotonic

    def __iter__(self) -> Iterator[bytes]:
        """Give the stream piece by piece until the page goes away or the queue is closed.

        The queue is left every half second to look whether the page is still there: a reload must not hold its old
        thread until the next heartbeat.
        """
        yield f"retry: {RETRY_MS}\n\n".encode()
        last = self.now()
        while not self.gone() and not self.subscriber.is_closed:
            message = self.subscriber.next(GLANCE_S)
            if message is not None:
                last = self.now()
                yield self._piece(message)
            elif self.now() - last >= HEARTBEAT_S:
                last = self.now()
                yield b": still here\n\n"

    def _piece(self, message: Message) -> bytes:
        number = "" if message.number is None else f"id: {message.number}\n"
        return f"event: {message.kind}\n{number}data: {self.write(message)}\n\n".encode()
