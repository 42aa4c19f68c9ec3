from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from referee.table import Table
from referee.tiles import Tile
from vision.decode import Decoded, Evidence, Preference, decode, one_witness
from vision.inventory import Counts, Inventory
from vision.legal_rows import FACE_COUNT, FACES, JOKER_INDEX, legal_sequences
from vision.rows import Layout


def face(word: str) -> int:
    return FACES.index(Tile.parse(word))


def faces(text: str, rest: float = 0.01) -> np.ndarray:
    """Probabilities (n, 53) of words like `R3` or `R3:.6|R5:.3`; what is left is spread over all faces."""
    found = []
    for word in text.replace("/", " ").split():
        named = [choice.partition(":") for choice in word.split("|")]
        row = np.full(FACE_COUNT, 0.0)
        for name, _, chance in named:
            row[face(name)] = float(chance) if chance else 1 - rest
        found.append(row + max(1 - row.sum(), 0) / FACE_COUNT)
    return np.array(found)


def layout(text: str, turned: str = "") -> Layout:
    """Rows of words divided by `/`; `turned` has a `d` for each tile that lies half-turned in its row."""
    lengths = [len(row.split()) for row in text.split("/")]
    ends = np.cumsum([0, *lengths])
    known = Layout.of(range(a, b) for a, b in pairwise(ends))
    return replace(known, turned=tuple(c == "d" for c in turned) or known.turned)


def read(text: str, **options) -> Decoded:
    return decode(Evidence.of(faces(text)), layout(text), **options)


def notation(decoded: Decoded) -> str:
    return " / ".join(" ".join(str(FACES[decoded.said[i]]) for i in row) for row in decoded.rows)


def chance(decoded: Decoded, tile: int, word: str) -> float:
    return float(decoded.probabilities[tile, face(word)])


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        pytest.param("R3 R4 R5", "R3 R4 R5", id="clear"),
        pytest.param("R3 R4 R6:.6|R5:.35", "R3 R4 R5", id="run"),
        pytest.param("K7 B7 R7:.55|O7:.4 / R7 R7", "K7 B7 O7 / R7 R7", id="group, and no third R7"),
        pytest.param("K7 B7 B7:.6|O7:.35", "K7 B7 O7", id="no colour twice"),
        pytest.param("R3 R4 K5:.5|J:.45", "R3 R4 J", id="joker"),
        pytest.param("R3 R4 R6", "R3 R4 R6", id="illegal and clear"),
        pytest.param("R3 R4 R6:.97|R5:.02", "R3 R4 R6", id="illegal and read well"),
        pytest.param("R12 R13 R1:.9|R11:.09", "R12 R13 R1", id="3.3 stays a fault"),
        pytest.param("R3 K9", "R3 K9", id="two tiles have no preference"),
        pytest.param("J:.6|O8:.38", "J", id="a tile alone has none"),
    ],
)
def test_the_rules_weigh_against_weak_readings_alone(seen: str, said: str):
    assert notation(read(seen)) == said


@pytest.mark.parametrize("alone", [0.9, 0.95, 0.99, 0.999])
def test_no_preference_takes_more_than_its_odds(alone: float):
    """An illegal row keeps P / (P + 15 (1 - P)), even where it lay on the table before and all else is legal."""
    evidence = faces(f"R3 R4 R6:{alone}|R5:{1 - alone}", rest=1e-9)
    told = decode(
        Evidence.of(evidence), layout("R3 R4 R6"), last=Table.parse("R3 R4 R5"), preference=Preference(missing=1)
    )
    bound = alone / (alone + 15 * (1 - alone))
    assert chance(told, 2, "R6") == pytest.approx(bound, rel=0.01)


def exact(joint: np.ndarray, rows: Layout, preference: Preference, counts: Counts, kept: int) -> np.ndarray:
    """Sum over all tables of the `kept` likeliest faces of each tile: (n, 53), for tiles that lie one way up."""
    favoured = {len(row): legal_sequences(len(row)).by_row() for row in rows.rows}
    options = [np.argsort(-tile)[:kept] for tile in joint]
    found = np.zeros_like(joint)
    for table in product(*options):
        weight = np.prod(joint[np.arange(len(joint)), table])
        for row in rows.rows:
            back = tuple(int(table[i]) for i in row)
            weight *= 1 + (preference.legal - 1) * favoured[len(row)].get(back, 0.0)
        shown = np.bincount(table, minlength=FACE_COUNT)
        weight *= np.exp(sum(counts.settled(face, n, 0)[1][n] for face, n in enumerate(shown)))
        found[np.arange(len(joint)), table] += weight
    return found / found.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(6))
