"""A line with a label ("Rate limit: 100 requests") and a message of May: updates and look-alikes.

The last row of ``line`` is the one with the label; what stands above it in the note comes before.
``why`` of a look-alike names the kind. The HELD halves measure alone.
"""

from tests.planted.updates import told

SEEN = told("seen", "label_updates")
HELD = told("held", "label_updates")
OTHERS_SEEN = told("seen", "label_lookalikes")
OTHERS_HELD = told("held", "label_lookalikes")
