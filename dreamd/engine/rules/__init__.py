"""The built-in engine: deterministic, with no key and no network."""

from dreamd.engine.rules.engine import RulesEngine

__all__ = ["RulesEngine"]
