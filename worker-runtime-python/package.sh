#!/bin/sh
# Builds the source distribution, and from it the wheel, into target/dist. Installs the wheel with its extras into an
# environment that has nothing else, target/installed, for tests of what users install. Does nothing if both are current.
set -eu
cd "$(dirname "$0")"
. ./environment.sh

current="$stamp $(find src/millrace ../proto/src/main/proto setup.py pyproject.toml requirements-*.txt -type f \
  ! -path '*/_proto/*' ! -name '*.pyc' -exec cksum {} + | sort | cksum)"
if [ "$(cat target/installed/stamp 2>/dev/null)" = "$current" ]; then exit; fi

rm -rf target/dist target/installed
.venv/bin/python -m build --no-isolation --outdir target/dist . >target/package.log 2>&1 || {
  cat target/package.log >&2
  exit 1
}
"$python" -m venv target/installed
target/installed/bin/python -m pip install --quiet --disable-pip-version-check --constraint requirements-client.txt \
  "$(echo target/dist/millrace-*.whl)[client,worker]"
echo "$current" >target/installed/stamp
