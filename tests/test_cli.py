import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from referee.tiles import JOKER
from web.cli import COMMANDS, main

RUN = [sys.executable, "-m", "web.cli"]


@pytest.fixture
def run(capsys):
    """Run the command line; gives exit code, standard output and standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return call


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=["none", *COMMANDS])
def test_every_command_tells_its_use(run, command):
    code, out, err = run(*command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: rummy-referee")


def test_a_demo_with_more_players_than_the_rules_allow_says_so(run):
    code, _, err = run("demo", "--no-serve", "--seed", "33", "--players", "6")
    assert code == 2
    assert err == "rummy-referee demo: 6 players: with these rules 2 to 5 can play\n"


def test_help_and_judge_load_neither_numpy_nor_flask():
    heavy = "{'numpy', 'cv2', 'flask', 'sqlalchemy'}"
    check = f"import sys, web.cli, web.commands.judge; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


LEGAL = ["judge", "--before", "-", "--after", "K10 R10 B10", "--not-opened"]
EXITS = [
    pytest.param(LEGAL, 0, id="legal"),
    pytest.param(["judge", "--before", "K1 R1 B1", "--after", "K1 R1 B1"], 0, id="draw"),
    pytest.param(["judge", "--before", "-", "--after", "R3 R4 R6"], 1, id="illegal"),
    pytest.param(["judge", "--before", "R3 R4 R5", "--after", "R3 R4 R5 R6|R9"], 4, id="unsure"),
    pytest.param(["judge", "--before", "-", "--after", "R1 R1 R1"], 4, id="impossible"),
    pytest.param(["judge", "--before", "-", "--after", "R1 R2 R3", "--hand", "2"], 4, id="more than the hand held"),
    pytest.param(["arrange", "--table", "R1 R2 R3"], 0, id="possible"),
    pytest.param(["arrange", "--table", "R1 B2"], 1, id="not possible"),
    pytest.param(["score", "--rack", "Ana=", "--rack", "Ben=R7 J"], 0, id="scored"),
    pytest.param(["rules"], 0, id="presets"),
    pytest.param(["rules", "tiles-50"], 0, id="one preset"),
]


@pytest.mark.parametrize(("arguments", "code"), EXITS)
def test_the_exit_code_is_the_answer(run, arguments, code):
    left, out, err = run(*arguments)
    assert (left, err) == (code, "")
    assert out


WRONG = [
    pytest.param(["judge", "--before", "-", "--after", "R14"], "'R14'", id="no tile"),
    pytest.param(["judge", "--before", "-", "--after", "X3"], "'X3'", id="no colour"),
    pytest.param(["judge", "--before", "-"], "--after", id="a side missing"),
    pytest.param(["judge", "--before", "-", "--before", "R1", "--after", "-"], "--before", id="two notations"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--rules", "poker"], "'poker'", id="no preset"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--set", "x=1"], "'x'", id="no option"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--set", "copies"], "'copies'", id="no value"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--rules", "none.toml"], "none.toml", id="no rules file"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--settings", "none.toml"], "none.toml", id="no settings"),
    pytest.param(["judge", "--cases", "none.json"], "none.json", id="no cases"),
    pytest.param(["judge", "--before", "-", "--after", "-", "--hand", "x"], "'x'", id="no number"),
    pytest.param(["score", "--rack", "Ana=R1", "--rack", "Ben=R2"], "empty", id="nobody went out"),
    pytest.param(["score", "--rack", "Ana=", "--rack", "Ben="], "'Ben'", id="two went out"),
    pytest.param(["score", "--rack", "Ana", "--rack", "Ben="], "'Ana'", id="no tiles given"),
    pytest.param(["arrange"], "--table", id="no table"),
    pytest.param(["rules", "poker"], "'poker'", id="rules of nothing"),
    pytest.param(["dance"], "'dance'", id="no command"),
    pytest.param(["run", "--port", "x"], "'x'", id="no port"),
]


@pytest.mark.parametrize(("arguments", "quoted"), WRONG)
def test_wrong_input_is_one_line_that_quotes_it_and_exit_2(run, arguments, quoted):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert quoted in err
    assert "Traceback" not in err


def test_a_bug_of_ours_is_not_called_a_wrong_input(monkeypatch):
    monkeypatch.setattr("web.commands.judge.judge_reading", lambda *_: int("bug"))
    with pytest.raises(ValueError, match="bug"):
        main(["judge", "--before", "-", "--after", "-"])


def test_judge_gives_the_document_of_the_contract(run):
    _, out, _ = run("judge", "--before", "R3 R4 R5", "--after", "R3 R4 R6", "--json")
    document = json.loads(out)
    assert list(document) == [
        "verdict",
        "played",
        "removed",
        "points",
        "opens",
        "faults",
        "notes",
        "doubts",
        "consequence",
    ]
    assert document["played"] == ["R6"]
    assert list(document["faults"][0]) == ["code", "paragraph", "meld", "tiles", "message"]
    assert document["consequence"] == {"restore": True, "draw": 3}


def test_judge_gives_its_doubts_with_what_each_answer_leads_to(run):
    _, out, _ = run("judge", "--before", "R3 R4 R5", "--after", "R3 R4 R5 R6|R9", "--json")
    (doubt,) = json.loads(out)["doubts"]
    assert doubt["answers"] == [{"tile": "R6", "verdict": "legal"}, {"tile": "R9", "verdict": "illegal"}]
    assert (doubt["side"], doubt["index"], doubt["code"]) == ("after", 3, "six_or_nine")


def test_rule_options_are_changed_on_the_command_line(run):
    code, out, _ = run(*LEGAL, "--set", "opening_points=50", "--json")
    assert (code, json.loads(out)["faults"][0]["code"]) == (1, "opening_too_low")


def test_score_gives_the_document_of_the_contract(run):
    _, out, _ = run("score", "--rack", "Ana=", "--rack", f"Ben=R7 {JOKER}", "--json")
    assert json.loads(out) == {
        "winner": "Ana",
        "winners": ["Ana"],
        "totals": {"Ana": 0, "Ben": 37},
        "scores": {"Ana": 37, "Ben": -37},
    }


def test_arrange_gives_the_document_of_the_contract(run):
    _, out, _ = run("arrange", "--table", "R1 R2 R3", "--rack", "R4 K9", "--json")
    assert json.loads(out) == {
        "possible": True,
        "table": "R1 R2 R3 R4",
        "played": ["R4"],
        "left": ["K9"],
        "changed_melds": 1,
    }
    _, out, _ = run("arrange", "--table", "R1 B2", "--json")
    assert json.loads(out)["table"] is None


def test_rules_gives_the_document_of_the_contract(run):
    _, out, _ = run("rules", "tiles-50", "--json")
    document = json.loads(out)
    assert list(document) == ["preset", "options", "paragraphs"]
    assert document["options"]["opening_points"] == 50
    assert document["paragraphs"][0].keys() == {"number", "text"}


def test_the_environment_chooses_the_rules(run, monkeypatch):
    monkeypatch.setenv("RUMMY_REFEREE_RULES", "tiles-50")
    assert run(*LEGAL)[0] == 1


def test_an_interruption_is_exit_130(run, monkeypatch):
    def interrupted(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("web.commands.rules.document", interrupted)
    assert run("rules", "tiles-50", "--json")[0] == 130


@pytest.fixture
def served(tmp_path):
    """A referee that serves on a free port, and its address."""
    command = [*RUN, "run", "--players", "Ana,Ben", "--port", "0", "--no-browser", "--data", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline().strip()
    yield process, line.removeprefix("Serving on ")
    process.kill()
    process.communicate()


def test_run_says_where_it_serves_once_it_does_and_ends_with_0_when_told(served):
    process, address = served
    with urllib.request.urlopen(f"{address}/healthz") as answer:  # noqa: S310 -- our own server
        assert answer.status == 200
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


def test_an_open_stream_does_not_hold_up_the_end(served):
    process, address = served
    stream = urllib.request.urlopen(f"{address}/api/events")  # noqa: S310 -- our own server
    assert stream.readline() == b"retry: 2000\n"
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    stream.close()
    assert process.returncode == 0
    assert time.monotonic() - start < 30


def test_a_port_that_is_taken_is_said_in_one_line(run, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = run("run", "--port", str(port), "--data", str(tmp_path), "--no-browser")
    assert (code, out, err.count("\n"), str(port) in err) == (2, "", 1, True)


def test_a_database_in_use_is_exit_3(served, run, tmp_path):
    code, _, err = run("run", "--port", "0", "--data", str(tmp_path), "--no-browser")
    assert (code, err.count("\n")) == (3, 1)


def test_a_data_folder_that_cannot_be_made_is_said(run, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = run("run", "--data", str(tmp_path / "file" / "x"), "--no-browser")
    assert (code, err.count("\n"), "--data" in err) == (2, 1, True)
