#!/bin/sh
# Builds the console into target/web, which takes milliseconds if nothing has changed since the last build. With the
# argument `check`, it also formats, lints, checks types and runs the tests, each of them as an error.
set -eu
cd "$(dirname "$0")"
document=../api-gateway/src/main/resources/dev/millrace/gateway/docs/openapi.yaml

# Prints a digest of all that the result depends on.
inputs() {
  { find src build -type f; ls index.html ./*.json ./*.ts "$document"; } | LC_ALL=C sort | xargs sha256sum | sha256sum
}

install() {
  stamp=node_modules/.installed-from
  if cmp -s package-lock.json "$stamp"; then
    return
  fi
  command -v npm >/dev/null || {
    echo "The console is built with Node.js, but there is no npm on the PATH: install Node.js 20.19 or newer." >&2
    exit 1
  }
  npm ci --prefer-offline --ignore-scripts --loglevel=error --no-audit --no-fund >&2
  cp package-lock.json "$stamp"
}

now=$(inputs)

build() {
  if [ -e target/web/index.html ] && [ "$now" = "$(cat target/built-from 2>/dev/null)" ]; then
    return
  fi
  install
  # Files of earlier builds have other names, and must not be packed beside those of this one.
  rm -rf target/classes
  mkdir -p target/openapi
  node_modules/.bin/openapi-typescript "$document" --default-non-nullable=false --output target/openapi/openapi.d.ts >target/openapi/log
  node_modules/.bin/vite build --logLevel warn
  cp src/pages/addresses.json target/web/addresses.json
  echo "$now" >target/built-from
}

check() {
  if [ "$now" = "$(cat target/checked-from 2>/dev/null)" ]; then
    return
  fi
  install
  node_modules/.bin/biome check --error-on-warnings
  node_modules/.bin/tsc --noEmit
  # The tests take a minute, on a busy machine a few.
  ../.ci/limited 900 node_modules/.bin/vitest run
  echo "$now" >target/checked-from
}

build
[ "${1:-}" != check ] || check
