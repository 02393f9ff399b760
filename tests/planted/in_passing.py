"""Long messages to an assistant, and what a later one gives in passing: a newer value, or another.

Written by people who did not see the rules. What stands in SEEN was read for them; nobody who
builds them reads HELD.
"""

from tests.planted.talk_free import laters

SEEN = laters("seen", "in_passing")
HELD = laters("held", "in_passing")
OTHERS_SEEN = laters("seen", "in_passing_lookalikes")
OTHERS_HELD = laters("held", "in_passing_lookalikes")
