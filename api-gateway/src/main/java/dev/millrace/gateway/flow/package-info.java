/** Endpoints for flow definitions. */
@NullMarked
package dev.millrace.gateway.flow;

import org.jspecify.annotations.NullMarked;
