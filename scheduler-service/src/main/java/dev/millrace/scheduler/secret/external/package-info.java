/** Values that other programs manage. */
@NullMarked
package dev.millrace.scheduler.secret.external;

import org.jspecify.annotations.NullMarked;
