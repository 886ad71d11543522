#!/bin/sh
# Installs the pinned Deno from npm into node_modules; takes milliseconds if it is up to date.
# The binary is then node_modules/deno/deno.
set -eu
cd "$(dirname "$0")"

deno=node_modules/deno/deno
stamp=node_modules/.installed-from
if [ -x "$deno" ] && cmp -s package-lock.json "$stamp"; then
  exit 0
fi

command -v npm >/dev/null || {
  echo "Millrace takes Deno from npm, but there is no npm on the PATH: install Node.js 20 or newer, or set MILLRACE_DENO to a Deno binary." >&2
  exit 1
}
npm ci --loglevel=error --no-audit --no-fund >&2
# npm may be configured not to run install scripts; this one only puts the platform's binary in its place.
[ -x "$deno" ] || node node_modules/deno/install.cjs >&2
cp package-lock.json "$stamp"
