"""Drift: what notes name and the repository has otherwise."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from dreamd.engine.model.digest.drift import drift
from dreamd.engine.model.digest.notes import Lines
from dreamd.sandbox.denied import DenyList

FILES = {
    "pyproject.toml": '[project]\nversion = "3.0"\nrequires-python = ">=3.12"\n'
    'dependencies = [\n  "django>=5.1",\n]\n',
    "web/package.json": '{\n"engines": {\n"node": "22"\n},\n"scripts": {\n"test": "vitest"\n},\n'
    '"dependencies": {\n"vite": "^6.2.0"\n}\n}\n',
    "Dockerfile": "FROM docker.io/library/postgres:16\n",
    "old/package.json": '{"dependencies": {\n"rollup": "4.1"\n}}',
    "new/package.json": '{"dependencies": {\n"rollup": "5.0"\n}}',
    "Makefile": "build: deps\n\tcc\ndeps:\n\ttrue\nPORT := 3\n",
    "compose.yaml": "services:\n  web:\n    image: x\n  db:\n    image: y\n",
    "lib/tides.py": "",
    "lib/harbour/piers.py": "",
    ".env": "redis 9\n",
    "secret/go.mod": "module x\ngo 1.9\n",
}


def rows(folder: Path, line: str) -> list[str]:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    lines = Lines({PurePosixPath("a.md"): f"# A\n\n- {line}\n"})
    return list(drift(folder, lines, DenyList.of([folder / "secret"])).rows)


@pytest.mark.parametrize(
    ("line", "has"),
    [
        ("Tides are in src/tides.py", "src/tides.py is gone; there is lib/tides.py"),
        ("Python 3.11 everywhere", "Python >=3.12 in pyproject.toml"),
        ("The server runs on Django 4.2.", "Django >=5.1 in pyproject.toml"),
        ("node 20 for the client", "node 22 in web/package.json"),
        ("vite 5 bundles it", "vite ^6.2.0 in web/package.json"),
        ("postgres:15 in the container", "postgres 16 in Dockerfile"),
        ("Run `make lint` first", "no make lint in Makefile"),
        ("Run npm run e2e first", "no script e2e in web/package.json"),
        ("docker compose logs worker", "no service worker in compose.yaml"),
        ("Tides are in lib/tides.py, piers in harbour/piers.py", ""),
        ("Paths elsewhere: docs/other.md, https://x.org/src/tides.py, ~/src/tides.py", ""),
        ("Python 3.12.4, Django 5.2, vite 6.9, node 22.1, postgres 16.2", ""),
        ("Python 3.12 (2026-05-01); previously 3.11 on Python 3.10", ""),
        ("Run `make build` and npm run test; make lint-free code", ""),
        ("docker compose exec db psql", ""),
        ("version 2 of the form", ""),
        ("rollup 3 bundles it", ""),  # two packages, two versions
        ("go 1.21 and redis 7", ""),  # denied, and no manifest
    ],
)
def test_a_note_is_set_beside_what_the_repository_has(tmp_path: Path, line: str, has: str) -> None:
    assert rows(tmp_path, line) == ([f"{has} · a.md:3: {line}"] if has else [])


def test_nothing_is_read_through_a_link_and_few_rows_are_shown(tmp_path: Path) -> None:
    (tmp_path / "far.toml").write_text('django = "3.0"\n')
    (tmp_path / "in").mkdir()
    (tmp_path / "in/pyproject.toml").symlink_to(tmp_path / "far.toml")
    lines = Lines({PurePosixPath("a.md"): "- Django 4.2\n"})
    assert drift(tmp_path / "in", lines, DenyList.of([])).rows == []
    assert len(rows(tmp_path / "whole", "\n- ".join(["node 1 is old"] * 9))) == 5
    for project in (None, tmp_path / "absent"):
        assert drift(project, lines, DenyList.of([])).rows == []
