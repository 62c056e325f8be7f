"""Who may talk to the server of the pages: only its own pages, in a browser that was given the token."""

from __future__ import annotations

import pytest

from holdem_agents.web.guard import HEADERS, MAX_BODY, hosts_of
from holdem_agents.web.site import Site
from web.clients import ADDRESS, client_of, site_for_tests

PLAY = {"rules": "heads-up-no-limit", "opponents": ["calling_station"]}


@pytest.fixture(scope="module")
def site() -> Site:
    return site_for_tests()


def test_the_printed_address_gives_a_cookie_and_leads_to_the_page_without_the_token(site: Site) -> None:
    client = client_of(site, greeted=False)
    answer = client.get(f"/?token={site.token}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"holdem_8765={site.token};")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert client.get("/").text.lower().startswith("<!doctype html>")
    assert client.get("/api/play").json() == {"tables": []}


@pytest.mark.parametrize("path", ["/", "/app.js", "/theme.css", "/api/site", "/api/play", "/nowhere"])
@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?token=%F0%9F%82%A1", "?token=a&token=b"])
def test_without_the_token_there_is_nothing(site: Site, path: str, query: str) -> None:
    answer = client_of(site, greeted=False).get(path + query)
    assert answer.status_code == 401
    assert "holdem web" in answer.text
    assert site.token not in answer.text


@pytest.mark.parametrize(
    "cookie", ["", "wrong", "holdem_8765=", "holdem_8765=wrong", "holdem_1=TOKEN", "holdem_8765x=TOKEN"]
)
def test_a_cookie_with_anything_else_is_none(site: Site, cookie: str) -> None:
    client = client_of(site, greeted=False)
    answer = client.get("/api/play", headers={"cookie": cookie.replace("TOKEN", site.token)})
    assert answer.status_code == 401
    assert set(answer.json()) == {"error"}


def test_the_token_of_another_start_is_worth_nothing(site: Site) -> None:
    other = site_for_tests()
    assert other.token != site.token
    assert client_of(site, greeted=False).get(f"/?token={other.token}").status_code == 401


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost:8766", "", "127.0.0.1:8765.evil"],
)
def test_a_name_that_was_rebound_to_us_is_refused(site: Site, host: str) -> None:
    client = client_of(site)
    answer = client.get("/", headers={"host": host, "origin": f"http://{host}"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
def test_our_own_names_are_welcome(site: Site, host: str) -> None:
    answer = client_of(site).get("/api/play", headers={"host": host, "origin": f"http://{host.lower()}"})
    assert answer.status_code in (200, 401)  # the test's cookie belongs to 127.0.0.1


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "https://127.0.0.1:8765", "http://127.0.0.1:9999", "http://localhost:8765", ""],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_pages_origin_is_refused(site: Site, origin: str, method: str) -> None:
    answer = client_of(site).request(method, "/api/play", headers={"origin": origin})
    assert answer.status_code == 403


@pytest.mark.parametrize("where", ["cross-site", "same-site"])
def test_what_another_site_asks_for_is_refused(site: Site, where: str) -> None:
    client = client_of(site)
    del client.headers["origin"]
    assert client.get("/api/play", headers={"sec-fetch-site": where}).status_code == 403
    framed = {"sec-fetch-site": where, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    assert client.get("/", headers=framed).status_code == 403
    link = framed | {"sec-fetch-dest": "document"}
    assert client.get("/", headers=link).status_code == 200
    assert client.post("/api/play", headers=link, json=PLAY).status_code == 403


def test_a_post_must_say_where_it_comes_from(site: Site) -> None:
    client = client_of(site)
    del client.headers["origin"]
    assert client.post("/api/play", json={}).status_code == 403
    assert client.post("/api/play", json={}, headers={"sec-fetch-site": "none"}).status_code == 403
    assert client.post("/api/play", json={}, headers={"sec-fetch-site": "same-origin"}).status_code == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(site: Site, method: str) -> None:
    assert client_of(site).request(method, "/api/play").status_code == 405


def test_a_big_body_is_refused_whether_or_not_its_size_is_told(site: Site) -> None:
    client = client_of(site)
    big = b" " * (MAX_BODY + 1)
    assert client.post("/api/play", content=big).status_code == 413
    assert client.post("/api/play", content=iter([big])).status_code == 413  # chunked
    assert client.post("/api/play", content=b"{}", headers={"content-length": "9" * 30}).status_code == 413


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'"a"', b"[" * 60_000])
def test_a_body_that_is_no_json_object_is_refused(site: Site, body: bytes) -> None:
    answer = client_of(site).post("/api/play", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert set(answer.json()) == {"error"}


def test_a_form_of_another_page_is_no_json(site: Site) -> None:
    client = client_of(site)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert client.post("/api/play", content=b"{}", headers={"content-type": kind}).status_code == 400


@pytest.mark.parametrize("path", ["/", "/nowhere", "/api/play", "/api/play/nobody"])
@pytest.mark.parametrize("greeted", [True, False])
def test_every_answer_has_the_headers_that_keep_others_out(site: Site, path: str, greeted: bool) -> None:
    answer = client_of(site, greeted=greeted).get(path)
    assert HEADERS.items() <= dict(answer.headers).items()
    assert "default-src 'self'" in HEADERS["content-security-policy"]
    assert "access-control-allow-origin" not in answer.headers
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


def test_an_error_of_ours_tells_the_browser_nothing_of_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Site) -> None:
        raise RuntimeError("the secret of /home/me")

    monkeypatch.setattr("holdem_agents.web.lobby.site_of", broken)
    answer = client_of(site).get("/api/site")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize(
    "path",
    [
        *("/../site.py", "/..%2fsite.py", "/%2e%2e/site.py", "/static/../../site.py", "//etc/passwd", "/%2fetc/passwd"),
        *("/__init__.py", "/__pycache__/", "/app.js%00.py", "/.", "/..", "/~root", "/C:%5Cboot.ini", "/a" * 3000),
    ],
)
def test_only_the_pages_files_are_served(site: Site, path: str) -> None:
    answer = client_of(site).get(path)
    assert answer.status_code in (200, 404)
    assert answer.status_code == 404 or "<html" in answer.text  # "." is the page


