"""The parts of `python -m tests.score`: figures, homes to run an engine on, and the sets."""
