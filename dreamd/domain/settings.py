"""Every default, written once; `dreamd config` prints them with where each value came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

from msgspec import Meta, Struct, convert


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


def _is(about: str, **more: Any) -> Meta:
    """Return what a setting means; `words` and `means` say what a text has to look like."""
    return Meta(description=about, extra=more)


def _of(least: float, most: float, unit: str, about: str) -> Meta:
    """Return what a number means: its range, ends included, and its unit."""
    return Meta(ge=least, le=most, description=about, extra={"unit": unit})


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
_NEAR = 1e-9  # by which a sum of decimals may miss as floats
_ADDRESS = (  # RFC 3986, 3: a host, perhaps a user before it, and a port and a path behind it
    r"\A((?i:https?)://([^\s\x00-\x1f/@]+@)?"
    r"(\[[\da-fA-F.%]*:[\da-fA-F:.%]*\]|(?=[^/:]*[^/:.])[^][\s\x00-\x1f\"<>\\?#/:,;@!$&'()*+=]+)"
    r"(:\d{1,4}|:[1-6]\d{4})?(/[^\s\x00-\x1f\"<>\\?#]*)?)?\Z"
)
_QUIET = "two different times of day as in 22:00-07:00, or empty for none"


class Budget(Struct, frozen=True):
    """How much memory a reader may see; sizes in bytes, lines or files."""

    memory_bytes: Annotated[
        int, _of(256, 100_000_000, "bytes", "most that a reader sees: index, linked files")
    ] = 25_600
    index_lines: Annotated[int, _of(10, 100_000, "lines", "most lines of the index")] = 200
    index_bytes: Annotated[int, _of(256, 100_000_000, "bytes", "most bytes of the index")] = 25_000
    index_units: Annotated[
        int, _of(256, 100_000_000, "UTF-16 code units", "most index characters")
    ] = 25_000
    files: Annotated[int, _of(2, 100_000, "files", "most notes")] = 200
    warn_at: Annotated[float, _of(0, 1, "", "share of a limit that brings a warning")] = 0.9


class Review(Struct, frozen=True):
    """What a dream may do to notes before it is held out."""

    most_gone: Annotated[float, _of(0, 1, "", "share of lines that may go without a reason")] = 0.25
    words_kept: Annotated[float, _of(0, 1, "", "share of a merged line's words that must stay")] = (
        0.8
    )


class Gates(Struct, frozen=True):
    """When a dream begins by itself; a limit of 0 leaves its gate open, a back-off of 0 is none."""

    hours: Annotated[float, _of(0, 8_784, "hours", "least time since the last dream")] = 24.0
    sessions: Annotated[int, _of(0, 100_000, "sessions", "least sessions since the last dream")] = 5
    grace_seconds: Annotated[
        float, _of(0, 3_600, "seconds", "tolerance for the age of a session")
    ] = 2.0
    throttle_minutes: Annotated[
        float, _of(0, 10_080, "minutes", "time between two counts of sessions")
    ] = 10.0
    backoff_minutes: Annotated[
        float, _of(0, 10_080, "minutes", "wait after a failed dream; doubles with each one")
    ] = 10.0
    backoff_most_hours: Annotated[
        float, _of(0, 8_784, "hours", "longest wait after failed dreams")
    ] = 24.0
    quiet: Annotated[
        str, _is("local hours in which no dream begins", means=hours_of_day, words=_QUIET)
    ] = ""
    load: Annotated[
        float, _of(0, 1_000, "runnable tasks a processor", "highest load of the last minute")
    ] = 1.0
    battery: Annotated[
        int, _of(0, 100, "percent", "least charge without mains; 100 for mains only")
    ] = 40
    passes_per_hour: Annotated[
        int, _of(0, 10_000, "dreams an hour", "most automatic dreams of all memories")
    ] = 6
    idle_minutes: Annotated[
        float, _of(0, 1_440, "minutes", "least time since a session was active")
    ] = 10.0
    cadence_sessions: Annotated[
        int, _of(0, 100_000, "sessions", "idle no longer matters after these")
    ] = 20
    cadence_hours: Annotated[
        float, _of(0, 8_784, "hours", "idle no longer matters after these")
    ] = 48.0


class Evidence(Struct, frozen=True):
    """How candidates are scored: six weights that sum to 1, and what promotion needs."""

    relevance: Annotated[float, _of(0, 1, "", "weight: how well it answers questions")] = 0.30
    frequency: Annotated[float, _of(0, 1, "", "weight: how often it was stated or looked up")] = (
        0.24
    )
    diversity: Annotated[float, _of(0, 1, "", "weight: how many questions it answers")] = 0.15
    recency: Annotated[float, _of(0, 1, "", "weight: how recent it is")] = 0.15
    consolidation: Annotated[float, _of(0, 1, "", "weight: on how many days, over what span")] = (
        0.10
    )
    richness: Annotated[float, _of(0, 1, "", "weight: how many concepts it names")] = 0.06
    score: Annotated[float, _of(0, 1, "", "least score for promotion")] = 0.35
    signals: Annotated[int, _of(0, 100, "sightings and recalls", "least signals for promotion")] = 3
    questions: Annotated[
        int, _of(0, 100, "questions", "least different questions that it answers")
    ] = 0
    sessions: Annotated[int, _of(1, 100, "sessions", "least sessions that state it")] = 2
    days: Annotated[int, _of(1, 100, "days", "least days that state it")] = 2
    lines: Annotated[int, _of(1, 200, "lines a dream", "most lines that a dream promotes")] = 5
    half_life_days: Annotated[float, _of(0.1, 36_500, "days", "time in which recency halves")] = (
        30.0
    )
    alike: Annotated[float, _of(0.01, 1, "", "common words that make two statements one")] = 0.7

    @property
    def weights(self) -> Mapping[str, float]:
        """The six weights, by the term of the score that each is for."""
        return {name: getattr(self, name) for name in _TERMS}


class Model(Struct, frozen=True):
    """The model engine: which model, at which Messages API, and the hard limits of its cost."""

    name: Annotated[str, _is("the model")] = "claude-haiku-4-5"
    base_url: Annotated[
        str,
        Meta(
            pattern=_ADDRESS,
            description="another endpoint of the Messages API; a variable names this machine only",
            extra={
                "words": "an address such as https://host.example:8080, or empty for Anthropic's"
            },
        ),
    ] = ""
    key_file: Annotated[
        str, _is("file with the key; else a systemd credential, ANTHROPIC_AUTH_TOKEN or _API_KEY")
    ] = ""
    price: Annotated[str, _is("input/output/cache read/cache write, dollars a million tokens")] = ""
    denied: Annotated[str, _is("further paths that no dream may read, separated by colons")] = ""
    turns: Annotated[int, _of(1, 1_000, "requests a dream", "most requests")] = 60
    tokens: Annotated[int, _of(1_000, 100_000_000, "tokens a dream", "most tokens")] = 1_500_000
    dollars: Annotated[float, _of(0, 1_000, "dollars a dream", "most money")] = 0.50
    seconds: Annotated[int, _of(5, 86_400, "seconds a dream", "longest session")] = 900
    output_tokens: Annotated[int, _of(256, 64_000, "tokens an answer", "longest answer")] = 8_192
    silence: Annotated[
        float, _of(0.1, 3_600, "seconds", "longest silence of the endpoint; local ones think long")
    ] = 90.0
    digest_tokens: Annotated[int, _of(1_000, 500_000, "tokens", "size of the first message")] = (
        6_800
    )
    day_dollars: Annotated[float, _of(0, 10_000, "dollars a day", "most money of all dreams")] = 1.0
    day_tokens: Annotated[int, _of(0, 10**9, "tokens a day", "most tokens of all dreams")] = (
        6_000_000
    )
    keep_days: Annotated[int, _of(0, 3_650, "days", "how long conversations are kept")] = 30


class Daemon(Struct, frozen=True):
    """How `dreamd run` keeps watch."""

    rescan_seconds: Annotated[float, _of(0.1, 3_600, "seconds", "time between two full looks")] = (
        60.0
    )
    quiet_seconds: Annotated[float, _of(0, 60, "seconds", "wait for further file events")] = 2.0
    quiet_most_seconds: Annotated[
        float, _of(0, 600, "seconds", "longest wait for further file events")
    ] = 30.0
    # with a model at least its own limit and 2 minutes more
    dream_minutes: Annotated[float, _of(0.01, 1_440, "minutes", "longest dream")] = 30.0


class Settings(Struct, frozen=True):
    """All settings of dreamd."""

    enabled: Annotated[bool, _is("false: no dream begins")] = True
    engine: Annotated[
        EngineChoice,
        _is(
            "which engine dreams; auto: a model where there is a key, which a dream that begins by "
            "itself takes only from model.key_file or for model.base_url; else rules"
        ),
    ] = EngineChoice.AUTO
    budget: Budget = Budget()
    review: Review = Review()
    gates: Gates = Gates()
    evidence: Evidence = Evidence()
    model: Model = Model()
    # The failed dream keeps its receipt, and the receipt of the rules names the reason. A rules
    # dream clears the back-off, so a model that fails costs at most one session a period. An
    # engine named by --engine runs alone: then only DREAMD_FALLBACK counts, not the file.
    fallback: Annotated[
        Fallback, _is("rules: run the rules engine after a failed dream with a model")
    ] = Fallback.NONE
    daemon: Daemon = Daemon()
    cpu_seconds: Annotated[
        float, _of(0.01, 86_400, "seconds a dream", "CPU time after which a dream takes up no more")
    ] = 60.0
    diary: Annotated[bool, _is("a paragraph on each dream that changed notes is written")] = False
    diary_file: Annotated[str, _is("where; empty for DREAMS.md in the state directory")] = ""


_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


class Setting(Struct, frozen=True):
    """One setting by its dotted key, with its value."""

    key: str  # e.g. budget.index_lines
    value: Any
    hint: Any  # its type, annotated

    @property
    def meta(self) -> Meta:
        """What it means, and what it may be."""
        meta: Meta = self.hint.__metadata__[0]
        return meta

    @property
    def about(self) -> str:
        """What it means, for the reference."""
        return self.meta.description or ""

    @property
    def right(self) -> str:
        """What its value may be, in words that follow "must be"."""
        more: Mapping[str, Any] = self.meta.extra or {}
        match self.value:
            case bool():
                return "true or false"
            case StrEnum():
                return f"one of {', '.join(type(self.value))}"
            case int() | float():
                kind = "a whole number" if isinstance(self.value, int) else "a number"
                unit = f" of {more['unit']}" if more["unit"] else ""
                return f"{kind}{unit} from {self.meta.ge} to {self.meta.le}"
        words: str = more.get("words", "text")
        return words

    def read(self, text: str) -> Any:
        """Return the value that a text means.

        Raises:
            ValueError: it means none, or one out of range.
        """
        word = _WORDS.get(text.lower(), text) if isinstance(self.value, bool) else text
        value = convert(word, self.hint, strict=False)
        (self.meta.extra or {}).get("means", str)(text)
        return value


def keys(part: Struct | None = None, prefix: str = "") -> Iterator[str]:
    """Walk the dotted keys of all settings, in the order in which they are written down."""
    part = part or Settings()
    for name in part.__struct_fields__:
        value = getattr(part, name)
        yield from keys(value, f"{name}.") if isinstance(value, Struct) else (prefix + name,)


def each_setting(part: Any, prefix: str = "") -> Iterator[Setting]:
    """Walk the settings of a part, in the order in which they are written down."""
    hints = get_type_hints(type(part), include_extras=True)
    for name in part.__struct_fields__:
        value, key = getattr(part, name), prefix + name
        if isinstance(value, Struct):
            yield from each_setting(value, f"{key}.")
        else:
            yield Setting(key, value, hints[name])


def fault(evidence: Evidence) -> str | None:
    """Return why no statement could be scored rightly; None where one could.

    Each term of a score goes from 0 to 1, so weights that sum to 1 let every threshold up to 1
    be reached, and none be passed for nothing.
    """
    total = sum(evidence.weights.values())
    if abs(total - 1) > _NEAR:
        shown = " + ".join(f"{weight:g} ({name})" for name, weight in evidence.weights.items())
        most = f"no claim could score more than {total:.10g}"
        effect = most if total < 1 else "scores would go beyond 1"
        return f"the weights {shown} sum to {total:.10g}, so that {effect}; they must sum to 1"
    return None
