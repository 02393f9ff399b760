"""The rules engine: deterministic, without a key or a network."""

from dreamd.engine.rules.engine import RulesEngine

__all__ = ["RulesEngine"]
