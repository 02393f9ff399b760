"""Evidence: store what people said, and score what is worth remembering."""
