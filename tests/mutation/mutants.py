"""Mutants of the engine's functions: small changes, one at a time, that a test should notice.

A mutant changes one place of one function: an operator, a constant, a condition, a statement that is left out. Tables
and constants of modules stay as they are, because other modules hold copies of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NamedTuple

ENGINE = Path(__file__).resolve().parents[2] / "holdem_env" / "engine"

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
FUNCTIONS = {"min": "max", "max": "min"}


class Mutant(NamedTuple):
    """One change of one function."""

    file: str
    function: str
    """Its name in the module; a method as Class.method."""
    before: str
    """The statement, or the first line of a compound one."""
    after: str
    lines: range
    """The lines of `before`."""
    code: CodeType
    """The function with the change."""

    def __str__(self) -> str:
        return f"{self.file}:{self.lines.start}: {self.function}: {self.before} -> {self.after}"


class Place(NamedTuple):
    """Where a node hangs in the tree, so that another can take its place."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        """Replace what hangs there."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@cache
def mutants_of(file: str) -> list[Mutant]:
    """All mutants of a file of the engine, in the order of its lines; those of the same effect only once."""
    tree = ast.parse((ENGINE / file).read_text())
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found += _mutants_of_function(file, node.name, node)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found += _mutants_of_function(file, f"{node.name}.{method.name}", method)
    return found


def _mutants_of_function(file: str, name: str, function: ast.FunctionDef) -> Iterator[Mutant]:
    function.decorator_list = []  # run as plain Python, they give the function as it is
    seen = {ast.dump(function)}
    for statement in _statements(function):
        before, lines = _headline(statement), _lines(statement)
        for place, node, replacement in _changes(function, statement):
            place.put(replacement)
            if (text := ast.dump(function)) not in seen:
                seen.add(text)
                after = "(left out)" if isinstance(replacement, ast.Pass) else _headline(statement)
                yield Mutant(file, name, before, after, lines, _compile(function, file))
            place.put(node)


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, but for its docstring."""
    text = function.body[0] if ast.get_docstring(function) is not None else None
    return [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node not in (function, text)]


def _lines(statement: ast.stmt) -> range:
    body = getattr(statement, "body", None)
    last = body[0].lineno if body else (statement.end_lineno or statement.lineno) + 1
    return range(statement.lineno, max(last, statement.lineno + 1))


def _headline(statement: ast.stmt) -> str:
    """A statement on one line; of a compound one what stands before its body."""
    if isinstance(statement, ast.If | ast.While):
        return f"{'if' if isinstance(statement, ast.If) else 'while'} {ast.unparse(statement.test)}:"
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}:"
    return ast.unparse(statement)


def _compile(function: ast.FunctionDef, file: str) -> CodeType:
    module = ast.Module([function], [])
    annotations = __import__("__future__").annotations.compiler_flag  # as every file of the engine has them
    code = compile(ast.fix_missing_locations(module), str(ENGINE / file), "exec", annotations)
    return next(part for part in code.co_consts if isinstance(part, CodeType))


def _changes(function: ast.FunctionDef, statement: ast.stmt) -> Iterator[tuple[Place, ast.AST, ast.AST]]:
    """Of one statement: where, what stands there, what could stand there instead."""
    for parent in ast.walk(function):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list) and statement in value and _can_be_left_out(function, statement):
                yield Place(parent, field, value.index(statement)), statement, ast.copy_location(ast.Pass(), statement)
    for place, node in _expressions(statement):
        for replacement in _replacements(node, place):
            yield place, node, ast.copy_location(replacement, node)


def _can_be_left_out(function: ast.FunctionDef, statement: ast.stmt) -> bool:
    """Calls, jumps and assignments; not the only assignment of a local name, without which nothing runs."""
    if isinstance(statement, ast.Expr | ast.AugAssign | ast.Break | ast.Continue):
        return True
    if isinstance(statement, ast.Return):
        return statement is not function.body[-1]
    if not isinstance(statement, ast.Assign):
        return False
    names = {node.id for target in statement.targets for node in ast.walk(target) if _is_bound(node)}
    earlier = {argument.arg for argument in function.args.args}
    earlier |= {node.id for node in ast.walk(function) if _is_bound(node) and node.lineno < statement.lineno}
    return names <= earlier


def _is_bound(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _expressions(statement: ast.stmt) -> Iterator[tuple[Place, ast.AST]]:
    """The expressions of a statement without those of the statements inside it, and the statement's own operator."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        parent = waiting.pop()
        for field, value in ast.iter_fields(parent):
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.expr | ast.operator | ast.cmpop | ast.comprehension | ast.keyword):
                    yield Place(parent, field, index if isinstance(value, list) else None), node
                    waiting.append(node)


def _replacements(node: ast.AST, place: Place) -> Iterator[ast.AST]:
    if isinstance(node, ast.cmpop):
        yield from (other() for other in COMPARISONS.get(type(node), ()))
    elif isinstance(node, ast.operator) and type(node) in OPERATORS:
        yield OPERATORS[type(node)]()
    elif isinstance(node, ast.Constant):
        others = _other_constants(node.value)
        # -1 is no index of compiled code, and in plain Python it is the last place, often the same.
        yield from (other for other in others if place.field != "slice" or other.value >= 0)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for k in range(len(node.values)):
            rest = node.values[:k] + node.values[k + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.Name) and node.id in FUNCTIONS:
        yield ast.Name(FUNCTIONS[node.id], ast.Load())
    if place.field == "test" and not isinstance(node, ast.UnaryOp | ast.Compare):
        yield ast.UnaryOp(ast.Not(), node)


def _other_constants(value: object) -> Iterator[ast.Constant]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
