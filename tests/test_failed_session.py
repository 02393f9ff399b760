"""A session that fails: what was paid for is kept, what may be torn is not, and all of it is said.

Real processes, and a scripted model over HTTP.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dreamd import config
from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.domain.dream import Brief
from dreamd.domain.settings import EngineChoice, Model, Settings
from dreamd.domain.tree import Tree
from dreamd.engine.model.denied import denied
from dreamd.errors import ConfigError
from tests.brain import Brain, Refusal, say, tool
from tests.brain.script import Block, Step
from tests.laptop import ROOT, Laptop
from tests.scripted import picture, texts
from tests.test_model_dream import (
    DEPLOY,
    INDEX,
    environ,
    four_phases,
    laptop,
)

__all__ = ["laptop"]
MOVED = "- The API listens on port 9050 now, because 8040 was taken (2026-05-11)"
OLD = "- The API listens on port 8040"
REFUSED = Refusal(401, "authentication_error")


def edit(laptop: Laptop, note: str, old: str, new: str) -> Block:
    path = str(laptop.memory / note)
    return tool("Edit", {"file_path": path, "old_string": old, "new_string": new})


def dreamt(
    laptop: Laptop, script: Sequence[Step], *words: str, **more: str
) -> tuple[int, dict[str, Any]]:
    with Brain(script) as brain:
        done = laptop.run("dream", str(laptop.memory), "--json", *words, **(environ(brain) | more))
    assert not brain.faults
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return done.returncode, answer


def refused_at_the_end(laptop: Laptop) -> list[Step]:
    return [*four_phases(laptop.memory)[:3], REFUSED]


def unlocked(laptop: Laptop) -> dict[str, Any]:
    return {name: each for name, each in picture(laptop.memory).items() if name[0] != "."}


def test_what_was_done_before_the_endpoint_failed_waits_as_a_proposal(laptop: Laptop) -> None:
    before = unlocked(laptop)
    code, failed = dreamt(laptop, refused_at_the_end(laptop))
    assert (code, failed["outcome"], failed["proposed"]) == (1, "failed", 1)
    assert failed["changes"] == []
    assert "the key is not accepted" in failed["reason"]
    assert "changes to 1 note until then wait as a proposal" in failed["reason"]
    assert unlocked(laptop) == before
    assert "never" in laptop.ok("why", str(laptop.memory))  # was it consolidated
    (pause,) = (laptop.home / ".local/state/dreamd").rglob("pause")
    assert json.loads(pause.read_text())["failures"] == 1
    dream = failed["dream"]
    assert laptop.json("status", str(laptop.memory))["proposals"] == [dream]
    patch = laptop.ok("diff", dream, "--proposal")
    assert f"\n+{MOVED}\n" in patch
    assert f"\n{OLD.replace('-', '--', 1)}\n" in patch
    told = laptop.json("show", dream)
    assert {(why["sign"], why["line"]) for why in told["whys"]} == {("+", MOVED), ("-", OLD)}
    (laptop.memory / "MEMORY.md").write_text(INDEX + "- The user wrote this\n")
    laptop.ok("accept", dream)
    assert (
        texts(laptop.memory)["MEMORY.md"] == INDEX.replace(OLD, MOVED) + "- The user wrote this\n"
    )
    laptop.ok("undo", dream)
    assert texts(laptop.memory)["MEMORY.md"] == INDEX + "- The user wrote this\n"
    laptop.ok("redo", dream)
    assert MOVED in texts(laptop.memory)["MEMORY.md"]


def test_a_failed_session_proposes_what_passed_review_and_that_can_be_rejected(
    laptop: Laptop,
) -> None:
    both = f"{MOVED}\n- The rollback takes 47 minutes"  # nobody said the latter
    _, failed = dreamt(laptop, [say(edit(laptop, "MEMORY.md", OLD, both)), REFUSED])
    assert failed["proposed"] == 1
    patch = laptop.ok("diff", failed["dream"], "--proposal")
    assert MOVED in patch
    assert "47 minutes" not in patch
    assert any("47" in finding for finding in failed["findings"])
    laptop.ok("reject", failed["dream"])
    assert "rejected" in laptop.ok("accept", failed["dream"])
    assert texts(laptop.memory)["MEMORY.md"] == INDEX


def test_the_rules_dream_in_a_models_stead_where_that_is_allowed_and_say_so(
    laptop: Laptop,
) -> None:
    (laptop.memory / "stray.md").write_text(DEPLOY.replace("deploy", "stray"))
    script = [*four_phases(laptop.memory)[:2], REFUSED]
    code, receipt = dreamt(laptop, script, DREAMD_FALLBACK="rules")
    assert (code, receipt["engine"]) == (0, "rules")
    assert receipt["outcome"] == "dreamt"
    assert receipt["findings"][0].startswith("the model's session failed: the key is not accepted")
    assert receipt["usage"]["output_tokens"] == 0
    assert "stray.md" in texts(laptop.memory)["MEMORY.md"]
    (_, failed) = laptop.json("log", str(laptop.memory))["dreams"]
    assert (failed["outcome"], failed["engine"]) == ("failed", "model")
    assert failed["proposed"] == 0
    assert "proposal" not in failed["reason"]
    assert "dropped" not in failed["reason"]
    assert "## gather" in laptop.ok("show", failed["dream"], "--conversation")
    assert not list((laptop.home / ".local/state/dreamd").rglob("pause"))


def test_a_budget_that_is_used_up_lets_the_rules_dream_too(laptop: Laptop) -> None:
    code, receipt = dreamt(laptop, [], DREAMD_FALLBACK="rules", DREAMD_MODEL__DAY_TOKENS="0")
    assert (code, receipt["engine"], receipt["outcome"]) == (0, "rules", "dreamt")
    assert "model.day_tokens" in receipt["findings"][0]


@pytest.mark.parametrize(
    ("flag", "in_file", "in_environment", "falls_back"),
    [
        ("", "", "", False),
        ("", "rules", "", True),
        ("", "rules", "none", False),
        ("model", "rules", "", False),
        ("model", "", "rules", True),
        ("claude-cli", "rules", "rules", True),
    ],
)
def test_nothing_stands_in_for_a_model_unless_it_is_allowed_where_the_model_is_named(
    tmp_path: Path, flag: str, in_file: str, in_environment: str, falls_back: bool
) -> None:
    file = tmp_path / ".config" / "dreamd" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(f"engine: model\nfallback: {in_file}\n" if in_file else "engine: model\n")
    given = {"HOME": str(tmp_path)}
    given |= {"DREAMD_FALLBACK": in_environment} if in_environment else {}
    loaded = config.load(given, {"engine": flag} if flag else {})
    assert loaded.falls_back is falls_back


def test_no_fallback_stands_beside_the_rules_themselves(tmp_path: Path) -> None:
    given = {"HOME": str(tmp_path), "DREAMD_FALLBACK": "rules", "DREAMD_ENGINE": "rules"}
    app = App(config.load(given), tmp_path)
    assert engines.fallback(app, engines.engine(app, EngineChoice.RULES)) is None


def test_steps_count_what_came_through_the_review_not_what_the_session_did(
    laptop: Laptop,
) -> None:
    ours = f"{MOVED}\n- The rollback takes 47 minutes\n- The boat is the Halcyon"
    script = [say(edit(laptop, "MEMORY.md", OLD, ours)), say("Done.")]
    _, receipt = dreamt(laptop, script)
    came = sum(change["added"] for change in receipt["changes"])
    assert came == 1, receipt
    assert "wrote 1 line," in receipt["reason"]
    assert {step["text"]: step["count"] for step in receipt["steps"]} == {
        "wrote {line}": 1,
        "took out or rewrote {line}": 1,
    }


def test_the_answer_of_a_dream_that_broke_off_is_its_receipt(laptop: Laptop) -> None:
    code, failed = dreamt(laptop, [], DREAMD_MODEL__DENIED="/")
    assert (code, failed["outcome"], failed["engine"]) == (78, "failed", "model")
    (logged,) = laptop.json("log", str(laptop.memory))["dreams"]
    assert failed["dream"] == logged["dream"]
    assert failed["level"].startswith(("landlock", "paths"))
    assert failed["seconds"] > 0
    assert "model.denied" in failed["reason"]
    assert "/ holds the notes" in failed["reason"]


DENIALS = [
    ("/", "the notes"),
    ("{home}", "the notes"),
    ("{memory}", "the notes"),
    ("~nobody::{memory}/MEMORY.md", "the notes"),
    ("{stage}", "the private copy"),
    (str(ROOT / "dreamd"), "dreamd itself"),
    (str(ROOT / "dreamd" / "errors.py"), "dreamd itself"),
    (str(Path(os.__file__).parent), "Python"),
    ("{home}/diary.txt", ""),
    ("{home}/none:relative", ""),
    ("{memory}-of-another", ""),
    ("", ""),
]


@pytest.mark.parametrize(("given", "what"), DENIALS)
def test_what_a_session_needs_cannot_be_denied_and_anything_else_can(
    tmp_path: Path, given: str, what: str
) -> None:
    home, memory, stage = tmp_path / "home", tmp_path / "home" / "memory", tmp_path / "stage"
    memory.mkdir(parents=True)
    stage.mkdir()
    asked = given.format(home=home, memory=memory, stage=stage)
    brief = Brief(stage=stage, base=Tree(), settings=Settings(), memory=memory)
    if what:
        with pytest.raises(ConfigError, match=f"model.denied must .* {what}"):
            denied(Model(denied=asked), {"HOME": str(home)}, brief)
    else:
        found = denied(Model(denied=asked), {"HOME": str(home)}, brief)
        assert all(str(Path(each).absolute()) in found for each in asked.split(":") if each)


def test_a_fault_of_ours_in_a_tool_is_found_in_the_receipt_by_its_place(laptop: Laptop) -> None:
    shutil.copytree(ROOT / "dreamd", laptop.home / "ours" / "dreamd")
    grep = laptop.home / "ours" / "dreamd" / "engine" / "model" / "tools" / "grep.py"
    fault = "def grep(arguments, place):\n    return len(None)  # hush\n"
    grep.write_text(f"{grep.read_text()}\n\n{fault}")
    number = len(grep.read_text().splitlines())
    call = {"path": str(laptop.memory)}
    calls = [tool("Grep", {**call, "pattern": each}) for each in ("port", "8040")]
    script = [say(*calls), say(edit(laptop, "MEMORY.md", OLD, MOVED)), say("Done.")]
    with Brain(script) as brain:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("DREAMD_", "XDG_"))}
        env |= {"HOME": str(laptop.home), **environ(brain)}
        done = subprocess.run(
            [sys.executable, "-m", "dreamd", "dream", str(laptop.memory), "--json"],
            env=env | {"PYTHONPATH": str(laptop.home / "ours")},
            cwd=laptop.home,
            capture_output=True,
            timeout=60,
            check=True,
        )
    receipt = json.loads(done.stdout)
    assert receipt["outcome"] == "dreamt"
    where = f"TypeError at grep.py:{number} (2 times)"
    assert f"the tool Grep met a fault of its own: {where}" in receipt["findings"]
    assert "NoneType" not in json.dumps(brain.bodies[1]["messages"])
