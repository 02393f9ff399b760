from __future__ import annotations

import json
import os
import pwd
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dreamd import config
from dreamd.domain.settings import EngineChoice, Settings, each_setting, hours_of_day
from dreamd.errors import ConfigError, UsageError
from tests.laptop import Laptop

KEYS = {each.key for each in each_setting(Settings())}
HOURS = "gates.quiet must be two different times of day as in 22:00-07:00, or empty for none"


class Home:
    """A home of one's own: its configuration file, and loading with an environment."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.file = home / ".config" / "dreamd" / "config.yaml"
        self.file.parent.mkdir(parents=True)

    def load(
        self,
        text: str | bytes | None = None,
        variables: Mapping[str, str] | None = None,
        flags: Mapping[str, str] | None = None,
    ) -> config.Loaded:
        if text is not None:
            self.file.write_bytes(text.encode() if isinstance(text, str) else text)
        return config.load({"HOME": str(self.home), **(variables or {})}, flags)

    def refused(
        self, text: str | bytes | None = None, variables: Mapping[str, str] | None = None
    ) -> str:
        with pytest.raises(ConfigError) as caught:
            self.load(text, variables)
        assert caught.value.exit_code == 78
        assert "\n" not in str(caught.value)
        return str(caught.value)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_every_setting_has_a_default_and_is_read_from_file_and_environment(home: Home) -> None:
    loaded = home.load()
    assert (loaded.settings, loaded.memory) == (Settings(), None)
    assert set(loaded.sources) >= KEYS
    assert set(loaded.sources.values()) == {"default"}
    for setting in each_setting(Settings()):
        name = "DREAMD_" + setting.key.upper().replace(".", "__")
        word = str(setting.value)
        assert home.load("", {name: word}).sources[setting.key] == name
        *section, last = setting.key.split(".")
        nested = f"{section[0]}:\n  {last}: {word}\n" if section else f"{last}: {word}\n"
        loaded = home.load(nested)
        assert loaded.settings == Settings()
        assert loaded.sources[setting.key] == "config.yaml"
    loaded = home.load("engine: auto\n", {"DREAMD_ENGINE": "model"}, {"engine": "rules"})
    assert (loaded.settings.engine, loaded.sources["engine"]) == ("rules", "flag")


def test_nothing_stands_in_for_a_model_unless_allowed_where_it_is_named(home: Home) -> None:
    rules, none = {"DREAMD_FALLBACK": "rules"}, {"DREAMD_FALLBACK": "none"}
    for flag, in_file, variables, falls_back in (
        ("", "", {}, False),
        ("", "fallback: rules", {}, True),
        ("", "fallback: rules", none, False),
        ("model", "fallback: rules", {}, False),
        ("model", "", rules, True),
        ("claude-cli", "fallback: rules", rules, True),
    ):
        flags = {"engine": flag} if flag else {}
        loaded = home.load(f"engine: model\n{in_file}\n", variables, flags)
        assert loaded.falls_back is falls_back, (flag, in_file, variables)


def test_weights_that_no_score_could_be_made_of_are_refused_with_the_arithmetic(home: Home) -> None:
    with pytest.raises(ConfigError) as caught:
        home.load("evidence:\n  relevance: 0.2\n")
    assert str(caught.value) == (
        "evidence: the weights 0.2 (relevance) + 0.24 (frequency) + 0.15 (diversity) + "
        "0.15 (recency) + 0.1 (consolidation) + 0.06 (richness) sum to 0.9, so that no claim "
        "could score more than 0.9; they must sum to 1"
    )
    with pytest.raises(ConfigError, match=r"sum to 1\.1, so that scores would go beyond 1"):
        home.load("", {"DREAMD_EVIDENCE__RICHNESS": "0.16"})
    moved = home.load("evidence:\n  relevance: 0.2\n  frequency: 0.34\n").settings.evidence
    assert (moved.relevance, moved.frequency) == (0.2, 0.34)


def test_the_kill_switch_understands_the_usual_words(home: Home) -> None:
    words = {True: ["true", "Yes", "on", "1"], False: ["FALSE", "no", "off", "0", " false "]}
    for meant, word in ((meant, word) for meant, every in words.items() for word in every):
        assert home.load(variables={"DREAMD_ENABLED": word}).settings.enabled is meant
        assert home.load(f"enabled: {word}\n").settings.enabled is meant


FAULTS: list[tuple[str | bytes | None, dict[str, str], list[str]]] = [
    ("engin: rules\n", {}, ["'engin'", "did you mean engine?"]),
    ("budget:\n  index_line: 3\n", {}, ["'budget.index_line'", "did you mean budget.index_l"]),
    ("\nindex_lines: 3\n", {}, ["'index_lines'", "did you mean budget.index_lines?"]),
    ("xyzzy: 1\n", {}, ["'xyzzy'", "known are enabled, engine, budget.memory_bytes"]),
    ("engine: rule\n", {}, ["engine must be one of auto, model, rules", "'rule'"]),
    ("enabled:\n", {}, ["enabled must be true or false", "''"]),
    ("budget:\n  files: 1\n", {}, ["a whole number of files from 2 to 100000", "'1'"]),
    ("budget:\n  files: [3]\n", {}, ["budget.files", "a list or a mapping"]),
    ("budget:\n  warn_at: .nan\n", {}, ["budget.warn_at must be a number from 0 to 1"]),
    ("budget:\n  memory_bytes: " + "9" * 5000 + "\n", {}, ["budget.memory_bytes must be"]),
    ("budget: 25600\n", {}, ["budget must hold lines of the form `key: value`"]),
    ("- engine\n", {}, ["the file must hold"]),
    ("engine: rules\n? [a, b]\n: 1\n", {}, ["this is not YAML", "unhashable key"]),
    ("engine: *nowhere\n", {}, ["this is not YAML", "alias"]),
    ("engine: rules\n---\nengine: auto\n", {}, ["this is not YAML"]),
    ("engine: rules\nenabled: \x00\n", {}, ["special characters are not allowed"]),
    ("engine: rules\n".encode("utf-16"), {}, ["not UTF-8"]),
    ("engine: !!python/object/apply:os.system [ls]\n", {}, ["engine must be one of"]),
    ("budget: &b\n  x: *b\n", {}, ["recursive"]),  # it refers to itself
    ("budget: &b {files: 9}\n<<: *b\n", {}, ["'<<'"]),
    ("engine: " + "[" * 1500, {}, ["recursion"]),
    (None, {"DREAMD_MEMRY": "/x"}, ["'DREAMD_MEMRY'", "did you mean DREAMD_MEMORY?"]),
    (None, {"DREAMD_BUDGET_FILES": "3"}, ["'DREAMD_BUDGET_FILES'", "mean DREAMD_BUDGET__FILES?"]),
    (None, {"DREAMD_": "3"}, ["'DREAMD_'; known are DREAMD_ENABLED, DREAMD_ENGINE, "]),
    (None, {"DREAMD_ENGINE": "gpt"}, ["DREAMD_ENGINE: engine must be one of auto, model, rules"]),
    (None, {"DREAMD_MEMORY_BYTES": "25,600"}, ["DREAMD_MEMORY_BYTES: budget.memory_bytes must be"]),
    (None, {"DREAMD_MEMORY_BYTES": "-1"}, ["a whole number of bytes from 256", "'-1'"]),
    (None, {"DREAMD_BUDGET__WARN_AT": "1.01"}, ["DREAMD_BUDGET__WARN_AT", "a number from 0 to 1"]),
]


@pytest.mark.parametrize(("text", "variables", "words"), FAULTS)
def test_a_fault_names_file_or_variable_and_what_would_be_right(
    home: Home, text: str | bytes | None, variables: dict[str, str], words: list[str]
) -> None:
    message = home.refused(text, variables)
    assert message.startswith(f"{home.file}: ") is not bool(variables), message
    for word in words:
        assert word in message
    assert len(message) < 500 + len(str(home.file))


def test_quiet_hours_are_two_times_of_day_or_none(home: Home) -> None:
    told = [hours_of_day(text) for text in ("  ", "22:00-07:00", "7:05 - 23:59", "00:00-0:01")]
    assert told == [None, (1320, 420), (425, 1439), (0, 1)]
    odd = ("nights", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22.00-07.00", "-22:00")
    for text in (*odd, "22:00-07:00-09:00", "2200-0700", "22:0-07:00", "\u0662:00-07:00"):
        said = home.refused(variables={"DREAMD_GATES__QUIET": text})
        assert f"{HOURS}, not {text!r}" in said


def test_variables_that_are_no_settings_pass_and_one_setting_by_two_is_refused(home: Home) -> None:
    others = dict.fromkeys(("DREAMD_CORPUS", "DREAMD_EVAL", "DREAMD_SWEEP", "dreamd_x"), "all")
    loaded = home.load(variables={"DREAMD_MEMORY": "/notes", **others})
    assert (loaded.settings, loaded.memory) == (Settings(), "/notes")
    assert home.load(variables={"DREAMD_MEMORY": ""}).memory is None
    both = ("DREAMD_MEMORY_BYTES", "DREAMD_BUDGET__MEMORY_BYTES")
    message = home.refused(variables=dict.fromkeys(both, "9000"))
    assert all(each in message for each in both)


@pytest.mark.parametrize("key", ["tokens", "dollars", "day_tokens", "day_dollars"])
def test_a_variable_only_lowers_a_limit_of_what_may_be_spent(home: Home, key: str) -> None:
    usual, name = getattr(Settings().model, key), f"DREAMD_MODEL__{key.upper()}"
    half = type(usual)(usual / 2)
    for text, given, value, source in (
        ("", half, half, name),
        ("", usual * 2, usual, "default"),
        (f"model.{key}: {usual * 4}\n", usual * 2, usual * 2, name),
        (f"model.{key}: {half}\n", usual, half, "config.yaml"),
    ):
        loaded = home.load(text, {name: str(given)})
        assert getattr(loaded.settings.model, key) == value
        assert loaded.sources[f"model.{key}"] == source


def test_for_a_dream_that_begins_by_itself_a_variable_names_no_engine_but_rules(
    home: Home,
) -> None:
    for text, variable, unasked in (
        ("", "model", "auto"),
        ("", "claude-cli", "auto"),
        ("", "rules", "rules"),
        ("engine: rules\n", "auto", "rules"),
        ("engine: model\n", "rules", "rules"),
        ("engine: model\n", "auto", "model"),
    ):
        loaded = home.load(text, {"DREAMD_ENGINE": variable})
        assert (loaded.settings.engine, loaded.unasked) == (variable, unasked)
    assert home.load("", flags={"engine": "model"}).unasked == "model"


def test_a_bad_value_is_told_where_it_stands_though_another_wins(home: Home) -> None:
    assert f"{home.file}: engine" in home.refused("engine: rule\n", {"DREAMD_ENGINE": "rules"})
    for key in ("engine", "engin"):  # a flag is a slip of usage, not of configuration
        with pytest.raises(UsageError, match="command line") as caught:
            home.load("", flags={key: "x"})
        assert caught.value.exit_code == 2


def test_an_empty_file_changes_nothing_and_yaml_is_read_in_all_its_forms(home: Home) -> None:
    for text in ("", "\n\n", "# nothing\n", "---\n", "~\n", "budget:\n", "\ufeff# with a mark\n"):
        assert home.load(text).settings == Settings()
    for text in (
        "budget:\n  index_bytes: &n 9000\n  index_units: *n\n",
        "\ufeffbudget:\r\n  index_bytes: 9000\r\n  index_units: '9000'\r\n",
        "budget.index_bytes: 9000\nbudget.index_units: 9000\n",
        '{"budget": {"index_bytes": 9000, "index_units": 9000}}',
        "budget: {index_bytes: 9000, index_units: 9000}\n# end",
    ):
        budget = home.load(text).settings.budget
        assert (budget.index_bytes, budget.index_units) == (9000, 9000)


def test_what_stands_in_the_place_of_the_file_is_named(home: Home, tmp_path: Path) -> None:
    places: dict[Callable[[], object], str] = {
        home.file.mkdir: "is not a file",
        lambda: os.mkfifo(home.file): "is not a file",
        lambda: home.file.symlink_to(tmp_path / "gone"): "is a link to a file that does not exist",
        lambda: home.file.symlink_to(home.file): "cannot be read: Too many levels",
        lambda: home.file.write_bytes(b"#" * (1 << 21)): "at most 1048576 are read",
        lambda: home.file.touch(0): "cannot be read: Permission denied",
    }
    user = os.geteuid()
    for make, said in places.items():
        make()
        os.seteuid(65534 if said.endswith("denied") else user)  # root reads everything
        try:
            message = home.refused()
        finally:
            os.seteuid(user)
        assert str(home.file) in message
        assert said in message
        home.file.rmdir() if home.file.is_dir() else home.file.unlink()


def test_the_places_follow_the_xdg_variables_and_ignore_relative_ones(tmp_path: Path) -> None:
    user = tmp_path / "u"
    plain = config.load({"HOME": str(user)}).paths
    assert plain == config.Paths(
        home=user,
        state=user / ".local/state/dreamd",
        config_file=user / ".config/dreamd/config.yaml",
        claude=user / ".claude",
    )
    relative = {"XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    assert config.load({"HOME": str(user), **relative}).paths == plain
    places = {"XDG_STATE_HOME": "s", "XDG_CONFIG_HOME": "c", "CLAUDE_CONFIG_DIR": "client"}
    moved = {name: str(tmp_path / place) for name, place in places.items()}
    (tmp_path / "c/dreamd").mkdir(parents=True)
    (tmp_path / "c/dreamd/config.yaml").write_text("engine: model\n")
    loaded = config.load({"HOME": str(user), **moved})
    for unset in ({}, {"HOME": ""}, {"HOME": "relative"}):  # the password file knows it
        known = config.load({"XDG_CONFIG_HOME": "/nonexistent", **unset}).paths.home
        assert known == Path(pwd.getpwuid(os.getuid()).pw_dir)
    (tmp_path / ".config").write_text("")  # a file in the place of a folder
    assert config.load({"HOME": str(tmp_path)}).settings == Settings()
    assert loaded.paths.state == tmp_path / "s/dreamd"
    assert loaded.paths.claude == tmp_path / "client"
    assert loaded.settings.engine is EngineChoice.MODEL


def test_the_table_and_the_json_give_value_and_source_of_every_setting(home: Home) -> None:
    home.file.write_text("enabled: no\nbudget: {files: 10, memory_bytes: 9000}\n")
    laptop, given = Laptop(home.home, home.home), {"DREAMD_MEMORY_BYTES": "8192"}
    table = laptop.ok("config", **given).splitlines()
    rows = {row.split()[0]: row.split()[1:] for row in table if row}
    shown = json.loads(laptop.ok("config", "--json", **given))
    for key, value, source in (
        ("enabled", False, "config.yaml"),
        ("budget.memory_bytes", 8192, "DREAMD_MEMORY_BYTES"),
        ("budget.files", 10, "config.yaml"),
        ("engine", "auto", "default"),
    ):
        assert rows[key] == [str(value).lower(), source]
        assert shown["settings"][key] == {"value": value, "source": source}
    assert rows["configuration"] == [shown["paths"]["config_file"]] == [str(home.file)]
    assert set(rows) >= KEYS


SLIPS = [
    *("api.example.com", "localhost:8080", "//host", "https:/host", "https:host"),
    *("ftp://host", "://host", "https https://host", "https://", "https:///v1", "http://:80"),
    *("https://user@", "https://.", "https://my host", "https://host/a b", "https://ho\x00st"),
    *("https://host:port", "https://host:70000", "https://a:b:1", "http://[::1", "http://::1"),
    *("https://host?x=1", "https://host/#v1", '"https://host"', "<https://host>"),
]  # fmt: skip
ADDRESSES = [
    *("", "  ", "https://api.anthropic.com", "HTTP://127.0.0.1:8080/", "http://localhost"),
    *("http://[::1]:4000/anthropic", "http://[fe80::1]", "https://b\u00fccher.example"),
    *("https://user:word@proxy.example/v1/a%20b", "https://my_host-1.internal.:443"),
]


def test_an_address_with_a_slip_in_it_is_told_before_any_session(home: Home) -> None:
    for text in SLIPS:
        said = home.refused("", {"DREAMD_MODEL__BASE_URL": text})
        assert "DREAMD_MODEL__BASE_URL: model.base_url must be an address such as https://" in said
        assert said.endswith(f"not {text!r}")
    for text in ADDRESSES:
        loaded = home.load("", {"DREAMD_MODEL__BASE_URL": f" {text} "})
        assert loaded.settings.model.base_url == text.strip()
