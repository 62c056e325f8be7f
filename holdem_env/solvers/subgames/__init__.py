"""The rest of a hand solved for both ranges: rivers, turns, flops."""

from .agent import SubgameAgent as SubgameAgent
from .charts import Chart as Chart
from .solution import SubgameSolution as SubgameSolution
from .solution import load_solution as load_solution
from .study import exploitability as exploitability
from .study import resume_subgame as resume_subgame
from .study import solve_subgame as solve_subgame
from .study import solve_tree as solve_tree
from .study import subgame_size as subgame_size
