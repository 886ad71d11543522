/** Metrics of the gateway. */
@NullMarked
package dev.millrace.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
