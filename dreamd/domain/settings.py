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
    """Which engine dreams; `auto` is model where a key is configured, else rules."""

    AUTO = "auto"
    MODEL = "model"
    RULES = "rules"
    CLAUDE_CLI = "claude-cli"


class Fallback(StrEnum):
    """Which engine dreams where a model's dream, or that of `claude-cli`, came to nothing."""

    NONE = "none"
    RULES = "rules"


def _within(least: float, most: float, unit: str = "") -> Mapping[str, float | str]:
    """Return the metadata of a number: its allowed range, ends included, and its unit."""
    return {"least": least, "most": most, "unit": unit}


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

    # of the notes, index first, then linked files in order
    memory_bytes: int = field(default=25_600, metadata=_within(256, 100_000_000, "bytes"))
    index_lines: int = field(default=200, metadata=_within(10, 100_000, "lines"))
    index_bytes: int = field(default=25_000, metadata=_within(256, 100_000_000, "bytes"))
    # what the client counts
    index_units: int = field(
        default=25_000, metadata=_within(256, 100_000_000, "UTF-16 code units")
    )
    files: int = field(default=200, metadata=_within(2, 100_000, "files"))
    # share of a limit from which a warning is given
    warn_at: float = field(default=0.9, metadata=_within(0, 1))


@dataclass(frozen=True, eq=False, repr=False)
class Review(Record):
    """What a dream may do to notes before it is held out."""

    # share of entries that may go without a merge or a source
    most_gone: float = field(default=0.25, metadata=_within(0, 1))
    # share of a merged line's words that must stand in what stays
    words_kept: float = field(default=0.8, metadata=_within(0, 1))


@dataclass(frozen=True, eq=False, repr=False)
class Gates(Record):
    """When a dream begins by itself; a limit of 0 leaves its gate open, a back-off of 0 is none."""

    # since the last consolidation
    hours: float = field(default=24.0, metadata=_within(0, 8_784, "hours"))
    # touched since then
    sessions: int = field(default=5, metadata=_within(0, 100_000, "sessions"))
    # by which a session may seem older than it is
    grace_seconds: float = field(default=2.0, metadata=_within(0, 3_600, "seconds"))
    # between two looks at the sessions
    throttle_minutes: float = field(default=10.0, metadata=_within(0, 10_080, "minutes"))
    # after the first failure; each one more doubles it
    backoff_minutes: float = field(default=10.0, metadata=_within(0, 10_080, "minutes"))
    backoff_most_hours: float = field(default=24.0, metadata=_within(0, 8_784, "hours"))
    # hours of the day, by local time, in which none begins: "22:00-07:00"; empty for none
    quiet: str = field(default="", metadata={"means": hours_of_day, "words": _QUIET})
    # of the last minute, per processor
    load: float = field(default=1.0, metadata=_within(0, 1_000, "runnable tasks a processor"))
    # share of the last 10 s in which some task waited for memory
    memory_pressure: float = field(default=20.0, metadata=_within(0, 100, "percent"))
    # least that a battery holds where there is no mains; 100 for on mains only
    battery: int = field(default=40, metadata=_within(0, 100, "percent"))
    network: bool = True  # whether a model's dream waits for a route to the network
    # over all memory directories, of those that began by themselves
    passes_per_hour: int = field(default=6, metadata=_within(0, 10_000, "dreams an hour"))
    # for which no session is working and none was touched
    idle_minutes: float = field(default=10.0, metadata=_within(0, 1_440, "minutes"))
    # after which none waits for that any longer; 0 for however many, or however long
    cadence_sessions: int = field(default=20, metadata=_within(0, 100_000, "sessions"))
    cadence_hours: float = field(default=48.0, metadata=_within(0, 8_784, "hours"))


