"""The tools of a session, as one table: what the model may call, and which helper serves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

Home = Literal["reader", "writer"]
Schema = Mapping[str, Any]


class Tool(Struct, frozen=True):
    """One tool: its name, what the model is told of it, its arguments, and its helper.

    `schema` is JSON Schema, of which `arguments.checked` knows what is used here.
    """

    name: str
    description: str
    schema: Schema
    home: Home


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str, least: int, most: int = 1_000_000_000) -> Schema:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _one_of(description: str, *values: str) -> Schema:
    return {"type": "string", "description": description, "enum": list(values)}


def _object(required: tuple[str, ...], **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_CONTENT = _text(
    "The whole new text, frontmatter first (none in MEMORY.md); empty text removes a note whose "
    "lines stand elsewhere."
)
_NOTE = _text('A Markdown note in the memory directory, e.g. "mooncake-deploys.md".')

TOOLS: tuple[Tool, ...] = (
    Tool(
        "Read",
        "Shows a text file with line numbers, in pages of 25 kB. A session transcript (.jsonl) is "
        "shown as a conversation. Relative paths start in the memory directory. A note need not be "
        "read again after an Edit: the answer tells what the change left.",
        _object(
            ("file_path",),
            file_path=_text('The file, e.g. "mooncake-deploys.md".'),
            offset=_whole("First line to show, from 1; 201 goes on where 200 were shown.", 1),
            limit=_whole("How many lines to show, e.g. 40 around a line that Grep named.", 1),
        ),
        "reader",
    ),
    Tool(
        "Grep",
        "Finds lines by a regular expression (Python syntax) in a file or below a directory; "
        "transcripts are searched as conversations. Start narrow.",
        _object(
            ("pattern",),
            **{
                "pattern": _text(
                    "The regular expression, matched line by line: a value with its spellings, as "
                    '"11 ?min|eleven minutes", or a name with its nicknames.'
                ),
                "path": _text(
                    "A file or directory; the memory directory if left out, which finds every copy "
                    "of an old value."
                ),
                "glob": _text('Only files whose name or path fits, e.g. "*.md".'),
                "output_mode": _one_of(
                    "Lines, names of files (the default), or counts of lines, which tell whether a "
                    "pattern is narrow enough.",
                    "content",
                    "files_with_matches",
                    "count",
                ),
                "-i": _flag("Upper and lower case are the same."),
                "-n": _flag("Show line numbers (the default)."),
                "-A": _whole("Lines to show after each match.", 0, 100),
                "-B": _whole("Lines to show before each match.", 0, 100),
                "-C": _whole("Lines to show on both sides of each match.", 0, 100),
                "head_limit": _whole("Show at most so many entries, e.g. 30.", 1),
                "offset": _whole("Leave out so many entries first, to page on.", 0),
            },
        ),
        "reader",
    ),
    Tool(
        "Glob",
        'Finds files by name, e.g. "**/*.md", newest first.',
        _object(
            ("pattern",),
            pattern=_text("`*`, `?`, `[ab]`, `{a,b}` within a name, `**` for any folders."),
            path=_text("Where to look; the memory directory if left out."),
        ),
        "reader",
    ),
    Tool(
        "Bash",
        "Runs a read-only command: plain words joined by | && || ; out of cat, cmp, comm, date, "
        "diff, du, echo, find, git (log, show, blame, diff), grep, head, ls, nl, realpath, sed -n, "
        "sort, stat, tail, uniq, wc and a few like them. To search folders, use Grep.",
        _object(
            ("command",),
            command=_text(
                "The command, which starts in the memory directory, e.g. "
                '"wc -c *.md | sort -n | tail -5" or "sed -n 3,9p mooncake-deploys.md".'
            ),
            timeout=_whole("Milliseconds it may take, 30,000 if left out.", 1, 120_000),
        ),
        "reader",
    ),
    Tool(
        "Sessions",
        "Shows what was said in past sessions: dated turns, oldest first, code folded, long turns "
        "cut at 900 characters, in pages of 25 kB. Far cheaper than reading transcripts. People's "
        "turns that the first message shows are the same: ask for what it says did not fit, for "
        "the assistant's side, or for a turn it cut.",
        _object(
            (),
            since=_text("First day, as YYYY-MM-DD; with until the same, that day alone."),
            until=_text("Last day, as YYYY-MM-DD, e.g. 2031-03-09."),
            speaker=_one_of(
                "Whose turns; person if left out. Use assistant, with matching, for advice that a "
                "person took up.",
                "person",
                "assistant",
                "tool",
                "all",
            ),
            matching=_text(
                "Only turns that fit this regular expression, case ignored, e.g. "
                '"redis|cach(e|ing)".'
            ),
            session=_text("Only this session: its id, or the beginning of it."),
            page=_whole("Which page, from 1.", 1),
        ),
        "reader",
    ),
    Tool(
        "Edit",
        "Replaces text in one note. Says what it left dangling, too long, or lost.",
        _object(
            ("file_path", "old_string", "new_string"),
            file_path=_NOTE,
            old_string=_text(
                "Text that stands in the note exactly once, as short as that allows, without the "
                'line numbers of Read: "CI takes 11 min (2031-02-02)".'
            ),
            new_string=_text(
                "What is to stand there instead, with what stays true of the old: "
                '"CI takes 6 min (2031-03-09); previously 11 min (2031-02-02)". To add a line, '
                "repeat the one before it."
            ),
            replace_all=_flag("Replace it wherever it stands."),
        ),
        "writer",
    ),
    Tool(
        "Write",
        "Writes whole notes: one by file_path and content, or several by files. To change a few "
        "lines of a note, use Edit.",
        _object(
            (),
            files={
                "type": "array",
                "description": "Several notes at once, e.g. a new note and the one whose detail "
                "moves into it. An index that is there gets its new line by Edit.",
                "items": _object(("file_path", "content"), file_path=_NOTE, content=_CONTENT),
                "minItems": 1,
                "maxItems": 50,
            },
            file_path=_NOTE,
            content=_CONTENT,
        ),
        "writer",
    ),
    Tool(
        "Retire",
        "Takes a fact out of the notes for good: removes the lines that hold a text. The one way "
        "to delete; say why, and who said so.",
        _object(
            ("file_path", "text", "reason", "source"),
            file_path=_NOTE,
            text=_text('Words that only the lines to be removed hold, e.g. "Odo\'s knee".'),
            reason=_text('Why it is no longer true or wanted, e.g. "Odo asked to forget it".'),
            source=_text(
                "The words of the person who said so with their day, or a file: "
                '"Odo, 2031-05-20: forget what I told you about my knee".'
            ),
        ),
        "writer",
    ),
)

BY_NAME: Mapping[str, Tool] = {tool.name: tool for tool in TOOLS}
