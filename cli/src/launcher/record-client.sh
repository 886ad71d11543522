#!/bin/sh
# Records an archive of the classes that commands load, which more than halves their start time. The recording submits a
# run. Its MILLRACE_HOME is another folder, so that the user's @last stays unchanged. Does nothing if nothing was built
# since the last recording. If the recording fails, commands start without an archive.
# Needs JAVA_HOME and MILLRACE_HOME.
set -eu
build=$MILLRACE_HOME/cli/target
flags=$MILLRACE_HOME/cli/src/launcher/client.args
training=$MILLRACE_HOME/cli/src/training
archive=$build/launcher/client.jsa

if [ -e "$archive" ] && [ -z "$(find "$build/millrace.jar" "$build/lib" "$flags" "$training" -newer "$archive" -print -quit)" ]; then
  exit
fi
mkdir -p "$build/launcher"
MILLRACE_HOME=$build/launcher "$JAVA_HOME/bin/java" "@$flags" -XX:ArchiveClassesAtExit="$archive.new" \
  -cp "$build/millrace.jar" dev.millrace.cli.training.ClientTraining "$training" && mv "$archive.new" "$archive" ||
  rm -f "$archive" "$archive.new"
