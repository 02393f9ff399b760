"""A shell command as pipelines of words, or a sentence that says what in it is not allowed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from dreamd.errors import RefusedError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 4_000  # characters of a command
_DEEPEST = 200  # commands joined in one line
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r"\\([\"\\$`])")
_WILD = re.compile(r"[*?\[]")
_PLAIN = "join plain commands with |, &&, || and ;"
_REASONS = {
    "redirected_statement": f"Redirections are not allowed; errors come back anyway: {_PLAIN}.",
    "file_redirect": f"Redirections are not allowed; errors come back anyway: {_PLAIN}.",
    "heredoc_redirect": f"Here-documents are not allowed: {_PLAIN}.",
    "herestring_redirect": f"Here-strings are not allowed: {_PLAIN}.",
    "command_substitution": "Substitutions are not allowed; write the words out, in single quotes.",
    "process_substitution": "Substitutions are not allowed; name files.",
    "simple_expansion": "Variables are not allowed; write values out, and put $ in single quotes.",
    "expansion": "Variables are not allowed; write values out, and put $ in single quotes.",
    "arithmetic_expansion": "Arithmetic is not allowed; write the number out.",
    "variable_assignment": f"Assignments are not allowed: {_PLAIN}.",
    "variable_assignments": f"Assignments are not allowed: {_PLAIN}.",
    "declaration_command": f"Declarations are not allowed: {_PLAIN}.",
    "unset_command": f"Declarations are not allowed: {_PLAIN}.",
    "ansi_c_string": "$'…' is not allowed; use plain quotes.",
    "translated_string": '$"…" is not allowed; use plain quotes.',
    "subshell": "Parentheses are not allowed; put \\ before those of find.",
    "negated_command": f"! is not allowed before a command: {_PLAIN}.",
    "&": "Nothing runs in the background; leave & out.",
    "|&": "|& is not allowed; use |, errors come back anyway.",
    "brace_expression": "Braces must stand in single quotes.",
}


class Word(Struct, frozen=True):
    """One word as the shell would pass it on; `is_pattern` where it holds bare wildcards."""

    text: str
    is_pattern: bool = False
    is_home: bool = False  # begins with a bare ~


Command = tuple[Word, ...]


class Joined(Struct, frozen=True):
    """A pipeline of commands, and the sign that joins it to the one before ("" for the first)."""

    sign: str
    commands: tuple[Command, ...]


def parsed(command: str) -> tuple[Joined, ...]:
    """Return a command as pipelines in order.

    Only a few kinds of node are let through, so what is unknown is refused.

    Raises:
        RefusedError: it holds anything but words, quotes and the signs | && || ;
    """
    if len(command) > LONGEST or "\0" in command:
        raise RefusedError(f"A command may have {LONGEST:,} characters, none of them NUL.")
    try:
        source = command.strip().encode()
    except UnicodeEncodeError as error:
        raise RefusedError("The command holds half a surrogate pair.") from error
    if not source:
        raise RefusedError("The command is empty; give one, such as: ls -la")
    if b"\r" in source or b"\\\n" in source:
        raise RefusedError("A command must stand on lines of its own, none of them continued.")
    root = _parser().parse(source).root_node
    _refuse_broken(root)
    found: list[Joined] = []
    _statements(root, "", found)
    if not found:
        raise RefusedError("There is no command in it; give one, such as: ls -la")
    if sum(len(each.commands) for each in found) > _DEEPEST:
        raise RefusedError(f"That is more than {_DEEPEST} commands; give fewer at once.")
    return tuple(found)


@cache
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - 20 ms, paid by the reader with its first command
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))


def _refuse_broken(root: Node) -> None:
    """Refuse what did not parse; first by what is in it, which tells more than where it broke."""
    ahead = [root]
    is_broken = False
    while ahead:
        node = ahead.pop()
        if node.type in _REASONS:
            raise RefusedError(_REASONS[node.type])
        is_broken |= node.is_error or node.is_missing
        ahead += reversed(node.children)
    if is_broken:
        raise RefusedError("The command does not parse; check quotes and brackets.")


def _statements(node: Node, sign: str, found: list[Joined]) -> None:
    """Add the pipelines below a node, each with the sign before it."""
    for child in node.children:
        match child.type:
            case "&&" | "||" | ";" | "\n":
                sign = child.type.strip() or ";"
            case "comment":
                continue
            case "list":
                _statements(child, sign, found)
                sign = ";"
            case "pipeline":
                found.append(Joined(sign if found else "", _pipeline(child)))
                sign = ";"
            case "command":
                found.append(Joined(sign if found else "", (_command(child),)))
                sign = ";"
            case _:
                raise _refusal(child)


def _pipeline(node: Node) -> tuple[Command, ...]:
    commands: list[Command] = []
    for child in node.children:
        if child.type == "command":
            commands.append(_command(child))
        elif child.type == "pipeline":
            commands += _pipeline(child)
        elif child.type not in {"|", "comment"}:
            raise _refusal(child)
    return tuple(commands)


def _command(node: Node) -> Command:
    children = (
        child.children[0] if child.type == "command_name" else child for child in node.children
    )
    return tuple(map(_word, children))


def _word(node: Node) -> Word:
    text = (node.text or b"").decode()
    match node.type:
        case "word" | "number":
            return _bare(text)
        case "raw_string":
            return Word(text[1:-1])
        case "string":
            if any(child.type not in {'"', "string_content"} for child in node.children):
                raise RefusedError("Inside double quotes a $ is not allowed; use single quotes.")
            body = text[1:-1]
            if re.search(r"(?<!\\)(?:\\\\)*[$`]", body):
                raise RefusedError("Inside double quotes $ and ` are not allowed; use single ones.")
            return Word(_QUOTED_ESCAPE.sub(r"\1", body))
        case "concatenation":
            parts = [_word(child) for child in node.children]
            return Word(
                "".join(part.text for part in parts),
                any(part.is_pattern for part in parts),
                parts[0].is_home,
            )
    raise _refusal(node)


def _bare(text: str) -> Word:
    shown = _ESCAPE.sub("", text)
    if re.search(r"[{}$`()<>|&;\n]", shown):
        raise RefusedError("Braces and the shell's own signs must stand in single quotes.")
    plain = _ESCAPE.sub(r"\1", text)
    is_pattern = bool(_WILD.search(shown))
    if is_pattern and "\\" in text:
        raise RefusedError("Put wildcards that are meant as themselves in single quotes.")
    return Word(plain, is_pattern, shown.startswith("~"))


def _refusal(node: Node) -> RefusedError:
    what = node.type.replace("_", " ")
    return RefusedError(f"A {what} is not allowed: {_PLAIN}, and keep words in single quotes.")
