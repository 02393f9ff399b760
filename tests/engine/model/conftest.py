"""A client that gives up soon, and one laptop with a reader for each module or each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.sandbox.confine import best
from tests.brain import hasten
from tests.engine.model.tools.desk import Desk, Laptop, opened


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for (module, name), value in hasten().items():
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as found:
        yield found


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """For tests that leave everything as it was."""
    with opened(Laptop.at(tmp_path_factory.mktemp("desk").resolve()), best().level) as found:
        yield found
