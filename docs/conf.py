"""The settings of the documentation: `make docs` builds it to build/docs. Nothing here needs the network."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
REPOSITORY = DOCS.parent
sys.path.insert(0, str(DOCS / "_ext"))

from holdem_env import __version__  # noqa: E402 - after the path

project = "holdem_env"
author = "the holdem_env authors"
copyright = author
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "public_names"]
exclude_patterns = ["_ext"]
# In docstrings `name` is the name of an object where there is one, and code where there is none.
default_role = "py:obj"
highlight_language = "bash"  # blocks without a language are commands

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
myst_heading_slug_func = "rule_anchors.slug"
smartquotes = False
nb_execution_mode = "off"  # they are stored with their outputs by `make notebooks`; `make slow` runs them, too

autodoc_default_options = {"members": True, "member-order": "bysource", "exclude-members": "model_config"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 90
napoleon_numpy_docstring = False
napoleon_use_param = napoleon_use_rtype = False  # an entry may name several parameters
napoleon_custom_sections = [("Attributes", "params_style")]

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"holdem_env {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


def copy_notebooks() -> None:
    """Sphinx reads what lies below this folder: the notebooks are copied here, git ignores them."""
    copies = DOCS / "notebooks"
    shutil.rmtree(copies, ignore_errors=True)
    shutil.copytree(REPOSITORY / "notebooks", copies, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))


copy_notebooks()
