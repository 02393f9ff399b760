"""What people asked to be remembered, found in their words and put in its place."""
