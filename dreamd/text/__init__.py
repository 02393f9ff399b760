"""How text is read; without input and output."""
