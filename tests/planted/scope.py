"""Updates and look-alikes in which one of two sentences names a scope of its own.

Written by somebody who never saw the rules: "on macOS", "of my parents", "for trial accounts".
The fields are those of `updates`; the HELD halves measure alone.
"""

from tests.planted.updates import told

SEEN = told("seen", "scope_updates")
HELD = told("held", "scope_updates")
OTHERS_SEEN = told("seen", "scope_lookalikes")
OTHERS_HELD = told("held", "scope_lookalikes")
