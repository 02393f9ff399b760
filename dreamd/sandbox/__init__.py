"""Walls: what a process may touch, enforced by policy and, where there is one, by the kernel."""
