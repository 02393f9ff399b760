"""Lines that say the same in other words: found by their words, judged by their values."""
