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

from holdem_agents import ladder
from holdem_agents.cli.commands import app
from holdem_agents.cli.ladder_commands import narrow_tables, text_table
from holdem_agents.cli.tournament_commands import whole_width
from holdem_agents.ladder import box, games, ladder_tables, playing, standings
from holdem_agents.ladder.games import LadderGame, game_for, is_same_game, ladder_games
from holdem_agents.ladder.page import rate_text
from holdem_agents.ladder.players import content_of
from holdem_agents.ladder.playing import add, play_pairs
from holdem_agents.ladder.standings import ladder_table
from holdem_agents.ladder.store import LadderStore
from holdem_agents.shipped import shipped_path
from holdem_agents.training.league_ratings import rate
from holdem_env import Rules
from holdem_env.arena import MatchResult
from holdem_env.arena.tournaments.store import Store, StoreError

HANDS = 64
"""Enough for an interval that is not infinite."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ladders with two scripted rungs and no other, none in the box, without AIVAT, so that little is played."""
    monkeypatch.setattr(LadderGame, "is_by_aivat", False)
    monkeypatch.setattr(games, "SCRIPTED", ("calling_station", "maniac"))
    monkeypatch.setattr(games, "fitting", lambda rules: [])
    monkeypatch.setattr(standings, "boxed", dict)


@pytest.fixture
def limit(few: None) -> LadderGame:
    return ladder_games()["headsup_limit"]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with LadderStore(tmp_path / "ladder.db", create=True) as made:
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


# Games


def test_the_ladders_are_of_the_configurations_games() -> None:
    found = ladder_games()
    assert list(found) == ["headsup_nolimit_100bb", "headsup_nolimit_20bb", "headsup_limit", "sixmax_nolimit"]
    assert found["headsup_nolimit_20bb"].rungs[:2] == ("ppo_20bb", "blueprint_20bb")
    assert found["headsup_nolimit_20bb"].is_by_aivat
    assert found["sixmax_nolimit"].rungs[0] == "ppo_sixmax"
    assert not found["sixmax_nolimit"].is_by_aivat
    assert found["sixmax_nolimit"].deals(100) == 17


def test_a_game_is_known_by_its_rules_whatever_its_chips_are() -> None:
    found = ladder_games().values()
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
    store: LadderStore, limit: LadderGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    assert first.new_hands == 2 * HANDS
    assert (first.player.name, first.player.game) == ("pot_odds", "headsup_limit")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", first.player.added)
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == 0
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(playing, "IN_A_SHARD", 8)
    again = add(store, limit, {"agent": "pot_odds"}, hands=2 * HANDS, told=lambda *far: told.append(far))
    assert again.new_hands == 2 * HANDS
    assert told[-1] == (4 * HANDS, 4 * HANDS)
    assert len(told) == 8
    assert again.player == first.player


def test_an_interrupted_call_goes_on(store: LadderStore, limit: LadderGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "IN_A_SHARD", 16)

    def stop(done: int, total: int) -> None:
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(store, limit, {"agent": "pot_odds"}, hands=HANDS, told=stop)
    [half] = [each for each in ladder_table(limit, store).rows if not each.player.is_rung]
    assert half.hands == HANDS
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == HANDS
    in_parts = store.results("headsup_limit")
    with LadderStore(store.path.with_name("whole.db"), create=True) as whole:
        add(whole, limit, {"agent": "pot_odds"}, hands=HANDS)
        assert whole.results("headsup_limit") == in_parts


def test_a_changed_file_is_a_new_row_and_the_old_one_stays(store: LadderStore, limit: LadderGame, model: Path) -> None:
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).player.name == "mine"
    change(model)
    changed = add(store, limit, {"agent": str(model)}, hands=HANDS)
    assert (changed.player.name, changed.new_hands) == ("mine 2", 2 * HANDS)
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).player.name == "mine 2"
    rows = {each.name: each for each in ladder_table(limit, store).rows}
    assert set(rows) == {"mine", "mine 2", "calling_station", "maniac"}
    assert [rows[name].note for name in ("mine", "mine 2", "maniac")] == ["changed since", "", "rung"]
    shutil.copy(shipped_path("ppo_limit"), model)  # as it was
    assert add(store, limit, {"agent": str(model)}, hands=HANDS).player.name == "mine"


def test_the_same_file_by_another_path_is_the_same_agent(
    store: LadderStore, limit: LadderGame, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, limit, {"agent": str(model)}, hands=HANDS)
    monkeypatch.chdir(model.parent)
    again = add(store, limit, {"agent": "final.safetensors"}, hands=2 * HANDS)
    assert (again.player.name, again.new_hands) == ("mine", 2 * HANDS)
    monkeypatch.chdir(model.parent.parent)
    model.unlink()  # nobody can tell whether it has changed
    [row] = [each for each in ladder_table(limit, store).rows if each.name == "mine"]
    assert (row.note, row.hands) == ("", 4 * HANDS)


