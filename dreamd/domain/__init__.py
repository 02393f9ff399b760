"""The nouns: frozen values with no input, no output and no third-party imports."""
