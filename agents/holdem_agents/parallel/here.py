"""Workers in this process: each call is done before `begin` returns. For one job, and for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from .workers import Answer, Worker, answered, opened


class HereWorker:
    """A worker in this process. Ctrl-C reaches the object itself."""

    def __init__(self, index: int, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.index = index
        self._make: Callable[[], Any] = lambda: make(*arguments)
        self._object: Any = None
        self._answer: Answer | None = None

    def begin(self, method: str, *arguments: Any) -> None:
        self._answer = answered(lambda: self._call(method, arguments))

    def _call(self, method: str, arguments: Sequence[Any]) -> Any:
        if self._object is None:
            self._object = self._make()
        return getattr(self._object, method)(*arguments)

    def answer(self) -> Any:
        if self._answer is None:
            raise ValueError("this worker was asked nothing")
        given, self._answer = self._answer, None
        return opened(given)

    def interrupt(self) -> None:
        """Nothing: no call is under way when anybody can ask for this."""

    def close(self) -> None:
        self._object = None


class HerePlace:
    """The place of workers in this process."""

    def __init__(self) -> None:
        self._count = 0

    def start(self, make: Callable[..., Any], *arguments: Any) -> HereWorker:
        self._count += 1
        return HereWorker(self._count - 1, make, arguments)

    def wait(self, workers: Sequence[Worker], seconds: float | None = None) -> list[Worker]:
        return list(workers)

    def room(self) -> int:
        return 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        pass
