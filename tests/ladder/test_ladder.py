"""The ladder: what is played, kept and rated, and how commands and pages show it."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from holdem_agents import ladder as known
from holdem_agents.cli import ladder_commands
from holdem_agents.cli.commands import app
from holdem_agents.cli.ladder_commands import narrow_tables, rate_text, text_table
from holdem_agents.cli.tournament_commands import table_width
from holdem_agents.ladder import is_same_game, ladder_for, ladder_of_game, ladder_tables, ladders, tournaments
from holdem_agents.shipped import shipped_path
from holdem_agents.shipped.fitting import file_of
from holdem_env import Rules
from holdem_env.arena import MatchResult
from holdem_env.arena.statistics.estimates import best_estimate
from holdem_env.arena.tournaments.ladder import ladder_of, ladder_table, with_newcomer
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.ratings import rate
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import run

HANDS = 64
"""Enough for an interval that is not infinite."""
PUBLISHED = {
    "ppo_100bb": "3010c995fab265d2",
    "blueprint_100bb": "69087c7aa5d537d0",
    "ppo_20bb": "96f5dbd890923847",
    "blueprint_20bb": "8e51b7a11a845d08",
    "ppo_limit": "570c7ff2a9716c6e",
    "blueprint_limit": "335d7930e9d7db1e",
    "ppo_sixmax": "7a396bbec39cb70d",
}
"""The files of the agents whose matches `configs/ladders/*.csv` hold, by the beginning of their SHA-256."""


@pytest.fixture
def limit() -> Tournament:
    """A ladder with two scripted anchors, without AIVAT, so that little is played."""
    anchors = ("calling_station", "maniac")
    rules = Rules.preset("heads-up-limit")
    return Tournament(rules=rules, agents=anchors, anchors=anchors, hands=HANDS, seed=1, isolation="none")


@pytest.fixture
def few(limit: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ladder of heads-up limit has these two anchors, and there is no other."""
    found = {"headsup_limit": ladder_for("headsup_limit", limit)}
    monkeypatch.setattr(known, "ladders", lambda: found)
    monkeypatch.setattr(ladder_commands, "ladders", lambda: found)
    monkeypatch.setattr(ladder_commands, "tournaments", lambda: {"headsup_limit": limit})


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "headsup_limit.db", create=True, any_version=True) as made:
        yield made


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A run's agent, which may change."""
    path = tmp_path / "mine" / "final.safetensors"
    path.parent.mkdir()
    shutil.copy(shipped_path("ppo_limit"), path)
    return path


def change(model: Path) -> None:
    """Write another network into the same file."""
    from holdem_agents.model_files import load, write

    agent = load(model)
    agent.policy.requires_grad_(False)
    for parameter in agent.policy.parameters():
        parameter *= 0.5
    write(model, agent, agent.policy, agent.algorithm, agent.training)


def add(store: Store, ladder: Tournament, agent: Any, name: str | None = None) -> str:
    """Play an agent on a ladder; returns the name of its row."""
    plan = with_newcomer(ladder, {"agent": str(agent)}, name or Path(agent).parent.name or str(agent), store)
    run(plan, store)
    return plan.names[-1]


def rows_of(store: Store) -> dict[str, Any]:
    return {row.name: row for row in ladder_table(ladder_of(store), store).rows}


def match(agent: str, opponent: str, mean: float, half_width: float = 5.0) -> MatchResult:
    return MatchResult(agent, opponent, mean, half_width, hands=1000, deals=500)


# Games


def test_the_ladders_that_come_with_the_package() -> None:
    found = ladders()
    assert set(found) == {"headsup_nolimit_100bb", "headsup_nolimit_20bb", "headsup_limit", "sixmax_nolimit"}
    assert found["headsup_nolimit_20bb"].anchors[:2] == ("ppo_20bb", "blueprint_20bb")
    assert found["headsup_nolimit_20bb"].aivat
    assert found["sixmax_nolimit"].anchors[0] == "ppo_sixmax"
    assert not found["sixmax_nolimit"].aivat


