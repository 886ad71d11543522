@NullMarked
package dev.millrace.scheduler.trace.core;

import org.jspecify.annotations.NullMarked;
