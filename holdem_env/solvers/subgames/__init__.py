"""The rest of a hand solved for both ranges: rivers, turns, small flops."""

from .agent import SubgameAgent as SubgameAgent
from .charts import Chart as Chart
from .exploitability import exploitability as exploitability
from .loading import load_solution as load_solution
from .sizes import SubgameSize as SubgameSize
from .solution import SubgameSolution as SubgameSolution
from .study import solve_subgame as solve_subgame
from .study import subgame_size as subgame_size
from .subgame import solve_tree as solve_tree
