"""The ladder: what is played, kept and rated, and how commands and pages tell it."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_agents.cli.ladder_commands import narrow_tables, text_table
from holdem_agents.cli.tournament_commands import table_width
from holdem_agents.ladder import games, ladder_tables, ladders
from holdem_agents.ladder.bundled import bundled
from holdem_agents.ladder.games import content_of, game_for, is_same_game
from holdem_agents.ladder.stores import build
from holdem_agents.shipped import shipped_path
from holdem_env import Rules
from holdem_env.arena import MatchResult
from holdem_env.arena.reports.ladder_page import rate_text
from holdem_env.arena.statistics.estimates import best_estimate
from holdem_env.arena.tournaments import ladder as playing
from holdem_env.arena.tournaments.ladder import Ladder, add, own_agents, play
from holdem_env.arena.tournaments.ladder_table import ladder_table, match_result
from holdem_env.arena.tournaments.plan import Contender, Tournament
from holdem_env.arena.tournaments.ratings import rate
from holdem_env.arena.tournaments.store import Store, StoreError

HANDS = 64
"""Enough for an interval that is not infinite."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ladders with two scripted anchors and no other, none bundled, without AIVAT, so that little is played."""
    monkeypatch.setattr(Ladder, "is_by_aivat", False)
    monkeypatch.setattr(games, "SCRIPTED", ("calling_station", "maniac"))
    monkeypatch.setattr(games, "fitting", lambda rules: [])
    monkeypatch.setattr(games, "bundled", dict)


@pytest.fixture
def limit(few: None) -> Ladder:
    return ladders()["headsup_limit"]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "ladder.db", create=True, any_version=True) as made:
        yield made


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A run's agent, which may change."""
    path = tmp_path / "mine" / "final.safetensors"
    path.parent.mkdir()
    shutil.copy(shipped_path("ppo_limit"), path)
    return path


def change(model: Path) -> None:
    """Another network in the same file."""
    from holdem_agents.model_files import load, write

    agent = load(model)
    agent.policy.requires_grad_(False)
    for parameter in agent.policy.parameters():
        parameter *= 0.5
    write(model, agent, agent.policy, agent.algorithm, agent.training)


def match(agent: str, opponent: str, mean: float, half_width: float = 5.0) -> MatchResult:
    return MatchResult(agent, opponent, mean, half_width, hands=1000, deals=500)


def results_in(store: Store) -> list[MatchResult]:
    return [match_result(store, one, two) for one, two in store.matches()]


# Games


def test_the_ladders_are_of_the_configurations_games() -> None:
    found = ladders()
    assert list(found) == ["headsup_nolimit_100bb", "headsup_nolimit_20bb", "headsup_limit", "sixmax_nolimit"]
    anchors = {name: [each.name for each in ladder.anchors] for name, ladder in found.items()}
    assert anchors["headsup_nolimit_20bb"][:2] == ["ppo_20bb", "blueprint_20bb"]
    assert found["headsup_nolimit_20bb"].is_by_aivat
    assert anchors["sixmax_nolimit"][0] == "ppo_sixmax"
    assert not found["sixmax_nolimit"].is_by_aivat


def test_a_game_is_known_by_its_rules_whatever_its_chips_are() -> None:
    found = ladders().values()
    for name, preset, more in (
        ("headsup_nolimit_100bb", "heads-up-no-limit", {"blinds": (50, 100), "stacks": 10_000}),
        ("headsup_nolimit_20bb", "heads-up-no-limit", {"stacks": 40}),
        ("sixmax_nolimit", "six-max-no-limit", {}),
        ("headsup_limit", "heads-up-limit", {}),
    ):
        game = game_for(Rules.preset(preset, **more), found)
        assert game is not None
        assert game.name == name
    assert game_for(Rules.preset("heads-up-no-limit", stacks=80), found) is None
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


