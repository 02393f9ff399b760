"""`doctor`: what is out of order is found, and how to mend it is said."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from dreamd.cli.doctor import CHECKS
from dreamd.domain.store import Store
from dreamd.install import plugin
from dreamd.install.plan import carry_out
from dreamd.stores.identity import opened, store_at
from tests.brain import Brain, Refusal, say
from tests.laptop import ROOT, Laptop
from tests.model_home import ledger
from tests.scripted import picture

KEY = "sk-of-no-known-shape"


def asked(laptop: Laptop, *words: str, **environ: str) -> dict[str, Any]:
    """Every check by its name; the exit code says whether one failed."""
    done = laptop.run("doctor", "--json", *words, **environ)
    told = json.loads(done.stdout)
    assert done.stderr == ""
    assert told["ok"] is (done.returncode == 0)
    found = {each["name"]: each for each in told["checks"]}
    assert len(found) == len(told["checks"])
    assert all(each["mend"] for each in found.values() if each["state"] != "ok")
    assert told["ok"] is not any(each["state"] == "fail" for each in found.values())
    return found


def test_a_laptop_in_order_fails_nowhere_and_is_left_as_it_was(laptop: Laptop) -> None:
    before = picture(laptop.home)
    found = asked(laptop)
    assert list(found) == list(CHECKS)
    assert not [each for each in found.values() if each["state"] == "fail"]
    shown = laptop.ok("doctor").splitlines()
    assert [line.split()[1] for line in shown] == list(found)
    assert picture(laptop.home) == before
    assert not laptop.state.exists()


def put(place: str, text: str, mode: int = 0o600) -> Callable[[Laptop], object]:
    """Return what writes a file below the home; a folder where there is no text."""

    def damage(laptop: Laptop) -> None:
        path = laptop.home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text) if text else path.mkdir()
        path.chmod(mode)

    return damage


def opened_store(laptop: Laptop) -> Store:
    store = store_at(laptop.memory, laptop.state)
    with opened(store):
        return store


def from_the_future(laptop: Laptop) -> None:
    later = time.time() + 3 * 86_400
    os.utime(opened_store(laptop).home, (later, later))


def plugin_without_program(laptop: Laptop) -> None:
    carry_out(plugin.install(plugin.place(laptop.home), ("/gone/bin/dreamd",)))


def loop(laptop: Laptop) -> None:
    other = laptop.home / ".claude" / "projects" / "-home-dev-reef"
    other.mkdir()
    (other / "memory").symlink_to(laptop.memory / "MEMORY.md" / "nothing")
    projects = laptop.home / "x" / "projects"
    projects.parent.mkdir()
    projects.symlink_to("projects")


def damaged(laptop: Laptop) -> None:
    opened_store(laptop).database.write_bytes(b"no database, but text\n" * 100)


def torn_dream(laptop: Laptop) -> None:
    opened_store(laptop)
    (laptop.memory / ".consolidate-lock").mkdir()


STATE, UNIT = ".local/state/dreamd", ".config/systemd/user/dreamd.service"
STARTS = '[Service]\nExecStart="/opt/50%% off/dreamd" "-m" run\n'
nothing: Callable[[Laptop], object] = id  # is damaged
ODD: list[tuple[Callable[[Laptop], object], dict[str, str], str, str, str]] = [
    (put(STATE, "in the way"), {}, "state", "fail", "cannot be made"),
    (put(STATE, "", 0o755), {}, "state", "warn", "chmod 700"),
    (from_the_future, {}, "clock", "fail", "before files"),
    (put(UNIT, STARTS), {}, "service", "fail", "/opt/50% off/dreamd, which is not there"),
    (plugin_without_program, {}, "plugin", "fail", "/gone/bin/dreamd, which is not there"),
    (put(".config/dreamd/config.yaml", "gates:\n  horus: 3\n"), {}, "settings", "fail", "horus"),
    (nothing, {"DREAMD_ENABLED": "no"}, "settings", "warn", "enabled: true"),
    (damaged, {}, "history", "fail", "sets it aside"),
    (lambda at: opened_store(at).home.joinpath("receipts.jsonl").touch(),
     {}, "history", "warn", "remove it"),
    (nothing, {"CLAUDE_CONFIG_DIR": "/nowhere"}, "client", "warn", "CLAUDE_CONFIG_DIR"),
    (loop, {"CLAUDE_CONFIG_DIR": "{home}/x"}, "memory", "fail", "closed to you"),
    (nothing, {"DREAMD_ENGINE": "model"}, "engine", "fail", "model.key_file"),
    (put("key", KEY, 0o644),
     {"DREAMD_MODEL__KEY_FILE": "{home}/key"}, "engine", "warn", "chmod 600"),
    (nothing, {"DREAMD_MODEL__KEY_FILE": "/nowhere"}, "engine", "fail", "cannot be read"),
    (torn_dream, {}, "dreams", "warn", "consolidate-lock"),
    (nothing, {}, "daemon", "warn", "dreamd install --now"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("damage", "environ", "check", "state", "words"),
    ODD,
    ids=[f"{each[2]}-{each[4][:20]}" for each in ODD],
)
def test_what_is_out_of_order_is_found(
    laptop: Laptop,
    damage: Callable[[Laptop], object],
    environ: dict[str, str],
    check: str,
    state: str,
    words: str,
) -> None:
    damage(laptop)
    given = {name: value.format(home=laptop.home) for name, value in environ.items()}
    found = asked(laptop, **given)
    assert found[check]["state"] == state, found[check]
    assert words in f"{found[check]['found']}: {found[check]['mend']}"
    assert KEY not in str(found)
    assert list(found) == list(CHECKS)


def test_the_key_is_tried_only_when_asked_for_and_its_cost_is_told(laptop: Laptop) -> None:
    with Brain([say("H"), Refusal(401, "authentication_error")]) as brain:
        put(".config/dreamd/config.yaml", f"model.base_url: {brain.url}\n")(laptop)
        model = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": brain.url}
        assert "endpoint" not in asked(laptop, **model)
        assert brain.requests == []
        endpoint = asked(laptop, "--online", **model)["endpoint"]
        assert endpoint["state"] == "ok", endpoint
        (request,) = brain.requests
        assert request.body["max_tokens"] == 1
        assert any(KEY in value for value in request.headers.values())
        spent = ledger(laptop)
        assert 1 < spent["tokens"] < 64
        assert f"asking cost {spent['tokens']} tokens, ${spent['dollars']:.6f}" in endpoint["found"]
        assert KEY not in str(endpoint)
        refused = asked(laptop, "--online", **model)["endpoint"]
    assert refused["state"] == "fail"
    assert "the key is not accepted" in refused["found"]


def test_a_python_without_sqlite_is_told_and_the_other_checks_go_on(laptop: Laptop) -> None:
    fake = laptop.home / "fake" / "sqlite3"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("import _no_sqlite\n")
    lacking = {"PYTHONPATH": f"{fake.parent}:{ROOT}"}
    done = laptop.cold("doctor", "--json", **lacking)
    found = {each["name"]: each for each in json.loads(done.stdout)["checks"]}
    assert list(found) == list(CHECKS)
    assert found["sqlite"]["state"] == "fail"
    assert "'_no_sqlite'" in found["sqlite"]["found"]
    assert [each["name"] for each in found.values() if each["state"] == "fail"] == ["sqlite"]
    done = laptop.cold("dream", str(laptop.memory), **lacking)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "lacks the module _no_sqlite" in done.stderr
    assert (laptop.memory / ".consolidate-lock").exists() is False
