/** Commands for the queues of tags and the lines of limits. */
@NullMarked
package dev.millrace.cli.queue;

import org.jspecify.annotations.NullMarked;