def test_adding_twice_plays_once_and_more_hands_only_what_is_missing(
    store: Store, limit: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    assert first.new_hands == 2 * HANDS
    assert first.name == "pot_odds"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", store.entered()["pot_odds"].added)
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == 0
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(playing, "SHARD", 8)
    again = add(store, limit, {"agent": "pot_odds"}, hands=2 * HANDS, progress=lambda *far: seen.append(far))
    assert again.new_hands == 2 * HANDS
    assert seen[-1] == (4 * HANDS, 4 * HANDS)
    assert len(seen) == 8
    assert again.name == first.name


def test_an_interrupted_call_goes_on(store: Store, limit: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "SHARD", 16)

    def stop(done: int, total: int) -> None:
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(store, limit, {"agent": "pot_odds"}, hands=HANDS, progress=stop)
    [half] = [each for each in ladder_table(limit, store).rows if not each.is_anchor]
    assert half.hands == HANDS
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == HANDS
    with Store(store.path.with_name("whole.db"), create=True) as whole:
        add(whole, limit, {"agent": "pot_odds"}, hands=HANDS)
        assert results_in(whole) == results_in(store)


@pytest.mark.slow
def test_a_changed_file_is_a_new_row_and_the_old_one_stays(store: Store, limit: Ladder, model: Path) -> None:
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).name == "mine"
    change(model)
    changed = add(store, limit, {"agent": str(model)}, hands=HANDS)
    assert (changed.name, changed.new_hands) == ("mine 2", 2 * HANDS)
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).name == "mine 2"
    rows = {each.name: each for each in ladder_table(limit, store).rows}
    assert set(rows) == {"mine", "mine 2", "calling_station", "maniac"}
    assert [rows[name].note for name in ("mine", "mine 2", "maniac")] == ["changed since", "", "anchor"]
    shutil.copy(shipped_path("ppo_limit"), model)  # as it was
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).name == "mine"


@pytest.mark.slow
def test_the_same_file_by_another_path_is_the_same_agent(
    store: Store, limit: Ladder, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, limit, {"agent": str(model)}, hands=HANDS)
    monkeypatch.chdir(model.parent)
    again = add(store, limit, {"agent": "final.safetensors"}, hands=2 * HANDS)
    assert (again.name, again.new_hands) == ("mine", 2 * HANDS)
    monkeypatch.chdir(model.parent.parent)
    model.unlink()  # nobody can tell whether it has changed
    [row] = [each for each in ladder_table(limit, store).rows if each.name == "mine"]
    assert (row.note, row.hands) == ("", 4 * HANDS)


@pytest.mark.slow
def test_names_that_are_taken(store: Store, limit: Ladder, model: Path, tmp_path: Path) -> None:
    add(store, limit, {"agent": "pot_odds"}, name="mine", hands=HANDS)
    with pytest.raises(ValueError, match="'mine' is taken by pot_odds; give another one with --name"):
        add(store, limit, {"agent": str(model)}, hands=HANDS)
    with pytest.raises(ValueError, match=r"on the ladder as 'mine' since .*holdem ladder remove mine"):
        add(store, limit, {"agent": "pot_odds"}, name="other", hands=HANDS)
    with pytest.raises(ValueError, match="'maniac' is an anchor's"):
        add(store, limit, {"agent": str(model)}, name="maniac", hands=HANDS)
    with pytest.raises(ValueError, match="'maniac' is an anchor of the ladder 'headsup_limit'"):
        add(store, limit, {"agent": "maniac"}, hands=HANDS)
    with pytest.raises(ValueError, match="--name"):
        add(store, limit, {"agent": str(model)}, name="a\nb", hands=HANDS)
    assert list(own_agents(store, limit)) == ["mine"]


@pytest.mark.slow
def test_an_agent_that_fails_leaves_no_row(store: Store, limit: Ladder, tmp_path: Path) -> None:
    bot = tmp_path / "clumsy.py"
    bot.write_text(
        "from holdem_env.agents import TableAgent\n\n\nclass Clumsy(TableAgent):\n    def decide(self, view):\n"
        "        raise RuntimeError('out of luck')\n"
    )
    with pytest.raises(ValueError, match=r"clumsy\.py' cannot play on the ladder 'headsup_limit': .*out of luck"):
        add(store, limit, {"agent": str(bot)}, hands=HANDS)
    assert not own_agents(store, limit)
    with pytest.raises(ValueError, match="cannot play"):
        add(store, limit, {"agent": str(shipped_path("ppo_100bb"))}, hands=HANDS)
    assert store.matches() == []
    assert not store.forfeits()


def test_removing_and_adding_again(store: Store, limit: Ladder) -> None:
    for name in ("pot_odds", "nit"):
        add(store, limit, {"agent": name}, hands=HANDS)
    store.remove("pot_odds")
    assert list(own_agents(store, limit)) == ["nit"]
    assert {one for one, _ in store.matches()} == {"nit"}
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == 2 * HANDS


