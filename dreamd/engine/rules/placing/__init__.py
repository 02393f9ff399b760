"""Where a line that the rules write goes."""
