/** Pauses, rates, and the reasons why jobs of a tag wait. */
@NullMarked
package dev.millrace.scheduler.tag.core;

import org.jspecify.annotations.NullMarked;
