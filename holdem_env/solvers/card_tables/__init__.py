"""Which hands a blueprint takes for the same: buckets by strength and potential."""

from .abstraction import CardAbstraction as CardAbstraction
