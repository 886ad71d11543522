#!/bin/sh
# Records the cache of loaded classes and linked code that lets services start faster, by running everything under some load. Does nothing
# where nothing was built since the last time. Where it fails, be it only in one of its runs, it leaves an empty file, so that nobody tries
# again before the next build: services whose cache knows less than it should look well and are slow.
# Needs JAVA_HOME and MILLRACE_HOME.
set -eu
build=$MILLRACE_HOME/cli/target
flags=$MILLRACE_HOME/cli/src/launcher/services.args
training=$MILLRACE_HOME/cli/src/training
cache=$build/launcher/services.aot

if [ -e "$cache" ] && [ -z "$(find "$build/millrace.jar" "$build/lib" "$flags" "$training" -newer "$cache" -print -quit)" ]; then
  touch "$cache"
  exit
fi
mkdir -p "$build/launcher"
if "$JAVA_HOME/bin/java" "@$flags" -XX:AOTCacheOutput="$cache.new" -cp "$build/millrace.jar" dev.millrace.cli.training.ServiceTraining &&
  [ -s "$cache.new" ]; then
  mv "$cache.new" "$cache"
else
  : >"$cache"
  exit 1
fi
