/** What alerts say, how they are signed, and when a message is sent again. */
@NullMarked
package dev.millrace.scheduler.alert.core;

import org.jspecify.annotations.NullMarked;
