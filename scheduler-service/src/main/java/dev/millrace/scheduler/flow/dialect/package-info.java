/** Compiles definitions into the flow model: one package for each dialect, and what they share for reading documents. */
@NullMarked
package dev.millrace.scheduler.flow.dialect;

import org.jspecify.annotations.NullMarked;
