"""Configuration enters here, once: defaults, then the file, then the environment, then flags."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from dreamd import places
from dreamd.domain import weights
from dreamd.domain.record import Record
from dreamd.domain.settings import Fallback, Setting, Settings, each_setting, with_values
from dreamd.errors import ConfigError, DreamdError, UsageError

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_PREFIX = "DREAMD_"
_SHORT = {"DREAMD_MEMORY_BYTES": "budget.memory_bytes"}
_NO_SETTINGS = {"DREAMD_MEMORY", "DREAMD_CORPUS", "DREAMD_EVAL", "DREAMD_SWEEP"}
_LARGEST = 1 << 20  # bytes; a configuration file beyond it is something else


@dataclass(frozen=True, eq=False, repr=False)
class Paths(Record):
    """Where things lie: the user's home, dreamd's state, its configuration, the client's root."""

    home: Path
    state: Path
    config_file: Path
    claude: Path


@dataclass(frozen=True, eq=False, repr=False)
class Loaded(Record):
    """The settings in force; where each came from, by dotted key; and `DREAMD_MEMORY` as given.

    `environ` is the environment as it was, for the one engine that hands some of it on.
    """

    settings: Settings
    sources: Mapping[str, str]
    paths: Paths
    memory: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def falls_back(self) -> bool:
        """Whether the rules dream where a model's dream came to nothing.

        An engine named on the command line is meant alone, unless the environment allows it.
        """
        is_alone = self.sources["engine"] == "flag"
        is_meant = not is_alone or self.sources["fallback"].startswith(_PREFIX)
        return is_meant and self.settings.fallback is Fallback.RULES


@dataclass(frozen=True, eq=False, repr=False)
class _Given(Record):
    """A value as it was written: its place for a message, and its source for the table."""

    text: str | None  # None where a list or a mapping stands
    place: str
    source: str
    error: type[DreamdError] = ConfigError


_Walk = Iterator[tuple[str, _Given]]  # what one source says, by dotted key


def load(
    environ: Mapping[str, str] | None = None, flags: Mapping[str, str] | None = None
) -> Loaded:
    """Return the settings in force; a later source wins over an earlier one.

    The file is `$XDG_CONFIG_HOME/dreamd/config.yaml`; its absence is no fault. A variable is
    `DREAMD_` and the key in capitals, two underscores for a dot; `DREAMD_MEMORY_BYTES` is short
    for `DREAMD_BUDGET__MEMORY_BYTES`. Flags are given by dotted key. A value is read by the type
    of its default, quoted or not.

    Raises:
        ConfigError: an unknown key or a bad value in the file or the environment, or a file that
            cannot be read, or settings of the evidence with which nothing could be promoted; the
            sentence names the place and what would be right.
        UsageError: the same of a flag.
    """
    environ = os.environ if environ is None else environ
    paths = _paths(environ)
    known = {setting.key: setting for setting in each_setting(Settings())}
    values: dict[str, Any] = {}
    sources = dict.fromkeys(known, "default")
    for key, each in chain(
        _from_file(paths.config_file, known),
        _from_environment(environ, known),
        _from_flags(flags or {}),
    ):
        if key not in known:
            raise each.error(f"{each.place}: {_unknown(key, known)}")
        values[key] = _value(known[key], each)
        sources[key] = each.source
    settings: Settings = with_values(Settings(), values)
    if said := weights.fault(settings.evidence):
        raise ConfigError(f"evidence: {said}")
    return Loaded(settings, sources, paths, environ.get("DREAMD_MEMORY") or None, dict(environ))


def defaults(environ: Mapping[str, str] | None = None) -> Loaded:
    """Return the defaults, for whoever goes on though the configuration is wrong.

    Raises:
        ConfigError: not even a home is known.
    """
    environ = os.environ if environ is None else environ
    sources = {setting.key: "default" for setting in each_setting(Settings())}
    return Loaded(Settings(), sources, _paths(environ), environ=dict(environ))


def _paths(environ: Mapping[str, str]) -> Paths:
    known = places.home_of(environ)
    if known is None:
        raise ConfigError("HOME is not set, and this user has no home directory")
    home = Path(known)
    config = Path(places.absolute(environ.get("XDG_CONFIG_HOME")) or home / ".config")
    claude = environ.get("CLAUDE_CONFIG_DIR")
    return Paths(
        home=home,
        state=Path(places.state_of(environ, known)),
        config_file=config / "dreamd" / "config.yaml",
        claude=Path(claude).absolute() if claude else home / ".claude",
    )


