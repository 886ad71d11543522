/** OpenTelemetry of the services: configured by {@code OTEL_*} variables, and off unless configured. */
@NullMarked
package dev.millrace.telemetry;

import org.jspecify.annotations.NullMarked;
