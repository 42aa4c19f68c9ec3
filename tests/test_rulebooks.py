"""The rulebook in every language of the pages: the same paragraphs, the same cases, the same values told."""

import re
import tomllib
from importlib.resources import files

import pytest

from referee.rules import PRESETS, preset
from web.sentences import LANGUAGES

OTHERS = [code for code in LANGUAGES if code != "en"]
FIELD = re.compile(r"\{\w+\}")


def rulebook(language):
    return tomllib.loads((files("referee") / "rulebook" / f"{language}.toml").read_text(encoding="utf-8"))


def cases(book):
    """Give what every sentence of a rulebook is for, and the values that it tells."""
    found = {}
    for number, entry in book.items():
        for part, words in entry.items():
            for case, text in words.items() if isinstance(words, dict) else [("", words)]:
                found[number, part, case] = (bool(text), sorted(set(FIELD.findall(text))))
    return found


@pytest.mark.parametrize("language", OTHERS)
def test_a_translated_rulebook_has_the_same_cases_and_values(language):
    english, other = cases(rulebook("en")), cases(rulebook(language))
    assert list(rulebook(language)) == list(rulebook("en"))
    assert english.keys() - other.keys() == set()
    assert {key for key in english if english[key] != other[key]} == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", PRESETS)
def test_every_translated_paragraph_says_something_under_every_preset(name, language):
    for _, text in preset(name).paragraphs(language):
        assert text.endswith((".", "!"))
        assert "{" not in text


@pytest.mark.parametrize("language", OTHERS)
def test_no_paragraph_was_left_in_english(language):
    english = dict(preset("rrrummy").paragraphs())
    assert [number for number, text in preset("rrrummy").paragraphs(language) if text == english[number]] == []
