"""One laptop and one pair of helpers for each module; tests that change notes make their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.sandbox.choose import best
from tests.engine.model.tools.desk import Desk, Laptop, opened


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened(Laptop.at(tmp_path.resolve()), best().level) as found:
        yield found


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """For tests that leave everything as it was."""
    with opened(Laptop.at(tmp_path_factory.mktemp("desk").resolve()), best().level) as found:
        yield found