@dataclass(frozen=True, eq=False, repr=False)
class Evidence(Record):
    """How what was said is weighed: six weights that sum to 1, and what a claim needs at least."""

    relevance: float = field(default=0.30, metadata=_within(0, 1))
    frequency: float = field(default=0.24, metadata=_within(0, 1))
    diversity: float = field(default=0.15, metadata=_within(0, 1))
    recency: float = field(default=0.15, metadata=_within(0, 1))
    consolidation: float = field(default=0.10, metadata=_within(0, 1))
    richness: float = field(default=0.06, metadata=_within(0, 1))
    # least that a claim scores; how often it is said or asked for; different questions it answers
    score: float = field(default=0.35, metadata=_within(0, 1))
    signals: int = field(default=3, metadata=_within(0, 1_000, "sightings and recalls"))
    questions: int = field(default=0, metadata=_within(0, 1_000, "questions"))
    # sessions and days on which it was stated, and the most lines that one dream promotes
    sessions: int = field(default=2, metadata=_within(1, 1_000, "sessions"))
    days: int = field(default=2, metadata=_within(1, 1_000, "days"))
    lines: int = field(default=5, metadata=_within(0, 200, "lines a dream"))
    # in which recency halves, from the newest evidence back
    half_life_days: float = field(default=30.0, metadata=_within(0.1, 36_500, "days"))
    # share of words in both from which two statements are one claim
    alike: float = field(default=0.7, metadata=_within(0.01, 1))

    @property
    def weights(self) -> Mapping[str, float]:
        """The six weights, by the term of the score that each is for."""
        return {name: getattr(self, name) for name in _TERMS}


@dataclass(frozen=True, eq=False, repr=False)
class Model(Record):
    """The model engine: which model, at which Messages API, and the hard limits of its cost."""

    name: str = "claude-haiku-4-5"
    base_url: str = field(default="", metadata={"means": address, "words": ADDRESS})
    key_file: str = ""  # holds the key; else ANTHROPIC_API_KEY or a systemd credential
    price: str = ""  # "input/output/cache read/cache write", dollars a million tokens
    denied: str = ""  # further paths that no dream may read, separated by colons
    turns: int = field(default=60, metadata=_within(1, 1_000, "requests a dream"))
    tokens: int = field(default=1_500_000, metadata=_within(1_000, 100_000_000, "tokens a dream"))
    dollars: float = field(default=0.50, metadata=_within(0, 1_000, "dollars a dream"))
    seconds: int = field(default=900, metadata=_within(5, 86_400, "seconds a dream"))
    output_tokens: int = field(default=8_192, metadata=_within(256, 64_000, "tokens an answer"))
    digest_tokens: int = field(default=16_000, metadata=_within(1_000, 500_000, "tokens"))
    # over all memory directories, by the day of the local calendar
    day_dollars: float = field(default=2.0, metadata=_within(0, 10_000, "dollars a day"))
    day_tokens: int = field(default=6_000_000, metadata=_within(0, 10**9, "tokens a day"))
    keep_days: int = field(default=30, metadata=_within(0, 3_650, "days"))  # of conversations


@dataclass(frozen=True, eq=False, repr=False)
class Daemon(Record):
    """How `dreamd run` keeps watch."""

    # between two looks at everything
    rescan_seconds: float = field(default=60.0, metadata=_within(0.1, 3_600, "seconds"))
    # without another event before one is answered, and at most
    quiet_seconds: float = field(default=2.0, metadata=_within(0, 60, "seconds"))
    quiet_most_seconds: float = field(default=30.0, metadata=_within(0, 600, "seconds"))
    # that a dream may take; one with a model at least its own limit and 2 minutes more
    dream_minutes: float = field(default=30.0, metadata=_within(0.01, 1_440, "minutes"))


@dataclass(frozen=True, eq=False, repr=False)
class Settings(Record):
    """All settings of dreamd."""

    enabled: bool = True  # the kill switch
    engine: EngineChoice = EngineChoice.AUTO
    budget: Budget = field(default_factory=Budget)
    review: Review = field(default_factory=Review)
    gates: Gates = field(default_factory=Gates)
    evidence: Evidence = field(default_factory=Evidence)
    model: Model = field(default_factory=Model)
    # Never in silence: the failed dream keeps its receipt, and that of the rules names the reason.
    # They clear its back-off, so a model that fails costs at most one session a period, and is
    # asked again a period later. An engine that --engine names is meant alone: then only
    # DREAMD_FALLBACK counts, not the file.
    fallback: Fallback = Fallback.NONE
    daemon: Daemon = field(default_factory=Daemon)
    diary: bool = False  # whether each dream that changed notes says what it learned
    diary_file: str = ""  # where; empty for DREAMS.md beside the receipts, from which a path starts


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
