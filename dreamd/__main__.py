"""`python -m dreamd` is the command `dreamd`."""

import sys

from dreamd.cli import main

sys.exit(main())
