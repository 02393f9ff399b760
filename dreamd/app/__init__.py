"""The wiring: the only place that picks the parts."""