def test_marginals_are_those_of_the_model(seed: int):
    """Against the sum over all tables, for tables in which a few faces are wanted by many tiles."""
    rng = np.random.default_rng(seed)
    hands = [face(word) for word in ("R6", "R7", "R8", "K7", "B7", "O7", "J")]
    joint = np.full((7, FACE_COUNT), 1e-9)
    for tile in joint:
        tile[rng.choice(hands, 4, replace=False)] = rng.dirichlet(np.full(4, 0.6))
    rows, preference = Layout.of([(0, 1, 2), (3, 4, 5), (6,)]), Preference(same_way_up=1 - 1e-12)
    told = decode(Evidence(np.stack([joint, joint * 1e-12], axis=1), np.ones(7)), rows, preference=preference)
    counts = Counts.of(Inventory(), None, preference.excess, preference.missing)
    assert told.probabilities == pytest.approx(exact(joint, rows, preference, counts, 4), abs=0.004)


def test_three_that_are_read_well_stay_three():
    told = read("R7 K1 / R7 K2 / R7 K3", preference=Preference(excess=0.05))
    assert notation(told) == "R7 K1 / R7 K2 / R7 K3"


def test_the_weakest_of_three_gives_way_where_the_set_holds_two():
    told = read("R7:.95|O7:.03 K1 / R7:.95|O7:.03 K2 / R7:.8|O7:.15 K3")
    assert notation(told) == "R7 K1 / R7 K2 / O7 K3"


def test_a_big_set_holds_three():
    told = read("R7:.95|O7:.03 K1 / R7:.95|O7:.03 K2 / R7:.8|O7:.15 K3", inventory=Inventory(copies=3, jokers=4))
    assert notation(told) == "R7 K1 / R7 K2 / R7 K3"


def test_what_lay_on_the_table_is_looked_for():
    assert notation(read("K7:.6|B7:.35 R1")) == "K7 R1"
    assert notation(read("K7:.6|B7:.35 R1", last=Table.parse("B7 R2"))) == "B7 R1"


def test_a_row_that_lay_there_lies_there_still():
    before = Table.parse("K9 R9 B9")
    assert notation(read("K9 R9:.5|O9:.48 B9", last=before)) == "K9 R9 B9"
    assert notation(read("K9 R9:.4|O9:.58 B9")) == "K9 O9 B9"


def six_or_nine(words: str, ways: str) -> Evidence:
    """Evidence in which every 6 is a 9 upside down; `ways`: u up, d down, ? unknown, as the tile itself shows."""
    given = faces(words, rest=0.001)
    other = np.full_like(given, 1 / FACE_COUNT)
    for k, word in enumerate(words.replace("/", " ").split()):
        if word[1:] in ("6", "9"):
            other[k] = faces(word[0] + {"6": "9", "9": "6"}[word[1:]], rest=0.001)[0]
    shares = {"u": (0.999, 0.001), "d": (0.001, 0.999), "?": (0.5, 0.5)}
    return Evidence.of(np.stack([given, other], axis=1), [shares[way] for way in ways])


@pytest.mark.parametrize(
    ("words", "ways", "turned", "said"),
    [
        pytest.param("R6 K2", "?u", "", "R6 K2", id="a neighbour tells"),
        pytest.param("R6 K2", "?u", "d.", "R9 K2", id="a neighbour tells, against the corners"),
        pytest.param("R6 R7 R8", "???", "", "R6 R7 R8", id="a run tells"),
        pytest.param("R9 R7 R8", "???", "", "R6 R7 R8", id="a run tells, against the corners"),
        pytest.param("R6 K2", "du", "", "R9 K2", id="a mark on the tile tells"),
        pytest.param("B6 K6 R6 / O2 K3", "?u?uu", "", "B6 K6 R6 / O2 K3", id="one of a group tells"),
    ],
)
def test_six_and_nine(words: str, ways: str, turned: str, said: str):
    assert notation(decode(six_or_nine(words, ways), layout(words, turned))) == said


def test_a_row_lies_as_the_other_rows_do():
    told = decode(six_or_nine("R6 / K2 K3 K4 / B2 B3 B4 / O5 O3 R2", "?uuuuuuuuu"), layout("a / b c d / e f g / h i j"))
    assert chance(told, 0, "R6") > 0.7
    crossing = replace(layout("a / b c d / e f g / h i j"), facing=((0.0, 1.0), *[(1.0, 0.0)] * 3))
    told = decode(six_or_nine("R6 / K2 K3 K4 / B2 B3 B4 / O5 O3 R2", "?uuuuuuuuu"), crossing)
    assert chance(told, 0, "R6") == pytest.approx(0.5, abs=0.02)
    against = replace(layout("a / b c d / e f g / h i j"), facing=((-1.0, 0.0), *[(1.0, 0.0)] * 3))
    told = decode(six_or_nine("R6 / K2 K3 K4 / B2 B3 B4 / O5 O3 R2", "?uuuuuuuuu"), against)
    assert chance(told, 0, "R9") > 0.7


