# Two commands: `make demo` shows Flipbook on its bundled studies, `make test` runs everything CI runs.
# With uv on the PATH packages come by `uv pip`, without it by plain venv and pip. The versions are the same.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint lock bench clean

demo: $(INSTALLED)
	$(BIN)/flipbook demo

test: lint
	$(BIN)/pytest

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Flipbook needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@echo "Setting up the environment in $(VENV); this takes a minute or two, once."
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV) && \
		uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock && \
		uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . ; \
	else \
		$(PYTHON) -m venv $(VENV) && \
		$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock && \
		$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . ; \
	fi
	@touch $@

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks.matrices
	$(BIN)/python -m benchmarks.pages

# Needs uv. Records exact versions and hashes, and nothing of where they came from.
lock:
	grep -vE '^(vllm|hf) = ' pyproject.toml > /tmp/flipbook-lock.toml && mkdir -p /tmp/flipbook-lock && mv /tmp/flipbook-lock.toml /tmp/flipbook-lock/pyproject.toml
	printf 'hatchling>=1.27\neditables>=0.5\n' > /tmp/flipbook-lock/build.in
	cd /tmp/flipbook-lock && uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --no-annotate --no-header --extra dev pyproject.toml build.in -o $(CURDIR)/requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
