"""Configuration enters here, once: defaults, then the file, then the environment, then flags."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from dreamd import paths
from dreamd.domain.settings import EngineChoice, Fallback, Settings, each_setting, fault, keys
from dreamd.errors import ConfigError, UsageError

_PREFIX = "DREAMD_"
_SHORT = {"DREAMD_MEMORY_BYTES": "budget.memory_bytes"}
_NO_SETTINGS = {"DREAMD_MEMORY", "DREAMD_CORPUS", "DREAMD_EVAL", "DREAMD_SWEEP"}
_LARGEST = 1 << 20  # bytes; a configuration file beyond it is something else
_FLAG = "flag"
_LIMITS = {"model.tokens", "model.dollars", "model.day_tokens", "model.day_dollars"}
_NOTHING = ("", "~", "null")  # what stands where YAML has no value

# A value as it was written: dotted key, text (None: a list or a mapping), its place for a
# message, and its source for the table.
_Given = tuple[str, str | None, str, str]


class Paths(Struct, frozen=True):
    """Where things lie: the user's home, dreamd's state, its configuration, the client's root."""

    home: Path
    state: Path
    config_file: Path
    claude: Path


class Loaded(Struct, frozen=True):
    """The settings in force; where each came from, by dotted key; and `DREAMD_MEMORY` as given.

    `environ` is the environment as it was, for the one engine that hands some of it on.
    `unasked` is the engine of a dream that begins by itself: a project can set a variable, so of
    one only `rules` counts for it.
    """

    settings: Settings
    sources: Mapping[str, str]
    paths: Paths
    memory: str | None
    environ: Mapping[str, str]
    unasked: EngineChoice = EngineChoice.AUTO

    def __repr__(self) -> str:
        """Return it without the environment, which holds keys."""
        return f"Loaded({self.settings!r}, {self.paths!r})"

    @property
    def falls_back(self) -> bool:
        """Whether the rules dream where a model's dream came to nothing.

        An engine named on the command line is meant alone, unless the environment allows it.
        """
        is_alone = self.sources["engine"] == _FLAG
        is_meant = not is_alone or self.sources["fallback"].startswith(_PREFIX)
        return is_meant and self.settings.fallback is Fallback.RULES


def load(
    environ: Mapping[str, str] | None = None, flags: Mapping[str, str] | None = None
) -> Loaded:
    """Return the settings in force; a later source wins over an earlier one.

    The file is `$XDG_CONFIG_HOME/dreamd/config.yaml`; its absence is no fault. A variable is
    `DREAMD_` and the key in capitals, two underscores for a dot; `DREAMD_MEMORY_BYTES` is short
    for `DREAMD_BUDGET__MEMORY_BYTES`. Flags are given by dotted key. A value is read by the type
    of its default, quoted or not. A variable only lowers a limit of money or tokens.

    Raises:
        ConfigError: an unknown key or a bad value in the file or the environment, or a file that
            cannot be read, or weights that sum to no score; the sentence names the place and
            what would be right.
    """
    environ = os.environ if environ is None else environ
    paths, sources = _paths(environ), dict.fromkeys(keys(), "default")
    given = [*_from_file(paths.config_file, sources), *_from_environment(environ, sources)]
    given += [(key, text, "the command line", _FLAG) for key, text in (flags or {}).items()]
    known = {each.key: each for each in each_setting(Settings())} if given else {}
    values: dict[str, Any] = {}
    unasked = EngineChoice.AUTO
    for key, text, place, source in given:
        error = UsageError if source == _FLAG else ConfigError
        if key not in known:
            raise error(f"{place}: {_unknown(key, known)}")
        section, _, name = key.rpartition(".")
        part = values.setdefault(section, {}) if section else values
        try:
            value = known[key].read((text or "").strip())
        except ValueError:
            found = "a list or a mapping" if text is None else repr(text[:60])
            raise error(f"{place}: {key} must be {known[key].right}, not {found}") from None
        is_ours = not source.startswith(_PREFIX)
        if key in _LIMITS and not is_ours and value > part.get(name, known[key].value):
            continue
        if key == "engine" and (is_ours or value is EngineChoice.RULES):
            unasked = value
        part[name], sources[key] = value, source
    settings = convert(values, Settings)
    if said := fault(settings.evidence):
        raise ConfigError(f"evidence: {said}")
    memory = environ.get("DREAMD_MEMORY") or None
    return Loaded(settings, sources, paths, memory, dict(environ), unasked)