@pytest.mark.parametrize(
    ("name", "preset", "more"),
    [
        ("headsup_nolimit_100bb", "heads-up-no-limit", {"blinds": (50, 100), "stacks": 10_000}),
        ("headsup_nolimit_20bb", "heads-up-no-limit", {"stacks": 40}),
        ("sixmax_nolimit", "six-max-no-limit", {}),
        ("headsup_limit", "heads-up-limit", {}),
        (None, "heads-up-no-limit", {"stacks": 80}),
    ],
)
def test_a_game_is_known_by_its_rules_in_whatever_chips(name: str | None, preset: str, more: dict[str, Any]) -> None:
    assert ladder_of_game(Rules.preset(preset, **more)) == name


def test_games_that_are_not_one_on_a_ladder() -> None:
    assert not is_same_game(Rules(seats=2), Rules(seats=2, ante=5))
    assert not is_same_game(Rules(seats=2), Rules(seats=2, reopen="strict"))


# Ratings


def test_ratings_against_the_mean_of_some() -> None:
    results = [match("a", "b", 100), match("b", "c", 50), match("a", "c", 150)]
    by_name = {each.player: each.rate for each in rate(results, average=["b", "c"])}
    assert by_name == pytest.approx({"a": 125, "b": 25, "c": -25}, abs=0.1)


def test_results_that_fit_one_number_each_have_no_misfit() -> None:
    results = [match("a", "b", 100), match("b", "c", 50), match("a", "c", 150)]
    assert rate(results, misfit=True) == rate(results)


def test_misfit_widens_the_intervals_and_evens_the_weights() -> None:
    """a beats b, b beats c, c beats a: no numbers fit, however many hands there are."""
    results = [match("a", "b", 60, 1.0), match("b", "c", 60, 1.0), match("a", "c", -60, 1.0)]
    surely, honestly = rate(results), rate(results, misfit=True)
    assert max(each.half_width for each in surely) < 1
    assert min(each.half_width for each in honestly) > 50
    # squared residuals of 60 with one degree of freedom: half a width of 1.96 * 60 * sqrt(3)
    assert honestly[0].half_width == pytest.approx(1.96 * 60 * 3**0.5 * (2 / 9) ** 0.5, rel=0.01)
    results[0] = match("a", "b", 60, 0.01)
    for one, other in zip(rate(results, misfit=True), honestly, strict=True):
        assert one.half_width == pytest.approx(other.half_width, rel=0.02)


# Adding


@pytest.mark.slow
def test_adding_twice_plays_once_and_more_hands_only_what_is_missing(store: Store, limit: Tournament) -> None:
    assert add(store, limit, "pot_odds") == "pot_odds"
    assert store.matches() == [("pot_odds", "calling_station"), ("pot_odds", "maniac")]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rows_of(store)["pot_odds"].added)
    before = store.deals(("pot_odds", "maniac")).columns["chips"]
    assert add(store, limit.model_copy(update={"hands": 2 * HANDS}), "pot_odds") == "pot_odds"
    assert rows_of(store)["pot_odds"].hands == 4 * HANDS
    assert (store.deals(("pot_odds", "maniac")).columns["chips"][: len(before)] == before).all()


@pytest.mark.slow
def test_a_changed_file_is_a_new_row_and_the_old_one_stays(store: Store, limit: Tournament, model: Path) -> None:
    assert add(store, limit, model) == "mine"
    change(model)
    assert add(store, limit, model) == "mine 2"
    assert add(store, limit, model) == "mine 2"
    rows = rows_of(store)
    assert set(rows) == {"mine", "mine 2", "calling_station", "maniac"}
    assert [rows[name].note for name in ("mine", "mine 2", "maniac")] == ["changed since", "", "anchor"]
    shutil.copy(shipped_path("ppo_limit"), model)  # the first one again
    assert add(store, limit, model) == "mine"
    model.unlink()  # nobody can tell whether it has changed
    assert rows_of(store)["mine"].note == ""


