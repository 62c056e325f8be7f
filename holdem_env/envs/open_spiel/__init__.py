"""Our games for OpenSpiel: `load_game`, or pyspiel.load_game("holdem_env(preset=leduc)") after this import.

OpenSpiel's algorithms (CFR, best responses, NFSP, Deep CFR, PSRO and others) then run on every game of single hands
that `Rules` can describe. The rules stay in the engine; here they only get OpenSpiel's names. OpenSpiel is an optional
package: pip install "holdem-env[open-spiel]".
"""

from ...utils.extras import explain_missing_extra

with explain_missing_extra("holdem_env.envs.open_spiel"):
    import pyspiel as _pyspiel  # noqa: F401 - the modules below import it; if it is missing, this says how to get it

from .game import HoldemGame as HoldemGame
from .game import HoldemState as HoldemState
from .game import load_game as load_game

__all__ = ["HoldemGame", "HoldemState", "load_game"]
