/**
 * Workloads that measure Millrace, and raw Postgres for comparison, on this machine. Each checks that its results are
 * right.
 */
@NullMarked
package dev.millrace.bench;

import org.jspecify.annotations.NullMarked;
