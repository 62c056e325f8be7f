"""A small Hugging Face Hub on this machine, with the requests that downloads and pushes make."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "hf_test"
RESOLVE = re.compile(r"/([\w.-]+/[\w.-]+)/resolve/\w+/(.+)")
ABOUT = re.compile(r"/api/models/([\w.-]+/[\w.-]+)")
PREUPLOAD = re.compile(r"/api/models/([\w.-]+/[\w.-]+)/preupload/\w+")
COMMIT = re.compile(r"/api/models/([\w.-]+/[\w.-]+)/commit/\w+")


@dataclass
class Hub:
    """Repositories by name, each a dict of files. private: those that nobody may write to. downloads: what was
    downloaded. is_down: answers nothing but errors."""

    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    protected: set[str] = field(default_factory=set)
    downloads: list[str] = field(default_factory=list)
    is_down: bool = False

    def serve(self) -> ThreadingHTTPServer:
        """A server on a free port; the test that asks for it starts and stops it."""
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_HEAD(self) -> None:
        """As GET, without a body."""
        self.do_GET()

    def do_GET(self) -> None:
        """Files, and lists of them."""
        path = self.path.partition("?")[0]
        if self.hub.is_down:
            return self._answer(503, {})
        if found := RESOLVE.fullmatch(path):
            return self._file(*found.groups())
        if found := ABOUT.fullmatch(path):
            if found[1] not in self.hub.repositories:
                return self._missing("RepoNotFound")
            files = [{"rfilename": name} for name in self.hub.repositories[found[1]]]
            return self._answer(200, {"id": found[1], "siblings": files})
        return self._answer(404, {"error": f"this Hub has no {self.command} {path}"})

    def do_POST(self) -> None:
        """New repositories and commits."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self._answer(401, {"error": "Invalid username or password."})
        if path == "/api/repos/create":
            about = json.loads(body)
            name = f"{about['organization']}/{about['name']}"
            if name in self.hub.protected:
                return self._answer(403, {"error": "You don't have the rights to create a model."})
            self.hub.repositories.setdefault(name, {})
            return self._answer(200, {"url": self._url(name), "name": name})
        if path == "/api/validate-yaml":
            return self._answer(200, {"errors": [], "warnings": []})
        if PREUPLOAD.fullmatch(path):
            names = [each["path"] for each in json.loads(body)["files"]]
            files = [{"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names]
            return self._answer(200, {"files": files})
        if found := COMMIT.fullmatch(path):
            for line in body.splitlines():
                entry = json.loads(line)
                if entry["key"] == "file":
                    content = base64.b64decode(entry["value"]["content"])
                    self.hub.repositories[found[1]][entry["value"]["path"]] = content
            return self._answer(
                200, {"commitOid": "1" * 40, "commitUrl": self._url(f"{found[1]}/commit/{'1' * 40}"), "hookOutput": ""}
            )
        return self._answer(404, {"error": f"this Hub has no POST {path}"})

    def _file(self, repository: str, name: str) -> None:
        if repository not in self.hub.repositories:
            return self._missing("RepoNotFound")
        content = self.hub.repositories[repository].get(name)
        if content is None:
            return self._missing("EntryNotFound")
        digest = sha256(content).hexdigest()
        if self.command == "GET":
            self.hub.downloads.append(f"{repository}/{name}")
        headers = {"ETag": f'"{digest[:40]}"', "X-Repo-Commit": digest[:40]}
        return self._send(200, content, headers)

    def _missing(self, code: str) -> None:
        self._answer(404, {"error": code}, {"X-Error-Code": code})

    def _answer(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(content).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/{name}"
