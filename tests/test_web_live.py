"""The live thread with a camera, a reader and a table that are made up."""

import logging
import time
from dataclasses import dataclass, field, replace

import pytest
from web_world import begin, make_world

from referee.clock import PauseReason
from referee.rules import RuleSet, TimerStarts
from referee.table import Choice, SeenTile, Table, TableReading
from vision.errors import CameraError
from vision.rereading import Memory, Reread
from web.events import Broadcaster
from web.feed import Camera
from web.live import Live
from web.watch import Glance, Watcher


@dataclass
class FakeFrame:
    """A picture that is the notation of what lies in it."""

    image: str
    captured_ms: int = 0


@dataclass
class FakeSource:
    """Gives frames from a list, then nothing; a CameraError in the list is raised."""

    frames: list
    ended: bool = False
    patient: bool = True
    closed: bool = False
    ends: bool = True

    def newest(self, timeout_s):
        if not self.frames:
            self.ended = self.ends
            time.sleep(min(timeout_s, 0.01))
            return None
        frame = self.frames.pop(0)
        if isinstance(frame, Exception):
            raise frame
        frame.captured_ms = time.monotonic_ns() // 1_000_000
        return frame

    def close(self):
        self.closed = True


@dataclass
class FakeReader:
    """Reads what a frame says, each tile for certain; a text that is no table breaks it."""

    asked: list = field(default_factory=list)
    corrected: list = field(default_factory=list)
    memories: list = field(default_factory=list)

    def look(self, frame, last, memory):
        self.asked.append(last)
        self.memories.append(memory)
        rows = Table.parse(frame.image).rows
        tiles = [tile for row in rows for tile in row]
        places = iter(range(len(tiles)))
        seen = tuple(SeenTile(((0, 0), (1, 0), (1, 1), (0, 1)), (Choice(tile, 1.0),)) for tile in tiles)
        reading = TableReading(seen, tuple(tuple(next(places) for _ in row) for row in rows))
        return Reread(reading, Memory(remembered=memory.remembered if memory else None, seen=frame.image))

    def remember(self, memory, judged, *, corrected):
        self.corrected.append(corrected)
        return replace(memory, remembered=judged.picture)

    def certain(self, reading, _table):
        return reading


class FakeGate:
    """Takes every frame as still, but those that say `hand`."""

    def judge(self, frame):
        return Glance(Camera.HAND if frame.image == "hand" else Camera.STILL, frame.captured_ms)


@pytest.fixture
def world(tmp_path):
    made = make_world(tmp_path, host="127.0.0.1")
    made.desk.use_camera(on=True)
    begin(made)
    yield made
    made.desk.close()


def watcher(world):
    return Watcher(world.desk, world.feed, Broadcaster(4), FakeReader(), FakeGate())


def wait_for(true, seconds=20.0):
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.01)
    assert true()


