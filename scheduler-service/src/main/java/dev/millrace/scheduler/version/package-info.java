/** Parts that flows and scripts share: paths that lead to versions, and the users of a path. */
@NullMarked
package dev.millrace.scheduler.version;

import org.jspecify.annotations.NullMarked;
