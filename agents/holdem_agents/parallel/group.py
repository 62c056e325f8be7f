"""A group of workers that exchange tensors by gloo: sums, worker 0's numbers for all, and states for worker 0."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import torch
import torch.distributed

dist: Any = torch.distributed
JOINING = timedelta(seconds=120)
"""So long the workers wait for each other to join."""
WAITING = timedelta(hours=2)
"""So long they wait for one that still answers: worker 0 plays its evaluation matches while the others wait."""
LOCALHOST = "127.0.0.1"


def new_store(host: str) -> Any:
    """The store by which workers find each other; worker 0 makes it. host: its address for the others."""
    return dist.TCPStore(host, 0, is_master=True, timeout=JOINING, wait_for_workers=False)


class Group:
    """What one of `count` workers sends to the others. rank: its number.

    store: of worker 0, or its (host, port). host: the address at which this worker can be reached. All workers must
    call the same methods in the same order. They raise RuntimeError if a worker is gone.
    """

    def __init__(self, store: Any, rank: int, count: int, host: str = LOCALHOST) -> None:
        self.rank, self.count = rank, count
        if isinstance(store, tuple):
            store = dist.TCPStore(store[0], store[1], is_master=False, timeout=JOINING)
        # A group of its own and not PyTorch's default one, of which a process can have only one.
        options = dist.ProcessGroupGloo._Options()
        options._devices = [dist.ProcessGroupGloo.create_device(hostname=host)]
        options._timeout = WAITING
        self._store = store
        self._gloo: Any = dist.ProcessGroupGloo(dist.PrefixStore("holdem", store), rank, count, options)

    def sum(self, tensor: torch.Tensor) -> None:
        """Add up the workers' tensors, in place."""
        self._gloo.allreduce(tensor).wait()

    def average_gradients(self, parameters: Iterable[torch.nn.Parameter]) -> None:
        """Replace the parameters' gradients by their mean over the workers."""
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        self.sum(flat)
        flat /= self.count
        begin = 0
        for gradient in gradients:
            gradient.copy_(flat[begin : begin + gradient.numel()].view_as(gradient))
            begin += gradient.numel()

    def share(self, tensors: Iterable[torch.Tensor]) -> None:
        """Replace the tensors by worker 0's, in place."""
        for tensor in tensors:
            whole = tensor.detach().contiguous()
            self._gloo.broadcast(whole, 0).wait()
            tensor.detach().copy_(whole)

    def numbers(self, numbers: Sequence[float]) -> list[float]:
        """Worker 0's numbers."""
        tensor = torch.tensor(numbers, dtype=torch.float64)
        self._gloo.broadcast(tensor, 0).wait()
        found: list[float] = tensor.tolist()
        return found

    def news(self, state: Any = None) -> Any:
        """The state that worker 0 gives here, of tensors, numbers and text; the others give nothing."""
        data = _as_bytes(state) if self.rank == 0 else torch.empty(0, dtype=torch.uint8)
        length = int(self.numbers([len(data)])[0])
        data = data if self.rank == 0 else torch.empty(length, dtype=torch.uint8)
        self._gloo.broadcast(data, 0).wait()
        return _from_bytes(data)

    def send_state(self, state: Any) -> None:
        """Send worker 0 a state of tensors, numbers and text."""
        data = _as_bytes(state)
        self._gloo.send([torch.tensor([len(data)])], 0, self.rank).wait()
        self._gloo.send([data], 0, self.rank).wait()

    def receive_states(self) -> list[Any]:
        """The states that the others send to worker 0, in their order."""
        states = []
        for rank in range(1, self.count):
            length = torch.zeros(1, dtype=torch.int64)
            self._gloo.recv([length], rank, rank).wait()
            data = torch.empty(int(length), dtype=torch.uint8)
            self._gloo.recv([data], rank, rank).wait()
            states.append(_from_bytes(data))
        return states

    def leave(self) -> None:
        """Close the connections, so that the others notice."""
        self._gloo = None
        self._store = None


def _as_bytes(state: Any) -> torch.Tensor:
    content = io.BytesIO()
    torch.save(state, content)
    return torch.frombuffer(bytearray(content.getvalue()), dtype=torch.uint8)


def _from_bytes(data: torch.Tensor) -> Any:
    return torch.load(io.BytesIO(data.numpy().tobytes()), weights_only=True)
