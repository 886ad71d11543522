/** What can go wrong, as codes that callers may rely on. */
@NullMarked
package dev.millrace.scheduler.error;

import org.jspecify.annotations.NullMarked;
