"""A pointer that leads nowhere is mended where it is sure what it means, else becomes words."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from dreamd.domain.change import Declined
from tests.engine.night import INDEX, counts, dream, sleep

NOTES = {"deploy-steps.md": "How the shop is deployed.\n", "sub/plan b.md": "The other plan.\n"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [Deploy](deploy_steps.md) — image first", "- [Deploy](deploy-steps.md) — image first"),
        ("- [D](Deploy-Steps.md#roll) — x", "- [D](deploy-steps.md#roll) — x"),
        ('- [D](old/deploy_step.md "how") — x', '- [D](deploy-steps.md "how") — x'),
        ("- [D](<deploy steps.md>) — x", "- [D](deploy-steps.md) — x"),
        ("- [B](plan_b.md) — x", "- [B](sub/plan%20b.md) — x"),
        ("- see [[deploy_steps|the steps]]", "- see [[deploy-steps|the steps]]"),
        ("- see [A](gone.md) and [D](deploysteps.md)", "- see A and [D](deploy-steps.md)"),
        ("- [Gone](gone.md) — port 99 is taken", "- Gone — port 99 is taken"),
        ("see [the plan](docs/plan.md) first", "see the plan (`docs/plan.md`) first"),
    ],
)
def test_a_dangling_pointer_is_mended_or_becomes_words(line: str, expected: str) -> None:
    index = "# Memory\n\n- [1](deploy-steps.md) — x\n- [2](sub/plan%20b.md) — y\n"
    after = dream({**NOTES, "MEMORY.md": f"{index}{line}\n"})
    assert after["MEMORY.md"] == f"{index}{expected}\n"


def test_a_bare_pointer_of_the_index_keeps_its_words() -> None:
    text = "# Memory\n\n- A fact that stays here\n\n## Old\n\n"
    result = sleep({"MEMORY.md": f"{text}- [Gone](gone.md)\n- [Lost](lost.md)\n"})
    assert result.texts[INDEX] == f"{text}- Gone\n- Lost\n"
    assert counts(result) == {"dropped {dangling pointer}": 2}
    assert all(why.rule == "dangling pointer" for why in result.whys)


def test_a_bare_link_in_a_topic_keeps_its_words() -> None:
    texts = {"MEMORY.md": "- [A](a.md) — x\n", "a.md": "Related:\n- [[gone]]\n"}
    assert dream(texts)["a.md"] == "Related:\n- gone\n"


def test_a_note_in_a_folder_points_from_there() -> None:
    texts = {
        "MEMORY.md": "- [S](sub/s.md) — x\n",
        "sub/s.md": "see [D](deploy_steps.md)\n",
        **NOTES,
    }
    assert dream(texts)["sub/s.md"] == "see [D](../deploy-steps.md)\n"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "```\n[x](gone.md)\n```\n",
            "`[x](gone.md)` is how it is written\n",
            "[x](../gone.md) up there\n",
        ),
        *(
            "---\nnote: '[[gone]]'\n---\ntext\n",
            "<!-- [x](gone.md) -->\n",
            "[x](https://x.org/gone.md)\n",
        ),
        "[x](binary.md) and [y](.hidden.md)\n",
    ],
)
def test_what_is_no_dangling_pointer_stays(text: str) -> None:
    texts = {"MEMORY.md": text, "binary.md": "a\0b", ".hidden.md": "x"}
    assert dream(texts)["MEMORY.md"] == text


def test_a_last_line_without_an_end_has_one_once_it_is_written_anew() -> None:
    texts = {"MEMORY.md": "# Memory\n\n- [Gone](gone.md) — port 99 is taken"}
    assert dream(texts)["MEMORY.md"] == "# Memory\n\n- Gone — port 99 is taken\n"


def test_a_pointer_the_user_wanted_back_stays() -> None:
    text = "# Memory\n\n- [Gone](gone.md) — port 99 is taken\n- [Also](also.md)\n"
    rows = text.splitlines()
    no = Declined(
        removed=dict.fromkeys([(PurePosixPath("MEMORY.md"), row) for row in rows[2:]], "a1b2c3d4e5")
    )
    assert dream({"MEMORY.md": text}, declined=no)["MEMORY.md"] == text
