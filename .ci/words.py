"""`make check`: words that nobody outside would search for stay out of code and docs. Prints where they stand."""

import re
import subprocess
import sys
from pathlib import Path

WORDS = {
    r"heights": "logits",
    r"by_heights|by_values": "grad_logits, grad_values",
    r"pull(ed)? toward|PulledPolicy": "KL coefficient, reference policy",
    r"share_out|match_regrets": "normalize, regret_matching",
    r"_*(is_|was_)?told|telling|_tell[a-z_]*|tells_[a-z_]+": "reported, described, shown",
    r"so many": "the name of the count",
    r"how_far": "progress",
    r"exploiters_on_the_way": "training_exploiters",
    r"so_many": "the count's name",
    r"(is_)?whole_(runs|decisions)": "complete",
    r"picked|pass_on": "chosen, selected; forward",
    r"def worth": "def value",
}
# These words still stand in the files of STILL_IN, and nowhere else.
NEWER_WORDS = {
    r"chances": "probabilities",
    r"(\w+_)?[Ww]hoever(_\w+)?": "who, anyone who",
    r"(\w+_)?anew(_\w+)?": "again, from scratch; re-solved",
}
STILL_IN = (
    *(f"holdem_env/{room}/" for room in ("compiled", "engine", "equities", "game", "solvers/card_tables")),
    *(f"tests/{room}/" for room in ("encoders", "engine", "golden", "ladder", "properties", "rules", "table")),
    *("tests/solvers/card_tables/", "tests/docs/test_other_libraries.py", "pyproject.toml"),
    *("docs/examples/", "docs/ladder.md", "docs/rllib.md"),
)
WHERE = ("*.py", "*.js", "*.html", "*.j2", "*.md", "*.yaml", "*.toml")
EXCEPT = (".ci/words.py",)


def main() -> int:
    """Print the places; 1 if there are any."""
    listed = subprocess.run(["git", "ls-files", *WHERE], capture_output=True, text=True, check=True).stdout.split()
    found = 0
    for name in listed:
        if name.startswith(EXCEPT) or not Path(name).is_file():
            continue
        words = WORDS if name.startswith(STILL_IN) else WORDS | NEWER_WORDS
        pattern = re.compile(rf"\b({'|'.join(f'(?:{word})' for word in words)})\b")
        for number, line in enumerate(Path(name).read_text(encoding="utf-8").splitlines(), 1):
            for match in pattern.finditer(line):
                better = next(say for word, say in words.items() if re.fullmatch(word, match[0]))
                print(f"{name}:{number}: {match[0]!r}: say {better}")
                found += 1
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
