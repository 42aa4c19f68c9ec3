"""A game that is played before the referee, with players, pictures and eyes that are made up."""

import json
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from referee.rules import RuleSet
from referee.table import Choice, SeenTile, Table, TableReading
from referee.tiles import Tile, parse_tiles
from referee.verdict import FaultCode, Ruling
from vision.rereading import Reread
from web.commands.replay import command as replay
from web.demo import Bout
from web.errors import InputError
from web.eyes import PictureGate
from web.feed import Camera
from web.labelled import LabelledPictures, labelled_tiles
from web.rerun import Rerun
from web.script import Script
from web.sentences import sentences
from web.told import game_document
from web.trial import Trial
from web.watch import Glance


@dataclass(frozen=True)
class Truth:
    n: int
    player: str
    after: Table
    ruling: Ruling
    codes: tuple = ()
    planted: str | None = None
    said_done_ms: int = 0
    last_hand_ms: int = 0
    used_ms: int = 0
    timed_out: bool = False

    @property
    def began_ms(self):
        return (self.said_done_ms or 0) - self.used_ms


class Shown(NamedTuple):
    occasion: str
    tiles: tuple


@dataclass(frozen=True)
class Moment:
    at_ms: int
    text: str
    done_by: str | None = None
    turn: Truth | None = None
    waits: bool = False
    hands: bool = False
    bumped: bool = False
    lit: bool = False
    shown: "Shown | None" = None

    def frame(self):
        picture = np.zeros((2, 2, 3), np.uint8)
        picture.ravel()[:8] = np.frombuffer(len(TEXTS).to_bytes(8, "big"), np.uint8)
        TEXTS.append(self.text)
        return picture

    def corners(self):
        return tuple((tile, PLACES[i]) for i, tile in enumerate(t for row in self.turn.after.rows for t in row))


TEXTS: list[str] = []
PLACES = [((40.0 * i, 0.0), (40.0 * i + 30, 0.0), (40.0 * i + 30, 40.0), (40.0 * i, 40.0)) for i in range(30)]


def text_of(frame):
    return TEXTS[int.from_bytes(frame.image.ravel()[:8].tobytes(), "big")]


class Gate:
    """Takes every picture but that of a hand as one of a table at rest."""

    def judge(self, frame):
        return Glance(Camera.HAND if text_of(frame) == "hand" else Camera.STILL, frame.captured_ms)


class Eyes:
    """Reads the notation that a picture stands for; `R6?` in it may be R9 as well."""

    def look(self, frame, _last, _memory):
        rows = [part.split() for part in text_of(frame).split("/") if part.strip() != "-"]
        places = iter(range(100))
        tiles = tuple(tile(word, i) for i, word in enumerate(word for row in rows for word in row))
        return Reread(TableReading(tiles, tuple(tuple(next(places) for _ in row) for row in rows), unseen=()))

    def remember(self, memory, _judged, *, corrected):  # noqa: ARG002
        return memory

    def certain(self, reading, _table):
        return reading


def tile(word, place):
    face = Tile.parse(word.rstrip("?"))
    choices = (Choice(face, 0.6), Choice(Tile.parse("R9"), 0.4)) if word.endswith("?") else (Choice(face, 1.0),)
    return SeenTile(PLACES[place], choices)


@dataclass
class Play:
    """Two turns: the first opens, the second is illegal and put back."""

    seen: tuple
    truth: tuple
    players: tuple = ("Ana", "Ben")
    rules: RuleSet = field(default_factory=RuleSet)
    going: bool = False
    started_ms: int = 0
    drawn: str = ""
    left: tuple = ()

    @property
    def draws_for_start(self):
        return bool(self.drawn)

    def go_on(self):
        self.going = True

    def hand(self, player):
        return parse_tiles(next((truth for name, _, truth in self.left if name == player), ""))

    def shown(self, at, lies, occasion, tiles):
        yield Moment(at, "hand", hands=True)
        said = Shown(occasion, tuple((name, parse_tiles(text)) for name, text in tiles))
        yield from self.waiting(Moment(at + 100, lies, waits=True, shown=said))
        yield Moment(at + 5_000, "hand", hands=True)

    def moments(self):
        at, before = 0, "-"
        if self.drawn:
            names = zip(self.players, self.drawn.split(" / "), strict=True)
            yield from self.shown(0, self.drawn, "start", tuple(names))
            at = 10_000
        for n, (seen, (after, ruling, codes)) in enumerate(zip(self.seen, self.truth, strict=True), 1):
            yield Moment(at, before)
            yield Moment(at + 100, "hand", hands=True)
            yield Moment(at + 200, seen)
            player = self.players[(n - 1) % 2]
            call = Truth(
                n,
                player,
                Table.parse(after),
                ruling,
                codes,
                codes[0] if codes else None,
                at + 300,
                at + 200,
                at + 300 - self.started_ms,
            )
            yield from self.waiting(Moment(at + 300, seen, done_by=player, turn=call, waits=True))
            if ruling is not Ruling.ILLEGAL:
                before = after
            else:
                yield Moment(at + 19_900, "hand", hands=True)
                yield from self.waiting(Moment(at + 20_000, before, waits=True))
            at += 40_000
        for name, lies, truth in self.left:
            yield from self.shown(at, lies, "racks", ((name, truth),))
            at += 10_000

    def waiting(self, moment):
        self.going = False
        while not self.going:
            yield moment
            self.started_ms = moment.at_ms
            moment = Moment(moment.at_ms + 100, moment.text, waits=True, shown=moment.shown)


