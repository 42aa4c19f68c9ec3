from pathlib import Path

import pytest

from web.settings import OPTIONS, Settings, SettingsError, example, is_loopback

EXAMPLE = Path(__file__).parents[1] / "referee.example.toml"


def test_without_anything_every_option_is_at_its_default():
    assert Settings.load({}, {}) == Settings()


def test_the_example_file_lists_every_option_at_its_default_and_is_up_to_date():
    assert EXAMPLE.read_text(encoding="utf-8") == example()
    assert Settings.load({}, {}, EXAMPLE) == Settings()
    assert all(f"\n{name} = " in example() for name in OPTIONS)


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path):
    file = tmp_path / "referee.toml"
    file.write_text('port = 1\nhost = "a"\nlanguage = "de"\n')
    environment = {"RUMMY_REFEREE_PORT": "2", "RUMMY_REFEREE_HOST": "b"}
    settings = Settings.load({"port": "3"}, environment, file)
    assert (settings.port, settings.host, settings.language) == (3, "b", "de")


def test_the_file_of_the_working_folder_is_read_without_being_asked_for(tmp_path, monkeypatch):
    (tmp_path / "referee.toml").write_text("port = 81\n")
    monkeypatch.chdir(tmp_path)
    assert Settings.load({}, {}).port == 81


KINDS = [
    pytest.param("RUMMY_REFEREE_BROWSER", "no", "browser", False, id="flag"),
    pytest.param("RUMMY_REFEREE_PLAYERS", "Ana, Ben,", "players", ("Ana", "Ben"), id="list"),
    pytest.param("RUMMY_REFEREE_CAMERA", "0", "camera", "0", id="text"),
    pytest.param("RUMMY_REFEREE_CLIENTS", "7", "clients", 7, id="number"),
]


@pytest.mark.parametrize(("variable", "text", "name", "value"), KINDS)
def test_a_variable_is_read_in_the_type_of_its_option(variable, text, name, value):
    assert getattr(Settings.load({}, {variable: text}), name) == value


WRONG = [
    pytest.param({"port": "x"}, "'x'", id="no number"),
    pytest.param({"port": True}, "True", id="a flag for a number"),
    pytest.param({"port": 70000}, "0 to 65535", id="out of range"),
    pytest.param({"browser": "perhaps"}, "yes or no", id="no flag"),
    pytest.param({"players": [1]}, "[1]", id="no list of texts"),
    pytest.param({"camera": []}, "[]", id="no text"),
    pytest.param({"colour": 1}, "'colour'", id="no option"),
]


@pytest.mark.parametrize(("flags", "quoted"), WRONG)
def test_what_cannot_be_is_refused_and_quoted(flags, quoted):
    with pytest.raises(SettingsError) as error:
        Settings.load(flags, {})
    assert quoted in str(error.value)


@pytest.mark.parametrize("text", ["port = ", "port = 1\nport = 2", None], ids=["broken", "twice", "missing"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, text):
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SettingsError, match=r"mine\.toml"):
        Settings.load({}, {}, file)


HOSTS = [
    ("127.0.0.1", True),
    ("127.8.9.1", True),
    ("::1", True),
    ("localhost", True),
    ("0.0.0.0", False),  # noqa: S104
    ("10.0.0.5", False),
    ("::", False),
    ("tablet", False),
]


@pytest.mark.parametrize(("host", "is_own"), HOSTS)
def test_loopback_addresses_are_known(host, is_own):
    assert is_loopback(host) is is_own


def test_database_and_data_have_their_places(tmp_path):
    settings = Settings(data=str(tmp_path))
    assert settings.database_file == tmp_path / "games.db"
    assert Settings(database="x.db").database_file == Path("x.db")
