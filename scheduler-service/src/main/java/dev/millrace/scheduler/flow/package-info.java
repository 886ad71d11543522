/** Versions of flow definitions and the models they compile to; and the runs of flows, as they advance. */
@NullMarked
package dev.millrace.scheduler.flow;

import org.jspecify.annotations.NullMarked;
