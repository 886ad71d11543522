/** Workloads that measure Millrace, and raw Postgres beside it, on this machine; each checks that what it measured is right. */
@NullMarked
package dev.millrace.bench;

import org.jspecify.annotations.NullMarked;
