"""Short sentences of many walks of life: updates that share few words, and what is none.

The same shape as the other updates. HELD halves measure alone.
"""

from tests.planted.updates import told

SEEN = told("seen", "ordinary_updates")
HELD = told("held", "ordinary_updates")
OTHERS_SEEN = told("seen", "ordinary_lookalikes")
OTHERS_HELD = told("held", "ordinary_lookalikes")