def test_a_ladder_is_a_tournament(store: Store, limit: Ladder) -> None:
    """Its store is one; of another game it is refused."""
    add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    with Store(store.path) as same:
        assert same.format == "round_robin"
        assert same.matches() == [("pot_odds", "calling_station"), ("pot_odds", "maniac")]
    with pytest.raises(StoreError, match="its rules have stacks 200, here 80"):
        add(store, Ladder("limit", Rules.preset("heads-up-limit", stacks=80), limit.anchors), {"agent": "nit"}, hands=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"anchors": ["mania"]}, "anchors: there is no agent 'mania': did you mean 'maniac'?"),
        ({"anchors": ["maniac", "random"]}, "give agents that are no anchors, too"),
        ({"schedule": "adaptive", "watched": True}, "anchors: not with schedule: adaptive"),
        ({"format": "tables"}, "anchors: only in a round robin"),
    ],
)
def test_anchors_that_do_not_fit(changes: dict[str, Any], message: str) -> None:
    given = {"rules": Rules.preset("heads-up-limit"), "agents": ["maniac", "random"], "anchors": ["maniac"], **changes}
    with pytest.raises(ValueError, match=re.escape(message)):
        Tournament(**given)


def test_six_seats_are_estimated_without_aivat(store: Store, few: None) -> None:
    game = ladders()["sixmax_nolimit"]
    assert add(store, game, {"agent": "pot_odds"}, hands=180).new_hands == 2 * 180
    assert best_estimate(store.deals(("pot_odds", "maniac")), 0).name == "duplicate + all_in"


@pytest.mark.slow
def test_heads_up_is_estimated_by_aivat(store: Store, limit: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ladder, "is_by_aivat", True)
    add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    assert best_estimate(store.deals(("pot_odds", "maniac")), 0).name == "duplicate + aivat"


# The table


def test_the_table_has_what_was_won_in_both_directions(store: Store, limit: Ladder) -> None:
    add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    play(store, limit, Contender(agent="calling_station", name="calling_station"), limit.anchors[1:], HANDS)
    table = ladder_table(limit, store)
    rows = {each.name: each for each in table.rows}
    assert table.anchors == ("calling_station", "maniac")
    assert [each.rank for each in table.rows] == [1, 2, 3]
    assert sum(rows[name].rate for name in table.anchors) == pytest.approx(0, abs=1e-6)
    mean, half = rows["maniac"].against["calling_station"]
    assert rows["calling_station"].against["maniac"] == (-mean, half)
    assert set(rows["pot_odds"].against) == set(table.anchors)
    assert table.svg().startswith("<svg")
    assert table.title == "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds"


