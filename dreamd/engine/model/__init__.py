"""The model engine: a tool-use session behind walls, which reads anything and writes notes only."""
