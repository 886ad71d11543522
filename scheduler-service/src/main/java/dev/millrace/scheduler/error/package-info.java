/** Error codes that callers may rely on, and the exception that carries them. */
@NullMarked
package dev.millrace.scheduler.error;

import org.jspecify.annotations.NullMarked;
