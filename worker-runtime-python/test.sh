#!/bin/sh
# Checks the types and runs the tests of the Python runtime, in its own virtual environment (.venv).
# Arguments are passed on to pytest. MILLRACE_PYTHON chooses the interpreter; default: python3.
set -eu
cd "$(dirname "$0")"
. ./environment.sh
.venv/bin/python setup.py --quiet stubs

if [ $# -eq 0 ]; then
  .venv/bin/pyright --pythonpath .venv/bin/python --warnings
fi
exec .venv/bin/python -m pytest "$@"
