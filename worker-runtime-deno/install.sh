#!/bin/sh
# Installs the pinned Deno and Bun from npm into node_modules; takes milliseconds if they are up to date.
# The binaries are then node_modules/deno/deno and node_modules/bun/bin/bun.exe. Bun may be missing: nothing else needs it.
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
bun=node_modules/bun
if [ -d "$bun" ] && ! "$bun/bin/bun.exe" --version >/dev/null 2>&1; then
  (cd "$bun" && node install.js) >&2 || echo "Bun cannot be installed: scripts in Bun will not run here." >&2
fi
cp package-lock.json "$stamp"