def test_a_name_of_another_agent_gets_a_number_and_one_of_an_anchor_is_refused(store: Store, limit: Tournament) -> None:
    assert add(store, limit, "pot_odds", "mine") == "mine"
    assert add(store, limit, "nit", "mine") == "mine 2"
    with pytest.raises(ValueError, match="'maniac' is an anchor's"):
        add(store, limit, "nit", "maniac")
    with pytest.raises(ValueError, match="'maniac' is an anchor, "):
        add(store, limit, "maniac")
    with pytest.raises(ValueError, match="name"):
        add(store, limit, "nit", "a\nb")


def test_another_game_is_refused(store: Store, limit: Tournament) -> None:
    add(store, limit, "pot_odds")
    other = limit.model_copy(update={"rules": Rules.preset("heads-up-limit", stacks=80)})
    with pytest.raises(StoreError, match="its rules have stacks 200, here 80"):
        add(store, other, "nit")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"anchors": ["mania"]}, "anchors: there is no agent 'mania': did you mean 'maniac'?"),
        ({"schedule": "adaptive", "watched": True}, "anchors: not with schedule: adaptive"),
        ({"format": "tables"}, "anchors: only in a round robin"),
    ],
)
def test_anchors_that_do_not_fit(changes: dict[str, Any], message: str) -> None:
    given = {"rules": Rules.preset("heads-up-limit"), "agents": ["maniac", "random"], "anchors": ["maniac"], **changes}
    with pytest.raises(ValueError, match=re.escape(message)):
        Tournament(**given)


@pytest.mark.parametrize(("preset", "matches"), [("heads-up-limit", 3), ("six-max-no-limit", 6)])
def test_where_all_are_anchors_they_meet_each_other(preset: str, matches: int) -> None:
    """With more than two seats, one against five is another match than the reverse."""
    names = ("maniac", "random", "nit")
    given = Tournament(rules=Rules.preset(preset), agents=names, anchors=names, isolation="none")
    assert len(given.matches()) == matches
    assert given.matches(frozenset(names)) == []


def test_six_seats_are_estimated_without_aivat(store: Store) -> None:
    two = ("calling_station", "maniac")
    plan = tournaments()["sixmax_nolimit"].model_copy(update={"hands": 180, "anchors": two})
    plan = plan.model_copy(update={"agents": tuple(each for each in plan.agents if each.name in two)})
    assert add(store, plan, "pot_odds") == "pot_odds"
    assert best_estimate(store.deals(("pot_odds", "maniac")), 0).name == "duplicate + all_in"
    assert rows_of(store)["pot_odds"].hands == 2 * 180


# The table


def test_the_table_has_what_was_won_in_both_directions(store: Store, limit: Tournament) -> None:
    add(store, limit, "pot_odds")
    ladder = ladder_for("headsup_limit", limit, (match("calling_station", "maniac", 20.0),))
    table = ladder_table(ladder, store)
    rows = {each.name: each for each in table.rows}
    assert table.anchors == ("calling_station", "maniac")
    assert [each.rank for each in table.rows] == [1, 2, 3]
    assert sum(rows[name].rate for name in table.anchors) == pytest.approx(0, abs=1e-6)
    assert rows["maniac"].against["calling_station"] == (-20.0, 5.0)
    assert rows["calling_station"].against["maniac"] == (20.0, 5.0)
    assert set(rows["pot_odds"].against) == set(table.anchors)
    assert table.svg().startswith("<svg")
    assert ladder.title == "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds"


def test_with_six_seats_both_directions_are_matches_of_their_own() -> None:
    ladder = replace(ladders()["sixmax_nolimit"], published=(match("nit", "maniac", 7.0), match("maniac", "nit", 3.0)))
    rows = {each.name: each for each in ladder_table(replace(ladder, anchors=("nit", "maniac"))).rows}
    assert (rows["nit"].against["maniac"][0], rows["maniac"].against["nit"][0]) == (7.0, 3.0)


