"""A browser's part in tests of the server: requests as its pages send them, without a network."""

from __future__ import annotations

import time
import warnings
from typing import Any

from holdem_agents.web.app import make_app
from holdem_agents.web.site import Site
from web.places import NO_RUNS

with warnings.catch_warnings():  # which library the client stands on is Starlette's choice
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8765"
PATIENCE = 300.0
"""Seconds for what is done in a moment, unless code is compiled first."""


def site_for_tests(**fields: Any) -> Site:
    """A site whose agents play without a pause."""
    return Site(**{"pace": 0, "patience": PATIENCE, "runs": NO_RUNS, **fields})


def client_of(site: Site, *, greeted: bool = True) -> TestClient:
    """A browser; greeted: it has opened the printed address."""
    client = TestClient(make_app(site), base_url=ADDRESS, raise_server_exceptions=False)
    client.headers["origin"] = ADDRESS
    if greeted:
        assert client.get(f"/?token={site.token}").status_code == 200
    return client


class Seat:
    """A person at a table of the server."""

    def __init__(self, client: TestClient, tid: str) -> None:
        self.client, self.tid = client, tid

    def get(self, path: str = "") -> dict[str, Any]:
        answer = self.client.get(f"/api/play/{self.tid}{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, what: str, **body: Any) -> Any:
        """The answer to an action, whose version is the latest if none is given."""
        body.setdefault("version", self.get()["version"])
        return self.client.post(f"/api/play/{self.tid}/{what}", json=body)

    def do(self, what: str, **body: Any) -> dict[str, Any]:
        """Do something that must work; returns the view once the agents have played."""
        answer = self.post(what, **body)
        assert answer.status_code == 200, answer.text
        return self.settled()

    def settled(self) -> dict[str, Any]:
        """The view once no agent is to act."""
        end = time.monotonic() + PATIENCE
        while (view := self.get())["waiting"] == "agent":
            assert time.monotonic() < end, view
            time.sleep(0.002)
        return view


def sit(client: TestClient, **body: Any) -> Seat:
    """Sit down at a new table."""
    answer = client.post("/api/play", json={"rules": "heads-up-no-limit", "opponents": ["calling_station"], **body})
    assert answer.status_code == 201, answer.text
    return Seat(client, answer.json()["table"])
