/**
 * Runs that steps of other runs start: their roots, their depth, and the notes that tell a waiting run about an end.
 */
@NullMarked
package dev.millrace.scheduler.child;

import org.jspecify.annotations.NullMarked;
