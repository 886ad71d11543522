/** Versions of flow definitions, the models that they compile to, and the progress of runs of flows. */
@NullMarked
package dev.millrace.scheduler.flow;

import org.jspecify.annotations.NullMarked;
