"""What people told an assistant, and later a newer value of it, or a value of something else.

Written by people who did not see the rules, in other words than the first. What stands in SEEN was
read for them; nobody who builds them reads HELD.
"""

from tests.planted.talk_free import laters

SEEN = laters("seen", "retold")
HELD = laters("held", "retold")
OTHERS_SEEN = laters("seen", "retold_lookalikes")
OTHERS_HELD = laters("held", "retold_lookalikes")
