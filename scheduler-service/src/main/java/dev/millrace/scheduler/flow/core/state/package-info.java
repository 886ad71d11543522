/**
 * What stands: the state of one run as a fold over the rows of its finished steps and the keys of its live jobs. It takes note of what happened, and
 * decides nothing.
 */
@NullMarked
package dev.millrace.scheduler.flow.core.state;

import org.jspecify.annotations.NullMarked;
