import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from web.cli import COMMANDS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:^    .+\n)+", README, re.MULTILINE)
OURS = [sys.executable, "-c", "from web.cli import main; main()"]


def steps(block):
    """The commands of a block, joined by &&, as words."""
    return [shlex.split(part) for part in block.strip().split("&&")]


def ours(words):
    assert words[0] == ".venv/bin/rummy-referee"
    return [*OURS, *words[1:]]


def test_the_first_screen_has_the_two_commands_and_a_picture():
    screen = README[: README.index("## What it does")]
    assert len(re.findall(r"(?:^    .+\n)+", screen, re.MULTILINE)) == 2
    picture = re.search(r"!\[.+\]\((.+)\)", screen).group(1)
    assert (ROOT / picture).is_file()


def test_both_commands_begin_on_a_fresh_machine():
    for block in BLOCKS[:2]:
        first, install = steps(block)[:2]
        assert first == ["python3", "-m", "venv", ".venv"]
        assert install[:3] == [".venv/bin/pip", "install", "-q"]


def test_the_first_command_serves_a_table_that_is_played():
    demo = [*ours(steps(BLOCKS[0])[2]), "--port", "0", "--no-browser"]
    with subprocess.Popen(demo, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            address = next(m.group(1) for line in process.stdout if (m := re.search(r"Serving on (http://\S+)", line)))
            with urllib.request.urlopen(f"{address}/api/state", timeout=20) as answer:  # noqa: S310
                assert json.load(answer)["phase"] == "play"
        finally:
            process.terminate()
            process.communicate(timeout=30)


def test_the_tests_command_is_the_one_that_ci_runs():
    command = BLOCKS[1].strip()
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`rummy-referee (\w+)", README))))
def test_commands_named_in_the_readme_exist(name):
    assert name in COMMANDS
