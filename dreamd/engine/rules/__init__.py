"""The rules engine: deterministic, without a key or a network."""

from dreamd.engine.rules.consolidated import RulesEngine

__all__ = ["RulesEngine"]
