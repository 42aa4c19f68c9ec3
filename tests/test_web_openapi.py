"""The described interface and the real one stay together, and nothing that fits the description breaks the server."""

import json
import re
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_world import begin, make_world

OPENAPI = json.loads((Path(__file__).parents[1] / "docs" / "openapi.json").read_text(encoding="utf-8"))
SCHEMAS = OPENAPI["components"]["schemas"]
POSTS = sorted(path for path, methods in OPENAPI["paths"].items() if "post" in methods)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    made = make_world(tmp_path_factory.mktemp("openapi"))
    begin(made)
    yield made
    made.desk.close()


def test_every_route_is_described_and_every_described_one_is_there(world):
    routes = {
        (re.sub(r"<(?:[^:<>]*:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in world.app.url_map.iter_rules()
        if rule.rule.startswith("/api/") or rule.rule == "/healthz"
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {(path, method.upper()) for path, methods in OPENAPI["paths"].items() for method in methods}


def test_every_reference_leads_somewhere():
    text = json.dumps(OPENAPI)
    for reference in set(re.findall(r'"#/([^"]+)"', text)):
        found = OPENAPI
        for key in reference.split("/"):
            found = found.get(key, {})
        assert found, reference


def misfits(value, schema, where="$"):
    """Say where a value does not fit a schema, as far as this document's schemas go."""
    if "$ref" in schema:
        return misfits(value, SCHEMAS[schema["$ref"].rsplit("/", 1)[1]], where)
    if "anyOf" in schema:
        options = [misfits(value, one, where) for one in schema["anyOf"]]
        return [] if not all(options) else options[0]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": int | float, "boolean": bool}
    kinds["null"] = type(None)
    wanted = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if not any(isinstance(value, kinds[one]) and not (one == "integer" and isinstance(value, bool)) for one in wanted):
        return [f"{where} is {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where} is {value!r}"]
    return _inside(value, schema, where)


def _inside(value, schema, where):
    if isinstance(value, dict) and "properties" in schema:
        unknown = [f"{where}.{name} is not described" for name in value.keys() - schema["properties"].keys()]
        missing = [f"{where}.{name} is missing" for name in schema.get("required", []) if name not in value]
        parts = [
            misfits(value[name], part, f"{where}.{name}")
            for name, part in schema["properties"].items()
            if name in value
        ]
        return [*unknown, *missing, *chain.from_iterable(parts)]
    if isinstance(value, list):
        parts = (misfits(one, schema["items"], f"{where}[{place}]") for place, one in enumerate(value))
        return list(chain.from_iterable(parts))
    return []


def test_the_state_is_as_described_in_every_phase(world):
    client = world.client()
    states = [client.state]
    for path, body in (
        ("/api/done", {"table": "R3 R4 R6"}),
        ("/api/restored", {}),
        ("/api/done", {}),
        ("/api/end", {}),
    ):
        states.append(client.post(path, body).json["state"])
    client.post("/api/undo")
    assert [state["phase"] for state in states] == ["play", "restore", "play", "play", "ended"]
    assert [misfits(state, SCHEMAS["State"]) for state in states] == [[]] * 5


@pytest.mark.parametrize("path", ["/healthz", "/api/session", "/api/camera"])
def test_what_is_read_is_as_described(world, path):
    schema = OPENAPI["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert misfits(world.client().http.get(path).json, schema) == []


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
LIKELY = st.sampled_from(
    ["Ana", "Ben", "R7", "J", "-", "R3 R4 R5", "R1 / B1 B2", "legal", "pause", "add", "rrrummy", 0, 1, -1, True, [], {}]
)


def bodies(path):
    """Give bodies that have the described fields, filled with anything."""
    fields = OPENAPI["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"]
    return st.fixed_dictionaries({}, optional={name: LIKELY | ANY for name in fields if name != "version"})


@pytest.mark.parametrize("path", POSTS)
def test_no_body_breaks_the_server(world, path):
    client = world.client()

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(bodies(path))
    def no_body_does(body):
        answer = client.post(path, body)
        assert answer.status_code in {200, 400, 401, 404, 409, 413, 422, 429, 503}
        assert answer.status_code == 200 or re.fullmatch(r"[a-z_]+", answer.json["error"]["code"])

    no_body_does()


GETS = sorted(path for path, methods in OPENAPI["paths"].items() if "get" in methods and path != "/api/events")
WORDS = (
    st.text(max_size=12) | st.integers().map(str) | st.sampled_from(["before", "1", "0", "../..", "%2e%2e", "reading"])
)


@pytest.mark.parametrize("path", GETS)
def test_no_address_breaks_the_server(world, path):
    client = world.client()
    names = [parameter["name"] for parameter in OPENAPI["paths"][path]["get"].get("parameters", [])]

    @settings(max_examples=15 if names else 1, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.fixed_dictionaries(dict.fromkeys(names, WORDS)))
    def no_address_does(values):
        filled = re.sub(r"{(\w+)}", lambda field: quote(values.pop(field[1]), safe=""), path)
        answer = client.http.get(filled, query_string=values)
        assert answer.status_code in {200, 308, 400, 401, 403, 404, 503}

    no_address_does()
