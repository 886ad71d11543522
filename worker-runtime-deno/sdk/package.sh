#!/bin/sh
# Builds the npm package into target/dist, and installs it in a folder that has nothing else, target/installed, for tests of
# what users install. Does nothing if both are current.
set -eu
cd "$(dirname "$0")"

proto=../../proto
pages=../../docs/how-to
programs="../../e2e-tests/conformance/worker.ts ../../e2e-tests/src/test/node/submit_many.ts ../../e2e-tests/src/test/node/blob_worker.ts ../../examples/own-process/worker.ts $pages/typescript-handlers.md $pages/typescript-client.md"
current=$(find access blob client timing worker $programs ../src "$proto/src/main/proto" package.json package-lock.json tsconfig.json buf.gen.yaml package.sh \
  -type f ! -name '*_test.ts' -exec cksum {} + | sort | cksum)
if [ "$(cat target/installed/stamp 2>/dev/null)" = "$current" ]; then exit; fi

rm -rf target proto
mkdir -p target/dist target/installed
[ -x "$proto/node_modules/.bin/buf" ] || npm ci --prefix "$proto" --ignore-scripts --prefer-offline --silent
npm ci --ignore-scripts --prefer-offline --silent
(cd "$proto" && PATH="$PWD/node_modules/.bin:$PATH" buf generate --template ../worker-runtime-deno/sdk/buf.gen.yaml)
node_modules/.bin/tsc
cp package.json README.md target/package
npm pack ./target/package --pack-destination target/dist --silent >target/pack.log
# The same versions as in the lock, without the network where npm has them already.
cd target/installed
echo '{ "private": true, "type": "module" }' >package.json
npm install ../dist/millrace-*.tgz --ignore-scripts --prefer-offline --no-audit --no-fund --silent

# Programs of tests: here they see the package as those of users do, types included.
cp ../../../../e2e-tests/conformance/worker.ts conformance_worker.ts
cp ../../../../e2e-tests/src/test/node/submit_many.ts submit_many.ts
cp ../../../../e2e-tests/src/test/node/blob_worker.ts blob_worker.ts
cp ../../../../examples/own-process/worker.ts example_worker.ts
for page in client handlers; do
  sed -n '/^```ts$/,/^```$/p' "../../../../docs/how-to/typescript-$page.md" | sed '/^```/d' >"page_$page.ts"
done
../../node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --target es2022 --lib es2024,esnext.disposable,dom \
  --module nodenext --types node --typeRoots ../../node_modules/@types ./*.ts
echo "$current" >stamp
