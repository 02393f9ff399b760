"""What is no longer true: newer words of a person stand, what they replace becomes past."""
