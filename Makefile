PY ?= python

.PHONY: check format lint types test bench

check: format lint types test

format:
	$(PY) -m ruff format .

lint:
	$(PY) -m ruff check .

types:
	$(PY) -m mypy

test:
	$(PY) -m pytest

bench:
	$(PY) -m benchmarks
