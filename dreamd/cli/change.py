"""Stop a dream, change your mind about one, protect a note, forget a text, adopt a history."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd import views
from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.receipt import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import RefusedError, UsageError
from dreamd.stores import choice, identity
from dreamd.text.words import plural

_FIT = {"undo": "changed", "redo": "undone", "accept": "waiting", "reject": "waiting"}
_FEW = 5  # histories without a directory, named where none was meant


def run(arguments: argparse.Namespace) -> int:
    """Undo, redo, accept or reject a dream; say what could not be because it changed since."""
    name: str = arguments.command
    found = common.found(arguments, _FIT[name])
    from dreamd.transaction import reversal  # noqa: PLC0415 - SQLite and locks

    if found.dream is None:
        id_, kind, of = found.receipt.dream, found.receipt.kind, found.receipt.of
        raise UsageError(f"{id_} is no dream: it is the {kind} of {of}; name {of}")
    done = reversal.turn(found.store, found.dream, Kind(name))
    return common.give(done, as_json=arguments.json)


def stop(arguments: argparse.Namespace) -> int:
    """End the dream that runs over a memory directory; that none runs is no failure."""
    store = common.start(arguments).store()
    from dreamd.transaction import ending  # noqa: PLC0415 - SQLite and locks

    done = ending.stop(store)
    said = f"{views.sentence(done.reason)}."
    return _say(arguments, {"memory": store.memory} | common.plain(done), said)


def restore(arguments: argparse.Namespace) -> int:
    """Bring notes back as they were, or write them to another folder."""
    found = common.found(arguments, "any")
    from dreamd.transaction import reversal  # noqa: PLC0415 - SQLite and locks

    if arguments.to is None:
        done = reversal.restore(found.store, found.receipt, arguments.PATH)
        return common.give(done, as_json=arguments.json)
    folder, dream = choice.path_of(arguments.to, common.start(arguments).here), found.receipt.dream
    count = reversal.write_out(found.store, found.receipt, arguments.PATH, folder)
    said = f"Wrote {plural(count, 'note')} as when {dream} began to {folder}"
    return _say(arguments, {"dream": dream, "to": folder, "files": count}, said)


def pin(arguments: argparse.Namespace) -> int:
    """Set or take away `pinned: true` in the note's frontmatter, and nothing else."""
    app = common.start(arguments)
    store, is_pin = app.store(), arguments.command == "pin"
    from dreamd.memory.scan import scan  # noqa: PLC0415 - only where notes are read
    from dreamd.text.markdown import note  # noqa: PLC0415
    from dreamd.transaction.change import edit  # noqa: PLC0415 - SQLite and locks

    tree = scan(store.memory)
    path = _note(tree, store, arguments.NOTE, app.here)
    if note.is_pinned(_text(tree, path)) == is_pin:
        said = f"{path} is {'pinned already' if is_pin else 'not pinned'}; nothing changed."
        return _say(arguments, {"note": path, "pinned": is_pin, "changed": False}, said)

    def change(tree: Tree) -> Tree:
        data = with_pin(_text(tree, path), pin=is_pin).encode("utf-8")
        return replace(tree, files={**tree.files, path: replace(tree.files[path], data=data)})

    said = f"pinned {path}: no dream changes it" if is_pin else f"unpinned {path}"
    return common.give(edit(store, Kind.PIN, change, reason=said), as_json=arguments.json)


def with_pin(text: str, *, pin: bool) -> str:
    """Return the note with `pinned: true` in its frontmatter, or without; all other bytes stay.

    A note without frontmatter gets one, and a frontmatter left empty goes.
    """
    from dreamd.text.markdown import markdown, note  # noqa: PLC0415 - as above

    rows, head = list(markdown.lines(text)), note.frontmatter(text)
    end = next(filter(None, map(markdown.ending, rows[:1])), "\n")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    if head is None:
        return f"{mark}---{end}pinned: true{end}---{end}{text[len(mark) :]}" if pin else text
    field = head.field("pinned")
    first, last = (field.start, field.end) if field else (head.end - 1, head.end - 1)
    name = markdown.bare(rows[first]).partition(":")[0] if field else "pinned"
    rows[first:last] = [f"{name}: true{end}"] if pin else []
    is_empty = not pin and head.end - (last - first) == 2
    return mark + "".join(rows[2:]) if is_empty else "".join(rows)


