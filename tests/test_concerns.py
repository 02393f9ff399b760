"""The concerns of a real store: its lock, its ledger, its sessions."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dreamd import config
from dreamd.app.gating import concerns
from dreamd.app.wiring import App
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.ledger import receipts
from dreamd.state.store_db import StoreDb
from dreamd.stores import identity
from tests.spoken import record, touch, write

DAY = 86_400.0


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(config.load({"HOME": str(tmp_path)}), tmp_path)


def project(app: App, *, dreamt: float | None, sessions: list[float]) -> Store:
    """A project last dreamt for so many days ago, and sessions touched so many days ago."""
    folder = app.loaded.paths.claude / "projects" / "-home-dev-tidepool"
    for number, days in enumerate(sessions):
        said = record("Thank you.", session=f"s{number}", cwd="/home/dev/tidepool")
        touch(write(folder, f"s{number}", [said]), time.time() - days * DAY)
    memory = folder / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n")
    if dreamt is not None:
        lock = memory / ".consolidate-lock"
        lock.touch()
        touch(lock, time.time() - dreamt * DAY)
    return identity.store_at(memory, app.loaded.paths.state)


@pytest.mark.parametrize(
    ("born", "dreamt", "sessions", "days"),
    [
        (0.0, 9.0, [8.0, 7.0, 6.0, 5.0, 4.0, 0.1], 9),
        (0.0, 9.0, [8.0, 7.0, 0.3, 0.2, 0.1], None),  # due since a few hours
        (0.0, 9.0, [30.0] * 6, None),  # which that dream heard
        (0.0, 6.5, [6.0] * 9, None),
        (0.0, None, [30.0] * 9, None),  # dreamd has come just now
        # Before the first dream it counts from when both were there.
        (10.0, None, [30.0] * 6, 10),
        (10.0, None, [8.0] * 6, 8),
        (10.0, None, [6.0] * 6, None),
        (10.0, None, [], None),
    ],
)
def test_a_week_without_a_dream_although_sessions_came(
    app: App,
    monkeypatch: pytest.MonkeyPatch,
    born: float,
    dreamt: float | None,
    sessions: list[float],
    days: int | None,
) -> None:
    if born:  # no test can set when a folder was made
        made = time.time_ns() - round(born * DAY) * 10**9
        monkeypatch.setattr("dreamd.host.files.birth_ns", lambda _: made)
    app.loaded.paths.state.mkdir(parents=True)
    told = concerns(app, project(app, dreamt=dreamt, sessions=sessions))
    assert len(told) == (days is not None)
    assert all(f"for {days} days, although {len(sessions)} sessions came" in each for each in told)


def test_who_has_switched_dreams_off_misses_none_and_one_that_was_undone_was_dreamt(
    app: App, tmp_path: Path
) -> None:
    store = project(app, dreamt=9.0, sessions=[5.0] * 6)
    off = App(config.load({"HOME": str(tmp_path), "DREAMD_ENABLED": "no"}), tmp_path)
    assert concerns(app, store)
    assert concerns(off, store) == ()
    began = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() - 2 * DAY))
    kind, outcome = Kind.CONSOLIDATION, Outcome.DREAMT
    receipt = Receipt("abcdef012345", kind, outcome, "x", str(store.memory), began)
    receipts.put(StoreDb(store.database), receipt)
    assert concerns(app, store) == ()
    (store.home / "store.db.damaged-1").touch()  # what was set aside is told while it lies there
    assert "history was damaged" in "".join(concerns(off, store))
