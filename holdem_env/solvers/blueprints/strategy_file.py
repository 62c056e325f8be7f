"""Strategy files (.strategy): a blueprint's average strategy as data alone, so that loading one cannot run code.

    save_strategy("mine.strategy", strategy)
    strategy = load_strategy("mine.strategy")
    strategy.probabilities(decision=0, bucket=168)        # of each child of the decision's node

A file is MAGIC, the SHA-256 digest of all that follows, the header's length, the header (`Header` as JSON) and the
levels: every probability as one of 15 steps, two of them a byte, decision by decision, compressed by lzma. Everything
is checked before it is used: the digest, the header's numbers against the tree of its rules and sizes, and so the size
of the levels before they are unpacked.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ...utils.atomic import write_atomically
from ...utils.plain_data import json_of
from ...utils.validation import Validated
from ...utils.version import __version__
from ..trees.bet_sizes import BetSizes
from ..trees.betting_tree import BettingTree
from .strategy import MAX_LEVEL, Strategy, entries_of, offsets_of

STRATEGY_SUFFIX = ".strategy"
"""Of a strategy file, which holds data alone."""
MAGIC = b"HOLDEMST"
FORMAT = 1
DIGEST_BYTES = 32
LENGTH_BYTES = 8
MAX_HEADER = 2**20
"""Bytes that a header may have; ours have about 3,000."""
MAX_FILE = 2**30
MAX_ENTRIES = 2**31
"""Probabilities that a file may hold; the largest of ours has 44 million."""
# Raw lzma without a container: the digest tells damage, and the header tells the size.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}]
WRONG_RULES = (ValueError, TypeError, OverflowError, RecursionError)

Name = Annotated[str, Field(max_length=1000)]
Count = Annotated[int, Field(ge=1, lt=2**40)]
Buckets = Annotated[int, Field(ge=1, le=2**16)]


class Header(Validated):
    """The JSON document of a strategy file.

    format: 1. written_by: which version of this library wrote it. rules: the fields of Rules. sizes: the bet sizes, as
    `BetSizes.parse` takes them. cards: the fields of CardAbstraction. buckets: how many there are, street by street.
    nodes, decisions, entries: of the tree, and the probabilities. tree: `BettingTree.digest`, which tells whether this
    version makes the same tree. training: facts such as the command, minutes and deals.
    """

    format: int
    written_by: Name = ""
    rules: dict[str, Any]
    sizes: Any
    cards: dict[str, Any]
    buckets: Annotated[tuple[Buckets, ...], Field(min_length=1, max_length=8)]
    nodes: Count
    decisions: Count
    entries: Count
    tree: Name
    training: dict[str, Any] = {}


def save_strategy(path: Path | str, strategy: Strategy) -> None:
    """Write a strategy to a file, atomically. Raises OSError, or ValueError for training facts that are not plain
    data; what was there before is then still there."""
    header = Header(
        format=FORMAT,
        written_by=__version__,
        rules=strategy.rules.model_dump(mode="json"),
        sizes=strategy.sizes.config(),
        cards=dict(strategy.cards_config),
        buckets=strategy.buckets,
        nodes=len(strategy.tree),
        decisions=strategy.tree.decisions,
        entries=strategy.probability.size,
        tree=tree_digest(strategy.tree),
        training=dict(strategy.training),
    )
    try:
        text = json.dumps(header.model_dump(mode="json"), allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: the facts of the training are not plain data ({error})") from None
    content = len(text).to_bytes(LENGTH_BYTES, "little") + text + _packed(strategy)
    write_atomically(path, MAGIC + sha256(content).digest() + content)


def load_strategy(path: Path | str, rules: RulesLike | None = None) -> Strategy:
    """The strategy in a file. rules: the game that it must be for, if given.

    Raises FileNotFoundError; ValueError, naming the file, for one that is damaged, of another format, for other rules,
    or whose tree this version makes differently.
    """
    path = Path(path)
    header, levels = _read(path)
    given = _rules_of(path, header)
    if rules is not None:
        check_rules(path, given, as_rules(rules))
    sizes, tree = _tree_of(path, header, given)
    offsets = offsets_of(tree, header.buckets)
    strategy = Strategy(
        rules=given,
        sizes=sizes,
        tree=tree,
        cards_config=header.cards,
        buckets=header.buckets,
        offset=offsets,
        probability=_unpacked(path, levels, tree, header.buckets),
        training=header.training,
    )
    return strategy


def read_header(path: Path | str) -> Header:
    """The header of a strategy file, for its model card. Raises as `load_strategy` does."""
    return _read(Path(path))[0]


def check_rules(source: object, own: Rules, wanted: Rules) -> None:
    """Raise ValueError, naming the differences, if a strategy for the rules `own` is wanted for others."""
    if names := own.differences(wanted):
        differences = "; ".join(f"{name} {getattr(own, name)!r}, not {getattr(wanted, name)!r}" for name in names)
        raise ValueError(f"{source}: this strategy is for other rules: {differences}")


def tree_digest(tree: BettingTree) -> str:
    """A digest of what a tree's decisions are: whether a strategy's numbers belong to it."""
    digest = sha256()
    for name, kind in (("kind", "<i1"), ("street", "<i1"), ("player", "<i1"), ("children", "<i1"), ("move", "<i8")):
        digest.update(np.ascontiguousarray(getattr(tree, name), kind).tobytes())
    return digest.hexdigest()


def _read(path: Path) -> tuple[Header, bytes]:
    """The header and the compressed levels of a file whose digest is right."""
    if path.is_file() and path.stat().st_size > MAX_FILE:
        raise ValueError(
            f"{path}: not a strategy file: {path.stat().st_size:,} bytes, and at most {MAX_FILE:,} are read"
        )
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise ValueError(f"{path}: not a strategy file; `holdem solve` writes them")
    start = len(MAGIC) + DIGEST_BYTES
    body = memoryview(content)[start:]
    if sha256(body).digest() != content[len(MAGIC) : start]:
        raise ValueError(f"{path}: the strategy file is damaged; its content does not fit its digest")
    length = int.from_bytes(body[:LENGTH_BYTES], "little")
    if not 0 < length <= min(MAX_HEADER, len(body) - LENGTH_BYTES):
        raise ValueError(f"{path}: the strategy file is damaged; its header has {length:,} bytes")
    return _header_of(path, bytes(body[LENGTH_BYTES : LENGTH_BYTES + length])), bytes(body[LENGTH_BYTES + length :])


def _header_of(path: Path, text: bytes) -> Header:
    try:
        content = json_of(text)
    except ValueError as error:
        raise ValueError(f"{path}: the strategy file's header is not JSON ({error})") from None
    if isinstance(content, Mapping) and content.get("format") != FORMAT:
        raise ValueError(
            f"{path}: a strategy file of format {content.get('format')!r}; this version reads format {FORMAT}"
        )
    try:
        return Header.model_validate(content)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise ValueError(f"{path}: the strategy file's header is wrong: {place}: {error.errors()[0]['msg']}") from None


def _rules_of(path: Path, header: Header) -> Rules:
    try:
        return Rules(**header.rules)
    except WRONG_RULES as error:
        raise ValueError(f"{path}: the strategy file's rules cannot be read: {error}") from None


def _tree_of(path: Path, header: Header, rules: Rules) -> tuple[BetSizes, BettingTree]:
    """The tree that a file's strategy is for, if it is the one that its writer had."""
    if len(header.buckets) != rules.streets:
        raise ValueError(f"{path}: buckets of {len(header.buckets)} streets, for a game of {rules.streets}")
    try:
        sizes = BetSizes.parse(header.sizes)
        tree = BettingTree.from_rules(rules, sizes)
    except WRONG_RULES as error:
        raise ValueError(f"{path}: the strategy file's betting tree cannot be made: {error}") from None
    made = len(tree), tree.decisions, entries_of(tree, header.buckets)
    if made != (header.nodes, header.decisions, header.entries) or tree_digest(tree) != header.tree:
        raise ValueError(
            f"{path}: this version ({__version__}) makes another betting tree of the file's rules and sizes than "
            f"{header.written_by or 'its writer'} did: {made[0]:,} nodes and {made[2]:,} probabilities here, "
            f"{header.nodes:,} and {header.entries:,} there"
        )
    if header.entries > MAX_ENTRIES:
        raise ValueError(f"{path}: {header.entries:,} probabilities; at most {MAX_ENTRIES:,} are read")
    return sizes, tree


