/**
 * Affinity groups: steps that share a worker and a folder there, how their worker is chosen, and what happens if it is
 * lost.
 */
@NullMarked
package dev.millrace.scheduler.affinity;

import org.jspecify.annotations.NullMarked;
