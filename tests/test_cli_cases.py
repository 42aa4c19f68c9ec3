import json
from pathlib import Path

import pytest

from web.cli import main

CASES = Path(__file__).parents[2] / "shared" / "cases" / "judge.json"


def results(capsys, file):
    with pytest.raises(SystemExit) as left:
        main(["judge", "--cases", str(file), "--json"])
    assert left.value.code == 0
    return json.loads(capsys.readouterr().out)["results"]


@pytest.mark.shared
@pytest.mark.skipif(not CASES.exists(), reason="the folder ../shared is not here")
def test_every_shared_case_is_judged_as_expected(capsys):
    cases = json.loads(CASES.read_text())
    wrong = []
    for case, said in zip(cases, results(capsys, CASES), strict=True):
        shown = {**said, "codes": list(dict.fromkeys(fault["code"] for fault in said["faults"]))}
        wrong += [case["id"]] if {key: shown[key] for key in case["expect"]} != case["expect"] else []
    assert wrong == []


BAD_CASES = [
    pytest.param({"before": "-"}, "case", "'after'", id="no after"),
    pytest.param({"before": "-", "after": "R14"}, "notation", "'R14'", id="no tile"),
    pytest.param({"before": "-", "after": "-", "rules": "poker"}, "rule", "'poker'", id="no preset"),
    pytest.param({"before": "-", "after": "-", "options": {"x": 1}}, "rule", "'x'", id="no option"),
    pytest.param({"before": "-", "after": "-", "hand": True}, "case", "'hand'", id="hand no number"),
    pytest.param({"before": "-", "after": "-", "hand": -1}, "case", "'hand'", id="hand below zero"),
    pytest.param({"before": 3, "after": "-"}, "case", "'before'", id="before no text"),
    pytest.param("nothing", "case", "'nothing'", id="no object"),
]


@pytest.mark.parametrize(("case", "code", "quoted"), BAD_CASES)
def test_a_case_that_cannot_be_read_is_answered_and_the_rest_goes_on(capsys, tmp_path, case, code, quoted):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([case, {"id": 2, "before": "-", "after": "K1 R1 B1"}]))
    bad, good = results(capsys, file)
    assert bad["error"]["code"] == code
    assert quoted in bad["error"]["message"]
    assert (good["id"], good["verdict"]) == (2, "legal")


@pytest.mark.parametrize("text", ["{}", "no json", "[" * 5000], ids=["object", "broken", "deep"])
def test_a_file_that_is_no_list_of_cases_is_one_line_and_exit_2(capsys, tmp_path, text):
    file = tmp_path / "cases.json"
    file.write_text(text)
    with pytest.raises(SystemExit) as left:
        main(["judge", "--cases", str(file), "--json"])
    said = capsys.readouterr()
    assert left.value.code == 2
    assert (said.out, said.err.count("\n")) == ("", 1)
