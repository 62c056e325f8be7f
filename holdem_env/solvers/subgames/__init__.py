"""The rest of a hand solved for both ranges: rivers, turns, flops."""

from .study import exploitability as exploitability
from .study import resume_subgame as resume_subgame
from .study import solve_subgame as solve_subgame
from .study import solve_tree as solve_tree
from .study import subgame_size as subgame_size
