"""The table of commands: what each does, its function if not `run` of its module, arguments.

An argument is written as its help shows it: `--fix` is a flag, `--to DIR` takes a value,
`--sessions DIR*` may be repeated, `--most N=20` is a number from 0 on, `--engine auto|rules` is one
of these. `NOTE` goes by its place, `[DREAM]` may be left out, `PATH*` may be many. What has no
words is for hooks and children only, or shared. Deeper lines go on.
"""

from __future__ import annotations

TEXT = """
demo: a real dream on a private copy of the sample memory
  --keep DIR: keep the copy in this new folder, to try the other commands on it
dream: consolidate a memory directory now
  [MEMORY]
  --sessions DIR*: a folder of transcripts (repeatable); default: those of the project
  --engine auto|model|rules|claude-cli: the engine to use
  --propose: change nothing; keep every change as a proposal
  --dry-run: change nothing; print what would change (a session with a model still costs money:
    --estimate says how much)
  --estimate: print what a dream would cost, and do nothing else; needs no key
  --fork CONVERSATION: continue the Messages request in this file; with claude-cli, the session of
    this id
  --gated: dream only if every gate is open (for timers and hooks)
  --current SESSION*: a running session, which does not count (with --gated)
  --trigger hand|daemon|timer|hook|gated|precommit
stop (change.stop): stop the dream that runs now, and take it back
  [MEMORY]
run: the daemon: watch the memory directories, dream when every gate is open
  MEMORY*: memory directories or patterns ('~/work/*/memory', quoted); default: all of the client
  --once: check each one once, dream where every gate is open, and exit
status: the state of the daemon and of each memory directory
  [MEMORY]
why: why no dream starts now; where a line came from; what is in no note, and why
  [MEMORY]
  --line TEXT: words of a line, or of a sentence that somebody typed: print what dreams did with
    it, and why
  --most N=8: how many sentences (8; 0: all)
log (past.log): past dreams
  [MEMORY]
  --most N=20: how many (20)
show (past.show): what one dream did, and why
  [DREAM]
  --conversation: print the conversation with the model instead
diff (past.diff): what one dream changed, line by line
  [DREAM]
  --proposal: show what the dream held back, instead of what it did
undo (change): take a dream back
  [DREAM]
redo (change): apply an undone dream again
  [DREAM]
accept (change): apply what a dream proposed
  [DREAM]
reject (change): reject a proposal for good
  [DREAM]
restore (change.restore): bring notes back exactly as they were when a dream began
  DREAM
  PATH*: notes, relative to the memory directory; default: all
  --to DIR: write to this new or empty folder, not to the memory directory
pin (change.pin): protect a note: no dream changes it
  NOTE: the note to pin: its path or its name
unpin (change.pin): let dreams change a note again
  NOTE: the note to unpin: its path or its name
adopt (change.adopt): give a memory directory the history of another, as after a copy
  OLD: a memory directory, or the name of its folder in the state directory; the directory may be
    gone
  NEW: a memory directory, or the name of its folder in the state directory
forget (change.forget): remove a text from notes and history for good
  TEXT: the exact text, or "-" to read it from standard input
  --yes: do not ask
  --sessions DIR*: a folder of transcripts (repeatable); added to those of the project, for which
    dreamd never reads the text in again
check: lint a memory directory
  PATH*: memory directories, or notes in them
  --fix: fix what is mechanical; `dreamd undo` takes it back
  --staged: for pre-commit: ignore files that are in no memory directory
doctor: check that everything a dream needs is there
  --online: ask the model for one token, and print what that cost
config: the settings in force and where each comes from
nudge: make the daemon look now; without one, dream if due (for hooks)
  --greet: print what dreams changed before this session (for hooks)
  --begin
  --session ID
  --transcript FILE
  --cwd DIR
install: run dreamd as a service; add it to Claude Code
  --timer: use a timer instead of a daemon
  --now: start it now
  --engine auto|model|rules: the engine of dreams that begin by themselves, recorded in config.yaml;
    model keeps a key of the environment in a file (else asked once, on a terminal)
  --claude
  --dir DIR
  --dry-run
uninstall (install): remove what `install` added
  --claude
  --dir DIR
  --dry-run
"""
SHARED = {
    "--claude": "the plugin for Claude Code: /dream and its hooks",
    "--dir DIR": "the folder of the plugin (with --claude)",
    "--dry-run": "print what would be done, and do nothing",
    "[MEMORY]": "the memory directory",
    "[DREAM]": "a dream's id, or its first characters; default: the latest",
    "DREAM": "a dream's id, or its first characters",
}
WITHOUT_JSON = {"demo", "run", "nudge", "install", "uninstall"}
CHANGING = {"demo", "dream", "undo", "redo", "accept", "reject", "restore"}
CHANGING |= {"pin", "unpin", "adopt", "forget", "check"}
