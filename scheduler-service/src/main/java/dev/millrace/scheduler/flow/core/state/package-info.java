/**
 * The state of one run: a fold over the rows of its finished steps and the keys of its live jobs. The state records
 * what has happened and decides nothing.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.state;

import org.jspecify.annotations.NullMarked;
