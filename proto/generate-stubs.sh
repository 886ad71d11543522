#!/bin/sh
# Writes stubs of the wire contract for Python (grpcio) and TypeScript (protobuf-es) into target/stubs.
set -eu
cd "$(dirname "$0")"
venv=target/stubs-venv
command -v npm >/dev/null || { echo "Generating stubs needs Node.js with npm and found none on the PATH: install Node.js 20 or newer." >&2; exit 1; }

npm ci --silent --ignore-scripts
if ! cmp -s requirements.txt "$venv/requirements.txt"; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt
  cp requirements.txt "$venv/requirements.txt"
fi
PATH="$PWD/$venv/bin:$PWD/node_modules/.bin:$PATH" buf generate
echo "Python stubs:     $PWD/target/stubs/python"
echo "TypeScript stubs: $PWD/target/stubs/typescript"
