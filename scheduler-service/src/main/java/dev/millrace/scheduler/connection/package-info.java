/** What triggers refer to: secrets, and resources that say how to reach other programs. */
@NullMarked
package dev.millrace.scheduler.connection;

import org.jspecify.annotations.NullMarked;
