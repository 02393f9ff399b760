"""Updates and look-alikes in long chatty sentences, the value hidden among names and other values.

The same shape as the plain ones: ``why`` of an update tells how strongly its words say that
something changed, ``why`` of a look-alike names the kind. Nobody who builds the rules reads HELD.
"""

from tests.planted.updates import told

SEEN = told("seen", "chatty_updates")
HELD = told("held", "chatty_updates")
OTHERS_SEEN = told("seen", "chatty_lookalikes")
OTHERS_HELD = told("held", "chatty_lookalikes")
