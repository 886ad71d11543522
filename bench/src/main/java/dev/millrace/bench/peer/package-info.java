/**
 * Other systems, measured with the same work on the same Postgres. Their code is in {@code bench/peers}, on none of our
 * class paths.
 */
@NullMarked
package dev.millrace.bench.peer;

import org.jspecify.annotations.NullMarked;
