"""A session that fails: what was paid for is kept, what may be torn is not, and all of it is said.

Real processes, and a scripted model over HTTP.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dreamd import config
from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.domain.dream import Brief
from dreamd.domain.settings import EngineChoice, Model, Settings
from dreamd.domain.tree import Tree
from dreamd.engine.model.denied import denied
from dreamd.errors import ConfigError
from tests.brain import Brain, Refusal, Step, say
from tests.laptop import ROOT, Laptop
from tests.model_home import (
    DEPLOY,
    INDEX,
    KEY,
    MOVED,
    OLD,
    dreamt,
    edit,
    environ,
    four_phases,
    laptop,
    ledger,
    unlocked,
)
from tests.scripted import texts

__all__ = ["laptop"]
REFUSED = Refusal(401, "authentication_error")


def test_what_was_done_before_the_endpoint_failed_waits_as_a_proposal(laptop: Laptop) -> None:
    """As far as it passed review; and it is billed."""
    before = unlocked(laptop)
    both = f"{MOVED}\n- The rollback takes 47 minutes"  # nobody said the latter
    script: list[Step] = [*four_phases()[:2], say(edit("MEMORY.md", OLD, both)), REFUSED]
    with Brain(script) as brain:
        done = laptop.run("dream", str(laptop.memory), "--json", **environ(brain))
        paid = [request.usage for request in brain.requests if request.usage]
    failed = json.loads(done.stdout)
    assert (done.returncode, failed["outcome"], failed["proposed"]) == (1, "failed", 1)
    assert (failed["changes"], failed["engine"]) == ([], "model")
    assert failed["level"].startswith(("landlock", "paths"))
    assert "the key is not accepted" in failed["reason"]
    assert "changes to 1 note until then wait as a proposal" in failed["reason"]
    assert any("47" in finding for finding in failed["findings"])
    usage = failed["usage"]
    assert usage["input_tokens"] == sum(each.input for each in paid)
    assert usage["dollars"] > 0
    spent = sum(value for kind, value in usage.items() if kind.endswith("_tokens"))
    assert ledger(laptop)["tokens"] == spent
    assert unlocked(laptop) == before
    assert "never" in laptop.ok("why", str(laptop.memory))  # was it consolidated
    (pause,) = (laptop.home / ".local/state/dreamd").rglob("pause")
    assert json.loads(pause.read_text())["failures"] == 1
    dream = failed["dream"]
    assert laptop.json("status", str(laptop.memory))["proposals"] == [dream]
    patch = laptop.ok("diff", dream, "--proposal")
    assert f"\n+{MOVED}\n" in patch
    assert f"\n-{OLD}\n" in patch
    assert "47 minutes" not in patch
    told = laptop.json("show", dream)
    assert {(why["sign"], why["line"]) for why in told["whys"]} >= {("+", MOVED), ("-", OLD)}
    mine = INDEX + "- The user wrote this\n"
    (laptop.memory / "MEMORY.md").write_text(mine)
    for command, text in (
        ("accept", mine.replace(OLD, MOVED)),
        ("undo", mine),
        ("redo", mine.replace(OLD, MOVED)),
    ):
        laptop.ok(command, dream)
        assert texts(laptop.memory)["MEMORY.md"] == text


def test_the_rules_dream_in_a_models_stead_where_that_is_allowed_and_say_so(
    laptop: Laptop,
) -> None:
    (laptop.memory / "stray.md").write_text(DEPLOY.replace("deploy", "stray"))
    script = [*four_phases()[:2], REFUSED]
    receipt = dreamt(laptop, script, DREAMD_FALLBACK="rules")
    assert (receipt["code"], receipt["engine"], receipt["outcome"]) == (0, "rules", "dreamt")
    assert receipt["findings"][0].startswith("the model's session failed: the key is not accepted")
    assert receipt["usage"]["output_tokens"] == 0
    assert "stray.md" in texts(laptop.memory)["MEMORY.md"]
    (_, failed) = laptop.json("log", str(laptop.memory))["dreams"]
    assert (failed["outcome"], failed["engine"], failed["proposed"]) == ("failed", "model", 0)
    assert not any(word in failed["reason"] for word in ("proposal", "dropped"))
    assert "## gather" in laptop.ok("show", failed["dream"], "--conversation")
    assert not list((laptop.home / ".local/state/dreamd").rglob("pause"))
    receipt = dreamt(laptop, [], DREAMD_FALLBACK="rules", DREAMD_MODEL__DAY_TOKENS="0")
    assert (receipt["code"], receipt["engine"], receipt["outcome"]) == (0, "rules", "dreamt")
    assert "model.day_tokens" in receipt["findings"][0]


def test_nothing_stands_in_for_a_model_unless_it_is_allowed_where_the_model_is_named(
    tmp_path: Path,
) -> None:
    file = tmp_path / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    home = {"HOME": str(tmp_path)}
    for flag, in_file, in_environment, falls_back in (
        ("", "", "", False),
        ("", "rules", "", True),
        ("", "rules", "none", False),
        ("model", "rules", "", False),
        ("model", "", "rules", True),
        ("claude-cli", "rules", "rules", True),
    ):
        file.write_text("engine: model\n" + (f"fallback: {in_file}\n" if in_file else ""))
        given = home | ({"DREAMD_FALLBACK": in_environment} if in_environment else {})
        loaded = config.load(given, {"engine": flag} if flag else {})
        assert loaded.falls_back is falls_back, (flag, in_file, in_environment)
    rules = config.load({**home, "DREAMD_FALLBACK": "rules"}, {"engine": "rules"})
    app = App(rules, tmp_path)
    assert engines.fallback(app, engines.engine(app, EngineChoice.RULES)) is None


def test_what_a_session_needs_cannot_be_denied_and_anything_else_can(tmp_path: Path) -> None:
    home, memory, stage = tmp_path / "home", tmp_path / "home" / "memory", tmp_path / "stage"
    memory.mkdir(parents=True)
    stage.mkdir()
    brief = Brief(stage=stage, base=Tree(), settings=Settings(), memory=memory)
    ours = ROOT / "dreamd"
    for given, what in {
        **dict.fromkeys(("/", f"{home}", f"{memory}", f"~no::{memory}/MEMORY.md"), "the notes"),
        **dict.fromkeys((f"{ours}", f"{ours}/errors.py"), "dreamd itself"),
        f"{stage}": "the private copy",
        f"{Path(os.__file__).parent}": "Python",
    }.items():
        with pytest.raises(ConfigError, match=f"model.denied must .* {what}"):
            denied(Model(denied=given), {"HOME": str(home)}, brief)
    for given in (
        f"{home}/diary.txt",
        f"{home}/no:rel",
        "secrets::~/x",
        f"{memory}-of-another",
        "",
    ):
        found = denied(Model(denied=given), {"HOME": str(home)}, brief)
        named = [Path(each).expanduser().absolute() for each in given.split(":") if each]
        assert {str(each) for each in named} <= set(found)


def test_what_no_session_can_begin_with_is_said_in_words_by_the_dreams_receipt(
    laptop: Laptop,
) -> None:
    before = unlocked(laptop)
    address = {"DREAMD_MODEL__BASE_URL": "http://127.0.0.1:9"}
    rows: list[tuple[dict[str, str], int, str]] = [
        ({"DREAMD_MODEL__DENIED": "/"}, 78, "/ holds the notes"),
        ({"DREAMD_MODEL__BASE_URL": "http://[::1"}, 78, "model.base_url must be an address"),
        ({"HTTP_PROXY": "::none::"}, 1, "model.base_url, or a proxy"),
    ]
    for more, code, said in rows:
        given = {"ANTHROPIC_API_KEY": KEY, **address, **more}
        done = laptop.run("dream", str(laptop.memory), "--json", **given)
        failed = json.loads(done.stdout)
        assert (done.returncode, failed["outcome"]) == (code, "failed")
        assert said in failed["reason"]
    *_, logged = laptop.json("log", str(laptop.memory))["dreams"]
    assert logged["engine"] == "model"  # of the one that had an address
    assert logged["level"].startswith(("landlock", "paths"))
    assert unlocked(laptop) == before
