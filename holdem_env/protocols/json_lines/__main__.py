"""`python -m holdem_env.protocols.json_lines` prints the messages' JSON Schema; `--write` puts it into the package."""

from __future__ import annotations

import sys

from .schema import FILE, schema_text

if "--write" in sys.argv[1:]:
    FILE.write_text(schema_text(), encoding="utf-8")
else:
    sys.stdout.write(schema_text())
