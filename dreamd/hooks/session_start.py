"""What a new session is told of the dreams since the last one was told: one line, once."""

from __future__ import annotations

import contextlib

from dreamd.domain.receipt import Kind
from dreamd.domain.store import Store
from dreamd.host import files, presence
from dreamd.ledger import receipts
from dreamd.text.words import plural

_CLAIM = "told-"  # and the id of the latest dream that was told of


def claim(store: Store) -> str | None:
    """Return the sentence for a session that begins now; no other session is given it.

    It counts the notes that dreams changed since the last one that was told of, and names the
    latest; where none was, only the latest dream is news.
    """
    with files.faults("write to", store.home):
        if not store.home.is_dir():
            return None
        # Before the ledger is read: what comes later is news.
        presence.poke(str(store.home / "told"))
        claims = sorted(store.home.glob(f"{_CLAIM}*"), key=lambda each: each.lstat().st_mtime_ns)
        last = claims[-1].name.removeprefix(_CLAIM) if claims else None
        past = receipts.past(receipts.read(store.database))
        dreams = [each for each in past if each.receipt.kind is Kind.CONSOLIDATION]
        ids = [each.id for each in dreams]
        first = ids.index(last) + 1 if last in ids else max(len(dreams) - 1, 0)
        news = [each for each in dreams[first:] if each.changed and not each.undone]
        if not news:
            return None
        try:
            files.write_new(store.home / f"{_CLAIM}{news[-1].id}", b"", durable=False)
        except FileExistsError:  # another session was quicker
            return None
        for each in claims:
            with contextlib.suppress(FileNotFoundError):
                each.unlink()
    count = len({change.path for each in news for change in each.receipt.changes})
    notes = plural(count, "note") if count else "Notes"
    return f"{notes} changed while you were away; `dreamd show {news[-1].id}`"
