/**
 * Starts Millrace as production would run it, each service a process of its own on a real Postgres, and lets tests and benchmarks
 * kill, stop and restart every part.
 */
@NullMarked
package dev.millrace.harness;

import org.jspecify.annotations.NullMarked;
