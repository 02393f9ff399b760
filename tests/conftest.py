"""Properties try the same examples each time, so that the gate gives the same answer twice."""

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits do not watch for late writers: no test that asks for this has any."""
    from functools import partial

    from dreamd.memory import commit

    for name in ("commit", "recover"):
        brief = partial(getattr(commit, name), watch_late=commit.LATE / 20)
        monkeypatch.setattr(commit, name, brief)
