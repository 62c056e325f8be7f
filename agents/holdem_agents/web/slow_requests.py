"""Connections that begin a request and never end it are closed."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0


class ImpatientProtocol(H11Protocol):
    """uvicorn's, which waits for ever for the rest of a request. Here its head must be there after SECONDS, and so must
    the next piece of its body after each piece."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # a WebSocket, which may wait for as long as it wants
            self._stop()
        elif self.conn.their_state is h11.SEND_BODY:
            self._stop()
            self._start()
        elif self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self.conn.trailing_data[0]:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(SECONDS, self._close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()
