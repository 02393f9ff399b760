"""What `dreamd install` lays down, and how it is taken back."""
