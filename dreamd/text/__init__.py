"""How text is read, once; no I/O."""
