"""When: nudges and a slow rescan become dreams, one at a time, each in a process of its own."""