def test_names_that_are_taken(store: LadderStore, limit: LadderGame, model: Path, tmp_path: Path) -> None:
    add(store, limit, {"agent": "pot_odds"}, name="mine", hands=HANDS)
    with pytest.raises(ValueError, match="'mine' is taken by pot_odds; give another one with --name"):
        add(store, limit, {"agent": str(model)}, hands=HANDS)
    with pytest.raises(ValueError, match=r"on the ladder as 'mine' since .*holdem ladder remove mine"):
        add(store, limit, {"agent": "pot_odds"}, name="other", hands=HANDS)
    with pytest.raises(ValueError, match="'maniac' is a rung's"):
        add(store, limit, {"agent": str(model)}, name="maniac", hands=HANDS)
    with pytest.raises(ValueError, match="'maniac' is a rung of the ladder 'headsup_limit'"):
        add(store, limit, {"agent": "maniac"}, hands=HANDS)
    with pytest.raises(ValueError, match="--name"):
        add(store, limit, {"agent": str(model)}, name="a\nb", hands=HANDS)
    assert [each.name for each in store.players().values() if not each.is_rung] == ["mine"]


def test_an_agent_that_fails_leaves_no_row(store: LadderStore, limit: LadderGame, tmp_path: Path) -> None:
    bot = tmp_path / "clumsy.py"
    bot.write_text(
        "from holdem_env.agents import TableAgent\n\n\nclass Clumsy(TableAgent):\n    def decide(self, view):\n"
        "        raise RuntimeError('out of luck')\n"
    )
    with pytest.raises(ValueError, match=r"clumsy\.py' cannot play on the ladder 'headsup_limit': .*out of luck"):
        add(store, limit, {"agent": str(bot)}, hands=HANDS)
    assert not any(not each.is_rung for each in store.players().values())
    with pytest.raises(ValueError, match="cannot play"):
        add(store, limit, {"agent": str(shipped_path("ppo_100bb"))}, hands=HANDS)
    assert store.results("headsup_limit") == []


def test_removing_and_adding_again(store: LadderStore, limit: LadderGame) -> None:
    row = add(store, limit, {"agent": "pot_odds"}, hands=HANDS).player
    other = add(store, limit, {"agent": "nit"}, hands=HANDS).player
    store.remove([row.key])
    assert [each.name for each in store.players().values() if not each.is_rung] == ["nit"]
    assert {each.agent for each in store.results("headsup_limit")} == {other.key}
    store.check()
    assert add(store, limit, {"agent": "pot_odds"}, hands=HANDS).new_hands == 2 * HANDS


def test_a_store_is_of_ladders_or_of_a_tournament(store: LadderStore, limit: LadderGame, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="format ladder 1"):
        Store(store.path)
    with Store(tmp_path / "tournament.db", create=True), pytest.raises(StoreError, match="its form is 1"):
        LadderStore(tmp_path / "tournament.db")
    with pytest.raises(FileNotFoundError, match="`holdem ladder add` makes one"):
        LadderStore(tmp_path / "gone.db")
    add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    with pytest.raises(StoreError, match=r"'headsup_limit' is of another game \(.*stacks"):
        add(store, LadderGame("headsup_limit", Rules.preset("heads-up-limit", stacks=80)), {"agent": "nit"}, hands=2)


def test_six_seats_are_estimated_without_aivat(store: LadderStore, few: None) -> None:
    game = ladder_games()["sixmax_nolimit"]
    done = add(store, game, {"agent": "pot_odds"}, hands=180)
    assert done.new_hands == 2 * 180
    key = next(each.key for each in store.players().values() if each.name == "maniac")
    assert store.estimate_name(done.player.key, key) == "duplicate + all_in"


def test_heads_up_is_estimated_by_aivat(store: LadderStore, limit: LadderGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LadderGame, "is_by_aivat", True)
    done = add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    key = next(each.key for each in store.players().values() if each.name == "maniac")
    assert store.estimate_name(done.player.key, key) == "duplicate + aivat"


# The table


def test_the_table_has_what_was_won_in_both_directions(store: LadderStore, limit: LadderGame) -> None:
    add(store, limit, {"agent": "pot_odds"}, hands=HANDS)
    rungs = [playing.rung("headsup_limit", name) for name in limit.rungs]
    play_pairs(store, limit, [(rungs[0], rungs[1])], HANDS)
    table = ladder_table(limit, store)
    rows = {each.name: each for each in table.rows}
    assert table.rungs == ("calling_station", "maniac")
    assert [each.rank for each in table.rows] == [1, 2, 3]
    assert sum(rows[name].rate for name in table.rungs) == pytest.approx(0, abs=1e-6)
    mean, half = rows["maniac"].against["calling_station"]
    assert rows["calling_station"].against["maniac"] == (-mean, half)
    assert set(rows["pot_odds"].against) == set(table.rungs)
    assert table.svg().startswith("<svg")
    assert table.title == "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds"


