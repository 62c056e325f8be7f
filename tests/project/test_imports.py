"""No module imports itself by a detour. lint-imports sees to rooms and files; here packages count as modules, too."""

from __future__ import annotations

from graphlib import TopologicalSorter

import grimp


def test_no_module_imports_one_that_imports_it():
    """Imports that are only for types count, and so do those in functions. `static_order` raises CycleError, which
    names the modules of a circle."""
    graph = grimp.build_graph("holdem_env", "holdem_agents", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports["holdem_env"]) > 5
    assert len(list(TopologicalSorter(imports).static_order())) == len(imports)
