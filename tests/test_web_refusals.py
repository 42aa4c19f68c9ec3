"""What the game does not allow is said in words that people use, in their language."""

import string

import pytest
from web_world import begin, make_world

from referee.errors import REFUSALS, GameError, Refusal
from referee.tiles import Tile
from web.sentences import LANGUAGES, REFUSED, sentences

FOR_SCRIPTS = {Refusal.STALE, Refusal.RACKS}


def fields(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_refusal_has_a_sentence_but_those_that_pages_answer_otherwise():
    assert set(Refusal) - REFUSED.keys() == FOR_SCRIPTS


@pytest.mark.parametrize("code", REFUSED, ids=str)
def test_a_sentence_names_only_what_the_refusal_knows(code):
    assert fields(REFUSED[code]) <= fields(REFUSALS[code])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_said_in_the_language_of_the_reader(language):
    words, error = sentences(language), GameError(Refusal.NOT_MISSING, tile="R7")
    ends = {"en": "is not missing.", "es": "no falta.", "de": "fehlt nicht.", "nl": "ontbreekt niet."}
    assert words.refusal(error).lower() == f"{words.tile(Tile.parse('R7'))} {ends[language]}"


def test_the_page_hears_it(tmp_path):
    world = make_world(tmp_path)
    begin(world)
    client = world.client()
    answer = client.post("/api/redo", {}, **{"Accept-Language": "es"})
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "no_redo")
    assert answer.json["error"]["message"] == "No hay nada que rehacer."
    world.desk.close()