def _value(setting: Setting, given: _Given) -> Any:
    if given.text is not None:
        try:
            return setting.read(given.text.strip())
        except ValueError:
            pass
    found = "a list or a mapping" if given.text is None else repr(given.text[:60])
    raise given.error(f"{given.place}: {setting.key} must be {setting.right}, not {found}")


def _unknown(key: str, known: Iterable[str], likeness: float = 0.6) -> str:
    import difflib  # noqa: PLC0415 - only on a slip of the finger

    every = list(known)
    near = difflib.get_close_matches(key, every, n=1, cutoff=likeness)
    few = f"known are {', '.join(every[:4])} and {len(every) - 4} more: `dreamd config` lists them"
    hint = f"did you mean {near[0]}?" if near else few
    return f"there is no setting {key!r}; {hint}"


def _from_environment(environ: Mapping[str, str], known: Iterable[str]) -> _Walk:
    names = {_PREFIX + key.upper().replace(".", "__"): key for key in known} | _SHORT
    found: dict[str, str] = {}
    for name in sorted(environ):
        if not name.startswith(_PREFIX) or name in _NO_SETTINGS:
            continue
        if name not in names:
            near = _unknown(name, [*names, *sorted(_NO_SETTINGS)], likeness=0.8)  # one prefix
            raise ConfigError(f"the environment: {near}")
        key = names[name]
        if key in found:
            raise ConfigError(
                f"the environment: {found[key]} and {name} both set {key}; keep one of them"
            )
        found[key] = name
        yield key, _Given(environ[name], f"the environment variable {name}", name)


def _from_flags(flags: Mapping[str, str]) -> _Walk:
    for key, text in flags.items():
        yield key, _Given(text, "the command line", "flag", UsageError)


def _from_file(path: Path, known: Iterable[str]) -> _Walk:
    text = _text(path)
    root = None if text is None else _compose(path, text)
    if root is not None:
        parts = {key[:end] for key in known for end, letter in enumerate(key) if letter == "."}
        yield from _pairs(path, root, parts, {})


def _compose(path: Path, text: str) -> Any:
    """Return the document as nodes, which know their lines; None where it is empty."""
    import yaml  # noqa: PLC0415 - a start without a file need not pay for it

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError(f"{path}:{line}: this is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:  # a control character: it has a position and no mark
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        raise ConfigError(f"{path}:{line}: YAML allows no control characters; remove it") from error
    except RecursionError as error:
        raise ConfigError(f"{path} is nested too deeply; settings have two levels") from error


def _pairs(
    path: Path, node: Any, sections: Collection[str], seen: dict[str, int], prefix: str = ""
) -> _Walk:
    """Walk the values of a mapping; `seen` remembers in which line each key stood."""
    if node.tag.endswith(":null"):
        return  # an empty document, or a section whose lines are all comments
    if node.id != "mapping":
        what, line = prefix.rstrip(".") or "the file", max(seen.values(), default=1)
        raise ConfigError(f"{path}:{line}: {what} must hold lines of the form `key: value`")
    for name, value in node.value:
        line = name.start_mark.line + 1
        if name.id != "scalar":
            raise ConfigError(f"{path}:{line}: a key must be a word, not a list or a mapping")
        key = prefix + name.value
        if key in seen:
            raise ConfigError(
                f"{path}:{line}: {key} stands in line {seen[key]} already; keep one of them"
            )
        seen[key] = line
        if key in sections:
            yield from _pairs(path, value, sections, seen, f"{key}.")
        else:
            text = value.value if value.id == "scalar" else None
            yield key, _Given(text, f"{path}:{line}", f"{path.name}:{line}")


def _text(path: Path) -> str | None:
    """Return the text of a regular file; None where there is none."""
    data = b""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{path} is not a file; the settings are read from a YAML file there")
        if status.st_size > _LARGEST:
            raise ConfigError(f"{path} has {status.st_size} bytes; at most {_LARGEST} are read")
        data = path.read_bytes()
        return data.decode("utf-8")
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise ConfigError(f"{path} is a link to a file that does not exist") from error
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: this is not UTF-8; save the file as UTF-8") from error
