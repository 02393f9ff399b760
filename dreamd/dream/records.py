"""What a dream leaves beside notes and receipt: the talk of its session, and a diary entry."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dreamd.domain.receipt import Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.dream.attempt import DreamRun
from dreamd.engine.protocol import Speaker
from dreamd.errors import DreamdError, HostError
from dreamd.ledger import conversations, diary, receipts
from dreamd.state.store_db import StoreDb
from dreamd.text.secrets.secrets import redact
from dreamd.transaction.frame import Frame


def _said(run: DreamRun) -> Sequence[Mapping[str, Any]]:
    return run.engine.said if isinstance(run.engine, Speaker) else ()


def keep_talk(frame: Frame, run: DreamRun) -> tuple[str, ...]:
    """Keep what was said in a session; say so where that fails: it is no reason to lose a dream."""
    days = run.settings.model.keep_days
    try:
        conversations.keep(frame.store.conversations, frame.id, _said(run), days)
    except HostError as error:
        return (f"the conversation is not kept: {error}",)
    return ()


@contextlib.contextmanager
def talk_kept(frame: Frame, run: DreamRun) -> Iterator[None]:
    """Keep what was said also where the dream breaks off, by a signal too."""
    try:
        yield
    except BaseException:
        keep_talk(frame, run)
        raise


def write_diary(store: Store, run: DreamRun, receipt: Receipt) -> Receipt:
    """Write a dream that changed notes into the diary, if one is wanted; nothing depends on it."""
    if not run.settings.diary or receipt.outcome is not Outcome.DREAMT or not receipt.changes:
        return receipt
    try:
        diary.add(diary.place(store, run.settings), receipt, _said(run))
    except DreamdError as error:
        lacking = redact(f"the diary lacks this dream: {error}")
        receipt = replace(receipt, findings=(*receipt.findings, lacking))
        with contextlib.suppress(DreamdError):
            receipts.put(StoreDb(store.database), receipt)
    return receipt
