import io
import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from web.sentences import LANGUAGES, TRANSLATIONS

WEB = Path(__file__).parents[1] / "web"
OTHERS = [code for code in LANGUAGES if code != "en"]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "_n": (1, 2)}
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
FIELD = re.compile(r"%\(\w+\)s|\{\w*\}")


@cache
def asked():
    """Give every sentence in the code and the templates; of a plural both forms."""
    found = extract_from_dir(WEB, METHODS, keywords=KEYWORDS)
    return {message for _, _, message, _, _ in found}


@cache
def catalogue(language):
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text):
    return text if isinstance(text, tuple) else (text,)


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_and_none_is_left_over(language):
    translated = {message.id for message in catalogue(language) if message.id and all(forms(message.string))}
    assert asked() - translated == set()
    assert translated - asked() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_fields_as_the_sentence(language):
    wrong = []
    for message in catalogue(language):
        sources = forms(message.id)
        for place, text in enumerate(forms(message.string)):
            source = sources[min(place, len(sources) - 1)]
            wrong += [source] if sorted(FIELD.findall(source)) != sorted(FIELD.findall(text)) else []
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_pybabel_can_compile_the_catalogue(language):
    assert [(message.id, errors) for message, errors in catalogue(language).check()] == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalogue_is_of_the_present_text(language):
    written = io.BytesIO()
    write_mo(written, catalogue(language))
    assert (TRANSLATIONS / language / "LC_MESSAGES" / "messages.mo").read_bytes() == written.getvalue()