@pytest.mark.fast_cases(10)
@pytest.mark.parametrize(
    "tid", ["..", "%2e%2e", "..%2f..%2fetc", "a%00b", "a" * 100, "%F0%9F%82%A1", "-x", "a b", "nobody"]
)
@pytest.mark.parametrize("what", ["", "/events", "/hints", "/review?hand=1", "/hands.phhs"])
def test_an_id_is_never_a_path(site: Site, tid: str, what: str) -> None:
    answer = client_of(site).get(f"/api/play/{tid}{what}")
    assert answer.status_code in (400, 404)
    assert set(answer.json()) == {"error"}
    assert client_of(site).post(f"/api/play/{tid}/move", json={"version": 1}).status_code in (400, 404, 405)


def test_hosts_other_than_loopback_are_those_that_were_asked_for() -> None:
    assert "192.168.1.5:9000" in hosts_of("192.168.1.5", 9000)
    assert "[fe80::1]:9000" in hosts_of("fe80::1", 9000)
    assert "localhost" in hosts_of("127.0.0.1", 80)
    everywhere = client_of(site_for_tests(host="0.0.0.0"), greeted=False)
    for host, status in (("192.168.1.5:8765", 401), ("[fe80::1]:8765", 401), ("evil.example:8765", 400)):
        assert everywhere.get("/", headers={"host": host, "origin": f"http://{host}"}).status_code == status, host


def test_styles_follow_the_pictures_colours(site: Site) -> None:
    css = client_of(site).get("/theme.css")
    assert css.headers["content-type"].startswith("text/css")
    assert "--felt:#2a6b50" in css.text
    assert ":root[data-theme=dark] .holdem-felt{fill:#1a4232}" in css.text
    assert ADDRESS not in css.text
