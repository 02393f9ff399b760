"""What the texts say of dreamd is so: commands, options, gates, defaults, figures, and length."""

from __future__ import annotations

import argparse
import json
import re
import shlex

from dreamd import cli
from dreamd.domain.settings import Settings, each_setting
from dreamd.gates import GATES
from tests import texts
from tests.texts import AGAIN, EXCERPT, README, REFERENCE, ROOT

TEXT = README.read_text("utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PROSE = re.compile(r"<!--.*?-->", re.DOTALL).sub("", CODE.sub("", TEXT))
KNOWN = {each.key: each for each in each_setting(Settings())}
PARSERS = texts.parsers()


def code(text: str) -> list[str]:
    """Return what stands in blocks and in spans of code, a line each."""
    blocks = [
        line
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
    ]
    return blocks + [
        " ".join(each.split()) for each in re.findall(r"`([^`]+)`", CODE.sub("", text))
    ]


def commands(text: str) -> list[list[str]]:
    """Return the commands of dreamd that a text names, as words."""
    found = []
    for each in code(text):
        for part in each.split("&&"):
            words = shlex.split(part)
            if words and words[0].removeprefix(".venv/bin/") == "dreamd":
                found.append(words[1:])
    return found


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading of the README, without its first two rows."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def sentences(text: str) -> list[str]:
    """Return the sentences of the prose; each list item and each heading ends one."""
    kept = [line for line in text.splitlines() if not line.startswith(("|", "#"))]
    items = re.sub(r"\n(?=- |\d\. )", "\n\n", "\n".join(kept))
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", items)]
    return [each for block in blocks for each in re.split(r"(?<=[.!?:])\**\s+", block) if each]


def takes(parser: argparse.ArgumentParser, words: list[str]) -> None:
    known = {option for action in texts.options(parser) for option in action.option_strings}
    for word in words:
        assert not word.startswith("-") or word.split("=")[0] in known, (parser.prog, word)


def test_each_command_of_the_readme_is_one() -> None:
    for words in commands(TEXT):
        if words and words != ["--help"]:
            assert words[0] in cli.COMMANDS
            takes(PARSERS[words[0]], words[1:])


def test_options_and_settings_that_are_named_alone_exist() -> None:
    every = {o for each in PARSERS.values() for a in texts.options(each) for o in a.option_strings}
    spans = [each for each in code(TEXT) if re.fullmatch(r"--[a-z-]+( [A-Z]+)?", each)]
    assert spans
    assert [each for each in spans if each.split()[0] not in every | {"--help"}] == []
    groups = {key.split(".")[0] for key in KNOWN if "." in key}
    keys = [k for k in re.findall(r"`([a-z]+\.[a-z_]+)`", TEXT) if k.split(".")[0] in groups]
    assert set(keys) <= set(KNOWN)
    for key, value in re.findall(r"`([a-z_]+): ([a-z-]+)`", TEXT):
        assert KNOWN[key].read(value) is not None
    for variable in re.findall(r"DREAMD_([A-Z_]+__[A-Z_]+)=", TEXT):
        assert variable.lower().replace("__", ".") in KNOWN


def test_each_gate_of_the_readme_has_that_default_and_setting() -> None:
    for gate, _, default, key in rows("When it runs"):
        assert gate in {each.name for each in GATES}
        value = KNOWN[key.strip("`")].value
        assert default == "none" if value == "" else float(default.split()[0]) == value


def test_money_model_and_cadence_are_as_the_settings_have_them() -> None:
    model, gates = Settings().model, Settings().gates
    assert f"`{model.name}`" in TEXT
    prose = " ".join(PROSE.split())
    for said in (
        f"${model.dollars:.2f} (`model.dollars`)",
        f"${model.day_dollars:.2f} (`model.day_dollars`)",
        f"After {gates.cadence_sessions} sessions or {gates.cadence_hours:g} hours",
        f"the {Settings().budget.index_lines} lines that a conversation loads",
    ):
        assert said in prose
    evidence = Settings().evidence
    assert (evidence.sessions, evidence.days, evidence.signals, evidence.lines) == (2, 2, 3, 5)
    assert "two sessions, two days and three mentions" in prose
    assert "at most five such facts" in prose


def test_each_figure_was_measured_and_its_test_exists() -> None:
    known = json.loads((ROOT / "tests" / "figures.json").read_text("utf-8"))["figures"]
    seen = set()
    for _, figure, command in rows("What it promises, and how that is tested"):
        test = re.findall(r"tests[./][\w./]+", command)[0]
        seen.add(test)
        assert re.findall(r"\d+(?:\.\d+)?", figure) == known[test], test
        assert (ROOT / f"{test.removesuffix('.py').replace('.', '/')}.py").is_file()
    assert seen == set(known)


def test_the_excerpt_is_what_the_demo_prints() -> None:
    shown = EXCERPT.search(TEXT)
    assert shown is not None
    assert shown[0] == texts.excerpt(), f"README.md: {AGAIN}"
    assert len(shown[0].splitlines()) <= texts.MOST


def test_the_reference_is_what_the_tables_say() -> None:
    assert REFERENCE.read_text("utf-8") == texts.reference(), f"{REFERENCE.name}: {AGAIN}"


def test_the_readme_is_short() -> None:
    assert len(TEXT.split()) <= 1_500
    assert [each for each in sentences(PROSE) if len(each.split()) > 30] == []


def test_the_changelog_names_a_removed_command_as_removed_only() -> None:
    unreleased = CHANGELOG.split("\n## ")[1]
    assert len([line for line in CHANGELOG.splitlines() if not line.startswith("|")]) <= 120
    for part in unreleased.split("\n### "):
        if not part.startswith(("Removed", "Not there yet")):
            assert [
                words for words in commands(part) if words and words[0] not in cli.COMMANDS
            ] == []
