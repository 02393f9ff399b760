"""A database is opened by several processes at once, also where it is new."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OPEN = """
import sys, threading
from pathlib import Path
from dreamd.host import database
go = threading.Barrier(4)
failed = []
def opened(path):
    go.wait()
    try:
        database.connect(path).close()
    except Exception as error:
        failed.append(error)
for number in range(100):
    path = Path(sys.argv[1], f"{number}.db")
    four = [threading.Thread(target=opened, args=(path,)) for _ in range(4)]
    for each in four: each.start()
    for each in four: each.join()
sys.exit(len(failed))
"""


def test_a_new_database_may_be_opened_by_several_at_once(tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", OPEN, str(tmp_path)], check=False).returncode == 0
