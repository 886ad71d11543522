/** What flows and scripts have in common: paths that lead to versions, and whoever uses a path. */
@NullMarked
package dev.millrace.scheduler.version;

import org.jspecify.annotations.NullMarked;
