"""The laptop: the only code that asks the operating system for time, files and processes."""
