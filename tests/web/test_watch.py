"""Watching runs and tournaments: what the server says while files grow, and of those that are damaged."""

from __future__ import annotations

import asyncio
import csv
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")

from holdem_agents.runs.reading import RunFolder
from holdem_agents.web.watch import tournaments as watched_tournaments
from holdem_agents.web.watch.routes import file_events
from holdem_agents.web.watch.runs import WatchedRuns, card_html, id_of
from holdem_env.arena.tournaments.progress import progress_of
from holdem_env.arena.tournaments.store import Store
from web.clients import client_of, site_for_tests
from web.watched import tiny_league, tiny_run, tiny_seeds, tiny_tournament


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of real runs."""
    runs = tmp_path_factory.mktemp("runs")
    tiny_run(runs / "tiny run!")
    tiny_league(runs / "league")
    tiny_seeds(runs / "sweep")
    return runs


@pytest.fixture
def runs(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged. An exploiter has played against the run."""
    copy = shutil.copytree(made, tmp_path / "runs")
    rows = ["decisions,seconds,seed,plays,bb_per_100,half_width_95,hands", "5000,12.0,3,sampling,812.0,90.5,1000"]
    (copy / "tiny run!" / "exploiters.csv").write_text("\n".join(rows) + "\n")
    (copy / "notes").mkdir()  # no run
    return copy


@pytest.fixture
def browser(runs: Path) -> Any:
    return client_of(site_for_tests(runs=runs))


@pytest.fixture
def tiny(browser: Any) -> str:
    """The id of the run."""
    [found] = [each["id"] for each in browser.get("/api/watch/runs").json()["runs"] if each["name"] == "tiny run!"]
    return str(found)


def charts(browser: Any, *runs: str, layout: str = "wide") -> dict[str, Any]:
    answer = browser.get("/api/watch/charts", params={"run": list(runs), "layout": layout})
    assert answer.status_code == 200, answer.text
    return {each["name"]: each for each in answer.json()["charts"]}


@pytest.mark.slow
def test_all_runs_are_listed_with_their_state(browser: Any, runs: Path):
    found = {each["name"]: each for each in browser.get("/api/watch/runs").json()["runs"]}
    assert {name: each["kind"] for name, each in found.items()} == {
        "tiny run!": "run",
        "league": "league",
        "sweep": "seeds",
    }
    for each in found.values():
        assert (each["state"], each["progress"], each["sentences"]) == ("finished", 1.0, [])
        assert each["game"] == "2 seats, No limit 1/2"
        assert each["decisions"] >= 2000
    assert "/" not in "".join(each["id"] for each in found.values())


def test_a_run_tells_everything_about_itself(browser: Any, tiny: str):
    run = browser.get(f"/api/watch/runs/{tiny}").json()
    assert run["budget"] == "2,000 decisions"
    assert {each["name"]: round(each["share"], 2) for each in run["opponents"]} == {
        "latest_self": 0.6,
        "past_selves": 0.3,
        "maniac": 0.1,
    }
    assert [(each["opponent"], each["plays"]) for each in run["results"][:2]] == [
        ("random", "sampling"),
        ("maniac", "sampling"),
    ]
    assert run["exploiters"][0]["rate"] == "+812 ± 90"
    assert run["exploiters"][0]["kind"] == "fresh"  # of a file from before there were others
    assert "812.0 ± 90.5" in run["exploiters_svg"]
    assert "<table>" in run["card_html"]
    assert "Known weaknesses" in run["card_html"]
    assert run["agent"].startswith("run-tiny-run")


def test_its_curves_have_bands_and_both_layouts(browser: Any, tiny: str):
    wide, narrow = charts(browser, tiny), charts(browser, tiny, layout="narrow")
    assert wide.keys() == narrow.keys()
    assert {"all", "against random", "against maniac", "holdem/entropy", "train/value_loss", "moves river"} <= set(wide)
    assert {each["group"] for each in wide.values()} == {"strength", "learning", "moves"}
    assert "fill-opacity" in wide["against random"]["svg"]
    assert 'width="390"' in narrow["all"]["svg"]
    assert "check or call" in wide["moves flop"]["svg"]