FAULTS = ("meld_too_short", "opening_too_low")
OPENS, BAD = "R10 R11 R12", "R10 R11 R12 / K1 K2"
RIGHT = ((OPENS, Ruling.LEGAL, ()), (BAD, Ruling.ILLEGAL, FAULTS))


def played(seen, truth=RIGHT):
    with Trial.open(Eyes(), Gate(), 1) as trial:
        bout = Bout(Play(seen, truth), trial)
        bout.play()
        return game_document(bout.turns, bout.counts, bout.scores, sentences("en"))


def test_what_was_said_stands_beside_the_truth():
    document = played((OPENS, BAD))
    assert [turn["said"] for turn in document["turns"]] == [
        {"verdict": "legal", "codes": [], "doubts": []},
        {"verdict": "illegal", "codes": [*FAULTS], "doubts": []},
    ]
    counts = document["counts"]
    assert (counts["right"], counts["wrong"], counts["unsure"], counts["helped"]) == (2, 0, 0, 0)
    assert (counts["planted"], counts["occlusions"]) == ({"meld_too_short": 1}, 3)
    assert document["clock_error_s"] < 0.15
    assert document["clock_error_s"] == max(abs(turn["overcharged_s"]) for turn in document["turns"])


@pytest.mark.parametrize(
    ("seen", "name"),
    [
        (("R10 R11 R13", BAD), "false_illegal"),
        ((OPENS, f"{OPENS} / K10 K11 K12"), "missed_faults"),
    ],
)
def test_a_wrong_word_is_counted_and_put_right(seen, name):
    document = played(seen)
    assert (document["counts"]["wrong"], document["counts"][name]) == (1, 1)
    assert len(document["turns"]) == 2


def test_the_highest_drawn_tile_is_read_before_the_game_begins():
    with Trial.open(Eyes(), Gate(), 1) as trial:
        bout = Bout(Play((OPENS, BAD), RIGHT, drawn="R12 / B3"), trial)
        bout.play()
    assert (bout.counts.shown, bout.counts.shown_right) == (1, 1)
    assert [turn.right for turn in bout.turns] == [True, True]


OUT = "R10 R11 R12 / K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11"


@pytest.mark.parametrize(
    ("seen", "scores", "helped"),
    [
        pytest.param("B3 R7", {"Ana": 10, "Ben": -10}, 0, id="read right"),
        pytest.param("B3 J", {"Ana": 33, "Ben": -33}, 0, id="misread"),
        pytest.param("B3 J J J", {"Ana": 10, "Ben": -10}, 1, id="more jokers than there are: a person helps"),
    ],
)
def test_the_racks_are_counted_as_the_camera_reads_them(seen, scores, helped):
    with Trial.open(Eyes(), Gate(), 1) as trial:
        play = Play((OUT,), ((OUT, Ruling.LEGAL, ()),), left=(("Ben", f"{OUT} / {seen}", "B3 R7"),))
        bout = Bout(play, trial)
        bout.play()
    assert (bout.counts.shown, bout.counts.shown_right) == (1, seen == "B3 R7")
    assert (bout.scores, bout.counts.helped) == (scores, helped)


def test_an_open_verdict_is_answered_from_the_truth_and_names_the_misread_tile():
    laid = "R9 B9 K9 / R5 R6 R7"
    truth = ((laid, Ruling.LEGAL, ()), (f"{laid} / K1 K2", Ruling.ILLEGAL, FAULTS))
    document = played(("R6? B9 K9 / R5 R6 R7", f"{laid} / K1 K2"), truth)
    first = document["turns"][0]
    assert (first["said"]["verdict"], first["named"]) == ("unsure", True)
    assert (document["counts"]["unsure"], document["counts"]["wrong"]) == (1, 0)


