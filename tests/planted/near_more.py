"""More pairs of note lines: one thing said twice in all the ways of saying, and what only looks so.

SEEN and HELD are short notes; in OTHERS_SEEN and OTHERS_HELD one value, negation, condition, name,
bound or role differs (``why`` says which). RETOLD are longer notes told again by somebody else,
TRAPS look-alikes laid against the rules themselves; both were looked at while building.
"""

from tests.planted.near_duplicates import pairs

SEEN = pairs("seen", "near_more_duplicates")
HELD = pairs("held", "near_more_duplicates")
OTHERS_SEEN = pairs("seen", "near_more_misses")
OTHERS_HELD = pairs("held", "near_more_misses")
RETOLD = pairs("seen", "near_retold")
TRAPS = pairs("seen", "near_traps")