def test_seeds_have_their_mean_and_each_seed(browser: Any):
    found = charts(browser, "sweep")
    assert all(name in found["against maniac"]["svg"] for name in ("mean of the seeds", "seed 0", "seed 1"))
    assert "one standard deviation over the seeds" in found["against maniac"]["svg"]
    seeds = browser.get("/api/watch/runs/sweep").json()["seeds"]
    assert [each["id"] for each in seeds] == ["sweep..seed-0", "sweep..seed-1"]


def test_the_settings_of_a_sweep_are_folders_of_seeds_under_its_name(browser: Any, runs: Path):
    shutil.copytree(runs / "sweep", runs / "many" / "base")
    shutil.copytree(runs / "sweep", runs / "more" / "base")
    for name in ("many", "more"):
        (runs / name / "sweep.yaml").write_text("base: demo\n")
    found = {each["name"]: each["id"] for each in browser.get("/api/watch/runs").json()["runs"]}
    assert {"many/base", "more/base"} <= found.keys()
    run = browser.get(f"/api/watch/runs/{found['many/base']}").json()
    assert (run["kind"], run["name"], len(run["seeds"])) == ("seeds", "many/base", 2)
    both = charts(browser, found["many/base"], run["seeds"][1]["id"])
    assert "many/base" in both["against random"]["svg"]


def test_ids_are_no_paths(browser: Any):
    for wrong, status in (("../league", 404), ("..%2Fleague", 404), ("no_such_run", 404), ("a b", 400)):
        answer = browser.get(f"/api/watch/runs/{wrong}")
        assert answer.status_code == status, wrong
    assert "no run no_such_run" in browser.get("/api/watch/charts?run=no_such_run").json()["error"]
    assert browser.get("/api/watch/charts").status_code == 400
    assert browser.get("/api/watch/charts?run=league&layout=tall").status_code == 400
    assert id_of("tiny run!") != id_of("tiny run?")
    assert id_of("a..b") != "a..b"


