/** Kinds of task that plug-ins add to the server. */
@NullMarked
package dev.millrace.handler.task;

import org.jspecify.annotations.NullMarked;
