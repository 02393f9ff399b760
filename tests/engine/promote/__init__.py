"""Promotion: what nobody asked to remember, placed."""
