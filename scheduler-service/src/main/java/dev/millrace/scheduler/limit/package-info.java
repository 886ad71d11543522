/** Limits on jobs: those of a line wait in the queue under a tag that nobody serves, until a keeper lets them go to workers. */
@NullMarked
package dev.millrace.scheduler.limit;

import org.jspecify.annotations.NullMarked;
