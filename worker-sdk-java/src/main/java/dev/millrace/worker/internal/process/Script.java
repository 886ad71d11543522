package dev.millrace.worker.internal.process;

import java.nio.file.Path;

/** A script's file on this machine. */
record Script(Path file, ScriptRuntime runtime) {}
