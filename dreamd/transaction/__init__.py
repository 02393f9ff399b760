"""The one way to change notes: lease, snapshot, merge, review, journal, commit, receipt."""
