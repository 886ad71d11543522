/**
 * Starts Millrace as in production, each service as a process of its own on a real Postgres. Tests and benchmarks can
 * kill, stop and restart every part.
 */
@NullMarked
package dev.millrace.harness;

import org.jspecify.annotations.NullMarked;