def test_an_anchor_with_another_file_is_another_opponent(
    store: Store, few: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was won from the former one stays, and the present one is played anew."""
    monkeypatch.setattr(games, "fitting", lambda rules: ["ppo_limit"])
    game = ladders()["headsup_limit"]
    add(store, game, {"agent": "pot_odds"}, hands=HANDS)
    copy = tmp_path / "shipped"
    copy.mkdir()
    shutil.copy(shipped_path("ppo_limit"), copy)
    change(copy / "ppo_limit.safetensors")
    monkeypatch.setattr("holdem_agents.shipped.FOLDER", copy)
    game = ladders()["headsup_limit"]
    assert ladder_table(game, store).anchors == ("calling_station", "maniac")
    assert add(store, game, {"agent": "pot_odds"}, hands=HANDS).new_hands == HANDS
    table = ladder_table(game, store)
    assert table.anchors == ("ppo_limit", "calling_station", "maniac")
    former = [each.name for each in table.rows if each.name.startswith("ppo_limit of 20")]
    assert len(former) == 1


# The ladders of the package


def test_the_bundled_ladders_are_of_the_bundled_agents() -> None:
    """If this fails: holdem ladder build agents/holdem_agents/ladder/ladder.json"""
    known = ladders()
    assert set(bundled()) == set(games.CONFIGS)
    for name, found in bundled().items():
        assert found.rules == known[name].rules
        assert [each.name for each in found.anchors] == [each.name for each in known[name].anchors]
        for each in found.anchors:
            assert each.content == content_of(each.name), f"{each.name} has changed since {name} was built"
        count = len(found.anchors) * (len(found.anchors) - 1)
        assert len(found.results) == (count // 2 if found.rules.seats == 2 else count)


def test_every_bundled_ladder_has_a_table() -> None:
    tables = ladder_tables()
    assert list(tables) == list(games.CONFIGS)
    for table in tables.values():
        assert tuple(sorted(table.anchors)) == tuple(sorted(each.name for each in table.rows))


def test_building_writes_what_was_played_and_goes_on(limit: Ladder, tmp_path: Path) -> None:
    file = tmp_path / "ladder.json"
    build(file, tmp_path / "stores", [limit], hands=HANDS)
    first = file.read_text()
    [result] = bundled(file)["headsup_limit"].results
    assert (result.hands, result.agent) == (HANDS, "calling_station")
    seen: list[Any] = []
    build(file, tmp_path / "stores", [limit], HANDS, progress=lambda name: lambda *far: seen.append(far))
    assert not seen
    assert file.read_text() == first
    file.write_text(json.dumps({"format": 9}))
    with pytest.raises(ValueError, match="this is no ladder"):
        bundled(file)


# Commands


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["ladder", *words])


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_commands_from_the_first_to_the_last(few: None, here: Path, model: Path) -> None:
    done = run("add", str(model), "--hands", str(HANDS))
    assert done.exit_code == 0, done.output
    assert "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds" in done.output
    assert re.search(r"mine: rank \d of 3, [+-]\d+ ± \d+ bb/100; kept in runs/ladder", done.output)
    assert (here / "runs" / "ladder" / "headsup_limit.db").is_file()
    assert "mine has played all of this already" in run("add", str(model), "--hands", str(HANDS)).output
    shown = run()
    assert shown.exit_code == 0
    assert re.search(r"│ +\d │ mine ", shown.output)
    assert "by duplicate deals and all-in values" in shown.output
    assert run("show", "--html", "ladder.html").exit_code == 0
    page = (here / "ladder.html").read_text()
    assert "<svg" in page
    assert "<td>mine</td>" in page
    assert run("remove", "mine").output == "Removed mine from headsup_limit.\n"
    assert " mine " not in run("show", "headsup_limit").output


@pytest.mark.slow
def test_a_game_without_a_ladder_begins_one_by_rules(few: None, here: Path) -> None:
    rules = here / "deep.yaml"
    rules.write_text("preset: heads-up-no-limit\nstacks: 60\n")
    done = run("add", "pot_odds", "--rules", str(rules), "--hands", str(HANDS))
    assert done.exit_code == 0, done.output
    assert "deep: No limit 1/2, 2 seats, 30 big blinds" in done.output
    assert run("show", "deep").exit_code == 0
    assert run("add", "nit", "--rules", "deep", "--hands", str(HANDS)).exit_code == 0
    rules.write_text("preset: heads-up-no-limit\nstacks: 70\n")
    assert "another game has the ladder 'deep'" in run("add", "pot_odds", "--rules", str(rules)).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add", "gone.safetensors"], "gone.safetensors: there is no such file"),
        (["add", "nobody"], "there is no agent 'nobody'"),
        (["add", "short.json"], "there is no ladder for the game of short.json; there are headsup_nolimit_100bb"),
        (["show", "headsup_limits"], "there is no ladder 'headsup_limits': did you mean 'headsup_limit'?"),
        (["show", "--ladder", "gone"], "gone: there is no such folder; `holdem ladder add` makes one"),
        (["show", "--ladder", "sit.yaml"], "sit.yaml: this is a file; ladders are kept in a folder"),
        (["remove", "nobody", "--ladder", "gone"], "`holdem ladder add` makes one"),
        (["add", "pot_odds", "--rules", "sit.yaml"], "a ladder is of single hands"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], message: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "sit.yaml").write_text("preset: heads-up-no-limit\nsession: {prizes: [1.0]}\n")
    from holdem_agents.model_files import load, write

    agent = load(shipped_path("ppo_limit"))
    agent.trained_on = Rules.preset("heads-up-limit", stacks=80)
    write(here / "short.safetensors", agent, agent.policy, agent.algorithm, agent.training)
    (here / "short.json").write_text('{"agent": "short.safetensors"}')
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(here.glob("runs/*"))


def test_an_interrupted_command_says_how_to_go_on(few: None, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdem_agents.cli.ladder_commands.add", interrupted)
    done = run("add", "pot_odds")
    assert done.exit_code == 130
    assert "The same command continues" in done.output


# The page


def test_the_page_has_the_box_and_what_a_store_adds(few: None, tmp_path: Path, limit: Ladder) -> None:
    pytest.importorskip("starlette")
    from web.clients import client_of, site_for_tests

    client = client_of(site_for_tests(runs=tmp_path))
    assert client.get("/api/ladder").json()["ladders"] == []
    (tmp_path / "ladder").mkdir()
    with Store(tmp_path / "ladder" / "headsup_limit.db", create=True) as store:
        add(store, limit, {"agent": "pot_odds"}, name="<b>mine", hands=HANDS)
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