def forget(arguments: argparse.Namespace) -> int:
    """Ask, then forget; this is the one command that cannot be undone."""
    app = common.start(arguments)
    store = app.store(may_be_gone=True)
    named = common.sessions_named(app, arguments)
    text: str = arguments.TEXT
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape").strip("\r\n")
    from dreamd.transaction import forgetting  # noqa: PLC0415 - SQLite and locks

    forgetting.judge(text)
    if not arguments.yes:
        if not sys.stdin.isatty():
            raise UsageError("forget cannot be undone: say --yes where nobody can be asked")
        where = f"the notes in {on_one_line(str(store.memory))}\nand all of their history"
        if not common.asked(f"This removes the text from {where}. It cannot be undone. Forget it?"):
            print("Nothing was forgotten.")
            return 1
    done = forgetting.forget(store, text, [*app.folders(store), *named])
    if arguments.json:
        common.answer(done)
        return 1 if done.unsearched else 0
    notes, past = plural(done.notes, "note"), plural(done.past, "earlier version")
    print(f"Forgotten: it was in {notes} and in {past} of them.")
    if done.messages:
        print(f"{plural(done.messages, 'message')} with it will not be learned from.")
    for line in done.unsearched:
        print(on_one_line(f"  {line}"))
    return 1 if done.unsearched else 0


def adopt(arguments: argparse.Namespace) -> int:
    """Let the new directory have the history of the old one; once."""
    app, named = common.start(arguments), arguments.OLD
    marks, paths = identity.read_all(app.loaded.paths.state), app.loaded.paths
    place = str(marks[arguments.NEW].path) if arguments.NEW in marks else arguments.NEW
    new = choice.locate(place, here=app.here, claude=paths.claude, state=paths.state)
    old = named if named in marks else _store_of(app, named, marks, new)
    is_done = marks[old].path == new.memory
    if not is_done:
        from dreamd.transaction import adoption  # noqa: PLC0415 - locks, only when needed

        adoption.adopt(Store(marks[old].path, new.state, old), new)
    when = "already; nothing was changed" if is_done else "now"
    said = f"{new.memory} has the history of {named} {when}."
    return _say(arguments, {"memory": new.memory, "store": old, "adopted": not is_done}, said)


def _store_of(app: App, named: str, marks: dict[str, identity.Mark], new: Store) -> str:
    """Return the name of the store that is meant by its path, as it is or was."""
    path = identity.real(choice.path_of(named, app.here))
    for name, mark in marks.items():
        if mark.path == path or (mark.adopted == str(path) and mark.path == new.memory):
            return name
    gone = [str(each.path) for each in marks.values() if not each.path.is_dir()]
    known = f"; without a directory are those of {', '.join(gone[:_FEW])}" if gone else ""
    raise UsageError(f"there is no history of {path}{known}")


def _say(arguments: argparse.Namespace, answer: dict[str, object], said: str) -> int:
    if arguments.json:
        common.answer(answer)
    else:
        print(on_one_line(said))
    return 0


def _text(tree: Tree, path: PurePosixPath) -> str:
    entry = tree.files.get(path)
    if entry is None:
        raise RefusedError(f"{path} is no plain file: it cannot be pinned")
    try:
        return entry.data.decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"{path} is not UTF-8 text (byte {error.start}): fix it first"
        raise RefusedError(said) from error


def _note(tree: Tree, store: Store, named: str, here: Path) -> PurePosixPath:
    """Return the note that is meant: by a path, from here or in the memory, or by its name."""
    given = choice.path_of(named, here)
    inside = identity.real(given.parent) / given.name
    paths = [PurePosixPath(named), PurePosixPath(f"{named}.md")]
    if inside.is_relative_to(store.memory):
        paths.insert(0, PurePosixPath(inside.relative_to(store.memory)))
    fits = [path for path in paths if path in tree.files][:1]
    fits = fits or [path for path in tree.files if named in {path.stem, path.name}]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UsageError(f"{named} fits several notes ({', '.join(map(str, fits[:5]))}): name one")
    raise UsageError(f"there is no note {named} in {store.memory}: name a file of it")
