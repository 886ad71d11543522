/** Runs that steps of other runs begin: their roots, their depth, and the notes that tell a waiting run of an end. */
@NullMarked
package dev.millrace.scheduler.child;

import org.jspecify.annotations.NullMarked;
