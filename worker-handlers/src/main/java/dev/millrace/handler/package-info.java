/** Handlers that are built into Millrace's own worker. */
@NullMarked
package dev.millrace.handler;

import org.jspecify.annotations.NullMarked;
