@NullMarked
package dev.millrace.scheduler.trace;

import org.jspecify.annotations.NullMarked;
