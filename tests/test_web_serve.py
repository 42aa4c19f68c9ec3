"""The real server: many pages at once, pages that go without a word, and bodies that are refused before the app."""

import http.client
import json
import socket
import time

import pytest
from web_stage import staged, started

RELOADS = 200
TABLETS = 12
CHANGES = 8


@pytest.fixture
def server(tmp_path):
    with staged(tmp_path, camera=False) as one:
        started(one.world)
        yield one


def stream(server, last=None):
    """Open an event stream; gives its socket."""
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    resumed = "" if last is None else f"Last-Event-ID: {last}\r\n"
    opened.sendall(f"GET /api/events HTTP/1.1\r\nHost: localhost\r\n{resumed}\r\n".encode())
    return opened


def ids_until(opened, last):
    """Read a stream up to the event with the id `last`; gives the ids of all that came."""
    text = b""
    while f"id: {last}\n".encode() not in text:
        piece = opened.recv(65536)
        assert piece, text[-300:]
        text += piece
    return [int(line[4:]) for line in text.split(b"\n") if line.startswith(b"id: ")]


def health(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/healthz", headers={"Host": "localhost"})
    with connection.getresponse() as answer:
        status = answer.status
    connection.close()
    return status


def change(server):
    desk = server.world.desk
    return desk.add_time(1, version=None, now=time.monotonic_ns() // 1_000_000).version


def test_two_hundred_reloads_hold_no_thread(server):
    for _ in range(RELOADS):
        stream(server).close()
    assert health(server) == 200
    until = time.monotonic() + 60
    while len(server.broadcaster) and time.monotonic() < until:
        time.sleep(0.1)
    assert len(server.broadcaster) == 0


def test_every_page_hears_of_every_change_and_a_sleeping_one_harms_nobody(server):
    sleeping = stream(server)
    pages = [stream(server) for _ in range(TABLETS)]
    first = server.world.desk.version
    for page in pages:
        ids_until(page, first)
    last = [change(server) for _ in range(CHANGES)][-1]
    heard = [ids_until(page, last) for page in pages]
    assert heard == [list(range(first + 1, last + 1))] * TABLETS
    for page in (*pages, sleeping):
        page.close()


def test_a_resumed_stream_gets_a_state_only_if_it_missed_one(server):
    present = server.world.desk.version
    current, behind = stream(server, last=present), stream(server, last=present - 1)
    assert ids_until(behind, present) == [present]
    assert ids_until(current, change(server)) == [present + 1]
    current.close()
    behind.close()


def test_when_too_many_pages_are_open_the_next_is_told_to_ask_and_the_others_live(tmp_path):
    with staged(tmp_path, camera=False, clients=2) as server:
        pages = [stream(server), stream(server)]
        for page in pages:
            page.recv(1000)
        refused = stream(server)
        assert b" 503 " in refused.recv(1000)
        assert health(server) == 200
        for page in (*pages, refused):
            page.close()


def test_a_body_of_100_megabytes_is_refused_at_once_in_json(server):
    opened = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    head = ["POST /api/done HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 100000000"]
    opened.sendall("\r\n".join([*head, "", ""]).encode())
    answer = http.client.HTTPResponse(opened)
    answer.begin()
    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (413, "request_entity_too_large")
    answer.close()
    opened.close()