SCRIPT = {
    "rules": "rrrummy",
    "players": ["Ana", "Ben"],
    "start": "-",
    "turns": [
        {"player": "Ana", "done_s": 1.0, "verdict": "legal", "codes": [], "table": OPENS},
        {"player": "Ben", "done_s": 2.0, "verdict": "illegal", "codes": [*FAULTS], "table": BAD},
        {"player": "Ana", "done_s": 3.0},
    ],
}


def test_a_recording_is_refereed_again_by_its_script(tmp_path):
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    script = Script.load(tmp_path / "script.json", RuleSet())
    with Trial.open(Eyes(), PictureGate(), 1) as trial:
        again = Rerun(script, trial)
        again.pictures(trial.frame(Moment(0, text).frame(), 1000 * i) for i, text in enumerate((OPENS, BAD, OPENS)))
    assert [turn.said.verdict.ruling for turn in again.turns] == [Ruling.LEGAL, Ruling.ILLEGAL, Ruling.DRAW]
    assert [turn.right for turn in again.turns] == [True, True, False]
    assert again.turns[1].said.verdict.codes == (FaultCode.MELD_TOO_SHORT, FaultCode.OPENING_TOO_LOW)


def test_the_pictures_of_a_recording_are_labelled_as_they_were_corrected(tmp_path):
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    script, kept = Script.load(tmp_path / "script.json", RuleSet()), LabelledPictures(tmp_path / "kept")
    seen = ("R10 R11 R13", f"{OPENS} / K1 K2", f"{OPENS} / K1 K2")
    with Trial.open(Eyes(), PictureGate(), 1) as trial:
        again = Rerun(script, trial, labelled=kept)
        again.pictures(trial.frame(Moment(0, text).frame(), 1000 * i) for i, text in enumerate(seen))
    assert kept.count == 2, "the script does not say what lay there in the third"
    truth = json.loads((tmp_path / "kept" / "truth" / "turn-001.json").read_text())
    assert [tile["tile"] for tile in truth["tiles"]] == ["R10", "R11", "R12"], "not as it was misread"
    assert truth["tiles"][0]["corners"] == [list(corner) for corner in PLACES[0]]
    assert (truth["melds"], truth["melds_labelled"], truth["image"]) == ([[0, 1, 2]], True, "turn-001.jpg")
    assert (tmp_path / "kept" / "images" / "turn-001.jpg").exists()


def test_a_table_of_which_not_every_tile_is_known_is_not_labelled():
    rows = ((0, 1, 2), (3,))
    reading = TableReading(tuple(tile(word, i) for i, word in enumerate(["R10", "R11", "R12", "K1"])), rows, unseen=())
    assert labelled_tiles(reading, Table.parse(OPENS)) is None
    assert labelled_tiles(reading, Table.parse(f"{OPENS} / K1 / K2")) is None
    assert labelled_tiles(reading, Table.parse(f"{OPENS} / K1")) is not None


def test_labelled_pictures_are_never_mixed_with_others(tmp_path):
    for _ in range(2):
        LabelledPictures(tmp_path)  # empty ones do no harm
    (tmp_path / "truth" / "a.json").write_text("{}")
    with pytest.raises(InputError, match="holds labelled pictures already"):
        LabelledPictures(tmp_path)


def test_labelling_needs_a_script_with_tables(tmp_path):
    done = CliRunner().invoke(replay, [str(tmp_path), "--labelled", str(tmp_path / "kept")])
    assert done.exit_code == 2
    assert "--labelled needs a --script" in done.output


def test_without_a_script_the_first_picture_is_the_table_at_the_start():
    with Trial.open(Eyes(), PictureGate(), 1) as trial:
        again = Rerun(Script(RuleSet()), trial)
        again.pictures(trial.frame(Moment(0, text).frame(), 1000 * i) for i, text in enumerate((OPENS, OPENS)))
    assert [turn.said.verdict.ruling for turn in again.turns] == [Ruling.DRAW, Ruling.DRAW]


@pytest.mark.parametrize(
    "script", ["{", "{}", '{"players": ["Ana", "Ben"], "turns": [{"player": "Ana", "verdict": "fine"}]}', "[]"]
)
def test_what_is_no_script_is_refused(tmp_path, script):
    (tmp_path / "script.json").write_text(script)
    with pytest.raises(ValueError, match="no script"):
        Script.load(tmp_path / "script.json", RuleSet())


def test_a_recording_that_is_not_there_is_an_input_error(tmp_path):
    done = CliRunner().invoke(replay, [str(tmp_path / "none.mp4"), "--script", str(tmp_path / "none.json")])
    assert "cannot be read" in str(done.exception)