def record(path: Path, chosen: Mapping[str, str]) -> None:
    """Put settings at the end of the configuration file, in place of what its lines say of them.

    A file that is not written in lines, or a value that is none for its setting, is refused.
    """
    import yaml  # noqa: PLC0415 - as below

    from dreamd.host import files  # noqa: PLC0415 - only to write

    text, known = _text(path) or "", {each.key: each for each in each_setting(Settings())}
    said = [f"{key}: {value}" for key, value in chosen.items()]
    kept = [line for line in text.splitlines() if line.partition(":")[0] not in chosen]
    new = "\n".join([*kept, *said, ""])
    try:
        load = partial(yaml.load, Loader=yaml.BaseLoader)
        before, after = map(load, (text, new))
        is_meant = after == {**(before or {}), **chosen}
        for key, value in chosen.items():
            known[key].read(value)
    except (yaml.YAMLError, TypeError, ValueError):
        is_meant = False
    if not is_meant:
        raise ConfigError(f"{path}: cannot add `{'`, `'.join(said)}`: write that there by hand")
    files.make_private(path.parent)
    with files.faults("write", path):
        files.replace(path.resolve(), new.encode())


def defaults() -> Loaded:
    """Return the defaults, for whoever goes on though the configuration is wrong."""
    sources, environ = dict.fromkeys(keys(), "default"), dict(os.environ)
    return Loaded(Settings(), sources, _paths(environ), None, environ)


def _paths(environ: Mapping[str, str]) -> Paths:
    known = paths.home_of(environ)
    if known is None:
        raise ConfigError("HOME is not set, and this user has no home directory")
    home = Path(known)
    config = Path(paths.absolute(environ.get("XDG_CONFIG_HOME")) or home / ".config")
    claude = environ.get("CLAUDE_CONFIG_DIR")
    return Paths(
        home=home,
        state=Path(paths.state_of(environ, known)),
        config_file=config / "dreamd" / "config.yaml",
        claude=Path(claude).absolute() if claude else home / ".claude",
    )


def _unknown(key: str, known: Iterable[str], likeness: float = 0.6) -> str:
    import difflib  # noqa: PLC0415 - only on a slip of the finger

    every = list(known)
    near = difflib.get_close_matches(key, every, n=1, cutoff=likeness)
    few = f"known are {', '.join(every[:4])} and {len(every) - 4} more: `dreamd config` lists them"
    hint = f"did you mean {near[0]}?" if near else few
    return f"there is no setting {key!r}; {hint}"


def _from_environment(environ: Mapping[str, str], known: Iterable[str]) -> Iterator[_Given]:
    names = {_PREFIX + key.upper().replace(".", "__"): key for key in known} | _SHORT
    found: dict[str, str] = {}
    for name in sorted(environ):
        if not name.startswith(_PREFIX) or name in _NO_SETTINGS:
            continue
        if name not in names:
            near = _unknown(name, [*names, *sorted(_NO_SETTINGS)], likeness=0.8)  # one prefix
            raise ConfigError(f"the environment: {near}")
        key = names[name]
        if (other := found.setdefault(key, name)) != name:
            raise ConfigError(
                f"the environment: {other} and {name} both set {key}; keep one of them"
            )
        yield key, environ[name], f"the environment variable {name}", name


def _from_file(path: Path, known: Iterable[str]) -> Iterator[_Given]:
    text = _text(path)
    if text is None:
        return
    import yaml  # noqa: PLC0415 - a start without a file need not pay for it

    try:
        root = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - it makes nothing but text
    except (yaml.YAMLError, RecursionError) as error:
        raise ConfigError(f"{path}: this is not YAML: {' '.join(str(error).split())}") from error
    sections = {key.partition(".")[0] for key in known if "." in key}
    for key, value in _pairs(path, root, "the file"):
        rows = [(key, value)]
        if key in sections:
            rows = [(f"{key}.{name}", each) for name, each in _pairs(path, value, key)]
        for name, each in rows:
            yield name, each if isinstance(each, str) else None, str(path), path.name


def _pairs(path: Path, value: Any, what: str) -> Collection[tuple[str, Any]]:
    """Return what a mapping holds; nothing where all its lines are comments."""
    if value in (None, *_NOTHING):
        return ()
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: {what} must hold lines of the form `key: value`")
    return value.items()


def _text(path: Path) -> str | None:
    """Return the text of a regular file; None where there is none."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{path} is not a file; the settings are read from a YAML file there")
        if status.st_size > _LARGEST:
            raise ConfigError(f"{path} has {status.st_size} bytes; at most {_LARGEST} are read")
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise ConfigError(f"{path} is a link to a file that does not exist") from error
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: this is not UTF-8; save the file as UTF-8") from error
