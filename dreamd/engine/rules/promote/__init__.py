"""What nobody asked to remember and yet deserves it: the best of it, as far as there is room."""