def test_a_rung_with_another_file_is_another_player(
    store: LadderStore, few: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was won from the former one stays, and the present one is played anew."""
    monkeypatch.setattr(games, "fitting", lambda rules: ["ppo_limit"])
    game = ladder_games()["headsup_limit"]
    add(store, game, {"agent": "pot_odds"}, hands=HANDS)
    copy = tmp_path / "shipped"
    copy.mkdir()
    shutil.copy(shipped_path("ppo_limit"), copy)
    change(copy / "ppo_limit.safetensors")
    monkeypatch.setattr("holdem_agents.shipped.FOLDER", copy)
    assert ladder_table(game, store).rungs == ("calling_station", "maniac")
    assert add(store, game, {"agent": "pot_odds"}, hands=HANDS).new_hands == HANDS
    table = ladder_table(game, store)
    assert table.rungs == ("ppo_limit", "calling_station", "maniac")
    former = [each.name for each in table.rows if each.name.startswith("ppo_limit of 20")]
    assert len(former) == 1


# The box


def test_the_ladder_in_the_box_is_of_the_agents_in_the_box() -> None:
    """If this fails: holdem ladder build agents/holdem_agents/ladder/ladder.json"""
    known = ladder_games()
    assert set(box.boxed()) == set(games.CONFIGS)
    for name, found in box.boxed().items():
        assert found.rules == known[name].rules
        players = {each.name: each for each in found.players.values()}
        assert tuple(players) == known[name].rungs
        for each in players.values():
            assert each.content == content_of(each.name), f"{each.name} has changed since {name} was built"
        count = len(players) * (len(players) - 1)
        assert len(found.results) == (count // 2 if found.rules.seats == 2 else count)


def test_every_ladder_in_the_box_has_a_table() -> None:
    tables = ladder.ladder_tables()
    assert list(tables) == list(games.CONFIGS)
    for table in tables.values():
        assert tuple(sorted(table.rungs)) == tuple(sorted(each.name for each in table.rows))


def test_building_writes_what_was_played_and_goes_on(store: LadderStore, limit: LadderGame, tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    box.build(file, store, [limit], hands=HANDS)
    first = file.read_text()
    [result] = box.boxed(file)["headsup_limit"].results
    assert (result.hands, result.agent) == (HANDS, "headsup_limit: calling_station")
    told: list[Any] = []
    box.build(file, store, [limit], HANDS, told=lambda name: lambda *far: told.append(far))
    assert not told
    assert file.read_text() == first
    file.write_text(json.dumps({"format": 9}))
    with pytest.raises(ValueError, match="this is no ladder"):
        box.boxed(file)


# Commands


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["ladder", *words])


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_from_the_first_to_the_last(few: None, here: Path, model: Path) -> None:
    done = run("add", str(model), "--hands", str(HANDS))
    assert done.exit_code == 0, done.output
    assert "headsup_limit: Fixed limit 2/4, 2 seats, 100 big blinds" in done.output
    assert re.search(r"mine: rank \d of 3, [+-]\d+ ± \d+ bb/100; kept in runs/ladder\.db", done.output)
    assert (here / "runs" / "ladder.db").is_file()
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
        (["show", "--ladder", "gone.db"], "gone.db: there is no such file"),
        (["remove", "nobody", "--ladder", "gone.db"], "`holdem ladder add` makes one"),
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
    assert not list(here.glob("runs/*.db"))


def test_an_interrupted_command_says_how_to_go_on(few: None, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdem_agents.cli.ladder_commands.add", interrupted)
    done = run("add", "pot_odds")
    assert done.exit_code == 130
    assert "The same command continues" in done.output


# The page


def test_the_page_has_the_box_and_what_a_store_adds(few: None, tmp_path: Path, limit: LadderGame) -> None:
    pytest.importorskip("starlette")
    from web.clients import client_of, site_for_tests

    client = client_of(site_for_tests(runs=tmp_path))
    assert client.get("/api/ladder").json()["ladders"] == []
    with LadderStore(tmp_path / "ladder.db", create=True) as store:
        add(store, limit, {"agent": "pot_odds"}, name="<b>mine", hands=HANDS)
    found = client.get("/api/ladder").json()
    [shown] = found["ladders"]
    assert shown["name"] == "headsup_limit"
    assert shown["svg"] != shown["svg_narrow"]
    [mine] = [row for row in shown["rows"] if row["name"] == "<b>mine"]
    assert set(mine["against"]) == {"calling_station", "maniac"}
    assert "&lt;b&gt;mine" in shown["svg"]
    (tmp_path / "ladder.db").write_bytes(b"no database")
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
    assert whole_width(text_table(table)) > shown.width
    shown.print(*narrow_tables(table))
    text = shown.file.getvalue()
    assert max(map(len, text.splitlines())) <= shown.width
    for row in table.rows:
        assert row.name in text
        assert all(rate_text(*rate) in text for rate in row.against.values())
    letters = dict(zip(table.rungs, "abcdefgh", strict=False))
    assert all(f"{letters[name]} {name}" in text for name in table.rungs)
