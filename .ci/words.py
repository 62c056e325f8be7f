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
    r"chances": "probabilities",
    r"(\w+_)?[Ww]hoever(_\w+)?": "who, anyone who",
    r"(\w+_)?anew(_\w+)?": "again, from scratch; re-solved",
    r"_*(settle|forget)_\w+": "award; clear, drop",
}
PATTERN = re.compile(rf"\b({'|'.join(f'(?:{word})' for word in WORDS)})\b")
WHERE = ("*.py", "*.js", "*.html", "*.j2", "*.md", "*.yaml", "*.toml")
EXCEPT = (".ci/words.py",)


def main() -> int:
    """Print the places; 1 if there are any."""
    listed = subprocess.run(["git", "ls-files", *WHERE], capture_output=True, text=True, check=True).stdout.split()
    found = 0
    for name in listed:
        if name.startswith(EXCEPT) or not Path(name).is_file():
            continue
        for number, line in enumerate(Path(name).read_text(encoding="utf-8").splitlines(), 1):
            for match in PATTERN.finditer(line):
                better = next(say for word, say in WORDS.items() if re.fullmatch(word, match[0]))
                print(f"{name}:{number}: {match[0]!r}: say {better}")
                found += 1
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
