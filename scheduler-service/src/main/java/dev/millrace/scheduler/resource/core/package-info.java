/** What the value of a resource says. */
@NullMarked
package dev.millrace.scheduler.resource.core;

import org.jspecify.annotations.NullMarked;
