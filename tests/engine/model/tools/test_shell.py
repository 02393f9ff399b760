"""Which shell commands are let through, as a table; and what one that is let through becomes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.engine.model.shell import approval, approved
from dreamd.engine.model.tools.patience import OutOfTimeError
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError
from dreamd.sandbox.choose import best
from dreamd.sandbox.denied import DenyList
from tests.engine.model.tools.desk import Desk, Laptop, said, transcript

ALLOWED = r"""
ls
ls -la
ls -lah --color=never
ls -1 -t *.md
ls ~
ls /tmp /usr
ls 'a b'
ls a\ b
cat MEMORY.md
cat -n MEMORY.md ana.md
cat -- -odd-
cat "ports.md"
cat 'it''s'
cat a"b"c
head -5 MEMORY.md
head -n 5 MEMORY.md
head -n5 MEMORY.md
head --lines=3 MEMORY.md
tail -n 20 ports.md
tail -3 ports.md
tail -n +2 ports.md
tac ports.md
nl -ba ports.md
wc -l *.md
wc MEMORY.md
sort ports.md
sort -t: -k2,2n ports.md
sort -rnu ports.md
cat ports.md | sort | uniq -c | sort -rn | head -n 5
uniq -c ports.md
comm -12 ana.md ports.md
cmp -s ana.md ports.md
diff ana.md ports.md
diff -u ana.md ports.md
diff -U 3 ana.md ports.md
grep tea ports.md
grep -n tea ports.md
grep -i -A2 -B 1 -C3 tea ports.md
grep -5 tea ports.md
grep -E 'a|b' ports.md
grep -e tea -e cake ports.md
grep -c -- -x ports.md
grep 'a$' ports.md
grep "a|b;c&d" ports.md
grep -v "say \"hi\"" ports.md
egrep 'a+' ports.md
fgrep a.b ports.md
sed -n '10,20p' ports.md
sed -n 5p ports.md
sed -n '1,5p;9p' ports.md
sed -n '2,$p' ports.md
find .
find . -name '*.md'
find /tmp -maxdepth 1 -type f -mtime -7
find . -name '*.md' -o -name '*.txt'
find . \( -name a -o -name b \) -print
find . ! -name a -newermt 2026-01-01
find . -size +10k -printf '%p\n'
find . -type d -empty -ls
stat MEMORY.md
stat -c '%s %n' MEMORY.md
du -sh .
du -d 1 /tmp
df -h
basename /a/b.md .md
dirname /a/b.md
realpath MEMORY.md
readlink -f MEMORY.md
pwd
echo hello
echo -n 'a b'
echo "---"
printf '%s\n' a b
date
date -u
date '+%Y-%m-%d'
date -d '2026-03-01 + 3 days' +%F
true
false || echo no
ls && pwd; echo done
ls; pwd
ls # a comment
sha256sum MEMORY.md
md5sum MEMORY.md
grep tea ports.md || true
git log
git log --oneline -5
git log -n 3 --stat -- ports.md
git log --since=2026-01-01 --author=ana --grep fix
git log --format='%h %ad %s' --date=short
git log -p -S 'port' -- ports.md
git -C /tmp log --oneline
git --no-pager log -3
git show HEAD
git show --stat HEAD~2
git show HEAD:ports.md
git show --name-only --pretty=oneline HEAD
git diff HEAD~1 HEAD
git diff HEAD~1..HEAD -- ports.md
git diff --stat main...topic
git blame ports.md
git blame -L 1,20 HEAD -- ports.md
cat /dev/null
grep tea ports.md /dev/null
""".strip().split("\n")

REFUSED = r"""
diff --unified=1 -r /tmp /usr/share/doc
grep -rn 'tea' .
grep --include='*.md' -r tea /tmp
rg tea
rg -n -i 'tea' ports.md
rg -g '*.md' tea /tmp
rg --files
rg --files -g '*.{md,txt}' /tmp
rg -e tea -e cake .
rg -A 2 tea | head -n 40
cat ports.md | rg tea
rm ports.md
rm -rf /
mv a b
cp a b
ln -s a b
touch a
mkdir a
chmod 777 a
dd if=/dev/zero of=a
tee a
truncate -s 0 a
install a b
shred a
curl http://example.org
wget http://example.org
nc -l 1
ssh host
python3 -c 'print(1)'
perl -e 1
awk '{print}' a
bash -c ls
sh a
eval ls
exec ls
source a
. a
command ls
builtin echo
env ls
env
printenv
xargs ls
nohup ls
timeout 5 ls
sudo ls
kill 1
trap ls EXIT
alias l=ls
export A=1
set -x
cd /tmp
tr a b
cut -c1-3 ports.md
od -c ports.md
base64 ports.md
xxd ports.md
rev ports.md
vim a
less a
man ls
ls > a
ls >> a
ls 2> a
ls 2>/dev/null
ls 2>&1
ls &> a
cat < a
cat <<EOF
cat <<< a
ls &
ls & pwd
ls |& cat
(ls)
{ ls; }
! ls
$(ls)
`ls`
echo $(ls)
echo `ls`
echo "$(ls)"
echo "`ls`"
echo $HOME
echo "$HOME"
echo ${HOME}
echo "${HOME:-$(ls)}"
echo $((1+1))
echo $'a'
echo $"a"
diff <(ls) <(ls)
cat >(ls)
A=1
A=1 ls
ls; A=1
declare a
local a
unset a
if ls; then pwd; fi
for a in b; do ls; done
while ls; do pwd; done
case a in a) ls;; esac
f() { ls; }
function f { ls; }
[[ -e a ]]
[ -e a ]
test -e a
((1))
echo {a,b}
echo a{1..3}
cat 'a
cat "a
ls |
ls &&
&& ls
ls ;; pwd
| ls
*
~/bin/tool
./tool
/bin/ls
sort -o a b
sort --output=a b
sort --compress-program=sh a
sort -T /tmp a
sort --files0-from=a
uniq a b
wc --files0-from=a
tail -f a
tail -F a
tail --follow a
head -c 10 a
sed -i 's/a/b/' a
sed 's/a/b/' a
sed -n '1w out' a
sed -n '1e ls' a
sed -n 's/a/b/w out' a
sed -ne '1p' a
sed -f a b
sed -n '1,2p' -i a
find . -delete
find . -exec ls {} ;
find . -exec rm '{}' +
find . -execdir ls ';'
find . -ok ls ';'
find . -okdir ls ';'
find . -fprint a
find . -fprint0 a
find . -fprintf a x
find . -fls a
find -L .
find . -files0-from a
rg --pre sh a
rg --pre=sh a
rg --hostname-bin sh a
rg -z a
rg --search-zip a
rg -f patterns a
grep -f patterns a
grep -o a ports.md
grep -R a .
grep -z a b
grep --exclude-from=a b
diff -l a b
diff --to-file=a b
diff --output=a b
ls --hyperlink
date -s 2020-01-01
date --set=2020-01-01
date -f a
date 010100002020
date -r a
stat --file-system a
du --files0-from=a
du --exclude-from=a
realpath --relative-to=a b
printf -v A x
git
git status
git diff
git diff HEAD
git diff --cached
git diff --no-index a b
git diff HEAD --ext-diff
git diff --output=a HEAD~1 HEAD
git log --output=a
git log --show-signature
git log --format=%GG
git log '--format=%h %G?'
git log --pretty=mine
git log --pretty mine
git log --ext-diff -p
git log --textconv -p
git log --exec=ls
git show --textconv HEAD:a
git show --output=x HEAD
git -c core.pager=sh log
git --exec-path=/tmp log
git --git-dir=/tmp log
git --paginate log
git -C a -C b log
git checkout a
git commit -m a
git push
git fetch
git pull
git clone a
git config --list
git grep a
git stash
git gc
git blame --contents=a b
git blame
git difftool
git submodule
git bisect run ls
git rebase --exec ls
git ls-remote ext::sh
""".strip().split("\n")

KERNELS = [
    "cat /proc/self/environ",
    "cat /proc/1/environ",
    "ls /sys",
    "cat /dev/sda",
    "head /dev/mem",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    laptop = Laptop.at(tmp_path_factory.mktemp("shell").resolve())
    transcript(laptop.sessions / "s.jsonl", [said(1, "hello")])
    (laptop.stage / "deep").mkdir()
    (laptop.stage / "deep/s.jsonl").write_text("{}\n")
    (laptop.top / "notes.txt").symlink_to(laptop.sessions / "s.jsonl")
    (laptop.stage / "-odd-").write_text("odd\n")
    (laptop.stage / "--pre=sh").write_text("odd\n")
    descriptor = os.open(laptop.stage, os.O_RDONLY | os.O_DIRECTORY)
    yield Place(
        stage=laptop.stage,
        memory=laptop.memory,
        descriptor=descriptor,
        sessions=(laptop.sessions,),
        denied=DenyList.of([laptop.vault]),
        level="landlock",
    )
    os.close(descriptor)


def test_the_tables_are_long_enough_and_name_no_command_twice() -> None:
    assert len(ALLOWED) + len(REFUSED) >= 150
    assert len({*ALLOWED, *REFUSED}) == len(ALLOWED) + len(REFUSED)


@pytest.mark.parametrize("command", ALLOWED)
def test_a_command_that_only_reads_is_let_through(command: str, place: Place) -> None:
    written = approved(command, place)
    checked = subprocess.run(["bash", "-n", "-c", written], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert approved("ls", place) == "ls --"


@pytest.mark.parametrize("command", [*REFUSED, *KERNELS])
def test_any_other_command_is_refused_with_a_sentence(command: str, place: Place) -> None:
    with pytest.raises(RefusedError) as raised:
        approved(command, place)
    assert str(raised.value).endswith((".", "…", "-la", "FILE", "PATH")), raised.value
    assert len(str(raised.value)) < 1500


def test_what_runs_is_written_by_us_word_by_word(place: Place) -> None:
    stage = place.stage
    assert approved(r"cat a\ b 'c;d' \$x", place) == "cat -- 'a b' 'c;d' '$x'"
    assert approved("ls&&pwd;echo 'a  b'", place) == "ls -- && pwd ; echo 'a  b'"
    assert approved(f"cat {place.memory}/ana.md", place) == f"cat -- {stage}/ana.md"
    assert approved("grep -in tea ana.md", place) == "grep --color=never -i -n -- tea ana.md"


def test_printf_is_a_program_that_sets_nothing(place: Place) -> None:
    assert approved("printf '%s%n' a PATH", place) == "env printf -- %s%n a PATH"
    assert approved("printf -- -v%s a", place) == "env printf -- -v%s a"
    with pytest.raises(RefusedError, match="options"):
        approved("printf -vPATH a", place)


def test_no_command_that_shows_files_shows_those_of_a_folder(place: Place, tmp_path: Path) -> None:
    from dreamd.engine.model.shell.policy import COMMANDS

    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / ".env").write_text("WORDS=of-a-secret\n")
    tried = [name for name, rule in COMMANDS.items() if rule.shows]
    assert len(tried) > 10
    for name in tried:
        for options in ("-n 1p", "-N", "-s", ""):
            for words in (f"x {folder}", f"{folder}", f"{folder} {place.stage}"):
                try:
                    written = approved(f"{name} {options} {words}", place)
                except RefusedError:
                    continue
                done = subprocess.run(
                    ["bash", "-c", written], capture_output=True, cwd=place.stage, check=False,
                    stdin=subprocess.DEVNULL,
                )  # fmt: skip
                assert b"of-a-secret" not in done.stdout + done.stderr, written


@pytest.mark.filterwarnings(  # the alarm may ring between `scandir` and the `with` around it
    "ignore:unclosed scandir iterator:ResourceWarning"
)
def test_wildcards_for_the_whole_disk_take_no_longer_than_their_time(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approval, "_SECONDS", 0.3)
    began = time.monotonic()
    with pytest.raises(OutOfTimeError):
        approved("echo /*/*/*/*/*/*/*/*/nothing-of-this", place)
    assert time.monotonic() - began < 2


def test_wildcards_that_stand_for_more_than_a_line_holds_are_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approval, "_SECONDS", 60)  # a slow disk has its time
    with pytest.raises(RefusedError, match=r"more than 2,000"):
        approved("echo /usr/*/*/*", place)


@pytest.mark.skipif(best().level == "paths", reason="no shell without walls")
def test_what_git_complains_of_is_not_shown_but_that_it_does_is(desk: Desk) -> None:
    shown = desk("Bash", command=f"git -C {desk.laptop.work} log")
    assert "git found no such" in shown
    assert "fatal" not in shown


def test_a_file_whose_name_looks_like_an_option_is_not_one(place: Place) -> None:
    written = approved("grep tea *", place)
    assert "./--pre=sh" in written
    assert "./-odd-" in written
    assert " --pre=sh" not in written


@pytest.mark.parametrize(
    "command",
    [
        "cat {sessions}/s.jsonl",
        "cat {sessions}/*.jsonl",
        "head -n 1 {sessions}/s.jsonl",
        "grep x {sessions}/s.jsonl",
        "cat deep/s.jsonl",
        "cat */*",
        "cat {top}/notes.txt",
        "sort {sessions}/../sessions/s.jsonl",
        "sed -n 1p {sessions}/s.jsonl",
        "cat {vault}/key.txt",
        "ls {vault}",
        "find {vault}",
        "git -C {vault} log",
        "cat {vault}/../vault/key.txt",
        "grep x {vault}/key.txt",
        "cat {vault}/*",
        "stat {vault}/key.txt",
        "wc -c {vault}/key.txt",
        "sort .env",
        "diff MEMORY.md {vault}/key.txt",
    ],
)
def test_a_transcript_and_a_credential_store_are_not_named_to_the_shell(
    command: str, place: Place
) -> None:
    folders = {
        "sessions": place.sessions[0],
        "top": place.stage.parent,
        "vault": place.stage.parent / "vault",
    }
    with pytest.raises(RefusedError, match=r"conversation|credentials"):
        approved(command.format(**folders), place)


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository that starts a program by every means it has, and the file that would tell."""
    top = tmp_path_factory.mktemp("trap").resolve()
    told, repo, trap = top / "told", top / "repo", top / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho ran >> {told}\ncat\n")
    trap.chmod(0o755)

    def git(*words: str) -> None:
        argv = ["git", "-C", str(repo), "-c", "user.name=a", "-c", "user.email=a@b", *words]
        subprocess.run(argv, check=True, capture_output=True)

    repo.mkdir()
    git("init", "-q")
    (repo / ".gitattributes").write_text("*.md diff=trap filter=trap\n")
    for number in range(3):
        (repo / "a.md").write_text(f"one {number}\n")
        git("add", "-A")
        git("commit", "-qm", f"c{number}")
    (repo / "a.md").write_text("changed\n")
    settings = {
        "core.fsmonitor": trap, "core.pager": trap, "core.editor": trap, "core.sshCommand": trap,
        "diff.external": trap, "diff.trap.textconv": trap, "diff.trap.command": trap,
        "filter.trap.clean": trap, "filter.trap.smudge": trap, "gpg.program": trap,
        "pager.log": trap, "pager.show": trap, "alias.log": f"!{trap}", "core.hooksPath": top,
        "log.showSignature": "true", "credential.helper": f"!{trap}",
    }  # fmt: skip
    for name, value in settings.items():
        git("config", name, str(value))
    told.unlink(missing_ok=True)
    return repo, told


