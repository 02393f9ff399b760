"""Pairs of note lines that people wrote who knew no rule, and look-alikes laid against the rules.

In SEEN and HELD one fact is told twice, by other words, another build, fillers, or with something
told beside it; in OTHERS_SEEN and OTHERS_HELD one thing that matters differs (``why`` says what).
WRONG are pairs that the rules once took for the same. All but HELD were looked at while building,
and two of OTHERS_HELD.
"""

from tests.planted.near_duplicates import pairs

SEEN = pairs("seen", "near_fresh")
HELD = pairs("held", "near_fresh")
OTHERS_SEEN = pairs("seen", "near_fresh_misses")
OTHERS_HELD = pairs("held", "near_fresh_misses")
WRONG = pairs("seen", "near_wrong")
