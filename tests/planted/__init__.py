"""Sentences written for the purpose: what a rule about language must find, and what it must not."""
