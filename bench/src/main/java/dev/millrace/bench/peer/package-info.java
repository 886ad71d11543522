/** Other systems, measured with the same work on the same Postgres; their code is in {@code bench/peers}, on no class path of ours. */
@NullMarked
package dev.millrace.bench.peer;

import org.jspecify.annotations.NullMarked;
