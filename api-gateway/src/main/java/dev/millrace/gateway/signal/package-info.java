/** Endpoints for waits of runs, and for the signals and answers that end them. */
@NullMarked
package dev.millrace.gateway.signal;

import org.jspecify.annotations.NullMarked;
