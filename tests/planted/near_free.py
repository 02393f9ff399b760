"""Pairs of note lines as two people would write one fact, and what looks so and differs.

In SEEN and HELD the order, voice, words around a fact, or how much is told beside it are others,
and often some words, too. In OTHERS_SEEN and OTHERS_HELD one thing that matters is. They were
written by somebody who did not look at the rules, and say how far these reach: not very.
"""

from tests.planted.near_duplicates import pairs

SEEN = pairs("seen", "near_free")
HELD = pairs("held", "near_free")
OTHERS_SEEN = pairs("seen", "near_free_misses")
OTHERS_HELD = pairs("held", "near_free_misses")
