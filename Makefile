# Each target sets up what it needs: only Python 3.11+, make and the package registries are assumed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed

.PHONY: setup demo test check bench clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt scripts/setup.sh
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh scripts/setup.sh
	@touch $(STAMP)

demo: $(STAMP)
	$(BIN)/finito demo

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: check
	sh scripts/browser.sh
	$(BIN)/pytest -n 2

bench: $(STAMP)
	$(BIN)/python -m tests.bench $(if $(PEER),--peer $(PEER))

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
