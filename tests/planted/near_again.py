"""Pairs of note lines by somebody who saw the read halves of the other sets, and no rule.

SEEN and HELD are short notes told again as in ``near_more``, FAR_SEEN and FAR_HELD longer ones as
in ``near_duplicates``, in freer words than those; of OTHERS_SEEN and OTHERS_HELD both lines stay.
"""

from tests.planted.near_duplicates import pairs

SEEN = pairs("seen", "near_again")
HELD = pairs("held", "near_again")
FAR_SEEN = pairs("seen", "near_again_far")
FAR_HELD = pairs("held", "near_again_far")
OTHERS_SEEN = pairs("seen", "near_again_misses")
OTHERS_HELD = pairs("held", "near_again_misses")
