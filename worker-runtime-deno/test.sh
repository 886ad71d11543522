#!/bin/sh
# Checks layout, lint and types of the Deno runtime and runs its tests. Arguments are passed on to `deno test`.
set -eu
cd "$(dirname "$0")"

./install.sh
deno=node_modules/deno/deno
# Neither set of tests takes longer than a few minutes, even on a busy machine.
limited="$PWD/../.ci/limited 900"
export DENO_DIR="$PWD/target/deno-dir" DENO_NO_UPDATE_CHECK=1 NO_COLOR=1

"$deno" fmt --quiet --check
"$deno" lint --quiet
"$deno" check --quiet src
# Its types are checked when it is built (sdk/package.sh); its end-to-end tests play there, too.
(cd sdk && "../$deno" fmt --quiet --check && "../$deno" lint --quiet && $limited "../$deno" test --quiet --no-check --allow-env --allow-read --allow-write --allow-sys)
# The tests start real processes, which restrict the scripts themselves.
exec $limited "$deno" test --quiet --allow-all "$@"