GIT = [line.replace("git ", "git -C {repo} ", 1) for line in ALLOWED if line.startswith("git ")]


def test_a_repository_that_sets_traps_runs_no_program(
    trapped: tuple[Path, Path], place: Place
) -> None:
    repo, told = trapped
    ran = 0
    for line in GIT:
        command = line.replace("ports.md", "a.md").format(repo=repo)
        if command.count("-C") > 1 or "--no-pager log" in command:
            continue
        written = approved(command, place)
        done = subprocess.run(
            ["bash", "-c", written], cwd=place.stage, capture_output=True, check=False
        )
        ran += done.returncode == 0
        assert not told.exists(), command
    assert ran >= 12, "most of them must have shown something"


def test_the_same_repository_does_run_programs_when_asked_plainly(
    trapped: tuple[Path, Path],
) -> None:
    repo, told = trapped
    for words in (["diff"], ["log", "-p"], ["blame", "a.md"], ["status"]):
        told.unlink(missing_ok=True)
        subprocess.run(["git", "-C", str(repo), *words], capture_output=True, check=False)
        assert told.exists(), words
    told.unlink()


@pytest.mark.skipif(best().level == "paths", reason="no shell without walls")
def test_a_command_runs_in_memory_and_its_output_names_no_stage(desk: Desk) -> None:
    shown = desk("Bash", command="pwd; cat MEMORY.md; find . -name '*.md' | sort; realpath ana.md")
    assert str(desk.laptop.stage) not in shown
    assert shown.startswith(f"{desk.laptop.memory}\n# Memory\n")
    assert f"{desk.laptop.memory}/ana.md" in shown
    assert "[exit code 1]" in desk("Bash", command="grep nothing-of-this MEMORY.md")
    assert desk("Bash", command="true") == "[no output]"


@pytest.mark.skipif(best().level == "paths", reason="no shell without walls")
def test_a_command_that_takes_too_long_is_stopped(desk: Desk) -> None:
    slow = "find /usr /usr /usr /usr -ls | sort | sort | sort"
    shown = desk("Bash", command=slow, timeout=30)
    assert "stopped at its limit of time" in shown


def test_without_walls_there_is_no_shell(place: Place, tmp_path: Path) -> None:
    from msgspec.structs import replace

    from dreamd.engine.model.tools.bash import run

    with pytest.raises(RefusedError, match="no shell"):
        run({"command": "ls"}, replace(place, level="paths"))