def _packed(strategy: Strategy) -> bytes:
    """The levels, two a byte, compressed. Neighbouring buckets of the same child stand side by side, as they are much
    alike."""
    levels = _transposed(strategy.probability, strategy.tree, strategy.buckets, back=False)
    if levels.size % 2:
        levels = np.append(levels, np.uint8(0))
    return lzma.compress((levels[::2] << 4 | levels[1::2]).tobytes(), lzma.FORMAT_RAW, filters=FILTERS)


def _unpacked(path: Path, packed: bytes, tree: BettingTree, buckets: tuple[int, ...]) -> NDArray[np.uint8]:
    """The levels of a file, in the order of `Strategy.probability`."""
    entries = entries_of(tree, buckets)
    size = (entries + 1) // 2
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS)
    try:
        content = decompressor.decompress(packed, max_length=size + 1)
    except lzma.LZMAError as error:
        raise ValueError(f"{path}: the strategy file's levels cannot be unpacked ({error})") from None
    if len(content) != size:
        raise ValueError(f"{path}: the strategy file holds levels for another tree than its header's")
    pairs = np.frombuffer(content, np.uint8)
    levels = np.empty(2 * size, np.uint8)
    levels[::2], levels[1::2] = pairs >> 4, pairs & MAX_LEVEL
    return _transposed(levels[:entries], tree, buckets, back=True)


def _transposed(
    levels: NDArray[np.uint8], tree: BettingTree, buckets: tuple[int, ...], back: bool
) -> NDArray[np.uint8]:
    """Each decision's (buckets, children) levels as (children, buckets), or back."""
    nodes = np.flatnonzero(tree.decision >= 0)
    nodes = nodes[np.argsort(tree.decision[nodes])]
    out, place = np.empty_like(levels), 0
    for children, rows in zip(tree.children[nodes].tolist(), np.array(buckets)[tree.street[nodes]].tolist()):
        end = place + children * rows
        shape = (children, rows) if back else (rows, children)
        out[place:end] = levels[place:end].reshape(shape).T.ravel()
        place = end
    return out
