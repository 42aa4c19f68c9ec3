import string

import pytest
from evening import Evening

from referee import decisions
from referee.errors import REFUSALS, GameError, Refusal


def test_every_refusal_has_a_sentence():
    assert set(REFUSALS) == set(Refusal)


@pytest.mark.parametrize("refusal", Refusal)
def test_a_sentence_is_made_of_plain_fields_that_a_catalogue_can_translate(refusal):
    fields = {
        name for _, name, spec, how in string.Formatter().parse(REFUSALS[refusal]) if name and not spec + (how or "")
    }
    error = GameError(refusal, **dict.fromkeys(fields, "Ana"))
    assert str(error) == REFUSALS[refusal].format(**error.values)
    assert (error.code, set(error.values)) == (refusal, fields)


def test_an_error_says_why_in_a_code_and_its_values():
    with pytest.raises(GameError) as raised:
        Evening("Ana", "Ben").do(decisions.set_hand, "Cleo", 3)
    assert raised.value.code is Refusal.NO_PLAYER
    assert raised.value.values == {"name": "Cleo", "names": "'Ana', 'Ben'"}
    assert str(raised.value) == "'Cleo' does not play: there is 'Ana', 'Ben'"
