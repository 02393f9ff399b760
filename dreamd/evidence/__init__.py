"""What was said, weighed: which of it deserves to be remembered."""
