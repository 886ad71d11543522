/** What the state of a job in the queue means to people. */
@NullMarked
package dev.millrace.scheduler.explain.core;

import org.jspecify.annotations.NullMarked;