def moment(text):
    return FakeFrame(text, time.monotonic_ns() // 1_000_000)


def test_a_still_picture_is_read_shown_and_told(world):
    eyes = watcher(world)
    page = eyes.broadcaster.subscribe()
    eyes.take(moment("R10 R11 R12"))
    state = world.client().state
    assert (state["table"], state["played"], state["camera"]) == ("R10 R11 R12", ["R10", "R11", "R12"], "still")
    assert {page.next(1).kind, page.next(1).kind} == {"reading", "camera"}


class DoubtfulReader(FakeReader):
    """Reads every tile so that it may be another, until it is told what lies there."""

    def look(self, frame, last, memory):
        seen = super().look(frame, last, memory)
        doubted = tuple(replace(t, choices=(t.choices[0]._replace(probability=0.6),)) for t in seen.reading.tiles)
        return replace(seen, reading=replace(seen.reading, tiles=doubted))


def test_a_first_look_that_leaves_doubts_is_told_when_the_game_is_known_to_have_begun(world):
    eyes = Watcher(world.desk, world.feed, Broadcaster(4), DoubtfulReader(), FakeGate())
    eyes.take(moment("R10 R11 R12"))
    assert not world.desk.sight.still, "it is looked at again"
    eyes.take(moment("R10 R11 R12"))
    assert world.desk.sight.still


class TouchedGate(FakeGate):
    """Says of a still frame when its table was first touched: 400 ms after the first hand was seen."""

    def __init__(self):
        self.touched_ms = None

    def judge(self, frame):
        if frame.image == "hand" and self.touched_ms is None:
            self.touched_ms = frame.captured_ms + 400
        return super().judge(frame)._replace(touched_ms=self.touched_ms)


def test_7_2_the_clock_that_waits_for_the_first_move_runs_from_the_touch(tmp_path):
    made = make_world(tmp_path, host="127.0.0.1")
    made.desk.use_camera(on=True)
    begin(made, rules=RuleSet(timer_starts=TimerStarts.FIRST_MOVE, turn_seconds=120))
    eyes = watcher(made)
    eyes.gate = TouchedGate()
    start = eyes.now() - 1000
    for text, at in (("-", 0), ("hand", 10), ("hand", 400), ("R10 R11 R12", 500)):
        eyes.take(FakeFrame(text, start + at))
    assert made.desk.game.now.clock.since_ms == eyes.gate.touched_ms
    made.desk.close()


def test_a_table_that_was_touched_is_looked_at_anew_with_what_is_known_of_it(world):
    eyes = watcher(world)
    eyes.take(moment("R10 R11 R12"))
    world.client().post("/api/done")
    for text in ("R10 R11 R12", "hand", "R10 R11 R12 R13"):
        eyes.take(moment(text))
        time.sleep(0.002)
    last = eyes.reader.memories[-1]
    assert (last.seen, last.remembered) == (None, "R10 R11 R12")


def test_what_is_known_of_a_set_is_learnt_anew_where_a_table_was_corrected(world):
    eyes = watcher(world)
    eyes.take(moment("R10 R11 R12"))
    world.client().post("/api/done")
    eyes.take(moment("R10 R11 R12"))
    world.desk.correct(1, Table.parse("R11 R12 R13"), version=None, now=eyes.now())
    eyes.take(moment("R10 R11 R12"))
    assert eyes.reader.corrected == [False, True]


def test_done_judges_what_the_camera_sees(world):
    watcher(world).take(moment("R10 R11 R12"))
    state = world.client().post("/api/done").json["state"]
    assert (state["verdict"]["verdict"], state["player"]) == ("legal", "Ben")


def test_with_a_hand_over_the_table_done_waits_for_the_next_still_picture(world):
    eyes = watcher(world)
    eyes.take(moment("-"))
    eyes.take(moment("hand"))
    assert world.client().post("/api/done").json["state"]["called"] is True
    eyes.take(moment("R10 R11 R12"))
    assert world.client().state["player"] == "Ben"


def test_a_table_that_is_put_back_goes_on_by_itself(world):
    eyes = watcher(world)
    eyes.take(moment("R1 R2 R4"))
    assert world.client().post("/api/done").json["state"]["phase"] == "restore"
    eyes.take(moment("-"))
    assert world.client().state["phase"] == "play"


def test_the_verdict_as_it_would_be_is_shown_only_where_the_owner_wants_it(tmp_path):
    for name, shown in (("off", False), ("on", True)):
        (tmp_path / name).mkdir()
        world = make_world(tmp_path / name, host="127.0.0.1", live_verdict=shown)
        begin(world)
        watcher(world).take(moment("R1 R2 R4"))
        assert (world.client().state["live_verdict"] is not None) is shown
        world.desk.close()


def test_the_reader_is_told_what_lay_when_the_turn_began(world):
    eyes = watcher(world)
    eyes.take(moment("R10 R11 R12"))
    world.client().post("/api/done")
    eyes.take(moment("R10 R11 R12"))
    assert list(map(str, eyes.reader.asked)) == ["-", "R10 R11 R12"]


def test_the_last_picture_of_a_film_stays_and_the_state_says_that_it_ended(world):
    live = Live(watcher(world), lambda: FakeSource([FakeFrame("R10 R11 R12")]))
    live.start()
    wait_for(lambda: world.feed.sight.camera is Camera.ENDED)
    live.stop()
    assert world.client().state["table"] == "R10 R11 R12"
    assert live.source.closed


def test_a_lost_camera_is_opened_again(world):
    sources = [FakeSource([CameraError("unplugged")]), FakeSource([FakeFrame("R10 R11 R12")])]
    first = sources[0]
    live = Live(watcher(world), lambda: sources.pop(0))
    live.start()
    wait_for(lambda: world.feed.sight.camera is Camera.LOST)
    assert (world.feed.sight.why, first.closed) == ("unplugged", True)
    wait_for(lambda: world.feed.sight.number == 1)
    live.stop()


def test_what_breaks_is_logged_and_shown_and_tried_again(world, caplog, monkeypatch):
    monkeypatch.setattr(caplog.handler, "level", logging.CRITICAL)
    source = FakeSource([FakeFrame("no table")], ends=False)
    live = Live(watcher(world), lambda: source)
    live.start()
    wait_for(lambda: world.feed.sight.camera is Camera.TROUBLE)
    source.frames.append(FakeFrame("R10 R11 R12"))
    wait_for(lambda: world.feed.sight.number == 1)
    live.stop()


def test_the_time_is_told_to_the_desk_so_that_a_turn_ends_by_itself(world):
    live = Live(watcher(world), lambda: FakeSource([FakeFrame("R10 R11 R12")]))
    world.desk.add_time(-119, version=None, now=time.monotonic_ns() // 1_000_000)
    live.start()
    wait_for(lambda: world.client().state["player"] == "Ben")
    live.stop()


def test_a_lost_camera_stops_the_clock_at_its_last_picture_and_nothing_old_is_judged(world):
    eyes = watcher(world)
    eyes.take(moment("R10 R11 R12"))
    used = world.desk.game.now.clock.used(eyes._good_ms)
    eyes.lose(Camera.LOST, "unplugged")
    clock = world.desk.game.now.clock
    assert (clock.pause, clock.used_ms) == (PauseReason.CAMERA, used)
    assert world.client().post("/api/done").json["state"]["called"] is True
    eyes.take(moment("R10 R11 R12"))
    assert world.client().state["player"] == "Ben"


def test_a_camera_that_comes_back_lets_the_clock_run_on(world):
    eyes = watcher(world)
    for _ in range(10):
        eyes.take(moment("R10 R11 R12"))
        eyes.lose(Camera.LOST, "unplugged")
        assert world.desk.game.now.clock.pause is PauseReason.CAMERA
    eyes.take(moment("R10 R11 R12"))
    assert world.desk.game.now.clock.running


def test_a_clock_that_a_person_stopped_stays_stopped(world):
    eyes = watcher(world)
    eyes.take(moment("-"))
    world.desk.pause(version=None, now=time.monotonic_ns() // 1_000_000)
    eyes.lose(Camera.LOST, "unplugged")
    eyes.take(moment("-"))
    assert world.desk.game.now.clock.pause is PauseReason.PERSON


def test_what_was_read_while_the_table_was_touched_is_dropped(world):
    eyes = watcher(world)
    eyes.glance(moment("R10 R11 R12"))
    eyes.glance(moment("hand"))
    eyes.read()
    assert world.desk.sight.seen is None


def test_done_said_twenty_times_is_one_turn(world):
    eyes = watcher(world)
    eyes.take(moment("R10 R11 R12"))
    client = world.client()
    version = client.state["version"]
    answers = [client.post("/api/done", {"version": version}).status_code for _ in range(20)]
    assert answers == [200] + [409] * 19
    assert client.state["turn"] == 2
