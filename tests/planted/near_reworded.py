"""Pairs of note lines: one fact told twice in other words, and what differs in one word.

In SEEN and HELD two words of weight or more are others; in OTHERS_SEEN and OTHERS_HELD one verb,
noun, bound, direction, tense or owner is (``why`` says which). Both were written before the words
of one meaning were; who adds to those does not read the HELD halves. TRAPS are laid against the
rules themselves, RETOLD are facts told in another order, other words, or both; both were looked at.
"""

from tests.planted.near_duplicates import pairs

SEEN = pairs("seen", "near_reworded")
HELD = pairs("held", "near_reworded")
OTHERS_SEEN = pairs("seen", "near_reworded_misses")
OTHERS_HELD = pairs("held", "near_reworded_misses")
RETOLD = pairs("seen", "near_reworded_retold")
TRAPS = pairs("seen", "near_reworded_traps")
