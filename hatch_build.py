"""Where the package comes from, for PyPI: in a release's workflow GITHUB_REPOSITORY and GITHUB_REF_NAME say so, and the
links of README, which would lead nowhere on PyPI, lead to that tag. Elsewhere README stays as it is.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md"}
IMAGE = re.compile(r"(!\[[^]]*\]\()(?!\w+:|#)")
LINK = re.compile(r"((?<!!)\[[^]]*\]\()(?!\w+:|#)")


class Links(MetadataHookInterface):
    """README, and the project's URLs where they are known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to what pyproject.toml says."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if repository := os.environ.get("GITHUB_REPOSITORY"):
            home, tag = f"https://github.com/{repository}", os.environ.get("GITHUB_REF_NAME", "main")
            text = IMAGE.sub(rf"\1https://raw.githubusercontent.com/{repository}/{tag}/", text)
            text = LINK.sub(rf"\1{home}/blob/{tag}/", text)
            pages = {name: f"{home}/blob/{tag}/{page}" for name, page in PAGES.items()}
            metadata["urls"] = {"Repository": home, "Issues": f"{home}/issues", **pages}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
