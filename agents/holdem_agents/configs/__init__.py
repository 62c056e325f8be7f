"""Experiments, one YAML file each, so that `holdem train` finds them anywhere.

In a wheel they stand beside this file. In a checkout they stand in configs/ at the top, where people look for them, and
this package points there.

>>> from importlib.resources import files
>>> (files("holdem_agents.configs") / "demo.yaml").is_file()
True
"""

from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path

_HERE = Path(__file__).resolve().parent
if not any(_HERE.glob("*.yaml")):
    _TOP = _HERE.parents[2] / "configs"
    # importlib.resources asks the spec where the files are, pkgutil asks for the file and its folder.
    __file__, __path__ = str(_TOP / "__init__.py"), [str(_TOP)]
    __spec__ = ModuleSpec(__name__, SourceFileLoader(__name__, __file__), is_package=True)
