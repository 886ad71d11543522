/** Handlers of the events that steps publish, as people know them and as Conductor has them. */
@NullMarked
package dev.millrace.gateway.eventhandler;

import org.jspecify.annotations.NullMarked;
