"""Whether everything that a dream needs is in order, a check each, with how to mend what is not."""

from dreamd.checkup.result import Patient, Result, State
from dreamd.checkup.table import CHECKS, Check, online

__all__ = ["CHECKS", "Check", "Patient", "Result", "State", "online"]
