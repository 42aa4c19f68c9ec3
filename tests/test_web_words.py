"""The page's scripts and the texts they ask for stay together."""

import re
from pathlib import Path

import pytest

from web.words import WORDS

STATIC = Path(__file__).parents[1] / "web" / "static"
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
ASKED = re.compile(r"\bsay\(\s*(?:[\w.]+ \? )?'([^']+)'(?: : '([^']+)')?\s*([,)+])")
BUILT = {"camera ": "camera", "really overrule ": "overrule", "light ": "light"}


def asked(script):
    """Give the keys that a script asks for; those that end in a blank are built from parts."""
    return {key for match in ASKED.finditer(script.read_text()) for key in match.groups()[:2] if key}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_text_a_script_asks_for_is_there(script):
    plain = {key for key in asked(script) if not key.endswith(" ")}
    assert plain <= WORDS.keys()


def test_no_text_is_there_that_nobody_asks_for():
    code = "".join(script.read_text() for script in SCRIPTS)
    unused = {key for key in WORDS if f"'{key}'" not in code and not any(key.startswith(part) for part in BUILT)}
    assert unused == set()


# Safari 12 has none of these.
TOO_NEW = [
    pytest.param(r"\?\.[\w(\[]", id="optional chaining"),
    pytest.param(r"\?\?", id="nullish coalescing"),
    pytest.param(
        r"\.replaceAll\(|\.at\(|\.flat\(|replaceChildren|structuredClone|Object\.fromEntries", id="newer methods"
    ),
    pytest.param(r"^\s+(static )?#?\w+ = [^;]+;$(?=[\s\S]*\n  constructor)", id="class fields"),
    pytest.param(r"ResizeObserver|pointerdown|pointerup", id="newer interfaces"),
    pytest.param(r"\bawait (?=[^;]*$)(?<!async )import\(|^await ", id="top-level await"),
    pytest.param(r"\binnerHTML|insertAdjacentHTML|\beval\(|new Function|document\.write", id="markup from text"),
]


@pytest.mark.parametrize("pattern", TOO_NEW)
def test_scripts_keep_to_what_safari_12_knows_and_make_no_markup_from_text(pattern):
    offenders = [script.name for script in SCRIPTS if re.search(pattern, script.read_text(), re.MULTILINE)]
    assert offenders == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"clamp\(",
        r":is\(|:where\(|:has\(",
        r"(?<!-)aspect-ratio:",
        r"\binset:",
        r"(?<![\w-])gap:",
        r"@layer|@container",
        r"^\s*&",
    ],
)
def test_styles_keep_to_what_safari_12_knows(pattern):
    sheets = {
        path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for path in (STATIC / "css").glob("*.css")
    }
    assert [name for name, text in sheets.items() if re.search(pattern, text, re.MULTILINE)] == []


def test_all_scripts_and_styles_together_stay_light():
    light = sum(path.stat().st_size for path in STATIC.rglob("*") if path.suffix in {".js", ".css", ".woff2", ".svg"})
    assert light < 150_000