def test_three_sixes_that_look_turned_are_hardly_surer_than_one():
    one, three = one_witness(weak_six("R6")), one_witness(weak_six("R6 B6 K6"))
    assert one[0, 1].sum() == pytest.approx(0.9, abs=0.01)
    assert three[0, 1].sum() == pytest.approx(0.9**0.417 / (0.9**0.417 + 0.1**0.417), abs=0.01)
    told = one_witness(weak_six("R4 B4 K4"))
    assert told[0, 1].sum() == pytest.approx(0.9, abs=0.01), "a 4 is no number the other way up"


def weak_six(words):
    given = faces(words)
    return Evidence.of(np.stack([given, given], axis=1), [(0.1, 0.9)] * len(given)).joint


def test_a_six_alone_is_a_six_or_a_nine():
    told = decode(six_or_nine("R6", "?"), layout("R6"))
    assert chance(told, 0, "R6") == pytest.approx(0.5, abs=0.02)
    assert chance(told, 0, "R9") == pytest.approx(0.5, abs=0.02)


def test_way_up_is_told_with_the_faces():
    told = decode(six_or_nine("R9 R7 R8", "???"), layout("R9 R7 R8"))
    assert told.turned[0] == pytest.approx(chance(told, 0, "R6"), abs=0.02)
    assert told.turned[0] > 0.5 > told.turned[1:].max()


def test_a_row_whose_tiles_all_lie_turned_is_read_from_the_other_side():
    given = faces("K5 K4 K3")
    told = decode(Evidence.of(np.stack([given, given], axis=1), [(0.01, 0.99)] * 3), layout("a b c"))
    assert told.rows == ((2, 1, 0),)
    assert notation(told) == "K3 K4 K5"
    assert (told.turned > 0.95).all()


@pytest.mark.parametrize(
    ("seen", "gaps", "said"),
    [
        pytest.param("K7 B7 R7 R3 R4 R5", (0,) * 5, "K7 B7 R7 / R3 R4 R5", id="3.8 two melds that touch"),
        pytest.param("R1 R2 R3 R4 R5 R6", (0,) * 5, "R1 R2 R3 R4 R5 R6", id="one meld is not cut"),
        pytest.param("R3 R4 R5 K9", (0,) * 3, "R3 R4 R5 K9", id="a stray tile that touches"),
        pytest.param("R3 R4 R5 K9", (0, 0, 0.34), "R3 R4 R5 / K9", id="a stray tile with a gap"),
        pytest.param("R3 R4 R6 K9 O1 O2", (0,) * 5, "R3 R4 R6 K9 O1 O2", id="no valid melds"),
        pytest.param("K7 B7 R7 R3 R4 R5 O1 O2 O3", (0,) * 8, "K7 B7 R7 / R3 R4 R5 / O1 O2 O3", id="three melds"),
    ],
)
def test_3_8_rows_in_one_line(seen: str, gaps: tuple[float, ...], said: str):
    known = Layout.of([range(len(gaps) + 1)], [gaps])
    assert notation(decode(Evidence.of(faces(seen)), known)) == said


def test_3_8_what_was_cut_is_told():
    assert read("K7 B7 R7 R3 R4 R5 / O1 O2 O3").cut == ((0, 1),)
    assert read("O1 O2 O3").cut == ()


def test_a_tile_that_can_not_be_read_may_be_anything():
    nothing = np.zeros((1, 2, FACE_COUNT))
    told = decode(Evidence.of(nothing, [(0.5, 0.5)]), Layout.of([(0,)]))
    assert told.probabilities[0] == pytest.approx(np.full(FACE_COUNT, 1 / FACE_COUNT))


def test_a_tile_that_is_hardly_there_takes_nobodys_place():
    words = "R7:.95|O7:.03 K1 / R7:.95|O7:.03 K2 / R7:.8|O7:.15 K3"
    presence = [1, 1, 1, 1, 0.2, 1]
    told = decode(Evidence.of(faces(words), presence=presence), layout(words))
    assert chance(told, 0, "R7") > 0.94


def test_an_empty_table_is_empty():
    told = decode(Evidence.of(np.zeros((0, 2, FACE_COUNT)), np.zeros((0, 2)), np.zeros(0)), Layout())
    assert (told.rows, len(told.said)) == ((), 0)


def test_layout_and_evidence_are_of_the_same_tiles():
    with pytest.raises(ValueError, match="the layout has 3 tiles, the evidence 2"):
        decode(Evidence.of(faces("R3 R4")), layout("R3 R4 R5"))


def test_jokers_are_counted_as_the_set_has_them():
    told = read("R3 J J:.9|R5:.08 / K3 K4 J:.7|K5:.25")
    assert notation(told) == "R3 J J / K3 K4 K5"
    assert FACES[JOKER_INDEX].is_joker
