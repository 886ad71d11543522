#!/bin/sh
# Makes services start faster. Runs everything once under some load, records caches of loaded classes and linked code,
# and makes the database folder that new ones are copied from. Does nothing if nothing was built since the last
# recording. If one of its runs fails, it leaves an empty cache, so that no launcher tries again before the next build.
# With an incomplete cache, services would work but be slow.
# Needs JAVA_HOME and MILLRACE_HOME.
set -eu
build=$MILLRACE_HOME/cli/target
flags=$MILLRACE_HOME/cli/src/launcher/services.args
training=$MILLRACE_HOME/cli/src/training
cache=$build/launcher/services.aot
evaluator=$build/launcher/evaluator.aot
database=$build/launcher/database

if [ -e "$cache" ] && [ -z "$(find "$build/millrace.jar" "$build/lib" "$flags" "$training" -newer "$cache" -print -quit)" ]; then
  touch "$cache"
  exit
fi
mkdir -p "$build/launcher"
# The load has scripts in both languages. Without Deno, they would wait for it.
if [ -z "${MILLRACE_DENO:-}" ] && ! "$MILLRACE_HOME/worker-runtime-deno/install.sh"; then
  echo "Deno is missing, so no cache for fast starts can be recorded: the message above has the reason. Or set MILLRACE_DENO to a Deno binary." >&2
  : >"$cache"
  exit 1
fi
rm -rf "$database" "$evaluator"
# The scheduler's child processes evaluate expressions, and look for their own cache beside that of their parent.
"$JAVA_HOME/bin/java" -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -XX:AOTCacheOutput="$evaluator" -cp "$build/millrace.jar" dev.millrace.scheduler.expression.engine.EngineMain </dev/null >/dev/null
if "$JAVA_HOME/bin/java" "@$flags" -XX:AOTCacheOutput="$cache.new" -cp "$build/millrace.jar" dev.millrace.cli.training.ServiceTraining "$database" &&
  [ -s "$cache.new" ]; then
  mv "$cache.new" "$cache"
else
  rm -f "$cache.new"
  : >"$cache"
  exit 1
fi