# The ladders of the package


def test_what_ships_was_played_by_the_agents_of_the_package() -> None:
    """If this fails: play configs/ladders/*.yaml again, as the first lines there say, and copy their crosstables."""
    for ladder in ladders().values():
        for name in ladder.anchors:
            if (path := file_of(name)) is not None:
                assert sha256(path.read_bytes()).hexdigest()[:16] == PUBLISHED[name], f"{name} has changed"
        pairs = len(ladder.anchors) * (len(ladder.anchors) - 1)
        assert len(ladder.published) == (pairs // 2 if ladder.rules.seats == 2 else pairs)
        assert {name for each in ladder.published for name in (each.agent, each.opponent)} == set(ladder.anchors)


def test_every_ladder_of_the_package_has_a_table() -> None:
    tables = ladder_tables()
    assert list(tables) == list(ladders())
    for table in tables.values():
        assert sorted(table.anchors) == sorted(each.name for each in table.rows)


# Commands


def invoke(*words: str) -> Any:
    return CliRunner().invoke(app, ["ladder", *words])


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_commands_from_the_first_to_the_last(few: None, here: Path, model: Path) -> None:
    done = invoke("add", str(model), "--hands", str(HANDS))
    assert done.exit_code == 0, done.output
    assert "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds" in done.output
    assert re.search(r"mine: rank \d of 3, [+-]\d+ ± \d+ bb/100; kept in runs/ladder", done.output)
    assert (here / "runs" / "ladder" / "headsup_limit.db").is_file()
    shown = invoke("show", "headsup_limit", "--report", "report")
    assert shown.exit_code == 0, shown.output
    assert re.search(r"│ +\d │ mine ", shown.output)
    assert "by duplicate deals and all-in values" in shown.output
    assert "<svg" in (here / "report" / "report.html").read_text()
    assert invoke("remove", "mine").output == "Removed mine from headsup_limit.\n"
    assert " mine " not in invoke("show").output


@pytest.mark.slow
def test_a_ladder_of_ones_own_is_a_yaml_file(few: None, here: Path) -> None:
    own = "rules: {preset: heads-up-no-limit, stacks: 60}\nagents: &a [maniac, nit]\nanchors: *a\nisolation: none\n"
    (here / "deep.yaml").write_text(own)
    done = invoke("add", "pot_odds", "--ladder", "deep.yaml", "--hands", str(HANDS))
    assert done.exit_code == 0, done.output
    assert "deep: No limit 1/2, 2 seats, 30 big blinds" in done.output
    assert " pot_odds " in invoke("show", "deep").output
    (here / "deep.yaml").write_text(own.replace("anchors: *a\n", ""))
    assert "a ladder needs anchors" in invoke("add", "pot_odds", "--ladder", "deep.yaml").stderr


@pytest.mark.slow
def test_an_agent_that_fails_leaves_no_row(few: None, here: Path) -> None:
    (here / "clumsy.py").write_text(
        "from holdem_env.agents import TableAgent\n\n\nclass Clumsy(TableAgent):\n    def decide(self, view):\n"
        "        raise RuntimeError('out of luck')\n"
    )
    done = invoke("add", "clumsy.py", "--ladder", "headsup_limit")
    assert done.exit_code == 2
    assert "agent 'clumsy.py' cannot play on the ladder 'headsup_limit'" in done.stderr
    assert "out of luck" in done.stderr
    assert " clumsy " not in invoke("show").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "gone.safetensors"], "gone.safetensors: there is no such file"),
        (["add", "nobody"], "there is no agent 'nobody'"),
        (["add", "short.json"], "there is no ladder for the game of short.json; there are headsup_limit"),
        (["add", "nit", "--ladder", "headsup_limits"], "there is no ladder 'headsup_limits': did you mean"),
        (["show", "headsup_limits"], "there is no ladder 'headsup_limits': did you mean 'headsup_limit'?"),
        (["show", "--folder", "gone"], "gone: there is no such folder; `holdem ladder add` makes one"),
        (["show", "--folder", "sit.yaml"], "sit.yaml: this is a file; ladders are kept in a folder"),
        (["remove", "nobody", "--folder", "gone"], "`holdem ladder add` makes one"),
        (["add", "pot_odds", "--ladder", "sit.yaml"], "session"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], message: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "sit.yaml").write_text("preset: heads-up-no-limit\nsession: {prizes: [1.0]}\n")
    from holdem_agents.model_files import load, write

    agent = load(shipped_path("ppo_limit"))
    agent.trained_on = Rules.preset("heads-up-limit", stacks=80)
    write(here / "short.safetensors", agent, agent.policy, agent.algorithm, agent.training)
    (here / "short.json").write_text('{"agent": "short.safetensors"}')
    done = invoke(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(here.glob("runs/*"))


@pytest.mark.slow
def test_an_interrupted_command_says_how_to_go_on(few: None, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdem_agents.cli.tournament_commands.run", interrupted)
    done = invoke("add", "pot_odds", "--ladder", "headsup_limit")
    assert done.exit_code == 130
    assert "The same command continues" in done.output


# The page


def test_the_page_has_the_packages_ladders_and_what_a_store_adds(few: None, tmp_path: Path, limit: Tournament) -> None:
    pytest.importorskip("starlette")
    from web.clients import client_of, site_for_tests

    client = client_of(site_for_tests(runs=tmp_path))
    assert client.get("/api/ladder").json()["ladders"][0]["rows"] == []
    (tmp_path / "ladder").mkdir()
    with Store(tmp_path / "ladder" / "headsup_limit.db", create=True) as store:
        add(store, limit, "pot_odds", "<b>mine")
    found = client.get("/api/ladder").json()
    [shown] = found["ladders"]
    assert shown["name"] == "headsup_limit"
    assert shown["svg"] != shown["svg_narrow"]
    [mine] = [row for row in shown["rows"] if row["name"] == "<b>mine"]
    assert set(mine["against"]) == {"calling_station", "maniac"}
    assert "&lt;b&gt;mine" in shown["svg"]
    (tmp_path / "ladder" / "headsup_limit.db").write_bytes(b"no database")
    assert client.get("/api/ladder").json()["sentence"]


def test_the_site_offers_agents_of_the_box_first() -> None:
    pytest.importorskip("starlette")
    from web.clients import client_of, site_for_tests

    client = client_of(site_for_tests())
    site = client.get("/api/site").json()
    assert site["default"]["opponents"] == ["ppo_100bb"]
    games_by_id = {each["id"]: each for each in site["rules"]}
    assert games_by_id["heads-up-limit"]["first"] == ["ppo_limit", "blueprint_limit"]
    assert games_by_id["omaha"]["first"] == []
    agents = {each["id"]: each for each in site["agents"]}
    assert site["agents"][0]["id"] == "ppo_100bb"
    assert (agents["ppo_sixmax"]["seats"], agents["ppo_sixmax"]["has_card"]) == (6, True)
    assert agents["maniac"]["has_card"] is False
    assert "<h1>ppo_limit</h1>" in client.get("/api/site/cards/ppo_limit").json()["html"]
    assert client.get("/api/site/cards/maniac").status_code == 404


def test_a_narrow_terminal_shows_whole_names_and_every_win_rate() -> None:
    shown = Console(width=100, file=io.StringIO())
    table = ladder_tables()["headsup_limit"]
    assert table_width(text_table(table)) > shown.width
    shown.print(*narrow_tables(table))
    text = shown.file.getvalue()
    assert max(map(len, text.splitlines())) <= shown.width
    for row in table.rows:
        assert row.name in text
        assert all(rate_text(*rate) in text for rate in row.against.values())
    letters = dict(zip(table.anchors, "abcdefgh", strict=False))
    assert all(f"{letters[name]} {name}" in text for name in table.anchors)
