"""Every default, written once; `dreamd config` prints them with where each value came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum

from dreamd.domain.address import ADDRESS, address
from dreamd.domain.record import Record

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any


class EngineChoice(StrEnum):
    """Which engine dreams; `auto` is the model engine where a key is configured, else rules."""

    AUTO = "auto"
    MODEL = "model"
    RULES = "rules"
    CLAUDE_CLI = "claude-cli"


class Fallback(StrEnum):
    """Which engine dreams after a failed dream with a model or `claude-cli`."""

    NONE = "none"
    RULES = "rules"


def _setting(default: Any, about: str, **more: Any) -> Any:
    """Return the field of a setting, with what it means and what it may be."""
    return field(default=default, metadata={"about": about, **more})


def _number(default: float, least: float, most: float, unit: str, about: str) -> Any:
    """Return the field of a number: its range, ends included, its unit and what it means."""
    return _setting(default, about, least=least, most=most, unit=unit)


def hours_of_day(text: str) -> tuple[int, int] | None:
    """Return the minutes of the day at which hours such as "22:00-07:00" begin and end.

    They may last over midnight; None where the text is empty.

    Raises:
        ValueError: the text is not two different times of day.
    """
    if not text.strip():
        return None
    begins, ends = (_minute(part.strip()) for part in text.split("-"))
    if begins == ends:
        raise ValueError(text)
    return begins, ends


def _minute(text: str) -> int:
    hour, minute = text.split(":")
    is_plain = text.isascii() and hour.isdecimal() and minute.isdecimal() and len(minute) == 2
    if not is_plain or len(hour) > 2 or int(hour) > 23 or int(minute) > 59:
        raise ValueError(text)
    return int(hour) * 60 + int(minute)


_TERMS = ("relevance", "frequency", "diversity", "recency", "consolidation", "richness")
_QUIET = "two different times of day as in 22:00-07:00, or empty for none"


@dataclass(frozen=True, eq=False, repr=False)
class Budget(Record):
    """How much memory a reader may see; sizes in bytes, lines or files."""

    memory_bytes: int = _number(
        25_600, 256, 100_000_000, "bytes", "most that a reader sees: index, linked files"
    )
    index_lines: int = _number(200, 10, 100_000, "lines", "most lines of the index")
    index_bytes: int = _number(25_000, 256, 100_000_000, "bytes", "most bytes of the index")
    index_units: int = _number(
        25_000, 256, 100_000_000, "UTF-16 code units", "most index characters"
    )
    files: int = _number(200, 2, 100_000, "files", "most notes")
    warn_at: float = _number(0.9, 0, 1, "", "share of a limit that brings a warning")


@dataclass(frozen=True, eq=False, repr=False)
class Review(Record):
    """What a dream may do to notes before it is held out."""

    most_gone: float = _number(0.25, 0, 1, "", "share of lines that may go without a reason")
    words_kept: float = _number(0.8, 0, 1, "", "share of a merged line's words that must stay")


@dataclass(frozen=True, eq=False, repr=False)
class Gates(Record):
    """When a dream begins by itself; a limit of 0 leaves its gate open, a back-off of 0 is none."""

    hours: float = _number(24.0, 0, 8_784, "hours", "least time since the last dream")
    sessions: int = _number(5, 0, 100_000, "sessions", "least sessions since the last dream")
    grace_seconds: float = _number(2.0, 0, 3_600, "seconds", "tolerance for the age of a session")
    throttle_minutes: float = _number(
        10.0, 0, 10_080, "minutes", "time between two counts of sessions"
    )
    backoff_minutes: float = _number(
        10.0, 0, 10_080, "minutes", "wait after a failed dream; doubles with each one"
    )
    backoff_most_hours: float = _number(24.0, 0, 8_784, "hours", "longest wait after failed dreams")
    quiet: str = _setting(
        "", "local hours in which no dream begins", means=hours_of_day, words=_QUIET
    )
    load: float = _number(
        1.0, 0, 1_000, "runnable tasks a processor", "highest load of the last minute"
    )
    battery: int = _number(40, 0, 100, "percent", "least charge without mains; 100 for mains only")
    passes_per_hour: int = _number(
        6, 0, 10_000, "dreams an hour", "most automatic dreams of all memories"
    )
    idle_minutes: float = _number(
        10.0, 0, 1_440, "minutes", "least time since a session was active"
    )
    cadence_sessions: int = _number(
        20, 0, 100_000, "sessions", "idle no longer matters after these"
    )
    cadence_hours: float = _number(48.0, 0, 8_784, "hours", "idle no longer matters after these")


@dataclass(frozen=True, eq=False, repr=False)
class Evidence(Record):
    """How candidates are scored: six weights that sum to 1, and what promotion needs."""

    relevance: float = _number(0.30, 0, 1, "", "weight: how well it answers questions")
    frequency: float = _number(0.24, 0, 1, "", "weight: how often it was stated or looked up")
    diversity: float = _number(0.15, 0, 1, "", "weight: how many questions it answers")
    recency: float = _number(0.15, 0, 1, "", "weight: how recent it is")
    consolidation: float = _number(0.10, 0, 1, "", "weight: on how many days, over what span")
    richness: float = _number(0.06, 0, 1, "", "weight: how many concepts it names")
    score: float = _number(0.35, 0, 1, "", "least score for promotion")
    signals: int = _number(3, 0, 1_000, "sightings and recalls", "least signals for promotion")
    questions: int = _number(0, 0, 1_000, "questions", "least different questions that it answers")
    sessions: int = _number(2, 1, 1_000, "sessions", "least sessions that state it")
    days: int = _number(2, 1, 1_000, "days", "least days that state it")
    lines: int = _number(5, 0, 200, "lines a dream", "most lines that a dream promotes")
    half_life_days: float = _number(30.0, 0.1, 36_500, "days", "time in which recency halves")
    alike: float = _number(0.7, 0.01, 1, "", "common words that make two statements one")

    @property
    def weights(self) -> Mapping[str, float]:
        """The six weights, by the term of the score that each is for."""
        return {name: getattr(self, name) for name in _TERMS}


@dataclass(frozen=True, eq=False, repr=False)
class Model(Record):
    """The model engine: which model, at which Messages API, and the hard limits of its cost."""

    name: str = _setting("claude-haiku-4-5", "the model")
    base_url: str = _setting(
        "", "another endpoint that speaks the Messages API", means=address, words=ADDRESS
    )
    key_file: str = _setting(
        "", "file with the key; else ANTHROPIC_API_KEY or a systemd credential"
    )
    price: str = _setting("", "input/output/cache read/cache write, dollars a million tokens")
    denied: str = _setting("", "further paths that no dream may read, separated by colons")
    turns: int = _number(60, 1, 1_000, "requests a dream", "most requests")
    tokens: int = _number(1_500_000, 1_000, 100_000_000, "tokens a dream", "most tokens")
    dollars: float = _number(0.50, 0, 1_000, "dollars a dream", "most money")
    seconds: int = _number(900, 5, 86_400, "seconds a dream", "longest session")
    output_tokens: int = _number(8_192, 256, 64_000, "tokens an answer", "longest answer")
    digest_tokens: int = _number(16_000, 1_000, 500_000, "tokens", "size of the first message")
    day_dollars: float = _number(2.0, 0, 10_000, "dollars a day", "most money of all dreams")
    day_tokens: int = _number(6_000_000, 0, 10**9, "tokens a day", "most tokens of all dreams")
    keep_days: int = _number(30, 0, 3_650, "days", "how long conversations are kept")


@dataclass(frozen=True, eq=False, repr=False)
class Daemon(Record):
    """How `dreamd run` keeps watch."""

    rescan_seconds: float = _number(60.0, 0.1, 3_600, "seconds", "time between two full looks")
    quiet_seconds: float = _number(2.0, 0, 60, "seconds", "wait for further file events")
    quiet_most_seconds: float = _number(
        30.0, 0, 600, "seconds", "longest wait for further file events"
    )
    # with a model at least its own limit and 2 minutes more
    dream_minutes: float = _number(30.0, 0.01, 1_440, "minutes", "longest dream")


@dataclass(frozen=True, eq=False, repr=False)
class Settings(Record):
    """All settings of dreamd."""

    enabled: bool = _setting(True, "false: no dream begins")
    engine: EngineChoice = _setting(  # noqa: RUF009 - it makes a field
        EngineChoice.AUTO, "which engine dreams; auto: a model where there is a key, else rules"
    )
    budget: Budget = field(default_factory=Budget)
    review: Review = field(default_factory=Review)
    gates: Gates = field(default_factory=Gates)
    evidence: Evidence = field(default_factory=Evidence)
    model: Model = field(default_factory=Model)
    # The failed dream keeps its receipt, and the receipt of the rules names the reason. A rules
    # dream clears the back-off, so a model that fails costs at most one session a period. An
    # engine named by --engine runs alone: then only DREAMD_FALLBACK counts, not the file.
    fallback: Fallback = _setting(  # noqa: RUF009 - it makes a field
        Fallback.NONE, "rules: run the rules engine after a failed dream with a model"
    )
    daemon: Daemon = field(default_factory=Daemon)
    cpu_seconds: float = _number(
        60.0, 0.01, 86_400, "seconds a dream", "CPU time after which a dream takes up no more"
    )
    diary: bool = _setting(False, "a paragraph on each dream that changed notes is written")
    diary_file: str = _setting("", "where; empty for DREAMS.md in the state directory")


_WORDS = {"true": True, "yes": True, "on": True, "1": True}
_WORDS |= {"false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, eq=False, repr=False)
class Setting(Record):
    """One setting by its dotted key, with its value; it has the type of its value."""

    key: str  # e.g. budget.index_lines
    value: Any
    least: float = float("-inf")
    most: float = float("inf")
    unit: str = ""
    means: Callable[[str], object] = str  # of a text that is to be of some form
    words: str = "text"
    about: str = ""  # what it means, for the reference

    @property
    def right(self) -> str:
        """What its value may be, in words that follow "must be"."""
        match self.value:
            case bool():
                return "true or false"
            case StrEnum():
                return f"one of {', '.join(type(self.value))}"
            case int() | float():
                kind = "a whole number" if isinstance(self.value, int) else "a number"
                unit = f" of {self.unit}" if self.unit else ""
                return f"{kind}{unit} from {self.least} to {self.most}"
        return self.words

    def read(self, text: str) -> Any:
        """Return the value that a text means.

        Raises:
            ValueError: it means none, or one out of range.
        """
        if isinstance(self.value, bool):
            if text.lower() not in _WORDS:
                raise ValueError(text)
            return _WORDS[text.lower()]
        value = type(self.value)(text)
        if isinstance(value, int | float) and not self.least <= value <= self.most:
            raise ValueError(text)
        if isinstance(value, str):
            self.means(value)
        return value


def each_setting(part: Any, prefix: str = "") -> Iterator[Setting]:
    """Walk the settings of a part, in the order in which they are written down."""
    for each in fields(part):
        value, key = getattr(part, each.name), prefix + each.name
        if is_dataclass(value):
            yield from each_setting(value, f"{key}.")
        else:
            yield Setting(key, value, **each.metadata)


def with_values(part: Any, values: Mapping[str, Any], prefix: str = "") -> Any:
    """Return a part of the settings with values, given by dotted key, in the place of its own."""
    changed = {}
    for each in fields(part):
        value, key = getattr(part, each.name), prefix + each.name
        if is_dataclass(value):
            changed[each.name] = with_values(value, values, f"{key}.")
        elif key in values:
            changed[each.name] = values[key]
    return replace(part, **changed)
