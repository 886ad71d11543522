/** Versions of packages that were chosen for scripts, and the runs that choose them before the first jobs. */
@NullMarked
package dev.millrace.scheduler.packages;

import org.jspecify.annotations.NullMarked;
