"""What a new session is told of the dreams since the last one was told: one line, once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from dreamd.domain.receipt import Kind
from dreamd.domain.store import Store
from dreamd.host import files, presence
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past

_CLAIM = "told-"  # and the id of the latest dream that was told of


def line(past: Iterable[Past], last: str | None) -> tuple[str, str] | None:
    """Return the latest dream to tell of and the sentence; None where there is no news.

    Args:
        past: the dreams of a store, oldest first.
        last: the latest one that was told of. Without one only the latest dream is news.
    """
    dreams = [each for each in past if each.receipt.kind is Kind.CONSOLIDATION]
    ids = [each.id for each in dreams]
    first = ids.index(last) + 1 if last in ids else max(len(dreams) - 1, 0)
    news = [each for each in dreams[first:] if each.changed and not each.undone]
    if not news:
        return None
    count = len({change.path for each in news for change in each.receipt.changes})
    notes = f"{count} note{'s' if count != 1 else ''}" if count else "Notes"
    return news[-1].id, f"{notes} changed while you were away; `dreamd show {news[-1].id}`"


def claim(store: Store) -> str | None:
    """Return the sentence for a session that begins now; no other session is given it.

    Raises:
        HostError: the ledger cannot be read or the state directory not written.
    """
    with files.faults("write to", store.home):
        if not store.home.is_dir():
            return None
        presence.poke(
            str(store.home / "told")
        )  # before the ledger is read: what comes later is news
        claims = sorted(store.home.glob(f"{_CLAIM}*"), key=lambda each: each.lstat().st_mtime_ns)
        last = claims[-1].name.removeprefix(_CLAIM) if claims else None
        news = line(receipts.past(receipts.read(store.database)), last)
        if news is None:
            return None
        try:
            files.write_new(store.home / f"{_CLAIM}{news[0]}", b"", durable=False)
        except FileExistsError:  # another session was quicker
            return None
        for each in claims:
            with contextlib.suppress(FileNotFoundError):
                each.unlink()
    return news[1]
