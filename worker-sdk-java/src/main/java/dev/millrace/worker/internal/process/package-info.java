/** The process host: runs scripts in warm Python and Deno processes over the process protocol (docs/reference/process-protocol.md). */
@NullMarked
package dev.millrace.worker.internal.process;

import org.jspecify.annotations.NullMarked;