def cut(path: Path, rows: int, whole: bool = True) -> None:
    """Leave the header and the first rows of a CSV file; whole: the last one with its end."""
    lines = path.read_text().splitlines(keepends=True)[: rows + 1]
    path.write_text("".join(lines) if whole else "".join(lines)[: -len(lines[-1]) // 2 - 1])


def unfinished(runs: Path, rows: int = 4) -> Path:
    """The run as it was in the middle of training, which has begun just now, however busy the machine was."""
    run = runs / "tiny run!"
    lines = list(csv.DictReader((run / "progress.csv").read_text().splitlines()))
    with (run / "progress.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(line | {"time/time_elapsed": "0"} for line in lines)
    for name in ("crosstable.csv", "model_card.md", "final.safetensors", "training.json", "exploiters.csv"):
        (run / name).unlink()
    cut(run / "progress.csv", rows)
    return run


def test_a_run_under_way_says_how_far_it_is_and_grows(browser: Any, tiny: str, runs: Path):
    text = (runs / "tiny run!" / "progress.csv").read_text()
    run = unfinished(runs)
    first = browser.get(f"/api/watch/runs/{tiny}").json()
    assert first["state"] == "running"
    assert 0.3 < first["progress"] < 0.7
    assert (first["card_html"], first["results"], first["agent"]) == (None, [], None)
    before = charts(browser, tiny)["holdem/entropy"]["svg"]
    (run / "progress.csv").write_text(text)
    assert browser.get(f"/api/watch/runs/{tiny}").json()["progress"] == 1.0
    assert charts(browser, tiny)["holdem/entropy"]["svg"] != before


def test_the_time_left_stands_on_the_latest_rows(tmp_path: Path):
    """Fast rows, then a resumed run of half the speed: what is left takes the time of the latter."""
    rows = [(100 * k, 0.05 * k, 10 * k) for k in range(1, 7)] + [
        (600 + 100 * k, 0.3 + 0.05 * k, 20 * k) for k in range(7)
    ]
    lines = ["time/total_timesteps,holdem/budget_spent,time/time_elapsed", *(f"{a},{b},{c}" for a, b, c in rows)]
    (tmp_path / "progress.csv").write_text("\n".join(lines) + "\n")
    run = RunFolder(tmp_path)
    assert run.summary.state == "running"
    assert run.progress == pytest.approx(0.6)
    assert run.summary.seconds_left == pytest.approx(0.4 / (0.05 / 20))
    assert run.sentences == ["There is no config.yaml."]


@pytest.mark.parametrize("keeps_times", [False, True])
def test_a_copy_is_not_said_to_be_running(runs: Path, tmp_path: Path, keeps_times: bool):
    original = unfinished(runs)
    (original / "progress.csv").write_text("time/total_timesteps,time/time_elapsed\n100,300\n")
    copied = shutil.copytree(original, tmp_path / "copy", copy_function=shutil.copy2 if keeps_times else shutil.copy)
    assert RunFolder(copied).summary.state == "quiet"
    with (copied / "progress.csv").open("a") as file:
        file.write("200,0\n")  # the copy is resumed
    assert RunFolder(copied).summary.state == "running"


def test_what_is_half_written_is_left_out_without_a_word(browser: Any, tiny: str, runs: Path):
    run = unfinished(runs)
    cut(run / "progress.csv", 3, whole=False)
    cut(run / "curve.csv", 3, whole=False)
    found = browser.get(f"/api/watch/runs/{tiny}").json()
    assert found["sentences"] == []
    assert found["progress"] < 0.5
    assert "all" in charts(browser, tiny)


def test_of_damaged_files_the_rest_is_shown_with_a_sentence(browser: Any, tiny: str, runs: Path):
    run = runs / "tiny run!"
    lines = (run / "progress.csv").read_text().splitlines()
    (run / "progress.csv").write_text("\n".join([*lines[:4], "1,2,3", *lines[4:]]) + "\n")
    (run / "curve.csv").write_bytes((run / "curve.csv").read_bytes() + b"\xff\xfe,x\0y\n")
    (run / "config.yaml").write_text("rules: [nonsense")
    (run / "training.json").write_text("{")
    found = browser.get(f"/api/watch/runs/{tiny}").json()
    words = " ".join(found["sentences"])
    assert "progress.csv is damaged: 1 of its" in words
    assert "config.yaml cannot be used" in words
    assert "against random" in charts(browser, tiny)
    assert "curve.csv" in " ".join(browser.get(f"/api/watch/runs/{tiny}").json()["sentences"])
    [listed] = [each for each in browser.get("/api/watch/runs").json()["runs"] if each["id"] == tiny]
    assert listed["sentences"]


@pytest.mark.parametrize("name", ["progress.csv", "curve.csv", "config.yaml", "ratings.csv", "model_card.md"])
def test_no_file_of_zeros_or_folder_in_its_place_ends_the_page(browser: Any, runs: Path, name: str):
    for run in ("tiny run!", "league", "sweep/seed-0"):
        path = runs / run / name
        path.unlink(missing_ok=True)
        if run == "league":
            path.mkdir()
        else:
            path.write_bytes(bytes(5000))
    for each in browser.get("/api/watch/runs").json()["runs"]:
        assert browser.get(f"/api/watch/runs/{each['id']}").status_code == 200
        charts(browser, each["id"])


@pytest.mark.parametrize("name", ["model_card.md", "mistakes.md", "config.yaml", "curve.csv"])
def test_links_to_files_elsewhere_are_not_read(browser: Any, tiny: str, runs: Path, tmp_path: Path, name: str):
    secret = tmp_path / "secret.txt"
    secret.write_text("password: 1234\n" * 3)
    path = runs / "tiny run!" / name
    path.unlink(missing_ok=True)
    path.symlink_to(secret)
    found = browser.get(f"/api/watch/runs/{tiny}")
    assert "1234" not in found.text + str(charts(browser, tiny))
    found = browser.get(f"/api/watch/runs/{tiny}").json()
    assert f"{name} is a link to a file elsewhere, which is not read." in found["sentences"]


def test_a_folder_that_is_a_link_is_read(browser: Any, runs: Path, tmp_path: Path):
    (runs / "tiny run!").rename(tmp_path / "moved")
    (runs / "linked").symlink_to(tmp_path / "moved")
    [run] = [each for each in browser.get("/api/watch/runs").json()["runs"] if each["name"] == "linked"]
    assert not run["sentences"]
    assert browser.get(f"/api/watch/runs/{run['id']}").json()["card_html"]


def test_compared_runs_have_one_curve_a_configuration_with_the_spread_of_its_seeds(browser: Any, runs: Path):
    shutil.copytree(runs / "sweep" / "seed-1", runs / "alone")
    copied = browser.get("/api/watch/curves", params={"run": ["sweep", "alone"]}).json()["charts"]
    assert {each["runs"] for chart in copied for each in chart["curves"]} == {2}  # a copy is no seed
    config = runs / "alone" / "config.yaml"
    config.write_text(re.sub(r"^seed: 1$", "seed: 7", config.read_text(), flags=re.MULTILINE))
    answer = browser.get("/api/watch/curves", params={"run": ["sweep", "alone", "league"]}).json()
    charts = {each["name"]: each for each in answer["charts"]}
    assert [each["id"] for each in answer["runs"]] == ["sweep", "alone", "league"]
    [curve] = charts["against maniac"]["curves"]
    assert (curve["name"], curve["runs"]) == ("sweep and 1 more", 3)
    assert len(curve["at"]) == len(curve["low"]) > 1
    seeds = [browser.get("/api/watch/curves", params={"run": f"sweep..seed-{k}"}).json()["charts"] for k in (0, 1)]
    alone = [next(each for each in some if each["name"] == "against maniac")["curves"][0] for some in seeds]
    values = [alone[0]["values"], alone[1]["values"], alone[1]["values"]]
    assert curve["values"] == pytest.approx([sum(each) / 3 for each in zip(*values, strict=True)])
    assert {each["name"] for each in charts["ratings"]["curves"]} == {"league · plain", "league · other"}
    entropy = charts["holdem/entropy"]["curves"]
    assert {each["name"]: each["colour"] for each in entropy} == {
        "sweep and 1 more": 1,
        "league · plain": 2,
        "league · other": 2,
    }


def many(runs: Path, count: int) -> Path:
    """A folder of this many runs with a configuration and logs, each written a second after the one before."""
    for k in range(count):
        shutil.copytree(runs / "tiny run!", run := runs.parent / "many" / f"run-{k:03}")
        if k % 10 == 0:
            (run / "config.yaml").write_text((run / "config.yaml").read_text().replace("maniac", "nit"))
        for path in run.iterdir():
            os.utime(path, (1e9 + k, 1e9 + k))
    return runs.parent / "many"


def listing(browser: Any, **asked: Any) -> dict[str, Any]:
    answer = browser.get("/api/watch/runs", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_many_runs_are_listed_by_page_found_and_sorted(runs: Path):
    browser = client_of(site_for_tests(runs=many(runs, 60)))
    first, second, beyond = listing(browser), listing(browser, page=2), listing(browser, page=99)
    assert (first["found"], first["pages"], beyond["page"]) == (60, 2, 2)
    assert [each["name"] for each in first["runs"]] == [f"run-{k:03}" for k in range(59, 9, -1)]
    assert [each["name"] for each in second["runs"]] == [f"run-{k:03}" for k in range(9, -1, -1)]
    assert listing(browser, sort="name")["runs"][0]["name"] == "run-000"
    by_name = listing(browser, search="RUN-01")["runs"]
    assert {each["name"] for each in by_name} == {f"run-{k:03}" for k in range(10, 20)}
    by_configuration = listing(browser, search="run nit", sort="name")["runs"]
    assert [each["name"] for each in by_configuration] == [f"run-{k:03}" for k in range(0, 60, 10)]
    for sort in ("game", "-state", "progress", "-decisions", "-name"):
        assert listing(browser, sort=sort)["found"] == 60
    for wrong in ({"sort": "nonsense"}, {"page": "-1"}, {"page": "x"}):
        assert browser.get("/api/watch/runs", params=wrong).status_code == 400


def test_only_what_has_changed_is_read_again_also_by_the_next_server(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    read: list[str] = []
    summary = RunFolder._summary
    monkeypatch.setattr(RunFolder, "_summary", lambda run, name: (read.append(name), summary(run, name))[1])

    def names_read(page: dict[str, Any]) -> list[str]:
        assert [each["state"] for each in page["runs"]] == ["finished"] * 3
        found, read[:] = sorted(read), []
        return found

    def new() -> Any:
        return client_of(site_for_tests(runs=runs, cache=tmp_path / "cache"))

    browser, every = new(), ["league", "sweep", "tiny run!"]
    assert names_read(listing(browser)) == every
    assert names_read(listing(browser, sort="progress")) == []
    assert names_read(listing(new())) == []
    with (runs / "league" / "ratings.csv").open("a") as file:
        file.write("9,plain-1,1.0,1.0,1\n")
    assert names_read(listing(new())) == ["league"]
    [index] = (tmp_path / "cache").iterdir()
    text = index.read_text()
    for damaged in (
        "{",
        "[]",
        text[:-9],
        text.replace('"updated":', '"updated":"x'),
        text.replace('"version":"', '"version":"0'),
    ):
        index.write_text(damaged)
        assert names_read(listing(new())) == every
    index.unlink()
    index.mkdir()
    assert names_read(listing(new())) == every


@pytest.mark.parametrize("decisions", ['"many"', "1e999", "[]"])
def test_a_damaged_run_is_listed_beside_the_others(browser: Any, runs: Path, decisions: str):
    run = unfinished(runs)
    (run / "progress.csv").write_text("time/time_elapsed,holdem/budget_spent\nnan,inf\ninf,nan\n")
    (run / "training.json").write_text(f'{{"decisions": {decisions}}}')
    found = {each["name"]: each for each in listing(browser, sort="progress")["runs"]}
    assert found["league"]["state"] == "finished"
    assert found["tiny run!"]["progress"] is None
    sentences = found["tiny run!"]["sentences"]
    assert decisions == "[]" or "training.json cannot be read" in sentences[0] or "This run is damaged" in sentences[0]
    assert browser.get(f"/api/watch/runs/{found['tiny run!']['id']}").status_code == 200


def test_no_folder_of_runs_is_no_error(tmp_path: Path):
    browser = client_of(site_for_tests(runs=tmp_path / "none"))
    assert browser.get("/api/watch/runs").json()["runs"] == []
    assert browser.get("/api/watch/tournaments").json()["tournaments"] == []


def test_the_card_is_html_in_which_nothing_runs():
    page = card_html(
        "# <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![b](https://x.y/z.png) <script>1</script>"
    )
    assert "<img" not in page
    assert "<script" not in page
    assert "href" not in page


def test_a_stream_tells_once_for_each_change(runs: Path):
    """The first event comes at once, the next when a file has changed."""
    site, path = site_for_tests(runs=runs), runs / "league" / "ratings.csv"
    watched = WatchedRuns(runs)

    async def follow() -> list[str]:
        stream = file_events(site, lambda: watched.run(runs / "league").stamps, pause=0.01).body_iterator
        said = [await anext(stream)]
        path.write_text(path.read_text() + "9,plain-1,1.0,1.0,1\n")
        said.append(await anext(stream))
        site.closing = True
        return [*said, *[str(each) async for each in stream]]

    assert asyncio.run(follow()) == ['data: {"change": 1}\n\n', 'data: {"change": 2}\n\n']


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_tournament(tmp_path_factory.mktemp("stores") / "cup.db")


def test_a_finished_tournament_has_standings_and_a_crosstable(played: Path):
    browser = client_of(site_for_tests(tournaments={"cup": played}))
    [listed] = browser.get("/api/watch/tournaments").json()["tournaments"]
    assert (listed["id"], listed["state"], listed["done"], listed["total"]) == ("cup", "finished", 600, 600)
    found = browser.get("/api/watch/tournaments/cup").json()
    assert [row["place"] for row in found["rows"]] == ["1–2", "1–2", "3"]
    assert {row["agent"] for row in found["rows"]} == {"maniac", "random", "nit"}
    size = len(found["names"])
    assert all((found["cross"][k][j] is None) == (k == j) for k in range(size) for j in range(size))
    assert found["cross"][0][1]["mean"] == pytest.approx(-found["cross"][1][0]["mean"])
    assert found["svg"].startswith("<svg")
    assert found["now"] == []


def test_a_tournament_under_way_says_who_plays_and_what_is_left(tmp_path: Path):
    path = tiny_tournament(tmp_path / "cup.db")
    with Store(path) as store:
        far = progress_of(store)
        assert (far.done, far.total, far.now) == (600, 600, ())
    base = Store(path)
    with base._writing() as change:  # as a run with more hands leaves it that was interrupted
        change.note("deals_each", 500)
    base.close()
    browser = client_of(site_for_tests(tournaments={"cup": path}))
    found = browser.get("/api/watch/tournaments/cup").json()
    assert (found["done"], found["total"], found["state"]) == (600, 1500, "running")
    assert found["now"] == [["maniac", "nit"]]
    os.utime(path, (1e9, 1e9))
    assert browser.get("/api/watch/tournaments/cup").json()["state"] == "quiet"


def test_forfeits_are_shown_and_their_matches_are_not_waited_for(tmp_path: Path):
    path = tiny_tournament(tmp_path / "cup.db")
    with Store(path) as store, store._writing() as change:
        change.execute("update agents set forfeit = ? where name = ?", ("it raised <b>ValueError</b>", "random"))
    found = client_of(site_for_tests(tournaments={"cup": path})).get("/api/watch/tournaments/cup").json()
    assert found["forfeits"] == [{"name": "random", "reason": "it raised <b>ValueError</b>"}]
    assert (found["done"], found["total"]) == (600, 600)
    assert found["names"] in (["maniac", "nit"], ["nit", "maniac"])


def test_the_report_is_a_page_under_the_same_guard(played: Path):
    browser = client_of(site_for_tests(tournaments={"cup": played}))
    answer = browser.get("/api/watch/tournaments/cup/report")
    assert answer.status_code == 200
    assert "<h1" in answer.text
    assert "<script" not in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy == browser.get("/").headers["content-security-policy"]
    assert client_of(site_for_tests(tournaments={"cup": played}), greeted=False).get(
        "/api/watch/tournaments/cup/report"
    ).status_code in (401, 403)


@pytest.mark.parametrize("content", [b"", b"nonsense" * 100, None], ids=["empty", "nonsense", "gone"])
def test_a_damaged_store_is_a_sentence(tmp_path: Path, content: bytes | None):
    path = tmp_path / "cup.db"
    if content is not None:
        path.write_bytes(content)
    browser = client_of(site_for_tests(tournaments={"cup": path}))
    [listed] = browser.get("/api/watch/tournaments").json()["tournaments"]
    assert listed["sentence"]
    assert str(tmp_path) not in listed["sentence"]
    assert listed["state"] == "quiet"
    report = browser.get("/api/watch/tournaments/cup/report")
    assert report.status_code == 409
    assert str(tmp_path) not in report.json()["error"]
    assert browser.get("/api/watch/tournaments/other").status_code == 404


def test_a_store_that_is_damaged_later_keeps_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watched_tournaments, "PATIENCE", 0.0)
    path = tiny_tournament(tmp_path / "cup.db")
    browser = client_of(site_for_tests(tournaments={"cup": path}))
    assert browser.get("/api/watch/tournaments/cup").json()["sentence"] is None
    path.write_bytes(b"half of it")
    found = browser.get("/api/watch/tournaments/cup").json()
    assert found["rows"]
    assert "Not a store" in found["sentence"]
